"""Win a game in which chess pieces walk down to a corner of a board, each by its own way of moving, and who cannot move loses."""

from functools import cache, reduce
from operator import xor

from rlgym import Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.boards.play import Board, Drawn, Level, State
from rlgym.generators.boards.search import At, Move, Rules
from rlgym.generators.boards.squares import WHERE, sample, square_name

PIECES = ("rook", "king", "queen", "knight")
WAYS = {
    "rook": "a rook R goes any number of squares to the left or any number of squares down",
    "king": "a king K goes one square to the left, down, or diagonally down to the left",
    "queen": "a queen Q goes any number of squares to the left, down, or diagonally down to the left",
    "knight": (
        "a knight N goes two squares to the left and one up or down, or two squares down and one to the left or right, as long as that square is on the board"
    ),
}


READ = 4
"""Steps left from which a greedy player sees the end."""


class Knobs(Level):
    side: int = knob(7, easy=6, hard=9, doc="squares on each side of the board")
    pieces: int = knob(3, easy=3, hard=5, doc="pieces that walk")
    kinds: int = knob(2, easy=1, hard=4, doc="how many of the kinds rook, king, queen and knight take part")


class Walks(Rules):
    """The size is the side and the kinds of the pieces; a position holds their squares."""

    def moves(self, at: At) -> list[tuple[Move, At, int]]:
        side, *kinds = self.size
        return [
            ((i, square, to), (*at[:i], to, *at[i + 1 :]), -1)
            for i, (kind, square) in enumerate(zip(kinds, at))
            for to in _reached(side, kind, square)
        ]

    def name(self, move: Move) -> str:
        return f"{move[0] + 1} {square_name(self.size[0], move[2])}"

    def most(self, at: At) -> int:
        side = self.size[0]
        return (sum(square // side + square % side for square in at) + 1) // 2

    def solved(self, at: At) -> int:
        side, *kinds = self.size
        return 1 if reduce(xor, (_grundy(side, kind, square) for kind, square in zip(kinds, at))) else -1

    def merit(self, at: At, after: At, turn: int) -> int:
        """Few moves are left to the other player, and near the end none of them wins."""
        lost = self.most(after) <= READ and self.solved(after) == 1
        return -len(self.legal(after)) - 100 * lost

    def estimate(self, at: At) -> int:
        # A reader overlooks the end of a game of few moves.
        return 500 * self.solved(at) if self.most(at) <= 4 else 0

    def foul(self, at: At) -> str:
        return f"1 {square_name(self.size[0], at[0])}"


WALKS = Board(Walks, nodes=100)


def start(rng: Rng, knobs: Knobs) -> State:
    return WALKS.start(rng, knobs, lambda rng: _sample(rng, knobs))


def show(state: State, player: int) -> str:
    side, *kinds = state.size
    pieces = "\n".join(f"{i}: {PIECES[kind]} on {square_name(side, square)}" for i, (kind, square) in enumerate(zip(kinds, state.at), 1))
    ways = "; ".join(WAYS[PIECES[kind]] for kind in sorted(set(kinds)))
    rules = (
        f"{len(kinds)} numbered pieces stand on a board of {side} columns and {side} rows. {WHERE}. The pieces belong to neither of us, and "
        f"any number of them may stand on one square or pass over each other. We move in turn. In a move a player chooses one piece and moves it: "
        f"{ways}. Nothing moves off the board. A player who cannot move loses."
    )
    return WALKS.describe(state, player, rules, pieces)


def picture(state: State, player: int) -> str:
    side, *kinds = state.size
    standing = {
        spot: " ".join(f"{i}{'RKQN'[kind]}" for i, (kind, square) in enumerate(zip(kinds, state.at), 1) if square == spot)
        for spot in state.at
    }
    return sample((side, side), lambda square: standing.get(square, "."))


def _sample(rng: Rng, knobs: Knobs) -> Drawn:
    kinds = sorted(rng.sample(range(4), knobs.kinds))
    chosen = [rng.choice(kinds) for _ in range(knobs.pieces)]
    squares = tuple(rng.integer(knobs.side // 2, knobs.side**2 - 1) for _ in range(knobs.pieces))
    return (knobs.side, *chosen), squares


@cache
def _reached(side: int, kind: int, square: int) -> tuple[int, ...]:
    row, column = divmod(square, side)
    if kind == 3:
        steps = [(1, -2), (-1, -2), (-2, -1), (-2, 1)]
    else:
        reach = 1 if kind == 1 else side - 1
        steps = [step for k in range(1, reach + 1) for step in ((0, -k), (-k, 0), (-k, -k))[: 2 if kind == 0 else 3]]
    spots = [(row + up, column + right) for up, right in steps]
    return tuple(up * side + right for up, right in spots if 0 <= up < side and 0 <= right < side)


@cache
def _grundy(side: int, kind: int, square: int) -> int:
    reached = {_grundy(side, kind, to) for to in _reached(side, kind, square)}
    return next(value for value in range(len(reached) + 1) if value not in reached)


environment = Match(
    Knobs, Words("the number of the piece and the square it goes to, such as 1 b3", max_items=2, ignore_case=True, allow_joined=True),
    start, show,
    **WALKS.parts(), picture=picture,
    concept="Each piece is a game of its own: give its square a Grundy value, and leave values that cancel out in binary.",
    version=4,
)  # fmt: skip
