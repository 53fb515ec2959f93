"""Players of a league: built-in policies, engines of any strength, and models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from rlgym.core.declare import Match
from rlgym.core.errors import RlgymError
from rlgym.core.rng import Rng
from rlgym.dataset.session import message_text
from rlgym.evaluate.models.base import Message, Model, Sampling

POLICIES = ("random", "greedy", "lookahead", "best")
ENGINE = "engine:"


@dataclass(frozen=True, slots=True)
class Turn:
    """What a player knows when it is to move.

    state     the match's state, for built-in players
    messages  the conversation with this seat so far, for models; the last message is the observation
    seed      depends on the match's seed, the seat and the turn
    """

    match: Match[Any, Any, Any]
    state: Any
    messages: Sequence[Message]
    seed: int


class Player(Protocol):
    """A player: its name, and the response that it gives in a turn."""

    @property
    def name(self) -> str: ...

    async def respond(self, turn: Turn) -> str: ...


@dataclass(frozen=True)
class Policy:
    """A policy that reads the state: "random", "greedy", "lookahead", "best", or "engine:N", which searches at most N positions."""

    name: str

    def __post_init__(self) -> None:
        if self.name not in POLICIES and positions_of(self.name) is None:
            raise RlgymError(
                f"there is no player {self.name!r}: the built-in ones are {', '.join(POLICIES)}, and engine:N, which searches N positions"
            )

    async def respond(self, turn: Turn) -> str:
        return turn.match.answer.render_response(self._move(turn), "tag")

    def _move(self, turn: Turn) -> Any:
        match, state = turn.match, turn.state
        positions = positions_of(self.name)
        if positions is not None:
            if match.engine is None:
                raise RlgymError("this match has no engine: choose a match on a board, or other players")
            return match.engine(state, positions)
        match self.name:
            case "greedy":
                return turn.match.greedy(state)
            case "best":
                return turn.match.best(state)
            case "lookahead":
                if turn.match.lookahead is None:
                    raise RlgymError("this match has no lookahead: choose other players")
                return turn.match.lookahead(state)
            case _:
                return Rng("league", "random", turn.seed).choice(turn.match.legal(state))


@dataclass(frozen=True)
class ModelPlayer:
    """A model, which reads what its seat may see."""

    model: Model
    sampling: Sampling = field(default_factory=Sampling)

    @property
    def name(self) -> str:
        return self.model.name

    async def respond(self, turn: Turn) -> str:
        system = [{"role": "system", "content": self.sampling.system}] if self.sampling.system else []
        completion = await self.model.generate([*system, *turn.messages], (), self.sampling, turn.seed)
        return message_text(completion.message)


def positions_of(name: str) -> int | None:
    """The number of positions that the engine called `engine:N` searches; None for other names."""
    count = name.removeprefix(ENGINE)
    return int(count) if name.startswith(ENGINE) and count.isdecimal() and int(count) > 0 else None
