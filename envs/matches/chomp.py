"""Win a game of chomp: bites are taken out of a bar of chocolate, and who must eat the poisoned square loses."""

from functools import cache

from rlgym import Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.boards.play import Board, Drawn, Level, State
from rlgym.generators.boards.search import At, Move, Rules
from rlgym.generators.boards.squares import WHERE, sample, square_name, text
from rlgym.generators.numbers.bitsets import places


class Knobs(Level):
    width: int = knob(5, easy=5, hard=7, doc="columns of the bar")
    height: int = knob(5, easy=4, hard=6, doc="rows of the bar")


class Chomp(Rules):
    """A position has a bit for each square that is left."""

    def moves(self, at: At) -> list[tuple[Move, At, int]]:
        return [((square,), (at[0] & ~_bitten(*self.size, square),), -1) for square in places(at[0])]

    def name(self, move: Move) -> str:
        return square_name(self.size[0], move[0])

    def result(self, at: At) -> int | None:
        # The one who made the last move has eaten the poison.
        return None if at[0] else 1

    def most(self, at: At) -> int:
        return (at[0].bit_count() + 1) // 2

    def merit(self, at: At, after: At, turn: int) -> int:
        return after[0].bit_count() if after[0] else -1

    def foul(self, at: At) -> str:
        return square_name(self.size[0], next(square for square in range(self.size[0] * self.size[1] + 1) if not at[0] >> square & 1))


BAR = Board(Chomp)


def start(rng: Rng, knobs: Knobs) -> State:
    return BAR.start(rng, knobs, lambda rng: _sample(rng, knobs))


def show(state: State, player: int) -> str:
    width, height = state.size
    rules = (
        f"We eat a bar of chocolate that had {width} columns and {height} rows; o is a square that is left and a dot one that is gone already. "
        f"{WHERE}. The square a1 at the bottom left is poisoned. We move in turn. In a move a player names a square that is left; it is eaten "
        "together with all squares that are left in "
        "its column or to the right of it and at the same time in its row or above it. The player who eats a1 loses."
    )
    return BAR.describe(state, player, rules, text(width, height, lambda square: _sign(state, square)))


def picture(state: State, player: int) -> str:
    return sample(state.size, lambda square: _sign(state, square).replace("o", "a1" if not square else "o"))


def _sign(state: State, square: int) -> str:
    return "o" if state.at[0] >> square & 1 else "."


def _sample(rng: Rng, knobs: Knobs) -> Drawn:
    squares = knobs.width * knobs.height
    eaten = rng.sample(range(1, squares), squares // 4 + rng.integer(0, 2))
    return (knobs.width, knobs.height), ((1 << squares) - 1 - sum(1 << square for square in eaten),)


@cache
def _bitten(width: int, height: int, square: int) -> int:
    """The squares that a bite at a square takes."""
    row, column = divmod(square, width)
    return sum(1 << up * width + right for up in range(row, height) for right in range(column, width))


environment = Match(
    Knobs, Words("the square you name, its letter and its number, such as a1 for the poisoned one", max_items=2, ignore_case=True),
    start, show,
    **BAR.parts(), picture=picture,
    concept="Work out from the smallest remainders upwards which of them lose for the player to move, and leave one of those.",
    guessable="At the lowest level the opponent looks one move ahead and a few moves decide, so that moves repeated while they are legal win now and then.",
    version=4,
)  # fmt: skip
