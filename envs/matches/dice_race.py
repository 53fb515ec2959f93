"""Bring all pieces home first in a race with hits and blocked points, in which all throws of the dice are known from the beginning.

It is played as backgammon is, with one die a turn and few pieces. As the throws are announced, skill decides and no luck: which piece uses which
throw, whom it hits, and which points it blocks. The opponent is an engine of stated strength.
"""

from rlgym import Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.boards.contests import POSITIONS, Contest, Drawn, Position, Strength, habits
from rlgym.generators.boards.engines import EngineRules, Moved
from rlgym.generators.boards.search import At, Move

HEAD = 3
"""The measures before the throws: points, sides of the die, pieces of each player."""
WEAKEST, SHORT_SEARCH = 10, 16
"""Against an opponent that may search fewer positions than the first number, a player who searches so many wins too: two or three moves ahead."""
SHOWN = 6
"""Throws of each player that are shown before each move."""


class Knobs(Strength):
    positions: int = knob(20, easy=8, hard=45, scale="log", doc=POSITIONS)
    points: int = knob(8, easy=6, hard=11, doc="points of the line")
    pieces: int = knob(3, easy=2, hard=4, doc="pieces of each player")
    sides: int = knob(4, easy=3, hard=6, doc="sides of the die")
    lasting: int = knob(8, easy=4, hard=11, doc="least moves of yours in a win of the stronger engine")


class Race(EngineRules):
    """A position has what is left to go for each piece of the player to move, the largest first, and for each of the other's; then how many throws are
    gone, and the player to move: player 0 moves to higher points. What is left to go is 0 for a piece that is home."""

    sided = True

    def __init__(self, size: At) -> None:
        super().__init__(size)
        self.points, _, self.pieces = size[:HEAD]
        self.throws = size[HEAD:]

    def moves(self, at: At) -> list[Moved]:
        pieces, beyond = self.pieces, self.points + 1
        mine, theirs, gone, side = at[:pieces], at[pieces : 2 * pieces], at[-2], at[-1]
        if gone == len(self.throws):
            return []
        throw, out = self.throws[gone], list[Moved]()
        for place, left in enumerate(mine):
            if not left:
                break
            if place and mine[place - 1] == left:
                continue
            target = max(0, left - throw)
            there = theirs.count(beyond - target) if target else 0
            if there > 1:
                continue
            after = sorted((*mine[:place], target, *mine[place + 1 :]), reverse=True)
            others = sorted([beyond if each == beyond - target else each for each in theirs], reverse=True) if there else theirs
            out.append(((left, side), (*others, *after, gone + 1, 1 - side), -1))
        # The moves that throw the other player back furthest come first: engines search them first.
        out.sort(key=lambda move: -sum(move[1][:pieces]))
        return out or [((-1, side), (*theirs, *mine, gone + 1, 1 - side), -1)]

    def result(self, at: At) -> int | None:
        if not at[self.pieces]:
            return -1
        return 0 if at[-2] == len(self.throws) else None

    def estimate(self, at: At) -> int:
        """The lead in points, and what the next throw can hit."""
        pieces, beyond, gone = self.pieces, self.points + 1, at[-2]
        mine, theirs = at[:pieces], at[pieces : 2 * pieces]
        if gone == len(self.throws):
            return 4 * (sum(theirs) - sum(mine))
        throw = self.throws[gone]
        exposed = [beyond - each for each in theirs if beyond - each + throw in mine and theirs.count(each) == 1]
        return 4 * (sum(theirs) - sum(mine)) + 2 * throw + 3 * max(exposed, default=0)

    def name(self, move: Move) -> str:
        left, side = move
        return "pass" if left < 0 else str(self.points + 1 - left if side == 0 else left)

    def most(self, at: At) -> int:
        return len(self.throws) - at[-2]

    def work(self, at: At) -> float:
        return float(self.points * self.pieces**2)

    def foul(self, at: At) -> str:
        return str(self.points + 2)


