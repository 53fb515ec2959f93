"""How a run stands: counted as episodes finish, and shown while it goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from rlgym.evaluate.episode import FAILED


@dataclass(slots=True)
class Tally:
    """Episodes of a run. `cost` is what is known of it, `uncounted` how many episodes gave no token counts.

    earlier  how many were finished before this process began
    failed   those that could not be played; they are among the masked
    in_a_row how many failed since one last did not
    """

    total: int
    earlier: int = 0
    done: int = 0
    right: int = 0
    masked: int = 0
    failed: int = 0
    in_a_row: int = 0
    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    costed: int = 0
    uncounted: int = 0

    def add(self, row: Mapping[str, Any]) -> None:
        """Count a finished episode."""
        failed = row["outcome"] == FAILED
        self.done += 1
        self.right += bool(row["right"])
        self.masked += bool(row["masked"])
        self.failed += failed
        self.in_a_row = self.in_a_row + 1 if failed else 0
        self.requests += row["requests"]
        self.prompt_tokens += row["prompt_tokens"] or 0
        self.completion_tokens += row["completion_tokens"] or 0
        self.uncounted += not failed and (row["prompt_tokens"] is None or row["completion_tokens"] is None)
        if row["cost"] is not None:
            self.cost += row["cost"]
            self.costed += 1

    @property
    def finished(self) -> bool:
        """Whether all episodes are done."""
        return self.done >= self.total

    @property
    def share_right(self) -> float | None:
        """The share that is right of those that count."""
        counted = self.done - self.masked
        return self.right / counted if counted else None

    @property
    def cost_each(self) -> float | None:
        """What an episode has cost on average."""
        return self.cost / self.costed if self.costed else None

    @property
    def cost_expected(self) -> float | None:
        """What the whole run will have cost if it goes on like this."""
        return None if self.cost_each is None else self.cost + self.cost_each * (self.total - self.done)

    def to_dict(self) -> dict[str, Any]:
        """The counts as JSON-able data."""
        counts = {name: getattr(self, name) for name in _COUNTS}
        return counts | {"share_right": self.share_right, "cost": self.cost if self.costed else None}


COUNTED = "outcome right masked requests prompt_tokens completion_tokens cost".split()
"""The columns of a row that are counted."""

_COUNTS = "total earlier done right masked failed requests prompt_tokens completion_tokens".split()


class Watch(Protocol):
    """Is told how a run stands: once when it begins, and after each episode."""

    def tick(self, tally: Tally) -> None: ...


class Unwatched:
    """Shows nothing."""

    def tick(self, tally: Tally) -> None:
        """Nothing is shown."""
