"""Engines of adjustable strength: alpha-beta searches that look at no more than a given number of positions, never at a clock."""

from __future__ import annotations

from functools import lru_cache

from rlgym.generators.boards.search import LIMIT, RECENT, WON, At, Move, Rules

Moved = tuple[Move, At, int]
"""A legal move, the position after it, and who moves then: 1 for the same player, -1 for the other."""
MOST_DEPTH = 24
KEPT = 50_000


class EngineRules(Rules):
    """Rules of a game that is too large to be solved: an estimate of positions, and the moves worth a search, the most promising first."""

    def __init__(self, size: At) -> None:
        super().__init__(size)
        self._recent: dict[At, list[Moved]] = {}

    def promising(self, at: At) -> list[Moved]:
        """`candidates`, remembered for recent positions: each depth of a search, and both engines of a game, meet the same ones."""
        found = self._recent.get(at)
        if found is None:
            if len(self._recent) >= RECENT:
                self._recent.clear()
            found = self._recent[at] = self.candidates(at)
        return found

    def candidates(self, at: At) -> list[Moved]:
        """The moves that an engine searches, in the order in which it does; unless said otherwise, all."""
        return self.legal(at)

    def merit(self, at: At, after: At, turn: int) -> int:
        """How good a move looks at once: by the estimate of the position after it."""
        over = self.result(after)
        return turn * (self.estimate(after) if over is None else over * WON)

    def payoff(self, at: At, depth: int) -> int:
        """The value of a finished game for the player to move. A win counts more the more of the search is left."""
        return (self.result(at) or 0) * (WON + depth)


class OutOfPositions(Exception):
    """The engine has looked at as many positions as it may."""


class Engine:
    """Iterative deepening of alpha-beta, which stops after so many positions and plays the best move found until then."""

    def __init__(self, rules: EngineRules, positions: int) -> None:
        self.rules, self.left = rules, positions

    def choose(self, at: At) -> tuple[Moved, int]:
        """The move to play and its value."""
        moves, depth = self.rules.promising(at), 0
        best, value = moves[0], -LIMIT
        try:
            while depth < MOST_DEPTH and len(moves) > 1:
                scored: list[tuple[int, int, Moved]] = []
                top = -LIMIT
                for place, move in enumerate(moves):
                    worth = self._value_after(move, depth, top, LIMIT)
                    scored.append((-worth, place, move))
                    # The best move of the depth before comes first, so a depth that is cut short can only have found a better one.
                    if worth > top:
                        top = worth
                        if depth == 0 or place == 0 or worth > value:
                            best = move
                scored.sort(key=lambda each: each[:2])
                best, value = scored[0][2], top
                moves = [move for _, _, move in scored]
                if abs(value) >= WON:
                    break
                depth += 1
        except OutOfPositions:
            pass
        return best, value

    def _value_after(self, move: Moved, depth: int, low: int, high: int) -> int:
        _, after, turn = move
        return self._value(after, depth, low, high) if turn > 0 else -self._value(after, depth, -high, -low)

    def _value(self, at: At, depth: int, low: int, high: int) -> int:
        self.left -= 1
        if self.left < 0:
            raise OutOfPositions
        rules = self.rules
        if rules.result(at) is not None:
            return rules.payoff(at, depth)
        if not depth:
            return rules.estimate(at)
        best = -LIMIT
        for move in rules.promising(at):
            worth = self._value_after(move, depth - 1, max(low, best), high)
            if worth > best:
                best = worth
                if best >= high:
                    break
        return best


class Table:
    """The rules of a game on one board and the replies of its engines, remembered."""

    def __init__(self, rules: EngineRules) -> None:
        self.rules = rules
        self.chosen: dict[tuple[At, int], tuple[Move, int]] = {}

    def choose(self, at: At, positions: int) -> tuple[Move, int]:
        """The move of an engine that searches so many positions, and its value: the same on every machine."""
        key = (at, positions)
        if key not in self.chosen:
            if len(self.chosen) >= KEPT:
                self.chosen.clear()
            move, value = Engine(self.rules, positions).choose(at)
            self.chosen[key] = move[0], value
        return self.chosen[key]

    def greedy(self, at: At) -> Move:
        """A move that wins at once, or else the one after which the position looks best."""
        rules = self.rules
        return max(enumerate(rules.promising(at)), key=lambda each: (rules.merit(at, *each[1][1:]), -each[0]))[1][0]


@lru_cache(maxsize=16)
def table(rules: type[EngineRules], size: At) -> Table:
    """What is known of a game on a board of this size."""
    return Table(rules(size))
