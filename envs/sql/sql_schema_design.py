"""Write the CREATE statements for two tables so that exactly the rows allowed by the rules can be stored.

Hidden lists of inserts and deletions are tried: those that break a rule must fail, all others must go through, and the rows left at the end
are compared.
"""

from rlgym import Audit, Config, Environment, Outcome, Rng, Score, Task, knob
from rlgym.answers import Lines
from rlgym.generators.databases.parent_child import SETTINGS, article
from rlgym.generators.databases.schema_mutants import audit_schema, replay_script
from rlgym.generators.databases.schema_rules import RULES, Requirements, Try, simulate, statements
from rlgym.generators.databases.schema_tries import directed_tries, random_tries
from rlgym.sandbox.sqlite import QueryFailed, Why
from rlgym.solutions import Derivation, Solution, Step

RULE = Step("For rule {count:int}: {reason}")
STATEMENTS = "With all of this the statements are:\n{answer}"


class Knobs(Config):
    rules: int = knob(5, easy=3, hard=9, doc="rules besides the keys")
    hard: int = knob(2, easy=0, hard=4, doc="of these, rules about several columns or rows")
    inserts: int = knob(30, easy=16, hard=48, doc="inserts and deletions in a hidden list")


class Data(Requirements):
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
    tries = [(*directed_tries(rng, data), *random_tries(rng, data, knobs.inserts)) for _ in range(2)]
    data = data.model_copy(update={"lists": (*tries, tuple(random_tries(rng, data, 2 * knobs.inserts)))})
    return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return statements(task.data, other=False)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data, s = task.data, SETTINGS[task.data.setting]
    shapes = {s.parents: ["id", "name", s.size], s.children: ["id", s.link, s.kind, s.amount, s.when]}
    for tries in data.lists:
        accepted, left = simulate(data, tries)
        try:
            got, stored = replay_script(s, answer, tries)
        except QueryFailed as failed:
            if failed.why is Why.FORBIDDEN:
                return Score.nothing(Outcome.REFUSED, str(failed))
            return Score.nothing(Outcome.TIMED_OUT, str(failed)) if failed.why is Why.WORK else Score.wrong(str(failed))
        if {name: columns for name, (columns, _) in stored.items()} != shapes:
            return Score.wrong("the tables or their columns are not those asked for")
        if got != accepted or any(sorted(stored[name][1], key=repr) != sorted(rows, key=repr) for name, rows in left.items()):
            fault = (
                "one that breaks a rule went through"
                if any(map(bool.__gt__, got, accepted))
                else "an allowed one failed, or left other rows"
            )
            right = sum(map(bool.__eq__, got, accepted)) / len(accepted)
            return Score.wrong(f"of the hidden inserts and deletions, {fault}", tries=right)
    return Score.exact(True)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    without = [
        statements(data.model_copy(update={"rules": tuple(kept for kept in data.rules if kept != rule)}), other=False)
        for rule in data.rules[:4]
    ]
    return [*without, right[:1], ("SELECT 1",)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return 10.0 * len(data.rules) + 15 * sum(rule in RULES[6:] for rule in data.rules) + len(data.lists[0]) / 4


def derive(task: Task[Data]) -> Derivation:
    for count, rule in enumerate(task.data.rules, 1):
        yield RULE(count=count, reason=_REASONS[rule])


_REASONS = {
    "name": "A known name is NOT NULL.", "unique": "Different names are UNIQUE.", "range": "A range is a CHECK with NOT NULL, as a CHECK lets NULL pass.",
    "parent": "Belonging to an existing row is a REFERENCES.", "kinds": "A list of words is a CHECK with IN, and NOT NULL.",
    "positive": "A CHECK lets NULL pass, as wanted here.", "once": "Once for a pair of values is a UNIQUE over both columns.",
    "cascade": "Going with the row that they belong to is ON DELETE CASCADE.", "needed": "A condition for some rows is a CHECK with OR.",
    "default": "A value that is put in where none is given is a DEFAULT.", "single": "Uniqueness among some rows only is a unique index with WHERE.",
}  # fmt: skip


def _be(column: str) -> str:
    """The verb for a column, as some are named in the plural: the points are, the price is."""
    return "are" if column.endswith("s") else "is"


def _render_prompt(data: Data) -> str:
    s = SETTINGS[data.setting]
    words = {
        "name": f"The name of {article(s.parent)} is always known.",
        "unique": f"No two {s.parents} have the same known name.",
        "range": f"The {s.size} of {article(s.parent)} {_be(s.size)} always known and {_be(s.size)} from {data.low} to {data.high}.",
        "parent": f"The {s.link} of {article(s.child)} is always known and is the id of {article(s.parent)} that is stored"
        + ("." if "cascade" in data.rules else f"; {article(s.parent)} that has {s.children} cannot be deleted."),
        "kinds": f"The {s.kind} of {article(s.child)} is always known and one of {', '.join(data.kinds)}.",
        "positive": f"The {s.amount} of {article(s.child)} may be unknown (NULL); if known, {'they are' if _be(s.amount) == 'are' else 'it is'} "
        f"more than {data.least}.",
        "once": f"{article(s.parent).capitalize()} has at most one {s.child} in the same {s.when}; unknown (NULL) values of {s.when} do not count as the same.",
        "cascade": f"When {article(s.parent)} is deleted, its {s.children} are deleted with it.",
        "needed": f"The {s.amount} of {article(s.child)} whose {s.kind} is {data.special} {_be(s.amount)} always known.",
        "default": f"If an insert into {s.children} does not name the column {s.when}, {s.when} becomes {data.first}; an explicit NULL stays NULL.",
        "single": f"{article(s.parent).capitalize()} has at most one {s.child} whose {s.kind} is {data.special}.",
    }
    rules_text = "\n".join(f"- {words[rule]}" for rule in data.rules)
    if "parent" not in data.rules and {"once", "single"} & {*data.rules}:
        rules_text += f"\n\n{article(s.child).capitalize()} belongs to the {s.parent} whose id is its {s.link}, stored or not, and to none if that is NULL."
    return (
        f"Write the statements that create two SQLite tables: {s.parents} with the columns id, name, {s.size}, and {s.children} with "
        f"the columns id, {s.link}, {s.kind}, {s.amount}, {s.when} (in this order; name and {s.kind} are texts, the others integers; id is the "
        f"primary key in both).\n\nThe database must refuse every insert or deletion that would break one of these rules, and allow all "
        f"others:\n{rules_text}\n\nUnless a rule says otherwise, a column other than id may hold NULL or any value, any number of times. "
        f"Values always have the column's type, and an id is always given. Foreign keys are switched on. "
        "CREATE TABLE and CREATE INDEX are all that is needed; triggers, views and PRAGMA are not allowed."
    )


def audit(task: Task[Data]) -> Audit:
    return audit_schema(Requirements(**{name: getattr(task.data, name) for name in Requirements.model_fields}))


environment = Environment(
    Knobs, Lines("the SQL statements, each ended by a semicolon", max_items=60), generate, solve, verify, mistakes, cost, solution=Solution(derive, STATEMENTS),
    answers="many", solutions=lambda task: [statements(task.data, other=False), statements(task.data, other=True)], planted=True, version=6, audit=audit,
    concept="Say for each rule whether it is about one value, several columns of a row, or several rows, and mind that NULL passes a CHECK.",
)  # fmt: skip
