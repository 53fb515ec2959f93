"""Find truth values that satisfy every constraint.

Any satisfying assignment is accepted. Constraints are drawn so that counting how often a variable occurs negated tells nothing
about the planted assignment, which only serves to know that one exists: the oracle searches.
From the middle levels on, a search with unit propagation runs into dead ends, whichever value it tries first. On the upper levels each constraint counts:
it asks for exactly three of six parts, so that little is forced before much is guessed.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.draws import draw_against, sample_hard
from rlgym.generators.logic import dpll
from rlgym.generators.logic.assignments import Pairs, read_values, wrong_assignments
from rlgym.generators.logic.dpll import SIX, Constraint
from rlgym.generators.text.english import join_words
from rlgym.solutions import Checks, Derivation, Solution, Step

FORCED = Step("Constraint {number:int} can now hold only with x{variable:int} = {value}")
CHOSEN = Step("Nothing more is forced: try x{variable:int} = {value}, which works out")


HOW_MANY = {"one": "exactly one", "odd": "exactly one or all three", "three": "exactly three"}
TRIES = 8


class Knobs(Config):
    variables: int = knob(
        12, easy=6, hard=36, beyond=50, doc="how many variables there are; two thirds as many where all constraints count"
    )
    ratio: int = knob(34, easy=30, hard=44, doc="ten times the number of constraints per variable")
    mixed: int = knob(10, easy=0, hard=20, doc="percent of constraints that ask for exactly one, or an odd number, of their parts")
    dead_ends: int = knob(
        1, easy=0, hard=3, doc="guesses that fail in a search with unit propagation, at least, if some of 60 draws has as many"
    )
    counting: str = knob(
        "some", easy="some", hard="all", order=("some", "all"), doc="constraints as `mixed` says, or all ask for exactly three of six parts"
    )
    nodes: int = knob(
        4,
        easy=1,
        hard=80,
        beyond=2000,
        scale="log",
        doc="guesses that fail, at least, if one of 8 draws has as many, where all constraints count",
    )


class Data(TaskData):
    variables: int
    constraints: tuple[Constraint, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_hard(rng, knobs, reach=0, reach_counting=knobs.variables)


def _sample_hard(rng: Rng, knobs: Knobs, reach: int, reach_counting: int) -> Task[Data]:
    if knobs.counting == "all":
        return sample_hard(lambda: _sample_counts(rng, knobs, reach_counting), lambda task: _dead_ends(task.data), knobs.nodes, TRIES)
    return draw_against(lambda: _sample_task(rng, knobs, reach), lambda task: _dead_ends(task.data) < knobs.dead_ends)


def _sample_counts(rng: Rng, knobs: Knobs, reach: int) -> Task[Data]:
    """Constraints that ask for exactly three of six parts, on variables at most `reach` apart on a ring that are in few constraints so far."""
    count = max(SIX, knobs.variables * 2 // 3)
    planted = [rng.chance(0.5) for _ in range(count)]
    used, drawn = [0] * count, list[Constraint]()
    for _ in range(max(2, count * 5 // 8)):
        first = rng.integer(0, count - 1)
        near = [i for i in range(count) if (i - first) % count < max(SIX, reach)]
        chosen = sorted(near, key=lambda i: (used[i], rng.integer(0, 1 << 20)))[:SIX]
        for i in chosen:
            used[i] += 1
        literals = [(i + 1) if planted[i] == (place < SIX // 2) else -(i + 1) for place, i in enumerate(rng.shuffled(chosen))]
        drawn.append(Constraint(kind="three", literals=tuple(sorted(literals, key=abs))))
    return _render_task(Data(variables=count, constraints=tuple(drawn)))


def _sample_task(rng: Rng, knobs: Knobs, reach: int) -> Task[Data]:
    """Constraints on any three variables, or with `reach` on three of so many that follow each other."""
    count = knobs.variables
    planted = [rng.chance(0.5) for _ in range(count)]
    # Mixed constraints are tighter than plain ones: fewer of them leave the task as hard.
    total = count * knobs.ratio * 100 // (1000 + 12 * knobs.mixed)
    constraints: dict[tuple[str, tuple[int, ...]], None] = {}
    tried = 0
    while len(constraints) < total and tried < 20 * total:
        tried += 1
        kind = rng.choice(("one", "odd")) if rng.integer(1, 100) <= knobs.mixed else "or"
        first = rng.integer(0, count - 1) if reach else 0
        chosen = [(first + place) % count for place in rng.sample(range(reach or count), 3)]
        # Weights 6, 3, 1 make every literal true as often as false.
        holding = 1 if kind == "one" else rng.weighted((1, 3), (3, 1)) if kind == "odd" else rng.weighted((1, 2, 3), (6, 3, 1))
        literals = [(i + 1) if planted[i] == (place < holding) else -(i + 1) for place, i in enumerate(chosen)]
        constraints[kind, tuple(sorted(literals, key=abs))] = None
    drawn = tuple(Constraint(kind=kind, literals=literals) for kind, literals in constraints)
    return _render_task(Data(variables=count, constraints=drawn))


def _render_task(data: Data) -> Task[Data]:
    listing = "\n".join(f"{i}. {_render_constraint(constraint)}" for i, constraint in enumerate(data.constraints, 1))
    prompt = (
        f"The variables x1 to x{data.variables} are each either true or false. Find an assignment that satisfies all of these constraints:\n"
        f"{listing}\n\nIf several assignments do, give any one of them."
    )
    return Task(prompt, data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Variables along a ring, each constraint on three that lie near each other."""
    return _sample_hard(rng, knobs, reach=6, reach_counting=10)


