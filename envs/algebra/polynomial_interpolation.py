"""Find the polynomial of least degree through given points.

The shifted family gives slopes as well as values at some places. The statements to prove or refute say that a number divides every value of a polynomial.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Tree, build
from rlgym.generators.algebra import differences, divisible_values, polynomial_fields
from rlgym.solutions import Checks, Derivation, Solution, Step

ANSWER = Expression(instructions="the polynomial in x, multiplied out, with exact coefficients", max_characters=4000)
VALUE = Step("d({i:int}) is the value at {x:int}: {value}.")
SLOPE = Step("d({i:int}..{j:int}) is the slope at {x:int}: {value}.")
DIFFERENCE = Step("d({i:int}..{j:int}) = ({upper} - ({lower}))/({far:int} - ({near:int})) = {value}.")
FORM = Step("In Newton's form p is {form}.")
CLOSING = "Multiplied out, p(x) = {answer}"


class Knobs(Config):
    conditions: int = knob(5, easy=2, hard=9, doc="how many values and slopes are given")
    places: str = knob("scattered", easy="even", hard="scattered", order=("even", "scattered"), doc="neighbouring places, or any")
    origin: str = knob("free", easy="planted", hard="free", order=("planted", "free"), doc="integer coefficients, or arbitrary values")
    largest: int = knob(9, easy=6, hard=15, doc="largest coefficient, or largest value")


class Data(TaskData):
    at: tuple[int, ...]  # a place that stands twice has a slope too
    wanted: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, [1] * knobs.conditions)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Values and slopes."""
    slopes = max(1, knobs.conditions * 2 // 5)
    return _sample_task(rng, knobs, rng.shuffled([2] * slopes + [1] * max(1, knobs.conditions - 2 * slopes)))


def solve(task: Task[Data]) -> Tree:
    return build.of_coefficients(
        differences.newton_polynomial(task.data.at, differences.divided_differences(task.data.at, task.data.wanted))
    )


def verify(task: Task[Data], answer: Tree) -> Score:
    try:
        given = polynomial_fields.write_out(answer)
    except ArithmeticError:
        return Score.wrong("the answer must be a polynomial in x, multiplied out")
    if len(given) > len(task.data.at):
        return Score.wrong(f"the degree must be less than {len(task.data.at)}")
    slope = polynomial_fields.derivative(given, 0)
    for i, (place, value) in enumerate(zip(task.data.at, task.data.wanted)):
        repeated = i > 0 and task.data.at[i - 1] == place
        if sum(a * place**k for k, a in enumerate(slope if repeated else given)) != value:
            return Score.wrong(f"the {'slope' if repeated else 'value'} at x = {place} is another one")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    x, at = trees.Name("x"), task.data.at
    vanishing = build.product([build.subtract(x, trees.number(place)) for place in at])
    fewer = differences.newton_polynomial(at[:-1], differences.divided_differences(at[:-1], task.data.wanted[:-1]))
    return [
        build.add(right, vanishing),
        build.of_coefficients(fewer),
        build.add(right, x),
        build.minus(right),
        build.of_coefficients(task.data.wanted),
    ]


def cost(task: Task[Data]) -> float:
    return sum(3 + len(str(value)) for value in differences.divided_differences(task.data.at, task.data.wanted).values())


def derive(task: Task[Data]) -> Derivation:
    at, table = task.data.at, differences.divided_differences(task.data.at, task.data.wanted)
    for i, j in sorted(table, key=lambda pair: (pair[1] - pair[0], pair)):
        if i == j:
            yield VALUE(i=i, x=at[j], value=table[i, j])
        elif at[i] == at[j]:
            yield SLOPE(i=i, j=j, x=at[j], value=table[i, j])
        else:
            gaps = {"upper": table[i + 1, j], "lower": table[i, j - 1], "far": at[j], "near": at[i]}
            yield DIFFERENCE(i=i, j=j, value=table[i, j], **gaps)
    form: list[Tree] = []
    product: Tree = trees.number(1)
    for j, place in enumerate(at):
        form.append(build.times(trees.number(table[0, j]), product))
        product = build.times(product, build.subtract(trees.Name("x"), trees.number(place)))
    yield FORM(form=trees.write(build.total(form)))


def checks(task: Task[Data]) -> Checks:
    at, table = task.data.at, differences.divided_differences(task.data.at, task.data.wanted)

    def difference(i: int, j: int, upper: str, lower: str, far: int, near: int, value: str) -> bool:
        expected = [str(table[pair]) for pair in ((i + 1, j), (i, j - 1), (i, j))]
        return expected == [upper, lower, value] and (far, near) == (at[j], at[i])

    return {
        VALUE: lambda i, x, value: x == at[i] and value == str(table[i, i]),
        SLOPE: lambda i, j, x, value: x == at[i] == at[j] and value == str(table[i, j]),
        DIFFERENCE: difference,
        FORM: lambda form: polynomial_fields.read(form) == differences.newton_polynomial(at, table),
    }


def _sample_task(rng: Rng, knobs: Knobs, multiplicities: Sequence[int]) -> Task[Data]:
    size, low = knobs.largest, rng.integer(-4, 1)
    places = [low + i for i in range(len(multiplicities))] if knobs.places == "even" else rng.sample(range(-8, 9), len(multiplicities))
    planted = polynomial_fields.sample_polynomial(rng, sum(multiplicities) - 1, size, 5)
    at, values, lines = [], [], []
    for place, times in zip(places, multiplicities):
        for slope in range(times):
            value = rng.integer(-size, size)
            if knobs.origin == "planted":
                value = sum(
                    int(a) * place**k
                    for k, a in enumerate(polynomial_fields.derivative(planted, 0) if slope else polynomial_fields.normalize(planted, 0))
                )
            at.append(place)
            values.append(value)
            lines.append(f"p{chr(39) * slope}({place}) = {value}")
    if not any(values):
        values[-1], lines[-1] = 1, lines[-1].replace("= 0", "= 1")
    slopes = " (p' is the derivative of p)" if len(set(at)) < len(at) else ""
    prompt = f"Find the polynomial p(x) of degree less than {len(at)} with these properties{slopes}:\n" + "\n".join(lines)
    return Task(prompt, Data(at=tuple(at), wanted=tuple(values)))


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, CLOSING, checks), shift=shift, statement=divisible_values.environment,
    concept="Divided differences: each comes from two of the step before; the first of each step are the coefficients of Newton's form.",
    version=2,
)  # fmt: skip
