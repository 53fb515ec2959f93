"""NAME:with_python: the same task over several turns, with a sandbox that runs Python programs before the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from rlgym.core.answer import Answer, Style, Unreadable, wrap
from rlgym.core.config import knob
from rlgym.core.declare import Declaration, Environment, Game
from rlgym.core.limits import Limits
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.derived import base_task

if TYPE_CHECKING:
    from rlgym.sandbox import Runner, RunResult

LIMITS = Limits(seconds=5, memory_mb=256, output_kb=64)
"""Of one program of the model."""
MOST_SHOWN = 4_000  # characters of a program's output
LONGEST_PROGRAM = 50_000
SPARE_TURNS = 2  # beyond the programs: one for the answer, one for a response that cannot be read
_MARK = re.compile(r"<(/?)python>", re.IGNORECASE)
_FENCE = re.compile(r"\s*```[A-Za-z0-9]{0,20}[ \t]*\n(.*?)\n?```\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Program:
    """A program to be run."""

    text: str


@dataclass(frozen=True, slots=True)
class Final:
    """A final answer: its readings, of which the best counts."""

    readings: tuple[Any, ...]


@dataclass(frozen=True)
class ProgramOrAnswer(Answer[Program | Final]):
    """One program as <python>...</python>, or a final answer in the marks of the inner format."""

    inner: Answer[Any]
    format: ClassVar[str] = "program_or_answer"

    @property
    def instructions(self) -> str:
        return self.inner.instructions

    def closing_line(self, style: Style) -> str:
        either = "End each of your responses either with one program as <python>...</python>, which is then run, or with your final answer"
        return self.inner.closing_line(style).replace("End your response with your final answer", either)

    def parse(self, text: str) -> Final:
        return Final((self.inner.parse(text),))

    def readings(self, response: str, style: Style, prompt: str = "") -> list[Program | Final]:
        rest, programs = _programs(response.rpartition("</think>")[2])
        if not programs:
            return [Final(tuple(self.inner.readings(rest, style, prompt)))]
        if len(programs) > 1 or self.inner.extract(rest, style):
            raise Unreadable("a response holds one program or one final answer, not more")
        fenced = _FENCE.fullmatch(programs[0])
        text = (fenced[1] if fenced else programs[0]).strip("\n")
        if not text.strip() or len(text) > LONGEST_PROGRAM:
            raise Unreadable(f"a program must have 1 to {LONGEST_PROGRAM} characters")
        return [Program(text)]

    def render(self, value: Program | Final) -> str:
        return value.text if isinstance(value, Program) else self.inner.render(value.readings[0])

    def render_response(self, value: Program | Final, style: Style, prompt: str = "") -> str:
        if isinstance(value, Program):
            return f"<python>\n{value.text}\n</python>"
        return wrap(self.inner.render_for(value.readings[0], prompt), style)

    def variants(self, value: Program | Final) -> Iterator[str]:
        if isinstance(value, Final):
            yield from self.inner.variants(value.readings[0])

    def near_misses(self, value: Program | Final) -> Iterator[Program | Final]:
        if isinstance(value, Final):
            yield from (Final((other,)) for other in self.inner.near_misses(value.readings[0]))


def with_python(declared: Declaration) -> Game[Any, Any, Any] | None:
    """The derived game; None for environments of many turns.

    A program runs in the sandbox, in an interpreter of its own, and its output is the next observation. The final answer ends the episode and is
    scored as it is without programs.
    """
    if not isinstance(declared, Environment):
        return None
    config = base_task.extended_config(
        declared, "WithPython", python_runs=(int, knob(6, easy=8, hard=4, doc="programs that may be run before the answer"))
    )
    state = base_task.data_class(declared, "PythonSession", runs=(int, ...), ran=(int, 0), output=(str, ""), score=(Score | None, None))

    def start(rng: Rng, knobs: Any) -> Any:
        base = declared.generate(rng.child("task"), knobs)
        return state(question=base.prompt, inner=base.data, runs=knobs.python_runs)

    start.__annotations__["return"] = state

    def show(now: Any) -> str:
        if not now.output:
            return f"{now.question}\n\n{_manual(now.runs)}"
        runs_left = now.runs - now.ran
        further = f"You may run {_count(runs_left)}." if runs_left else "You may run no further program: give your final answer."
        return f"{now.output}\n\n{further}"

    def act(now: Any, answer: Program | Final, runner: Runner) -> Any:
        if isinstance(answer, Final):
            return now.model_copy(
                update={"score": base_task.best_score(declared, base_task.unwrap_state(now), answer.readings, own_runner(runner))}
            )
        if now.ran >= now.runs:
            return now.model_copy(update={"output": "The program was not run: no run is left."})
        result = runner.run(answer.text, limits=LIMITS, entry=None)
        return now.model_copy(update={"ran": now.ran + 1, "output": _report(result)})

    def own_runner(runner: Runner) -> tuple[Any, ...]:
        return (runner,) if declared.sandbox is not None else ()

    explain = declared.explain
    return Game(
        config,
        ProgramOrAnswer(declared.answer),
        start,
        show,
        act,
        lambda now: now.score,
        best=lambda now: Final((declared.solve(base_task.unwrap_state(now)),)),
        mistakes=lambda now: [Final((wrong,)) for wrong in base_task.wrong_answers(declared, base_task.unwrap_state(now))],
        cost=lambda now: declared.cost(base_task.unwrap_state(now)) - now.runs / 1000,
        turns=lambda now: now.runs + SPARE_TURNS,
        explain=(lambda now: explain(base_task.unwrap_state(now))) if explain else None,
        planted=declared.planted,
        partial=declared.partial,
        guessable=declared.guessable,
        concept=declared.concept,
        sandbox=declared.sandbox or LIMITS,
        version=declared.version,
    )


def _manual(runs: int) -> str:
    return (
        f"Before you answer, you may run up to {runs} Python programs, each in a response of its own. The next message shows what the program printed. "
        "Every program starts afresh, without the variables and files of the others; it has the standard library alone, no network and no input, "
        f"{LIMITS.seconds:g} seconds of processor time and {LIMITS.memory_mb} MB of memory. At most {MOST_SHOWN:,} characters of its output are shown. "
        "Your final answer ends the episode, and only it is scored."
    )


def _count(runs: int) -> str:
    return "one more program" if runs == 1 else f"{runs} more programs"


def _report(result: RunResult) -> str:
    """The output of a run as the model reads it."""
    printed = result.stdout.rstrip("\n")
    lines = [f"The program printed:\n{_cut(printed)}" if printed else "The program printed nothing."]
    if result.stopped_by != "finished":
        reason = _cut(result.stderr.strip()) or f"the limit on {result.stopped_by}"
        lines.append(f"It was stopped: {reason}")
    return "\n".join(lines)


def _cut(text: str) -> str:
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}\n[... {len(text) - MOST_SHOWN} further characters]"


def _programs(response: str) -> tuple[str, list[str]]:
    """The response without its programs, and the programs."""
    rest, programs, opened, end = [], [], -1, 0
    for mark in _MARK.finditer(response):
        if not mark[1] and opened < 0:
            rest.append(response[end : mark.start()])
            opened = mark.end()
        elif mark[1] and opened >= 0:
            programs.append(response[opened : mark.start()])
            opened, end = -1, mark.end()
    if opened < 0:
        rest.append(response[end:])
    return "".join(rest), programs
