"""Mate a lone king within a stated number of moves on a small chessboard, or as the lone king hold out for as long."""

from functools import lru_cache

from rlgym import Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.boards.play import Board, Drawn, Level, State
from rlgym.generators.boards.search import At, Move, Rules
from rlgym.generators.boards.squares import WHERE, neighbour_masks, rays, sample, square_name, text
from rlgym.generators.numbers.bitsets import places

WIDTH = 4
PIECES = ("queen", "rook")
TOLD = {"queen": "any number of squares along a row, a column or a diagonal", "rook": "any number of squares along a row or a column"}


class Knobs(Level):
    keeping: int = knob(37, easy=50, hard=34, doc="most legal moves of the first position that keep the win, in percent")
    lasting: int = knob(3, easy=1, hard=6, doc="least moves of yours that a win takes if both play well")
    moves: int = knob(4, easy=2, hard=7, doc="moves in which White must mate")
    walls: int = knob(2, easy=1, hard=3, doc="squares that nobody can enter")
    piece: str = knob("rook", easy="queen", hard="rook", order=PIECES, doc="the piece of White besides the king")


class Endgame(Rules):
    """The size is the width, the piece of White and the walls, a bit each. A position is the squares of White's king, White's piece and Black's king,

    then the moves that White has left, and 0 where White is to move or 1 where Black is. A piece that was taken stands on -1.
    """

    sided = True

    def moves(self, at: At) -> list[tuple[Move, At, int]]:
        king, piece, lone, moves_left, side = at
        width, kind, walls = self.size
        steps = neighbour_masks(width, width, True)
        if side:
            attacked = _attacked(width, kind, walls, king, piece)
            free = places(steps[lone] & ~(attacked | walls))
            return [((0, square), (king, -1 if square == piece else piece, square, moves_left, 0), -1) for square in free]
        own = [square for square in places(steps[king] & ~(steps[lone] | walls)) if square not in (piece, lone)]
        moves_found: list[tuple[Move, At, int]] = [((0, square), (square, piece, lone, moves_left - 1, 1), -1) for square in own]
        reached = places(_seen(width, kind, walls, piece, 1 << king | 1 << lone) & ~(1 << king | 1 << lone))
        return moves_found + [((1 + kind, square), (king, square, lone, moves_left - 1, 1), -1) for square in reached]

    def result(self, at: At) -> int | None:
        king, piece, lone, moves_left, side = at
        width, kind, walls = self.size
        if not side:
            return -1 if piece < 0 or not self._can_move(at) else None
        attacked = _attacked(width, kind, walls, king, piece)
        if not neighbour_masks(width, width, True)[lone] & ~(attacked | walls):
            return -1 if attacked >> lone & 1 else 1
        return None if moves_left else 1

    def _can_move(self, at: At) -> bool:
        """Whether White, whose piece is on the board, has a legal move."""
        king, piece, lone = at[:3]
        width, kind, walls = self.size
        taken, steps = 1 << king | 1 << lone, neighbour_masks(width, width, True)
        return bool(_seen(width, kind, walls, piece, taken) & ~taken or steps[king] & ~(steps[lone] | walls | 1 << piece | 1 << lone))

    def name(self, move: Move) -> str:
        return f"{'kqr'[move[0]]} {square_name(self.size[0], move[1])}"

    def most(self, at: At) -> int:
        return at[3] + 1

    def work(self, at: At) -> float:
        return float(self.size[0] ** 2 * at[3] ** 2)

    def foul(self, at: At) -> str:
        return self.name((0, at[2] if at[4] else at[0]))


CHESS = Board(Endgame, work=2000, patience=40)


def start(rng: Rng, knobs: Knobs) -> State:
    return CHESS.start(rng, knobs, lambda rng: _sample(rng, knobs))


def show(state: State, player: int) -> str:
    width, kind, _ = state.size
    piece, moves_left = PIECES[kind], _moves(state.at[3])
    own, name = ("White", "Black")[player], piece[0].upper()
    rules = (
        f"We play the end of a game of chess on a board of {width} columns and {width} rows. You have {own}. White has a king (K) and a {piece} ({name}), "
        f"Black has only a king (k); a dot is an empty square, and # is a wall. {WHERE}. We move in turn. A king moves to any of the eight squares beside "
        f"it, the {piece} {TOLD[piece]}, without jumping. Nobody may go to a wall or to a square of their own piece. A king may not go to a square to which "
        f"the other side could then move its king or its {piece}, not even by taking. Black's king may take the {piece} when it is not next to White's "
        f"king. Black's king is in check when it stands where the {piece} could go; it must then leave check. Black is mated when in check without a "
        f"legal move. White wins by mating Black within {moves_left} of White, counted from now on. Otherwise Black wins: after White's last move, when "
        f"the {piece} is taken, when White is to move and has no legal move, or as soon as Black is not in check and has no legal move."
    )
    board = text(width, width, lambda square: _sign(state, square))
    return CHESS.describe(state, player, rules, f"{board}\nWhite has {moves_left} left.")


def picture(state: State, player: int) -> str:
    return sample(
        (state.size[0],) * 2, lambda square: _sign(state, square), shaded=lambda square: (square // state.size[0] + square) % 2 == 0
    )


def _sign(state: State, square: int) -> str:
    return "#" if state.size[2] >> square & 1 else {state.at[0]: "K", state.at[1]: "QR"[state.size[1]], state.at[2]: "k"}.get(square, ".")


def _moves(count: int) -> str:
    return f"{count} move" if count == 1 else f"{count} moves"


def _sample(rng: Rng, knobs: Knobs) -> Drawn:
    while True:
        king, piece, lone, *walls = rng.sample(range(WIDTH**2), 3 + knobs.walls)
        size = (WIDTH, PIECES.index(knobs.piece), sum(1 << wall for wall in walls))
        side = int(rng.chance(0.7))
        attacked = _attacked(*size, king, piece)
        # The kings are apart, and Black is not in check while White is to move.
        if not neighbour_masks(WIDTH, WIDTH, True)[king] >> lone & 1 and (side or not attacked >> lone & 1):
            return size, (king, piece, lone, knobs.moves, side)


@lru_cache(maxsize=20_000)
def _seen(width: int, kind: int, walls: int, piece: int, blocked: int) -> int:
    """The squares to which a piece can go, with the first that is blocked along each way."""
    seen = 0
    for ray in rays(width, width)[piece][: 4 if kind else 8]:
        for square in ray:
            if walls >> square & 1:
                break
            seen |= 1 << square
            if blocked >> square & 1:
                break
    return seen


def _attacked(width: int, kind: int, walls: int, king: int, piece: int) -> int:
    """The squares that Black's king may not enter: it hides none of them from the piece itself."""
    return neighbour_masks(width, width, True)[king] | _seen(width, kind, walls, piece, 1 << king)


environment = Match(
    Knobs,
    Words(
        "the letter of the piece and the square to which it goes, such as K b3",
        max_items=2,
        ignore_case=True,
        allow_joined=True,
    ),
    start, show,
    **CHESS.parts(), picture=picture,
    concept="The piece shuts the lone king into a corner and the own king takes the last squares; waiting moves count too.",
    version=6,
)  # fmt: skip
