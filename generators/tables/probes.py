"""Small databases that decide what random rows seldom do: groups of only NULLs, sizes at every threshold, values equal to an aggregate, ties."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rlgym.core.rng import Rng
from rlgym.generators.databases.parent_child import NAMES, Cell, Database, Record, Setting

COMPARED = re.compile(r"(\w+) (>=|<=|>|<|BETWEEN) ([0-9]+)(?: AND ([0-9]+))?")
EQUALS = re.compile(r"(\w+) (=|<>) '(\w+)'")


@dataclass(frozen=True)
class Conditions:
    """What rows must be like to meet all conditions of a query on single columns."""

    amounts: tuple[int, int]
    times: tuple[int, int]
    size: int
    kinds: tuple[str, ...]
    groups: tuple[str, ...]

    @classmethod
    def of(cls, setting: Setting, sql: str) -> Conditions:
        """Read from a query's comparisons with constants."""
        low, high = {setting.amount: 10, setting.when: 1, setting.size: 5}, {setting.amount: 200, setting.when: 12, setting.size: 45}
        for column, sign, bound, other in COMPARED.findall(sql):
            if column in low and sign in (">", ">=", "BETWEEN"):
                low[column] = int(bound) + (sign == ">")
            if column in high and sign in ("<", "<=", "BETWEEN"):
                high[column] = int(other or bound) - (sign == "<")
        words = {(column, word): sign for column, sign, word in EQUALS.findall(sql)}

        def fitting(column: str, known: Sequence[str]) -> tuple[str, ...]:
            refused = {word for (name, word), sign in words.items() if name == column and sign == "<>"}
            allowed = tuple(dict.fromkeys(word for (name, word), sign in words.items() if name == column and sign == "="))
            return allowed or tuple(word for word in known if word not in refused)

        return cls(
            (low[setting.amount], max(low[setting.amount], high[setting.amount])),
            (low[setting.when], max(low[setting.when], high[setting.when])),
            low[setting.size],
            fitting(setting.kind, setting.kinds[:5]),
            fitting(setting.group, setting.groups[:4]),
        )


def probes(rng: Rng, setting: Setting, sql: str) -> list[Database]:
    """Databases in which every row meets the query's conditions and the aggregates lie at its bounds; also empty ones."""
    maker = _ProbeBuilder(rng, Conditions.of(setting, sql))
    alone = [maker.alone(values) for values in maker.at_bounds(sql, setting)] if "DISTINCT" in sql else []
    return [
        *alone,
        maker.each_bound(maker.at_bounds(sql, setting), low=0),
        maker.each_bound(maker.at_bounds(sql, setting), low=30),
        maker.children_per_parent(),
        maker.children_per_kind(),
        maker.only_unknown(),
        maker.equal_amounts(),
        maker.means(),
        maker.duplicates(),
        maker.equal_totals(),
        Database(parents=maker.parents(3), children=()),
        Database(parents=(), children=()),
    ]


