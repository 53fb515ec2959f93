"""Win a started game of breakthrough, a race of pawns to the other side of the board, against an engine of stated strength."""

from functools import cache

from rlgym import Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.boards.contests import POSITIONS, Contest, Drawn, Position, Strength
from rlgym.generators.boards.engines import EngineRules, Moved
from rlgym.generators.boards.search import At, Move
from rlgym.generators.boards.squares import WHERE, sample, square_name, text
from rlgym.generators.boards.started import play_random_moves
from rlgym.generators.numbers.bitsets import places

PIECE, STEP = 12, 2


class Knobs(Strength):
    positions: int = knob(28, easy=8, hard=100, scale="log", doc=POSITIONS)
    width: int = knob(6, easy=5, hard=6, doc="squares in a row")
    height: int = knob(6, easy=5, hard=7, doc="squares in a column")
    pawns: int = knob(8, easy=4, hard=11, doc="pawns of each player before the opening moves")
    lasting: int = knob(4, easy=2, hard=6, doc="least moves of yours in a win of the stronger engine")


class Pawns(EngineRules):
    """A position has a bit for each pawn of the player to move and of the other, and the player to move: 0 moves up the board."""

    sided = True

    def moves(self, at: At) -> list[Moved]:
        mine, theirs, side = at
        ahead = _ahead(*self.size, side)
        out: list[Moved] = []
        full = mine | theirs
        for square in places(mine):
            straight, slanting = ahead[square]
            for target in places(straight & ~full | slanting & ~mine):
                after = (theirs & ~(1 << target), mine ^ 1 << square | 1 << target, 1 - side)
                out.append(((square, target), after, -1))
        return out

    def candidates(self, at: At) -> list[Moved]:
        """Captures and moves of the foremost pawns first."""
        theirs, side = at[1], at[2]
        moves = self.legal(at)
        # The moves come from the bottom row upwards.
        moves = moves[::-1] if side == 0 else moves
        return sorted(moves, key=lambda move: not theirs >> move[0][1] & 1)

    def result(self, at: At) -> int | None:
        mine, theirs, side = at
        if theirs & _goal(*self.size, 1 - side) or not mine:
            return -1
        return None if self.legal(at) else -1

    def estimate(self, at: At) -> int:
        mine, theirs, side = at
        total = PIECE * (mine.bit_count() - theirs.bit_count()) + 1
        for row, (low, high) in enumerate(_rows(*self.size)):
            own, other = (low, high) if side == 0 else (high, low)
            total += STEP * row * ((mine & own).bit_count() - (theirs & other).bit_count())
        return total

    def name(self, move: Move) -> str:
        return f"{square_name(self.size[0], move[0])} {square_name(self.size[0], move[1])}"

    def most(self, at: At) -> int:
        # Each move brings a pawn one row further.
        return (at[0] | at[1]).bit_count() * (self.size[1] - 1)

    def work(self, at: At) -> float:
        return float((at[0] | at[1]).bit_count() ** 2 * self.size[1])

    def foul(self, at: At) -> str:
        square = places(at[1])[0]
        return f"{square_name(self.size[0], square)} {square_name(self.size[0], (square + self.size[0]) % (self.size[0] * self.size[1]))}"


PAWNS = Contest(Pawns, better=3)


def start(rng: Rng, knobs: Knobs) -> Position:
    return PAWNS.start(rng, knobs, lambda rng: _sample(rng, knobs))


def show(state: Position, player: int) -> str:
    width, height = state.size
    ways = ("up, to higher row numbers", "down, to lower row numbers")
    last = (height, 1)
    rules = (
        f"We play breakthrough on {width} columns and {height} rows of squares. {WHERE}. Your pawns are {'XO'[player]} and move {ways[player]}; my pawns "
        f"are {'OX'[player]} and move {ways[1 - player]}; a dot is an empty square. In turn each of us moves a pawn of our own one row ahead: to the square "
        "straight ahead if it is empty, or to a square diagonally ahead that is empty or holds a pawn of the other player, which is then captured. A pawn "
        f"straight ahead cannot be captured. You win when a pawn of yours reaches row {last[player]} or when I cannot move; I win when a pawn of mine "
        f"reaches row {last[1 - player]} or when you cannot move."
    )
    return PAWNS.describe(state, player, rules, text(width, height, lambda square: _sign(state, square)))


def picture(state: Position, player: int) -> str:
    return sample(state.size, lambda square: _sign(state, square))


def _sign(state: Position, square: int) -> str:
    first, second = state.at[:2] if state.player == 0 else state.at[1::-1]
    return "X" if first >> square & 1 else "O" if second >> square & 1 else "."


def _sample(rng: Rng, knobs: Knobs) -> Drawn:
    size = width, height = (knobs.width, knobs.height)
    rows = 2 if height < 6 else 3
    pawns = min(knobs.pawns, rows * width - 1)
    low = sum(1 << square for square in rng.sample(range(rows * width), pawns))
    high = sum(1 << width * height - 1 - square for square in rng.sample(range(rows * width), pawns))
    return size, play_random_moves(rng, PAWNS.table(size).rules, (low, high, 0), rng.integer(0, 3))


@cache
def _ahead(width: int, height: int, side: int) -> tuple[tuple[int, int], ...]:
    """For each square the one straight ahead and those diagonally ahead, a bit each."""
    out = []
    for square in range(width * height):
        column, row = square % width, square // width + (1 if side == 0 else -1)
        inside = 0 <= row < height
        straight = 1 << row * width + column if inside else 0
        slanting = sum(1 << row * width + near for near in (column - 1, column + 1) if inside and 0 <= near < width)
        out.append((straight, slanting))
    return tuple(out)


@cache
def _goal(width: int, height: int, side: int) -> int:
    return ((1 << width) - 1) << (width * (height - 1) if side == 0 else 0)


@cache
def _rows(width: int, height: int) -> tuple[tuple[int, int], ...]:
    """Each row counted from the bottom and from the top."""
    row = (1 << width) - 1
    return tuple((row << width * k, row << width * (height - 1 - k)) for k in range(height))


environment = Match(
    Knobs, Words("the square of the pawn that you move and the square to which it moves, such as b2 c3", max_items=2, ignore_case=True), start, show,
    **PAWNS.parts(), picture=picture,
    concept="Count the moves of both races, keep pawns behind that guard, and trade where the exchange leaves a pawn nobody can stop.",
)  # fmt: skip
