"""Win a started game of clobber, in which a stone moves only onto a stone of the other colour beside it, and who cannot move loses."""

from rlgym import Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.bits import places
from rlgym.generators.boards.play import Board, Drawn, Level, State
from rlgym.generators.boards.search import At, Move, Rules
from rlgym.generators.boards.squares import WHERE, beside, drawn, named, text


class Knobs(Level):
    width: int = knob(4, easy=3, hard=5, doc="squares in a row")
    height: int = knob(4, easy=3, hard=5, doc="squares in a column")
    stones: int = knob(12, easy=7, hard=15, doc="most stones on the board")


class Clobber(Rules):
    """A position has a bit for each stone of the player to move and of the other."""

    def moves(self, at: At) -> list[tuple[Move, At, int]]:
        mine, theirs = at
        near = beside(*self.size)
        return [((a, b), (theirs & ~(1 << b), mine & ~(1 << a) | 1 << b), -1) for a in places(mine) for b in places(near[a] & theirs)]

    def name(self, move: Move) -> str:
        return f"{named(self.size[0], move[0])} {named(self.size[0], move[1])}"

    def most(self, at: At) -> int:
        return (at[0] | at[1]).bit_count() // 2

    def work(self, at: At) -> float:
        return float((at[0] | at[1]).bit_count() ** 3)

    def foul(self, at: At) -> str:
        # A stone that does not move, or one that moves to where no stone of the other player is.
        return self.name((places(at[0])[0],) * 2) if at[0] else "a1 a2"


STONES = Board(Clobber, work=3000)


def start(rng: Rng, knobs: Knobs) -> State:
    return STONES.start(rng, knobs, lambda rng: _drawn(rng, knobs))


def show(state: State, player: int) -> str:
    width, height = state.size
    rules = (
        f"We play on a board of {width} columns and {height} rows. You have the stones {'XO'[player]}, I have the stones {'OX'[player]}, and "
        "a dot is an empty "
        f"square. {WHERE}. We move in turn. In a move a player moves one stone of their own to a square next to it, to the left, to the "
        "right, up or down, on which "
        "there is a stone of the other player; that stone is taken off the board. There are no other moves. Who cannot move loses."
    )
    return STONES.told(state, player, rules, text(width, height, lambda square: _sign(state, square)))


def picture(state: State, player: int) -> str:
    return drawn(state.size, lambda square: _sign(state, square))


def _sign(state: State, square: int) -> str:
    first, second = state.at if state.player == 0 else state.at[::-1]
    return "X" if first >> square & 1 else "O" if second >> square & 1 else "."


def _drawn(rng: Rng, knobs: Knobs) -> Drawn:
    count = min(knobs.stones, knobs.width * knobs.height)
    squares = rng.sample(range(knobs.width * knobs.height), count - rng.integer(0, 1))
    half = (len(squares) + rng.integer(0, 1)) // 2
    return (knobs.width, knobs.height), (sum(1 << i for i in squares[:half]), sum(1 << i for i in squares[half:]))


environment = Match(
    Knobs,
    Words("the square that your stone leaves and the square it goes to, such as b3 b4", most=2, fold=True),
    start,
    show,
    **STONES.parts(),
    picture=picture,
    concept="The groups of stones that touch are games of their own: count the moves that each side has left in every one of them.",
)
