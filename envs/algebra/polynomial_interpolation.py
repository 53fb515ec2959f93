"""Find the polynomial of least degree through given points.

The shifted family gives slopes as well as values at some places. The statements say that a number divides every value of a polynomial.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Tree, build
from rlgym.generators.algebra import differences, divisible_values, polynomial_fields
from rlgym.generators.claims import Claim, refuted
from rlgym.generators.steps import Line, ended


class Knobs(Config):
    conditions: int = knob(5, easy=2, hard=9, doc="how many values and slopes are given")
    places: str = knob("scattered", easy="even", hard="scattered", order=("even", "scattered"), doc="neighbouring places, or any")
    origin: str = knob("free", easy="planted", hard="free", order=("planted", "free"), doc="integer coefficients, or values drawn freely")
    largest: int = knob(9, easy=6, hard=15, doc="largest coefficient, or largest value")


class Data(TaskData):
    at: tuple[int, ...]  # a place that stands twice has a slope too
    wanted: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, [1] * knobs.conditions)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Values and slopes."""
    slopes = max(1, knobs.conditions * 2 // 5)
    return _made(rng, knobs, rng.shuffled([2] * slopes + [1] * max(1, knobs.conditions - 2 * slopes)))


def solve(task: Task[Data]) -> Tree:
    return build.of_coefficients(differences.polynomial(task.data.at, differences.divided(task.data.at, task.data.wanted)))


def verify(task: Task[Data], answer: Tree) -> Score:
    try:
        given = polynomial_fields.written_out(answer)
    except ArithmeticError:
        return Score.wrong("the answer must be a polynomial in x, multiplied out")
    if len(given) > len(task.data.at):
        return Score.wrong(f"the degree must be less than {len(task.data.at)}")
    slope = polynomial_fields.derivative(given, 0)
    for i, (place, wanted) in enumerate(zip(task.data.at, task.data.wanted)):
        repeated = i > 0 and task.data.at[i - 1] == place
        if sum(a * place**k for k, a in enumerate(slope if repeated else given)) != wanted:
            return Score.wrong(f"the {'slope' if repeated else 'value'} at x = {place} is another one")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    x, at = trees.Name("x"), task.data.at
    vanishing = build.product([build.subtract(x, trees.number(place)) for place in at])
    fewer = differences.polynomial(at[:-1], differences.divided(at[:-1], task.data.wanted[:-1]))
    return [
        build.add(right, vanishing),
        build.of_coefficients(fewer),
        build.add(right, x),
        build.minus(right),
        build.of_coefficients(task.data.wanted),
    ]


def cost(task: Task[Data]) -> float:
    return sum(3 + len(str(value)) for value in differences.divided(task.data.at, task.data.wanted).values())


def explain(task: Task[Data]) -> list[str]:
    at, table = task.data.at, differences.divided(task.data.at, task.data.wanted)
    steps = []
    for i, j in sorted(table, key=lambda pair: (pair[1] - pair[0], pair)):
        if at[i] == at[j]:
            steps.append((_VALUE if i == j else _SLOPE).write(i=i, j=j, x=at[j], value=table[i, j]))
        else:
            gaps = {"upper": table[i + 1, j], "lower": table[i, j - 1], "far": at[j], "near": at[i]}
            steps.append(_DIFFERENCE.write(i=i, j=j, value=table[i, j], **gaps))
    form: list[Tree] = []
    product: Tree = trees.number(1)
    for j, place in enumerate(at):
        form.append(build.times(trees.number(table[0, j]), product))
        product = build.times(product, build.subtract(trees.Name("x"), trees.number(place)))
    return [*steps, _FORM.write(form=trees.write(build.total(form))), _LAST + _ANSWER.render(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    at, table = task.data.at, differences.divided(task.data.at, task.data.wanted)

    def value(i: str, x: str, value: str) -> bool:
        return int(x) == at[int(i)] and value == str(table[int(i), int(i)])

    def slope(i: str, j: str, x: str, value: str) -> bool:
        return int(x) == at[int(i)] == at[int(j)] and value == str(table[int(i), int(j)])

    def difference(i: str, j: str, upper: str, lower: str, far: str, near: str, value: str) -> bool:
        one, other = int(i), int(j)
        parts = [str(table[pair]) for pair in ((one + 1, other), (one, other - 1), (one, other))]
        return parts == [upper, lower, value] and (int(far), int(near)) == (at[other], at[one])

    def form(form: str) -> bool:
        return polynomial_fields.read(form) == differences.polynomial(at, table)

    claims: list[Claim] = [(_VALUE, value), (_SLOPE, slope), (_DIFFERENCE, difference), (_FORM, form)]
    return refuted(steps, claims, ended(_LAST, task, _ANSWER, verify))


def _made(rng: Rng, knobs: Knobs, often: Sequence[int]) -> Task[Data]:
    size, low = knobs.largest, rng.integer(-4, 1)
    places = [low + i for i in range(len(often))] if knobs.places == "even" else rng.sample(range(-8, 9), len(often))
    planted = polynomial_fields.drawn(rng, sum(often) - 1, size, 5)
    at, wanted, lines = [], [], []
    for place, times in zip(places, often):
        for slope in range(times):
            value = rng.integer(-size, size)
            if knobs.origin == "planted":
                value = sum(
                    int(a) * place**k
                    for k, a in enumerate(polynomial_fields.derivative(planted, 0) if slope else polynomial_fields.reduced(planted, 0))
                )
            at.append(place)
            wanted.append(value)
            lines.append(f"p{chr(39) * slope}({place}) = {value}")
    if not any(wanted):
        wanted[-1], lines[-1] = 1, lines[-1].replace("= 0", "= 1")
    slopes = " (p' is the derivative of p)" if len(set(at)) < len(at) else ""
    prompt = f"Find the polynomial p(x) of degree less than {len(at)} with these properties{slopes}:\n" + "\n".join(lines)
    return Task(prompt, Data(at=tuple(at), wanted=tuple(wanted)))


_ANSWER = Expression(asks="the polynomial in x, multiplied out, with exact coefficients", most_characters=4000)
_VALUE = Line("d({i}) is the value at {x}: {value}.")
_SLOPE = Line("d({i}..{j}) is the slope at {x}: {value}.")
_DIFFERENCE = Line("d({i}..{j}) = ({upper} - ({lower}))/({far} - ({near})) = {value}.")
_FORM = Line("In Newton's form p is {form}.")
_LAST = "Multiplied out, p(x) = "

environment = Environment(
    Knobs,
    _ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    statement=divisible_values.environment,
    concept="Divided differences: each comes from two of the step before; the first of each step are the coefficients of Newton's form.",
    version=2,
)
