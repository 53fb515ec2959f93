"""Win the end of a game of othello on a small board, where discs that are closed in between two others change sides."""

from rlgym import Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.boards.play import Board, Drawn, Level, State
from rlgym.generators.boards.search import At, Move, Rules
from rlgym.generators.boards.squares import WHERE, neighbour_masks, rays, sample, square_name, text
from rlgym.generators.numbers.bitsets import places


class Knobs(Level):
    lasting: int = knob(3, easy=2, hard=4, doc="least moves of yours that a win takes if both play well")
    width: int = knob(6, easy=4, hard=6, doc="squares in a row")
    open: int = knob(7, easy=5, hard=9, doc="squares that are still empty")


class Othello(Rules):
    """A position has a bit for each disc of the player to move and of the other. The board is as wide as `size` says and has as many rows."""

    def moves(self, at: At) -> list[tuple[Move, At, int]]:
        mine, theirs = at
        flips = [((square,), (theirs & ~turned, mine | turned | 1 << square), -1) for square, turned in self.placed(mine, theirs)]
        moves_found: list[tuple[Move, At, int]] = [*flips]
        return moves_found or ([((), (theirs, mine), -1)] if self.placed(theirs, mine) else [])

    def placed(self, mine: int, theirs: int) -> list[tuple[int, int]]:
        """The squares where a disc may be put, with the discs that it turns."""
        width = self.size[0]
        seen, near = rays(width, width), neighbour_masks(width, width, diagonal=True)
        flips = []
        for square in places(~(mine | theirs) & (1 << width * width) - 1):
            if not near[square] & theirs:
                continue
            turned = 0
            for ray in seen[square]:
                if not ray or not theirs >> ray[0] & 1:
                    continue
                line = 0
                for other in ray:
                    if not theirs >> other & 1:
                        turned |= line if mine >> other & 1 else 0
                        break
                    line |= 1 << other
            if turned:
                flips.append((square, turned))
        return flips

    def result(self, at: At) -> int | None:
        if self.legal(at):
            return None
        ahead = at[0].bit_count() - at[1].bit_count()
        return (ahead > 0) - (ahead < 0)

    def name(self, move: Move) -> str:
        return square_name(self.size[0], move[0]) if move else "pass"

    def most(self, at: At) -> int:
        return self.size[0] ** 2 - (at[0] | at[1]).bit_count()

    def merit(self, at: At, after: At, turn: int) -> int:
        return after[1].bit_count() - at[0].bit_count()

    def work(self, at: At) -> float:
        return float(self.most(at) ** 3 * self.size[0])

    def foul(self, at: At) -> str:
        return square_name(self.size[0], places(at[0] | at[1])[0])


DISCS = Board(Othello, work=800, patience=4)


def start(rng: Rng, knobs: Knobs) -> State:
    return DISCS.start(rng, knobs, lambda rng: _sample(rng, knobs))


def show(state: State, player: int) -> str:
    width = state.size[0]
    rules = (
        f"We play othello on a board of {width} columns and {width} rows. You have the discs {'XO'[player]}, I have the discs {'OX'[player]}, "
        f"and a dot is an empty square. {WHERE}. We move in turn. In a move a player puts a disc of their own on an empty square so that at least "
        "one disc of the other player turns: from the new disc, in each of the eight directions along rows, columns and diagonals, all discs of the other "
        f"player that follow without a gap up to a disc of the mover's own change sides. A move that turns no disc is illegal. A player who has no "
        f"legal move must pass, with the word pass; "
        "nobody else may pass. When neither can put a disc, the player with more discs wins; equal numbers are a draw."
    )
    return DISCS.describe(state, player, rules, text(width, width, lambda square: _sign(state, square)))


def picture(state: State, player: int) -> str:
    return sample((state.size[0],) * 2, lambda square: _sign(state, square))


def _sign(state: State, square: int) -> str:
    first, second = state.at if state.player == 0 else state.at[::-1]
    return "X" if first >> square & 1 else "O" if second >> square & 1 else "."


def _sample(rng: Rng, knobs: Knobs) -> Drawn:
    width, middle = knobs.width, knobs.width // 2 * (knobs.width + 1) - knobs.width - 1
    at: At = (1 << middle + 1 | 1 << middle + width, 1 << middle | 1 << middle + width + 1)
    rules = DISCS.rules((width,))
    for _ in range(width * width - 4 - knobs.open + rng.integer(0, 2)):
        if options := rules.legal(at):
            at = rng.choice(options)[1]
    return (width,), at


environment = Match(
    Knobs, Words("the square on which you put a disc, such as b3, or the word pass", max_items=1, ignore_case=True), start, show,
    **DISCS.parts(), picture=picture,
    short_matches="A position that takes six moves is too large to be solved within the time that a task may take.",
    concept="Read the last moves to the end: corners never turn, and who is left without a move must pass.",
    version=5,
)  # fmt: skip
