"""Go on small boards: groups, liberties, captures, positional superko and area scoring, as rules for an engine."""

from __future__ import annotations

from rlgym.generators.boards.engines import KEPT, EngineRules, Moved
from rlgym.generators.boards.search import At, Move
from rlgym.generators.boards.squares import square_name
from rlgym.generators.numbers.bitsets import places

PASS = (-1,)
WIDTH = 64
"""Bits for the stones of one player in a remembered position."""
MOST_CANDIDATES = 8
POINT = 10


class Go(EngineRules):
    """A position has bits for the stones of the player to move and of the other, the passes in a row, the moves left, the lead that the player to
    move needs, and the positions that the board had so far. An engine plays for points, whatever the lead needed."""

    def __init__(self, size: At) -> None:
        super().__init__(size)
        width, height = size
        # A column beside the board that no stone ever takes keeps the rows apart.
        self.step = width + 1
        self.full = sum((1 << width) - 1 << row * self.step for row in range(height))
        self._groups: dict[int, list[tuple[int, int]]] = {}
        self._estimates: dict[At, int] = {}

    def moves(self, at: At) -> list[Moved]:
        return self._legal_moves(at, places(~(at[0] | at[1]) & self.full))

    def candidates(self, at: At) -> list[Moved]:
        """Captures, escapes and moves next to stones first; no move into an own eye; the pass at the end."""
        mine, theirs = at[:2]
        around, empty = self.around, ~(mine | theirs) & self.full
        captures, escapes = self._last_liberties(theirs, empty), self._last_liberties(mine, empty)
        eyes = empty & ~around(self.full & ~mine)
        open_points = empty & ~eyes & ~captures
        contact = around(theirs) & around(mine) & open_points
        near = (around(theirs) | around(around(mine))) & open_points & ~contact
        points = places(captures)
        for more in (escapes & open_points, contact & ~escapes, near & ~escapes, open_points & ~contact & ~near & ~escapes):
            if len(points) < MOST_CANDIDATES:
                points += places(more)
        return self._legal_moves(at, points[:MOST_CANDIDATES])

    def _legal_moves(self, at: At, points: list[int]) -> list[Moved]:
        """The legal moves among these points, and the pass."""
        mine, theirs, passes, left, need, *history = at
        step, empty = self.step, ~(mine | theirs) & self.full
        atari = [(group, near & empty) for group, near in self.groups(theirs) if (near & empty).bit_count() == 1]
        out: list[Moved] = []
        for point in points:
            stone = 1 << point
            taken = 0
            for group, liberty in atari:
                if liberty == stone:
                    taken |= group
            own, other = mine | stone, theirs & ~taken
            near = (stone << 1 | stone >> 1 | stone << step | stone >> step) & self.full
            if not taken and not near & empty and not (near & mine and self.around(self.grow(stone, own)) & empty & ~stone):
                continue
            code = own << WIDTH | other if left % 2 == 0 else other << WIDTH | own
            if taken and code in history:
                continue
            out.append(((point,), (other, own, 0, left - 1, 1 - need, *history, code), -1))
        out.append((PASS, (theirs, mine, passes + 1, left - 1, 1 - need, *history), -1))
        return out

    def result(self, at: At) -> int | None:
        if at[2] < 2 and at[3] > 0:
            return None
        return 1 if self.lead(at) >= at[4] else -1

    def payoff(self, at: At, depth: int) -> int:
        return POINT * self.lead(at)

    def merit(self, at: At, after: At, turn: int) -> int:
        return turn * (self.estimate(after) if after[2] < 2 and after[3] > 0 else self.payoff(after, 0))

    def lead(self, at: At) -> int:
        """The area of the player to move less that of the other."""
        mine, theirs = at[:2]
        return self.area(mine, theirs) - self.area(theirs, mine)

    def area(self, mine: int, theirs: int) -> int:
        """Stones and the empty regions that touch no stone of the other player."""
        empty = ~(mine | theirs) & self.full
        reached = self.grow(self.around(theirs) & empty, empty)
        return mine.bit_count() + ((empty & ~reached).bit_count() if mine else 0)

    def estimate(self, at: At) -> int:
        """The estimate of the stones alone, remembered: moves in another order lead to the same stones."""
        stones = at[:2]
        found = self._estimates.get(stones)
        if found is None:
            if len(self._estimates) >= KEPT:
                self._estimates.clear()
            found = self._estimates[stones] = self._estimate_stones(*stones)
        return found

    def _estimate_stones(self, mine: int, theirs: int) -> int:
        step, empty = self.step, ~(mine | theirs) & self.full
        own, other = mine, theirs
        for _ in range(2):
            wide = (own << 1 | own >> 1 | own << step | own >> step) & empty & ~other
            broad = (other << 1 | other >> 1 | other << step | other >> step) & empty & ~own
            own, other = own | wide & ~broad, other | broad & ~wide
        lost = caught = liberties = 0
        for group, near in self.groups(mine):
            count = (near & empty).bit_count()
            liberties += count
            lost += group.bit_count() * (count == 1)
        for group, near in self.groups(theirs):
            count = (near & empty).bit_count()
            liberties -= count
            caught += group.bit_count() * (count == 1)
        # Whose turn it is takes what stands on its last liberty.
        return POINT * (own.bit_count() - other.bit_count()) + 2 * liberties + 15 * caught - 6 * lost

    def _last_liberties(self, stones: int, empty: int) -> int:
        out = 0
        for _, near in self.groups(stones):
            liberties = near & empty
            if not liberties & liberties - 1:
                out |= liberties
        return out

    def groups(self, stones: int) -> list[tuple[int, int]]:
        """The chains of connected stones and the points next to each, a bit each."""
        found = self._groups.get(stones)
        if found is None:
            if len(self._groups) >= KEPT:
                self._groups.clear()
            found, rest = [], stones
            while rest:
                group = self.grow(rest & -rest, stones)
                found.append((group, self.around(group) & ~group))
                rest &= ~group
            self._groups[stones] = found
        return found

    def grow(self, stones: int, within: int) -> int:
        """What of a set is connected to these points."""
        step = self.step
        while True:
            more = stones | (stones << 1 | stones >> 1 | stones << step | stones >> step) & within
            if more == stones:
                return stones
            stones = more

    def around(self, points: int) -> int:
        """The points next to these; some of the points themselves may be among them."""
        step = self.step
        return (points << 1 | points >> 1 | points << step | points >> step) & self.full

    def name(self, move: Move) -> str:
        return "pass" if move == PASS else self._point_name(move[0])

    def most(self, at: At) -> int:
        return (at[3] + 1) // 2

    def work(self, at: At) -> float:
        return float(self.size[0] * self.size[1] * at[3])

    def foul(self, at: At) -> str:
        return self._point_name(places(at[0] | at[1])[0])

    def _point_name(self, point: int) -> str:
        return square_name(self.size[0], point // self.step * self.size[0] + point % self.step)
