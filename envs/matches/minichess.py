"""Win a started game of chess on a small board, by taking the king or bringing a pawn home, against an engine of stated strength."""

from functools import cache

from rlgym import Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.boards.contests import POSITIONS, Contest, Drawn, Position, Strength
from rlgym.generators.boards.engines import EngineRules, Moved
from rlgym.generators.boards.search import At, Move
from rlgym.generators.boards.squares import WHERE, rays, sample, square_name, text
from rlgym.generators.boards.started import play_random_moves

PAWN, KNIGHT, BISHOP, ROOK, KING = 1, 2, 3, 4, 5
WORTH = (0, 10, 30, 30, 50, 400)
MATE = 990
"""The estimate of a position in which the player to move can take the king."""
SIGNS = ".PNBRK"
WIDTH = 5


class Knobs(Strength):
    positions: int = knob(40, easy=10, hard=70, scale="log", doc=POSITIONS)
    rows: int = knob(5, easy=5, hard=6, doc="rows of the board, which has five columns")
    pawns: int = knob(3, easy=2, hard=4, doc="pawns of each player before the opening moves")
    pieces: int = knob(1, easy=1, hard=2, doc="knights, bishops and rooks of each player")
    lasting: int = knob(4, easy=2, hard=6, doc="least moves of yours in a win of the stronger engine")


class Chess(EngineRules):
    """A position has each square, above 0 for a piece of the player to move and below 0 for one of the other, then the moves left of both
    together before a draw, and the player to move: 0 moves up the board."""

    sided = True

    def moves(self, at: At) -> list[Moved]:
        squares, side = len(at) - 2, at[-1]
        ways, jumps, steps = rays(*self.size), _jumps(*self.size), _steps(*self.size, side)
        turned = [-piece for piece in at[:-2]]
        tail = (at[-2] - 1, 1 - side)
        out: list[Moved] = []
        for square in range(squares):
            piece = at[square]
            if piece <= 0:
                continue
            targets: list[int] = []
            if piece == PAWN:
                ahead, slanting = steps[square]
                targets = [target for target in ahead if not at[target]] + [target for target in slanting if at[target] < 0]
            elif piece == KNIGHT:
                targets = [target for target in jumps[square] if at[target] <= 0]
            else:
                rows = ways[square]
                for ray in rows if piece == KING else rows[4:] if piece == BISHOP else rows[:4]:
                    for target in ray[:1] if piece == KING else ray:
                        if at[target] <= 0:
                            targets.append(target)
                        if at[target]:
                            break
            for target in targets:
                after = turned.copy()
                after[square], after[target] = 0, -piece
                out.append(((square, target), (*after, *tail), -1))
        return out

    def candidates(self, at: At) -> list[Moved]:
        """The most valuable captures first."""
        return sorted(self.legal(at), key=lambda move: at[move[0][1]])

    def result(self, at: At) -> int | None:
        width, height = self.size
        home = at[:width] if at[-1] == 0 else at[width * (height - 1) : width * height]
        king = at.index(KING) if KING in at else len(at)
        if king >= len(at) - 2 or -PAWN in home:
            return -1
        if at[-2] <= 0:
            return 0
        # Mostly the king can move, which is seen without listing all moves.
        free = any(at[ray[0]] <= 0 for ray in rays(*self.size)[king] if ray)
        return None if free or self.legal(at) else -1

    def estimate(self, at: At) -> int:
        if any(at[target] == -KING for (_, target), _, _ in self.legal(at)):
            return MATE
        # The last two numbers of a position are no squares.
        return sum([row[piece] for row, piece in zip(_values(*self.size, at[-1]), at, strict=False)])

    def name(self, move: Move) -> str:
        return f"{square_name(WIDTH, move[0])} {square_name(WIDTH, move[1])}"

    def most(self, at: At) -> int:
        return at[-2]

    def work(self, at: At) -> float:
        return float(sum(piece != 0 for piece in at[:-2]) ** 2 * self.size[1])

    def foul(self, at: At) -> str:
        king = next((square for square, piece in enumerate(at[:-2]) if piece == KING), 0)
        return f"{square_name(WIDTH, king)} {square_name(WIDTH, (king + 2 * WIDTH) % (len(at) - 2))}"


CHESS = Contest(Chess, better=4, habits=True)


def start(rng: Rng, knobs: Knobs) -> Position:
    return CHESS.start(rng, knobs, lambda rng: _sample(rng, knobs))


