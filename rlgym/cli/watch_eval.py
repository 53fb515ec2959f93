"""The live display of an evaluation."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bars

from rlgym.cli.output import console
from rlgym.evaluate.tally import Tally


class Progress:
    """A bar of the episodes done, with the share that is right, the tokens, and the cost so far and expected."""

    def __init__(self, hidden: bool = False) -> None:
        columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(), TextColumn("{task.fields[said]}"))
        self._bars = Bars(TextColumn("{task.description}"), *columns, console=console, disable=hidden or not console.is_terminal)
        self._bar: TaskID | None = None

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._bars.stop()

    def tick(self, tally: Tally) -> None:
        """An episode is done."""
        if self._bar is None:
            self._bar = self._bars.add_task("tasks", total=tally.total, said="")
        self._bars.update(self._bar, completed=tally.done, said=said(tally))


def said(tally: Tally) -> str:
    """How a run stands, in a few words."""
    parts = [] if tally.share_right is None else [f"{tally.share_right:.1%} right"]
    if tally.masked:
        parts.append(f"{tally.masked} masked")
    if tokens := tally.prompt_tokens + tally.completion_tokens:
        parts.append(f"{_thousands(tokens)} tokens")
    if tally.costed and tally.cost_expected is not None:
        parts.append(f"${tally.cost:.4g}" if tally.finished else f"${tally.cost:.4g} of about ${tally.cost_expected:.4g}")
    return ", ".join(parts)


def _thousands(count: int) -> str:
    for size, sign in ((1_000_000, "M"), (1_000, "k")):
        if count >= size:
            return f"{count / size:.1f}{sign}"
    return str(count)