class _ProbeBuilder:
    def __init__(self, rng: Rng, meets: Conditions) -> None:
        self._rng, self._meets = rng, meets

    def parents(self, count: int, *, unknown: bool = False) -> tuple[Record, ...]:
        names = self._rng.sample(NAMES, count)
        groups = self._meets.groups[:2]
        rows: list[Record] = []
        for i, name in enumerate(names):
            group = None if unknown and i % 3 == 0 else groups[i % len(groups)]
            rows.append((i + 1, name, group, self._meets.size + 5 * self._rng.integer(0, 1)))
        return tuple(self._rng.shuffled(rows))

    def at_bounds(self, sql: str, setting: Setting) -> list[tuple[int, int]]:
        """(amount, time) of children that meet all conditions but perhaps one, with the amount or the time at its bound or next to it."""
        values: list[tuple[int, int]] = []
        for column, _, bound, other in COMPARED.findall(sql):
            for number in (int(bound), *([int(other)] if other else [])):
                for value in (number - 1, number, number + 1):
                    if column == setting.amount:
                        values.append((value, self._time()))
                    elif column == setting.when:
                        values.append((self._amount(), value))
        return list(dict.fromkeys(values))[:18]

    def alone(self, values: tuple[int, int]) -> Database:
        """A single child."""
        return self._database(2, [(1, self._kind(0), *values)])

    def each_bound(self, values: Sequence[tuple[int, int]], low: int) -> Database:
        """One group of parents with one child each, of one kind: one for each bound, and a first and a last one by name that meet all conditions.

        Another parent has `low` children with the least amount, which pull means down.
        """
        names = sorted(self._rng.sample(NAMES, len(values) + 3))
        inner = self._rng.shuffled(range(1, len(names) - 1))
        group = self._meets.groups[0]
        people: list[Record] = [(i + 1, name, group, self._meets.size) for i, name in enumerate(names)]
        rows: list[tuple[int, str, Cell, int]] = [(1 + place, self._kind(0), *pair) for place, pair in zip(inner, values, strict=False)]
        rows += [(owner, self._kind(0), self._meets.amounts[1], self._time()) for owner in (1, len(names))]
        rows += [(1 + inner[-1], self._kind(0), 0, self._time())] * low
        return self._database(people, rows)

    def children_per_parent(self) -> Database:
        """Parents with 0, 1, 2, 3, 4 and 5 children that count, of different kinds where possible."""
        owners = [owner for owner in range(1, 7) for _ in range(owner - 1)]
        return self._database(6, [(owner, self._kind(i), self._amount(), self._time()) for i, owner in enumerate(owners)])

    def children_per_kind(self) -> Database:
        """Kinds that occur 1, 2, 3, 4 times."""
        kinds = self._rng.shuffled(self._meets.kinds)[:4]
        which = [kind for count, kind in enumerate(kinds, 1) for _ in range(count)]
        return self._database(3, [(1 + i % 3, kind, self._amount(), self._time()) for i, kind in enumerate(which)])

    def only_unknown(self) -> Database:
        """A parent and a kind with unknown amounts only, and parents whose group is unknown."""
        kinds = self._meets.kinds
        rows: list[tuple[int, str, Cell, int]] = [(1, self._kind(i), None, self._time()) for i in range(3)]
        rows += [(2, kinds[0], None, self._time()), (3, kinds[0], None, self._time()), (2, kinds[-1], self._amount(), self._time())]
        rows += [(4, kinds[-1], self._amount(), self._time()), (4, kinds[-1], None, self._time())]
        return self._database(5, rows, unknown=True)

    def equal_amounts(self) -> Database:
        """All amounts equal, so that each equals the least, the largest and the mean."""
        amount = self._amount()
        return self._database(4, [(1 + i % 2, self._kind(i // 2), amount, self._time()) for i in range(12)])

    def means(self) -> Database:
        """In each kind one amount equals the mean of the others."""
        low, high = self._meets.amounts
        step = max(1, min(10, (high - low) // 2))
        middle = self._rng.integer(low + step, max(low + step, high - step))
        rows = [(1 + (i + j) % 3, self._kind(i), middle + j * step, self._time()) for i in range(2) for j in (-1, 0, 1)]
        return self._database(4, rows)

    def duplicates(self) -> Database:
        """Children that differ in nothing but the id, and parents that differ in nothing but id and name."""
        rows = [(1 + i % 2, self._kind(i % 3), self._amount(), self._time()) for i in range(4)]
        return self._database(4, [*rows, *rows, *rows[:2]])

    def equal_totals(self) -> Database:
        """Five parents with equal totals, which some reach with one child and some with two, and two with less."""
        low, high = self._meets.amounts
        half = self._rng.integer(low, max(low, high // 2))
        rows: list[tuple[int, str, Cell, int]] = []
        for owner in range(1, 8):
            is_single = owner % 3 == 0 and 2 * half <= high
            amounts = [half] if owner > 5 else [2 * half] if is_single else [half, half]
            rows += [(owner, self._kind(owner), amount, self._time()) for amount in amounts]
        return self._database(7, rows)

    def _database(self, parents: int | Sequence[Record], rows: Sequence[tuple[int, str, Cell, int]], *, unknown: bool = False) -> Database:
        keys = self._rng.sample(range(1, 100), len(rows))
        children = [(key, *row) for key, row in zip(keys, self._rng.shuffled(rows), strict=True)]
        people = self.parents(parents, unknown=unknown) if isinstance(parents, int) else tuple(parents)
        return Database(parents=people, children=tuple(children))

    def _kind(self, number: int) -> str:
        return self._meets.kinds[number % len(self._meets.kinds)]

    def _amount(self) -> int:
        return self._rng.integer(*self._meets.amounts)

    def _time(self) -> int:
        return self._rng.integer(*self._meets.times)
