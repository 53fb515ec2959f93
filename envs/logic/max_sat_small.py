"""Find truth values that earn as many points as possible, where not all constraints can hold at once.

The greatest total is known exactly, and in every task it is shown by groups of constraints that cannot all hold.
"""

from collections.abc import Callable, Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators import weighted
from rlgym.generators.steps import Line, ended, first_wrong
from rlgym.generators.weighted import Constraint

Pairs = tuple[tuple[str, str], ...]
TRUE, FALSE = ("true", "t", "1", "yes"), ("false", "f", "0", "no")
CORE = Line(
    "Constraints {numbers} cannot all hold; the least that is left of their points is {least}, which is lost and taken off each: {left}"
)
BOUND = Line("So at least {lost} in all is lost, whatever the values are")
ENOUGH = Line("It is enough to lose the constraints {numbers}, which are worth {lost} together: all others can hold together")
LAST = "They do with these values:\n"


class Knobs(Config):
    variables: int = knob(8, easy=4, hard=13, doc="how many variables there are")
    constraints: int = knob(24, easy=6, hard=60, doc="how many constraints there are")
    broken: int = knob(3, easy=1, hard=8, doc="constraints that do not hold in the values that the others are drawn for")
    points: int = knob(4, easy=1, hard=9, doc="most points that one constraint is worth; with 1 they are only counted")


class Data(TaskData):
    variables: int
    constraints: tuple[Constraint, ...]
    lost: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, lambda loose: ("or", rng.weighted((1, 2, 3), (4, 4, 1) if loose else (1, 6, 4))))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Constraints that count: exactly one, an odd number, all or none."""
    kinds = (("one", 2), ("one", 3), ("odd", 3), ("same", 2), ("same", 3), ("or", 1))
    return _made(rng, knobs, lambda loose: rng.choice(kinds[:4] if loose else kinds))


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
    lost = sum(one.points for one in data.constraints if not weighted.holds(one, values))
    return Score.exact(lost == data.lost, "other values earn more points")


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    data = task.data
    turned = [
        tuple((name, "false" if (value == "true") == (i == k) else "true") for i, (name, value) in enumerate(right)) for k in (-1, 0, 1)
    ]
    signs = [
        sum(one.points if literal > 0 else -one.points for one in data.constraints for literal in one.literals if abs(literal) == i)
        for i in range(1, data.variables + 1)
    ]
    often = tuple(sorted((f"x{i}", "true" if sign > 0 else "false") for i, sign in enumerate(signs, 1)))
    return [*turned, often, tuple((name, "true") for name, _ in right), tuple((name, "false") for name, _ in right), right[:-1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(sum(len(one.literals) for one in data.constraints) * data.variables * (1 + data.lost))


def explain(task: Task[Data]) -> list[str]:
    data, right, steps = task.data, solve(task), list[str]()
    left = [one.points for one in data.constraints]
    for core in weighted.cores(data.constraints, data.variables):
        least = min(left[k] for k in core)
        for k in core:
            left[k] -= least
        steps.append(CORE.write(numbers=_listed(core), least=least, left=" ".join(str(left[k]) for k in core)))
    values = {int(name[1:]): value == "true" for name, value in right}
    dropped = [k for k, one in enumerate(data.constraints) if not weighted.holds(one, values)]
    steps += [BOUND.write(lost=data.lost), ENOUGH.write(numbers=_listed(dropped), lost=data.lost)]
    return [*steps, LAST + environment.answer.render(right)]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, tables = task.data, weighted.tables(task.data.constraints, task.data.variables)
    left, lost = [one.points for one in data.constraints], [0]

    def follows(step: str) -> bool:
        if said := CORE.read(step):
            core = _numbers(said["numbers"])
            least = min(left[k] for k in core)
            lost[0] += least
            for k in core:
                left[k] -= least
            told = int(said["least"]), said["left"]
            return least > 0 and not weighted.met(tables, core, data.variables) and told == (least, " ".join(str(left[k]) for k in core))
        if said := BOUND.read(step):
            return int(said["lost"]) == lost[0]
        said = ENOUGH.read(step) or {}
        dropped = _numbers(said["numbers"])
        rest = [k for k in range(len(tables)) if k not in dropped]
        return (
            int(said["lost"]) == lost[0] == sum(data.constraints[k].points for k in dropped)
            and weighted.met(tables, rest, data.variables) != 0
        )

    return first_wrong(steps, follows, ended(LAST, task, environment.answer, verify))


def _made(rng: Rng, knobs: Knobs, drawn: Callable[[bool], tuple[str, int]]) -> Task[Data]:
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
            if weighted.holds(one, planted) != (len(row) < broken):
                row.setdefault((kind, literals), one.points)
        made = rng.shuffled([Constraint(kind=kind, literals=literals, points=points) for (kind, literals), points in row.items()])
        data = Data(variables=count, constraints=tuple(made), lost=0)
        lost, best = weighted.optimum(data.constraints, count)
        data = data.model_copy(update={"lost": lost})
        if (
            0 < best.bit_count() <= max(3, 2**count // 32)
            and lost
            and len(made) == size
            and weighted.packed(data.constraints, count) == lost
        ):
            break
    listing = "\n".join(f"{k}. {weighted.written(one)}{_worth(one, knobs)}" for k, one in enumerate(data.constraints, 1))
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


def _worth(one: Constraint, knobs: Knobs) -> str:
    return f" ({one.points} point{'s' * (one.points > 1)})" if knobs.points > 1 else ""


def _best(data: Data, order: tuple[bool, bool]) -> Iterator[Pairs]:
    """All values that lose no more than must be lost."""
    ready = [[one for one in data.constraints if max(map(abs, one.literals)) == i] for i in range(data.variables + 1)]

    def going(values: dict[int, bool], lost: int) -> Iterator[Pairs]:
        i = len(values) + 1
        if i > data.variables:
            yield tuple(sorted((f"x{k}", "true" if value else "false") for k, value in values.items()))
            return
        for value in order:
            longer = {**values, i: value}
            more = lost + sum(one.points for one in ready[i] if not weighted.holds(one, longer))
            if more <= data.lost:
                yield from going(longer, more)

    return going({}, 0)


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(str(k + 1) for k in numbers)


def _numbers(text: str) -> list[int]:
    numbers = [int(word) - 1 for word in text.split(", ")]
    if min(numbers) < 0 or len(set(numbers)) < len(numbers):
        raise ValueError(text)
    return numbers


environment = Environment(
    Knobs,
    Mapping("one line `variable: true` or `variable: false` for each variable", most=40),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    answers="many",
    solutions=lambda task: _best(task.data, (False, True)),
    concept="Groups of constraints that cannot all hold tell how much must be lost; values that lose no more are the best.",
)
