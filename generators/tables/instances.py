"""Databases on which queries that are nearly right show: values stand at the bounds of the query, one below and one above."""

from __future__ import annotations

import re

from rlgym.core.rng import Rng
from rlgym.generators.databases.parent_child import NAMES, Database, Record, Setting, database
from rlgym.generators.tables.probes import COMPARED, EQUALS

_NUMBER = re.compile(r"(?<![\w.'])[0-9]{1,4}(?![\w.'])")
SMALL = 14  # constants up to this are about times and counts, larger ones about amounts and sizes


def constants(sql: str) -> tuple[int, ...]:
    """The integers that a query compares with, in order, once each."""
    return tuple(dict.fromkeys(map(int, _NUMBER.findall(sql))))


def sharpen(rng: Rng, database: Database, bounds: tuple[int, ...]) -> Database:
    """The same database with part of its numbers moved to a bound or next to it."""
    times = [bound for bound in bounds if 0 < bound <= SMALL]
    amounts = [bound for bound in bounds if bound >= 5]

    def moved(value: object, near: list[int], share: float) -> int | None:
        if value is None or not near or not rng.chance(share):
            return value if isinstance(value, int) else None
        return max(0, rng.choice(near) + rng.integer(-1, 1))

    parents: list[Record] = [(*row[:3], moved(row[3], amounts, 0.5)) for row in database.parents]
    children: list[Record] = [(*row[:3], moved(row[3], amounts, 0.3), moved(row[4], times, 0.3)) for row in database.children]
    return Database(parents=tuple(parents), children=tuple(children))


def instance(rng: Rng, setting: Setting, parents: int, children: int, unknown: int, bounds: tuple[int, ...]) -> Database:
    """A random database with values at the bounds; ids are out of order, and the order of the rows says nothing."""
    drawn = sharpen(rng, database(rng, setting, parents, children, unknown), bounds)
    ids = rng.sample(range(1, 4 * children + 10), len(drawn.children))
    rows = [(key, *row[1:]) for key, row in zip(ids, drawn.children, strict=True)]
    return Database(parents=tuple(rng.shuffled(drawn.parents)), children=tuple(rows))


def edges(rng: Rng, setting: Setting, sql: str, parents: int, most: int) -> Database:
    """A database where nearly every row meets all conditions of a query, or fails one of them just so; up to `most` children a parent."""
    low = {setting.amount: 10, setting.when: 1, setting.size: 5}
    high = {setting.amount: 200, setting.when: 12, setting.size: 45}
    for column, sign, first, second in COMPARED.findall(sql):
        if column in low and sign in (">", ">=", "BETWEEN"):
            low[column] = int(first) + (sign == ">")
        if column in high and sign in ("<", "<=", "BETWEEN"):
            high[column] = int(second or first) - (sign == "<")
    narrow = rng.chance(0.5)
    conditions = {column: (sign, word) for column, sign, word in EQUALS.findall(sql)}

    def word(column: str, words: tuple[str, ...]) -> str:
        sign, named = conditions.get(column, ("<>", ""))
        rest = [word for word in words if word != named]
        return named if named and (sign == "=") == rng.chance(0.8) else rng.choice(rest)

    def number(column: str, odd: bool) -> int:
        least, most = low[column], high[column]
        if odd:
            return max(0, rng.choice((least - 1, least, most, most + 1)))
        inside = rng.integer(least, max(least, most))
        return rng.choice((least + 1, most - 1)) if narrow and column == setting.amount and most > least else max(0, inside)

    people: list[Record] = [
        (i, name, word(setting.group, setting.groups[:2]), number(setting.size, rng.chance(0.3)))
        for i, name in enumerate(rng.sample(NAMES, parents), 1)
    ]
    rows: list[Record] = []
    keys = iter(rng.sample(range(1, 500), parents * most))
    for owner in range(1, parents + 1):
        for _ in range(rng.integer(0 if most > 1 else 1, most)):
            odd = rng.choice((setting.amount, setting.when, ""))
            cells = (
                word(setting.kind, setting.kinds[:5]),
                number(setting.amount, odd == setting.amount),
                number(setting.when, odd == setting.when),
            )
            rows.append((next(keys), owner, *cells))
    return Database(parents=tuple(people), children=tuple(rows))


def sample_database_with_ties(rng: Rng, setting: Setting, parents: int, bounds: tuple[int, ...]) -> Database:
    """A database full of ties: two groups, a few different amounts and times, one or two children for nearly every parent."""
    drawn = instance(rng, setting, parents, 2 * parents, 5, bounds)
    near = rng.choice([bound for bound in bounds if bound >= 20] or [50])
    palette = rng.choice(((near, near + 1), (near - 1, near + 40), (near + 1, near + 40), (near - 10, near - 20)))
    kinds, groups = rng.sample(setting.kinds[:5], 2), rng.sample(setting.groups[:4], 2)
    times = rng.sample(range(1, 13), 3)
    people: list[Record] = [(*row[:2], row[2] and rng.choice(groups), row[3]) for row in drawn.parents]
    owners = [key for i, (key, *_) in enumerate(rng.shuffled(drawn.parents)[1:]) for _ in range(1 + i % 2)]
    rows: list[Record] = [
        (row[0], owner, rng.choice(kinds), row[3] and rng.choice(palette), rng.choice(times))
        for row, owner in zip(drawn.children, owners, strict=False)
    ]
    return Database(parents=tuple(people), children=tuple(rows))
