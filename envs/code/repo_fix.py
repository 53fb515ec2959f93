"""Repair a small repository: list, read, search and edit its files, run its tests, and submit.

Hidden tests decide; what is changed in the repository's own tests does not help. `parts` records the progress: `submitted`,
`changed` (some file outside tests), and `tests_passed` (the share of hidden tests).
"""

from pydantic import Field

from rlgym import Config, Game, Limits, Rng, Score, TaskData, knob
from rlgym.answers import Calls, Misuse, Tool, ToolCalls
from rlgym.generators.programs import pipelines, repositories, suites
from rlgym.sandbox import Returned, Runner
from rlgym.sandbox.grading import score_program
from rlgym.sandbox.session import Session


class ListFiles(Tool):
    """Lists the paths of all files."""


class ReadFile(Tool):
    """Shows the text of the file at this path."""

    path: str = Field(max_length=200)


class Search(Tool):
    """Shows the lines of all files that hold this text."""

    text: str = Field(min_length=1, max_length=200)


class EditFile(Tool):
    """Replaces the one place where `old` stands in the file at this path by `new`."""

    path: str = Field(max_length=200)
    old: str = Field(min_length=1, max_length=2000)
    new: str = Field(max_length=4000)


class RunTests(Tool):
    """Runs the repository's own tests and tells which fail, and how."""


class Submit(Tool):
    """Ends the task; hidden tests are run."""


TOOLS = ToolCalls((ListFiles, ReadFile, Search, EditFile, RunTests, Submit))
LONGEST_TOLD = 6000


class Knobs(Config):
    steps: int = knob(5, easy=2, hard=12, doc="steps that the package does, each in a function")
    kinds: int = knob(10, easy=6, hard=15, doc="how many kinds of steps there are to draw from, plain ones first")
    branches: int = knob(1, easy=0, hard=4, doc="steps that depend on the list so far, or take a number from it")
    faults: int = knob(1, easy=1, hard=4, doc="functions that are wrong")
    described: str = knob(
        "docstrings", easy="docstrings", hard="readme", order=("docstrings", "readme"), doc="where it is said what a step should do"
    )
    tests: int = knob(6, easy=10, hard=3, doc="tests in the repository")


class State(TaskData):
    files: dict[str, str]
    repaired: dict[str, str]
    tests: tuple[suites.Test, ...]
    package: str
    example: str
    changed: bool = False
    score: Score | None = None
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    inputs = pipelines.inputs(rng.child("inputs"), 300)
    while True:
        steps = pipelines.sample_identifiable_pipeline(rng, knobs.steps, knobs.kinds, knobs.branches, inputs[:60])
        right = pipelines.meant([step.meaning for step in steps])
        _, codes, wrong = pipelines.faulty(rng, steps, knobs.faults)
        failing = [arguments for arguments in inputs[:60] if not suites.agree(right, wrong, arguments)]
        if len(failing) >= 3:
            break
    shown = [*rng.sample(failing, 1), *rng.sample(inputs[:60], knobs.tests - 1)]
    examples = [(repr(arguments), repr(right(*arguments))) for arguments in shown]
    layout = rng.integer(0, 2**40)
    files, repaired = (
        repositories.repository(Rng("layout", layout), steps, code_list, examples, knobs.described)
        for code_list in (codes, [step.code for step in steps])
    )
    tests = suites.choose_tests(right, [wrong, *(meaning for _, meaning in pipelines.misread(steps))], inputs)
    package = next(path for path in files if path.endswith("__init__.py")).partition("/")[0]
    return State(
        files=files,
        repaired=repaired,
        tests=tuple(tests),
        package=package,
        example=f"solve({failing[0][0]}) should return {right(*failing[0])!r}",
    )


def show(state: State) -> str:
    if state.told:
        return state.told
    return (
        f"A small Python repository does not do what it says: {state.package}.run.solve(values) returns wrong values for some lists. For "
        f"example, {state.example}, and does not. What each step of it should do is described in the repository, and the "
        "description is right. Find what is wrong and repair it. Hidden tests "
        f"call {state.package}.run.solve; the repository's own tests are only some of them, and editing those does not help. "
        f"These are its files:\n{chr(10).join(state.files)}\n\nYou work on it with these tools:\n{TOOLS.manual()}"
    )


def act(state: State, calls: Calls, runner: Runner) -> State:
    replies = list[str]()
    for number, call in enumerate(calls, 1):
        state, reply = _perform(state, call, runner)
        replies.append(f"[{number}] {reply}" if len(calls) > 1 else reply)
        if state.score:
            break
    return state.model_copy(update={"told": "\n".join(replies)})


