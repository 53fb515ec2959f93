"""Win a started game of clobber, in which a stone moves only onto an adjacent stone of the other colour, and a player who cannot move loses."""

from functools import cache

from rlgym import Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.boards.play import Board, Drawn, Level, State
from rlgym.generators.boards.search import At, Move, Rules
from rlgym.generators.boards.squares import WHERE, neighbour_masks, sample, square_name, text
from rlgym.generators.numbers.bitsets import places


class Knobs(Level):
    lasting: int = knob(4, easy=2, hard=5, doc="least moves of yours that a win takes if both play well")
    width: int = knob(4, easy=3, hard=5, doc="squares in a row")
    height: int = knob(4, easy=3, hard=5, doc="squares in a column")
    stones: int = knob(12, easy=7, hard=16, doc="most stones on the board")


class Clobber(Rules):
    """A position has a bit for each stone of the player to move and of the other."""

    def moves(self, at: At) -> list[tuple[Move, At, int]]:
        mine, theirs = at
        near, captures = neighbour_masks(*self.size), list[tuple[Move, At, int]]()
        stones = mine & self.touching(theirs)
        while stones:
            stone = stones & -stones
            stones ^= stone
            square = stone.bit_length() - 1
            taken = near[square] & theirs
            while taken:
                other = taken & -taken
                taken ^= other
                captures.append(((square, other.bit_length() - 1), (theirs ^ other, mine ^ stone | other), -1))
        return captures

    def touching(self, squares: int) -> int:
        """The squares next to any of these; some may lie beyond the last row."""
        width, height = self.size
        left_column = _column(width, height)
        return squares << 1 & ~left_column | squares >> 1 & ~(left_column << width - 1) | squares << width | squares >> width

    def name(self, move: Move) -> str:
        return f"{square_name(self.size[0], move[0])} {square_name(self.size[0], move[1])}"

    def most(self, at: At) -> int:
        return (at[0] | at[1]).bit_count() // 2

    def key(self, at: At) -> At:
        # Groups of one colour count for nothing.
        mine, theirs = at
        both, before = mine | theirs, 0
        alive = mine & self.touching(theirs) | theirs & self.touching(mine)
        while alive != before:
            before, alive = alive, (alive | self.touching(alive)) & both
        return mine & alive, theirs & alive

    def work(self, at: At) -> float:
        return float((at[0] | at[1]).bit_count() ** 3)

    def foul(self, at: At) -> str:
        # A stone that does not move, or one that moves to where no stone of the other player is.
        return self.name((places(at[0])[0],) * 2) if at[0] else "a1 a2"


STONES = Board(Clobber, work=1500)


def start(rng: Rng, knobs: Knobs) -> State:
    return STONES.start(rng, knobs, lambda rng: _sample(rng, knobs))


def show(state: State, player: int) -> str:
    width, height = state.size
    rules = (
        f"We play on a board of {width} columns and {height} rows. You have the stones {'XO'[player]}, I have the stones {'OX'[player]}, and "
        f"a dot is an empty square. {WHERE}. We move in turn. In a move a player moves one stone of their own to a square next to it, to the left, to the "
        "right, up or down, on which there is a stone of the other player; that stone is taken off the board. There are no other moves. A player who "
        "cannot move loses."
    )
    return STONES.describe(state, player, rules, text(width, height, lambda square: _sign(state, square)))


def picture(state: State, player: int) -> str:
    return sample(state.size, lambda square: _sign(state, square))


@cache
def _column(width: int, height: int) -> int:
    """The squares of the first column, a bit each."""
    return sum(1 << row * width for row in range(height))


def _sign(state: State, square: int) -> str:
    first, second = state.at if state.player == 0 else state.at[::-1]
    return "X" if first >> square & 1 else "O" if second >> square & 1 else "."


def _sample(rng: Rng, knobs: Knobs) -> Drawn:
    count = min(knobs.stones, knobs.width * knobs.height)
    squares = rng.sample(range(knobs.width * knobs.height), count - rng.integer(0, 1))
    half = (len(squares) + rng.integer(0, 1)) // 2
    return (knobs.width, knobs.height), (sum(1 << i for i in squares[:half]), sum(1 << i for i in squares[half:]))


environment = Match(
    Knobs, Words("the square that your stone leaves and the square it goes to, such as b3 b4", max_items=2, ignore_case=True), start, show,
    **STONES.parts(), picture=picture,
    short_matches="A position that takes six moves is too large to be solved within the time that a task may take.",
    concept="The groups of stones that touch are games of their own: count the moves that each side has left in every one of them.",
    version=4,
)  # fmt: skip
