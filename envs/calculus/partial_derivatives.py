"""Find a higher partial derivative of a function of several variables.

In the shifted family x and y depend on t, and the derivative along the path is asked for, as a function of t.
"""

from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Name, Tree, build
from rlgym.generators.algebra import symbolic
from rlgym.generators.algebra.symbolic import read
from rlgym.generators.stories import phrase

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
    instructions="an expression for the derivative",
    max_characters=6000,
    max_nodes=1500,
)
CONCEPT = "All other variables are constants while one is differentiated; along a way each partial derivative is multiplied by its rate."


class Knobs(Config):
    terms: int = knob(3, easy=2, hard=4, doc="how many terms are added")
    degree: int = knob(3, easy=2, hard=5, doc="largest exponent")
    order: int = knob(2, easy=1, hard=3, doc="order of the derivative")
    wrap: str = knob(
        "exp", easy="plain", hard="trigonometric", order=WRAPS, doc="products of powers only, also exponentials, or also sines and cosines"
    )


class Data(TaskData):
    function: str
    names: str  # by what is differentiated, in order
    path: tuple[str, str] | None


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
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
    if data.path is None:
        return _derivative(data.function, data.names)
    return build.add(*(build.times(_substitute(data, name), _derivative(side, "t")) for name, side in zip("xy", data.path, strict=True)))


def verify(task: Task[Data], answer: Tree) -> Score:
    # Along a way, by putting the way in first; `solve` uses the chain rule.
    data = task.data
    right = _derivative(data.function, data.names) if data.path is None else _total_derivative(data.function, data.path)
    return Score.exact(trees.same(right, answer), "that is another function")


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    data = task.data
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
    return trees.size(solve(task)) * (1 + len(data.names)) + 400 * ("(" in (data.path or ("",))[0])


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


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=symbolic.solution(_lines, _quantities),
    shift=shift,
    concept=CONCEPT,
    version=3,
)
