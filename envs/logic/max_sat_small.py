"""Find truth values that earn as many points as possible, where not all constraints can hold at once.

The greatest total is known exactly, and in every task it is shown by groups of constraints that cannot all hold.
"""

from collections.abc import Callable, Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.logic import weighted_constraints
from rlgym.generators.logic.weighted_constraints import Constraint
from rlgym.solutions import Checks, Derivation, Solution, Step

Pairs = tuple[tuple[str, str], ...]
TRUE, FALSE = ("true", "t", "1", "yes"), ("false", "f", "0", "no")
CORE = Step(
    "Constraints {numbers} cannot all hold; the least that is left of their points is {least:int}, which is lost and taken off each: {left}"
)
BOUND = Step("So at least {lost:int} in all is lost, whatever the values are")
ENOUGH = Step("It is enough to lose the constraints {numbers}, which are worth {lost:int} together: all others can hold together")


class Knobs(Config):
    variables: int = knob(8, easy=5, hard=13, beyond=17, doc="how many variables there are")
    constraints: int = knob(24, easy=12, hard=60, beyond=75, doc="how many constraints there are")
    broken: int = knob(3, easy=1, hard=8, beyond=12, doc="constraints that do not hold in the values that the others are drawn for")
    points: int = knob(4, easy=1, hard=9, doc="most points that one constraint is worth; with 1 they are only counted")


