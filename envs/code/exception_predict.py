"""Say which exception ends a run of a program and in which line it is raised, or what is returned when none does.

Every task has a program of its own: of a hundred thousand that are drawn alike, no two were the same with numbers left aside.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Literal
from rlgym.answers.literal import value_of, written
from rlgym.generators.programs import drawing, hazards, interpreter
from rlgym.generators.programs.bounded_operators import Stopped
from rlgym.generators.programs.drawing import Arguments
from rlgym.generators.programs.grammar import KINDS
from rlgym.generators.programs.grammar_expressions import Shape
from rlgym.generators.programs.interpreter import Ended, Program
from rlgym.solutions import Derivation, Solution, Step

RETURNED = 25  # percent of tasks in which the run ends without an exception
AFTER = Step("After line {line:int} the variables are: {values}")
END = "The run ends with {answer}"


class Knobs(Config):
    blocks: int = knob(3, easy=2, hard=6, beyond=10, doc="parts that the program is put together from")
    kinds: int = knob(8, easy=3, hard=KINDS, doc="kinds of parts, plain ones first")
    nesting: int = knob(1, easy=0, hard=3, doc="how deep branches and loops may stand in each other")
    risks: int = knob(4, easy=3, hard=7, doc="lines put in that may raise an exception")
    hazards: int = knob(7, easy=6, hard=hazards.KINDS, doc="ways of raising exceptions, plain ones first")
    caught: int = knob(40, easy=0, hard=75, doc="percent of those lines that stand in a try statement, which need not catch what comes")
    steps: int = knob(25, easy=6, hard=90, beyond=300, doc="least lines that are done in the run", scale="log")


class Data(TaskData):
    program: str
    call: str
    wanted: str
    passed: tuple[str, ...]
    others: tuple[str, ...]  # what other inputs lead to, and other lines that may raise


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, ("list", "both"))


def _sample_task(rng: Rng, knobs: Knobs, kinds: tuple[str, ...]) -> Task[Data]:
    returned = rng.integer(1, 100) <= RETURNED
    source, arguments, ended, others = drawing.find(lambda: _sample(rng, knobs, returned, kinds), enough=knobs.steps, tries=20)
    prompt = (
        f"{drawing.number_lines(source)}\n\nThis Python program is run as {drawing.call(arguments)}. "
        "If an exception ends the run, give its exact class and the number of the line in which it is raised, like ('KeyError', 4); "
        "an exception that is caught does not end it. Else give what is returned, like ('returned', 15)."
    )
    history = drawing.history(interpreter.program(source), arguments)
    passed = tuple(f"line {line}: {', '.join(f'{key} = {written(item)}' for key, item in names.items())}" for line, names in history)
    return Task(prompt, Data(program=source, call=drawing.call(arguments), wanted=_describe(ended), passed=passed, others=others))


def _sample(
    rng: Rng, knobs: Knobs, returned: bool, kinds: tuple[str, ...]
) -> tuple[float, tuple[str, Arguments, Ended, tuple[str, ...]]] | None:
    shape = Shape(rng.choice(kinds), knobs.blocks, knobs.kinds, knobs.nesting)
    drawn = drawing.lively(rng, shape, longest=4 + knobs.blocks, most_steps=knobs.steps * 6 + 80 * knobs.blocks, inputs=3)
    source = hazards.with_hazards(rng, drawn.program.source, knobs.risks, knobs.hazards, knobs.caught)
    program = interpreter.program(source)
    runs = [(arguments, ended) for arguments in drawn.inputs if (ended := _run(program, arguments))]
    fitting = [(arguments, ended) for arguments, ended in runs if (ended.raised is None) == returned]
    if not fitting:
        return None
    arguments, ended = max(fitting, key=lambda run: run[1].steps)
    lines = [number for number, line in enumerate(source.split("\n"), 1) if "%" in line]
    others = [_describe(other) for _, other in runs] + [written((kind, line)) for kind in ("ValueError", "IndexError") for line in lines]
    return min(ended.steps, knobs.steps), (source, arguments, ended, tuple(dict.fromkeys(others))[:8])


def _run(program: Program, arguments: Arguments) -> Ended | None:
    try:
        return drawing.run(program, arguments)
    except Stopped:
        return None


def _describe(ended: Ended) -> str:
    return written(("returned", ended.value) if ended.raised is None else (ended.raised.kind, ended.raised.line))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Programs that take two integers instead of a list, so that loops run over numbers computed from them."""
    return _sample_task(rng, knobs, ("numbers",))


def solve(task: Task[Data]) -> str:
    """Done anew, from the text of the program and of the call."""
    return _describe(drawing.run(interpreter.program(task.data.program), drawing.arguments_of(task.data.call)))


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.wanted, "the run ends in another way")


def mistakes(task: Task[Data], right: str) -> list[str]:
    kind, message = value_of(right)
    return [*task.data.others, written((kind, [message])), written(("Exception", message)), written(message)]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.passed)) + len(task.data.program) / 20


def derive(task: Task[Data]) -> Derivation:
    """The run, line by line."""
    for passed in task.data.passed:
        line, _, values = passed.removeprefix("line ").partition(": ")
        yield AFTER(line=line, values=values or "none yet")


environment = Environment(
    Knobs, Literal("a tuple: the exception's class as text and the line, or 'returned' and the value"),
    generate, solve, verify, mistakes, cost, solution=Solution(derive, END), shift=shift,
    concept="Follow the variables line by line, and at every line that may raise an exception ask whether it does, and who catches it.",
)  # fmt: skip
