"""The live display of a training run."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bars

from rlgym.cli.output import console
from rlgym.train.watch import Watch

if TYPE_CHECKING:
    from rlgym.train.evaluate import Table

TITLES = {"sft": "warm-up", "rl": "reinforcement learning"}


class Progress(Watch):
    """Shows a run as it goes on: a bar for each phase, one for the episodes being played, and every evaluation as a line."""

    def __init__(self, hidden: bool = False) -> None:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[said]}"),
        )
        self._bars = Bars(*columns, console=console, disable=hidden)
        self._hidden = hidden
        self._phase: TaskID | None = None
        self._episodes: TaskID | None = None

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._bars.stop()

    def phase(self, name: str, steps: int, done: int) -> None:
        """A phase begins, or goes on."""
        self._phase = self._bars.add_task(TITLES.get(name, name), total=steps, completed=done, said="")
        if self._episodes is None:
            self._episodes = self._bars.add_task("episodes", total=1, said="")

    def step(self, name: str, done: int, facts: dict[str, Any]) -> None:
        """A step is done."""
        if self._phase is None:
            return
        said = f"loss {facts['loss']:.3f}" if name == "sft" else f"solved {facts['solve']:.2f}, {facts['length']:.0f} tokens"
        self._bars.update(self._phase, completed=done, said=said)

    def tick(self, done: int, total: int) -> None:
        """So many of the episodes being played are over."""
        if self._episodes is not None:
            self._bars.update(self._episodes, completed=done, total=total)

    def evaluated(self, label: str, table: Table) -> None:
        """An evaluation is done."""
        if self._hidden:
            return
        parts = ", ".join(f"{place} {accuracy.average:.2f}" for place, accuracy in table.items() if place != "mean")
        console.print(f"held out ({label}): mean {table['mean'].average:.3f}; {parts}", markup=False)
