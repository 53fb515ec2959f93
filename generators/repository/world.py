"""A repository as a world of tools: the state, what each call shows, and the verdict of hidden tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from rlgym.answers.tools import Calls, Misuse, Tool, ToolCalls
from rlgym.core.limits import Limits
from rlgym.core.score import Score
from rlgym.core.task import TaskData
from rlgym.generators.programs.repositories import RUN_TESTS, program
from rlgym.generators.programs.suites import Test
from rlgym.generators.repository.commits import Commit, patch_of
from rlgym.generators.repository.tools import EditFile, ListFiles, Log, ReadFile, Run, RunTests, Search, ShowCommit, Submit, WriteFile
from rlgym.sandbox.grading import score_program
from rlgym.sandbox.interface import Returned, Runner
from rlgym.sandbox.session import Session

LIMITS = Limits(seconds=2, memory_mb=128)
LONGEST_SHOWN, MOST_MATCHES = 6000, 40
MOST_FILES, MOST_CHARACTERS = 150, 300_000
CALL = """
def solve(name, *arguments):
    import importlib
    module, _, function = name.rpartition(":")
    return getattr(importlib.import_module(module), function)(*arguments)
"""


class Repository(TaskData):
    """The state of a repository world. A family adds what its own checks need.

    solution  the files that the oracle writes; None where it removes one
    tests     hidden: a function with its arguments, and what it must return
    calls     how many calls there are; after the last one the work is judged
    reported  the lines of the issue, where there is one
    reproduced whether they were run
    replaced  the first text of each file that was written, None where there was none
    passing   the share of the repository's tests that passed in the last run
    """

    task: str
    package: str
    files: dict[str, str]
    solution: dict[str, str | None] = {}
    tests: tuple[Test, ...] = ()
    commits: tuple[Commit, ...] = ()
    calls: int
    reported: tuple[str, ...] = ()
    reproduced: bool = False
    replaced: dict[str, str | None] = {}
    passing: float = 0.0
    used: int = 0
    score: Score | None = None
    observation: str = ""


S = TypeVar("S", bound=Repository)
Judge = Callable[[Any, Runner], Score]
Handler = Callable[[Any, Tool, Runner], tuple[Any, str] | None]


def show(state: Repository) -> str:
    """The task, or the replies to the last calls."""
    return state.observation or state.task


def manual(tools: ToolCalls, calls: int, last: str = "submit") -> str:
    """The end of a task: the tools and how many calls may be made."""
    return (
        f"You work with these tools:\n{tools.manual()}\n\nYou can make at most {calls} calls in all, `{last}` included; after the last one the work is "
        "judged as it is."
    )


def listing(files: Mapping[str, str]) -> str:
    """The paths of the files, those of one folder on one line."""
    folders: dict[str, list[str]] = {}
    for path in sorted(files):
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, []).append(name)
    return "\n".join(f"{folder + '/: ' if folder else ''}{' '.join(names)}" for folder, names in folders.items())


def files_text(files: Mapping[str, str], texts: bool) -> str:
    """The files for the end of a task: with their texts, or their paths alone."""
    if not texts:
        return f"These are the files:\n\n{listing(files)}"
    return "These are the files with their texts:\n\n" + "\n".join(f"--- {path}\n{text}" for path, text in sorted(files.items()) if text)


def log_text(commits: Sequence[Commit]) -> str:
    """The commits with their messages, the newest first."""
    return "\n".join(f"{commit.id} {commit.message}" for commit in reversed(commits))


def outcome(state: Repository) -> Score | None:
    return state.score


def turns(state: Repository) -> int:
    """One for each call, and a few for answers that cannot be read."""
    return state.calls + 4


def make_act(judge: Judge, handle: Handler = lambda *_: None) -> Callable[..., Any]:
    """`act` of a family: `handle` answers the calls of tools that only this family has, `judge` the end."""

    def act(state: S, calls: Calls, runner: Runner) -> S:
        replies = list[str]()
        for number, call in enumerate(calls, 1):
            state, reply = _reply(state, call, runner, handle)
            state = state.model_copy(update={"used": state.used + 1})
            if not state.score and (isinstance(call, Submit) or state.used >= state.calls):
                state = state.model_copy(update={"score": judge(state, runner)})
            replies.append(f"[{number}] {reply}" if len(calls) > 1 else reply)
            if state.score:
                break
        left = state.calls - state.used
        replies.append(f"({left} {'call is' if left == 1 else 'calls are'} left.)")
        return state.model_copy(update={"observation": "\n".join(replies)})

    return act


def _reply(state: S, call: object, runner: Runner, handle: Handler) -> tuple[S, str]:
    try:
        if isinstance(call, Misuse):
            return state, call.problem
        if isinstance(call, Tool) and (handled := handle(state, call, runner)) is not None:
            return handled
        return _call_standard_tool(state, call, runner)
    except (ValueError, FileNotFoundError) as why:
        return state, f"that was not done: {why}"


def _call_standard_tool(state: S, call: object, runner: Runner) -> tuple[S, str]:
    match call:
        case ListFiles():
            return state, "\n".join(sorted(state.files))
        case ReadFile(path=path):
            return state, truncate(_text_of(state, path))
        case Search(text=text):
            found = [f"{path}:{number}: {line}" for path in sorted(state.files) for number, line in _lines_with(state.files[path], text)]
            return state, truncate("\n".join(found[:MOST_MATCHES])) or "no line contains that text"
        case EditFile(path=path, old=old, new=new):
            times = _text_of(state, path).count(old)
            if times != 1:
                raise ValueError(f"the text to replace must occur exactly once in {path!r}, and occurs {times} times")
            return _write_file(state, path, state.files[path].replace(old, new)), f"{path} was written"
        case WriteFile(path=path, text=text):
            return _write_file(state, path, text), f"{path} was written"
        case RunTests():
            shown, passing = run_tests(state.files, runner)
            return state.model_copy(update={"passing": passing}), shown
        case Run(lines=lines):
            same = bool(state.reported) and [line.strip() for line in lines] == [line.strip() for line in state.reported]
            return state.model_copy(update={"reproduced": state.reproduced or same}), run_lines(state, lines, runner)
        case Log():
            return state, log_text(state.commits) or "there are no commits"
        case ShowCommit(commit=name):
            return state, truncate(patch_of(state.commits, name))
    return state, "submitted"


def _text_of(state: Repository, path: str) -> str:
    if path not in state.files:
        raise FileNotFoundError(f"there is no file {path!r:.80}")
    return state.files[path]


def _lines_with(content: str, text: str) -> list[tuple[int, str]]:
    return [(number, line) for number, line in enumerate(content.split("\n"), 1) if text in line] if text in content else []


def _write_file(state: S, path: str, text: str) -> S:
    """The state with a new text of a file. ValueError for a path that leads elsewhere, and where the repository is full."""
    [plain] = Session({path: text}).list()  # checks the path and the text
    if any(other.startswith(f"{plain}/") or plain.startswith(f"{other}/") for other in state.files):
        raise ValueError(f"{path!r:.80} would be a file and a folder at once")
    files = {**state.files, plain: text}
    if len(files) > MOST_FILES or sum(map(len, files.values())) > MOST_CHARACTERS:
        raise ValueError(f"the repository holds at most {MOST_FILES} files of {MOST_CHARACTERS} characters together")
    replaced = {plain: state.files.get(plain), **state.replaced}
    return state.model_copy(update={"files": files, "replaced": replaced})


def truncate(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}\n[{len(text) - LONGEST_SHOWN} characters left out]"


def run_tests(files: Mapping[str, str], runner: Runner) -> tuple[str, float]:
    """The report of the repository's own tests, and the share that passes."""
    result = runner.run(program(files, RUN_TESTS), [()])
    answer = result.answer()
    if not isinstance(answer, Returned) or not is_report(answer.value):
        return f"the tests could not be run: {truncate(result.stderr[-500:]) or result.stopped_by.value}", 0.0
    failing = [f"{name} {message}" for name, message in answer.value if message]
    passing = len(answer.value) - len(failing)
    share = passing / len(answer.value) if answer.value else 0.0
    return truncate("\n".join([*failing, f"{passing} of {len(answer.value)} tests pass"])), share


