"""One match of a league between players in all seats, or between one player and the players that the match brings along."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import rlgym
from rlgym.core.answer import Unreadable
from rlgym.core.declare import Match
from rlgym.core.errors import RlgymError
from rlgym.dataset.seats import play_built_in, seat_observation
from rlgym.evaluate.league.players import Player, Turn
from rlgym.evaluate.models.base import Message


@dataclass(frozen=True, slots=True)
class Start:
    """The start of a match: the environment, the seed and the level."""

    name: str
    seed: int
    level: float


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a match ended.

    players   the players by seat; a seat without a player is played by the match itself
    returns   the payoff of each seat, from -1 to 1
    moves     moves made by all seats
    refused   the seat that lost by a move that was unreadable or not legal, or None
    """

    start: Start
    players: Mapping[int, str]
    returns: tuple[float, ...]
    moves: int
    refused: int | None = None


def declared_match(name: str) -> Match[Any, Any, Any]:
    """The match of a name."""
    declared = rlgym.environment(name)
    if not isinstance(declared, Match):
        raise RlgymError(
            f"{name} is not a match but {'an' if declared.kind == 'environment' else 'a'} {declared.kind}: a league plays matches"
        )
    return declared


async def play_game(start: Start, players: Mapping[int, Player]) -> GameResult:
    """Play a match to its end. Seats without a player are played by the match's own opponent."""
    match, task = declared_match(start.name), rlgym.task(start.name, start.seed, level=start.level)
    first = state = task.data
    names = {seat: player.name for seat, player in players.items()}
    chats: dict[int, list[Message]] = {seat: [] for seat in players}
    seats = match.players_of(first)
    most, moves = match.turns(first) * seats, 0
    while (paid := match.returns(state)) is None and moves < most:
        seat = match.player(state)
        if seat not in players:
            # This stops at the task's own seat, which always has a player.
            state, made = play_built_in(match, task, state)
            moves += made
            continue
        chat = chats[seat]
        chat.append({"role": "user", "content": seat_observation(match, first, state, seat, len(chat) > 0, "tag")})
        response = await players[seat].respond(Turn(match, state, tuple(chat), _seed(start, seat, moves)))
        chat.append({"role": "assistant", "content": response})
        moves += 1
        try:
            move = match.answer.parse_response(response, "tag")
        except Unreadable:
            return _forfeit(start, names, seats, seat, moves)
        if move not in match.legal(state):
            return _forfeit(start, names, seats, seat, moves)
        state = match.act(state, move)
    return GameResult(start, names, tuple(paid) if paid is not None else (0.0,) * seats, moves)


def _forfeit(start: Start, names: Mapping[int, str], seats: int, seat: int, moves: int) -> GameResult:
    """An illegal or unreadable move loses at once: -1, and the others share 1."""
    returns = tuple(-1.0 if each == seat else 1.0 / (seats - 1) for each in range(seats))
    return GameResult(start, names, returns, moves, seat)


def _seed(start: Start, seat: int, moves: int) -> int:
    return int.from_bytes(hashlib.sha256(repr((start, seat, moves)).encode()).digest()[:6], "big")
