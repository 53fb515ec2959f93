"""Find truth values that satisfy every constraint.

Any satisfying assignment is accepted. Constraints are drawn so that counting how often a variable occurs negated tells nothing
about the planted assignment, which only serves to know that one exists: the oracle searches.
From the middle levels on, a search with unit propagation runs into dead ends, whichever value it tries first.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.draws import draw_against
from rlgym.generators.text.english import join_words
from rlgym.solutions import Checks, Derivation, Solution, Step

Pairs = tuple[tuple[str, str], ...]
FORCED = Step("Constraint {number:int} can now hold only with x{variable:int} = {value}")
CHOSEN = Step("Nothing more is forced: try x{variable:int} = {value}, which works out")
TRUE, FALSE = ("true", "t", "1"), ("false", "f", "0")


class Knobs(Config):
    variables: int = knob(12, easy=6, hard=36, doc="how many variables there are")
    ratio: int = knob(34, easy=30, hard=44, doc="ten times the number of constraints per variable")
    mixed: int = knob(10, easy=0, hard=20, doc="percent of constraints that ask for exactly one, or an odd number, of their parts")
    dead_ends: int = knob(
        1, easy=0, hard=3, doc="guesses that fail in a search with unit propagation, at least, if some of 60 draws has as many"
    )


class Constraint(TaskData):
    kind: str  # "or": at least one literal is true; "one": exactly one; "odd": an odd number
    literals: tuple[int, ...]  # i or -i, from 1


class Data(TaskData):
    variables: int
    constraints: tuple[Constraint, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return draw_against(lambda: _sample_task(rng, knobs, reach=0), lambda task: _dead_ends(task.data) < knobs.dead_ends)


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
    listing = "\n".join(f"{i}. {_render_constraint(constraint)}" for i, constraint in enumerate(drawn, 1))
    prompt = (
        f"The variables x1 to x{count} are each either true or false. Find an assignment that satisfies all of these constraints:\n"
        f"{listing}\n\nIf several assignments do, give any one of them."
    )
    return Task(prompt, Data(variables=count, constraints=drawn))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Variables along a ring, each constraint on three that lie near each other."""
    return draw_against(lambda: _sample_task(rng, knobs, reach=6), lambda task: _dead_ends(task.data) < knobs.dead_ends)


def solve(task: Task[Data]) -> Pairs:
    return next(_models(task.data, True))


