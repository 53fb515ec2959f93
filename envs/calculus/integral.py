"""Find an antiderivative of a function.

Any antiderivative is accepted: the answer is differentiated and compared with the function. On the upper levels the function has unknown
coefficients, and its antiderivative is elementary for one choice of these only.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import isqrt

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Apply, Name, Tree, Undefined, build
from rlgym.generators.algebra import exponential_integrals, integrands, polynomials
from rlgym.generators.algebra.exponential_integrals import Integrand
from rlgym.solutions import Derivation, Solution, SolutionByTask, Step, any_order

X = integrands.X
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


FORM = Step("An elementary antiderivative is P(x)*exp({exponent})/x^{power:int} with N(x) = x*P'(x) - {power}*P(x) + x*({slope})*P(x).")
MATCHED = Step("Equal coefficients give P(x) = {p}, and the unknown coefficients are {values:fractions}.")


class Knobs(Config):
    terms: int = knob(2, easy=1, hard=5, doc="terms that are added")
    largest: int = knob(12, easy=9, hard=20, doc="largest coefficient drawn")
    method: str = knob("substitution", easy="powers", hard="parts", order=tuple(METHODS), doc="integration techniques that the terms need")

    coefficients: str = knob(
        "known", easy="known", hard="unknown", order=("known", "unknown"), doc="whether coefficients are to be found first"
    )


class Data(TaskData):
    function: str
    numerator: tuple[int | None, ...] = ()  # of a function with unknown coefficients, which are None here
    exponent: tuple[int, ...] = ()
    power: int = 0

    @property
    def integrand(self) -> Integrand:
        return Integrand(self.numerator, self.exponent, self.power)


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.coefficients == "unknown":
        return _sample_unknown(rng, knobs)
    terms: dict[Tree, None] = {}
    while len(terms) < knobs.terms:
        terms[integrands.sample_term(rng, rng.choice(METHODS[knobs.method]), knobs.largest)] = None
    text = trees.write(build.ordered([term if rng.chance(0.6) else build.minus(term) for term in terms]))
    natural = " ln is the natural logarithm." if "ln" in text else ""
    prompt = f"Find an antiderivative of f(x) = {text} for positive x: a function whose derivative is f(x).{natural} The constant may be left out."
    return Task(prompt, Data(function=text))


def solve(task: Task[Data]) -> Tree:
    if task.data.power:
        p, _ = exponential_integrals.solve(task.data.integrand) or ([], [])
        return _read(exponential_integrals.antiderivative_text(task.data.integrand, p))
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
    if task.data.power:
        return 150 * len(task.data.numerator) * task.data.numerator.count(None)
    hard = sum(text.count(word) for word in ("sin", "cos", "exp", "ln", "sqrt", "/"))
    return trees.size(_read(text)) * (1 + hard)


def derive(task: Task[Data]) -> Derivation:
    steps = []
    for term in _terms(_read(task.data.function)):
        antiderivative = _antiderivative(term)
        back, method = trees.write(trees.derivative(antiderivative, "x")), _method(term).removesuffix(",")
        steps.append(TERM(term=trees.write(term), method=method, antiderivative=trees.write(antiderivative), back=back))
    yield from any_order(steps)


def derive_unknown(task: Task[Data]) -> Derivation:
    _, exponent, power = task.data.integrand
    p, values = exponential_integrals.solve(task.data.integrand) or ([], [])
    slope = polynomials.text([i * c for i, c in enumerate(exponent)][1:])
    yield FORM(exponent=polynomials.text(exponent), power=power - 1, slope=slope)
    yield MATCHED(p=polynomials.text(p), values=tuple(values))


def _sample_unknown(rng: Rng, knobs: Knobs) -> Task[Data]:
    integrand = exponential_integrals.sample(rng, 2 if knobs.terms > 4 else 1)
    _, values = exponential_integrals.solve(integrand) or ([], [])
    choice, names = ("choice of the numbers a and b", "them") if len(values) > 1 else ("value of the number a", "a")
    prompt = (
        f"For exactly one {choice}, the function f(x) = {integrand.text} has an elementary antiderivative, that is, one that can be written with powers, "
        f"exp, ln, trigonometric functions and their inverses. Find {names}, and give an antiderivative of f for positive x with this choice. The "
        "constant may be left out."
    )
    numerator, exponent, power = integrand
    return Task(prompt, Data(function=integrand.filled(values), numerator=numerator, exponent=exponent, power=power))


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

    if task.data.power:
        yield from (build.add(solve(task), Name("C")), build.subtract(solve(task), trees.number(7)))
        return
    function = trees.to_sympy(_read(task.data.function))
    (x,) = function.free_symbols
    antiderivative = trees.from_sympy(sum((manualintegrate(term, x) for term in sympy.Add.make_args(function)), sympy.Integer(0)))
    yield from (antiderivative, build.add(antiderivative, Name("C")), build.subtract(antiderivative, trees.number(7)))


KNOWN, UNKNOWN = Solution(derive, END), Solution(derive_unknown, END)

environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=SolutionByTask(lambda task: UNKNOWN if task.data.power else KNOWN),
    answers="many", solutions=_other_solutions, concept=CONCEPT, version=3,
)  # fmt: skip
