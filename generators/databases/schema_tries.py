"""Inserts and deletions that decide whether tables keep their rules: random ones, and some for each rule, at its bounds and next to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.databases.parent_child import NAMES, SETTINGS, Cell, Setting
from rlgym.generators.databases.schema_rules import Requirements, Try

USUAL: Any = object()
"""Stands for a value that breaks no rule."""
FIRST_PARENT, FIRST_CHILD = 100, 1000  # ids of the rows that are made for one rule each


def random_tries(rng: Rng, data: Requirements, count: int) -> Iterator[Try]:
    """Mostly allowed rows, with one value at a time that may break a rule."""
    setting: Setting = SETTINGS[data.setting]
    names = rng.sample(NAMES, 12)
    inside = (data.low, data.high, rng.integer(data.low, data.high))
    for i in range(count):
        odd, roll = rng.integer(0, 9), rng.integer(1, 100)
        if i < 4 or roll <= 22:
            name = None if odd == 0 else rng.choice(names) if odd < 3 else f"{names[i % 12]}{i}"
            size = rng.choice((None, data.low - 1, data.high + 1)) if odd in (3, 4) else rng.choice(inside)
            yield "parent", (rng.integer(1, 8) if i > 3 else i + 1, name, size)
        elif roll <= 30:
            yield "delete", (rng.integer(1, 8),)
        else:
            link = rng.choice((None, 9, rng.integer(5, 8))) if odd == 0 else rng.integer(1, 4)
            kind = rng.choice((None, setting.kinds[-1], data.kinds[-1])) if odd == 1 else rng.choice((data.special, *data.kinds))
            amount = rng.choice((None, None, data.least, data.least - 3)) if odd in (2, 3) else data.least + rng.integer(1, 40)
            if roll <= 45:
                yield "short", (100 + i, link, kind, amount)
            else:
                yield "child", (100 + (i if odd != 4 else rng.integer(0, i)), link, kind, amount, None if odd == 5 else rng.integer(1, 12))


def directed_tries(rng: Rng, data: Requirements) -> list[Try]:
    """For each rule, whether it holds or not, rows that break it and no other, and rows that keep it just so. Each block has parents of its own."""
    blocks = [tries for block in _Blocks(rng, data).all() if (tries := list(block))]
    return [each for block in rng.shuffled(blocks) for each in block]


class _Blocks:
    def __init__(self, rng: Rng, data: Requirements) -> None:
        self._rng, self._data, self._setting = rng, data, SETTINGS[data.setting]
        self._parents, self._children = FIRST_PARENT, FIRST_CHILD

    def all(self) -> Iterator[Iterator[Try]]:
        yield self._names()
        yield self._sizes()
        yield self._links()
        yield self._kinds()
        yield self._amounts()
        yield self._times()
        yield self._specials()
        yield self._deletions()
        yield self._keys()

    def _parent(self, name: Cell = USUAL, size: Cell = USUAL) -> Try:
        self._parents += 1
        name = f"{self._rng.choice(NAMES)} {self._parents}" if name is USUAL else name
        return "parent", (self._parents, name, self._rng.integer(self._data.low, self._data.high) if size is USUAL else size)

    def _child(self, link: Cell, *, kind: Cell = USUAL, amount: Cell = USUAL, when: Cell = USUAL) -> Try:
        self._children += 1
        kind = self._rng.choice([known for known in self._data.kinds if known != self._data.special]) if kind is USUAL else kind
        amount = self._data.least + self._rng.integer(1, 40) if amount is USUAL else amount
        return "child", (self._children, link, kind, amount, self._children if when is USUAL else when)

    def _short_row_try(self, link: Cell) -> Try:
        _, values = self._child(link)
        return "short", values[:4]

    def _names(self) -> Iterator[Try]:
        name = f"{self._rng.choice(NAMES)} twice"
        for each in (name, name, name.upper(), None, None):
            yield self._parent(each)

    def _sizes(self) -> Iterator[Try]:
        low, high = self._data.low, self._data.high
        for size in (low - 1, low, high, high + 1, None, low - 30, high + 200, low):
            yield self._parent(size=size)

    def _links(self) -> Iterator[Try]:
        yield self._child(None)
        yield self._child(None)
        yield self._child(FIRST_PARENT - 1)

    def _kinds(self) -> Iterator[Try]:
        data, setting = self._data, self._setting
        foreign = [kind for kind in setting.kinds if kind not in data.kinds]
        for kind in (*data.kinds, *foreign, data.kinds[1].upper(), data.special.upper(), data.kinds[-1] + "s", None, None):
            yield self._parent()
            yield self._child(self._parents, kind=kind)

    def _amounts(self) -> Iterator[Try]:
        least, special = self._data.least, self._data.special
        for kind in (USUAL, special):
            for amount in (least, least + 1, least - 1, None, -least - 5, least + 500):
                yield self._parent()
                yield self._child(self._parents, kind=kind, amount=amount)

    def _times(self) -> Iterator[Try]:
        yield self._parent()
        yield self._parent()
        first, second = self._parents - 1, self._parents
        for link, when in ((first, 5), (first, 5), (second, 5), (first, 6), (first, None), (first, None), (second, -4)):
            yield self._child(link, when=when)
        yield self._parent()
        yield self._short_row_try(self._parents)
        yield self._short_row_try(self._parents)
        yield self._child(self._parents, when=self._data.first)

    def _specials(self) -> Iterator[Try]:
        data = self._data
        yield self._parent()
        yield self._parent()
        first, second = self._parents - 1, self._parents
        for link, kind in (
            (first, data.special),
            (first, data.special),
            (second, data.special),
            (first, data.kinds[1]),
            (first, data.kinds[1]),
        ):
            yield self._child(link, kind=kind)
        yield self._child(None, kind=data.special)
        yield self._child(None, kind=data.special)

    def _deletions(self) -> Iterator[Try]:
        yield self._parent()
        yield self._parent()
        yield self._child(self._parents)
        yield self._child(self._parents)
        yield "delete", (self._parents,)
        yield "delete", (self._parents - 1,)
        yield "delete", (FIRST_PARENT - 1,)

    def _keys(self) -> Iterator[Try]:
        yield self._parent()
        yield "parent", (self._parents, f"{self._rng.choice(NAMES)} again", self._data.low)
        yield self._child(self._parents)
        key, link, kind, amount, _ = self._child(self._parents)[1]
        yield "child", (self._children - 1, link, kind, amount, key)
