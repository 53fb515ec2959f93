"""Draws from the banks, and sentences in several phrasings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rlgym.core.rng import Rng
from rlgym.generators.stories.banks import GOODS, PEOPLE, PLACES


@dataclass(frozen=True)
class Goods:
    """A thing that is counted."""

    one: str
    many: str

    def count(self, number: int) -> str:
        """The number with the right form: 1 loaf, 3 loaves."""
        return f"{number} {self.one if number == 1 else self.many}"


def people(rng: Rng, count: int) -> list[str]:
    """Names of different people, no two of which begin alike where there are few."""
    drawn = rng.sample(PEOPLE, min(4 * count, len(PEOPLE)))
    first: dict[str, str] = {}
    for name in drawn:
        first.setdefault(name[0], name)
    distinct = list(first.values())
    return (distinct + [name for name in drawn if name not in distinct])[:count]


def places(rng: Rng, count: int) -> list[str]:
    """Names of different towns."""
    return rng.sample(PLACES, count)


def goods(rng: Rng, count: int) -> list[Goods]:
    """Different things that are counted."""
    return [Goods(goods, many) for goods, many in rng.sample(GOODS, count)]


def phrase(rng: Rng, phrasings: Sequence[str], **gaps: object) -> str:
    """One of several phrasings, with its gaps filled."""
    return rng.choice(phrasings).format(**gaps)


def money(cents: int | Fraction) -> str:
    """An amount of money: $3, $3.50."""
    cents = int(cents)
    return f"${cents // 100}" if cents % 100 == 0 else f"${cents // 100}.{cents % 100:02d}"
