"""Find a higher partial derivative of a function of several variables.

On the upper levels an equation defines the function near the origin, and one high derivative there is asked for. In the shifted family x and y
depend on t, and the derivative along the path is asked for, as a function of t.
"""

from functools import lru_cache
from math import factorial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Name, Tree, build
from rlgym.generators.algebra import implicit_series, symbolic
from rlgym.generators.algebra.symbolic import read
from rlgym.generators.stories import phrase
from rlgym.solutions import Derivation, Solution, SolutionByTask, Step

PARTIAL = "derivative by {names}"
PUT = "{names} on the way"
TOTAL = "dh/dt"
WRAPS = ("plain", "exp", "trigonometric")
ASKS = (
    "Let f({args}) = {f}. Differentiate f with respect to {order}. What is the result?",
    "Find the partial derivative of f({args}) = {f} with respect to {order}.",
    "For the function f({args}) = {f}, find the partial derivative with respect to {order}.",
    "What is the result of differentiating f({args}) = {f} with respect to {order}?",
)
PATHS = (
    "Let f(x, y) = {f} with x = {x} and y = {y}. Find the derivative of h(t) = f(x, y) with respect to t, as a function of t.",
    (
        "A point moves along x = {x}, y = {y}. At what rate does f(x, y) = {f} change with t? Give dh/dt for h(t) = f(x(t), y(t)) in terms of t."
    ),
    "With x = {x}, y = {y} and f(x, y) = {f}, let h(t) = f(x, y). What is dh/dt as an expression in t?",
    "Differentiate h(t) = f(x(t), y(t)) with respect to t, where f(x, y) = {f}, x(t) = {x} and y(t) = {y}.",
)
ANSWER = Expression(
    ("x", "y", "z", "t"),
    ("sin", "cos", "tan", "exp", "ln", "sqrt"),
    ("e",),
    instructions="the result, as an expression",
    max_characters=6000,
    max_nodes=1500,
)
DEGREE = Step("The terms of degree {degree:int} in the power series of z are {terms}.")
CLOSING_SERIES = "The coefficient of the power asked for times its factorials is {answer}"
CONCEPT = "All other variables are constants while one is differentiated; along a way each partial derivative is multiplied by its rate."


class Knobs(Config):
    terms: int = knob(3, easy=2, hard=4, doc="how many terms are added")
    degree: int = knob(3, easy=2, hard=5, doc="largest exponent")
    given: str = knob(
        "formula",
        easy="formula",
        hard="equation",
        order=("formula", "equation"),
        doc="the function by its formula, or by an equation for it",
    )
    order: int = knob(2, easy=1, hard=3, doc="order of the derivative; of a function given by an equation 2 more")
    wrap: str = knob(
        "exp", easy="plain", hard="trigonometric", order=WRAPS, doc="products of powers only, also exponentials, or also sines and cosines"
    )


class Data(TaskData):
    function: str
    names: str  # by what is differentiated, in order
    path: tuple[str, str] | None
    terms: implicit_series.Terms = ()  # of the equation z = F(x, y, z), where the function is given by one
    value: int = 0  # of the derivative at the origin, then


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.given == "equation":
        return _sample_implicit(rng, knobs)
    variables = "xyz" if knobs.order > 2 else "xy"
    while True:
        function = _sample_function(rng, knobs, variables)
        names = "".join(rng.choice(variables) for _ in range(knobs.order))
        if trees.size(_derivative(function, names)) > 1 and (knobs.order < 2 or len(set(names)) > 1):
            break
    order = _order_text(names)
    prompt = phrase(rng, ASKS, f=function, args=", ".join(variables), order=order)
    return Task(prompt, Data(function=function, names=names, path=None))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        function = _sample_function(rng, knobs, "xy")
        path = [
            symbolic.polynomial([rng.integer(-3, 3), symbolic.sample_coefficient(rng, 3), *([rng.integer(0, 2)] * (knobs.order > 1))], "t")
            for _ in "xy"
        ]
        if knobs.order > 2:
            path[0] = build.call(rng.choice(("sin", "cos", "exp")), build.times(trees.number(rng.integer(1, 3)), Name("t")))
        written = (trees.write(path[0]), trees.write(path[1]))
        data = Data(function=function, names="", path=written)
        if all(trees.depends(_derivative(function, name), "x") or trees.depends(_derivative(function, name), "y") for name in "xy"):
            return Task(phrase(rng, PATHS, f=function, x=written[0], y=written[1]), data)


def solve(task: Task[Data]) -> Tree:
    data = task.data
    if data.terms:
        powers = (data.names.count("x"), data.names.count("y"))
        coefficient = implicit_series.solve(data.terms, sum(powers)).get(powers, 0)
        return trees.number(coefficient * factorial(powers[0]) * factorial(powers[1]))
    if data.path is None:
        return _derivative(data.function, data.names)
    return build.add(*(build.times(_substitute(data, name), _derivative(side, "t")) for name, side in zip("xy", data.path, strict=True)))


