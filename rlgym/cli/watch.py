"""The live progress display of a training run."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from rlgym.cli.output import console
from rlgym.train.logging.progress import ProgressCallback

if TYPE_CHECKING:
    from rlgym.train.evaluate import Table

TITLES = {"sft": "SFT", "rl": "reinforcement learning"}


class ProgressBars(ProgressCallback):
    """A bar for each phase, one for the episodes being sampled, and a line for every evaluation."""

    def __init__(self, hidden: bool = False) -> None:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[status]}"),
        )
        self._bars = Progress(*columns, console=console, disable=hidden)
        self._hidden = hidden
        self._phase: TaskID | None = None
        self._episodes: TaskID | None = None

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._bars.stop()

    def on_model_loaded(self, description: str) -> None:
        """Print the backend."""
        if not self._hidden:
            self._bars.console.print(description, highlight=False)

    def on_phase_start(self, name: str, steps: int, done: int) -> None:
        """Add a bar for the phase."""
        self._phase = self._bars.add_task(TITLES.get(name, name), total=steps, completed=done, status="")
        if self._episodes is None:
            self._episodes = self._bars.add_task("episodes", total=1, status="")

    def on_step_end(self, name: str, done: int, metrics: dict[str, Any]) -> None:
        """Advance the bar of the phase."""
        if self._phase is None:
            return
        if name == "sft":
            status = f"loss {metrics['loss']:.3f}"
        elif "accuracy" in metrics:
            status = f"accuracy {metrics['accuracy']:.3f}"
        else:
            status = f"solve rate {metrics['solve_rate']:.2f}, {metrics['response_length']:.0f} tokens"
            if metrics.get("reward_alarm"):
                status += f", ALARM: wrong responses are paid {metrics['reward_gap']:+.2f}"
        self._bars.update(self._phase, completed=done, status=status)

    def on_rollout_progress(self, done: int, total: int) -> None:
        """Advance the bar of the episodes."""
        if self._episodes is not None:
            self._bars.update(self._episodes, completed=done, total=total)

    def on_evaluation(self, label: str, table: Table) -> None:
        """Print the accuracies."""
        if self._hidden:
            return
        parts = ", ".join(f"{cell} {accuracy.average:.2f}" for cell, accuracy in table.items() if cell != "mean")
        console.print(f"held-out accuracy ({label}): mean {table['mean'].average:.3f}; {parts}", markup=False)
