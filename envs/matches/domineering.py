"""Win a started game of domineering: one player lays upright dominoes, the other lying ones, and who cannot move loses."""

from functools import cache

from rlgym import Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.boards.play import Board, Drawn, Level, State
from rlgym.generators.boards.search import At, Move, Rules
from rlgym.generators.boards.squares import WHERE, sample, square_name, text
from rlgym.generators.boards.started import play_random_moves


class Knobs(Level):
    lasting: int = knob(3, easy=2, hard=4, doc="least moves of yours that a win takes if both play well")
    width: int = knob(5, easy=5, hard=6, doc="squares in a row")
    height: int = knob(5, easy=5, hard=6, doc="squares in a column")
    open: int = knob(18, easy=13, hard=22, doc="most squares that are still empty")


class Dominoes(Rules):
    """A position has a bit for each square that is taken, and the player to move: 0 lays upright dominoes, 1 lying ones."""

    sided = True

    def moves(self, at: At) -> list[tuple[Move, At, int]]:
        taken, side = at
        return [(places, (taken | bits, 1 - side), -1) for places, bits in _dominoes(*self.size, side) if not taken & bits]

    def name(self, move: Move) -> str:
        return " ".join(square_name(self.size[0], square) for square in move)

    def most(self, at: At) -> int:
        return (self.size[0] * self.size[1] - at[0].bit_count() + 2) // 4

    def result(self, at: At) -> int | None:
        return None if self.count(*at) else -1

    def merit(self, at: At, after: At, turn: int) -> int:
        return self.count(after[0], at[1]) - self.count(*after)

    def count(self, taken: int, side: int) -> int:
        """How many dominoes a side can lay."""
        width, height = self.size
        _, right, full = _columns(width, height)
        free = full & ~taken
        return (free & ~right & free >> 1 if side else free & free >> width).bit_count()

    def key(self, at: At) -> At:
        # An empty square between taken ones counts for nothing.
        taken, (width, height) = at[0], self.size
        left, right, full = _columns(width, height)
        free = full & ~taken
        horizontal = (free & ~right) << 1 | (free & ~left) >> 1 | free << width | free >> width
        return full & ~(free & horizontal), at[1]

    def work(self, at: At) -> float:
        return float((self.size[0] * self.size[1] - at[0].bit_count()) ** 3)

    def foul(self, at: At) -> str:
        return self.name(_dominoes(*self.size, 1 - at[1])[0][0])


DOMINOES = Board(Dominoes, work=1200, patience=20)


def start(rng: Rng, knobs: Knobs) -> State:
    return DOMINOES.start(rng, knobs, lambda rng: _sample(rng, knobs))


def show(state: State, player: int) -> str:
    width, height = state.size
    ways = ("vertically, on two empty squares one above the other", "horizontally, on two empty squares side by side")
    rules = (
        f"We lay dominoes in turn on a board of {width} columns and {height} rows; # is a square that is taken and a dot an empty one. "
        f"{WHERE}. In a move you lay one domino {ways[player]}; I lay mine {ways[1 - player]}. A player who cannot move loses."
    )
    return DOMINOES.describe(state, player, rules, text(width, height, lambda square: ".#"[state.at[0] >> square & 1]))


def picture(state: State, player: int) -> str:
    return sample(state.size, lambda square: ".", shaded=lambda square: bool(state.at[0] >> square & 1))


def _sample(rng: Rng, knobs: Knobs) -> Drawn:
    size = (knobs.width, knobs.height)
    dominoes = -(-(knobs.width * knobs.height - knobs.open) // 2)
    return size, play_random_moves(rng, DOMINOES.rules(size), (0, rng.integer(0, 1)), max(1, dominoes))


@cache
def _columns(width: int, height: int) -> tuple[int, int, int]:
    """The squares of the first column, of the last one and of the board."""
    left_edge = sum(1 << row * width for row in range(height))
    return left_edge, left_edge << width - 1, (1 << width * height) - 1


@cache
def _dominoes(width: int, height: int, side: int) -> tuple[tuple[Move, int], ...]:
    pairs = [(i, i + (1 if side else width)) for i in range(width * height)]
    return tuple(
        (pair, 1 << pair[0] | 1 << pair[1]) for pair in pairs if (pair[0] % width < width - 1 if side else pair[1] < width * height)
    )


environment = Match(
    Knobs, Words("the two squares that your domino covers, the lower or left one first, such as b3 b4", max_items=2, ignore_case=True),
    start, show,
    **DOMINOES.parts(), picture=picture,
    short_matches="A position that takes six moves is too large to be solved within the time that a task may take.",
    concept="Keep places for yourself where the other player cannot lay, and take away his; count the moves each side has in every region.",
    version=5,
)  # fmt: skip