class Races(Contest):
    def fits(self, rng: Rng, state: Position, lasting: int) -> bool:
        """Against opponents of every strength, players must lose who keep to a place of the list, or to its two ends in turn."""
        known = self.table(state.size)
        rules = known.rules

        def ends(at: At, place: int) -> Move:
            return rules.legal(at)[-((at[-2] // 2 + place) % 2)][0]

        in_turn = [lambda at, place=place: ends(at, place) for place in (0, 1)]
        if not super().fits(rng, state, lasting) or any(self.playout(state, each)[0] for each in (*habits(rules), *in_turn)):
            return False
        return state.positions >= WEAKEST or self.playout(state, lambda now: known.choose(now, SHORT_SEARCH)[0])[0]


RACE = Races(Race, better=3, least=60, plays=7)


def start(rng: Rng, knobs: Knobs) -> Position:
    return RACE.start(rng, knobs, lambda rng: _sample(rng, knobs))


def show(state: Position, player: int) -> str:
    points, sides, pieces = state.size[:HEAD]
    throws, gone = state.size[HEAD:], state.at[-2]
    ways = (f"from 0 over points 1 to {points}, and from there home", f"from {points + 1} over points {points} to 1, and from there home")
    bars = ("0", str(points + 1))
    mine, theirs = (" ".join(map(str, throws[gone + k :: 2])) for k in ((0, 1) if player == state.player else (1, 0)))
    rules = (
        f"We run a race on a line of points numbered from 1 to {points}, with {pieces} pieces each. Your pieces move {ways[player]}; mine move "
        f"{ways[1 - player]}. A piece that has not entered the line is at {bars[player]} if it is yours and at {bars[1 - player]} if it is mine. We move in "
        f"turn. In each turn a throw of a die with {sides} sides is used: a player moves one piece of their own by exactly as many points, or home if no more "
        "points than that are left to home. A piece may pass others, and any number of pieces of one player may be at the same point. But it must not end on a "
        "point with two or more pieces of the other player. If it ends on a point with one piece of the other player, that piece is hit and goes back to "
        f"{bars[1 - player]} if it is mine and to {bars[player]} if it is yours. A player who can move no piece must pass. The first player with all pieces "
        "home wins. If the throws run out before, the race is a draw, which is not enough for you. All throws have been made: yours are, "
        f"in order, {mine}, and mine are {theirs}. Name the piece that you move by the number of the point where it is."
    )
    board = _board(state, player)
    if mine and theirs:
        board += f"\nNext throws: yours {mine[: 2 * SHOWN - 1]}; mine {theirs[: 2 * SHOWN - 1]}"
    return RACE.describe(state, player, rules, board)


def _board(state: Position, player: int) -> str:
    points, _, pieces = state.size[:HEAD]
    own, other = state.at[:pieces], state.at[pieces : 2 * pieces]
    if player != state.player:
        own, other = other, own
    lines = []
    for who, side, left in (("Your", player, own), ("My", 1 - player, other)):
        at = sorted(points + 1 - each if side == 0 else each for each in left if each)
        home = len(left) - len(at)
        lines.append(f"{who} pieces: at {', '.join(map(str, at)) or 'no point'}{f'; {home} home' if home else ''}")
    return "\n".join(lines)


def _sample(rng: Rng, knobs: Knobs) -> Drawn:
    points, pieces = knobs.points, knobs.pieces
    left = [sorted([rng.integer(points // 2, points + 1) for _ in range(pieces)], reverse=True) for _ in range(2)]
    # Pieces of both players must not be at one point.
    while any(points + 1 - each in left[1] for each in left[0]):
        left = [sorted([rng.integer(points // 2, points + 1) for _ in range(pieces)], reverse=True) for _ in range(2)]
    turns = 4 * points * pieces // (knobs.sides + 1)
    throws = [rng.integer(1, knobs.sides) for _ in range(2 * turns)]
    return (points, knobs.sides, pieces, *throws), (*left[0], *left[1], 0, rng.integer(0, 1))


environment = Match(
    Knobs, Words("the point of the piece that you move, or pass if you can move none", max_items=1, ignore_case=True), start, show,
    **RACE.parts(),
    concept="Plan the throws that both of us have: keep single pieces out of reach of my next throw, and hit and block where a throw allows it.",
)  # fmt: skip