def show(state: Position, player: int) -> str:
    width, height = state.size
    ways, last = ("up, to higher row numbers", "down, to lower row numbers"), (height, 1)
    cases = ("capital letters", "small letters")
    kinds = {abs(piece) for piece in state.at[:-2]}
    moves = {
        KNIGHT: "A knight, N, jumps two squares along a row or column and one square across. ",
        BISHOP: "A bishop, B, moves any number of squares diagonally over empty squares. ",
        ROOK: "A rook, R, moves any number of squares along its row or column over empty squares. ",
    }
    rules = (
        f"We play a small chess on {width} columns and {height} rows of squares. {WHERE}. Your pieces are {cases[player]}, mine are {cases[1 - player]}, "
        f"and a dot is an empty square. Your pawns move {ways[player]}, mine {ways[1 - player]}. A king, K, moves to any of the 8 squares around it. "
        f"{''.join(text for kind, text in moves.items() if kind in kinds)}A pawn, P, moves one square straight ahead if that square is empty, and captures "
        "one square diagonally ahead; it makes no double step. A piece that moves to a square with a piece of the other player captures it. We move in "
        "turn. Check need not be answered: whoever captures the king wins at once. A player whose pawn reaches the last row, yours row "
        f"{last[player]} and mine row {last[1 - player]}, also wins at once, and a player who has no move has lost. After {state.at[-2]} further moves of "
        "both of us together the game is a draw, which is not enough for you."
    )
    return CHESS.describe(state, player, rules, text(width, height, lambda square: _sign(state, square)))


def picture(state: Position, player: int) -> str:
    return sample(state.size, lambda square: _sign(state, square))


def _sign(state: Position, square: int) -> str:
    piece = state.at[square] * (1 if state.player == 0 else -1)
    return SIGNS[piece] if piece >= 0 else SIGNS[-piece].lower()


def _sample(rng: Rng, knobs: Knobs) -> Drawn:
    size, cells = (WIDTH, knobs.rows), [0] * WIDTH * knobs.rows
    for sign, rows in ((1, (0, 1, 2)), (-1, (knobs.rows - 1, knobs.rows - 2, knobs.rows - 3))):
        pieces = [rng.choice((KNIGHT, BISHOP, ROOK)) for _ in range(knobs.pieces)]
        for piece, among in [(KING, rows[:1]), *((piece, rows[:2]) for piece in pieces), *((PAWN, rows[1:]) for _ in range(knobs.pawns))]:
            free = [row * WIDTH + column for row in among for column in range(WIDTH) if not cells[row * WIDTH + column]]
            cells[rng.choice(free)] = sign * piece
    at: At = (*cells, 40, 0)
    return size, play_random_moves(rng, CHESS.table(size).rules, at, rng.integer(0, 3))


@cache
def _jumps(width: int, height: int) -> tuple[tuple[int, ...], ...]:
    """Where a knight may jump from each square."""
    ways = [(a * x, b * y) for x, y in ((1, 2), (2, 1)) for a in (1, -1) for b in (1, -1)]
    return tuple(
        tuple((row + up) * width + column + right for right, up in ways if 0 <= row + up < height and 0 <= column + right < width)
        for row in range(height)
        for column in range(width)
    )


@cache
def _steps(width: int, height: int, side: int) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """For each square the one straight ahead and those diagonally ahead."""
    out = []
    for square in range(width * height):
        column, row = square % width, square // width + (1 if side == 0 else -1)
        inside = 0 <= row < height
        slanting = tuple(row * width + near for near in (column - 1, column + 1) if inside and 0 <= near < width)
        out.append(((row * width + column,) if inside else (), slanting))
    return tuple(out)


@cache
def _values(width: int, height: int, side: int) -> tuple[tuple[int, ...], ...]:
    """For each square what a piece on it is worth: pieces of the player to move by 1 to 5, those of the other by -1 to -5."""
    out = []
    for square in range(width * height):
        row = square // width if side == 0 else height - 1 - square // width
        mine, theirs = (0, 10 + 4 * row**2, *WORTH[2:]), (10 + 4 * (height - 1 - row) ** 2, *WORTH[2:])
        out.append((*mine, *(-worth for worth in reversed(theirs))))
    return tuple(out)


environment = Match(
    Knobs, Words("the square of the piece that you move and the square to which it moves, such as b2 b3", max_items=2, ignore_case=True), start, show,
    **CHESS.parts(), picture=picture,
    concept="Look at captures first: what each piece attacks, how often a square is defended, and which pawn nobody can stop.",
    version=2,
)  # fmt: skip
