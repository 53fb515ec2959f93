"""Win a started game of dots and boxes, in which who draws the last side of a box owns it and has to move again."""

from functools import cache

from rlgym import Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.boards.play import Board, Drawn, Level, State
from rlgym.generators.boards.search import At, Move, Rules
from rlgym.generators.drawing.pictures import board
from rlgym.generators.numbers.bitsets import places


class Knobs(Level):
    width: int = knob(3, easy=3, hard=4, doc="boxes in a row")
    height: int = knob(3, easy=2, hard=3, doc="boxes in a column")
    open: int = knob(9, easy=7, hard=11, doc="sides that are not drawn yet")


class Boxes(Rules):
    """A position has a bit for each side that is drawn, and by how many boxes the player to move is ahead."""

    def moves(self, at: At) -> list[tuple[Move, At, int]]:
        drawn, lead = at
        _, full, touching = _sides(*self.size)
        moves: list[tuple[Move, At, int]] = []
        for side in places(full & ~drawn):
            after, won = drawn | 1 << side, 0
            for box in touching[side]:
                if box & after == box:
                    won += 1
            moves.append(((side,), (after, lead + won), 1) if won else ((side,), (after, -lead), -1))
        return moves

    def result(self, at: At) -> int | None:
        return None if at[0] != _sides(*self.size)[1] else (at[1] > 0) - (at[1] < 0)

    def name(self, move: Move) -> str:
        return _sides(*self.size)[0][move[0]]

    def most(self, at: At) -> int:
        return len(self.legal(at))

    def merit(self, at: At, after: At, turn: int) -> int:
        return turn

    def work(self, at: At) -> float:
        return float(len(self.legal(at)) ** 3)

    def foul(self, at: At) -> str:
        return self.name((places(at[0])[0],))


BOXES = Board(Boxes, work=1200, patience=4, habits=())


def start(rng: Rng, knobs: Knobs) -> State:
    return BOXES.start(rng, knobs, lambda rng: _sample(rng, knobs))


def show(state: State, player: int) -> str:
    width, height = state.size
    lead = state.at[1] if state.player == player else -state.at[1]
    names = _sides(width, height)[0]
    missing = ", ".join(names[side] for side in range(len(names)) if not state.at[0] >> side & 1)
    rules = (
        f"We play dots and boxes on {width + 1} columns and {height + 1} rows of dots. Columns have letters, from a at the left, and rows "
        "have numbers, from 1 at the bottom; a side joins two dots next to each other and is named by both, the lower or left one first, with a "
        "space between them. Four sides around a square of side 1 make a box. We move in turn. In a move a player draws one side that is not drawn "
        "yet. A player who draws the last missing side of one box or two owns them and moves again at once; otherwise the other player moves. When "
        "all sides are drawn, the player who owns more boxes wins; equal numbers are a draw."
    )
    ahead = (
        "We own the same number of boxes"
        if not lead
        else f"{'You own' if lead > 0 else 'I own'} {abs(lead)} more than {'I' if lead > 0 else 'you'}"
    )
    return BOXES.describe(state, player, rules, f"{_text(state)}\nSides not drawn yet: {missing}. {ahead}.")


def picture(state: State, player: int) -> str:
    return board([list(line.ljust(4 * state.size[0] + 3)) for line in _text(state).split("\n")])


def _text(state: State) -> str:
    width, height = state.size
    drawn = {name for side, name in enumerate(_sides(width, height)[0]) if state.at[0] >> side & 1}
    lines = []
    for row in range(height + 1, 0, -1):
        across = ["---" if f"{'abcdefg'[i]}{row} {'abcdefg'[i + 1]}{row}" in drawn else "   " for i in range(width)]
        lines.append(f"{row} +{'+'.join(across)}+")
        if row > 1:
            lines.append(
                "  " + "   ".join("|" if f"{letter}{row - 1} {letter}{row}" in drawn else " " for letter in "abcdefg"[: width + 1])
            )
    return "\n".join([*lines, "  " + "   ".join("abcdefg"[: width + 1])])


def _sample(rng: Rng, knobs: Knobs) -> Drawn:
    full = _sides(knobs.width, knobs.height)[1]
    sides = rng.sample(range(full.bit_length()), full.bit_length() - min(knobs.open, full.bit_length() - 2))
    state = sum(1 << side for side in sides)
    boxes = {box for touching in _sides(knobs.width, knobs.height)[2] for box in touching}
    owned = sum(box & state == box for box in boxes)
    mine = rng.integer(owned // 2, owned - owned // 2)
    return (knobs.width, knobs.height), (state, 2 * mine - owned)


@cache
def _sides(width: int, height: int) -> tuple[tuple[str, ...], int, tuple[tuple[int, ...], ...]]:
    """The names of all sides, all of them as bits, and the boxes that each belongs to as bits of their sides."""
    dots = "abcdefg"
    names = [f"{dots[x]}{y} {dots[x + 1]}{y}" for y in range(1, height + 2) for x in range(width)]
    names += [f"{dots[x]}{y} {dots[x]}{y + 1}" for y in range(1, height + 1) for x in range(width + 1)]
    place = {name: i for i, name in enumerate(names)}
    boxes = []
    for y in range(1, height + 1):
        for x in range(width):
            left, right = dots[x], dots[x + 1]
            around = (f"{left}{y} {right}{y}", f"{left}{y + 1} {right}{y + 1}", f"{left}{y} {left}{y + 1}", f"{right}{y} {right}{y + 1}")
            boxes.append(sum(1 << place[name] for name in around))
    return tuple(names), (1 << len(names)) - 1, tuple(tuple(box for box in boxes if box >> i & 1) for i in range(len(names)))


environment = Match(
    Knobs, Words("the two dots that your side joins, the lower or left one first, such as b1 b2", max_items=2, ignore_case=True),
    start, show,
    **BOXES.parts(), picture=picture,
    concept="Count the chains of boxes: it can pay to leave the last two boxes of a chain to the other player, who must then open the next one.",
    version=4,
)  # fmt: skip
