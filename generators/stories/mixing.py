"""Vessels that are filled, emptied and poured into each other: sentences, and the account of what is dissolved in each."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from rlgym.core.rng import Rng
from rlgym.generators.stories.linked import Link
from rlgym.generators.stories.phrasing import phrase

MIXING: Mapping[str, tuple[str, ...]] = {
    "start": (
        "{vessel} holds {v} litres of {liquid} with {p}% {salt} in it.",
        "In {vessel_in} there are {v} litres of {liquid}, of which {p}% is {salt}.",
        "At first {vessel_in} contains {v} litres of {liquid} that is {p}% {salt}.",
        "{v} litres of {liquid} are in {vessel_in}; {salt} makes up {p}% of them.",
        "{vessel} is filled with {v} litres of {liquid}, {p}% of it {salt}.",
    ),
    "start_unknown": (
        "{vessel} holds {v} litres of {liquid} with an unknown share of {salt}.",
        "In {vessel_in} there are {v} litres of {liquid}; nobody knows how much of that is {salt}.",
        "At first {vessel_in} contains {v} litres of {liquid} with some {salt} in it.",
        "{v} litres of {liquid} are in {vessel_in}, and the label that states the share of {salt} is lost.",
    ),
    "add": (
        "{then} {v} litres with {p}% {salt} are added to {vessel_in}.",
        "{then} somebody pours another {v} litres into {vessel_in}, {p}% of it {salt}.",
        "{then} {vessel_in} gets {v} more litres, which are {p}% {salt}.",
        "{then} {v} litres of a mixture with {p}% {salt} go into {vessel_in}.",
    ),
    "water": (
        "{then} {v} litres without any {salt} are added to {vessel_in}.",
        "{then} somebody dilutes the contents of {vessel_in} with {v} litres that contain no {salt}.",
        "{then} {vessel_in} gets {v} more litres, free of {salt}.",
        "{then} {v} litres with no {salt} in them go into {vessel_in}.",
    ),
    "dry": (
        "{then} {v} litres boil away from {vessel_in}, but no {salt} is lost.",
        "{then} {vessel_in} loses {v} litres that contain no {salt}.",
        "{then} {v} litres evaporate from {vessel_in} while all the {salt} stays there.",
        "{then} a filter removes {v} litres free of {salt} from {vessel_in}.",
    ),
    "drain": (
        "{then} {v} litres of the mixture in {vessel_in} are thrown away.",
        "{then} somebody spills {v} litres out of {vessel_in}.",
        "{then} {v} litres of the contents of {vessel_in} are poured out.",
        "{then} {vessel_in} leaks {v} litres of its mixture.",
    ),
    "pour": (
        "{then} {v} litres are poured from {vessel_in} into {other}.",
        "{then} somebody moves {v} litres of the mixture from {vessel_in} to {other}.",
        "{then} {other} gets {v} litres from {vessel_in}.",
        "{then} {v} litres of the contents of {vessel_in} go into {other}.",
    ),
    "end": (
        "In the end {vessel_in} holds a mixture with {p}% {salt}.",
        "After all this, {p}% of the mixture in {vessel_in} is {salt}.",
        "A test of {vessel_in} then shows {p}% {salt}.",
        "Finally, the share of {salt} in {vessel_in} is {p}%.",
    ),
    "ask": (
        "What percentage of the mixture in {vessel_in} is {salt} now?",
        "What is the share of {salt} in {vessel_in} after all this, in percent?",
        "Find what percentage of the final mixture in {vessel_in} is {salt}.",
        "In the end, what percentage of the mixture in {vessel_in} is {salt}?",
    ),
    "ask_start": (
        "What percentage of the {liquid} in {vessel_in} was {salt} at first?",
        "What was the share of {salt} in {vessel_in} at the very beginning, in percent?",
        "Find what percentage of the original contents of {vessel_in} was {salt}.",
        "At the start, what percentage of the contents of {vessel_in} was {salt}?",
    ),
    "aside": (
        "{who} watches this for {n} minutes.",
        "The room has a temperature of {n} degrees.",
        "A bottle of another liquid with {n}% {salt} stands nearby and is not used.",
        "{who} paid {n} dollars for the vessels.",
        "There is a label with the number {n} on the table.",
        "{who} has done such work for {n} years.",
    ),
}
STIRRED = (
    "Everything is stirred well after each step, and volumes add up.",
    "All mixtures are stirred well at once, and no volume is lost by mixing.",
    "Volumes simply add up, and each mixture is even throughout before the next step.",
    "Assume that mixtures are even at all times and that volumes add up.",
)
OPENINGS = (
    "{who} works as a {trade} in {town}.",
    "This happens in a workshop in {town}.",
    "{who} from {town} mixes liquids.",
    "In a cellar in {town}, {who} has some vessels.",
    "A {trade} in {town} keeps a record of some mixtures.",
)
SALTS = ("salt", "sugar", "alcohol", "acid", "syrup", "dye", "soap", "ginger extract")
VESSELS = ("the barrel", "the bucket", "the tank", "the jug", "the pot", "the basin", "the flask", "the tub")
THEN = ("Then", "After that,", "Next,", "Later", "Now", "Afterwards")


class Cellar:
    """What is in each vessel while moves are made up. Amounts of what is dissolved are litres times percent; the first number of all is the
    strength in the first vessel."""

    def __init__(self, vessels: Sequence[str], salt: str, first: int) -> None:
        self.vessels, self.salt = vessels, salt
        self.names, self.amounts, self.links = ["the first strength"], [Fraction(first)], list[Link]()
        self.litres: list[int] = []
        self.last: list[int] = []

    def start(self, rng: Rng, kind: str, litres: int, percent: int, liquid: str) -> str:
        """Fills the next vessel."""
        at = len(self.litres)
        self.litres.append(litres)
        name, new = f"{self.salt} in {self.vessels[at]} at first", len(self.names)
        link = Link(who=(new,), add=litres, each=percent) if at else Link(who=(new, 0), times=(litres, 1))
        self.last.append(self._new(name, link, Fraction(litres * percent)))
        return self.sentence(rng, kind, at, liquid=liquid, v=litres, p=percent)

    def move(self, rng: Rng, kinds: Sequence[str], i: int, small: bool) -> str:
        """The sentence for one move; with `small` some amounts are in millilitres."""
        kind, at, percent = rng.choice(kinds), rng.integer(0, len(self.vessels) - 1), 5 * rng.integer(1, 16)
        kind = "drain" if kind == "pour" and len(self.vessels) == 1 else kind
        # what boils away leaves room for all that is dissolved
        most = (
            self.litres[at] // 2 if kind != "dry" else min(self.litres[at] // 2, int(self.litres[at] - self.amounts[self.last[at]] / 100))
        )
        kind = "water" if kind in ("dry", "drain", "pour") and most < 3 else kind
        moved = rng.integer(2, 15) if kind in ("add", "water") else rng.integer(2, most)
        other = rng.choice([k for k in range(len(self.vessels)) if k != at] or [0])
        litres, old, new = self.litres[at], self.last[at], len(self.names)
        name, before = f"{self.salt} in {self.vessels[at]} after move {i}", self.amounts[old]
        self.litres[at] += moved if kind in ("add", "water") else -moved
        if kind == "add":
            self.last[at] = self._new(name, Link(who=(new, old), add=moved, each=percent), before + moved * percent)
        elif kind in ("drain", "pour"):
            remaining_salt = before * (litres - moved) / litres
            self.last[at] = self._new(name, Link(who=(new, old), times=(litres - moved, litres)), remaining_salt)
            if kind == "pour":
                moved_salt = self._new(
                    f"{self.salt} poured in move {i}", Link(who=(new + 1, old), times=(moved, litres)), before - remaining_salt
                )
                there = self.last[other]
                name = f"{self.salt} in {self.vessels[other]} after move {i}"
                self.last[other] = self._new(name, Link(who=(new + 2, there, moved_salt)), self.amounts[there] + before - remaining_salt)
                self.litres[other] += moved
        text = self.sentence(rng, kind, at, then=rng.choice(THEN), v=moved, p=percent, other=self.vessels[other])
        return text.replace(f"{moved} litres", f"{moved}000 millilitres") if small and rng.chance(0.3) else text

    def reached(self) -> list[int]:
        """The vessels in which something of the first one's content is at the end."""
        met = {0}
        for link in self.links:
            met |= {link.who[0]} if met & {*link.who[1:]} else set()
        return [at for at, last in enumerate(self.last) if last in met]

    def sentence(self, rng: Rng, kind: str, at: int, **gaps: object) -> str:
        vessel = self.vessels[at]
        return phrase(rng, MIXING[kind], vessel=vessel.capitalize(), vessel_in=vessel, salt=self.salt, **gaps)

    def _new(self, name: str, link: Link, amount: Fraction) -> int:
        self.names.append(name)
        self.amounts.append(amount)
        self.links.append(link)
        return len(self.names) - 1
