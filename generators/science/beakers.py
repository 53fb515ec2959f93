"""Acid in a beaker: diluted, poured out, mixed and neutralised. Amounts of H+ are in mmol, volumes in mL."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.calculations import format_decimal
from rlgym.generators.science.quantities import Working

OPENINGS = (
    "A beaker holds {volume} of {acid} with {strength} mol/L.",
    "One begins with {volume} of {acid}, {strength} mol/L.",
    "In a flask there are {volume} of a {acid} solution of {strength} mol/L.",
    "{volume} of {acid} ({strength} mol/L) are put into a beaker.",
)
UNKNOWN = (
    "A beaker holds {volume} of {acid} of unknown concentration.",
    "One begins with {volume} of {acid}, whose concentration nobody knows.",
    "In a flask there are {volume} of a {acid} solution of unknown strength.",
    "{volume} of {acid} are put into a beaker; its concentration is to be found.",
)
ASKED = (
    "What is the concentration of H+ in the end, in mol/L?",
    "Find the final concentration of H+ in mol/L.",
    "How many moles of H+ per litre are there at the end?",
    "What concentration of H+, in mol/L, does that leave?",
)
TITRATED = (
    "To neutralise what is left exactly, {volume} of {base} with {strength} mol/L are needed. How many mol/L of {acid} did the solution contain at the "
    "beginning?",
    "Exactly {volume} of {strength} mol/L {base} neutralise what is then there. What was the concentration of the {acid} at first, in mol/L?",
    "A titration of all that is left takes {volume} of {base}, {strength} mol/L. Find the first concentration of {acid} in mol/L.",
)
RULES = (
    "Volumes add up. Acids and bases dissociate completely, into as many H+ or OH- as their formulas show, and each OH- removes one H+; the H+ of "
    "pure water does not count. 1 L = 1000 mL."
)

ACIDS = {"HCl": 1, "HNO3": 1, "H2SO4": 2, "HClO4": 1, "HBr": 1}
BASES = {"NaOH": 1, "KOH": 1, "Ba(OH)2": 2, "LiOH": 1, "Sr(OH)2": 2}
SAID = {
    "water": ("{a} of water are added.", "It is diluted with {a} of water.", "{a} of pure water go in."),
    "pour": (
        "After mixing, {a} of it are poured away.",
        "It is stirred, and {a} of it is thrown out.",
        "{a} of the mixed solution are taken away.",
    ),
    "boil": ("{a} of water are boiled off.", "It loses {a} of water by evaporation.", "{a} of water evaporate."),
    "acid": ("{a} of {b} mol/L {c} are added.", "{a} of a {c} solution with {b} mol/L come in.", "One adds {a} of {c} with {b} mol/L."),
    "base": ("{a} of {b} mol/L {c} are added.", "{a} of a {c} solution with {b} mol/L come in.", "One adds {a} of {c} with {b} mol/L."),
}


class Change(TaskData):
    """water, pour or boil MILLILITRES; acid or base MILLILITRES MOLES-PER-LITRE, of a substance."""

    kind: str
    numbers: tuple[str, ...]
    substance: str
    litres: bool  # the volume is said in litres

    @property
    def each(self) -> int:
        """How many H+ or OH- one molecule gives."""
        return (ACIDS | BASES)[self.substance]


def sample(rng: Rng, kinds: Sequence[str], count: int, litres: float, volume: Fraction, amount: Fraction) -> tuple[list[Change], Fraction]:
    """Changes that always leave acid in the beaker, and the volume after them."""
    out: list[Change] = []
    while len(out) < count:
        kind = rng.choice(kinds)
        if kind in ("pour", "boil") and volume < 60:
            kind = "water"
        most = int(volume) - 20 if kind in ("pour", "boil") else 300
        size, strength = Fraction(5 * rng.integer(1, most // 5)), Fraction(rng.integer(1, 40), 20)
        substance = rng.choice(tuple(ACIDS if kind == "acid" else BASES)) if kind in ("acid", "base") else ""
        millimoles = size * strength * ((ACIDS | BASES)[substance] if substance else 0)
        if kind == "base" and millimoles >= amount * Fraction(9, 10):
            continue
        amount = amount * (volume - size) / volume if kind == "pour" else amount + (millimoles if kind == "acid" else -millimoles)
        volume += -size if kind in ("pour", "boil") else size
        numbers = (str(size), str(strength)) if substance else (str(size),)
        out.append(Change(kind=kind, numbers=numbers, substance=substance, litres=rng.chance(litres)))
    return out, volume


def portions(rng: Rng, count: int, litres: float, amount: Fraction) -> list[Change]:
    """Portions to choose from: mostly bases, each less than the acid in the beaker, some acids and water."""
    out: list[Change] = []
    water, acids = max(1, count // 6), count // 4
    kinds = rng.shuffled(["water"] * water + ["acid"] * acids + ["base"] * (count - water - acids))
    while len(out) < count:
        kind = kinds[len(out)]
        size, strength = Fraction(5 * rng.integer(3, 30)), Fraction(rng.integer(3, 40), 20)
        substance = rng.choice(tuple(ACIDS if kind == "acid" else BASES)) if kind != "water" else ""
        millimoles = size * strength * ((ACIDS | BASES)[substance] if substance else 0)
        if substance and not amount / 9 < millimoles < amount * Fraction(2, 5 if kind == "base" else 8):
            continue
        numbers = (str(size), str(strength)) if substance else (str(size),)
        out.append(Change(kind=kind, numbers=numbers, substance=substance, litres=rng.chance(litres)))
    return out


def _portion(change: Change) -> tuple[Fraction, Fraction]:
    """The volume of a portion, and the H+ that it adds or, with a minus, takes away."""
    size = Fraction(change.numbers[0])
    if not change.substance:
        return size, Fraction(0)
    return size, size * Fraction(change.numbers[1]) * change.each * (1 if change.kind == "acid" else -1)


def concentration(chosen: Sequence[Change], volume: Fraction, amount: Fraction) -> Fraction:
    added = [_portion(change) for change in chosen]
    return (amount + sum(acid for _, acid in added)) / (volume + sum(size for size, _ in added))


def choose(changes: Sequence[Change], volume: Fraction, amount: Fraction, capacity: int) -> tuple[Change, ...]:
    """The portions that leave the least H+ per volume, but some, in a vessel of this capacity."""
    # In units of 1/100 mmol and 1 mL, so that all numbers are whole.
    added = [(int(size), int(acid * 100)) for size, acid in map(_portion, changes)]
    sets = [(int(volume), int(amount * 100), 0)]
    for k, (size, acid) in enumerate(added):
        sets += [(filled + size, left + acid, used | 1 << k) for filled, left, used in sets if filled + size <= capacity]
    fit = [(Fraction(left, filled), used) for filled, left, used in sets if left > 0]
    best = min(fit)[1]
    return tuple(change for k, change in enumerate(changes) if best >> k & 1)


def choose_greedily(changes: Sequence[Change], volume: Fraction, amount: Fraction, capacity: int) -> tuple[Change, ...]:
    """The strongest bases first, as long as some H+ is left, and then water."""
    taken = []
    for k, change in sorted(enumerate(changes), key=lambda pair: _portion(pair[1])[1]):
        size, acid = _portion(change)
        if acid <= 0 < amount + acid and volume + size <= capacity:
            volume, amount = volume + size, amount + acid
            taken.append(k)
    return tuple(changes[k] for k in sorted(taken))


def weakest(changes: Sequence[Change], volume: Fraction, amount: Fraction, capacity: int) -> Fraction:
    """The same concentration: for each amount of H+ that can be left, in the greatest volume that fits."""
    filled: dict[Fraction, set[Fraction]] = {amount: {volume}}
    for size, acid in map(_portion, changes):
        before = {left: set(sizes) for left, sizes in filled.items()}
        for left, sizes in before.items():
            filled.setdefault(left + acid, set()).update(other + size for other in sizes if other + size <= capacity)
    return min(left / max(sizes) for left, sizes in filled.items() if left > 0 and sizes)


def gaps(change: Change) -> dict[str, str]:
    """What fills the sentence of a change."""
    size = Fraction(change.numbers[0])
    return {"a": phrase(size, change.litres), "b": format_decimal(Fraction(change.numbers[-1])), "c": change.substance}


def phrase(size: Fraction, litres: bool) -> str:
    """A volume as the prompt says it."""
    return f"{format_decimal(size / 1000)} L" if litres else f"{format_decimal(size)} mL"


def straight(changes: Sequence[Change], volume: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """The final volume, and the final amount as a share of the first amount plus a constant."""
    part, offset = Fraction(1), Fraction(0)
    for change in changes:
        size = Fraction(change.numbers[0])
        if change.kind == "pour":
            part, offset = part * (1 - size / volume), offset * (1 - size / volume)
        elif change.substance:
            offset += size * Fraction(change.numbers[1]) * change.each * (1 if change.kind == "acid" else -1)
        volume += -size if change.kind in ("pour", "boil") else size
    return volume, part, offset


def volumes(work: Working, changes: Sequence[Change], volume: Fraction) -> list[Fraction]:
    """Lines for the volume after each change."""
    out = [volume]
    for k, change in enumerate(changes, 1):
        size = Fraction(change.numbers[0])
        if change.litres:
            work.add(f"volume in change {k}", "mL", "{} * 1000", size / 1000)
        out.append(work.add(f"volume after change {k}", "mL", "{} - {}" if change.kind in ("pour", "boil") else "{} + {}", out[-1], size))
    return out


def amounts(work: Working, changes: Sequence[Change], filled: Sequence[Fraction], amount: Fraction, back: bool) -> Fraction:
    """Lines for the amount of H+ from change to change, forwards or back to the beginning."""
    for k, change in list(enumerate(changes, 1))[:: -1 if back else 1]:
        name = f"H+ {'before' if back else 'after'} change {k}"
        if change.kind == "pour":
            pair = (filled[k], filled[k - 1]) if not back else (filled[k - 1], filled[k])
            amount = work.add(name, "mmol", "{} * {} / {}", amount, *pair)
        elif change.substance:
            amount_after = work.add(
                f"{'H+' if change.kind == 'acid' else 'OH-'} added in change {k}",
                "mmol",
                "{} * {} * {}",
                *map(Fraction, change.numbers),
                change.each,
            )
            amount = work.add(name, "mmol", "{} + {}" if (change.kind == "acid") != back else "{} - {}", amount, amount_after)
    return amount
