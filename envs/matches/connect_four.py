"""Win a started game of connect four, in which discs fall to the lowest empty square of a column, against an engine of stated strength."""

from functools import cache

from rlgym import Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.boards.contests import Contest, Drawn, Position, Strength
from rlgym.generators.boards.engines import EngineRules, Moved
from rlgym.generators.boards.search import At, Move
from rlgym.generators.boards.started import play_random_moves
from rlgym.generators.drawing.pictures import board

NEED = 4
WEIGHTS = (0, 1, 4, 16, 0)


class Knobs(Strength):
    width: int = knob(6, easy=5, hard=7, doc="columns")
    height: int = knob(6, easy=4, hard=6, doc="rows")
    open: int = knob(68, easy=50, hard=85, doc="percent of the squares that are still empty")


class Gravity(EngineRules):
    """A position has a bit for each disc of the player to move and of the other. A column takes one bit more than it has rows, which stays 0."""

    def moves(self, at: At) -> list[Moved]:
        mine, theirs = at
        width, height = self.size
        full = mine | theirs
        out: list[Moved] = []
        for column in _from_the_middle(width):
            shift = column * (height + 1)
            stack = (full >> shift) & (1 << height) - 1
            if stack.bit_length() < height:
                out.append(((column,), (theirs, mine | 1 << shift + stack.bit_length()), -1))
        return out

    def result(self, at: At) -> int | None:
        if _lined(at[1], self.size[1]):
            return -1
        return 0 if (at[0] | at[1]).bit_count() == self.size[0] * self.size[1] else None

    def estimate(self, at: At) -> int:
        mine, theirs = at
        total = 0
        for window in _windows(*self.size):
            held, lost = mine & window, theirs & window
            if not lost:
                total += WEIGHTS[held.bit_count()]
            elif not held:
                total -= WEIGHTS[lost.bit_count()]
        return total

    def name(self, move: Move) -> str:
        return str(move[0] + 1)

    def most(self, at: At) -> int:
        return (self.size[0] * self.size[1] - (at[0] | at[1]).bit_count() + 1) // 2

    def work(self, at: At) -> float:
        return float(self.size[0] * self.most(at) ** 2)

    def foul(self, at: At) -> str:
        free = {move[0] for move, _, _ in self.legal(at)}
        return str(next((column for column in range(self.size[0]) if column not in free), self.size[0]) + 1)


DISCS = Contest(Gravity)


def start(rng: Rng, knobs: Knobs) -> Position:
    return DISCS.start(rng, knobs, lambda rng: _sample(rng, knobs))


def show(state: Position, player: int) -> str:
    width, height = state.size
    rules = (
        f"We play connect four on {width} columns, numbered from 1 at the left, and {height} rows. In turn each of us drops a disc into a column "
        f"that is not full, and it falls to the lowest empty square of the column. You have the discs {'XO'[player]}, I have the discs "
        f"{'OX'[player]}, and a dot is an empty square. The first player to have {NEED} discs next to each other in a line, across, down or "
        "diagonally, wins; if the board is full, it is a draw, which is not enough for you."
    )
    lines = [" ".join(_sign(state, column, row) for column in range(width)) for row in reversed(range(height))]
    return DISCS.describe(state, player, rules, "\n".join([*lines, " ".join(str(column + 1) for column in range(width))]))


def picture(state: Position, player: int) -> str:
    width, height = state.size
    rows = [[_sign(state, column, row) for column in range(width)] for row in reversed(range(height))]
    return board(rows, bottom=tuple(str(column + 1) for column in range(width)))


def _sign(state: Position, column: int, row: int) -> str:
    first, second = state.at if state.player == 0 else state.at[::-1]
    place = column * (state.size[1] + 1) + row
    return "X" if first >> place & 1 else "O" if second >> place & 1 else "."


def _sample(rng: Rng, knobs: Knobs) -> Drawn:
    size = (knobs.width, knobs.height)
    discs = knobs.width * knobs.height * (100 - knobs.open) // 100
    return size, play_random_moves(rng, DISCS.table(size).rules, (0, 0), discs)


def _lined(discs: int, height: int) -> bool:
    for step in (1, height, height + 1, height + 2):
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


@cache
def _from_the_middle(width: int) -> tuple[int, ...]:
    return tuple(sorted(range(width), key=lambda column: (abs(2 * column - width + 1), column)))


@cache
def _windows(width: int, height: int) -> tuple[int, ...]:
    """The lines of four squares, a bit each."""
    out = []
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for column in range(width):
            for row in range(height):
                ends = column + right * (NEED - 1), row + up * (NEED - 1)
                if ends[0] < width and 0 <= ends[1] < height:
                    out.append(sum(1 << (column + right * k) * (height + 1) + row + up * k for k in range(NEED)))
    return tuple(out)


environment = Match(
    Knobs, Words("the number of the column into which you drop a disc", max_items=1), start, show,
    **DISCS.parts(), picture=picture,
    concept="Make two threats of which the other can stop only one; a threat counts only if its square can be reached in time.",
)  # fmt: skip
