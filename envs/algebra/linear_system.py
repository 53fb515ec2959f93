"""Solve a system of linear equations exactly, or show that it contradicts itself.

A system without a solution is refuted by multipliers: the equations, each times its multiplier, add up to 0 = something else.
Any such multipliers are accepted.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import gcd, lcm

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Assignment
from rlgym.generators.algebra import linear_systems
from rlgym.generators.algebra.linear_systems import UNKNOWNS, Row
from rlgym.solutions import Derivation, Solution, Step

MULTIPLIERS = tuple(f"e{i + 1}" for i in range(len(UNKNOWNS)))
MOST_DIGITS = 400
Answer = tuple[tuple[str, Fraction], ...]
ANSWER = Assignment(UNKNOWNS + MULTIPLIERS, "name = value for each name, separated by commas, every value an integer or a fraction a/b")
CONCEPT = "Add a multiple of one equation to the others so that an unknown disappears; repeat until one equation has a single unknown."
TIDY = Step("With the unknowns on the left and the constants on the right, equation ({number:int}) is {equation}")
ELIMINATE = Step(
    "{scale:int} times ({target:int}) minus {other:int} times ({pivot:int}) has no {name}; call it ({target}) from now on: {equation}"
)
KNOWN = Step(
    "Equation ({number:int}), with the values found so far: {factor:int}*{name} = {value:fraction}, so {name} = {solution:fraction}"
)
CLASH = Step(
    "Equation ({number:int}) now says 0 = {constant:int}. It is a sum of the first equations, with the multipliers {multipliers:ints} in their order, "
    "so these multipliers prove the contradiction"
)
END = "Hence the answer, in lowest terms: {answer}"


class Knobs(Config):
    unknowns: int = knob(3, easy=2, hard=9, doc="unknowns, and as many equations")
    coefficient: int = knob(5, easy=2, hard=12, doc="largest coefficient drawn")
    solution: int = knob(9, easy=6, hard=60, doc="largest numerator in the solution")
    denominator: int = knob(1, easy=1, hard=7, doc="largest common denominator of the solution")
    contradictory: float = knob(0.1, easy=0.0, hard=0.2, doc="share of systems without a solution")
    layout: str = knob(
        "tidy", easy="tidy", hard="scattered", order=("tidy", "scattered"), doc="terms in order on one side, or on both sides"
    )


class Data(TaskData):
    rows: tuple[Row, ...]  # coefficients, then the right side
    solvable: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, band=knobs.unknowns)


def _sample_task(rng: Rng, knobs: Knobs, band: int) -> Task[Data]:
    solvable = not rng.chance(knobs.contradictory)
    rows = linear_systems.sample_system(rng, knobs.unknowns, knobs.coefficient, knobs.solution, knobs.denominator, solvable, band)
    lines = [linear_systems.format_tidy(row) if knobs.layout == "tidy" else linear_systems.format_scattered(rng, row) for row in rows]
    listing = _number(lines)
    names = ", ".join(UNKNOWNS[: knobs.unknowns])
    prompt = f"Solve this system of {len(rows)} equations in the unknowns {names}:\n{listing}\n\n"
    if knobs.contradictory:
        prompt += (
            "It has either exactly one solution or none. If it has one, give the exact value of every unknown, as in name = value. "
            f"If it has none, prove that by a multiplier for each equation, named e1 to e{len(rows)}: once every equation is written with its unknowns "
            "on the left and its constant on the right, the left sides, each times its multiplier, must add up to 0, and the right sides must not. "
            "Multipliers of 0 may be left out."
        )
    else:
        prompt += "It has exactly one solution. Give the exact value of every unknown, as in name = value."
    return Task(prompt, Data(rows=rows, solvable=solvable))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Systems in which each equation but one holds an unknown and its neighbours alone (banded systems)."""
    return _sample_task(rng, knobs, band=1)


