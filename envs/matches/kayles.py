"""Win a game of kayles, in which pins that stand in a row are knocked down one or two at a time, or one of its relatives."""

from functools import cache, reduce
from operator import xor

from rlgym import Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.boards.play import Board, Drawn, Level, State
from rlgym.generators.boards.search import At, Move, Rules
from rlgym.generators.drawing.pictures import board
from rlgym.generators.numbers.bitsets import places

KINDS = ("either", "two", "lonely")
TAKEN = {
    "either": "In a move a player knocks down one standing pin, or two standing pins with consecutive numbers.",
    "two": "In a move a player knocks down two standing pins with consecutive numbers; a single pin may not be taken.",
    "lonely": "In a move a player names one standing pin; it falls, and so do the standing pins right next to it, whose numbers are one less and one more.",
}


class Knobs(Level):
    pins: int = knob(19, easy=13, hard=30, doc="pins in the row at the beginning")
    kind: str = knob("either", easy="either", hard="lonely", order=KINDS, doc="which pins fall in a move")


class Kayles(Rules):
    """The size is the number of pins and the kind of move; a position has a bit for each standing pin."""

    def moves(self, at: At) -> list[tuple[Move, At, int]]:
        standing, kind = at[0], self.size[1]
        if kind == 2:
            return [((i,), (standing & ~(7 << i >> 1),), -1) for i in places(standing)]
        single: list[tuple[Move, At, int]] = [] if kind == 1 else [((i,), (standing ^ 1 << i,), -1) for i in places(standing)]
        return single + [((i, i + 1), (standing ^ 3 << i,), -1) for i in places(standing & standing >> 1)]

    def result(self, at: At) -> int | None:
        return None if (at[0] & at[0] >> 1 if self.size[1] == 1 else at[0]) else -1

    def name(self, move: Move) -> str:
        return " ".join(str(i + 1) for i in move)

    def most(self, at: At) -> int:
        return at[0].bit_count() // (1 + (self.size[1] == 1)) // 2 + 1

    def solved(self, at: At) -> int:
        return 1 if reduce(xor, (_grundy(length, self.size[1]) for length in _runs(at[0])), 0) else -1

    def estimate(self, at: At) -> int:
        # A reader overlooks the end of a game of few pins.
        return 500 * self.solved(at) if at[0].bit_count() <= 9 else 0

    def work(self, at: At) -> float:
        return float(at[0].bit_count() ** 3 * (1 + self.size[1]))

    def foul(self, at: At) -> str:
        down = [i for i in range(self.size[0]) if not at[0] >> i & 1]
        return str(down[0] + 1) if down else str(self.size[0] + 1)


PINS = Board(Kayles, patience=20, nodes=100)


def start(rng: Rng, knobs: Knobs) -> State:
    return PINS.start(rng, knobs, lambda rng: _sample(rng, knobs))


def show(state: State, player: int) -> str:
    standing = [i for i in range(state.size[0]) if state.at[0] >> i & 1]
    pins = f"Standing pins: {', '.join(str(i + 1) for i in standing)}"
    rules = (
        f"{state.size[0]} pins stood in a row, numbered from 1 to {state.size[0]}; some have fallen, and gaps are never closed. We move in turn. "
        f"{TAKEN[KINDS[state.size[1]]]} A player who cannot move loses."
    )
    return PINS.describe(state, player, rules, pins)


def picture(state: State, player: int) -> str:
    pins = range(state.size[0])
    return board([["I" if state.at[0] >> i & 1 else "." for i in pins]], bottom=tuple(str(i + 1) for i in pins))


def _sample(rng: Rng, knobs: Knobs) -> Drawn:
    fallen = rng.sample(range(knobs.pins), rng.integer(knobs.pins // 4, knobs.pins // 3 + 1))
    return (knobs.pins, KINDS.index(knobs.kind)), ((1 << knobs.pins) - 1 - sum(1 << i for i in fallen),)


def _hit(move: Move, kind: int) -> int:
    return sum(1 << i for i in move) if kind < 2 else (7 << move[0]) >> 1


def _runs(standing: int) -> list[int]:
    """The lengths of the runs of standing pins."""
    return [len(run) for run in f"{standing:b}".split("0") if run]


@cache
def _grundy(length: int, kind: int) -> int:
    pins = (1 << length) - 1
    hits = [_hit((i,), kind) for i in range(length)] if kind != 1 else []
    hits += [3 << i for i in range(length - 1)] if kind != 2 else []
    reached = {reduce(xor, (_grundy(run, kind) for run in _runs(pins & ~hit)), 0) for hit in hits}
    return next(value for value in range(len(reached) + 1) if value not in reached)


environment = Match(
    Knobs, Words("the number of each pin you name, separated by spaces", max_items=3), start, show,
    **PINS.parts(), picture=picture,
    concept="Give each run of standing pins its Grundy value and leave runs whose values cancel out in binary.",
    guessable="At the lowest level the opponent looks one move ahead and a few moves decide, so that a move repeated while it is legal wins now and then.",
    version=4,
)  # fmt: skip
