"""The protocol of a scorer under audit, whatever runs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from rlgym import RlgymError
from rlgym.audit.case import Case, Verdict

Progress = Callable[[int], None]
"""Called with the number of cases that were scored since the last call."""


def no_progress(count: int) -> None:
    """Ignore progress."""


class ScorerUnavailable(RlgymError, RuntimeError):
    """The scorer cannot be loaded, or cannot be reached."""


class Scorer(Protocol):
    """Scores cases in order.

    kind     "python", "environment", "sandbox", "reward_model", "command", "http" or "judge"
    shape    how the function is called, or what is sent
    batched  whether a call can hold several responses
    """

    kind: str
    shape: str
    batched: bool

    def score(self, cases: Sequence[Case], progress: Progress = no_progress) -> list[Verdict]:
        """One verdict for each case."""
        ...

    def close(self) -> None:
        """End all processes and connections."""
        ...
