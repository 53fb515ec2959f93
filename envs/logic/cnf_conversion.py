"""Write a formula as an equivalent conjunction of clauses, within a given number of clauses.

Every equivalent conjunction within the bound is accepted. The bound is the proved least number of clauses, plus some slack on easy
levels; formulas whose clauses can be read off by distributing alone are long before they are short.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.draws import draw_rare
from rlgym.generators.logic import formulas, truth_tables
from rlgym.generators.logic import normal_forms as normal
from rlgym.generators.numbers.bitsets import places
from rlgym.solutions import Checks, Derivation, Solution, Step

CONNECTIVES = {"basic": ("and", "or"), "implies": ("and", "or", "implies"), "all": ("and", "or", "implies", "iff", "xor")}
ROW = Step("Row {row:int} ({values}): the formula is {value}")
CLAUSE = Step("The clause {clause} is false in the rows {rows:ints} and no others, and there the formula is false too")


class Knobs(Config):
    variables: int = knob(4, easy=3, hard=5, doc="propositional variables")
    size: int = knob(6, easy=3, hard=13, doc="connectives of the formula")
    slack: int = knob(1, easy=3, hard=0, doc="how many clauses more than the least number are allowed")
    connectives: str = knob("implies", easy="basic", hard="all", order=tuple(CONNECTIVES), doc="which connectives occur")


class Data(TaskData):
    formula: str
    variables: int
    table: int
    most: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_rare(rng, knobs, "tree")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_rare(rng, knobs, "chain")


def _sample_rare(rng: Rng, knobs: Knobs, family: str) -> Task[Data]:
    """Of several tasks with short formulas one whose clauses are rare."""
    return draw_rare(lambda: _sample_task(rng, knobs, family), solve, 16 if knobs.size < 6 else 1)


def _sample_task(rng: Rng, knobs: Knobs, family: str) -> Task[Data]:
    least = knobs.variables - 1 + (knobs.size > 5)
    while True:
        joined = CONNECTIVES[knobs.connectives]
        draw = _sample_chain if family == "chain" else formulas.random
        formula = draw(rng, knobs.size, knobs.variables, joined)
        table = formulas.table(formula, knobs.variables)
        off = truth_tables.every(knobs.variables) ^ table
        text = formulas.write(formula)
        if not table or not off or (knobs.size > 5 and any(name not in text for name in formulas.NAMES[: knobs.variables])):
            continue
        try:
            cover = normal.least_cover(off, normal.primes(off, 0, knobs.variables), "terms")
        except normal.TooMuch:
            continue
        if least // 2 <= len(cover) and not (len(cover) == 1 and len(cover[0]) == knobs.size + 1):
            break
    most = len(cover) + knobs.slack
    names = ", ".join(formulas.NAMES[: knobs.variables])
    prompt = (
        f"Here is a formula over {names}:\n{text}\n\nWrite an equivalent formula in conjunctive normal form with at most {most} "
        f"{'clauses' if most > 1 else 'clause'}. A clause is one or more literals joined by or, a literal is a variable or not and a variable, and "
        "the clauses all have to hold. Equivalent means true under the same valuations. In the formula, not binds most tightly."
    )
    if knobs.connectives != "basic":
        prompt += ' "x -> y" is false only when x is true and y is false.'
    if knobs.connectives == "all":
        prompt += ' "x <-> y" is true when both have the same truth value, "x xor y" when they have different ones.'
    return Task(prompt, Data(formula=text, variables=knobs.variables, table=table, most=most))


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Reads the formula from the prompt and tries the valuations one by one; `generate` works with whole tables.
    formula, off = formulas.read(task.prompt.split("\n")[1]), 0
    for row, values in enumerate(product((False, True), repeat=task.data.variables)):
        if not formulas.value(formula, dict(zip(formulas.NAMES, values, strict=False))):
            off |= 1 << row
    cover = normal.least_cover(off, normal.primes(off, 0, task.data.variables), "terms")
    return tuple(normal.spell(normal.turn(term), "or") for term in cover)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if len(answer) > data.most:
        return Score.wrong(f"there may be at most {data.most} clauses")
    table = truth_tables.every(data.variables)
    for line in answer:
        clause = normal.parse(line, "or", data.variables)
        if clause is None:
            return Score.wrong("every line must be one clause: literals joined by or")
        table &= normal.any_of(clause, data.variables)
    if table & ~data.table:
        return Score.wrong("the clauses all hold under a valuation that makes the formula false")
    return Score.exact(table == data.table, "a clause is false under a valuation that makes the formula true")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    clauses = [normal.parse(line, "or", task.data.variables) or () for line in right]
    first = clauses[0]
    return [
        tuple(normal.spell(normal.turn(clause), "or") for clause in clauses),
        tuple(line.replace(" or ", " and ") for line in right),
        right[:-1] or ("p",),
        (normal.spell(((first[0][0], not first[0][1]), *first[1:]), "or"), *right[1:]),
        tuple(normal.spell(clause[:1], "or") for clause in clauses),
        (task.data.formula,),
    ]


def cost(task: Task[Data]) -> float:
    return 2.0**task.data.variables * len(task.data.formula.replace("(", "").replace(")", "").split()) + 10.0 * len(solve(task))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    for row in range(2**data.variables):
        yield ROW(row=row, values=_values(row, data.variables), value=_word(data.table >> row & 1))
    for line in solve(task):
        rows = places(truth_tables.every(data.variables) ^ normal.any_of(normal.parse(line, "or", data.variables) or (), data.variables))
        yield CLAUSE(clause=line, rows=rows)


def checks(task: Task[Data]) -> Checks:
    data, formula = task.data, formulas.read(task.data.formula)

    def is_row(row: int, values: str, value: str) -> bool:
        true = dict(zip(formulas.NAMES, (row >> data.variables - 1 - i & 1 == 1 for i in range(data.variables)), strict=False))
        return 0 <= row < 2**data.variables and values == _values(row, data.variables) and value == _word(formulas.value(formula, true))

    def is_clause(clause: str, rows: tuple[int, ...]) -> bool:
        literals = normal.parse(clause, "or", data.variables)
        if literals is None:
            return False
        false = truth_tables.every(data.variables) ^ normal.any_of(literals, data.variables)
        return places(false) == list(rows) and not false & data.table

    return {ROW: is_row, CLAUSE: is_clause}


def _sample_chain(rng: Rng, size: int, variables: int, connectives: tuple[str, ...]) -> formulas.Formula:
    """A formula as deep as it is long: each connective joins one literal with all the rest."""
    formula = formulas.random(rng, 0, variables, connectives)
    for _ in range(size):
        literal = formulas.random(rng, 0, variables, connectives)
        parts = (literal, formula) if rng.chance(0.5) else (formula, literal)
        formula = formulas.Formula(rng.choice(connectives), parts)
        if rng.chance(0.15):
            formula = formulas.Formula("not", (formula,))
    return formula


def _values(row: int, variables: int) -> str:
    return ", ".join(f"{name} {_word(row >> variables - 1 - i & 1)}" for i, name in enumerate(formulas.NAMES[:variables]))


def _word(value: bool | int) -> str:
    return "true" if value else "false"


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """The clauses the other way round, and with the literals of each turned round, as covers of the stored table."""
    off = truth_tables.every(task.data.variables) ^ task.data.table
    cover = normal.least_cover(off, normal.primes(off, 0, task.data.variables)[::-1], "terms")
    lines = [normal.spell(normal.turn(term), "or") for term in cover]
    yield tuple(lines[::-1])
    yield tuple(normal.spell(normal.turn(term)[::-1], "or") for term in cover)
    yield tuple(f"({line})".upper() for line in lines)


environment = Environment(
    Knobs, Lines("the clauses, one per line, each written as `p or not q or r`", max_items=60),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Together they are false in every row in which the formula is false:\n{answer}", checks=checks),
    answers="many", solutions=_solutions,
    shared_helpers="The helper tabulates a formula, which is its definition.",
    concept="A clause rules out the valuations that make all its literals false; rule out exactly those that make the formula false, by short clauses.",
    version=5,
)  # fmt: skip
