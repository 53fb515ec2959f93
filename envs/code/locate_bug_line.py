"""Find the one wrong line of a program from what it should return, and write it as it should be.

One of the kinds of fault that the prompt names was put into one place. All other programs that one such change leads to are tried,
so that only this line can be put right; every way of writing it that passes is accepted.

Every task has a program of its own: of a hundred thousand that are drawn alike, no two were the same with numbers left aside.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.answers.literal import written
from rlgym.generators.programs import drawing, faults, interpreter
from rlgym.generators.programs.bounded_operators import Stopped
from rlgym.generators.programs.drawing import Arguments, Lively
from rlgym.generators.programs.faults import Fault
from rlgym.generators.programs.grammar import KINDS
from rlgym.generators.programs.grammar_expressions import Shape
from rlgym.solutions import Derivation, Solution, Step, any_order

CHOICES = 6  # faults that are tried for one program
FAILS = Step("{call} should return {wanted} and returns {got}, so a line that is executed in this run is wrong")
TRIED = Step("With line {line:int} as `{text}` instead of `{before}`, {call} returns {value}, as it should")
END = "All calls are right with this change: {answer}"


class Knobs(Config):
    blocks: int = knob(2, easy=1, hard=3, doc="parts that the program is put together from")
    kinds: int = knob(7, easy=3, hard=KINDS, doc="kinds of parts, plain ones first")
    nesting: int = knob(1, easy=0, hard=2, doc="how deep branches and loops may stand in each other")
    helpers: int = knob(1, easy=0, hard=2, doc="other functions that it calls")
    tests: int = knob(5, easy=4, hard=6, doc="given calls with the values that they should return")
    failing: int = knob(60, easy=100, hard=20, doc="most percent of those calls for which the program returns something else")


class Data(TaskData):
    program: str
    calls: tuple[tuple[str, str, str], ...]  # a call, what it should return, what it returns
    right: tuple[str, ...]  # the line, and all ways to write it that the calls do not tell apart
    near: tuple[str, ...]  # other changes


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    data = drawing.find(lambda: _sample(rng, knobs), enough=-knobs.failing / 100 - 0.15, tries=2)
    calls = "\n".join(f"{call} should return {expected}, and returns {got}" for call, expected, got in data.calls)
    kinds = "\n".join(f"- {words}" for words in faults.WORDS)
    prompt = (
        f"{drawing.number_lines(data.program)}\n\nOne line of this Python program contains one mistake, of one of these kinds:\n{kinds}\n\n"
        f"With that one mistake corrected, all these calls return what they should:\n{calls}\n\n"
        "Which line is wrong, and how should it read? Write the number of the line, a colon, and the whole line as it should be. "
        "Indentation and other spaces do not matter."
    )
    return Task(prompt, data)


def _sample(rng: Rng, knobs: Knobs) -> tuple[float, Data] | None:
    shape = Shape(rng.choice(("list", "both", "numbers")), knobs.blocks, knobs.kinds, knobs.nesting, knobs.helpers)
    drawn = drawing.lively(rng, shape, longest=4 + knobs.blocks, most_steps=40 + 40 * knobs.blocks, inputs=knobs.tests)
    right = [written(end.value) for end in drawn.ends]
    ranked = []
    for fault in rng.shuffled(faults.faults(drawn.program.source))[:CHOICES]:
        got = _returned_values(fault.source, drawn.inputs)
        failing = sum(first != second for first, second in zip(got, right))
        if failing:
            ranked.append((abs(failing * 100 - knobs.failing * len(right)), fault, got))
    for _, fault, got in sorted(ranked, key=lambda entry: entry[0])[:2]:
        if data := _build_data(rng, drawn, fault, right, got):
            failing = sum(first != second for first, second in zip(got, right))
            return -failing / len(right), data
    return None


def _build_data(rng: Rng, drawn: Lively, fault: Fault, right: list[str], got: list[str]) -> Data | None:
    """The task of finding this fault, if no other line can be put right instead."""
    others = faults.faults(fault.source)
    # The calls that fail come first, as most changes do not mend them; nor does a change in a line that they do not reach.
    order = sorted(range(len(right)), key=lambda i: right[i] == got[i])
    inputs, expected = tuple(drawn.inputs[i] for i in order), [right[i] for i in order]
    reached = _executed_lines(fault.source, inputs[0])
    mended = [other for other in others if other.line in reached and _passes(other.source, inputs, expected)]
    if {other.line for other in mended} != {fault.line}:
        return None
    near = [other for other in others if other not in mended]
    calls = zip(map(drawing.call, drawn.inputs), right, got)
    return Data(
        program=fault.source,
        calls=tuple(calls),
        right=tuple(
            dict.fromkeys(
                _describe(candidate) for candidate in sorted(mended, key=lambda candidate: candidate.source != drawn.program.source)
            )
        ),
        near=tuple(_describe(candidate) for candidate in rng.sample(near, min(5, len(near)))),
    )


def _executed_lines(source: str, arguments: Arguments) -> frozenset[int]:
    """The lines that are done, all of them if the run does not end."""
    try:
        return frozenset(drawing.run(interpreter.program(source), arguments, fuel=1000).counts)
    except Stopped:
        return frozenset(range(1, source.count("\n") + 2))


def _describe(fault: Fault) -> str:
    return f"{fault.line}: {fault.source.split(chr(10))[fault.line - 1].strip()}"


def _returned_values(source: str, inputs: tuple[Arguments, ...]) -> list[str]:
    program = interpreter.program(source)
    return [_value(program, arguments) for arguments in inputs]


def _passes(source: str, inputs: tuple[Arguments, ...], right: list[str]) -> bool:
    program = interpreter.program(source)
    return all(_value(program, arguments) == value for arguments, value in zip(inputs, right))


def _value(program: interpreter.Program, arguments: Arguments) -> str:
    try:
        end = drawing.run(program, arguments, fuel=1000)
    except Stopped:
        return "nothing, as it does not end"
    return f"nothing, as it raises {end.raised.kind}" if end.raised else written(end.value)


def solve(task: Task[Data]) -> str:
    """Tries every change there is."""
    inputs = tuple(drawing.arguments_of(call) for call, *_ in task.data.calls)
    expected = [value for _, value, _ in task.data.calls]
    return next(_describe(fault) for fault in faults.faults(task.data.program) if _passes(fault.source, inputs, expected))


def verify(task: Task[Data], answer: str) -> Score:
    right = ("".join(line.split()) for line in task.data.right)
    return Score.exact("".join(answer.split()) in right, "that does not put the program right")


def mistakes(task: Task[Data], right: str) -> list[str]:
    number, line = right.split(": ", 1)
    shown = task.data.program.split("\n")[int(number) - 1].strip()
    return [*task.data.near, f"{number}: {shown}", f"{int(number) + 1}: {line}", number, line]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.program)) * len(task.data.calls)


def derive(task: Task[Data]) -> Derivation:
    """The calls that fail, then all calls with the change that mends them."""
    data = task.data
    yield from any_order([FAILS(call=call, wanted=wanted, got=got) for call, wanted, got in data.calls if wanted != got])
    number, text = solve(task).split(": ", 1)
    before = data.program.split("\n")[int(number) - 1].strip()
    yield from any_order([TRIED(line=int(number), text=text, before=before, call=call, value=wanted) for call, wanted, _ in data.calls])


environment = Environment(
    Knobs, Text("the number of the line, a colon, and the line as it should be, like this: `4: total += 2`", ignore_spaces=True),
    generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    answers="many", solutions=lambda task: task.data.right,
    concept="Do a short call that fails by hand and find the first line whose effect cannot be meant; then check the change on the other calls.",
    version=3,
)  # fmt: skip
