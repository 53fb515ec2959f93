"""A notebook as a world of two tools: the state, what a cell shows, and how oracles and tempted players follow a plan.

The state holds the files of the task and the code of all cells so far. Running a cell runs the earlier ones first, on the files of the task, so that
variables are kept although no process outlives a turn, and every state can be copied, saved and replayed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from pydantic import Field

from rlgym.answers.tools import Calls, Tool, ToolCalls
from rlgym.core.limits import Limits
from rlgym.core.score import Score
from rlgym.core.task import TaskData
from rlgym.generators.notebooks.kernel import COMPLETE, run_cells
from rlgym.generators.simulations.calls import run
from rlgym.generators.terminal.trees import tree
from rlgym.generators.text.english import count_noun
from rlgym.sandbox.terminal import Entry, file_bytes, file_size

CLOCK = 1715947200  # 2024-05-17 12:00:00 UTC
LONGEST_CELL, LONGEST_ERROR, SHORTEST_ERROR = 10_000, 120, 40  # characters
LINES_SHOWN, LONGEST_LINE = 3, 160
LIMITS = Limits(seconds=4, memory_mb=512, output_kb=128, processes=32)
_TAG = re.compile(r"\s*#\[(!?)(\w+)\]$")


class RunCell(Tool):
    """Runs a cell of Python code; shows what it prints, the value of its last line if that is an expression, and its error."""

    code: str = Field(min_length=1, max_length=LONGEST_CELL)


class Submit(Tool):
    """Ends the work; the files that the task asks for are then checked."""


TOOLS = ToolCalls((RunCell, Submit), max_characters=LONGEST_CELL + 4000)


class Notebook(TaskData):
    """The state of a notebook world. A family adds what its own plan and checks need.

    before      the files of the task
    written     the files that the cells have added or changed
    cells       the code of the cells that ran to their end
    ran         how many cells were run, with those that went over a limit
    characters  how many characters of output can still be shown
    """

    task: str
    before: dict[str, Entry]
    most_cells: int
    characters: int
    written: dict[str, Entry] = {}
    cells: tuple[str, ...] = ()
    ran: int = 0
    finished: bool = False
    observation: str = ""


class Step(NamedTuple):
    """A cell of the oracle, and the reason for it."""

    code: str
    why: str


S = TypeVar("S", bound=Notebook)
Plan = Callable[[Any], Sequence[Step]]


def files(texts: Mapping[str, str | bytes]) -> dict[str, Entry]:
    """The files of a task."""
    return tree(texts)


def show(state: Notebook) -> str:
    """The task with the first lines of its files, or what the last cells showed."""
    return state.observation or f"{state.task}\n\nFiles in the current folder:\n\n{_listing(state)}\n\n{_manual(state)}"


def _listing(state: Notebook) -> str:
    return "\n\n".join(
        f"{path} ({file_size(entry)} bytes), beginning of the file:\n{_head(state, path)}"
        for path, entry in state.before.items()
        if entry.kind != "folder"
    )


def _head(state: Notebook, path: str) -> str:
    text = (file_bytes(state.before, path) or b"").decode("utf-8", "replace")
    return "\n".join(line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}..." for line in text.split("\n")[:LINES_SHOWN])


def _manual(state: Notebook) -> str:
    return f"""\
You work in a Python notebook with these tools:
{TOOLS.manual()}

