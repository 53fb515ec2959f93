"""A league: every player meets every other one from the same starts, with seats exchanged, and the results become ratings.

In a match of two seats that are played alike, two players sit at one board. In other matches (more seats, or seats that follow stated rules) each
player plays the task's own seat against the players that the match brings along, and what the players earn from one start is ranked.
Ratings are those of Plackett and Luce as `openskill` computes them: a mean and an uncertainty, starting at 25 and 25/3.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from rlgym.core.errors import RlgymError
from rlgym.core.packages import extra
from rlgym.evaluate.league.games import GameResult, Start, declared_match, play_game
from rlgym.evaluate.league.players import Player


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place: rating and uncertainty, results against the others, and matches lost by moves that were refused."""

    player: str
    rating: float
    uncertainty: float
    won: int
    drawn: int
    lost: int
    refused: int


@dataclass(frozen=True, slots=True)
class League:
    """The standings, best first, and all matches."""

    standings: tuple[Standing, ...]
    games: tuple[GameResult, ...]

    def to_dict(self) -> dict[str, Any]:
        """The league as JSON-able data."""
        return {"standings": [asdict(each) for each in self.standings], "games": [asdict(each) for each in self.games]}

    def write(self, path: Path) -> None:
        """Write the league as JSON."""
        path.write_text(json.dumps(self.to_dict(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


Meeting = tuple[dict[int, Player], ...]
"""Games whose results are compared with one another: one at a board, or one for each player from the same start."""


async def play_league(
    names: Sequence[str], players: Sequence[Player], *, level: float = 0.5, starts: int = 10, seed: int = 1, concurrency: int = 1
) -> League:
    """All against all from `starts` starts of each match; at most `concurrency` games run at once."""
    if len({player.name for player in players}) < max(2, len(players)):
        raise RlgymError("a league needs at least two players, each with a name of its own")
    meetings = [(start, meeting) for start in _starts(names, level, starts, seed) for meeting in _meetings(start, players)]
    limit = asyncio.Semaphore(concurrency)

    async def limited(start: Start, seats: dict[int, Player]) -> GameResult:
        async with limit:
            return await play_game(start, seats)

    played = await asyncio.gather(*(limited(start, seats) for start, meeting in meetings for seats in meeting))
    results = iter(played)
    outcomes = [_returns_by_player([next(results) for _ in meeting]) for _, meeting in meetings]
    refused = [game.players[game.refused] for game in played if game.refused is not None and game.refused in game.players]
    return League(_standings([player.name for player in players], outcomes, refused), tuple(played))


def played_alike(name: str) -> bool:
    """Whether two players can sit at one board: the match has two seats, and a search or exact play moves either."""
    match = declared_match(name)
    return match.players == 2 and match.engine is not None


def _starts(names: Sequence[str], level: float, count: int, seed: int) -> Iterator[Start]:
    for name in names:
        declared_match(name)
        yield from (Start(name, seed + k, level) for k in range(count))


def _meetings(start: Start, players: Sequence[Player]) -> Iterator[Meeting]:
    if played_alike(start.name):
        for first, second in combinations(players, 2):
            yield ({0: first, 1: second},)
            yield ({0: second, 1: first},)
        return
    import rlgym

    seat = declared_match(start.name).seat(rlgym.task(start.name, start.seed, level=start.level).data)
    yield tuple({seat: player} for player in players)


def _returns_by_player(games: Sequence[GameResult]) -> dict[str, float]:
    """The return of each player of a meeting."""
    return {player: game.returns[seat] for game in games for seat, player in game.players.items()}


def _standings(players: Sequence[str], outcomes: Sequence[dict[str, float]], refused: Sequence[str]) -> tuple[Standing, ...]:
    with extra("league"):
        from openskill.models import PlackettLuce

    model = PlackettLuce()
    ratings = {player: model.rating(name=player) for player in players}
    tally = {player: [0, 0, 0] for player in players}
    for earned in outcomes:
        teams = [[ratings[player]] for player in earned]
        for player, (rating,) in zip(earned, model.rate(teams, scores=list(earned.values())), strict=True):
            ratings[player] = rating
        for player, mine in earned.items():
            for other, theirs in earned.items():
                if other != player:
                    tally[player][0 if mine > theirs else 1 if mine == theirs else 2] += 1
    table = []
    for player in players:
        (won, drawn, lost), rating = tally[player], ratings[player]
        table.append(Standing(player, round(rating.mu, 2), round(rating.sigma, 2), won, drawn, lost, refused.count(player)))
    return tuple(sorted(table, key=lambda each: (-each.rating, each.player)))
