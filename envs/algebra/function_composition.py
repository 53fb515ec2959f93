"""Compose functions and their inverses, and give the result as one expression.

The functions are linear, or quotients of linear ones. The shifted family applies one function many times over.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Tree, build
from rlgym.generators.algebra import mobius
from rlgym.generators.algebra.mobius import Function
from rlgym.generators.claims import refuted
from rlgym.generators.steps import Line, ended


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
    drawn = [mobius.drawn(rng, knobs.largest, knobs.form) for _ in range(knobs.functions)]
    word = [(rng.integer(0, knobs.functions - 1), rng.chance(knobs.inverses)) for _ in range(knobs.length)]
    for k in range(1, len(word)):
        if word[k][0] == word[k - 1][0] and word[k][1] != word[k - 1][1]:
            word[k] = (word[k][0], word[k - 1][1])
    applied = "x"
    for which, inverse in reversed(word):
        applied = f"{_name(which, inverse)}({applied})"
    return _task(Data(functions=tuple(drawn), word=tuple(word)), f"Write h(x) = {applied}", any(inverse for _, inverse in word))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """One function, applied again and again to another."""
    times = knobs.length + rng.integer(0, 2)
    prompt = f"Write h(x) = f(f(...f(g(x))...)), where f is applied {times} times,"
    functions = (mobius.drawn(rng, knobs.largest, knobs.form), mobius.drawn(rng, knobs.largest, "quotients"))
    return _task(Data(functions=functions, word=(*((0, False),) * times, (1, False))), prompt, False)


def solve(task: Task[Data]) -> Tree:
    return mobius.of(_partial(task.data)[-1])


def verify(task: Task[Data], answer: Tree) -> Score:
    if not mobius.simple(answer):
        return Score.wrong("write h(x) as one quotient of linear expressions, or as one linear expression")
    return Score.exact(trees.same(solve(task), answer), "h(x) is another function")


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    whole: Function = (1, 0, 0, 1)
    for which, inverse in reversed(task.data.word):
        whole = mobius.after(whole, _wanted(task.data, which, inverse))
    swapped = [mobius.of(whole)] if mobius.primitive(whole) != _partial(task.data)[-1] else []
    sooner = mobius.of(_partial(task.data)[-2])
    inverted = mobius.of(mobius.inverse(_partial(task.data)[-1]))
    others = [mobius.of(task.data.functions[0]), sooner, inverted, build.minus(right), build.add(right, trees.Name("x"))]
    return [*swapped, *(tree for tree in others if not trees.same(right, tree))]


def cost(task: Task[Data]) -> float:
    return sum(len(str(function)) for function in _partial(task.data)) + 15 * sum(inverse for _, inverse in task.data.word)


def explain(task: Task[Data]) -> list[str]:
    used = sorted({which for which, inverse in task.data.word if inverse})
    steps = [_INVERSE.write(name=_name(which, False), formula=mobius.text(_wanted(task.data, which, True))) for which in used]
    names = [_name(*part) for part in reversed(task.data.word)]
    parts = _partial(task.data)
    steps.append(_INNER.write(name=names[0], formula=mobius.text(parts[1])))
    steps += [_PUT.write(count=k, name=name, formula=mobius.text(part)) for k, (name, part) in enumerate(zip(names[1:], parts[2:]), 2)]
    return [*steps, _LAST + _ANSWER.render(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    parts, names = _partial(task.data), [_name(*part) for part in reversed(task.data.word)]
    done = [1]

    def inverse(name: str, formula: str) -> bool:
        return mobius.same(_wanted(task.data, "fguv".index(name), True), formula)

    def inner(name: str, formula: str) -> bool:
        return name == names[0] and mobius.same(parts[1], formula)

    def put(count: str, name: str, formula: str) -> bool:
        done[0] += 1
        return int(count) == done[0] and name == names[done[0] - 1] and mobius.same(parts[done[0]], formula)

    return refuted(steps, [(_INVERSE, inverse), (_INNER, inner), (_PUT, put)], ended(_LAST, task, _ANSWER, verify))


def _task(data: Data, asked: str, inverted: bool) -> Task[Data]:
    names = [_name(i, False) for i in range(len(data.functions))]
    shown = "\n".join(f"{name}(x) = {mobius.text(function)}" for name, function in zip(names, data.functions))
    said = ", where a name followed by ^-1 stands for the inverse function," if inverted else ""
    return Task(
        f"Functions are given by\n{shown}\n\n{asked}{said} as one quotient of linear expressions in x, or as one linear expression.", data
    )


def _name(which: int, inverse: bool) -> str:
    return "fguv"[which] + "^-1" * inverse


def _wanted(data: Data, which: int, inverse: bool) -> Function:
    return mobius.inverse(data.functions[which]) if inverse else data.functions[which]


def _partial(data: Data) -> list[Function]:
    """What has become of x after 0, 1, 2, ... functions."""
    parts: list[Function] = [(1, 0, 0, 1)]
    for which, inverse in reversed(data.word):
        parts.append(mobius.primitive(mobius.after(_wanted(data, which, inverse), parts[-1])))
    return parts


_ANSWER = Expression(asks="h(x) as one expression in x")
_INVERSE = Line("The inverse of {name} is {formula}.")
_INNER = Line("First comes {name}: {formula}.")
_PUT = Line("Then, as function {count}, comes {name}: {formula}.")
_LAST = "So h(x) = "

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
    concept="Put the inner function into the outer one, from the inside out; quotients of linear functions multiply like matrices of size 2.",
    version=2,
)
