"""Differentiate a function.

Any expression equal to the derivative for positive x is accepted, simplified or not.
"""

from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Apply, Name, Tree, build
from rlgym.solutions import Derivation, Solution, Step

KINDS = {"powers": ("power",), "elementary": ("power", "exp", "sin", "cos"), "all": ("power", "exp", "sin", "cos", "ln", "sqrt")}
X = Name("x")
ANSWER = Expression(
    ("x",),
    ("sin", "cos", "tan", "exp", "ln", "sqrt"),
    ("e",),
    instructions="an expression in x for the derivative, in the notation of f(x) above",
)
CONCEPT = "Term by term, from the outside in: the derivative of the outer function at the inner one, times the derivative of the inner one."
RULE = Step("({function})' = {slope}, {rule}")
END = "Term by term, and then written in another way, f'(x) = {answer}"


class Knobs(Config):
    terms: int = knob(2, easy=2, hard=4, doc="terms that are added")
    depth: int = knob(2, easy=1, hard=3, doc="nested functions")
    functions: str = knob("elementary", easy="powers", hard="all", order=tuple(KINDS), doc="which functions occur")
    joined: int = knob(40, easy=0, hard=75, doc="percent of terms that are products or quotients")


class Data(TaskData):
    function: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    kinds = KINDS[knobs.functions]
    terms: dict[Tree, None] = {}
    while len(terms) < knobs.terms:
        terms[_sample_term(rng, knobs.depth, kinds, knobs.joined)] = None
    signed = [term if rng.chance(0.6) else build.minus(term) for term in terms]
    text = trees.write(build.ordered(signed))
    where = ", for positive x" if any(_asks_positive(term) for term in terms) else ""
    natural = " ln is the natural logarithm." if "ln" in text else ""
    return Task(f"Differentiate f(x) = {text} with respect to x{where}.{natural}", Data(function=text))


def solve(task: Task[Data]) -> Tree:
    # By sympy; the verifier differentiates with rules of its own.
    import sympy

    function = trees.to_sympy(_read(task.data.function))
    return trees.from_sympy(sympy.diff(function, *function.free_symbols))


def verify(task: Task[Data], answer: Tree) -> Score:
    return Score.exact(trees.same(_derivative(task.data.function), answer), "that is not the derivative")


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    function = _read(task.data.function)
    wrong = [build.minus(right), function, _careless_derivative(function), build.add(right, trees.number(1)), trees.number(0)]
    return [tree for tree in wrong if not trees.same(_derivative(task.data.function), tree)]


def cost(task: Task[Data]) -> float:
    return trees.size(_derivative(task.data.function))


def derive(task: Task[Data]) -> Derivation:
    """From the innermost function outwards, so that each rule needs only derivatives found before."""
    function = _read(task.data.function)
    seen: set[Tree] = set(_sums(function))
    for node in reversed(list(trees.walk(function))):
        if isinstance(node, Apply) and trees.depends(node, "x") and node not in seen:
            seen.add(node)
            yield RULE(function=trees.write(node), slope=trees.write(trees.derivative(node, "x")), rule=_rule(node))


def _sample_term(rng: Rng, depth: int, kinds: tuple[str, ...], joined: int) -> Tree:
    factor = trees.number(rng.integer(2, 9)) if rng.chance(0.7) else trees.number(1)
    left = _sample_function(rng, depth, kinds)
    if rng.integer(1, 100) > joined:
        return build.times(factor, left)
    right = _sample_function(rng, max(1, depth - 1), kinds)
    if rng.chance(0.6) and left != right:
        return build.times(factor, build.times(left, right))
    # Below the stroke stands what is never zero for positive x.
    return build.over(build.times(factor, left), _sample_positive(rng, kinds))


def _sample_function(rng: Rng, depth: int, kinds: tuple[str, ...]) -> Tree:
    kind = rng.choice(kinds)
    if depth <= 1 and kind == "power":
        return build.power(X, rng.integer(1, 7))
    if kind == "exp":
        # Of nothing that grows faster than x, so that values stay in a range where they can be compared.
        slow = build.times(trees.number(rng.integer(1, 5)), X)
        return build.call("exp", build.call(rng.choice(("sin", "cos")), _sample_simple(rng)) if depth > 2 else slow)
    if kind in ("ln", "sqrt"):
        return build.call(kind, _sample_positive(rng, kinds))
    if depth <= 2:
        return build.power(_sample_simple(rng, 1), rng.integer(2, 6)) if kind == "power" else build.call(kind, _sample_simple(rng))
    inner = _sample_function(rng, depth - 1, kinds)
    return build.power(build.add(inner, trees.number(rng.integer(1, 9))), rng.integer(2, 6)) if kind == "power" else build.call(kind, inner)


def _sample_simple(rng: Rng, least: int = 0) -> Tree:
    return build.add(build.times(trees.number(rng.integer(1, 9)), build.power(X, rng.integer(1, 4))), trees.number(rng.integer(least, 9)))


def _sample_positive(rng: Rng, kinds: tuple[str, ...]) -> Tree:
    if "exp" in kinds and rng.chance(0.2):
        return build.add(build.call("exp", build.times(trees.number(rng.integer(1, 5)), X)), trees.number(rng.integer(1, 9)))
    return _sample_simple(rng, 1)


def _asks_positive(tree: Tree) -> bool:
    """Whether a function may be undefined where x is not positive: by ln, sqrt, or a divisor without exp, which can be zero."""
    return any(
        node.head in ("ln", "sqrt")
        or (node.head == "/" and not any(isinstance(part, Apply) and part.head == "exp" for part in trees.walk(node.parts[1])))
        for node in trees.walk(tree)
        if isinstance(node, Apply)
    )


def _sums(tree: Tree) -> list[Tree]:
    """The sums that make up the whole function: their derivatives would be the answer, before the last step."""
    return [tree, *_sums(tree.parts[0])] if isinstance(tree, Apply) and tree.head in ("+", "-") else []


def _careless_derivative(tree: Tree) -> Tree:
    """Derivatives without inner derivatives, products and quotients taken factor by factor."""
    if not isinstance(tree, Apply) or tree.head in ("+", "-", "neg"):
        parts = tuple(map(_careless_derivative, tree.parts)) if isinstance(tree, Apply) else ()
        return Apply(tree.head, parts) if isinstance(tree, Apply) else trees.derivative(tree, "x")
    if tree.head in ("*", "/"):
        parts = tuple(_careless_derivative(part) if trees.depends(part, "x") else part for part in tree.parts)
        return build.times(*parts) if tree.head == "*" else Apply("/", parts)
    inner = tree.parts[0]
    return trees.at(trees.derivative(trees.at(tree, "x", X) if inner == X else Apply(tree.head, (X, *tree.parts[1:])), "x"), "x", inner)


def _rule(node: Apply) -> str:
    head, inner = node.head, node.parts[0]
    if head in ("+", "-", "neg"):
        return "term by term"
    if head == "*":
        return "by the product rule" if all(trees.depends(part, "x") for part in node.parts) else "as constant factors stay"
    if head == "/":
        return "by the quotient rule" if trees.depends(node.parts[1], "x") else "as constant factors stay"
    name = "the power rule" if head == "^" else f"the rule for {head}"
    return f"by {name}" if inner == X else f"by {name} and the chain rule"


@lru_cache(maxsize=512)
def _read(text: str) -> Tree:
    return trees.read(text, ANSWER.grammar)


@lru_cache(maxsize=512)
def _derivative(text: str) -> Tree:
    return trees.derivative(_read(text), "x")


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=Solution(derive, END), concept=CONCEPT, version=3
)
