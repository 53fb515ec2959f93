"""Write the SQL statements that turn an old database into a new one; tables, columns and rows are compared on hidden databases."""

from collections.abc import Callable, Sequence

from rlgym import Config, Environment, Outcome, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.databases.parent_child import SETTINGS, Database, Record, Setting, database, render_rows, render_schema, schema
from rlgym.generators.tables.scripts import Scratch
from rlgym.sandbox.sqlite import QueryFailed, Why
from rlgym.solutions import Derivation, Solution, Step

Tables = dict[str, tuple[list[str], list[Record]]]
STEPS = ("cents", "fill", "rename", "drop", "twice", "totals", "groups", "pairs", "archive", "latest")
CHANGE = Step("Change {count:int}: {reason} Statements: {statements}")
SCRIPT = "All statements in this order:\n{answer}"


class Knobs(Config):
    steps: int = knob(2, easy=1, hard=4, doc="things that are changed")
    kinds: int = knob(6, easy=4, hard=10, doc="kinds of changes, from values in place to new tables")
    rows: int = knob(12, easy=8, hard=24, doc="rows of the second table in the hidden databases")


class Data(TaskData):
    setting: int
    steps: tuple[str, ...]
    bound: int
    databases: tuple[Database, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    number = rng.integer(0, len(SETTINGS) - 1)
    # The harder kinds are always among those of a task that may have them.
    late = STEPS[: knobs.kinds][-4:]
    chosen = {rng.choice(late), *rng.sample(STEPS[: knobs.kinds], knobs.steps)}
    while len(chosen) > knobs.steps:
        chosen.discard(next(step for step in STEPS if step in chosen))
    steps = tuple(step for step in _ORDER if step in chosen)
    databases = tuple(_database(rng, SETTINGS[number], knobs.rows) for _ in range(4))
    data = Data(setting=number, steps=steps, bound=rng.integer(4, 9), databases=databases[1:])
    return Task(_render_prompt(data, databases[0]), data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # The new tables are computed in Python; the statements are an independent route to them.
    return _script(task.data, 0)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data, setting = task.data, SETTINGS[task.data.setting]
    for number, source in enumerate(data.databases, 1):
        try:
            with Scratch(f"CREATE TABLE {name} ({', '.join(columns)})" for name, columns in _old(setting)) as scratch:
                scratch.fill(setting.parents, source.parents)
                scratch.fill(setting.children, source.children)
                scratch.guarded("\n".join(answer))
                got = scratch.tables()
        except QueryFailed as failed:
            if failed.why is Why.FORBIDDEN:
                return Score.nothing(Outcome.REFUSED, str(failed))
            return Score.nothing(Outcome.TIMED_OUT, str(failed)) if failed.why is Why.WORK else Score.wrong(str(failed))
        expected = _new(data, source)
        if got.keys() != expected.keys():
            return Score.wrong(f"there are {len(got)} tables, not those asked for")
        for name, (columns, rows) in expected.items():
            if got[name][0] != columns:
                return Score.wrong(f"the columns of {name} are {', '.join(got[name][0])[:80]}")
            if sorted(map(_key, got[name][1])) != sorted(map(_key, rows)):
                return Score.wrong(f"on hidden database {number} the table {name} holds other rows")
    return Score.exact(True)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    s = SETTINGS[task.data.setting]
    return [
        right[:-1] or ("SELECT 1;",),
        right[1:] or ("SELECT 1;",),
        (f"DROP TABLE {s.children};",),
        (*right, f"DELETE FROM {s.parents};"),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return sum(20.0 + 6 * STEPS.index(step) for step in data.steps) + len(data.databases[0].children) / 2


def derive(task: Task[Data]) -> Derivation:
    for count, step in enumerate(task.data.steps, 1):
        statements = " ".join(_script(task.data.model_copy(update={"steps": (step,)}), 0))
        yield CHANGE(count=count, reason=_REASONS[step], statements=statements)


_REASONS = {
    "cents": "A unit changes in place by one UPDATE; unknown values stay unknown.",
    "fill": "Unknown values are filled where they are NULL.",
    "rename": "A column gets its new name by ALTER TABLE.",
    "drop": "A column goes by ALTER TABLE, after all that reads it.",
    "twice": "Of equal rows all but the smallest id go, found by a grouped subquery.",
    "totals": "A new column is added and filled by a subquery for each row.",
    "groups": "The new table is made from the different values, numbered in their order; then the column is replaced by the numbers.",
    "pairs": "The table of pairs is a grouped SELECT, made into a table.", "archive": "Rows are first copied to the new table and then deleted.",
    "latest": "The latest row for each is found by a correlated subquery.",
}  # fmt: skip


def _old(s: Setting) -> list[tuple[str, list[str]]]:
    """The old tables without constraints but the key, so that every order of changes works."""
    return [
        (name, [" ".join(column.split()[:2]) + " PRIMARY KEY" * (i == 0) for i, column in enumerate(columns)])
        for name, columns in schema(s)
    ]


def _database(rng: Rng, s: Setting, rows: int) -> Database:
    """A random database in which some children stand twice with other ids."""
    drawn = database(rng, s, 5 + rows // 8, rows, 20)
    duplicates = [(rows + 1 + i, *rng.choice(drawn.children)[1:]) for i in range(3)]
    keys = rng.sample(range(1, 3 * rows + 20), rows + 3)
    return Database(
        parents=drawn.parents, children=tuple((key, *row[1:]) for key, row in zip(keys, [*drawn.children, *duplicates], strict=True))
    )


def _key(row: Sequence[object]) -> tuple[tuple[int, str], ...]:
    return tuple((1 if isinstance(cell, int) else 2 if isinstance(cell, str) else 0, str(cell)) for cell in row)


def _render_prompt(data: Data, example: Database) -> str:
    s = SETTINGS[data.setting]
    words = {
        "twice": f"Of {s.children} that are equal in every column but the id, only the one with the smallest id stays; two NULLs count as equal.",
        "archive": f"The {s.children} with {s.when} less than {data.bound} are moved to a new table old_{s.children} with the same columns in the same order.",
        "fill": f"In {s.children}, every NULL in the column {s.amount} becomes 0.",
        "cents": f"In {s.children}, every value of {s.amount} is multiplied by 100; NULL stays NULL.",
        "totals": f"The table {s.parents} gets a new last column total: for each {s.parent}, the sum of {s.amount} over its {s.children} as they are at this "
        "point. NULLs are left out of the sum; it is 0 if there is nothing to sum.",
        "latest": f"A new table last_{s.child} has the columns {s.link} and id: for each {s.link} that occurs in {s.children} at this point, the id of the "
        f"{s.child} with the largest {s.when}; if several share it, the largest of their ids.",
        "pairs": f"A new table counts has the columns {s.link}, {s.kind} and number: one row for each pair of {s.link} and {s.kind} that occurs in "
        f"{s.children}, with the number of rows there that have this pair.",
        "groups": f"A new table {s.group}_names with the columns id and name holds each {s.group} that occurs in {s.parents} once, without NULL, with the ids "
        f"1, 2, 3, ... in the alphabetical order of the names. In {s.parents}, the column {s.group} is dropped and a new last column {s.group}_id holds "
        f"the id of that {s.group} (NULL where the {s.group} was NULL).",
        "rename": f"In {s.parents}, the column {s.size} is renamed to {s.size}_now.",
        "drop": f"In {s.children}, the column {s.when} is dropped.",
    }
    changes_text = "\n".join(f"{i}. {words[step]}" for i, step in enumerate(data.steps, 1))
    request = f"Change it as follows, applying each change to the result of those before:\n{changes_text}"
    given = "that these changes give"
    if len(data.steps) == 1:
        request, given = f"Change it as follows:\n{words[data.steps[0]]}", "that this change gives"
    return (
        f"A SQLite database has these tables (there are no other constraints to respect):\n\n{render_schema(s)}\n\nFor example, it may hold these "
        f"rows:\n\n{render_rows(s, example)}\n\n{request}\n\nEverything else stays as it is. Write SQL statements that work for any such database, whatever "
        f"its rows; afterwards the database must hold exactly the tables, columns (in order) and rows {given}. Rows may be in any order; "
        "integers must be stored as integers. Column types and constraints are not compared, and foreign keys are not enforced. You may use CREATE TABLE "
        "(also AS SELECT), ALTER TABLE, DROP TABLE, INSERT, UPDATE, DELETE and indexes, but no triggers, views, transactions or PRAGMA."
    )


def _new(data: Data, source: Database) -> Tables:
    """The tables after the changes, computed without SQL."""
    s = SETTINGS[data.setting]
    parents, children = [list(row) for row in source.parents], [list(row) for row in source.children]
    parent_columns, there = ["id", "name", s.group, s.size], ["id", s.link, s.kind, s.amount, s.when]
    more: Tables = {}

    def number(cell: object) -> int:
        return cell if isinstance(cell, int) else 0

    for step in data.steps:
        match step:
            case "twice":
                children = [
                    row for row in children if not any(other[1:] == row[1:] and number(other[0]) < number(row[0]) for other in children)
                ]
            case "archive":
                more[f"old_{s.children}"] = list(there), [tuple(row) for row in children if number(row[4]) < data.bound]
                children = [row for row in children if number(row[4]) >= data.bound]
            case "fill":
                children = [[*row[:3], number(row[3]), *row[4:]] for row in children]
            case "cents":
                children = [[*row[:3], None if row[3] is None else number(row[3]) * 100, *row[4:]] for row in children]
            case "totals":
                parents = [[*row, sum(number(child[3]) for child in children if child[1] == row[0])] for row in parents]
                parent_columns = [*parent_columns, "total"]
            case "latest":
                best = {row[1]: row for row in sorted(children, key=lambda row: (number(row[4]), number(row[0])))}
                more[f"last_{s.child}"] = [s.link, "id"], [(link, row[0]) for link, row in best.items()]
            case "pairs":
                pairs = [(row[1], row[2]) for row in children]
                more["counts"] = [s.link, s.kind, "number"], [(*pair, pairs.count(pair)) for pair in dict.fromkeys(pairs)]
            case "groups":
                names = sorted({str(row[2]) for row in parents if row[2] is not None})
                more[f"{s.group}_names"] = ["id", "name"], [(i, name) for i, name in enumerate(names, 1)]
                parents = [[*row[:2], *row[3:], None if row[2] is None else names.index(str(row[2])) + 1] for row in parents]
                parent_columns = [*parent_columns[:2], *parent_columns[3:], f"{s.group}_id"]
            case "rename":
                parent_columns = [f"{s.size}_now" if column == s.size else column for column in parent_columns]
            case "drop":
                children, there = [row[:-1] for row in children], there[:-1]
    return {s.parents: (parent_columns, [tuple(row) for row in parents]), s.children: (there, [tuple(row) for row in children]), **more}


_ORDER = ("twice", "archive", "fill", "cents", "totals", "latest", "pairs", "groups", "rename", "drop")


def _script(data: Data, variant: int) -> tuple[str, ...]:
    s, bound = SETTINGS[data.setting], data.bound
    p, c, a, w = s.parents, s.children, s.amount, s.when
    ways: dict[str, Callable[[], tuple[tuple[str, ...], tuple[str, ...]]]] = {
        "twice": lambda: (
            (f"DELETE FROM {c} WHERE id NOT IN (SELECT MIN(id) FROM {c} GROUP BY {s.link}, {s.kind}, {a}, {w});",),
            (
                f"DELETE FROM {c} WHERE EXISTS (SELECT 1 FROM {c} o WHERE o.id < {c}.id AND o.{s.link} = {c}.{s.link} AND o.{s.kind} = {c}.{s.kind} "
                f"AND o.{a} IS {c}.{a} AND o.{w} = {c}.{w});",
            ),
        ),
        "archive": lambda: (
            (f"CREATE TABLE old_{c} AS SELECT * FROM {c} WHERE {w} < {bound};", f"DELETE FROM {c} WHERE {w} < {bound};"),
            (
                f"CREATE TABLE old_{c} AS SELECT * FROM {c};", f"DELETE FROM old_{c} WHERE {w} >= {bound};",
                f"DELETE FROM {c} WHERE id IN (SELECT id FROM old_{c});",
            ),
        ),
        "fill": lambda: ((f"UPDATE {c} SET {a} = 0 WHERE {a} IS NULL;",), (f"UPDATE {c} SET {a} = COALESCE({a}, 0);",)),
        "cents": lambda: ((f"UPDATE {c} SET {a} = {a} * 100;",), (f"UPDATE {c} SET {a} = 100 * {a} WHERE {a} IS NOT NULL;",)),
        "totals": lambda: (
            (
                f"ALTER TABLE {p} ADD COLUMN total INTEGER;",
                f"UPDATE {p} SET total = COALESCE((SELECT SUM({a}) FROM {c} WHERE {c}.{s.link} = {p}.id), 0);",
            ),
            (
                f"CREATE TABLE fresh AS SELECT p.*, COALESCE(SUM(x.{a}), 0) AS total FROM {p} p LEFT JOIN {c} x ON x.{s.link} = p.id GROUP BY p.id;",
                f"DROP TABLE {p};", f"ALTER TABLE fresh RENAME TO {p};",
            ),
        ),
        "latest": lambda: (
            (
                f"CREATE TABLE last_{s.child} AS SELECT {s.link}, id FROM {c} x WHERE NOT EXISTS (SELECT 1 FROM {c} y WHERE y.{s.link} = x.{s.link} "
                f"AND (y.{w} > x.{w} OR (y.{w} = x.{w} AND y.id > x.id)));",
            ),
            (
                f"CREATE TABLE last_{s.child} AS SELECT {s.link}, id FROM (SELECT {s.link}, id, ROW_NUMBER() OVER (PARTITION BY "
                f"{s.link} ORDER BY {w} DESC, id DESC) AS place FROM {c}) WHERE place = 1;",
            ),
        ),
        "pairs": lambda: (
            (f"CREATE TABLE counts AS SELECT {s.link}, {s.kind}, COUNT(*) AS number FROM {c} GROUP BY {s.link}, {s.kind};",),
            (
                f"CREATE TABLE counts ({s.link} INTEGER, {s.kind} TEXT, number INTEGER);",
                f"INSERT INTO counts SELECT {s.link}, {s.kind}, COUNT(id) FROM {c} GROUP BY 1, 2;",
            ),
        ),
        "groups": lambda: (
            (
                f"CREATE TABLE {s.group}_names (id INTEGER, name TEXT);",
                f"INSERT INTO {s.group}_names SELECT ROW_NUMBER() OVER (ORDER BY g), g FROM (SELECT DISTINCT {s.group} AS g FROM {p} "
                f"WHERE {s.group} IS NOT NULL);",
                f"ALTER TABLE {p} ADD COLUMN {s.group}_id INTEGER;",
                f"UPDATE {p} SET {s.group}_id = (SELECT n.id FROM {s.group}_names n WHERE n.name = {p}.{s.group});",
                f"ALTER TABLE {p} DROP COLUMN {s.group};",
            ),
            (
                f"CREATE TABLE {s.group}_names (id INTEGER PRIMARY KEY, name TEXT);",
                f"INSERT INTO {s.group}_names (name) SELECT DISTINCT {s.group} FROM {p} WHERE {s.group} IS NOT NULL ORDER BY {s.group};",
                f"ALTER TABLE {p} ADD COLUMN {s.group}_id INTEGER;",
                f"UPDATE {p} SET {s.group}_id = (SELECT n.id FROM {s.group}_names n WHERE n.name = {p}.{s.group});",
                f"ALTER TABLE {p} DROP COLUMN {s.group};",
            ),
        ),
        "rename": lambda: ((f"ALTER TABLE {p} RENAME COLUMN {s.size} TO {s.size}_now;",),) * 2,
        "drop": lambda: ((f"ALTER TABLE {c} DROP COLUMN {w};",),) * 2,
    }  # fmt: skip
    return tuple(statement for step in data.steps for statement in ways[step]()[variant])


environment = Environment(
    Knobs, Lines("the SQL statements in the order in which they run, each ended by a semicolon", max_items=80),
    generate, solve, verify, mistakes, cost, solution=Solution(derive, SCRIPT),
    answers="many", solutions=lambda task: [_script(task.data, 0), _script(task.data, 1)], planted=True,
    concept="Make and fill what is new before what it is made from goes away.",
    version=4,
)  # fmt: skip