def solve(task: Task[Data]) -> Answer:
    # Fraction-free elimination; the identity carried along keeps the multipliers that made each row.
    count = len(task.data.rows)
    rows = [[*row, *(int(i == j) for j in range(count))] for i, row in enumerate(linear_systems.read_system(task.prompt))]
    used: list[int] = []
    for column in range(count):
        pivot = next((i for i in range(count) if i not in used and rows[i][column]), None)
        if pivot is None:
            continue
        used.append(pivot)
        for i in range(count):
            if i != pivot and rows[i][column]:
                scale, other = rows[pivot][column], rows[i][column]
                mixed = [scale * a - other * b for a, b in zip(rows[i], rows[pivot])]
                common = gcd(*mixed) or 1
                rows[i] = [a // common for a in mixed]
    for row in rows:
        if not any(row[:count]):
            return tuple((name, Fraction(a)) for name, a in zip(MULTIPLIERS, row[count + 1 :]) if a)
    return tuple((UNKNOWNS[j], Fraction(rows[used[j]][count], rows[used[j]][j])) for j in range(count))


def verify(task: Task[Data], answer: Answer) -> Score:
    rows = task.data.rows
    if any(max(abs(value.numerator), value.denominator) >= 10**MOST_DIGITS for _, value in answer):
        return Score.wrong(f"no number of more than {MOST_DIGITS} digits is needed")
    scale = lcm(*(value.denominator for _, value in answer))
    given = {name: value.numerator * (scale // value.denominator) for name, value in answer}
    if all(name in MULTIPLIERS for name in given):
        if task.data.solvable:
            return Score.wrong("the multipliers do not prove a contradiction")
        if any(MULTIPLIERS.index(name) >= len(rows) for name in given):
            return Score.wrong("a multiplier belongs to no equation")
        sums = [sum(given.get(name, 0) * row[j] for name, row in zip(MULTIPLIERS, rows)) for j in range(len(rows) + 1)]
        if any(sums[:-1]):
            return Score.wrong("the left sides do not add up to 0")
        return Score.exact(sums[-1] != 0, "the right sides add up to 0 too")
    if set(given) != set(UNKNOWNS[: len(rows)]):
        return Score.wrong("give a value to every unknown, or multipliers only")
    values = [given[name] for name in UNKNOWNS[: len(rows)]]
    for i, row in enumerate(rows):
        if sum(a * value for a, value in zip(row, values)) != row[-1] * scale:
            return Score.wrong(f"equation ({i + 1}) does not hold")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Answer) -> list[Answer]:
    (first, value), *rest = right
    swapped = [((first, right[1][1]), (right[1][0], value), *right[2:])] if len(right) > 1 else []
    claims = tuple((name, Fraction(1)) for name in MULTIPLIERS[: len(task.data.rows)])
    zeros = tuple((name, Fraction(0)) for name in UNKNOWNS[: len(task.data.rows)])
    return [((first, value + 1), *rest), tuple((name, -value) for name, value in right), *swapped, claims, zeros]


def cost(task: Task[Data]) -> float:
    # Cubic elimination, on numbers as long as the coefficients.
    count = len(task.data.rows)
    return count**2 * sum(len(str(abs(a))) for row in task.data.rows for a in row)


def derive(task: Task[Data]) -> Derivation:
    """Gaussian elimination, then substitution from the last equation back; the identity next to each row records its combination of the given rows."""
    data, count = task.data, len(task.data.rows)
    for i, row in enumerate(data.rows):
        yield TIDY(number=i + 1, equation=linear_systems.format_tidy(row))
    rows: dict[int, Row] = {i: (*row, *(int(i == j) for j in range(count))) for i, row in enumerate(data.rows)}
    kept: list[tuple[int, int, Row]] = []
    for column in range(count):
        pivot = next((i for i in rows if rows[i][column]), None)
        if pivot is None:
            continue
        row, name = rows.pop(pivot), UNKNOWNS[column]
        kept.append((pivot, column, row))
        for i in rows:
            if rows[i][column]:
                common = gcd(row[column], rows[i][column])
                scale, other = row[column] // common, rows[i][column] // common
                rows[i] = tuple(scale * a - other * b for a, b in zip(rows[i], row))
                tidy = linear_systems.format_tidy(rows[i][: count + 1])
                yield ELIMINATE(scale=scale, target=i + 1, other=other, pivot=pivot + 1, name=name, equation=tidy)
    if not data.solvable:
        number, row = next((i, row) for i, row in rows.items() if not any(row[:count]))
        yield CLASH(number=number + 1, constant=row[count], multipliers=row[count + 1 :])
        return
    values: dict[int, Fraction] = {}
    for number, column, row in reversed(kept):
        value = row[count] - sum((row[j] * known for j, known in values.items()), Fraction(0))
        values[column] = value / row[column]
        yield KNOWN(number=number + 1, factor=row[column], name=UNKNOWNS[column], value=value, solution=values[column])


def solutions(task: Task[Data]) -> Iterator[Answer]:
    """Cramer's rule over sympy's matrices, or multiples of a vector of the left null space."""
    from sympy import QQ
    from sympy.polys.matrices import DomainMatrix

    rows = task.data.rows
    count = len(rows)
    if task.data.solvable:
        determinant = DomainMatrix([[QQ(a) for a in row[:-1]] for row in rows], (count, count), QQ).det()
        for_each = []
        for j in range(count):
            replaced = [[QQ(row[-1]) if i == j else QQ(row[i]) for i in range(count)] for row in rows]
            value = DomainMatrix(replaced, (count, count), QQ).det() / determinant
            for_each.append((UNKNOWNS[j], Fraction(int(value.numerator), int(value.denominator))))
        yield tuple(for_each)
        return
    null = DomainMatrix([[QQ(row[i]) for row in rows] for i in range(count)], (count, count), QQ).nullspace().to_list()[0]
    vector = [Fraction(int(value.numerator), int(value.denominator)) for value in null]
    for scale in (Fraction(1), Fraction(-3), Fraction(5, 7)):
        yield tuple((name, scale * value) for name, value in zip(MULTIPLIERS, vector))


def _number(lines: Iterable[str]) -> str:
    return "\n".join(f"({i + 1}) {line}" for i, line in enumerate(lines))


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, END),
    shift=shift,
    answers="many",
    solutions=solutions,
    concept=CONCEPT,
)
