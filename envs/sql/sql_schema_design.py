"""Write the CREATE statements for two tables so that exactly the rows allowed by the rules can be stored.

Hidden lists of inserts and deletions are tried: those that break a rule must fail, all others must go through, and the rows left at the end
are compared.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Outcome, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.databases import NAMES, SETTINGS, Record, Setting, article
from rlgym.generators.tables.scripts import Scratch
from rlgym.sandbox.sqlite import QueryFailed, Why

RULES = ("name", "unique", "range", "parent", "kinds", "positive", "once", "cascade", "needed", "default", "single")
Try = tuple[str, Record]  # "parent", "child", "short" (a child without its time) or "delete", and the values


class Knobs(Config):
    rules: int = knob(5, easy=3, hard=9, doc="rules beside the keys")
    hard: int = knob(2, easy=0, hard=4, doc="of these, rules about several columns or rows")
    inserts: int = knob(30, easy=16, hard=48, doc="inserts and deletions in a hidden list")


class Data(TaskData):
    setting: int
    rules: tuple[str, ...]
    low: int
    high: int
    least: int
    first: int
    special: str
    kinds: tuple[str, ...]
    lists: tuple[tuple[Try, ...], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    number = rng.integer(0, len(SETTINGS) - 1)
    hard = min(knobs.hard, knobs.rules)
    plain = min(6, knobs.rules - hard)
    chosen = [*rng.sample(RULES[:6], plain), *rng.sample(RULES[6:], knobs.rules - plain)]
    if "cascade" in chosen and "parent" not in chosen:
        chosen[0] = "parent"
    low = rng.integer(1, 60)
    kinds = tuple(rng.sample(SETTINGS[number].kinds, 4))
    rules = tuple(rule for rule in RULES if rule in chosen)
    data = Data(
        setting=number,
        rules=rules,
        low=low,
        high=low + rng.integer(5, 90),
        least=rng.integer(0, 30),
        first=rng.integer(1, 12),
        special=kinds[0],
        kinds=kinds,
        lists=(),
    )
    lists: list[tuple[Try, ...]] = []
    told: set[str] = set()
    for _ in range(9):
        made = tuple(_tries(rng, data, knobs.inserts))
        went = _played(data, made)
        told |= {rule for rule in rules if rule not in told and _played(data, made, rule) != went}
        lists.append(made)
        if len(told) == len(rules) and len(lists) > 1:
            break
    data = data.model_copy(update={"lists": tuple(lists)})
    return Task(_prompt(data), data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return _statements(task.data, other=False)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data, s = task.data, SETTINGS[task.data.setting]
    statements = {
        "parent": f"INSERT INTO {s.parents} (id, name, {s.size}) VALUES (?, ?, ?)",
        "child": f"INSERT INTO {s.children} (id, {s.link}, {s.kind}, {s.amount}, {s.when}) VALUES (?, ?, ?, ?, ?)",
        "short": f"INSERT INTO {s.children} (id, {s.link}, {s.kind}, {s.amount}) VALUES (?, ?, ?, ?)",
        "delete": f"DELETE FROM {s.parents} WHERE id = ?",
    }
    right = total = 0
    for tries in data.lists:
        went, left = _played(data, tries)
        try:
            with Scratch() as scratch:
                scratch.guarded("\n".join(answer))
                got = tuple(scratch.accepts(statements[what], values) for what, values in tries)
                stored = scratch.tables()
        except QueryFailed as failed:
            if failed.why is Why.FORBIDDEN:
                return Score.nothing(Outcome.REFUSED, str(failed))
            return Score.nothing(Outcome.TIMED_OUT, str(failed)) if failed.why is Why.WORK else Score.wrong(str(failed))
        right, total = right + sum(map(bool.__eq__, got, went)), total + len(went)
        shapes = {s.parents: ["id", "name", s.size], s.children: ["id", s.link, s.kind, s.amount, s.when]}
        if {name: columns for name, (columns, _) in stored.items()} != shapes:
            return Score.wrong("the tables or their columns are not those asked for")
        if got != went or any(sorted(stored[name][1]) != rows for name, rows in left.items()):
            said = (
                "one that breaks a rule went through" if any(map(bool.__gt__, got, went)) else "an allowed one failed, or left other rows"
            )
            return Score.wrong(f"of the hidden inserts and deletions, {said}", tries=right / total)
    return Score.exact(True)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    without = [
        _statements(data.model_copy(update={"rules": tuple(one for one in data.rules if one != rule)}), other=False)
        for rule in data.rules[:4]
    ]
    return [*without, right[:1], ("SELECT 1",)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return 10.0 * len(data.rules) + 15 * sum(rule in RULES[6:] for rule in data.rules) + len(data.lists[0]) / 4


def explain(task: Task[Data]) -> list[str]:
    reasons = {
        "name": "A known name is NOT NULL.", "unique": "Different names are UNIQUE.", "range": "A range is a CHECK with NOT NULL, as a CHECK lets NULL pass.",
        "parent": "Belonging to an existing row is a REFERENCES.", "kinds": "A list of words is a CHECK with IN, and NOT NULL.",
        "positive": "A CHECK lets NULL pass, as wanted here.", "once": "Once for a pair of values is a UNIQUE over both columns.",
        "cascade": "Going with the row that they belong to is ON DELETE CASCADE.", "needed": "A condition for some rows is a CHECK with OR.",
        "default": "A value that is put in where none is given is a DEFAULT.", "single": "Uniqueness among some rows only is a unique index with WHERE.",
    }  # fmt: skip
    return [*(reasons[rule] for rule in task.data.rules), "\n".join(solve(task))]


def _prompt(data: Data) -> str:
    s = SETTINGS[data.setting]
    words = {
        "name": f"The name of {article(s.parent)} is always known.",
        "unique": f"No two {s.parents} have the same known name.",
        "range": f"The {s.size} of {article(s.parent)} is always known and is from {data.low} to {data.high}.",
        "parent": f"The {s.link} of {article(s.child)} is always known and is the id of {article(s.parent)} that is stored"
        + ("." if "cascade" in data.rules else f"; {article(s.parent)} that has {s.children} cannot be deleted."),
        "kinds": f"The {s.kind} of {article(s.child)} is always known and one of {', '.join(data.kinds)}.",
        "positive": f"The {s.amount} of {article(s.child)} may be unknown (NULL); where it is known, it is more than {data.least}.",
        "once": f"{article(s.parent).capitalize()} has at most one {s.child} in the same {s.when}.",
        "cascade": f"When {article(s.parent)} is deleted, its {s.children} are deleted with it.",
        "needed": f"A {s.child} of {s.kind} {data.special} has a known {s.amount}.",
        "default": f"Where an insert names no {s.when} for {article(s.child)}, it is {data.first}.",
        "single": f"{article(s.parent).capitalize()} has at most one {s.child} of {s.kind} {data.special}.",
    }
    told = "\n".join(f"- {words[rule]}" for rule in data.rules)
    return (
        f"Write the statements that create two SQLite tables: {s.parents} with the columns id, name, {s.size}, and {s.children} with "
        f"the columns id, {s.link}, "
        f"{s.kind}, {s.amount}, {s.when} (in this order; name and {s.kind} are texts, the others integers; id is the primary key in "
        f"both).\n\nThe "
        f"database must refuse every insert or deletion that would break one of these rules, and allow all others:\n{told}\n\nWhere no "
        f"rule speaks about a column "
        "but id, it may hold NULL and any value, as often as one likes. Values always have the column's type, an id is always given. "
        "Foreign keys are switched on. "
        "CREATE TABLE and CREATE INDEX are all that is needed; triggers, views and PRAGMA are not allowed."
    )


def _statements(data: Data, *, other: bool) -> tuple[str, ...]:
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
    made = [
        f"CREATE TABLE {name} ({', '.join([*(f'{column} {kind}' for column, kind in table.items()), *ends[id(table)]])});"
        for name, table in ((s.parents, parents), (s.children, children))
    ]
    index = f"CREATE UNIQUE INDEX only_one ON {s.children} ({s.link}) WHERE {s.kind} = '{data.special}';"
    return (*made, index) if "single" in rules else tuple(made)


def _played(data: Data, tries: tuple[Try, ...], without: str = "") -> tuple[tuple[bool, ...], dict[str, list[Record]]]:
    """Which inserts and deletions go through by the rules, and the rows left, worked out without SQL."""
    s, rules = SETTINGS[data.setting], {rule for rule in data.rules if rule != without}
    parents: dict[object, Record] = {}
    children: dict[object, Record] = {}
    went: list[bool] = []
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
        went.append(ok)
    key = lambda row: row[0]  # noqa: E731
    return tuple(went), {s.parents: sorted(parents.values(), key=key), s.children: sorted(children.values(), key=key)}


def _against_parent(data: Data, rules: set[str], parents: dict[object, Record], row: Record) -> Iterator[bool]:
    key, name, size = row
    yield key in parents
    yield "name" in rules and name is None
    yield "unique" in rules and name is not None and any(other[1] == name for other in parents.values())
    yield "range" in rules and not (isinstance(size, int) and data.low <= size <= data.high)


def _against_child(
    data: Data, rules: set[str], parents: dict[object, Record], children: dict[object, Record], row: Record
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


def _tries(rng: Rng, data: Data, count: int) -> Iterator[Try]:
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


environment = Environment(
    Knobs,
    Lines("the SQL statements, each ended by a semicolon", most=60),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    answers="many",
    solutions=lambda task: [_statements(task.data, other=False), _statements(task.data, other=True)],
    planted=True,
    concept="Say for each rule whether it is about one value, several columns of a row, or several rows, and mind that NULL passes a CHECK.",
)
