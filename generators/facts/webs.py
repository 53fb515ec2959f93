"""Invented worlds as webs of facts: each relation leads from one thing to one other, and questions go from one to the next.

A hop is written as the relation's name; `teacher<` goes against it (the person whose teacher is ...), and `teacher<<` to the older of the
two from whom it leads there.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators import stories
from rlgym.generators.facts.sentence_banks import Bank, read_statements
from rlgym.generators.text import names
from rlgym.solutions import Due, OneOf, Step, Taken

SAYS = Step("Sentence {at}: the {relation} of {a} is {b}.")
OLDER = Step("Of the two, {a} is the older, born in {early} before {late}.")


class World(NamedTuple):
    """relations  name -> (kind of thing it leads from, kind it leads to); a relation to a year is `birthyear`."""

    bank: Bank
    relations: dict[str, tuple[str, str]]
    ships: bool


class Fact(TaskData):
    at: int
    relation: str
    a: str
    b: str


GUILDS = World(
    Bank("""
teacher: {a} learned the trade from {b}. | {b} taught {a} all there was to know. | Everything {a} knew came from a single teacher, {b}.
teacher: As a child {a} was sent to {b} for lessons, and to nobody else.
birthplace: {a} was born in {b}. | {b} is where {a} came into the world. | The cradle of {a} stood in {b}.
birthplace: It was in {b} that {a} was born.
guild: {a} belongs to the {b}. | The {b} counts {a} among its members. | Long ago {a} swore the oath of the {b}.
guild: {a} wears the badge of the {b}.
founder: The {a} was founded by {b}. | {b} called the {a} into being. | Without {b}, its founder, there would be no {a}.
founder: The oldest paper of the {a} names {b} as its founder.
seat: The {a} has its seat in {b}. | The hall of the {a} stands in {b}. | Whoever looks for the {a} goes to {b}, where it has its seat.
seat: {b} is the seat of the {a}.
river: {a} lies on the {b}. | The {b} flows through {a}. | Boats reach {a} by the {b}. | The mills of {a} are turned by the {b}.
mayor: The mayor of {a} is {b}. | {b} is mayor of {a}. | {a} is governed by its mayor {b}. | As mayor, {b} signs the laws of {a}.
birthyear: {a} was born in the year {year}. | The year {year} saw the birth of {a}. | {a} has lived since the year {year}.
birthyear: The birthday of {a} falls in the year {year}.
"""),
    {
        "teacher": ("person", "person"),
        "birthplace": ("person", "town"),
        "guild": ("person", "guild"),
        "founder": ("guild", "person"),
        "seat": ("guild", "town"),
        "river": ("town", "river"),
        "mayor": ("town", "person"),
        "birthyear": ("person", "year"),
    },
    ships=False,
)
SHIPS = World(
    Bank("""
godparent: The godparent of {a} is {b}. | {b} held {a} at the naming and is the godparent. | {a} has {b} as godparent.
godparent: As godparent of {a}, {b} sends a gift each year.
ship: {a} sails on the {b}. | The {b} has {a} in its crew. | On the list of the {b} stands {a}. | {a} signed on with the {b}.
captain: The captain of the {a} is {b}. | {b} commands the {a}. | The {a} sails under its captain {b}.
captain: As captain, {b} decides where the {a} goes.
harbour: The {a} has its home harbour on {b}. | {b} is the home harbour of the {a}. | The {a} winters on {b}, its home harbour.
harbour: To see the {a} in its home harbour one goes to {b}.
wind: On {a} the {b} blows. | {a} is known for the {b}. | The {b} belongs to {a}. | Sailors who smell the {b} think of {a}.
governor: The governor of {a} is {b}. | {b} is governor of {a}. | {a} has {b} for a governor. | As governor, {b} lives on the hill of {a}.
home: {a} lives on {b}. | The house of {a} is on {b}. | {b} is the home of {a}. | When at home, {a} is on {b}.
birthyear: {a} was born in the year {year}. | The year {year} saw the birth of {a}. | {a} has lived since the year {year}.
"""),
    {
        "godparent": ("person", "person"),
        "home": ("person", "island"),
        "ship": ("person", "ship"),
        "captain": ("ship", "person"),
        "harbour": ("ship", "island"),
        "wind": ("island", "wind"),
        "governor": ("island", "person"),
        "birthyear": ("person", "year"),
    },
    ships=True,
)
_SHIPS = "Albatross Bramble Cormorant Dauntless Ember Falcon Gannet Harrier Icebird Juniper Kestrel Lantern Marigold Nightjar Osprey Petrel".split()


def things(rng: Rng, world: World, size: int) -> dict[str, list[str]]:
    """Names of things of each kind; `size` people, and fewer of the rest."""
    few, invented = max(3, size // 3), [noun[:-1].title() for noun in names.invent(rng, size)]
    kinds = {"person": stories.people(rng, size), "year": [str(year) for year in rng.sample(range(201, 399), size)]}
    if world.ships:
        return kinds | {
            "ship": rng.sample(_SHIPS, few),
            "island": invented[:few],
            "wind": [f"{name}-wind" for name in invented[few : 2 * few]],
        }
    return kinds | {
        "guild": [f"{name}-guild" for name in invented[:few]],
        "town": stories.places(rng, few),
        "river": invented[few : 2 * few],
    }


def truth(rng: Rng, world: World, pools: dict[str, list[str]]) -> dict[tuple[str, str], str]:
    """(relation, thing) -> thing, for every relation and thing; nobody stands in a relation to themselves."""
    out = {}
    for relation, (source, target) in world.relations.items():
        ends = rng.shuffled(pools[target])
        for k, thing in enumerate(pools[source]):
            free = [end for end in ends if end != thing]
            out[relation, thing] = free[k % len(free)] if relation == "birthyear" else rng.choice(free)
    return out


def write_question(rng: Rng, world: World, facts: dict[tuple[str, str], str], hops: int, ways: str) -> tuple[str, tuple[str, ...]] | None:
    """A start and hops that lead from it over different things; None where the dice find none."""
    relations = [name for name in world.relations if name != "birthyear"]
    at = rng.choice([thing for relation, thing in facts if relation == relations[0]])
    start, path, seen = at, list[str](), {at}
    for k in range(hops):
        options = [name for name in relations if (name, at) in facts]
        if ways != "forward":
            for name in relations:
                into = [thing for (relation, thing), end in facts.items() if relation == name and end == at]
                options += [f"{name}<"] * (2 * (len(into) == 1))
                options += [f"{name}<<"] * (6 * (len(into) == 2 and ways == "older" and world.relations[name][0] == "person"))
        options = [hop for hop in options if not (path and path[-1].rstrip("<") == hop.rstrip("<") and hops > 1 and "<" in hop + path[-1])]
        if not options:
            return None
        hop = rng.choice(
            [hop for hop in options if hop.endswith("<<")] if k == 0 and any(hop.endswith("<<") for hop in options) else options
        )
        at, _ = step(facts, at, hop) or ("", [])
        if not at or at in seen:
            return None
        seen.add(at)
        path.append(hop)
    return start, tuple(path)


def step(facts: dict[tuple[str, str], str], at: str, hop: str) -> tuple[str, list[tuple[str, str]]] | None:
    """Where a hop leads, and the facts (relation, thing) it uses; None if one of them is not stated."""
    name = hop.rstrip("<")
    if name == hop:
        return (facts[name, at], [(name, at)]) if (name, at) in facts else None
    into = sorted(thing for (relation, thing), end in facts.items() if relation == name and end == at)
    if hop.endswith("<<"):
        if len(into) != 2 or any(("birthyear", thing) not in facts for thing in into):
            return None
        older = min(into, key=lambda thing: int(facts["birthyear", thing]))
        return older, [*((name, thing) for thing in into), *(("birthyear", thing) for thing in into)]
    return (into[0], [(name, into[0])]) if len(into) == 1 else None


def walk(facts: Mapping[tuple[str, str], str], start: str, hops: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The facts (relation, thing) on the way from a thing along forward hops."""
    for hop in hops:
        yield hop, start
        start = facts[hop, start]