Variables and files stay from one cell to the next. Python has its standard library alone (csv, json, sqlite3, statistics, datetime and so on) \
and no network; all cells together have {LIMITS.seconds:g} seconds of processor time. You may run up to {count_noun(state.most_cells, "cell")}, and at most \
{state.characters:,} characters of output are shown in all. Only the files that the task asks for are checked, after you have called submit."""


def act(state: S, calls: Calls, runner: object = None) -> S:
    """The state after the calls of a turn. SandboxError where cells cannot be confined."""
    after, observation = run(state, calls, _step, lambda now: now.finished)
    return after.model_copy(update={"observation": observation})


def _step(state: S, call: Tool) -> tuple[S, str]:
    if not isinstance(call, RunCell):
        return state.model_copy(update={"finished": True}), ""
    if state.ran >= state.most_cells:
        return state, "The cell was not run: none is left. Call submit."
    cells = (*state.cells, call.code)
    ended = run_cells(state.before, cells, CLOCK)
    shown = ended.stdout[: state.characters]
    room = max(SHORTEST_ERROR, min(LONGEST_ERROR, state.characters - len(shown)))
    error = ended.stderr.strip()[-2000:][:room]
    update: dict[str, Any] = {"ran": state.ran + 1, "characters": max(0, state.characters - len(shown) - len(error))}
    lines = [shown.rstrip("\n")] if shown else []
    if len(shown) < len(ended.stdout):
        lines.append(f"[{len(ended.stdout) - len(shown)} further characters are not shown]")
    lines += [error] if error else []
    if ended.undone or ended.exit_code != COMPLETE:
        reason = f"went over a limit ({ended.undone})" if ended.undone else "ended the interpreter"
        lines.append(f"The cell {reason}; variables and files are as they were before it.")
    else:
        update["cells"] = cells
        update["written"] = {path: entry for path, entry in ended.tree.items() if state.before.get(path) != entry}
    after = state.model_copy(update=update)
    cells_left = after.most_cells - after.ran
    return after, "\n".join([*(lines or ["(no output)"]), f"({count_noun(cells_left, 'cell')} and {after.characters} characters left)"])


def select(template: str, rules: Sequence[str], **values: object) -> str:
    """The code of a template: lines that end with #[rule] or #[!rule] are kept where the rule is or is not among these, <<name>> is a value."""
    lines = []
    for line in template.strip("\n").split("\n"):
        tag = _TAG.search(line)
        if tag is None or (tag[2] in rules) != bool(tag[1]):
            lines.append(line[: tag.start()] if tag else line)
    code = "\n".join(lines)
    for name, value in values.items():
        code = code.replace(f"<<{name}>>", repr(value))
    return code


def follow(state: Notebook, cells: Sequence[str]) -> Calls:
    """The next cell of a player who has run the first ones of a list; the submission after the last one."""
    return (RunCell(code=cells[state.ran]) if state.ran < len(cells) else Submit(),)


def skipping(plan: Sequence[Step]) -> Callable[[Any], Calls]:
    """The policy of a player who follows a plan that skips something."""
    return partial(follow, cells=codes(plan))


def codes(plan: Sequence[Step]) -> list[str]:
    return [step.code for step in plan]


def best(plan: Plan) -> Callable[[Any], Calls]:
    """The oracle that follows a plan."""
    return lambda state: follow(state, codes(plan(state)))


def turns(state: Notebook) -> int:
    """One for each cell, one for the submission, and two for responses that cannot be read."""
    return state.most_cells + 3


def explain(plan: Plan) -> Callable[[Any], list[str]]:
    """The reason for the next cell of the plan, and the cell."""

    def explained(state: Notebook) -> list[str]:
        steps = plan(state)
        why = steps[state.ran].why if state.ran < len(steps) else "The files that were asked for are written."
        return [why, TOOLS.render(follow(state, codes(steps)))]

    return explained


def milestones(outcome: Callable[[Any], Score | None]) -> Callable[[Any], dict[str, float]]:
    """The parts of the score that the files would have now."""

    def shares(state: Notebook) -> dict[str, float]:
        score = outcome(state.model_copy(update={"finished": True}))
        assert score is not None, "finished work has a score"
        return dict(score.parts)

    return shares


def tempted(state: Notebook, plans: Sequence[Sequence[str]]) -> list[Calls]:
    """What players do now who submit at once, who look forever, and who follow wrong plans."""
    return [(Submit(),), (RunCell(code="import os\nos.listdir()"),), *(follow(state, plan) for plan in plans)]


def rules_text(rules: Sequence[str]) -> str:
    """Rules as a numbered list."""
    return "\n".join(f"{number}. {rule}" for number, rule in enumerate(rules, 1))
