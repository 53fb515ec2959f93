"""Find the smallest list for which an assertion in a program fails: shrinking, to the end. All smaller lists are tried to judge it.

Every task has a program of its own: of a hundred thousand that are drawn alike, no two were the same with numbers left aside.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Literal
from rlgym.answers.literal import value_of, written
from rlgym.generators.programs import drawing, guards, interpreter
from rlgym.generators.programs.domains import Domain
from rlgym.generators.programs.grammar import KINDS
from rlgym.generators.programs.grammar_expressions import Shape
from rlgym.generators.programs.interpreter import Program
from rlgym.solutions import Derivation, Solution, Step

CHOICES = 4  # assertions that are tried for one program
SHORT = Step("The assertion fails for none of the lists with length {length:int}, of which there are {count:int}")
LENGTH = Step("It fails for some list with length {length:int}, so this is the length of the smallest")
NEXT = Step("Of the lists that begin with {start}, the smallest next value with which one fails is {value:int}")
END = "So the smallest list is {answer}"


class Knobs(Config):
    blocks: int = knob(2, easy=1, hard=4, doc="parts that the program is put together from")
    kinds: int = knob(7, easy=3, hard=KINDS, doc="kinds of parts, plain ones first")
    nesting: int = knob(1, easy=0, hard=2, doc="how deep branches and loops may stand in each other")
    helpers: int = knob(1, easy=0, hard=2, doc="other functions that it calls")
    tests: int = knob(2, easy=1, hard=3, doc="tests that hold together when the assertion fails")
    longest: int = knob(4, easy=3, hard=5, beyond=6, doc="most values in a list")


class Data(TaskData):
    program: str
    domain: Domain
    smaller: int  # lists before the answer
    failing: tuple[str, ...]  # the smallest and some larger ones
    passing: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    data = drawing.find(lambda: _sample(rng, knobs), enough=3 ** (knobs.longest - 1), tries=4)
    prompt = (
        f"{drawing.number_lines(data.program)}\n\nThe function solve of this Python program is called with {data.domain.words}. "
        "For some of these lists the assert statement fails. Which is the smallest of them? A list is smaller than another one if it is shorter, "
        "or of the same length and smaller in the first place where they differ."
    )
    return Task(prompt, data)


def _sample(rng: Rng, knobs: Knobs) -> tuple[float, Data] | None:
    low = rng.integer(-12, 30)
    domain = Domain("list", 1, knobs.longest, low, low + 2)
    shape = Shape("list", knobs.blocks, knobs.kinds, knobs.nesting, knobs.helpers)
    drawn = drawing.lively(rng, shape, longest=knobs.longest, inputs=3)
    inputs = list(domain.everything())
    place = guards.place(rng, drawn.program.source, inputs, last=rng.chance(0.4))
    drawn_tests = [guards.rare(rng, place, knobs.tests, 0.2) for _ in range(CHOICES)] if place else []
    fitting = [drawn_test for drawn_test in drawn_tests if drawn_test and len(set(drawn_test[1][0][0])) > 1]
    if place is None or not fitting:
        return None
    tests, failing = max(fitting, key=lambda pair: inputs.index(pair[1][0]))
    source = place.with_lines([f"assert not ({' and '.join(test.text for test in tests)})"])
    smaller = inputs.index(failing[0])
    passing = [inputs[smaller - 1], inputs[0], (sorted(failing[0][0]),)]
    data = Data(
        program=source,
        domain=domain,
        smaller=smaller,
        failing=tuple(domain.write(arguments) for arguments in failing[:4]),
        passing=tuple(domain.write(arguments) for arguments in passing),
    )
    return smaller, data


def _fails(program: Program, arguments: drawing.Arguments) -> bool:
    ended = drawing.run(program, arguments)
    return ended.raised is not None and ended.raised.kind == "AssertionError"


def solve(task: Task[Data]) -> str:
    """All lists are tried, the smallest first."""
    program = interpreter.program(task.data.program)
    return task.data.domain.write(next(arguments for arguments in task.data.domain.everything() if _fails(program, arguments)))


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.failing[0], "that is not the smallest list for which it fails")


def mistakes(task: Task[Data], right: str) -> list[str]:
    values = value_of(right)
    near = [values[::-1], values[:-1], values[1:], [*values, values[-1]]]
    return [*task.data.failing[1:], *task.data.passing, *map(written, near)]


def cost(task: Task[Data]) -> float:
    return float(task.data.smaller) + len(task.data.program) / 10


def derive(task: Task[Data]) -> Derivation:
    """The smallest length, then the smallest values from the front."""
    data, right = task.data, value_of(solve(task))
    for length in range(data.domain.least, len(right)):
        yield SHORT(length=length, count=(data.domain.high - data.domain.low + 1) ** length)
    yield LENGTH(length=len(right))
    for place, value in enumerate(right):
        yield NEXT(start=written(right[:place]), value=value)


environment = Environment(
    Knobs, Literal("one list of integers, like [1, 2, 3]"), generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    concept="What must hold where the assertion stands? Ask which lengths can bring it about, then take the values as small as possible from the front.",
)  # fmt: skip
