"""Find an input with which a marked line of a program is done: conditions solved backwards through the run. Any such input is right.

Every task has a program of its own: of a hundred thousand that are drawn alike, no two were the same with numbers left aside.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Literal
from rlgym.answers.literal import value_of, written
from rlgym.generators.programs import drawing, guards, interpreter
from rlgym.generators.programs.bounded_operators import Stopped
from rlgym.generators.programs.domains import Domain
from rlgym.generators.programs.grammar import KINDS
from rlgym.generators.programs.grammar_expressions import Shape
from rlgym.generators.programs.interpreter import Program
from rlgym.solutions import Derivation, Solution, Step, in_order

INPUTS = 80
FORMS = {"list": "it as a list,", "both": "it as a tuple of the list and the integer,", "numbers": "it as a tuple of both integers,"}
MOST_SHOWN = 40  # lines of the run in a worked solution, the last before the marked one
GUARD = Step("Line {line:int} is executed only where the test of line {at:int}, {test}, holds")
AFTER = Step("After line {line:int} the variables are: {values}")
END = "Line {line} follows, so one such input is {answer}"


class Knobs(Config):
    blocks: int = knob(2, easy=1, hard=5, doc="parts that the program is put together from")
    kinds: int = knob(8, easy=3, hard=KINDS, doc="kinds of parts, plain ones first")
    nesting: int = knob(1, easy=0, hard=3, doc="how deep branches and loops may stand in each other")
    helpers: int = knob(1, easy=0, hard=3, doc="other functions that it calls, the third one recursive")
    tests: int = knob(2, easy=1, hard=4, doc="tests around the marked line")
    rare: int = knob(6, easy=30, hard=2, doc="most percent of inputs with which it is done")


class Data(TaskData):
    program: str
    line: int
    domain: Domain
    known: tuple[str, ...]
    missing: tuple[str, ...]  # inputs with which it is not done


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    data = drawing.find(lambda: _sample(rng, knobs), enough=-knobs.rare / 100, tries=5)
    prompt = (
        f"{drawing.number_lines(data.program)}\n\nThe function solve of this Python program is called with {data.domain.words}. "
        f"With which input is line {data.line} executed at least once? Any such input is accepted. "
        f"Write {FORMS[data.domain.takes]} as in {data.domain.write(data.domain.plain()[0])}."
    )
    return Task(prompt, data)


def _sample(rng: Rng, knobs: Knobs) -> tuple[float, Data] | None:
    takes = rng.choice(("list", "both", "numbers"))
    size = rng.integer(3, 4 + knobs.blocks)
    domain = Domain(takes, size, size, rng.integer(-3, 1), rng.integer(12, 40))
    drawn = drawing.lively(rng, Shape(takes, knobs.blocks, knobs.kinds, knobs.nesting, knobs.helpers), longest=size, inputs=3)
    inputs = [domain.drawn(rng) for _ in range(INPUTS)]
    place = guards.place(rng, drawn.program.source, inputs)
    guarded = guards.rare(rng, place, knobs.tests, knobs.rare / 100) or guards.rare(rng, place, knobs.tests, 0.3) if place else None
    if place is None or guarded is None:
        return None
    tests, reached = guarded
    heads = [f"{'    ' * depth}if {test.text}:" for depth, test in enumerate(tests)]
    source = place.with_lines([*heads, f"{'    ' * len(tests)}{_start(drawn.program.source)} += {rng.integer(20, 60)}"])
    line = place.line + len(tests)
    program = interpreter.program(source)
    if any(_executes(program, line, arguments) for arguments in domain.plain()):
        return None
    missing = [domain.write(arguments) for arguments in inputs if arguments not in reached][:4]
    known = tuple(domain.write(arguments) for arguments in reached[:5])
    return -len(reached) / INPUTS, Data(program=source, line=line, domain=domain, known=known, missing=tuple(missing))


def _start(source: str) -> str:
    """The number that solve starts first."""
    return source.split("def solve")[1].split("\n")[1].split()[0]


def _executes(program: Program, line: int, arguments: drawing.Arguments) -> bool:
    try:
        return drawing.run(program, arguments, fuel=20_000).counts[line] > 0
    except Stopped:
        return False


def solve(task: Task[Data]) -> str:
    return task.data.known[0]


def verify(task: Task[Data], answer: str) -> Score:
    arguments = task.data.domain.read(value_of(answer))
    if arguments is None:
        return Score.wrong("that is no input of the kind that is asked for")
    return Score.exact(_executes(interpreter.program(task.data.program), task.data.line, arguments), "with that input the line is not done")


def mistakes(task: Task[Data], right: str) -> list[str]:
    arguments = task.data.domain.read(value_of(right))
    assert arguments is not None
    return [*task.data.missing, *task.data.domain.outside(arguments)]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.program))


def derive(task: Task[Data]) -> Derivation:
    """The tests around the line, from the line outwards, and the run on an input for which they hold."""
    data = task.data
    yield from in_order([GUARD(line=data.line, at=at, test=test) for at, test in drawing.tests_around(data.program, data.line)])
    arguments = data.domain.read(value_of(solve(task)))
    assert arguments is not None
    history = drawing.history(interpreter.program(data.program), arguments)
    first = next(place for place, (line, _) in enumerate(history) if line == data.line)
    for line, names in history[max(0, first - MOST_SHOWN) : first]:
        yield AFTER(line=line, values=", ".join(f"{name} = {written(value)}" for name, value in names.items()) or "none yet")


environment = Environment(
    Knobs, Literal("the input as a Python literal"),
    generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    planted=True, answers="many", solutions=lambda task: task.data.known,
    concept="What must the variables hold just before that line? Go back through the lines above and ask which input makes them so.",
    version=4,
)  # fmt: skip
