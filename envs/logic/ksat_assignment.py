"""Find truth values that satisfy every clause of a formula whose size is set by one number, the difficulty D(n, k, l).

From "SATURN: SAT-based Reinforcement Learning to Unleash Language Model Reasoning": a formula of l clauses with n literals each over k variables has the
difficulty log2 k + 2 log2 l - n + k / n. Clauses have three or four literals, and k and l are drawn from all sizes of nearly that difficulty with three to
four and a half clauses for each variable. A planted assignment makes every formula satisfiable; any satisfying assignment is accepted, and literals are
drawn so that counting how often a variable occurs negated tells nothing about the planted one.
"""

from collections.abc import Iterator
from math import log2

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.logic import dpll
from rlgym.generators.logic.assignments import Pairs, read_values, wrong_assignments
from rlgym.generators.logic.dpll import Constraint
from rlgym.solutions import Derivation, Solution, Step

FORCED = Step("Clause {number:int} can now hold only with x{variable:int} = {value}")
CHOSEN = Step("Nothing more is forced: try x{variable:int} = {value}, which works out")
HOLDING = {3: ((1, 2, 3), (6, 3, 1)), 4: ((1, 2, 3, 4), (4, 4, 2, 1))}
"""How many literals of a clause the planted assignment makes true, and how often: on average half of them."""
RATIOS = (3.0, 4.5)
NEAR = 0.15
FEWEST_VARIABLES, MOST_VARIABLES = 8, 60


class Knobs(Config):
    difficulty: int = knob(160, easy=125, hard=270, doc="ten times the difficulty D(n, k, l) of the formula")
    literals: int = knob(3, easy=3, hard=4, doc="most literals of a clause")


class Data(TaskData):
    variables: int
    clauses: tuple[tuple[int, ...], ...]


def difficulty(literals: int, variables: int, clauses: int) -> float:
    """D(n, k, l) of a formula of l clauses with n literals each over k variables."""
    return log2(variables) + 2 * log2(clauses) - literals + variables / literals


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample(rng, knobs, reach=0)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Variables along a ring, each clause on some that lie near each other."""
    return _sample(rng, knobs, reach=7)


def _sample(rng: Rng, knobs: Knobs, reach: int) -> Task[Data]:
    """A formula on any variables, or with `reach` on so many that follow each other."""
    literals = rng.integer(3, max(3, knobs.literals))
    count, clauses = rng.choice(_sizes(literals, knobs.difficulty / 10))
    planted = [rng.chance(0.5) for _ in range(count)]
    drawn: dict[tuple[int, ...], None] = {}
    tried = 0
    while len(drawn) < clauses and tried < 50 * clauses:
        tried += 1
        first = rng.integer(0, count - 1) if reach else 0
        chosen = [(first + place) % count for place in rng.sample(range(min(reach or count, count)), literals)]
        holding = rng.weighted(*HOLDING[literals])
        drawn[tuple(sorted(((i + 1) if planted[i] == (place < holding) else -(i + 1) for place, i in enumerate(chosen)), key=abs))] = None
    data = Data(variables=count, clauses=tuple(drawn))
    listing = "\n".join(f"{i}. {_render_clause(clause)}" for i, clause in enumerate(data.clauses, 1))
    prompt = (
        f"The variables x1 to x{count} are each either true or false. Find an assignment that satisfies all of these clauses:\n"
        f"{listing}\n\nIf several assignments satisfy them all, give any one of them."
    )
    return Task(prompt, data)


def _sizes(literals: int, wanted: float) -> list[tuple[int, int]]:
    """The numbers of variables and clauses of nearly the wanted difficulty, or the nearest ones."""
    found = []
    for variables in range(FEWEST_VARIABLES, MOST_VARIABLES + 1):
        clauses = round(2 ** ((wanted + literals - variables / literals - log2(variables)) / 2))
        low, high = (ratio * variables for ratio in RATIOS)
        clauses = round(min(max(clauses, low), high))
        found.append((abs(difficulty(literals, variables, clauses) - wanted), variables, clauses))
    near = [(variables, clauses) for distance, variables, clauses in found if distance <= NEAR]
    return near or [min(found)[1:]]


def solve(task: Task[Data]) -> Pairs:
    return next(_models(task.data, True))


def verify(task: Task[Data], answer: Pairs) -> Score:
    data = task.data
    true = read_values(answer, data.variables)
    if isinstance(true, str):
        return Score.wrong(true)
    for i, clause in enumerate(data.clauses, 1):
        if not any(true[abs(literal) - 1] == (literal > 0) for literal in clause):
            return Score.wrong(f"clause {i} does not hold")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    balance = dict.fromkeys(range(1, task.data.variables + 1), 0)
    for clause in task.data.clauses:
        for literal in clause:
            balance[abs(literal)] += 1 if literal > 0 else -1
    return wrong_assignments(right, balance)


def cost(task: Task[Data]) -> float:
    return 2 ** (difficulty(len(task.data.clauses[0]), task.data.variables, len(task.data.clauses)) / 3)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    constraints = _constraints(data)
    right = {int(name[1:]): value for name, value in solve(task)}
    values = [0] * (data.variables + 1)
    while True:
        forced = [(i, literal) for i, clause in enumerate(constraints, 1) for literal in dpll.forced_literals(clause, values) or ()]
        variable = abs(forced[0][1] if forced else dpll.next_literal(constraints, values))
        if not variable:
            return
        values[variable] = 1 if right[variable] == "true" else -1
        step = {"variable": variable, "value": right[variable]}
        yield FORCED(**step, number=forced[0][0]) if forced else CHOSEN(**step)


def _constraints(data: Data) -> list[Constraint]:
    return [Constraint(kind="or", literals=clause) for clause in data.clauses]


def _render_clause(clause: tuple[int, ...]) -> str:
    return " or ".join(f"x{literal}" if literal > 0 else f"not x{-literal}" for literal in clause)


def _models(data: Data, first: bool) -> Iterator[Pairs]:
    for values, _ in dpll.search(_constraints(data), data.variables, first):
        yield tuple(sorted((f"x{i}", "true" if value >= 0 else "false") for i, value in enumerate(values[1:], 1)))


def _solutions(task: Task[Data]) -> Iterator[Pairs]:
    return _models(task.data, False)


environment = Environment(
    Knobs, Mapping("one line for each variable, such as x1: true or x2: false", max_items=200),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "Every clause holds with {answer}"), shift=shift,
    answers="many", solutions=_solutions,
    concept="A clause of which all literals but one are false forces the last; follow what is forced, and guess only when nothing is.",
    version=2,
)  # fmt: skip