def phrase(world: World, start: str, hops: Sequence[str]) -> str:
    """The thing that the hops lead to, in words: the teacher of the founder of the Blick-guild."""
    out = name_with_article(start)
    for hop in hops:
        name = hop.rstrip("<")
        kind = world.relations[name][0]
        if hop == name:
            out = f"the {name} of {out}"
        elif hop.endswith("<<"):
            out = f"the older of the two people whose {name} is {out}"
        else:
            out = f"the {kind} whose {name} is {out}"
    return out


def asked(world: World, hops: Sequence[str]) -> str:
    """`Who` or `What`, for the thing that the hops lead to."""
    source, target = world.relations[hops[-1].rstrip("<")]
    return "Who" if (source if "<" in hops[-1] else target) == "person" else "What"


def unphrase(world: World, text: str) -> tuple[str, tuple[str, ...]]:
    """The start and the hops of a phrase."""
    hops = list[str]()
    while True:
        for name, (kind, _) in world.relations.items():
            for hop, lead in (
                (name, f"the {name} of "),
                (f"{name}<", f"the {kind} whose {name} is "),
                (f"{name}<<", f"the older of the two people whose {name} is "),
            ):
                if text.startswith(lead):
                    hops.append(hop)
                    text = text.removeprefix(lead)
                    break
            else:
                continue
            break
        else:
            return text.removeprefix("the "), tuple(hops[::-1])


def fact_sentence(rng: Rng, world: World, relation: str, a: str, b: str) -> str:
    """A fact as a sentence."""
    return world.bank.say(rng, relation, a=a, b=b, year=b)


def read(prompt: str, world: World) -> dict[tuple[str, str], tuple[str, int]]:
    """The facts that a prompt tells: (relation, thing) -> (thing, number of the sentence)."""
    return {
        (kind, gaps["a"]): (gaps.get("b") or gaps["year"], at)
        for at, (kind, gaps) in read_statements(prompt, world.bank)
        if kind in world.relations
    }


def follow_hops(facts: Iterable[Fact], start: str, hops: Sequence[str]) -> Generator[Due | OneOf, Taken, str]:
    """The steps along the hops, one for each fact, as far as the facts lead; returns where they lead."""
    placed = {(fact.relation, fact.a): fact for fact in facts}
    plain = {key: fact.b for key, fact in placed.items()}
    at = start
    for hop in hops:
        led = step(plain, at, hop)
        if not led:
            break
        at = led[0]
        for key in led[1]:
            yield SAYS(at=placed[key].at, relation=key[0], a=key[1], b=placed[key].b)
        if hop.endswith("<<"):
            early, late = sorted((plain["birthyear", thing] for _, thing in led[1][2:]), key=int)
            yield OLDER(a=at, early=early, late=late)
    return at


def end_with_article(hop: str, thing: str) -> str:
    """The name to which a hop leads, with an article where it takes one."""
    return f"the {thing}" if hop == "river" else name_with_article(thing)


def name_with_article(thing: str) -> str:
    """A name as it stands in a sentence, with an article where it takes one."""
    return f"the {thing}" if thing.endswith(("-guild", "-wind")) or thing in _SHIPS else thing
