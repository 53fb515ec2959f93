"""Win a started game of isolation: each player moves a queen over a board whose squares vanish, and who cannot move loses."""

from rlgym import Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.boards.play import Board, Drawn, Level, State
from rlgym.generators.boards.search import At, Move, Rules
from rlgym.generators.boards.squares import WHERE, rays, sample, square_name, text

PIECES = ("king", "rook", "queen")
WAYS = {
    "king": "to a neighbouring square, along its row, its column or a diagonal",
    "rook": "any number of squares along its row or its column",
    "queen": "any number of squares along its row, its column or a diagonal",
}


class Knobs(Level):
    side: int = knob(5, easy=4, hard=6, doc="squares on each side of the board")
    open: int = knob(15, easy=9, hard=18, doc="empty squares")
    piece: str = knob("queen", easy="king", hard="queen", order=PIECES, doc="how the pieces move")


class Isolation(Rules):
    """The size is the side and the kind of piece; a position has a bit for each square that cannot be entered, and where both pieces are."""

    def moves(self, at: At) -> list[tuple[Move, At, int]]:
        blocked, mine, theirs = at
        side, kind = self.size
        moves: list[tuple[Move, At, int]] = []
        for ray in rays(side, side)[mine][: 4 if kind == 1 else 8]:
            for square in ray[: 1 if kind == 0 else side]:
                if blocked >> square & 1:
                    break
                moves.append(((square,), (blocked | 1 << square, theirs, square), -1))
        return moves

    def name(self, move: Move) -> str:
        return square_name(self.size[0], move[0])

    def most(self, at: At) -> int:
        return (self.size[0] ** 2 - at[0].bit_count() + 1) // 2

    def work(self, at: At) -> float:
        return float((self.size[0] ** 2 - at[0].bit_count()) ** 3)

    def foul(self, at: At) -> str:
        return square_name(self.size[0], at[2])


QUEENS = Board(Isolation, work=1500, patience=20, habits=("greedy",))


def start(rng: Rng, knobs: Knobs) -> State:
    return QUEENS.start(rng, knobs, lambda rng: _sample(rng, knobs))


def show(state: State, player: int) -> str:
    side, kind = state.size
    piece = PIECES[kind]
    rules = (
        f"We each have one {piece} on a board of {side} columns and {side} rows: yours is {'XO'[player]}, mine {'OX'[player]}. A dot is a "
        f"free square, and # a square that is gone. {WHERE}. We move in turn. In a move a player moves their {piece} {WAYS[piece]}; it may not enter "
        f"or pass over a square that is gone or one "
        f"on which the other {piece} stands, and nothing is ever taken. The square that it leaves is gone from then on. A player who cannot move loses."
    )
    return QUEENS.describe(state, player, rules, text(side, side, lambda square: _sign(state, square)))


def picture(state: State, player: int) -> str:
    signs = [_sign(state, square).replace("#", "") for square in range(state.size[0] ** 2)]
    return sample((state.size[0],) * 2, lambda square: signs[square], shaded=lambda square: not signs[square])


def _sign(state: State, square: int) -> str:
    blocked, *pieces = state.at
    if square in pieces:
        return "XO"[pieces.index(square) ^ state.player]
    return "#" if blocked >> square & 1 else "."


def _sample(rng: Rng, knobs: Knobs) -> Drawn:
    squares = rng.shuffled(range(knobs.side**2))
    blocked = squares[: max(2, len(squares) - knobs.open)]
    return (knobs.side, PIECES.index(knobs.piece)), (sum(1 << i for i in blocked), blocked[0], blocked[1])


environment = Match(
    Knobs, Words("the square to which your piece goes, such as b3", max_items=1, ignore_case=True), start, show,
    **QUEENS.parts(), picture=picture,
    concept="Cut the other piece off from the free squares, and count the moves that each piece has left in its own region.",
    short_matches="On so few squares the two pieces are soon walled off from each other; the shortest wins take five moves.",
    version=4,
)  # fmt: skip
