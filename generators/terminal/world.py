"""A shell in the sandbox as a world of two tools: the state, what a command shows, and how oracles and tempted players follow a plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from pydantic import Field

from rlgym.answers.tools import Calls, Tool, ToolCalls
from rlgym.core.limits import Limits
from rlgym.core.score import Score
from rlgym.core.task import TaskData
from rlgym.generators.simulations.calls import run
from rlgym.sandbox.terminal import BOUNDS, Ended, Entry, file_size, run_command

CLOCK = 1715947200  # 2024-05-17 12:00:00 UTC: files of the task are older, and what the n-th command changes is n minutes younger
LONGEST_COMMAND, LONGEST_OUTPUT, LONGEST_ERRORS = 12_000, 5000, 1500  # characters
LOOK = "ls -la"
LISTED = 24  # files that the task lists
LIMITS = Limits(seconds=4, memory_mb=512, output_kb=128, processes=32)


class Bash(Tool):
    """Runs a command line with bash; shows the exit status, the output and the errors."""

    command: str = Field(min_length=1, max_length=LONGEST_COMMAND)


class Done(Tool):
    """Ends the work; the files are then checked."""


TOOLS = ToolCalls((Bash, Done), max_characters=LONGEST_COMMAND + 4000)
MANUAL = f"""\
You work on it with these tools:
{TOOLS.manual()}

Each command runs in a new bash in the folder /work. Files below /work stay from one command to the next; variables, the current folder and \
processes do not, and /tmp is emptied after each command. You can use the GNU core utilities, grep, sed, awk, find, xargs, diff, tar, gzip and \
Python 3 with its standard library; there is no network, no /proc, and no process substitution. A long output is cut in the middle. Hidden checks \
compare all files below /work with what they must be, so change only what the task requires; files in /work/scratch are not checked. A command \
that leaves more than {BOUNDS["most_files"]} files and folders below /work, /work/scratch included, more than {BOUNDS["most_bytes"] >> 20} MiB of \
data in them, or a path of more than {BOUNDS["longest"]} characters, is undone. Call done when you have finished."""


class Terminal(TaskData):
    """The state of a terminal world. A family adds what its own plan and checks need.

    before    the files of the task
    expected  the paths at which the end must differ from it, with what must be there; None where nothing may be there
    """

    task: str
    before: dict[str, Entry]
    expected: dict[str, Entry | None] = {}
    files: dict[str, Entry]
    ran: int = 0
    finished: bool = False
    observation: str = ""


class Step(NamedTuple):
    """A command of the oracle, and the reason for it."""

    command: str
    why: str


S = TypeVar("S", bound=Terminal)
Plan = Callable[[Any], Sequence[Step]]


def show(state: Terminal) -> str:
    """The task and the files that there are, or what the last commands showed."""
    return state.observation or f"{state.task}\n\nFiles below /work, with their sizes in bytes:\n{_listing(state)}\n\n{MANUAL}"


def _listing(state: Terminal) -> str:
    entries = {path: entry for path, entry in state.before.items() if entry.kind != "folder" and "/.git/" not in path}
    lines = [f"{path} -> {entry.content}" if entry.kind == "symlink" else f"{path} {file_size(entry)}" for path, entry in entries.items()]
    more = [f"... and {len(lines) - LISTED} more"] if len(lines) > LISTED + 1 else []
    return "\n".join([*lines[: LISTED if more else None], *more])


def act(state: S, calls: Calls, runner: object = None) -> S:
    """The state after the calls of a turn. SandboxError where commands cannot be confined."""
    after, observation = run(state, calls, _step, lambda now: now.finished)
    return after.model_copy(update={"observation": observation})


def _step(state: S, call: Tool) -> tuple[S, str]:
    if not isinstance(call, Bash):
        return state.model_copy(update={"finished": True}), ""
    ended = run_command(state.files, call.command, CLOCK + 60 * (state.ran + 1))
    return state.model_copy(update={"files": ended.tree, "ran": state.ran + 1}), render_result(ended)


def render_result(ended: Ended) -> str:
    """What the player reads of a command."""
    parts = [f"exit status {ended.exit_code}"]
    if ended.stdout:
        parts.append(_cut(ended.stdout.rstrip("\n"), LONGEST_OUTPUT))
    if ended.stderr:
        parts.append(f"errors:\n{_cut(ended.stderr.rstrip(chr(10)), LONGEST_ERRORS)}")
    if ended.undone:
        parts.append(f"The command went over a limit ({ended.undone}); the files are as they were before it.")
    return "\n".join(parts)


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    return f"{text[: most // 2]}\n[{len(text) - most // 2 * 2} characters left out]\n{text[-(most // 2) :]}"


def follow(state: Terminal, commands: Sequence[str]) -> Calls:
    """The next command of a player who has run the first ones of a list; the end of the work after the last one."""
    return (Bash(command=commands[state.ran]) if state.ran < len(commands) else Done(),)


def make_policy(commands: Sequence[str]) -> Callable[[Any], Calls]:
    """The policy of a player who runs these commands and finishes."""
    return partial(follow, commands=commands)


def commands(plan: Sequence[Step]) -> list[str]:
    return [step.command for step in plan]


def best(plan: Plan) -> Callable[[Any], Calls]:
    """The oracle that follows a plan."""
    return lambda state: follow(state, commands(plan(state)))


def turns(plan: Plan) -> Callable[[Any], int]:
    """Twice the commands of the plan, one for each file that changes, and ten more to look around and to repair."""
    return lambda state: 2 * len(plan(state)) + len(state.expected) + 10


def explain(plan: Plan) -> Callable[[Any], list[str]]:
    """The reason for the next command of the plan, and the command."""

    def explained(state: Terminal) -> list[str]:
        steps = plan(state)
        why = steps[state.ran].why if state.ran < len(steps) else "Everything that was asked for is done."
        return [why, TOOLS.render(follow(state, commands(steps)))]

    return explained


def milestones(outcome: Callable[[Any], Score | None]) -> Callable[[Any], dict[str, float]]:
    """The parts of the score that the files would have now."""

    def shares(state: Terminal) -> dict[str, float]:
        score = outcome(state.model_copy(update={"finished": True}))
        assert score is not None, "finished work has a score"
        return dict(score.parts)

    return shares


def shortcuts(state: Terminal, plans: Sequence[Sequence[str]]) -> list[Calls]:
    """What players do now who look around and then follow wrong plans; before them those who finish at once and who look around forever."""
    return [(Done(),), (Bash(command=LOOK),), *(follow(state, [LOOK, *plan]) for plan in plans)]