def verify(task: Task[Data], answer: Pairs) -> Score:
    data = task.data
    given = dict(answer)
    values = [given.get(f"x{i}", "") for i in range(1, data.variables + 1)]
    if len(given) != data.variables or not all(values):
        return Score.wrong(f"each of x1 to x{data.variables} needs a value, and nothing else")
    if any(value not in TRUE and value not in FALSE for value in values):
        return Score.wrong("every value must be true or false")
    true = [value in TRUE for value in values]
    for i, constraint in enumerate(data.constraints, 1):
        holding = sum(true[abs(literal) - 1] == (literal > 0) for literal in constraint.literals)
        if not (holding > 0 if constraint.kind == "or" else holding == 1 if constraint.kind == "one" else holding % 2 == 1):
            return Score.wrong(f"constraint {i} does not hold")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    # All alike, every value turned, the majority of signs, one variable left out.
    turned = {"true": "false", "false": "true"}
    signs = [
        sum((literal > 0) - (literal < 0) for constraint in task.data.constraints for literal in constraint.literals if abs(literal) == i)
        for i in range(1, task.data.variables + 1)
    ]
    majority = tuple(sorted((f"x{i}", "true" if sign > 0 else "false") for i, sign in enumerate(signs, 1)))
    return [
        tuple((name, "true") for name, _ in right),
        tuple((name, "false") for name, _ in right),
        tuple((name, turned[value]) for name, value in right),
        majority,
        right[1:],
        tuple((name, "true or false") for name, _ in right),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return (len(data.constraints) * data.variables / 4 + len(data.constraints)) * (1 + _dead_ends(data) / 2)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    right = {int(name[1:]): value for name, value in solve(task)}
    values = [0] * (data.variables + 1)
    while True:
        forced = [
            (i, literal) for i, constraint in enumerate(data.constraints, 1) for literal in _forced_literals(constraint, values) or ()
        ]
        variable = abs(forced[0][1] if forced else _next(data, values))
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
        if number < 1 or literal not in (_forced_literals(data.constraints[number - 1], values) or ()):
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
    return f"{'exactly one' if constraint.kind == 'one' else 'exactly one or all three'} of {join_words(literals)}"


def _dead_ends(data: Data) -> int:
    """How many guesses fail before the first model, with the better of the two first values."""
    return min(next(_search(data, first))[1] for first in (True, False))


def _models(data: Data, first: bool) -> Iterator[Pairs]:
    return (model for model, _ in _search(data, first))


def _search(data: Data, first: bool) -> Iterator[tuple[Pairs, int]]:
    """Every model, with the number of guesses that failed before it.

    Forced values come first, then a guess on the variable in most short constraints (Davis, Putnam, Logemann, Loveland).
    """
    within: list[list[Constraint]] = [[] for _ in range(data.variables + 1)]
    for constraint in data.constraints:
        for literal in constraint.literals:
            within[abs(literal)].append(constraint)
    names = [f"x{i}" for i in range(1, data.variables + 1)]
    stack: list[tuple[list[int], int, bool]] = [([0] * (data.variables + 1), 0, True)]
    dead_ends = 0
    while stack:
        values, variable, value = stack.pop()
        queue = [(variable, value)] if variable else []
        broken = False
        while queue and not broken:
            variable, value = queue.pop()
            sign = 1 if value else -1
            if values[variable]:
                broken = values[variable] != sign
                continue
            values[variable] = sign
            for constraint in within[variable]:
                forced = _forced_literals(constraint, values)
                if forced is None:
                    broken = True
                    break
                queue += [(abs(literal), literal > 0) for literal in forced]
        if broken:
            dead_ends += 1
            continue
        chosen = _next(data, values)
        if not chosen:
            yield tuple(sorted((name, "true" if sign >= 0 else "false") for name, sign in zip(names, values[1:], strict=True))), dead_ends
            continue
        guess = chosen > 0 if first else chosen < 0
        stack.append((values.copy(), abs(chosen), not guess))
        stack.append((values, abs(chosen), guess))


def _forced_literals(constraint: Constraint, values: list[int]) -> list[int] | None:
    """Literals that must be true now; None when the constraint cannot hold any more."""
    free, holding = [], 0
    for literal in constraint.literals:
        value = values[abs(literal)]
        if not value:
            free.append(literal)
        elif (value > 0) == (literal > 0):
            holding += 1
    if constraint.kind == "or":
        return [] if holding or len(free) > 1 else free or None
    if constraint.kind == "one":
        if holding > 1 or not (holding or free):
            return None
        return [-literal for literal in free] if holding else free if len(free) == 1 else []
    if free:
        return [] if len(free) > 1 else [free[0] if holding % 2 == 0 else -free[0]]
    return [] if holding % 2 else None


def _next(data: Data, values: list[int]) -> int:
    """The open literal that occurs most in constraints with few open places; 0 when every variable in them is settled."""
    weights: dict[int, int] = {}
    for constraint in data.constraints:
        free = [literal for literal in constraint.literals if not values[abs(literal)]]
        if not free or (
            constraint.kind == "or" and any(values[abs(literal)] == (1 if literal > 0 else -1) for literal in constraint.literals)
        ):
            continue
        for literal in free:
            weights[literal] = weights.get(literal, 0) + (5 if len(free) == 2 else 1)
    return (
        max(weights, key=lambda literal: (weights[literal] + weights.get(-literal, 0), weights[literal], -abs(literal))) if weights else 0
    )


def _solutions(task: Task[Data]) -> Iterator[Pairs]:
    return _models(task.data, False)


environment = Environment(
    Knobs, Mapping("one line for each variable, such as x1: true or x2: false", max_items=200),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "Every constraint holds with {answer}", checks=checks), shift=shift,
    answers="many", solutions=_solutions,
    concept="A constraint with one open place left forces a value; follow what is forced, guess only when nothing is, and take a failed guess back.",
    version=4,
)  # fmt: skip
