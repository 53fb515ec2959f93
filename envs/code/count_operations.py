"""Say how often some lines, tests, calls and operations are done in one run of a program: its costs, counted.

Every task has a program of its own: of a hundred thousand that are drawn alike, no two were the same with numbers left aside.
"""

from collections import Counter

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Literal
from rlgym.answers.literal import value_of, written
from rlgym.generators.programs import counting, drawing
from rlgym.generators.programs.bounded_operators import Stopped
from rlgym.generators.programs.counting import Countable
from rlgym.generators.programs.drawing import Lively
from rlgym.generators.programs.grammar import KINDS
from rlgym.generators.programs.grammar_expressions import Shape
from rlgym.solutions import Derivation, Solution, Step, any_order

WAYS = (counting.lines, counting.tests, counting.operations, counting.calls)
ORDER = Step("The lines that are no heads of blocks are executed in this order: {lines:ints}")
COUNT = Step("In this order, and with the tests in between, one counts how often {words}: {count:int}")
END = "Together: {answer}"


class Knobs(Config):
    blocks: int = knob(3, easy=2, hard=6, doc="parts that the program is put together from")
    kinds: int = knob(8, easy=2, hard=KINDS, doc="kinds of parts, plain ones first")
    nesting: int = knob(1, easy=0, hard=3, doc="how deep branches and loops may stand in each other")
    helpers: int = knob(2, easy=0, hard=3, doc="other functions that it calls, the third one recursive")
    counters: int = knob(4, easy=3, hard=5, doc="operations to count")
    counter_kinds: int = knob(3, easy=1, hard=len(WAYS), doc="kinds of operations that are counted: lines, tests, operations, calls")
    steps: int = knob(40, easy=10, hard=200, doc="least lines that are done in the run", scale="log")


class Data(TaskData):
    passed: tuple[int, ...]  # the lines in the order in which they are done
    words: tuple[str, ...]
    counts: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    drawn, asked = drawing.find(lambda: _sample(rng, knobs), enough=knobs.steps)
    source, arguments = drawn.program.source, drawn.inputs[0]
    questions = "\n".join(f"{number}. {countable.words}" for number, countable in enumerate(asked, 1))
    prompt = (
        f"{drawing.number_lines(source)}\n\nThis Python program is run as {drawing.call(arguments)}. "
        f"Count how often each of these things happens in the whole run, 0 if never:\n\n{questions}"
    )
    passed = tuple(line for line, _ in drawing.history(drawn.program, arguments))
    return Task(
        prompt,
        Data(passed=passed, words=tuple(countable.words for countable in asked), counts=tuple(countable.number for countable in asked)),
    )


def _sample(rng: Rng, knobs: Knobs) -> tuple[float, tuple[Lively, list[Countable]]] | None:
    shape = Shape(rng.choice(("list", "both", "numbers")), knobs.blocks, knobs.kinds, knobs.nesting, knobs.helpers)
    drawn = drawing.lively(rng, shape, longest=5 + 2 * knobs.blocks, most_steps=knobs.steps * 4 + 80 * knobs.blocks, inputs=3)
    try:
        things = [count_all(drawn.program.source, drawn.inputs[0]) for count_all in WAYS[: knobs.counter_kinds]]
    except Stopped:
        return None
    # Counts that one sees at once, as the commonest is, are left to one in each question; the kinds of things take turns.
    ((common, _),) = Counter(countable.number for group in things for countable in group).most_common(1)
    hard = [
        some
        for group in things
        if (some := rng.shuffled([countable for countable in group if countable.number > 2 and countable.number != common]))
    ]
    selected = [some[turn] for turn in range(knobs.counters) for some in hard if turn < len(some)][: knobs.counters - 1]
    selected += [
        countable for countable in rng.shuffled([countable for group in things for countable in group]) if countable not in selected
    ][: knobs.counters - len(selected)]
    if len(selected) < knobs.counters or len({countable.number for countable in selected}) < 2:
        return None
    return min(drawn.ends[0].steps, knobs.steps), (drawn, rng.shuffled(selected))


def solve(task: Task[Data]) -> str:
    return written(list(task.data.counts))


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == solve(task), "these things are not done that often")


def mistakes(task: Task[Data], right: str) -> list[str]:
    counts = value_of(right)
    return [
        *(written([*counts[:i], counts[i] + by, *counts[i + 1 :]]) for i in range(len(counts)) for by in (1, -1)),
        written(counts[::-1]),
        written(counts[:-1]),
        written(sum(counts)),
    ]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.passed)) * len(task.data.words)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    yield ORDER(lines=data.passed)
    yield from any_order([COUNT(words=words, count=count) for words, count in zip(data.words, data.counts)])


environment = Environment(
    Knobs, Literal("a list of the counts in the order of the questions, like [3, 0, 12]"),
    generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    planted=True,
    concept="Do the run line by line with tally marks; a while test is evaluated once more than its body is executed, unless a break ends it.",
    version=5,
)  # fmt: skip
