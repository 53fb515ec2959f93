"""Win a started game of hex on six to eight rows, where chains are joined by bridges and ladders, against an engine of stated strength."""

from functools import cache

from rlgym import Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.boards.contests import POSITIONS, Contest, Drawn, Position, Strength
from rlgym.generators.boards.engines import EngineRules, Moved
from rlgym.generators.boards.search import WON, At, Move
from rlgym.generators.boards.squares import WHERE, sample, square_name, text
from rlgym.generators.boards.started import play_random_moves
from rlgym.generators.numbers.bitsets import places

GOALS = ("the left edge to the right edge", "the bottom edge to the top edge")
MOST_CANDIDATES = 9
Group = tuple[int, int]
"""A chain of touching stones and the cells that touch it, a bit each."""


class Knobs(Strength):
    positions: int = knob(24, easy=8, hard=72, scale="log", doc=POSITIONS)
    side: int = knob(6, easy=4, hard=7, doc="cells on each side of the board")
    open: int = knob(75, easy=60, hard=85, doc="percent of the cells that are still empty")


class LargeHex(EngineRules):
    """A position has a bit for each stone of the player to move and of the other, and the player to move: 0 joins left and right."""

    sided = True

    def __init__(self, size: At) -> None:
        super().__init__(size)
        self._paths: dict[tuple[int, int, int], tuple[int, int]] = {}
        self._groups: dict[int, list[Group]] = {}

    def moves(self, at: At) -> list[Moved]:
        mine, theirs, side = at
        free = ~(mine | theirs) & _full(self.size[0])
        return [((cell,), (theirs, mine | 1 << cell, 1 - side), -1) for cell in places(free)]

    def candidates(self, at: At) -> list[Moved]:
        """Cells on shortest paths: first those on paths of both players."""
        mine, theirs, side = at
        own, other = self.paths(mine, theirs, side)[1], self.paths(theirs, mine, 1 - side)[1]
        middle = _middle(self.size[0])
        both, alone = own & other, own ^ other
        cells = places(both & middle) + places(both & ~middle) + places(alone & middle) + places(alone & ~middle)
        return [((cell,), (theirs, mine | 1 << cell, 1 - side), -1) for cell in cells[:MOST_CANDIDATES]]

    def result(self, at: At) -> int | None:
        first, last = _edges(self.size[0], 1 - at[2])
        return -1 if any(group & first and group & last for group, _ in self.groups(at[1])) else None

    def estimate(self, at: At) -> int:
        mine, theirs, side = at
        own, cells = self.paths(mine, theirs, side)
        other, others = self.paths(theirs, mine, 1 - side)
        # Who is to move is half a stone ahead; several shortest paths are harder to block.
        return 20 * (other - own) + 10 + min(cells.bit_count(), 9) - min(others.bit_count(), 9)

    def paths(self, mine: int, theirs: int, player: int) -> tuple[int, int]:
        """How many stones a player needs to join the two edges, and the empty cells on the shortest paths."""
        key = (mine, theirs, player)
        found = self._paths.get(key)
        if found is None:
            if len(self._paths) > 20_000:
                self._paths.clear()
            found = self._paths[key] = _shortest(mine, theirs, player, self.size[0], self.groups(mine))
        return found

    def groups(self, stones: int) -> list[Group]:
        """The chains of touching stones; remembered, as many positions share the stones of one player."""
        found = self._groups.get(stones)
        if found is None:
            if len(self._groups) > 20_000:
                self._groups.clear()
            found, rest, side = [], stones, self.size[0]
            while rest:
                group = _flood(rest & -rest, stones, side)
                found.append((group, _around(group, side)))
                rest &= ~group
            self._groups[stones] = found
        return found

    def name(self, move: Move) -> str:
        return square_name(self.size[0], move[0])

    def most(self, at: At) -> int:
        return (self.size[0] ** 2 - (at[0] | at[1]).bit_count() + 1) // 2

    def work(self, at: At) -> float:
        return float((self.size[0] ** 2 - (at[0] | at[1]).bit_count()) ** 2)

    def foul(self, at: At) -> str:
        return square_name(self.size[0], places(at[0] | at[1])[0])


CELLS = Contest(LargeHex, better=3, least=40, plays=0)


