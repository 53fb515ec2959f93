"""Compose functions and their inverses, and give the result as one expression.

The functions are linear, or quotients of linear ones. The shifted family applies one function repeatedly.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Tree, build
from rlgym.generators.algebra import mobius
from rlgym.generators.algebra.mobius import Function
from rlgym.generators.draws import draw_short
from rlgym.solutions import Checks, Derivation, Solution, Step

ANSWER = Expression(instructions="h(x) as one expression in x")
INVERSE = Step("The inverse of {name} is {formula}.")
INNER = Step("First comes {name}: {formula}.")
NEXT = Step("Then, as function {count:int}, comes {name}: {formula}.")
NAMES = "fguv"
CLOSING = "So h(x) = {answer}"
CONCEPT = "Put the inner function into the outer one, from the inside out; quotients of linear functions multiply like matrices of size 2."


class Knobs(Config):
    functions: int = knob(2, easy=2, hard=4, doc="different functions")
    length: int = knob(4, easy=2, hard=9, doc="how many functions are applied one after another")
    form: str = knob(
        "quotients", easy="linear", hard="quotients", order=("linear", "quotients"), doc="linear functions, or quotients of them"
    )
    inverses: float = knob(0.3, easy=0.0, hard=0.5, doc="share of functions that are inverted")
    largest: int = knob(5, easy=5, hard=8, doc="largest coefficient")


class Data(TaskData):
    functions: tuple[Function, ...]
    word: tuple[tuple[int, bool], ...]  # which function, and whether its inverse; the outermost first


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    functions = [mobius.sample_function(rng, knobs.largest, knobs.form) for _ in range(knobs.functions)]
    word = [(rng.integer(0, knobs.functions - 1), rng.chance(knobs.inverses)) for _ in range(knobs.length)]
    for k in range(1, len(word)):
        if word[k][0] == word[k - 1][0] and word[k][1] != word[k - 1][1]:
            word[k] = (word[k][0], word[k - 1][1])
    applied = "x"
    for which, inverse in reversed(word):
        applied = f"{_name(which, inverse)}({applied})"
    return _render_task(Data(functions=tuple(functions), word=tuple(word)), f"Write h(x) = {applied}", any(inverse for _, inverse in word))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """One function applied repeatedly to another."""
    return draw_short(lambda: _sample_powers(rng, knobs), solve)


def _sample_powers(rng: Rng, knobs: Knobs) -> Task[Data]:
    times = knobs.length + rng.integer(0, 2)
    prompt = f"Write h(x) = f(f(...f(g(x))...)), where f is applied {times} times,"
    functions = (mobius.sample_function(rng, knobs.largest, knobs.form), mobius.sample_function(rng, knobs.largest, "quotients"))
    return _render_task(Data(functions=functions, word=(*((0, False),) * times, (1, False))), prompt, False)


def solve(task: Task[Data]) -> Tree:
    return mobius.to_tree(_compositions(task.data)[-1])


def verify(task: Task[Data], answer: Tree) -> Score:
    if not mobius.is_simple(answer):
        return Score.wrong("write h(x) as one quotient of linear expressions, or as one linear expression")
    return Score.exact(trees.same(solve(task), answer), "h(x) is another function")


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    composition: Function = (1, 0, 0, 1)
    for which, inverse in reversed(task.data.word):
        composition = mobius.compose(composition, _factor(task.data, which, inverse))
    swapped = [mobius.to_tree(composition)] if mobius.primitive(composition) != _compositions(task.data)[-1] else []
    sooner = mobius.to_tree(_compositions(task.data)[-2])
    inverted = mobius.to_tree(mobius.inverse(_compositions(task.data)[-1]))
    others = [mobius.to_tree(task.data.functions[0]), sooner, inverted, build.minus(right), build.add(right, trees.Name("x"))]
    return [*swapped, *(tree for tree in others if not trees.same(right, tree))]


def cost(task: Task[Data]) -> float:
    return sum(len(str(function)) for function in _compositions(task.data)) + 15 * sum(inverse for _, inverse in task.data.word)


def derive(task: Task[Data]) -> Derivation:
    for which in sorted({which for which, inverse in task.data.word if inverse}):
        yield INVERSE(name=_name(which, False), formula=mobius.text(_factor(task.data, which, True)))
    names, parts = _names_inside_out(task.data), _compositions(task.data)
    yield INNER(name=names[0], formula=mobius.text(parts[1]))
    for k, (name, part) in enumerate(zip(names[1:], parts[2:]), 2):
        yield NEXT(count=k, name=name, formula=mobius.text(part))


def checks(task: Task[Data]) -> Checks:
    parts, names, applied = _compositions(task.data), _names_inside_out(task.data), 1

    def next_function(count: int, name: str, formula: str) -> bool:
        nonlocal applied
        applied += 1
        return count == applied and name == names[applied - 1] and mobius.is_same(parts[applied], formula)

    return {
        INVERSE: lambda name, formula: mobius.is_same(_factor(task.data, NAMES.index(name), True), formula),
        INNER: lambda name, formula: name == names[0] and mobius.is_same(parts[1], formula),
        NEXT: next_function,
    }


def _render_task(data: Data, question: str, inverted: bool) -> Task[Data]:
    names = [_name(i, False) for i in range(len(data.functions))]
    shown = "\n".join(f"{name}(x) = {mobius.text(function)}" for name, function in zip(names, data.functions))
    note = ", where a name followed by ^-1 stands for the inverse function," if inverted else ""
    return Task(
        f"Functions are given by\n{shown}\n\n{question}{note} as one quotient of linear expressions in x, or as one linear expression.",
        data,
    )


def _name(which: int, inverse: bool) -> str:
    return NAMES[which] + "^-1" * inverse


def _factor(data: Data, which: int, inverse: bool) -> Function:
    return mobius.inverse(data.functions[which]) if inverse else data.functions[which]


def _names_inside_out(data: Data) -> list[str]:
    return [_name(*part) for part in reversed(data.word)]


def _compositions(data: Data) -> list[Function]:
    """The compositions of the innermost 0, 1, 2, ... functions."""
    parts: list[Function] = [(1, 0, 0, 1)]
    for which, inverse in reversed(data.word):
        parts.append(mobius.primitive(mobius.compose(_factor(data, which, inverse), parts[-1])))
    return parts


solution = Solution(derive, CLOSING, checks)
environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=solution, shift=shift, concept=CONCEPT, version=3
)
