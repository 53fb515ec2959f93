"""The progress of a run, counted as episodes finish."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from rlgym.evaluate.episodes.episode import FAILED


@dataclass(slots=True)
class RunProgress:
    """Counts of a run's episodes.

    resumed               finished before this process started
    masked                not scored, because something other than the model failed
    failed                masked because the model could not be reached; a resumed run retries them
    consecutive_failures  failed episodes since the last one that succeeded
    cost                  US dollars of the episodes whose cost is known
    episodes_with_cost    how many those are
    without_token_counts  episodes for which the model returned no token counts
    """

    total: int
    resumed: int = 0
    done: int = 0
    right: int = 0
    masked: int = 0
    failed: int = 0
    consecutive_failures: int = 0
    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    episodes_with_cost: int = 0
    without_token_counts: int = 0

    def add(self, row: Mapping[str, Any]) -> None:
        """Count a finished episode."""
        failed = row["outcome"] == FAILED
        self.done += 1
        self.right += bool(row["right"])
        self.masked += bool(row["masked"])
        self.failed += failed
        self.consecutive_failures = self.consecutive_failures + 1 if failed else 0
        self.requests += row["requests"]
        self.prompt_tokens += row["prompt_tokens"] or 0
        self.completion_tokens += row["completion_tokens"] or 0
        self.without_token_counts += not failed and (row["prompt_tokens"] is None or row["completion_tokens"] is None)
        if row["cost"] is not None:
            self.cost += row["cost"]
            self.episodes_with_cost += 1

    @property
    def finished(self) -> bool:
        """Whether all episodes are done."""
        return self.done >= self.total

    @property
    def accuracy(self) -> float | None:
        """The share of right episodes among those that are not masked."""
        scored = self.done - self.masked
        return self.right / scored if scored else None

    @property
    def mean_cost(self) -> float | None:
        """The mean cost of an episode in US dollars."""
        return self.cost / self.episodes_with_cost if self.episodes_with_cost else None

    @property
    def expected_cost(self) -> float | None:
        """The expected cost of the whole run at the mean cost so far."""
        return None if self.mean_cost is None else self.cost + self.mean_cost * (self.total - self.done)

    def to_dict(self) -> dict[str, Any]:
        """The counts as JSON-able data."""
        counts = {name: getattr(self, name) for name in _COUNTS}
        return counts | {"accuracy": self.accuracy, "cost": self.cost if self.episodes_with_cost else None}


PROGRESS_COLUMNS = "outcome right masked requests prompt_tokens completion_tokens cost".split()
"""The columns of a result row that `RunProgress` counts."""

_COUNTS = "total resumed done right masked failed requests prompt_tokens completion_tokens".split()


class ProgressCallback(Protocol):
    """Receives the progress of a run: once at the start, and after each episode."""

    def update(self, progress: RunProgress) -> None: ...


class NoProgress:
    """A progress callback that does nothing."""

    def update(self, progress: RunProgress) -> None:
        """Does nothing."""
