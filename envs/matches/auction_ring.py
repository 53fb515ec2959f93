"""Bid against three rivals of whom some may have formed a ring: their bids tell who, and each rival can win only so many lots.

The target for each possible ring is computed exactly: the most profit with the ring known, less the smallest possible regret.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from rlgym import Config, Match, Rng, knob
from rlgym.answers import Numbers
from rlgym.generators.payoffs import hidden
from rlgym.generators.payoffs.hidden import Move, Played, gained, now
from rlgym.generators.payoffs.sales import THINGS
from rlgym.generators.text.english import count_noun, join_words
from rlgym.generators.text.names import PEOPLE

Inside = tuple[int, int, int, int, int]  # your purse, how many lots are gone, and how many each rival has won
SEATS = range(3)
EVERYBODY = (0, 1, 2)
RINGS = ((), *combinations(SEATS, 2), EVERYBODY)


class Knobs(Config):
    lots: int = knob(6, easy=4, hard=9, doc="lots for sale")
    rings: int = knob(3, easy=2, hard=5, doc="rings that are possible")
    value: int = knob(30, easy=14, hard=50, doc="the most that a lot is worth to anybody")


class Auction(NamedTuple):
    """Values of each lot to you and to each rival. A rival bids `parts`/`whole` of its value; it wins at most `capacity` lots."""

    names: tuple[str, ...]
    values: tuple[int, ...]
    others: tuple[tuple[int, ...], ...]
    parts: int
    whole: int
    capacity: int
    purse: int
    rings: tuple[tuple[int, ...], ...]

    @property
    def rounds(self) -> int:
        return len(self.values)

    @property
    def kinds(self) -> int:
        return len(self.rings)

    @property
    def scale(self) -> int:
        return sum(self.values) + sum(map(sum, self.others)) + self.purse

    def begin(self) -> Inside:
        return (self.purse, 0, 0, 0, 0)

    def moves(self, inside: Inside, rounds_left: int) -> list[Move]:
        return [(bid,) for bid in range(inside[0] + 1)]

    def choices(self, kinds: Sequence[int], inside: Inside, rounds_left: int) -> list[Move]:
        """To give nothing, or what just wins against one of the rings."""
        needed = {max(self.reply(kind, inside, ())) for kind in kinds}
        return [(bid,) for bid in sorted({0, *needed}) if bid <= inside[0]]

    def replies(self, inside: Inside, move: Move) -> list[Move]:
        return sorted({self.reply(kind, inside, move) for kind in range(self.kinds)})

    def reply(self, kind: int, inside: Inside, move: Move) -> Move:
        """The rivals' bids."""
        lot, active = inside[1], [each for each in SEATS if inside[2 + each] < self.capacity]
        bids = [self.others[each][lot] * self.parts // self.whole if each in active else 0 for each in SEATS]
        ring = [each for each in self.rings[kind] if each in active]
        if len(ring) > 1:
            chosen = max(ring, key=lambda each: (self.others[each][lot], -each))
            outside = max((bids[each] + 1 for each in SEATS if each not in ring), default=self.others[chosen][lot] // 2)
            bids = [bids[each] if each not in ring else min(bids[each], outside) if each == chosen else 0 for each in SEATS]
        return tuple(bids)

    def sight(self, inside: Inside, move: Move, reply: Move) -> Move:
        return reply

    def relevant_state(self, kind: int, inside: Inside) -> Inside:
        return inside

    def winner(self, move: Move, reply: Move) -> int:
        """The rival who gets the lot, or -1 where it is yours."""
        return -1 if move[0] >= max(reply) else reply.index(max(reply))

    def after(self, inside: Inside, move: Move, reply: Move) -> Inside:
        winner, won = self.winner(move, reply), list(inside[2:])
        if winner >= 0:
            won[winner] += 1
        return (inside[0] - (move[0] if winner < 0 else 0), inside[1] + 1, won[0], won[1], won[2])

    def gains(self, inside: Inside, move: Move, reply: Move) -> tuple[int, int]:
        winner, lot = self.winner(move, reply), inside[1]
        if winner < 0:
            return self.values[lot] - move[0], 0
        return 0, self.others[winner][lot] - reply[winner]


class State(Played):
    game: Auction


def start(rng: Rng, knobs: Knobs) -> State:
    while True:
        lots, top = knobs.lots, knobs.value
        others = tuple(tuple(rng.integer(top // 2, top) for _ in range(lots)) for _ in SEATS)
        values = tuple(rng.integer(top // 2, top) for _ in range(lots))
        parts, whole = rng.choice(((3, 4), (4, 5), (2, 3)))
        capacity = rng.integer(max(1, lots // 3), max(1, lots // 2))
        rings = tuple(sorted(rng.sample(RINGS, knobs.rings)))
        purse = top * lots * rng.integer(18, 34) // 100
        game = Auction(tuple(rng.sample(PEOPLE, 3)), values, others, parts, whole, capacity, purse, rings)
        shares = [[(value * share // 100,) for value in values] for share in (25, 34, 40, 50, 60, 67, 75, 80)]
        kind = hidden.sample_exploitable_kind(rng, game, [*shares, *([(bid,)] for bid in range(top + 1))])
        if kind is not None:
            return State(game=game, kind=kind)


def show(state: State, player: int) -> str:
    game, inside = state.game, now(state)
    lot = inside[1]
    ask = (
        f"Bid for the {THINGS[lot]}."
        if player == 0
        else f"The rivals bid for the {THINGS[min(lot, game.rounds - 1)]}: give the three bids."
    )
    if state.past:
        move, reply = state.past[-1]
        winner = game.winner(move, reply)
        bids = ", ".join(f"{name} {bid}" for name, bid in zip(game.names, reply, strict=True))
        who = "You get" if winner < 0 else f"{game.names[winner]} gets"
        mine = f"You have {count_noun(inside[0], 'coin')} left. Your profit so far is {gained(state)[0]}. " if player == 0 else ""
        return f"The bids: you {move[0]}, {bids}. {who} the {THINGS[len(state.past) - 1]}. {mine}{ask}"
    sure = hidden.solve(game).sure
    worth = "\n".join(
        f"{thing}: {mine} to you, {join_words([f'{row[k]} to {name}' for name, row in zip(game.names, game.others, strict=True)])}"
        for k, (thing, mine) in enumerate(zip(THINGS, game.values, strict=False))
    )
    rings = "\n".join(f"{chr(65 + k)}: {_ring(game, ring)}. You need a profit of {sure[k]}." for k, ring in enumerate(game.rings))
    seat = "" if player == 0 else f"You bid for {join_words(game.names)}. "
    return (
        f"{game.rounds} lots are sold, one after the other, to you, {join_words(game.names)}. What each lot is worth:\n{worth}\n\nFor each lot all four "
        "write down a bid, a whole number of coins from 0 up, without seeing the other bids. The highest bid gets the lot and pays what it bid. Of equal "
        f"bids yours comes first, then those of {join_words(game.names)} in this order. Then all bids are announced. You have {game.purse} coins, and what "
        f"is spent is gone; the others have enough. {join_words(game.names)} each want at most {count_noun(game.capacity, 'lot')}: whoever has won that "
        f"many bids 0 from then on. A rival who is in no ring bids {game.parts}/{game.whole} of what the lot is worth to them, rounded down. Rivals in a "
        "ring do not compete with each other. For each lot, the member who still wants lots and to whom this lot is worth most (of equal ones the first "
        "by the order above) bids for the ring, and the other members bid 0. This member bids 1 more than the highest bid of the rivals outside the ring"
        f"{_half(game)}, but at most {game.parts}/{game.whole} of what the lot is worth to them, rounded down. If only one member still "
        "wants lots, this member bids like a rival in no ring. One of these "
        f"cases holds from the first lot to the last, but you do not know which:\n{rings}\n\nYour profit is what the lots that you get are worth to you, less "
        "what you pay for them; coins that are left are worth nothing. You win if it is at least what is stated for the case that holds. There is a way "
        f"to bid that achieves this whichever it is. {seat}{ask}"
    )


def greedy(state: State) -> Move:
    """Half of what the lot is worth."""
    if state.pending:
        return hidden.reply_of_rule(state)
    return (min(now(state)[0], state.game.values[len(state.past)] // 2),)


def mistakes(state: State) -> list[Move]:
    return [(0,), (now(state)[0] + 1,), (-1,)]


def cost(state: State) -> float:
    return float(2**state.game.rounds * state.game.kinds)


def explain(state: State) -> list[str]:
    return hidden.explain(state, str(hidden.best(state)[0]), what="case")


def _half(game: Auction) -> str:
    return " (if all rivals are in the ring, half of what the lot is worth to them, rounded down)" if EVERYBODY in game.rings else ""


def _ring(game: Auction, ring: tuple[int, ...]) -> str:
    return f"{join_words([game.names[each] for each in ring])} are in a ring" if ring else "There is no ring"


environment = Match(
    Knobs, Numbers("your bid in coins", max_items=4),
    start, show, hidden.to_move, hidden.legal, hidden.act, hidden.returns, hidden.best, greedy, hidden.target_return, hidden.opponent,
    hidden.seat, mistakes, cost, hidden.turns,
    explain=explain,
    concept="The bids for one lot tell who is in a ring. Then every later bid is known, also when a rival has enough: buy the lots with most value per coin.",
    recoverable_first_move="The first of many lots decides little: perfect play in the others makes up for it.",
)  # fmt: skip
