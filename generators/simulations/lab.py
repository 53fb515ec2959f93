"""A laboratory of jars whose substances have hidden properties, and a requested mixture defined by them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.text.names import invent

LIQUIDS = ("oil", "water", "brine", "syrup")  # by density: what floats in one floats in all after it
Row = tuple[str, int, str, str]  # what was done, to which jar, with what, and what was seen


class Substance(NamedTuple):
    """`floats` is the first of LIQUIDS that it floats in (their number where it sinks in all); it melts at a degree and boils above it."""

    name: str
    melts: int
    boils: int
    floats: int
    reacts: tuple[int, ...]  # the substances that it foams with


class Wish(NamedTuple):
    """The substance that melts lowest or highest of those that sink in one liquid and float in the next, and its partner."""

    floats: int
    lowest: bool
    partner: bool  # a substance must be added that foams with it


def lab(rng: Rng, jars: int, span: int, wishes: str) -> tuple[tuple[Substance, ...], Wish]:
    """Substances of which at least two float alike, with different melting points, and each of which foams with just one other at most."""
    names = [name.removesuffix("s") for name in invent(rng, jars)]
    floats = [rng.integer(0, len(LIQUIDS)) for _ in names]
    wanted = rng.integer(1, len(LIQUIDS) - 1)
    floating = rng.sample(range(jars), max(2, jars // 2))
    floats = [wanted if k in floating else place if place != wanted else 0 for k, place in enumerate(floats)]
    melts = rng.sample(range(5, span - 5), jars)
    order = rng.shuffled(range(jars))
    pairs = dict(zip(order[::2], order[1::2]))
    pairs |= {b: a for a, b in pairs.items()}
    substances = tuple(
        Substance(name, melts[k], melts[k] + rng.integer(12, 40), floats[k], (pairs[k],) if k in pairs else ())
        for k, name in enumerate(names)
    )
    lowest = rng.chance(0.5)
    wish = Wish(wanted, lowest, wishes == "partner")
    if wish.partner and target(substances, wish) not in pairs:
        # One jar is left over where their number is odd; the one asked for has a partner then.
        return lab(rng, jars, span, wishes)
    return substances, wish


def target(substances: Sequence[Substance], wish: Wish) -> int:
    floating = [k for k, substance in enumerate(substances) if substance.floats == wish.floats]
    return (min if wish.lowest else max)(floating, key=lambda k: substances[k].melts)


def behaviour(substance: Substance, degrees: int) -> str:
    return "solid" if degrees < substance.melts else "liquid" if degrees < substance.boils else "gas"


def foreseen(substances: Sequence[Substance], wish: Wish, what: str) -> list[Row]:
    """The experiments of a kind ("float", "heat" or "mix") that settle what a wish is about, as they would turn out."""
    jars = list(enumerate(substances))
    if what == "float":
        places = (wish.floats - 1, wish.floats)
        return [("float", k, LIQUIDS[place], "floats" if place >= jar.floats else "sinks") for k, jar in jars for place in places]
    if what == "heat":
        return [("heat", k, str(degree), behaviour(jar, degree)) for k, jar in jars for degree in (jar.melts - 1, jar.melts)]
    first = target(substances, wish)
    return [("mix", first, substances[k].name, "foams") for k in substances[first].reacts]


def describe_tests(substances: Sequence[Substance], log: Sequence[Row]) -> str:
    """A line for each test of how a sample floats or melts."""
    lines = []
    for what, jar, given, seen in log:
        name = substances[jar].name
        lines.append(f"- {name} {seen} in {given}" if what == "float" else f"- {name} at {given} degrees: {seen}")
    return "\n".join(lines)


def halve(tests: Sequence[tuple[int, str]], span: int) -> tuple[int, int]:
    """Between which degrees the melting point lies, both included, by what samples were at some degrees."""
    low = max((degrees + 1 for degrees, seen in tests if seen == "solid"), default=5)
    high = min((degrees for degrees, seen in tests if seen != "solid"), default=span)
    return low, high
