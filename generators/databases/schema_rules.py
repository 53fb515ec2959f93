"""Rules for two tables: as constraints of SQLite in two ways, and played in Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rlgym.core.task import TaskData
from rlgym.generators.databases.parent_child import SETTINGS, Record

RULES = ("name", "unique", "range", "parent", "kinds", "positive", "once", "cascade", "needed", "default", "single")
Try = tuple[str, Record]  # "parent", "child", "short" (a child without its time) or "delete", and the values


class Requirements(TaskData):
    """Which rules hold, and the numbers and words in them."""

    setting: int
    rules: tuple[str, ...]
    low: int
    high: int
    least: int
    first: int
    special: str
    kinds: tuple[str, ...]


def statements(data: Requirements, *, other: bool) -> tuple[str, ...]:
    """The statements, constraints of one column with the column or, the other way, all at the end of the table."""
    s, rules = SETTINGS[data.setting], data.rules
    parents = {"id": "INTEGER PRIMARY KEY", "name": "TEXT", s.size: "INTEGER"}
    children = {"id": "INTEGER PRIMARY KEY", s.link: "INTEGER", s.kind: "TEXT", s.amount: "INTEGER", s.when: "INTEGER"}
    parts: list[tuple[dict[str, str], str, str, str]] = []
    cascade = " ON DELETE CASCADE" if "cascade" in rules else ""
    bounds = (
        f"CHECK ({s.size} BETWEEN {data.low} AND {data.high})",
        f"CHECK (coalesce({s.size} >= {data.low} AND {s.size} <= {data.high}, 0))",
    )
    target = f"REFERENCES {s.parents}(id){cascade}"
    needed = (
        f"{s.kind} IS NULL OR {s.kind} <> '{data.special}' OR {s.amount} IS NOT NULL",
        f"NOT ({s.kind} IS '{data.special}' AND {s.amount} IS NULL)",
    )
    listed = ", ".join(f"'{kind}'" for kind in data.kinds)
    for rule, line in {
        "name": (parents, "name", "NOT NULL", "CHECK (name IS NOT NULL)"),
        "unique": (parents, "name", "UNIQUE", "UNIQUE (name)"),
        "range": (parents, s.size, f"NOT NULL {bounds[0]}", bounds[1]),
        "parent": (children, s.link, f"NOT NULL {target}", f"CHECK ({s.link} IS NOT NULL), FOREIGN KEY ({s.link}) {target}"),
        "kinds": (children, s.kind, f"NOT NULL CHECK ({s.kind} IN ({listed}))", f"CHECK (coalesce({s.kind} IN ({listed}), 0))"),
        "positive": (children, s.amount, f"CHECK ({s.amount} > {data.least})", f"CHECK ({s.amount} IS NULL OR {s.amount} >= {data.least + 1})"),
        "once": (children, "", f"UNIQUE ({s.link}, {s.when})", f"UNIQUE ({s.when}, {s.link})"),
        "needed": (children, "", f"CHECK ({needed[0]})", f"CHECK ({needed[1]})"),
        "default": (children, s.when, f"DEFAULT {data.first}", ""),
    }.items():  # fmt: skip
        if rule in rules:
            parts.append(line)
    ends: dict[int, list[str]] = {id(parents): [], id(children): []}
    for table, column, first, last in parts:
        if column and (not other or not last):
            table[column] += f" {first}"
        else:
            ends[id(table)].append(last if other else first)
    created = [
        f"CREATE TABLE {name} ({', '.join([*(f'{column} {kind}' for column, kind in table.items()), *ends[id(table)]])});"
        for name, table in ((s.parents, parents), (s.children, children))
    ]
    index = f"CREATE UNIQUE INDEX only_one ON {s.children} ({s.link}) WHERE {s.kind} = '{data.special}';"
    return (*created, index) if "single" in rules else tuple(created)


def simulate(data: Requirements, tries: Sequence[Try]) -> tuple[tuple[bool, ...], dict[str, list[Record]]]:
    """Which inserts and deletions go through by the rules, and the rows left, computed without SQL."""
    s, rules = SETTINGS[data.setting], set(data.rules)
    parents: dict[object, Record] = {}
    children: dict[object, Record] = {}
    accepted: list[bool] = []
    for what, values in tries:
        if what == "delete":
            mine = [key for key, row in children.items() if row[1] == values[0]]
            ok = values[0] not in parents or not mine or "parent" not in rules or "cascade" in rules
            if ok and values[0] in parents:
                del parents[values[0]]
                for key in mine if "cascade" in rules and "parent" in rules else ():
                    del children[key]
        elif what == "parent":
            ok = not any(_against_parent(data, rules, parents, values))
            if ok:
                parents[values[0]] = values
        else:
            row = values if what == "child" else (*values, data.first if "default" in rules else None)
            ok = not any(_against_child(data, rules, parents, children, row))
            if ok:
                children[row[0]] = row
        accepted.append(ok)
    key = lambda row: row[0]  # noqa: E731
    return tuple(accepted), {s.parents: sorted(parents.values(), key=key), s.children: sorted(children.values(), key=key)}


def _against_parent(data: Requirements, rules: set[str], parents: dict[object, Record], row: Record) -> Iterator[bool]:
    key, name, size = row
    yield key in parents
    yield "name" in rules and name is None
    yield "unique" in rules and name is not None and any(other[1] == name for other in parents.values())
    yield "range" in rules and not (isinstance(size, int) and data.low <= size <= data.high)


def _against_child(
    data: Requirements, rules: set[str], parents: dict[object, Record], children: dict[object, Record], row: Record
) -> Iterator[bool]:
    key, link, kind, amount, when = row
    yield key in children
    yield "parent" in rules and link not in parents
    yield "kinds" in rules and kind not in data.kinds
    yield "positive" in rules and isinstance(amount, int) and amount <= data.least
    yield "needed" in rules and kind == data.special and amount is None
    others = [other for other in children.values() if link is not None and other[1] == link]
    yield "once" in rules and when is not None and any(other[4] == when for other in others)
    yield "single" in rules and kind == data.special and any(other[2] == kind for other in others)
