"""Find an antiderivative of a function.

Any antiderivative is accepted: the answer is differentiated and compared with the function.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import isqrt

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Apply, Name, Tree, Undefined, build
from rlgym.solutions import Derivation, Solution, Step, any_order

X = Name("x")
METHODS = {
    "powers": ("power", "power", "scaled"),
    "substitution": ("power", "scaled", "linear", "inner", "inner"),
    "parts": ("linear", "inner", "inner", "parts", "parts", "logarithm", "arctan", "poles"),
}
WAVES = {"sin": "cos", "cos": "sin", "exp": "exp"}  # each with its antiderivative, but for the sign
MAX_NODES = 250  # of an answer; antiderivatives of what is asked here stay far below
MOST_SLOPE = 1500  # of its derivative
ANSWER = Expression(
    ("x", "C"),
    ("sin", "cos", "tan", "exp", "ln", "sqrt", "arctan", "abs"),
    ("e", "pi"),
    instructions="an expression in x for the antiderivative",
)
CONCEPT = (
    "Term by term: is it the derivative of something known, an outer function times the derivative of its inner one, "
    "or one for integration by parts or simple fractions?"
)
TERM = Step("{term} is integrated {method} to {antiderivative}; differentiated, that gives {back} again")
END = "Added up: {answer}"


class Knobs(Config):
    terms: int = knob(2, easy=1, hard=5, doc="terms that are added")
    largest: int = knob(12, easy=9, hard=20, doc="largest coefficient drawn")
    method: str = knob("substitution", easy="powers", hard="parts", order=tuple(METHODS), doc="integration techniques that the terms need")


class Data(TaskData):
    function: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    terms: dict[Tree, None] = {}
    while len(terms) < knobs.terms:
        terms[_sample_term(rng, rng.choice(METHODS[knobs.method]), knobs.largest)] = None
    text = trees.write(build.ordered([term if rng.chance(0.6) else build.minus(term) for term in terms]))
    natural = " ln is the natural logarithm." if "ln" in text else ""
    prompt = f"Find an antiderivative of f(x) = {text} for positive x: a function whose derivative is f(x).{natural} The constant may be left out."
    return Task(prompt, Data(function=text))


def solve(task: Task[Data]) -> Tree:
    return build.total([_antiderivative(term) for term in _terms(_read(task.data.function))])


def verify(task: Task[Data], answer: Tree) -> Score:
    if trees.size(answer) > MAX_NODES:
        return Score.wrong(f"an antiderivative with at most {MAX_NODES} numbers, names and operators exists")
    try:
        slope = trees.derivative(answer, "x")
    except Undefined as why:
        return Score.wrong(f"the answer cannot be differentiated: {why}")
    if trees.size(slope) > MOST_SLOPE:
        return Score.wrong("the derivative of that is far longer than the function")
    if not trees.same(_read(task.data.function), slope):
        return Score.wrong("the derivative of that is another function")
    return Score.exact(_has_values(answer), "that has no value at some positive x")


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    function = _read(task.data.function)
    return [build.minus(right), function, trees.derivative(function, "x"), build.add(right, X), build.times(trees.number(2), right)]


def cost(task: Task[Data]) -> float:
    text = task.data.function
    hard = sum(text.count(word) for word in ("sin", "cos", "exp", "ln", "sqrt", "/"))
    return trees.size(_read(text)) * (1 + hard)


def derive(task: Task[Data]) -> Derivation:
    steps = []
    for term in _terms(_read(task.data.function)):
        antiderivative = _antiderivative(term)
        back, method = trees.write(trees.derivative(antiderivative, "x")), _method(term).removesuffix(",")
        steps.append(TERM(term=trees.write(term), method=method, antiderivative=trees.write(antiderivative), back=back))
    yield from any_order(steps)


def _sample_term(rng: Rng, kind: str, largest: int) -> Tree:
    """A term with an elementary antiderivative, as books write it."""
    factor, shift = trees.number(rng.integer(1, largest)), trees.number(rng.integer(1, largest))
    scaled = build.times(trees.number(rng.integer(1, largest)), X)
    wave = rng.choice(("sin", "cos", "exp"))
    match kind:
        case "power":
            return build.times(factor, build.power(X, rng.integer(1, 7)))
        case "scaled":
            return rng.choice(
                (
                    build.times(factor, build.call(wave, scaled)),
                    build.over(factor, X),
                    build.over(factor, build.power(X, rng.integer(2, 4))),
                )
            )
        case "linear":
            line = build.add(scaled, shift)
            integrands = (
                build.over(factor, line),
                build.times(factor, build.call("sqrt", line)),
                build.times(factor, build.call(wave, line)),
            )
            return rng.choice((*integrands, build.times(factor, build.power(line, rng.integer(2, 5)))))
        case "inner":
            power = rng.integer(2, 3)
            inner = build.add(build.power(X, power), shift)
            outer = build.times(factor, build.power(X, power - 1))
            tried = (
                build.times(outer, build.call(wave, inner)),
                build.over(outer, inner),
                build.times(outer, build.power(inner, rng.integer(2, 4))),
            )
            other = build.times(factor, build.times(build.call("cos", X), build.power(build.call("sin", X), rng.integer(2, 4))))
            return rng.choice((*tried, other, build.over(build.times(factor, build.call("ln", X)), X)))
        case "parts":
            return build.times(factor, build.times(build.power(X, rng.integer(1, 3)), build.call(wave, scaled)))
        case "logarithm":
            return build.times(factor, build.times(build.power(X, rng.integer(0, 4)), build.call("ln", X)))
        case "poles":
            near, distant = rng.sample(range(1, largest + 1), 2)
            below = build.of_coefficients((near * distant, near + distant, 1))
            return build.over(build.add(scaled, shift), below)
        case _:
            return build.over(factor, build.add(build.power(X, 2), trees.number(rng.integer(1, 5) ** 2)))


def _terms(tree: Tree) -> list[Tree]:
    if isinstance(tree, Apply) and tree.head in ("+", "-"):
        right = _terms(tree.parts[1])
        return _terms(tree.parts[0]) + (right if tree.head == "+" else [build.minus(term) for term in right])
    return [tree]


def _parts(term: Tree, sign: int = 1) -> tuple[Fraction, int, list[tuple[Tree, int]]]:
    """A term as a number, a power of x, and other factors with their exponents."""
    value = build.constant(term)
    if value is not None:
        return value**sign, 0, []
    if isinstance(term, Apply) and term.head in ("*", "/", "neg"):
        signs = (sign, -sign if term.head == "/" else sign)
        number, power, others = Fraction(-1 if term.head == "neg" else 1), 0, list[tuple[Tree, int]]()
        for part, its in zip(term.parts, signs, strict=False):
            more, raised, rest = _parts(part, its)
            number, power, others = number * more, power + raised, others + rest
        return number, power, others
    base, exponent = (term.parts[0], int(trees.exact(term.parts[1]))) if isinstance(term, Apply) and term.head == "^" else (term, 1)
    return (Fraction(1), sign * exponent, []) if base == X else (Fraction(1), 0, [(base, sign * exponent)])


def _antiderivative(term: Tree) -> Tree:
    """By the power rule, by substitution of an inner function that stands next to its derivative, by parts, or by poles."""
    factor, power, others = _parts(term)
    if not others:
        return build.times(trees.number(factor), _power(X, power))
    if (poles := _poles(term)) is not None:
        return build.total([build.times(trees.number(residue), build.call("ln", _distance(pole))) for pole, residue in poles])
    if len(others) == 2:
        # cos(x) sin(x)^n, the derivative of the sine next to its power.
        ((sine, exponent),) = [(tree, n) for tree, n in others if tree == build.call("sin", X)]
        return build.times(trees.number(factor), _power(sine, exponent))
    ((other, exponent),) = others
    if other == build.call("ln", X):
        if power == -1:
            return build.times(trees.number(factor / 2), build.power(other, 2))
        raised = build.over(build.power(X, power + 1), trees.number(power + 1))
        return build.times(trees.number(factor), build.subtract(build.times(raised, other), build.over(raised, trees.number(power + 1))))
    head, inner = (other.head, other.parts[0]) if isinstance(other, Apply) and other.head in (*WAVES, "sqrt") else ("", other)
    slope, degree, _ = _parts(trees.derivative(inner, "x"))
    if power == degree:
        return build.times(trees.number(factor / slope), _outer(head, inner, exponent))
    if head in WAVES:
        # By parts: the power of x is differentiated, the other factor integrated.
        first = build.times(trees.number(factor / slope), build.times(build.power(X, power), _outer(head, inner, 1)))
        left_term = build.times(build.times(trees.number(-factor * power / slope), build.power(X, power - 1)), _outer(head, inner, 1))
        return build.add(first, _antiderivative(left_term))
    # What is left is 1/(x^2 + k^2).
    root = trees.number(isqrt(int(trees.exact(inner, {"x": Fraction(0)}))))
    return build.times(trees.number(factor), build.over(build.call("arctan", build.over(X, root)), root))


def _poles(term: Tree) -> list[tuple[int, Fraction]] | None:
    """Where a linear function over a quadratic one with two integer zeros has its poles, and how strong each is; else None."""
    sign, plain = (-1, term.parts[0]) if isinstance(term, Apply) and term.head == "neg" else (1, term)
    if not (isinstance(plain, Apply) and plain.head == "/" and isinstance(plain.parts[0], Apply) and plain.parts[0].head == "+"):
        return None
    above, (product, total, _) = (trees.polynomial(part, "x", 2) for part in plain.parts)
    root = isqrt(int(total**2 - 4 * product))
    poles = [int(-total - root) // 2, int(-total + root) // 2]
    return [(pole, sign * (above[0] + above[1] * pole) / (2 * pole + total)) for pole in poles]


def _distance(pole: int) -> Tree:
    return build.subtract(X, trees.number(pole))


def _has_values(tree: Tree) -> bool:
    """Whether the answer is a number for positive x: x^2 + ln(-5) and x^2 + 1/0 are none, whatever their derivatives look like."""
    return trees.same(Apply("+", (tree, build.ZERO)), tree)


def _outer(head: str, inner: Tree, exponent: int) -> Tree:
    if head == "sqrt":
        return build.times(trees.number(Fraction(2, 3)), build.times(inner, build.call("sqrt", inner)))
    if not head:
        return _power(inner, exponent)
    return build.minus(build.call("cos", inner)) if head == "sin" else build.call(WAVES[head], inner)


def _power(base: Tree, exponent: int) -> Tree:
    if exponent == -1:
        return build.call("ln", base)
    if exponent < -1:
        return build.over(trees.number(-1), build.times(trees.number(-exponent - 1), build.power(base, -exponent - 1)))
    return build.over(build.power(base, exponent + 1), trees.number(exponent + 1))


def _method(term: Tree) -> str:
    _, power, others = _parts(term)
    if not others:
        return "by the power rule" if power != -1 else "as the derivative of the logarithm"
    if (poles := _poles(term)) is not None:
        return f"split into {' + '.join(f'({residue})/({trees.write(_distance(pole))})' for pole, residue in poles)},"
    (other, _), *more = others
    if other == build.call("ln", X):
        return "with ln(x) as inner function" if power == -1 else "by parts"
    head, inner = (other.head, other.parts[0]) if isinstance(other, Apply) and other.head in (*WAVES, "sqrt") else ("", other)
    if more:
        return "with sin(x) as inner function"
    if power == _parts(trees.derivative(inner, "x"))[1]:
        return f"with {trees.write(inner)} as inner function"
    return "by parts" if head in WAVES else "as the derivative of the arctangent"


@lru_cache(maxsize=512)
def _read(text: str) -> Tree:
    return trees.read(text, ANSWER.grammar)


def _other_solutions(task: Task[Data]) -> Iterator[Tree]:
    """What sympy's table of methods finds, and that plus constants."""
    import sympy
    from sympy.integrals.manualintegrate import manualintegrate

    function = trees.to_sympy(_read(task.data.function))
    (x,) = function.free_symbols
    antiderivative = trees.from_sympy(sum((manualintegrate(term, x) for term in sympy.Add.make_args(function)), sympy.Integer(0)))
    yield from (antiderivative, build.add(antiderivative, Name("C")), build.subtract(antiderivative, trees.number(7)))


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, END),
    answers="many",
    solutions=_other_solutions,
    concept=CONCEPT,
    version=2,
)
