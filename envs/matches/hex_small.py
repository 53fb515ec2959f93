"""Win a started game of hex, in which one player joins left and right and the other top and bottom; there are no draws."""

from functools import cache

from rlgym import Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.boards.play import Board, Drawn, Level, State
from rlgym.generators.boards.search import At, Move, Rules
from rlgym.generators.boards.squares import WHERE, sample, square_name, text
from rlgym.generators.boards.started import play_random_moves
from rlgym.generators.numbers.bitsets import places

GOALS = ("the left edge to the right edge", "the bottom edge to the top edge")


class Knobs(Level):
    lasting: int = knob(3, easy=2, hard=4, doc="least moves of yours that a win takes if both play well")
    side: int = knob(4, easy=4, hard=5, doc="cells on each side of the board")
    open: int = knob(9, easy=7, hard=10, doc="cells that are still empty")


class Hex(Rules):
    """A position has a bit for each stone of the player to move and of the other, and the player to move: 0 joins left and right."""

    sided = True

    def moves(self, at: At) -> list[tuple[Move, At, int]]:
        mine, theirs, side = at
        free = ~(mine | theirs) & (1 << self.size[0] ** 2) - 1
        return [((square,), (theirs, mine | 1 << square, 1 - side), -1) for square in places(free)]

    def result(self, at: At) -> int | None:
        # The board is never full without a winner, and only the last move can have won.
        return -1 if _join(at[1], self.size[0], 1 - at[2]) else None

    def name(self, move: Move) -> str:
        return square_name(self.size[0], move[0])

    def most(self, at: At) -> int:
        return (self.size[0] ** 2 - (at[0] | at[1]).bit_count() + 1) // 2

    def merit(self, at: At, after: At, turn: int) -> int:
        # The stone with most room around it, of one's own stones and of empty cells.
        stone = (after[1] ^ at[0]).bit_length() - 1
        return (_near(self.size[0])[stone] & ~at[1]).bit_count()

    def work(self, at: At) -> float:
        return float((self.size[0] ** 2 - (at[0] | at[1]).bit_count()) ** 3 * self.size[0])

    def foul(self, at: At) -> str:
        return square_name(self.size[0], places(at[0] | at[1])[0])


CELLS = Board(Hex, work=1200, patience=10)


def start(rng: Rng, knobs: Knobs) -> State:
    return CELLS.start(rng, knobs, lambda rng: _sample(rng, knobs))


def show(state: State, player: int) -> str:
    side = state.size[0]
    rules = (
        f"We play hex on {side} columns and {side} rows of cells. {WHERE.replace('a square', 'a cell')}. "
        "Two cells touch if they are next to each other in a row or in a "
        "column, or if one is "
        "one column to the right and one row below the other, as a2 and b1 are; cells that lie on the other diagonal, as a1 and b2, do not "
        "touch. You have the stones "
        f"{'XO'[player]}, I have the stones {'OX'[player]}, and a dot is an empty cell. We put stones of our own on empty cells in turn. You "
        "win once a chain of "
        f"touching stones of yours joins {GOALS[player]}, I win once one of mine joins {GOALS[1 - player]}."
    )
    return CELLS.describe(state, player, rules, text(side, side, lambda square: _sign(state, square)))


def picture(state: State, player: int) -> str:
    return sample((state.size[0],) * 2, lambda square: _sign(state, square))


def _sign(state: State, square: int) -> str:
    first, second = state.at[:2] if state.player == 0 else state.at[1::-1]
    return "X" if first >> square & 1 else "O" if second >> square & 1 else "."


def _sample(rng: Rng, knobs: Knobs) -> Drawn:
    stones = knobs.side**2 - min(knobs.open, knobs.side**2 - 3)
    size = (knobs.side,)
    return size, play_random_moves(rng, CELLS.rules(size), (0, 0, rng.integer(0, 1)), stones)


def _join(stones: int, side: int, player: int) -> bool:
    """Whether a chain joins the first player's edges, left and right, or the second player's, bottom and top."""
    left, row, full = _edges(side)
    first, last = (left, left << side - 1) if player == 0 else (row, row << side * (side - 1))
    reached, right = stones & first, left << side - 1
    while True:
        across = (reached & ~right) << 1 | (reached & ~left) >> 1
        slanting = (reached & ~left) << side - 1 | (reached & ~right) >> side - 1
        more = reached | (across | slanting | reached << side | reached >> side) & stones & full
        if more & last:
            return True
        if more == reached:
            return False
        reached = more


@cache
def _edges(side: int) -> tuple[int, int, int]:
    return sum(1 << row * side for row in range(side)), (1 << side) - 1, (1 << side * side) - 1


@cache
def _near(side: int) -> tuple[int, ...]:
    ways = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, -1), (-1, 1))
    spots = [[(i // side + up, i % side + right) for up, right in ways] for i in range(side * side)]
    return tuple(sum(1 << up * side + right for up, right in near if 0 <= up < side and 0 <= right < side) for near in spots)


environment = Match(
    Knobs, Words("the cell on which you put a stone, such as b3", max_items=1, ignore_case=True), start, show,
    **CELLS.parts(), picture=picture,
    short_matches="A position that takes six moves is too large to be solved within the time that a task may take.",
    concept="Two stones with two empty cells between them that both touch are as good as joined: when one is taken, take the other.",
    guessable="On a small board a stone in the middle and any others are connected now and then.",
    version=4,
)  # fmt: skip