def outcome(state: State) -> Score | None:
    return state.score


def best(state: State) -> Calls:
    wrong = [path for path in state.files if state.files[path] != state.repaired[path]]
    edits = tuple(EditFile(path=path, old=old, new=new) for path in wrong for old, new in _edits(state.files[path], state.repaired[path]))
    return edits[: TOOLS.max_calls] or (Submit(),)


def mistakes(state: State) -> list[Calls]:
    path = "tests/test_run.py"
    gutted = EditFile(path=path, old="    assert got == wanted", new="    assert True")
    spoiled = EditFile(path=f"{state.package}/run.py", old="    return values", new="    return []")
    return [(Submit(),), (gutted, Submit()), (spoiled, Submit()), (RunTests(),), (ReadFile(path="nothing"),)]


def cost(state: State) -> float:
    return float(sum(map(len, state.files.values())))


def explain(state: State) -> list[str]:
    wrong = [
        (path, old.partition("def ")[2].partition("(")[0])
        for path in state.files
        for old, _ in _edits(state.files[path], state.repaired.get(path, state.files[path]))
    ]
    steps = ["The repository's tests that fail show which values come out wrong; each step of run.solve is one function."]
    steps += [f"In {path} the function {name} does not do what is said about it." for path, name in wrong]
    steps.append(
        "Only these functions are edited, and the tests are left as they are." if wrong else "Every function does what is said about it."
    )
    return [*steps, TOOLS.render(best(state))]


def turns(state: State) -> int:
    return 8 + len(state.files)


def _perform(state: State, call: object, runner: Runner) -> tuple[State, str]:
    session = Session(state.files)
    try:
        match call:
            case ListFiles():
                return state, "\n".join(session.list())
            case ReadFile(path=path):
                return state, session.read(path)[:LONGEST_TOLD]
            case Search(text=text):
                matches = "\n".join(f"{path}:{number}: {line}" for path, number, line in session.search(text, 60))
                return state, matches[:LONGEST_TOLD] or "no line holds that text"
            case EditFile(path=path, old=old, new=new):
                session.edit(path, old, new)
                files = {name: session.read(name) for name in session.list()}
                changed = state.changed or not path.startswith("tests/")
                return state.model_copy(update={"files": files, "changed": changed}), f"{path} was edited"
            case RunTests():
                return state, _test(state, runner)
            case Submit():
                return state.model_copy(update={"score": _judge(state, runner)}), ""
            case Misuse(problem=problem):
                return state, problem
    except (ValueError, FileNotFoundError) as why:
        return state, f"that was not done: {why}"
    raise AssertionError(f"unreachable: {call!r} is no declared tool")


def _test(state: State, runner: Runner) -> str:
    result = runner.run(repositories.program(state.files, repositories.RUN_TESTS), [()])
    answer = result.answer()
    if not isinstance(answer, Returned) or not _is_report(answer.value):
        return f"the tests could not be run: stopped by {result.stopped_by.value} {result.stderr[-300:]}"
    lines = [f"{name} {message or 'passes'}" for name, message in answer.value]
    return "\n".join(lines)[:LONGEST_TOLD] or "there are no tests"


def _is_report(value: object) -> bool:
    """Whether a value is what RUN_TESTS returns: edited code runs in the same process and can return anything in its place."""
    return isinstance(value, list) and all(
        isinstance(row, list | tuple) and len(row) == 2 and all(isinstance(part, str | None) for part in row) for row in value
    )


def _judge(state: State, runner: Runner) -> Score:
    rest = f"def solve(values):\n    import importlib\n    return importlib.import_module({state.package + '.run'!r}).solve(values)"
    score = score_program(runner, repositories.program(state.files, rest), state.tests)
    passed = sum(score.parts.values()) / len(state.tests)
    return Score(score.value, score.outcome, score.reason, {"submitted": 1.0, "changed": float(state.changed), "tests_passed": passed})


def _edits(wrong: str, right: str) -> list[tuple[str, str]]:
    """Replacements of whole functions that make the one text of the other."""
    pairs = zip(wrong.split("\n\n\n"), right.split("\n\n\n"), strict=True)
    return [(old, new) for old, new in pairs if old != new]


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain,
    planted=True, version=5,
    no_rules="The goal is all that is stated; that edits of tests do not help is a hint.",
    concept="Run the tests, work one that fails through the functions step by step, and compare each with its description.",
    sandbox=Limits(seconds=2, memory_mb=128),
)  # fmt: skip
