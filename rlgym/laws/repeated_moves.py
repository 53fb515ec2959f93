"""Players of many turns who repeat themselves: one move in every turn, two in turn, a fixed place among the legal moves, or the last move seen."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from rlgym.core.answer import Unreadable, wrap
from rlgym.core.declare import Game, Match
from rlgym.episode.play import EpisodeState
from rlgym.laws.subject import Policy, Subject

_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[\w.-]*\w")
SPREAD = 5
"""Moves taken evenly from the legal moves of a first state."""
Pick = Callable[[Sequence[Any], EpisodeState], Any]
"""From the legal moves and the position to the move of a player."""


def repeated_moves(subject: Subject, level: float, tasks: int, most: int) -> dict[str, Policy]:
    """Players who repeat themselves, by name. The moves that they repeat occur in the first `tasks` tasks of the level, the `most` common ones.

    In a match, a player whose move is not legal makes the first or the last legal one instead. Worlds of tools have no such players.
    """
    declared = subject.declared
    if isinstance(declared, Match):
        return dict(_match_policies(subject, declared, _bank(subject, level, tasks, most)))
    if isinstance(declared, Game) and not hasattr(declared.answer, "schemas"):
        return dict(_game_policies(declared, _bank(subject, level, tasks, most)))
    return {}


def _bank(subject: Subject, level: float, tasks: int, most: int) -> list[str]:
    """Moves of the oracle and of the other players, and legal first moves, as they are written; the most common first."""
    seen: Counter[str] = Counter()
    for seed in range(1, tasks + 1):
        end = subject.solved(seed, level)
        seen.update({event.what for event in end.events if event.kind in ("answer", "opponent")})
        if isinstance(subject.declared, Match):
            legal = subject.declared.legal(subject.task(seed, level).data)
            step = max(1, len(legal) // SPREAD)
            seen.update({subject.declared.answer.render(move) for move in legal[step // 2 :: step]})
    return [text for text, _ in seen.most_common(most)]


def _match_policies(subject: Subject, match: Match[Any, Any, Any], bank: Sequence[str]) -> Iterator[tuple[str, Policy]]:
    def player(pick: Pick) -> Policy:
        return lambda position: subject.write(pick(match.legal(position.state), position))

    def number(move: Any) -> tuple[int, ...]:
        return tuple(int(digits) for digits in _NUMBER.findall(match.answer.render(move)))

    def written(legal: Sequence[Any], text: str, place: int) -> Any:
        return next((move for move in legal if match.answer.render(move) == text), legal[place])

    yield "the first legal move", player(lambda legal, _: legal[0])
    yield "the last legal move", player(lambda legal, _: legal[-1])
    for quarter, name in ((1, "a quarter"), (2, "half"), (3, "three quarters")):
        yield f"the legal move at {name} of the list", player(lambda legal, _, quarter=quarter: legal[len(legal) * quarter // 4])  # type: ignore[misc]
    yield "the first and the last legal move in turn", player(lambda legal, position: legal[-(position.turn % 2)])
    yield "the lowest number", player(lambda legal, _: min(legal, key=number))
    yield "the highest number", player(lambda legal, _: max(legal, key=number))
    yield "the other player's last move", player(lambda legal, position: written(legal, _last_reply(position), 0))
    for text in bank:
        for place, name in ((0, "first"), (-1, "last")):
            yield (
                f"{text!r}, or the {name} legal move",
                player(lambda legal, _, text=text, place=place: written(legal, text, place)),  # type: ignore[misc]
            )
    for a, b in pairwise(bank):
        yield (
            f"{a!r} and {b!r} in turn",
            player(lambda legal, position, pair=(a, b): written(legal, pair[position.turn % 2], 0)),  # type: ignore[misc]
        )


def _game_policies(game: Game[Any, Any, Any], bank: Sequence[str]) -> Iterator[tuple[str, Policy]]:
    yield "the last word shown", lambda position: wrap(_last_word(game, position.observation), "tag")
    for text in bank:
        yield f"{text!r} in every turn", lambda _, text=text: wrap(text, "tag")  # type: ignore[misc]
    for pair in pairwise(bank):
        yield f"{pair[0]!r} and {pair[1]!r} in turn", lambda position, pair=pair: wrap(pair[position.turn % 2], "tag")  # type: ignore[misc]


def _last_reply(position: EpisodeState) -> str:
    return next((event.what for event in reversed(position.events) if event.kind == "opponent"), "")


def _last_word(game: Game[Any, Any, Any], observation: str) -> str:
    """The last word of an observation that can be an answer; the closing line about turns is not read."""
    words: list[str] = _WORD.findall(observation.rpartition("You have ")[0][-2_000:])
    for word in reversed(words):
        try:
            game.answer.parse(word)
        except Unreadable:
            continue
        return word
    return ""
