"""Fields of a configuration that do not go together."""

from __future__ import annotations

from collections.abc import Mapping

from rlgym.train.config.sections import TrainError


def refuse_together(field: str, others: Mapping[str, object]) -> None:
    """Raise TrainError that names `field` and the first of `others` that is set (is not empty, 0, False or None)."""
    for other, value in others.items():
        if value:
            raise TrainError(f"{field} does not support {other}: leave one of them out")