def is_report(value: object) -> bool:
    """Whether a value is what RUN_TESTS returns: edited code runs in the same process and can return anything in its place."""
    return isinstance(value, list) and all(
        isinstance(row, list | tuple) and len(row) == 2 and all(isinstance(part, str | None) for part in row) for row in value
    )


def run_lines(state: Repository, lines: Sequence[str], runner: Runner) -> str:
    """What the package prints for these lines."""
    result = runner.run(program(state.files, CALL), [(f"{state.package}:run", list(lines))])
    answer = result.answer()
    if isinstance(answer, Returned):
        rows = answer.value
        return truncate("\n".join(map(str, rows)) if isinstance(rows, list) else repr(rows)) or "(an empty report)"
    return truncate(f"{answer.name}: {answer.reason} {result.stderr[-300:] if answer.name == 'NoAnswer' else ''}")


def judged_by_tests(state: Repository, runner: Runner) -> Score:
    """Right where all hidden tests pass."""
    score = score_program(runner, program(state.files, CALL), state.tests)
    passed = sum(score.parts.values()) / max(1, len(state.tests))
    return Score(score.value, score.outcome, score.reason, {"hidden_tests": passed})


def write_solution(state: Repository) -> Calls:
    """The oracle: writes the files of the solution, and submits."""
    missing = [path for path, text in state.solution.items() if text is not None and state.files.get(path) != text]
    calls = tuple(WriteFile(path=path, text=str(state.solution[path])) for path in missing[:4])
    return calls or (Submit(),)


def make_explain(tools: ToolCalls, best: Callable[[Any], Calls]) -> Callable[[Any], list[str]]:
    """The next calls of the oracle, with their purpose."""

    def explain(state: Repository) -> list[str]:
        calls = best(state)
        names = ", ".join(dict.fromkeys(call.path for call in calls if isinstance(call, WriteFile | EditFile)))
        return [f"What is missing is changed in {names}." if names else "Everything that was asked for is done.", tools.render(calls)]

    return explain


def shortcuts(state: Repository, *more: Calls) -> list[Calls]:
    """Calls without a fix: submit at once, only run the tests, empty the tests, or empty the report."""
    tests = next((path for path in sorted(state.files) if path.startswith("tests/test")), "tests/test_all.py")
    return [
        (Submit(),), (RunTests(),), (WriteFile(path=tests, text=""), Submit()),
        (WriteFile(path=f"{state.package}/__init__.py", text="def run(lines):\n    return []\n"), Submit()), *more,
    ]  # fmt: skip
