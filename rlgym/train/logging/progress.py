"""The callback through which a run reports its progress."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rlgym.train.evaluate import Table


class ProgressCallback:
    """Receives the progress of a run. This base class ignores it; override the methods you need."""

    def on_model_loaded(self, description: str) -> None:
        """The run is open; `description` names the backend of its model."""

    def on_phase_start(self, name: str, steps: int, done: int) -> None:
        """A phase ("sft" or "rl") starts, or resumes after `done` of its steps."""

    def on_step_end(self, name: str, done: int, metrics: dict[str, Any]) -> None:
        """A step of the phase is complete."""

    def on_rollout_progress(self, done: int, total: int) -> None:
        """`done` of the `total` episodes being sampled are complete."""

    def on_evaluation(self, label: str, table: Table) -> None:
        """An evaluation is complete."""