def verify(task: Task[Data], answer: Tree) -> Score:
    # Along a way, by putting the way in first; `solve` uses the chain rule.
    data = task.data
    if data.terms:
        return Score.exact(trees.same(trees.number(data.value), answer), "the derivative has another value")
    right = _derivative(data.function, data.names) if data.path is None else _total_derivative(data.function, data.path)
    return Score.exact(trees.same(right, answer), "that is another function")


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    data = task.data
    if data.terms:
        powers = (data.names.count("x"), data.names.count("y"))
        coefficient = data.value // factorial(powers[0]) // factorial(powers[1])
        plain = sum(c * factorial(i) * factorial(j) for c, i, j, k in data.terms if (i, j, k) == (*powers, 0))
        numbers = [coefficient, coefficient * factorial(sum(powers)), plain, -data.value, data.value + 1]
        return [trees.number(number) for number in numbers if number != data.value]
    names = data.names[:-1] or ("y" if data.names == "x" else "x")
    wrong = [_derivative(data.function, names), build.minus(right), build.add(right, build.ONE)]
    if data.path:
        wrong += [
            build.add(_substitute(data, "x"), _substitute(data, "y")),
            build.times(_substitute(data, "x"), _derivative(data.path[0], "t")),
        ]
    return wrong


def cost(task: Task[Data]) -> float:
    data = task.data
    if data.terms:
        return 100 * len(implicit_series.solve(data.terms, len(data.names))) * len(data.names)
    return trees.size(solve(task)) * (1 + len(data.names)) + 400 * ("(" in (data.path or ("",))[0])


def derive_series(task: Task[Data]) -> Derivation:
    z = implicit_series.solve(task.data.terms, len(task.data.names))
    for degree in range(1, len(task.data.names) + 1):
        yield DEGREE(degree=degree, terms=implicit_series.homogeneous_text(z, degree))


def _sample_implicit(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The power that is asked for gets contributions from several terms of the equation."""
    order = knobs.order + 2
    while True:
        terms = implicit_series.sample_terms(rng)
        i = rng.integer(2, order - 2) if order > 3 else 1
        coefficient = implicit_series.solve(terms, order).get((i, order - i), 0)
        fewer = [implicit_series.solve(terms[:k] + terms[k + 1 :], order).get((i, order - i), 0) for k in range(2, len(terms))]
        if abs(coefficient) > 3 and len(terms) == 5 and coefficient not in fewer and len(set(fewer)) > 1:
            break
    equation, times = implicit_series.text(terms), ("once", "twice", "three times", "four times")
    prompt = (
        f"Near x = y = 0 the equation z = {equation} defines z as a function of x and y with z(0, 0) = 0. Differentiate z {times[i - 1]} with respect to x "
        f"and {times[order - i - 1]} with respect to y. What is the exact value of this partial derivative at x = y = 0?"
    )
    value = coefficient * factorial(i) * factorial(order - i)
    return Task(prompt, Data(function=equation, names="x" * i + "y" * (order - i), path=None, terms=terms, value=value))


def _lines(task: Task[Data]) -> list[str]:
    data = task.data
    if data.path is None:
        steps = [
            symbolic.equation_line(PARTIAL.format(names=data.names[:k]), _derivative(data.function, data.names[:k]))
            for k in range(1, len(data.names))
        ]
        return steps
    steps = [symbolic.equation_line(PARTIAL.format(names=name), _derivative(data.function, name)) for name in "xy"]
    steps += [symbolic.equation_line(PUT.format(names=name), _substitute(data, name)) for name in "xy"]
    steps += [symbolic.equation_line(f"d{name}/dt", _derivative(side, "t")) for name, side in zip("xy", data.path, strict=True)]
    return steps


def _quantities(task: Task[Data]) -> symbolic.Quantities:
    data = task.data

    def partial(names: str) -> Tree:
        if not (data.names or "x y").startswith(names) and not (data.path and names == "y"):
            raise ValueError("not a derivative on the way to what is asked")
        return _derivative(data.function, names)

    return {
        PUT: lambda names: _substitute(data, names),
        "d{name}/dt": lambda name: _derivative((data.path or ("", ""))["xy".index(name)], "t"),
        PARTIAL: partial,
    }


def _order_text(names: str) -> str:
    """By what is differentiated, in words."""
    return f"{names[0]}" if len(names) == 1 else "first " + ", then ".join(names)


def _sample_function(rng: Rng, knobs: Knobs, variables: str) -> str:
    terms = []
    for k in range(knobs.terms):
        powers = [build.power(Name(name), rng.integer(0, knobs.degree)) for name in variables]
        term = build.times(trees.number(symbolic.sample_coefficient(rng, 9)), build.product(powers))
        if k < knobs.terms - 1 and knobs.wrap != "plain":
            inner = build.ordered(
                [build.times(trees.number(symbolic.sample_coefficient(rng, 3)), Name(name)) for name in rng.sample(variables, 2)]
            )
            inner = rng.choice((inner, build.product([Name(name) for name in rng.sample(variables, 2)])))
            term = build.times(term, build.call("exp" if knobs.wrap == "exp" else rng.choice(("sin", "cos", "exp")), inner))
        terms.append(term)
    return trees.write(build.ordered(terms))


@lru_cache(maxsize=2048)
def _derivative(function: str, names: str) -> Tree:
    return trees.derivative(_derivative(function, names[:-1]), names[-1]) if names else read(function)


def _substitute(data: Data, name: str) -> Tree:
    """A partial derivative with the way put in."""
    tree = _derivative(data.function, name)
    for letter, side in zip("xy", data.path or ("x", "y"), strict=True):
        tree = trees.at(tree, letter, read(side))
    return tree


@lru_cache(maxsize=512)
def _total_derivative(function: str, path: tuple[str, str]) -> Tree:
    return trees.derivative(trees.at(trees.at(read(function), "x", read(path[0])), "y", read(path[1])), "t")


FORMULA, SERIES = symbolic.solution(_lines, _quantities), Solution(derive_series, CLOSING_SERIES)

environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=SolutionByTask(lambda task: SERIES if task.data.terms else FORMULA), shift=shift, concept=CONCEPT, version=6,
)  # fmt: skip
