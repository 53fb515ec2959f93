"""Win a started game of order and chaos, in which one player wants equal marks in a row and the other wants none."""

from functools import cache

from rlgym import Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.boards.play import Board, Drawn, Level, State
from rlgym.generators.boards.search import At, Move, Rules
from rlgym.generators.boards.squares import WHERE, sample, square_name, text
from rlgym.generators.numbers.bitsets import places


class Knobs(Level):
    lasting: int = knob(2, easy=1, hard=3, doc="least moves of yours that a win takes if both play well")
    width: int = knob(4, easy=4, hard=5, doc="squares in a row and in a column")
    open: int = knob(6, easy=5, hard=7, doc="squares that are still empty")


class Signs(Rules):
    """A position has a bit for each X and each O, and 0 where Order is to move, 1 where Chaos is. The size is the width and the length of a row that counts."""

    sided = True

    def __init__(self, size: At) -> None:
        super().__init__(size)
        self.lines = _lines(*size)
        self.through = [[line for line in self.lines if line >> square & 1] for square in range(size[0] ** 2)]

    def moves(self, at: At) -> list[tuple[Move, At, int]]:
        crosses, noughts, side = at
        free, other = places(~(crosses | noughts) & (1 << self.size[0] ** 2) - 1), 1 - side
        options: list[tuple[Move, At, int]] = [((square, 0), (crosses | 1 << square, noughts, other), -1) for square in free]
        return options + [((square, 1), (crosses, noughts | 1 << square, other), -1) for square in free]

    def result(self, at: At) -> int | None:
        crosses, noughts, side = at
        fillable = False
        for line in self.lines:
            crossed = line & crosses
            if not crossed:
                if line & noughts == line:
                    return 1 - 2 * side
                fillable = True
            elif not line & noughts:
                if crossed == line:
                    return 1 - 2 * side
                fillable = True
        if fillable:
            return None
        # The game is over when no line can be filled with one sign any more, at the latest on a full board.
        return 2 * side - 1

    def solved(self, at: At) -> int | None:
        """Order fills a line that lacks one sign; Chaos can spoil only one such line, and none where either sign fills a line on the same square."""
        crosses, noughts, side = at
        lacking = set[tuple[bool, int]]()
        for line in self.lines:
            crossed, noughted = line & crosses, line & noughts
            if not crossed or not noughted:
                square = line & ~crossed & ~noughted
                if not square & square - 1:
                    lacking.add((crossed > 0, square))
        if side:
            return -1 if len(lacking) > 1 else None
        return 1 if lacking else None

    def name(self, move: Move) -> str:
        return f"{'xo'[move[1]]} {square_name(self.size[0], move[0])}"

    def most(self, at: At) -> int:
        return (self.size[0] ** 2 - (at[0] | at[1]).bit_count() + 1) // 2

    def merit(self, at: At, after: At, turn: int) -> int:
        """For Order the lines that lack few signs, for Chaos their lack, as far as the move changes them."""
        kind = 0 if after[0] != at[0] else 1
        same, other, built = at[kind], at[1 - kind], 0
        for line in self.through[(same ^ after[kind]).bit_length() - 1]:
            count = (line & same).bit_count()
            if not line & other:
                built += 3 << 2 * count
            if not count:
                built -= 1 << 2 * (line & other).bit_count()
        return -built if at[2] else built

    def work(self, at: At) -> float:
        return float((self.size[0] ** 2 - (at[0] | at[1]).bit_count()) ** 3 * self.size[0])

    def foul(self, at: At) -> str:
        return self.name((places(at[0] | at[1])[0], 0))


SIGNS = Board(Signs, work=1500, patience=60, habits=())


def start(rng: Rng, knobs: Knobs) -> State:
    return SIGNS.start(rng, knobs, lambda rng: _sample(rng, knobs))


def show(state: State, player: int) -> str:
    width, length = state.size
    aims = (
        f"You are Order, I am Chaos. You win as soon as {length} equal marks",
        f"I am Order, you are Chaos. I win as soon as {length} equal marks",
    )[player]
    rules = (
        f"We play order and chaos on a board of {width} columns and {width} rows. A dot is an empty square. {WHERE}. We move in turn. In a move a player puts "
        f"either mark, X or O, whichever they like, on an empty square. {aims}, all X or all O, stand next to each other without a gap in a row, a column or "
        f"a diagonal, whoever put them there; more than {length} count too. {'I win' if player == 0 else 'You win'} as soon as that can no longer happen, "
        "however the empty squares are filled."
    )
    return SIGNS.describe(state, player, rules, text(width, width, lambda square: _sign(state, square)))


def picture(state: State, player: int) -> str:
    return sample((state.size[0],) * 2, lambda square: _sign(state, square))


def _sign(state: State, square: int) -> str:
    return "X" if state.at[0] >> square & 1 else "O" if state.at[1] >> square & 1 else "."


def _sample(rng: Rng, knobs: Knobs) -> Drawn:
    width, length = knobs.width, 4
    lines, signs = _lines(width, length), [0, 0]
    put = width**2 - knobs.open
    # Signs are put where they leave no line that lacks only one sign.
    for square in rng.shuffled(range(width**2)):
        kind = rng.integer(0, 1)
        for sign in (kind, 1 - kind):
            after = signs[sign] | 1 << square
            still_open = all((line & ~after).bit_count() > 1 or line & signs[1 - sign] for line in lines if line >> square & 1)
            if put and still_open:
                signs[sign], put = after, put - 1
                break
    return (width, length), (signs[0], signs[1], rng.integer(0, 1))


@cache
def _lines(width: int, length: int) -> tuple[int, ...]:
    """The squares of each possible line, a bit each."""
    lines = []
    for row in range(width):
        for column in range(width):
            for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                ends = row + up * (length - 1), column + right * (length - 1)
                if ends[0] < width and 0 <= ends[1] < width:
                    lines.append(sum(1 << (row + up * i) * width + column + right * i for i in range(length)))
    return tuple(lines)


environment = Match(
    Knobs, Words("the mark and the square on which you put it, such as X b3", max_items=2, ignore_case=True, allow_joined=True),
    start, show,
    **SIGNS.parts(), picture=picture,
    short_matches="A position that takes six moves is too large to be solved within the time that a task may take.",
    concept="Order wants two lines at once that lack one sign; Chaos answers every threat and spoils two lines with one sign.",
    version=4,
)  # fmt: skip