class Data(TaskData):
    variables: int
    constraints: tuple[Constraint, ...]
    lost: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, lambda loose: ("or", rng.weighted((1, 2, 3), (4, 4, 1) if loose else (1, 6, 4))))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Constraints that count: exactly one, an odd number, all or none."""
    kinds = (("one", 2), ("one", 3), ("odd", 3), ("same", 2), ("same", 3), ("or", 1))
    return _sample_task(rng, knobs, lambda loose: rng.choice(kinds[:4] if loose else kinds))


def solve(task: Task[Data]) -> Pairs:
    # Variable by variable, giving up where too much is lost; `generate` sorts all rows of the truth table.
    return next(_best(task.data, (True, False)))


def verify(task: Task[Data], answer: Pairs) -> Score:
    data = task.data
    if {name for name, _ in answer} != {f"x{i}" for i in range(1, data.variables + 1)}:
        return Score.wrong(f"expected a value for each of x1 to x{data.variables} and nothing else")
    values = {int(name[1:]): value in TRUE for name, value in answer}
    if not all(value in TRUE + FALSE for _, value in answer):
        return Score.wrong("each value must be true or false")
    lost = sum(constraint.points for constraint in data.constraints if not weighted_constraints.holds(constraint, values))
    return Score.exact(lost == data.lost, "other values earn more points")


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    data = task.data
    turned = [
        tuple((name, "false" if (value == "true") == (i == k) else "true") for i, (name, value) in enumerate(right)) for k in (-1, 0, 1)
    ]
    signs = [
        sum(
            constraint.points if literal > 0 else -constraint.points
            for constraint in data.constraints
            for literal in constraint.literals
            if abs(literal) == i
        )
        for i in range(1, data.variables + 1)
    ]
    often = tuple(sorted((f"x{i}", "true" if sign > 0 else "false") for i, sign in enumerate(signs, 1)))
    return [*turned, often, tuple((name, "true") for name, _ in right), tuple((name, "false") for name, _ in right), right[:-1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(sum(len(constraint.literals) for constraint in data.constraints) * data.variables * (1 + data.lost))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    weights_left = [constraint.points for constraint in data.constraints]
    for core in weighted_constraints.cores(data.constraints, data.variables):
        least = min(weights_left[k] for k in core)
        for k in core:
            weights_left[k] -= least
        yield CORE(numbers=_render_numbers(core), least=least, left=" ".join(str(weights_left[k]) for k in core))
    values = {int(name[1:]): value == "true" for name, value in solve(task)}
    dropped = [k for k, constraint in enumerate(data.constraints) if not weighted_constraints.holds(constraint, values)]
    yield BOUND(lost=data.lost)
    yield ENOUGH(numbers=_render_numbers(dropped), lost=data.lost)


def checks(task: Task[Data]) -> Checks:
    data, tables = task.data, weighted_constraints.tables(task.data.constraints, task.data.variables)
    points, total = [constraint.points for constraint in data.constraints], 0

    def is_core(numbers: str, least: int, left: str) -> bool:
        nonlocal total
        core = _numbers(numbers)
        loss = min(points[k] for k in core)
        rest = {k: points[k] - loss for k in core}
        if (
            loss < 1
            or weighted_constraints.satisfied_assignments(tables, core, data.variables)
            or (least, left) != (loss, " ".join(map(str, rest.values())))
        ):
            return False
        total += loss
        for k in core:
            points[k] = rest[k]
        return True

    def is_enough(numbers: str, lost: int) -> bool:
        dropped = _numbers(numbers)
        kept = [k for k in range(len(tables)) if k not in dropped]
        worth = sum(data.constraints[k].points for k in dropped)
        return lost == total == worth and weighted_constraints.satisfied_assignments(tables, kept, data.variables) != 0

    return {CORE: is_core, BOUND: lambda lost: lost == total, ENOUGH: is_enough}


def _sample_task(rng: Rng, knobs: Knobs, drawn: Callable[[bool], tuple[str, int]]) -> Task[Data]:
    count, broken = min(knobs.variables, knobs.constraints // 2 + 1), max(1, min(knobs.broken, knobs.constraints // 5))
    size = min(knobs.constraints, 8 * count)  # a few variables have no more constraints of each kind
    loose = size < 2 * count + 1
    while True:
        planted = {i: rng.chance(0.5) for i in range(1, count + 1)}
        row: dict[tuple[str, tuple[int, ...]], int] = {}
        for _ in range(40 * size):
            if len(row) == size:
                break
            kind, parts = drawn(loose)
            literals = tuple(i if rng.chance(0.5) else -i for i in sorted(rng.sample(range(1, count + 1), parts)))
            one = Constraint(kind=kind, literals=literals, points=rng.integer(1, knobs.points))
            if weighted_constraints.holds(one, planted) != (len(row) < broken):
                row.setdefault((kind, literals), one.points)
        made = rng.shuffled([Constraint(kind=kind, literals=literals, points=points) for (kind, literals), points in row.items()])
        data = Data(variables=count, constraints=tuple(made), lost=0)
        lost, best = weighted_constraints.optimum(data.constraints, count)
        data = data.model_copy(update={"lost": lost})
        if (
            0 < best.bit_count() <= max(1, 2**count // 32)
            and lost
            and len(made) == size
            and weighted_constraints.pack(data.constraints, count) == lost
        ):
            break
    listing = "\n".join(
        f"{k}. {weighted_constraints.write(constraint)}{_worth(constraint, knobs)}" for k, constraint in enumerate(data.constraints, 1)
    )
    earned = (
        "as many points as possible; a constraint that holds earns its points"
        if knobs.points > 1
        else "as many of these constraints as possible hold"
    )
    prompt = (
        f"The variables x1 to x{count} are each either true or false. Not all of these constraints can hold at once. Find values for all variables so that "
        f"{'you earn ' if knobs.points > 1 else ''}{earned}:\n{listing}"
    )
    return Task(prompt, data)


def _worth(constraint: Constraint, knobs: Knobs) -> str:
    return f" ({constraint.points} point{'s' * (constraint.points > 1)})" if knobs.points > 1 else ""


def _best(data: Data, order: tuple[bool, bool]) -> Iterator[Pairs]:
    """All values that lose no more than must be lost."""
    ready = [[constraint for constraint in data.constraints if max(map(abs, constraint.literals)) == i] for i in range(data.variables + 1)]

    def going(values: dict[int, bool], lost: int) -> Iterator[Pairs]:
        i = len(values) + 1
        if i > data.variables:
            yield tuple(sorted((f"x{k}", "true" if value else "false") for k, value in values.items()))
            return
        for value in order:
            longer = {**values, i: value}
            more = lost + sum(constraint.points for constraint in ready[i] if not weighted_constraints.holds(constraint, longer))
            if more <= data.lost:
                yield from going(longer, more)

    return going({}, 0)


def _render_numbers(numbers: Sequence[int]) -> str:
    return ", ".join(str(k + 1) for k in numbers)


def _numbers(text: str) -> list[int]:
    numbers = [int(word) - 1 for word in text.split(", ")]
    if min(numbers) < 0 or len(set(numbers)) < len(numbers):
        raise ValueError(text)
    return numbers


environment = Environment(
    Knobs, Mapping("one line `variable: true` or `variable: false` for each variable", max_items=40),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "They do with these values:\n{answer}", checks=checks),
    answers="many", solutions=lambda task: _best(task.data, (False, True)),
    concept="Groups of constraints that cannot all hold tell how much must be lost; values that lose no more are the best.",
    version=3,
)  # fmt: skip
