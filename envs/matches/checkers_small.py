"""Win a started game of checkers on a small or full board, with forced captures and kings, against an engine of stated strength."""

from functools import cache

from rlgym import Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.boards.contests import POSITIONS, Contest, Drawn, Position, Strength
from rlgym.generators.boards.engines import EngineRules, Moved
from rlgym.generators.boards.search import At, Move
from rlgym.generators.boards.squares import WHERE, sample, square_name, text
from rlgym.generators.boards.started import play_random_moves
from rlgym.generators.numbers.bitsets import places

MAN, KING = 10, 16


class Knobs(Strength):
    positions: int = knob(25, easy=10, hard=40, scale="log", doc=POSITIONS)
    side: int = knob(6, easy=6, hard=8, doc="squares on each side of the board; an odd number counts as the even one below")
    men: int = knob(5, easy=4, hard=7, doc="men of each player before the opening moves")
    lasting: int = knob(5, easy=2, hard=6, doc="least moves of yours in a win of the stronger engine")


class Checkers(EngineRules):
    """A position has bits for the men and kings of the player to move, men and kings of the other, the square of a piece that must go on
    jumping (or -1), the steps left before a draw, and the player to move: 0 moves up the board."""

    sided = True

    def moves(self, at: At) -> list[Moved]:
        men, kings, other_men, other_kings, jumping, _, side = at
        mine, theirs = men | kings, other_men | other_kings
        free = ~(mine | theirs)
        squares = places(mine) if jumping < 0 else [jumping]
        steps, jumps = _move_tables(self.size[0])
        forward = 1 if side == 0 else -1
        out: list[Moved] = []
        for square in squares:
            king = kings >> square & 1
            for way, over, target in jumps[square]:
                if theirs >> over & 1 and free >> target & 1 and (king or way == forward):
                    out.append(self._after_jump(at, square, target, over))
        if out or jumping >= 0:
            return out
        for square in squares:
            king = kings >> square & 1
            for way, target in steps[square]:
                if free >> target & 1 and (king or way == forward):
                    out.append(self._after_step(at, square, target))
        return out

    def _after_step(self, at: At, square: int, target: int) -> Moved:
        men, kings, other_men, other_kings, _, left, side = at
        if not men >> square & 1:
            kings ^= 1 << square | 1 << target
        elif target // self.size[0] == (0 if side else self.size[0] - 1):
            men, kings = men ^ 1 << square, kings | 1 << target
        else:
            men ^= 1 << square | 1 << target
        return (square, target), (other_men, other_kings, men, kings, -1, left - 1, 1 - side), -1

    def _after_jump(self, at: At, square: int, target: int, over: int) -> Moved:
        move, (other_men, other_kings, men, kings, _, left, other_side), _ = self._after_step(at, square, target)
        other_men, other_kings = other_men & ~(1 << over), other_kings & ~(1 << over)
        crowned = kings.bit_count() > at[1].bit_count()
        same = (men, kings, other_men, other_kings, target, left, 1 - other_side)
        if not crowned and self._jumps_on(same):
            return move, same, 1
        return move, (other_men, other_kings, men, kings, -1, left, other_side), -1

    def _jumps_on(self, at: At) -> bool:
        men, kings, other_men, other_kings, square, _, side = at
        theirs, free = other_men | other_kings, ~(men | kings | other_men | other_kings)
        forward, king = 1 if side == 0 else -1, kings >> square & 1
        return any(
            (king or way == forward) and theirs >> over & 1 and free >> target & 1
            for way, over, target in _move_tables(self.size[0])[1][square]
        )

    def result(self, at: At) -> int | None:
        if at[4] < 0 and not self.legal(at):
            return -1
        return None if at[5] > 0 else 0

    def estimate(self, at: At) -> int:
        men, kings, other_men, other_kings, _, _, side = at
        width = self.size[0]
        own, other = (1, -1) if side == 0 else (-1, 1)
        low, high = _halves(width)
        ahead = ((men & (high if own > 0 else low)).bit_count()) - ((other_men & (high if other > 0 else low)).bit_count())
        inner = _inner(width)
        middle = ((men | kings) & inner).bit_count() - ((other_men | other_kings) & inner).bit_count()
        material = MAN * (men.bit_count() - other_men.bit_count()) + KING * (kings.bit_count() - other_kings.bit_count())
        # Who is ahead gains by exchanges.
        total = (men | kings | other_men | other_kings).bit_count()
        return material + 2 * ahead + middle + (material * 4 // total if total else 0)

    def name(self, move: Move) -> str:
        return f"{square_name(self.size[0], move[0])} {square_name(self.size[0], move[1])}"

    def most(self, at: At) -> int:
        return at[5]

    def work(self, at: At) -> float:
        return float((at[0] | at[1] | at[2] | at[3]).bit_count() ** 2 * self.size[0])

    def foul(self, at: At) -> str:
        square = places(at[2] | at[3])[0]
        return f"{square_name(self.size[0], square)} a1"


MEN = Contest(Checkers, better=3, plays=14, habits=True)


def start(rng: Rng, knobs: Knobs) -> Position:
    return MEN.start(rng, knobs, lambda rng: _sample(rng, knobs))


def show(state: Position, player: int) -> str:
    side, left = state.size[0], state.at[5]
    ways, last = ("up, to higher row numbers", "down, to lower row numbers"), (side, 1)
    rules = (
        f"We play checkers on the dark squares of a board of {side} columns and {side} rows. {WHERE}; a1 is dark. Your men are {'xo'[player]} and move "
        f"{ways[player]}; my men are {'ox'[player]} and move {ways[1 - player]}; capitals are kings, and a dot is an empty square. We move in turn. A man "
        "moves one square diagonally ahead to an empty square, or captures: it jumps over a piece of the other player on the next square diagonally "
        "ahead to the empty square just behind it, and the piece is removed. A king moves and jumps in the same way, but ahead and back. A player who "
        "can capture must capture. If the piece that has jumped can jump again, it must go on, and each jump is given as a move of its own. A man that "
        f"reaches the last row, yours row {last[player]} and mine row {last[1 - player]}, becomes a king, and the turn ends. A player who has no legal "
        f"move in their turn has lost. After {left} further moves of both of us together, each jump counted, the game is a draw, which is not enough "
        "for you."
    )
    return MEN.describe(state, player, rules, text(side, side, lambda square: _sign(state, square)))


def picture(state: Position, player: int) -> str:
    side = state.size[0]
    return sample((side, side), lambda square: _sign(state, square), shaded=lambda square: (square % side + square // side) % 2 == 0)


def _sign(state: Position, square: int) -> str:
    sets = state.at[:4] if state.player == 0 else (*state.at[2:4], *state.at[:2])
    return next((sign for sign, bits in zip("xXoO", sets, strict=True) if bits >> square & 1), ".")


def _sample(rng: Rng, knobs: Knobs) -> Drawn:
    side = knobs.side // 2 * 2
    dark = [square for square in range(side * side) if (square % side + square // side) % 2 == 0]
    count = min(knobs.men, (len(dark) - side) // 2)
    # Men stand on all rows but the last two, so that fights begin soon.
    low = rng.sample(dark[: len(dark) - side], count)
    high = rng.sample([square for square in dark[side:] if square not in low], count)
    men, other = sum(1 << square for square in low), sum(1 << square for square in high)
    at: At = (men, 0, other, 0, -1, 7 * side, 0)
    return (side,), play_random_moves(rng, MEN.table((side,)).rules, at, rng.integer(0, 5))


@cache
def _move_tables(side: int) -> tuple[tuple[tuple[tuple[int, int], ...], ...], tuple[tuple[tuple[int, int, int], ...], ...]]:
    """For each square the steps (row direction, target) and the jumps (row direction, square jumped over, target)."""
    steps, jumps = [], []
    for square in range(side * side):
        row, column = divmod(square, side)
        near, far = [], []
        for up in (1, -1):
            for right in (-1, 1):
                if 0 <= row + up < side and 0 <= column + right < side:
                    near.append((up, square + up * side + right))
                    if 0 <= row + 2 * up < side and 0 <= column + 2 * right < side:
                        far.append((up, square + up * side + right, square + 2 * (up * side + right)))
        steps.append(tuple(near))
        jumps.append(tuple(far))
    return tuple(steps), tuple(jumps)


@cache
def _halves(side: int) -> tuple[int, int]:
    low = (1 << side * (side // 2)) - 1
    return low, low << side * (side - side // 2)


@cache
def _inner(side: int) -> int:
    return sum(1 << row * side + column for row in range(1, side - 1) for column in range(1, side - 1))


environment = Match(
    Knobs, Words("the square of the piece that you move and the square to which it moves, such as c3 d4", max_items=2, ignore_case=True), start, show,
    **MEN.parts(), picture=picture,
    version=2,
    concept="Forced captures are a weapon: give a man where the answer must open two jumps, and trade when ahead.",
)  # fmt: skip
