"""The progress bar of an evaluation."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from rlgym.cli.output import console
from rlgym.evaluate.episodes.progress import RunProgress


class ProgressBar:
    """Shows finished episodes, accuracy, tokens, and the cost so far and expected."""

    def __init__(self, hidden: bool = False) -> None:
        columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(), TextColumn("{task.fields[status]}"))
        self._progress = Progress(TextColumn("{task.description}"), *columns, console=console, disable=hidden or not console.is_terminal)
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._progress.stop()

    def update(self, progress: RunProgress) -> None:
        """Show the progress of the run."""
        if self._task is None:
            self._task = self._progress.add_task("episodes", total=progress.total, status="")
        self._progress.update(self._task, completed=progress.done, status=describe(progress))


def describe(progress: RunProgress) -> str:
    """Accuracy, masked episodes, tokens and cost in one line."""
    parts = [] if progress.accuracy is None else [f"{progress.accuracy:.1%} right"]
    if progress.masked:
        parts.append(f"{progress.masked} masked")
    if tokens := progress.prompt_tokens + progress.completion_tokens:
        parts.append(f"{_abbreviate(tokens)} tokens")
    if progress.episodes_with_cost and progress.expected_cost is not None:
        parts.append(f"${progress.cost:.4g}" if progress.finished else f"${progress.cost:.4g} of about ${progress.expected_cost:.4g}")
    return ", ".join(parts)


def _abbreviate(count: int) -> str:
    for size, suffix in ((1_000_000, "M"), (1_000, "k")):
        if count >= size:
            return f"{count / size:.1f}{suffix}"
    return str(count)
