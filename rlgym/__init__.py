"""Verifiable tasks for reinforcement learning on language models."""

from typing import TYPE_CHECKING, Any

from rlgym.core.config import Config as Config
from rlgym.core.config import knob as knob
from rlgym.core.declare import Audit as Audit
from rlgym.core.declare import Environment as Environment
from rlgym.core.declare import Game as Game
from rlgym.core.declare import Match as Match
from rlgym.core.errors import RlgymError as RlgymError
from rlgym.core.limits import Limits as Limits
from rlgym.core.proposals import Proposals as Proposals
from rlgym.core.proposals import Refused as Refused
from rlgym.core.rng import Rng as Rng
from rlgym.core.score import Outcome as Outcome
from rlgym.core.score import Score as Score
from rlgym.core.task import Origin as Origin
from rlgym.core.task import Task as Task
from rlgym.core.task import TaskData as TaskData
from rlgym.registry import domains as domains
from rlgym.registry import environment as environment
from rlgym.registry import names as names
from rlgym.registry import spec as spec

if TYPE_CHECKING:
    from rlgym.episode.env import Env as Env
    from rlgym.episode.env import NeedsReset as NeedsReset
    from rlgym.episode.env import make as make
    from rlgym.episode.play import Event as Event
    from rlgym.episode.sampling import load_task as load_task
    from rlgym.episode.sampling import task as task
    from rlgym.episode.scoring import score as score
    from rlgym.episode.scoring import score_many as score_many
    from rlgym.episode.spaces import AnyText as AnyText

__version__ = "0.1.0"

_LAZY = {"Env": "env", "make": "env", "NeedsReset": "env", "Event": "play", "AnyText": "spaces"}
_LAZY |= {"task": "sampling", "load_task": "sampling", "score": "scoring", "score_many": "scoring"}


def __getattr__(name: str) -> Any:
    # Playing imports gymnasium, which is heavy; declaring environments does not need it.
    if name in _LAZY:
        from importlib import import_module

        return getattr(import_module(f"rlgym.episode.{_LAZY[name]}"), name)
    raise AttributeError(f"module 'rlgym' has no attribute {name!r}")


def _register_with_gymnasium() -> None:
    from rlgym.gymnasium_ids import when_gymnasium_is_imported

    when_gymnasium_is_imported()


_register_with_gymnasium()
