"""Exact values of positions of two-player games without chance: each position is looked into once, under a budget of positions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import lru_cache
from typing import Any

At = tuple[int, ...]
"""A position as the player to move sees it, in small integers."""
Move = tuple[int, ...]
KEPT = 400_000
RECENT = 4096
WON = 1000
LIMIT = 10**6


class TooMuch(Exception):
    """More positions than the budget allows."""


class Rules(ABC):
    """The rules of one game on one board, whose measures are `size`."""

    def __init__(self, size: At) -> None:
        self.size = size
        self._legal: dict[At, list[tuple[Move, At, int]]] = {}

    def legal(self, at: At) -> list[tuple[Move, At, int]]:
        """`moves`, remembered for recent positions: a search asks for those of a position several times."""
        found = self._legal.get(at)
        if found is None:
            if len(self._legal) >= RECENT:
                self._legal.clear()
            found = self._legal[at] = self.moves(at)
        return found

    @abstractmethod
    def moves(self, at: At) -> list[tuple[Move, At, int]]:
        """The legal moves in a fixed order, the position after each, and who moves then: 1 for the same player, -1 for the other."""

    @abstractmethod
    def name(self, move: Move) -> str:
        """The move as a player gives it: words separated by spaces."""

    @abstractmethod
    def most(self, at: At) -> int:
        """A number of moves that no player exceeds from here on."""

    def result(self, at: At) -> int | None:
        """When the game is over, what the player to move gets: 1, 0 or -1. Unless said otherwise, who cannot move has lost."""
        return None if self.legal(at) else -1

    def solved(self, at: At) -> int | None:
        """The value of a position where theory gives it without a search."""
        return None

    def merit(self, at: At, after: At, turn: int) -> int:
        """How good a move looks at once; unless said otherwise, by how few moves it leaves to the other player."""
        return turn * len(self.legal(after))

    def merits(self, at: At) -> list[int]:
        """The merit of each legal move; a game overrides it where what the moves share can be computed once."""
        return [self.merit(at, after, turn) for _, after, turn in self.legal(at)]

    def key(self, at: At) -> At:
        """What of a position its value depends on: positions of the same key have the same value."""
        return at

    def estimate(self, at: At) -> int:
        """How well the player to move stands, where a search of limited size ends: less than 1000 either way."""
        return 0

    def work(self, at: At) -> float:
        """The moves looked at by somebody who reads on to the end and prunes well."""
        return float(len(self.legal(at)) * self.most(at) ** 2)

    def foul(self, at: At) -> str:
        """A tempting move that is not legal."""
        return "a0"


class Search:
    """The values of positions, remembered."""

    def __init__(self, rules: Rules, work: int = 10**9) -> None:
        self.rules, self.work = rules, work
        self.known: dict[At, int] = {}
        self.replies: dict[tuple[At, int], int] = {}
        # Of the positions that were played, which are few beside those that were looked into.
        self.exact: dict[tuple[At, str], int] = {}
        self.tempted: dict[At, int] = {}
        self._keyed = type(rules).key is not Rules.key

    def value(self, at: At) -> int:
        """1, 0 or -1 for the player to move, under perfect play; TooMuch where the budget is used up."""
        key = self.rules.key(at) if self._keyed else at
        seen = self.known.get(key)
        return self._value(at, key) if seen is None else seen

    def _value(self, at: At, key: At) -> int:
        known, rules = self.known, self.rules
        if len(known) >= self.work:
            raise TooMuch
        best = rules.result(at)
        if best is None:
            best = rules.solved(at)
        if best is None:
            best = -1
            for after, turn, after_key in self._ordered_moves(at):
                value = known.get(after_key)
                if value is None:
                    value = self._value(after, after_key)
                if turn * value > best:
                    best = turn * value
                    if best == 1:
                        break
        known[key] = best
        return best

    def _ordered_moves(self, at: At) -> list[tuple[At, int, At]]:
        """The positions after each move with their keys: a won one alone where one is known, or else the most promising first."""
        known, rules = self.known, self.rules
        if self._keyed:
            key = rules.key
            moves = [(after, turn, key(after)) for _, after, turn in rules.legal(at)]
        else:
            moves = [(after, turn, after) for _, after, turn in rules.legal(at)]
        for move in moves:
            if known.get(move[2]) == move[1]:
                return [move]
        merits = rules.merits(at)
        # Moves of the same merit stay in their order.
        return [moves[place] for place in sorted(range(len(moves)), key=merits.__getitem__, reverse=True)]

    def lookahead(self, at: At, nodes: int) -> int:
        """The place of the move that iterative deepening prefers, which looks at no more than so many positions: the same on every machine."""
        place = self.replies.get((at, nodes))
        if place is None:
            place = self.replies[at, nodes] = self._lookahead(at, nodes)
        return place

    def _lookahead(self, at: At, nodes: int) -> int:
        moves = self.rules.legal(at)
        order = sorted(range(len(moves)), key=self.rules.merits(at).__getitem__, reverse=True)
        deepening, depth = Deepening(self.rules, nodes), 0
        best = order[0]
        while depth < self.rules.most(at) * 2 and len(moves) > 1:
            depth += 1
            try:
                values = {i: deepening.after(*moves[i][1:], depth - 1, -LIMIT, LIMIT) for i in order}
            except TooMuch:
                break
            best = max(order, key=values.__getitem__)
            if abs(values[best]) >= WON:
                break
        return best

    def values(self, at: At) -> list[int]:
        """The value of each legal move."""
        return [turn * self.value(after) for _, after, turn in self.rules.legal(at)]

    def at_once(self, at: At) -> bool:
        """Whether a move wins at once."""
        return any(self.wins(after, turn) for _, after, turn in self.rules.legal(at))

    def wins(self, after: At, turn: int) -> bool:
        """Whether the game is over and won for the one who made the move."""
        over = self.rules.result(after)
        return over is not None and turn * over > 0

    def tempting(self, at: At) -> int:
        """The place of a move that wins at once, or else of the one that looks best; remembered, since many plays meet the same positions."""
        place = self.tempted.get(at)
        if place is None:
            place = self.tempted[at] = self._tempting(at)
        return place

    def _tempting(self, at: At) -> int:
        moves = self.rules.legal(at)
        won = [i for i, (_, after, turn) in enumerate(moves) if self.wins(after, turn)]
        if won:
            return won[0]
        merits = self.rules.merits(at)
        return merits.index(max(merits))


class Deepening:
    """Alpha-beta search to a fixed depth, under a budget of positions. A win counts more the earlier it comes."""

    def __init__(self, rules: Rules, nodes: int) -> None:
        self.rules, self.left = rules, nodes

    def after(self, at: At, turn: int, depth: int, low: int, high: int) -> int:
        """What a move is worth that leads to this position."""
        return self.value(at, depth, low, high) if turn > 0 else -self.value(at, depth, -high, -low)

    def value(self, at: At, depth: int, low: int, high: int) -> int:
        self.left -= 1
        if self.left < 0:
            raise TooMuch
        over = self.rules.result(at)
        if over is not None:
            return over * (WON + depth)
        if not depth:
            return self.rules.estimate(at)
        best, moves = -LIMIT, self.rules.legal(at)
        for place in sorted(range(len(moves)), key=self.rules.merits(at).__getitem__, reverse=True):
            _, after, turn = moves[place]
            best = max(best, self.after(after, turn, depth - 1, max(low, best), high))
            if best >= high:
                break
        return best


@lru_cache(maxsize=8)
def _search(rules: type[Rules], size: At) -> Search:
    return Search(rules(size))


def search(rules: type[Rules], size: At) -> Search:
    """What is known of a game on a board of this size; forgotten when it grows too large, perhaps while another thread reads it."""
    table = _search(rules, size)
    remembered: tuple[dict[Any, int], ...] = (table.known, table.replies, table.exact, table.tempted)
    if any(len(each) > KEPT for each in remembered):
        for each in remembered:
            each.clear()
    return table
