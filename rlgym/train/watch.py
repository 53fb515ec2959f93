"""What may be told of a run while it goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rlgym.train.evaluate import Table


class Watch:
    """Hears how a run goes on; this one tells nobody."""

    def phase(self, name: str, steps: int, done: int) -> None:
        """A phase of that many steps begins, or goes on after `done` of them."""

    def step(self, name: str, done: int, facts: dict[str, Any]) -> None:
        """A step of the phase is done."""

    def tick(self, done: int, total: int) -> None:
        """So many of the episodes being played are over."""

    def evaluated(self, label: str, table: Table) -> None:
        """An evaluation is done."""
