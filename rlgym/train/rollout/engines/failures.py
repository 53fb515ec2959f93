"""Failures of a rollout engine in the middle of a run, which end it with a message and lose nothing before the last checkpoint."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rlgym.core.errors import RlgymError
from rlgym.train.config.sections import TrainError

if TYPE_CHECKING:
    from rlgym.train.rollout.engines.base import Engine

SCORING = "while it scored given tokens"


@contextmanager
def engine_failures(engine: Engine, when: str) -> Iterator[None]:
    """Raise TrainError for whatever an engine raises, except the library's own errors; the run then resumes from its last checkpoint."""
    try:
        yield
    except RlgymError:
        raise
    except Exception as error:
        first = str(error).partition("\n")[0]
        raise TrainError(
            f"the rollout engine (rollout.engine, {type(engine).__name__}) failed {when}: {type(error).__name__}: {first}. The "
            "updates up to the last checkpoint are kept, and the same command resumes the run from there"
        ) from error