def start(rng: Rng, knobs: Knobs) -> Position:
    return CELLS.start(rng, knobs, lambda rng: _sample(rng, knobs))


def show(state: Position, player: int) -> str:
    side = state.size[0]
    rules = (
        f"We play hex on {side} columns and {side} rows of cells. {WHERE.replace('a square', 'a cell')}. "
        "Two cells touch if they are next to each other in a row or in a column, or if one is one column to the right and one row below the other, "
        "as a2 and b1 are; cells that lie on the other diagonal, as a1 and b2, do not touch. "
        f"You have the stones {'XO'[player]}, I have the stones {'OX'[player]}, and a dot is an empty cell. We put stones of our own on empty cells in "
        f"turn. You win once a chain of touching stones of yours joins {GOALS[player]}, I win once one of mine joins {GOALS[1 - player]}."
    )
    return CELLS.describe(state, player, rules, text(side, side, lambda cell: _sign(state, cell)))


def picture(state: Position, player: int) -> str:
    return sample((state.size[0],) * 2, lambda cell: _sign(state, cell))


def _sign(state: Position, cell: int) -> str:
    first, second = state.at[:2] if state.player == 0 else state.at[1::-1]
    return "X" if first >> cell & 1 else "O" if second >> cell & 1 else "."


def _sample(rng: Rng, knobs: Knobs) -> Drawn:
    size = (knobs.side,)
    stones = knobs.side**2 * (100 - knobs.open) // 100
    return size, play_random_moves(rng, CELLS.table(size).rules, (0, 0, rng.integer(0, 1)), stones)


def _shortest(mine: int, theirs: int, player: int, side: int, groups: list[Group]) -> tuple[int, int]:
    """The number of stones missing on the shortest way between a player's edges, and the empty cells on such ways.

    Layer k holds the cells reached from an edge with k further stones.
    """
    first, last = _edges(side, player)
    free = ~(mine | theirs) & _full(side)
    there = _layers(first, last, groups, free, side)
    if not there:
        return WON, 0
    back = _layers(last, first, groups, free, side)
    need, cells = len(there) - 1, 0
    # A cell taken as the k-th stone from one edge is the (need + 1 - k)-th from the other.
    for k in range(1, need + 1):
        cells |= there[k] & back[need + 1 - k]
    return need, cells & free


def _layers(first: int, last: int, groups: list[Group], free: int, side: int) -> list[int]:
    """Cells new in each layer up to the one that reaches the last edge; none if it cannot be reached."""
    layer, near = 0, first
    for group, beside in groups:
        if group & first:
            layer |= group
            near |= beside
    seen, layers = layer, [layer]
    while not layer & last:
        taken = near & free & ~seen
        if not taken:
            return []
        layer, near = taken, _around(taken, side)
        for group, beside in groups:
            if beside & taken and not group & seen:
                layer |= group
                near |= beside
        seen |= layer
        layers.append(layer)
    return layers


def _flood(cells: int, within: int, side: int) -> int:
    while True:
        more = cells | _around(cells, side) & within
        if more == cells:
            return cells
        cells = more


def _around(cells: int, side: int) -> int:
    left, right, full = _columns(side)
    east, west = cells & ~right, cells & ~left
    return (east << 1 | west >> 1 | west << side - 1 | east >> side - 1 | cells << side | cells >> side) & full


@cache
def _columns(side: int) -> tuple[int, int, int]:
    left = sum(1 << row * side for row in range(side))
    return left, left << side - 1, _full(side)


@cache
def _edges(side: int, player: int) -> tuple[int, int]:
    left, row = sum(1 << k * side for k in range(side)), (1 << side) - 1
    return (left, left << side - 1) if player == 0 else (row, row << side * (side - 1))


@cache
def _middle(side: int) -> int:
    inner = range(side // 3, side - side // 3)
    return sum(1 << row * side + column for row in inner for column in inner)


@cache
def _full(side: int) -> int:
    return (1 << side * side) - 1


environment = Match(
    Knobs, Words("the cell on which you put a stone, such as b3", max_items=1, ignore_case=True), start, show,
    **CELLS.parts(), picture=picture,
    concept="Build bridges: two stones with two empty cells between them that both touch cannot be cut, so count bridges to both edges before blocking.",
)  # fmt: skip
