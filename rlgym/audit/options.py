"""The options of an audit."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from rlgym import RlgymError
from rlgym.audit.scorers.process import ProcessOptions
from rlgym.audit.spellings import TYPES
from rlgym.core.errors import suggestion

Effort = Literal["least", "quick", "standard"]
TASKS: dict[Effort, tuple[int, int, int]] = {"least": (12, 2, 20), "quick": (54, 9, 60), "standard": (216, 36, 200)}
"""Tasks for spellings, tasks for the checks with many variants, both over all answer types, and calls that are repeated."""
MOST = 60
"""Most tasks of one type."""


def sizes(effort: Effort, types: int) -> tuple[int, int, int]:
    """`TASKS` for each type."""
    spellings, few, repeated = TASKS[effort]
    return min(MOST, -(-spellings // types)), min(MOST, -(-few // types)), repeated


@dataclass(frozen=True)
class AuditOptions:
    """What an audit measures and how.

    types         the types of answers; None for those whose reference answers the scorer accepts
    effort        how many cases
    reward        only the checks of `rlgym audit --reward`: how a reward function behaves, not what it accepts
    style         the marks in which the scorer reads answers, or "auto" to detect them
    template      marks of the scorer's own, with `{answer}` in them; replaces `style`
    reward_range  the least and the greatest reward that the scorer declares
    accept        the reward from which a response counts as accepted; None for the middle of the range
    process       how Python functions are run
    environment   one of our environments, whose tasks, oracle's answers and mistakes take the place of the audit's own
    run           the folder of an evaluation, whose responses are scored as well
    """

    types: tuple[str, ...] | None = None
    effort: Effort = "standard"
    reward: bool = False
    style: str = "auto"
    template: str | None = None
    reward_range: tuple[float, float] = (0.0, 1.0)
    accept: float | None = None
    seed: int = 0
    process: ProcessOptions = field(default_factory=ProcessOptions)
    environment: str = ""
    run: Path | None = None

    def __post_init__(self) -> None:
        for kind in self.types or ():
            if kind not in TYPES:
                raise RlgymError(f"there is no answer type {kind!r}.{suggestion(kind, TYPES)} The types are {', '.join(TYPES)}")
        if self.effort not in TASKS:
            raise RlgymError(f"effort must be least, quick or standard, got {self.effort!r}")
        if self.environment and self.types:
            raise RlgymError("an environment has its own type of answers: give --types or --environment")
        low, high = self.reward_range
        if not low < high:
            raise RlgymError(f"a reward range goes from a lower to a higher number, got {low:g},{high:g}")

    @property
    def threshold(self) -> float:
        """The reward from which a response counts as accepted."""
        return sum(self.reward_range) / 2 if self.accept is None else self.accept
