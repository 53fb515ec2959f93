"""Exact values of positions of two-player games without chance: each position is looked into once, under a budget of positions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import lru_cache

At = tuple[int, ...]
"""A position as the player to move sees it, in small integers."""
Move = tuple[int, ...]
KEPT = 400_000


class TooMuch(Exception):
    """More positions than the budget allows."""


class Rules(ABC):
    """The rules of one game on one board, whose measures are `size`."""

    def __init__(self, size: At) -> None:
        self.size = size

    @abstractmethod
    def moves(self, at: At) -> list[tuple[Move, At, int]]:
        """The legal moves in a fixed order, the position after each, and who moves then: 1 for the same player, -1 for the other."""

    @abstractmethod
    def name(self, move: Move) -> str:
        """The move as a player gives it: words parted by spaces."""

    @abstractmethod
    def most(self, at: At) -> int:
        """A number of moves that no player exceeds from here on."""

    def result(self, at: At) -> int | None:
        """When the game is over, what the player to move gets: 1, 0 or -1. Unless said otherwise, who cannot move has lost."""
        return None if self.moves(at) else -1

    def solved(self, at: At) -> int | None:
        """The value of a position where theory gives it without a search."""
        return None

    def merit(self, at: At, after: At, turn: int) -> int:
        """How good a move looks at once; unless said otherwise, by how few moves it leaves to the other player."""
        return turn * len(self.moves(after))

    def work(self, at: At) -> float:
        """The moves looked at by somebody who reads on to the end and prunes well."""
        return float(len(self.moves(at)) * self.most(at) ** 2)

    def foul(self, at: At) -> str:
        """A tempting move that is not legal."""
        return "a0"


class Search:
    """The values of positions, remembered."""

    def __init__(self, rules: Rules, work: int = 10**9) -> None:
        self.rules, self.work = rules, work
        self.known: dict[At, int] = {}

    def value(self, at: At) -> int:
        """1, 0 or -1 for the player to move, under perfect play; TooMuch where the budget is used up."""
        known = self.known
        if (seen := known.get(at)) is not None:
            return seen
        if len(known) >= self.work:
            raise TooMuch
        over = self.rules.result(at)
        if over is None:
            over = self.rules.solved(at)
        found = -1 if over is None else over
        if over is None:
            for _, after, turn in self.rules.moves(at):
                found = max(found, turn * self.value(after))
                if found == 1:
                    break
        known[at] = found
        return found

    def values(self, at: At) -> list[int]:
        """The value of each legal move."""
        return [turn * self.value(after) for _, after, turn in self.rules.moves(at)]

    def at_once(self, at: At) -> bool:
        """Whether a move wins at once."""
        return any(self.wins(after, turn) for _, after, turn in self.rules.moves(at))

    def wins(self, after: At, turn: int) -> bool:
        """Whether the game is over and won for the one who made the move."""
        over = self.rules.result(after)
        return over is not None and turn * over > 0

    def tempting(self, at: At) -> int:
        """The place of a move that wins at once, or else of the one that looks best."""
        moves = self.rules.moves(at)
        won = [i for i, (_, after, turn) in enumerate(moves) if self.wins(after, turn)]
        return won[0] if won else max(range(len(moves)), key=lambda i: (self.rules.merit(at, *moves[i][1:]), -i))

    def slow(self, at: At) -> bool:
        """Whether the player to move cannot win in two moves of his against every defence."""
        for _, after, turn in self.rules.moves(at):
            if turn > 0 or self.wins(after, turn):
                return False
            if self.rules.result(after) is None and all(self._lost(reply, way) for _, reply, way in self.rules.moves(after)):
                return False
        return True

    def _lost(self, reply: At, way: int) -> bool:
        """Whether a move by the other player loses at once, or to the next move."""
        over = self.rules.result(reply)
        return way < 0 and (over == 1 or (over is None and self.at_once(reply)))


@lru_cache(maxsize=8)
def _search(rules: type[Rules], size: At) -> Search:
    return Search(rules(size))


def search(rules: type[Rules], size: At) -> Search:
    """What is known of a game on a board of this size; forgotten when it grows too large."""
    found = _search(rules, size)
    if len(found.known) > KEPT:
        found.known.clear()
    return found