def solve(task: Task[Data]) -> Pairs:
    return next(_models(task.data, True))


def verify(task: Task[Data], answer: Pairs) -> Score:
    data = task.data
    true = read_values(answer, data.variables)
    if isinstance(true, str):
        return Score.wrong(true)
    for i, constraint in enumerate(data.constraints, 1):
        holding = sum(true[abs(literal) - 1] == (literal > 0) for literal in constraint.literals)
        holds = {"or": holding > 0, "one": holding == 1, "odd": holding % 2 == 1, "three": holding == SIX // 2}
        if not holds[constraint.kind]:
            return Score.wrong(f"constraint {i} does not hold")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    balance = dict.fromkeys(range(1, task.data.variables + 1), 0)
    for constraint in task.data.constraints:
        for literal in constraint.literals:
            balance[abs(literal)] += 1 if literal > 0 else -1
    return wrong_assignments(right, balance)


def cost(task: Task[Data]) -> float:
    data = task.data
    parts = sum(len(constraint.literals) for constraint in data.constraints)
    return (parts * data.variables / 12 + parts / 3) * (1 + 2 * _dead_ends(data))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    right = {int(name[1:]): value for name, value in solve(task)}
    values = [0] * (data.variables + 1)
    while True:
        forced = [
            (i, literal) for i, constraint in enumerate(data.constraints, 1) for literal in dpll.forced_literals(constraint, values) or ()
        ]
        variable = abs(forced[0][1] if forced else dpll.next_literal(data.constraints, values))
        if not variable:
            return
        values[variable] = 1 if right[variable] == "true" else -1
        step = {"variable": variable, "value": right[variable]}
        yield FORCED(**step, number=forced[0][0]) if forced else CHOSEN(**step)


def checks(task: Task[Data]) -> Checks:
    data = task.data
    values, chosen = [0] * (data.variables + 1), list[Constraint]()

    def assign(variable: int, value: str) -> int:
        """The literal that becomes true; an error where the variable has a value already."""
        if not 0 < variable <= data.variables or values[variable]:
            raise LookupError(variable)
        return {"true": variable, "false": -variable}[value]

    def is_forced(number: int, variable: int, value: str) -> bool:
        literal = assign(variable, value)
        if number < 1 or literal not in (dpll.forced_literals(data.constraints[number - 1], values) or ()):
            return False
        values[variable] = 1 if literal > 0 else -1
        return True

    def works_out(variable: int, value: str) -> bool:
        literal = assign(variable, value)
        guess = Constraint(kind="or", literals=(literal,))
        if next(_models(data.model_copy(update={"constraints": (guess, *chosen, *data.constraints)}), True), None) is None:
            return False
        chosen.append(guess)
        values[variable] = 1 if literal > 0 else -1
        return True

    return {FORCED: is_forced, CHOSEN: works_out}


def _render_constraint(constraint: Constraint) -> str:
    literals = [f"x{literal}" if literal > 0 else f"not x{-literal}" for literal in constraint.literals]
    if constraint.kind == "or":
        return " or ".join(literals)
    return f"{HOW_MANY[constraint.kind]} of {join_words(literals)}"


def _dead_ends(data: Data) -> int:
    """How many guesses fail before the first model, with the better of the two first values."""
    return min(next(dpll.search(data.constraints, data.variables, first))[1] for first in (True, False))


def _models(data: Data, first: bool) -> Iterator[Pairs]:
    for values, _ in dpll.search(data.constraints, data.variables, first):
        yield tuple(sorted((f"x{i}", "true" if value >= 0 else "false") for i, value in enumerate(values[1:], 1)))


def _solutions(task: Task[Data]) -> Iterator[Pairs]:
    return _models(task.data, False)


environment = Environment(
    Knobs, Mapping("one line for each variable, such as x1: true or x2: false", max_items=200),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "Every constraint holds with {answer}", checks=checks), shift=shift,
    answers="many", solutions=_solutions,
    concept="A constraint with one open place left forces a value; follow what is forced, guess only when nothing is, and take a failed guess back.",
    version=5,
)  # fmt: skip
