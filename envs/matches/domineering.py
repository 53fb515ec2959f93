"""Win a started game of domineering: one player lays upright dominoes, the other lying ones, and who cannot move loses."""

from rlgym import Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.boards.play import Board, Drawn, Level, State
from rlgym.generators.boards.search import At, Move, Rules
from rlgym.generators.boards.squares import WHERE, sample, square_name, text
from rlgym.generators.boards.started import play_random_moves
from rlgym.generators.numbers.bitsets import places

SQUARES = "the two squares that your domino covers, the lower or left one first, such as b3 b4 (laid vertically) or b3 c3 (horizontally)"


class Knobs(Level):
    lasting: int = knob(3, easy=2, hard=4, doc="least moves of yours that a win takes if both play well")
    width: int = knob(5, easy=5, hard=6, doc="squares in a row")
    height: int = knob(5, easy=5, hard=6, doc="squares in a column")
    open: int = knob(18, easy=13, hard=22, doc="most squares that are still empty")


class Dominoes(Rules):
    """A position has a bit for each square that is taken, and the player to move: 0 lays upright dominoes, 1 lying ones."""

    sided = True

    def __init__(self, size: At) -> None:
        super().__init__(size)
        width, height = size
        right_edge = sum(1 << (row + 1) * width - 1 for row in range(height))
        self._full = (1 << width * height) - 1
        self._inner = self._full & ~right_edge
        # By side and the lower or left square: both squares, and their bits.
        self._dominoes = [[((i, i + step), 1 << i | 1 << i + step) for i in range(width * height)] for step in (width, 1)]

    def moves(self, at: At) -> list[tuple[Move, At, int]]:
        taken, side = at
        dominoes, other = self._dominoes[side], 1 - side
        return [(dominoes[i][0], (taken | dominoes[i][1], other), -1) for i in places(self.starts(taken, side))]

    def solved(self, at: At) -> int | None:
        """Dominoes on squares that the other side cannot cover can wait: enough of them decide the game."""
        taken, side = at
        own, own_safe, spare = self.bounds(taken, side)
        other, other_safe, _ = self.bounds(taken, 1 - side)
        if own_safe + spare > other:
            return 1
        return -1 if other_safe >= own else None

    def bounds(self, taken: int, side: int) -> tuple[int, int, bool]:
        """The most dominoes that a side can lay, how many of them nobody can prevent, and whether it can lay a further one at once."""
        step, across = (1, self.size[0]) if side else (self.size[0], 1)
        starts, crossing = self.starts(taken, side), self.starts(taken, 1 - side)
        open_to_both = crossing | crossing << across
        safe = starts & ~open_to_both & ~(open_to_both >> step)
        covered = safe | safe << step
        return _packed(starts, step), _packed(safe, step), bool(starts & ~covered & ~(covered >> step))

    def name(self, move: Move) -> str:
        return " ".join(square_name(self.size[0], square) for square in move)

    def most(self, at: At) -> int:
        return (self.size[0] * self.size[1] - at[0].bit_count() + 2) // 4

    def result(self, at: At) -> int | None:
        return None if self.starts(*at) else -1

    def merit(self, at: At, after: At, turn: int) -> int:
        return self.count(after[0], at[1]) - self.count(*after)

    def merits(self, at: At) -> list[int]:
        width, inner, leads = self.size[0], self._inner, list[int]()
        for _, (taken, _), _ in self.legal(at):
            free = self._full & ~taken
            leads.append((free & free >> width).bit_count() - (free & inner & free >> 1).bit_count())
        return [-lead for lead in leads] if at[1] else leads

    def count(self, taken: int, side: int) -> int:
        """How many dominoes a side can lay."""
        return self.starts(taken, side).bit_count()

    def starts(self, taken: int, side: int) -> int:
        """The lower or left squares of the dominoes that a side can lay, a bit each."""
        free = self._full & ~taken
        return free & self._inner & free >> 1 if side else free & free >> self.size[0]

    def key(self, at: At) -> At:
        # An empty square that no domino can cover counts for nothing.
        width, free = self.size[0], self._full & ~at[0]
        upright, lying = free & free >> width, free & self._inner & free >> 1
        return self._full & ~(upright | upright << width | lying | lying << 1), at[1]

    def work(self, at: At) -> float:
        return float((self.size[0] * self.size[1] - at[0].bit_count()) ** 3)

    def foul(self, at: At) -> str:
        return self.name(self._dominoes[1 - at[1]][0][0])


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


def _packed(starts: int, step: int) -> int:
    """How many of the dominoes that start on these squares, a step long, fit at once."""
    count = 0
    while starts:
        first = starts & -starts
        starts &= ~(first | first << step)
        count += 1
    return count


environment = Match(
    Knobs, Words(SQUARES, max_items=2, ignore_case=True),
    start, show,
    **DOMINOES.parts(), picture=picture,
    short_matches="A position that takes six moves is too large to be solved within the time that a task may take.",
    concept="Keep places for yourself where the other player cannot lay, and take away his; count the moves each side has in every region.",
    version=7,
)  # fmt: skip
