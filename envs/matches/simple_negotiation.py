"""Agree on how to share goods with somebody whose values are hidden, in a few rounds of offers that cost you time.

The target for each list of values is computed exactly: the best agreement with the list known, less the smallest possible regret.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, product
from operator import mul, sub
from typing import NamedTuple

from rlgym import Config, Match, Rng, knob
from rlgym.answers import Numbers
from rlgym.generators.payoffs import hidden
from rlgym.generators.payoffs.hidden import Move, Played
from rlgym.generators.text.english import join_words

Inside = tuple[int, bool]  # offers made, and whether there is an agreement
GOODS = ("books", "hats", "lamps", "plates")


class Knobs(Config):
    goods: int = knob(3, easy=2, hard=4, doc="kinds of goods")
    lists: int = knob(4, easy=2, hard=7, doc="lists of values that the other may have")
    offers: int = knob(4, easy=3, hard=5, doc="offers that you may make")


class Sharing(NamedTuple):
    counts: Move
    mine: Move
    theirs: tuple[Move, ...]
    asks: Move  # what the other wants to have at least, offer by offer
    delay: int

    @property
    def rounds(self) -> int:
        return len(self.asks)

    @property
    def kinds(self) -> int:
        return len(self.theirs)

    @property
    def scale(self) -> int:
        return max(_worth(values, self.counts) for values in (self.mine, *self.theirs)) + self.delay * self.rounds

    def begin(self) -> Inside:
        return 0, False

    def moves(self, inside: Inside, rounds_left: int) -> Sequence[Move]:
        return () if inside[1] else _splits(self.counts)

    def choices(self, kinds: Sequence[int], inside: Inside, rounds_left: int) -> Sequence[Move]:
        return self.moves(inside, rounds_left)

    def replies(self, inside: Inside, move: Move) -> list[Move]:
        """Yes, or what the other asks for itself."""
        return [(1,), *((0, *units) for units in _splits(self.counts))]

    def reply(self, kind: int, inside: Inside, move: Move) -> Move:
        if sum(map(mul, self.theirs[kind], map(sub, self.counts, move))) >= self.asks[inside[0]]:
            return (1,)
        return (0, *_needed(self.counts, self.theirs[kind], self.asks[inside[0]]))

    def sight(self, inside: Inside, move: Move, reply: Move) -> Move:
        return reply

    def relevant_state(self, kind: int, inside: Inside) -> Inside:
        return inside

    def after(self, inside: Inside, move: Move, reply: Move) -> Inside:
        return inside[0] + 1, reply == (1,)

    def gains(self, inside: Inside, move: Move, reply: Move) -> tuple[int, int]:
        return (_worth(self.mine, move) - self.delay * inside[0] if reply == (1,) else 0), 0


class State(Played):
    game: Sharing


def start(rng: Rng, knobs: Knobs) -> State:
    while True:
        counts = tuple(rng.integer(1, 5 - knobs.goods // 2) for _ in range(knobs.goods))
        mine, *theirs = (tuple(rng.integer(0, 9) for _ in range(knobs.goods)) for _ in range(knobs.lists + 1))
        least = min(_worth(values, counts) for values in theirs)
        first = least * rng.integer(60, 95) // 100
        asks = tuple(max(1, first - drop) for drop in accumulate(rng.integer(0, 3) for _ in range(knobs.offers)))
        game = Sharing(counts, mine, tuple(theirs), asks, rng.integer(2, 4))
        if len(_splits(counts)) < 16 or min(mine) == max(mine) or _worth(mine, counts) < 8 or least < 6:
            continue
        # All of the better half of the goods, all but one, and half of each: what suggests itself.
        ranked = sorted(range(knobs.goods), key=lambda i: -mine[i])
        plain = [[tuple(count * (ranked.index(i) < most) for i, count in enumerate(counts))] for most in range(1, knobs.goods)]
        plain += [[tuple(count - (i == ranked[-1]) for i, count in enumerate(counts))], [tuple(count // 2 for count in counts)]]
        kind = hidden.sample_exploitable_kind(rng, game, plain)
        if kind is not None:
            return State(game=game, kind=kind)


def show(state: State, player: int) -> str:
    game = state.game
    values = f" Your own values are {_format_list(game.theirs[state.kind])}." if player else ""
    if state.pending and state.past:
        return f"I want {_format_list(state.pending)} for myself and leave you the rest. Agree, or say what you want.{values}"
    if state.past:
        demand = state.past[-1][1][1:]
        return (
            f"I do not agree. I want {_format_list(demand)} for myself. Make offer {len(state.past) + 1} of {game.rounds}; an agreement on it costs you "
            f"{game.delay * len(state.past)} points."
        )
    sure = hidden.solve(game).sure
    goods = GOODS[: len(game.counts)]
    lists = "\n".join(f"{chr(65 + k)}: {_format_list(theirs)}. You need {sure[k]} points." for k, theirs in enumerate(game.theirs))
    offered = (
        f"\n\nThe first offer: I want {_format_list(state.pending)} for myself.{values}" if state.pending else " Make your first offer."
    )
    return (
        f"We divide {join_words([f'{count} {kind if count > 1 else kind[:-1]}' for count, kind in zip(game.counts, goods, strict=True)])}; numbers below are "
        f"in this order. To you one of each kind is worth {_format_list(game.mine)} points. "
        f"You make up to {game.rounds} offers: an offer says how many of each kind you want for "
        f"yourself; I would get the rest. If I agree, you get what your goods are worth, less {game.delay} points for each offer before this one. If "
        f"I agree to none, you get 0 points. I do not tell "
        f"you what the goods are worth to me; the value of one of each kind to me is given by one of these lists:\n{lists}\n\nI agree to an offer if what "
        f"it leaves me is worth at least this much to me: {'; '.join(f'{ask} at offer {i}' for i, ask in enumerate(game.asks, 1))}. If I do not "
        f"agree, I say what I want: the fewest items that are worth that much to me (if there are several such choices, the one with most of the first kind, "
        f"then of the second, and so on). You win if you get the points stated for the list that is mine. There is a way to make offers that "
        f"achieves this whichever list it is.{offered}"
    )


def returns(state: State) -> tuple[float, ...] | None:
    if not hidden.is_over(state):
        return None
    mine, _ = hidden.gained(state)
    move, reply = state.past[-1]
    rest = [count - units for count, units in zip(state.game.counts, move, strict=True)]
    theirs = _worth(state.game.theirs[state.kind], rest) if reply == (1,) else 0
    return mine / state.game.scale, theirs / state.game.scale


def greedy(state: State) -> Move:
    """Everything that is worth anything but one piece of the kind that is worth least."""
    if state.pending:
        return hidden.reply_of_rule(state)
    worth = state.game.mine
    least = min(range(len(worth)), key=lambda i: worth[i])
    return tuple(count - (i == least) for i, count in enumerate(state.game.counts))


def mistakes(state: State) -> list[Move]:
    return [state.game.counts, tuple(0 for _ in state.game.counts), (9,) * len(state.game.counts)]


def cost(state: State) -> float:
    return float(len(state.game.moves((0, False), 0)) * state.game.kinds * state.game.rounds)


def explain(state: State) -> list[str]:
    return hidden.explain(state, ", ".join(map(str, hidden.best(state))), what="list")


@lru_cache(maxsize=1000)
def _splits(counts: Move) -> tuple[Move, ...]:
    return tuple(product(*(range(count + 1) for count in counts)))


@lru_cache(maxsize=10_000)
def _needed(counts: Move, values: Move, ask: int) -> Move:
    """The fewest pieces that are worth so much, of several ways the one with most of the first kinds."""
    enough = [units for units in _splits(counts) if _worth(values, units) >= ask]
    return min(enough, key=lambda units: (sum(units), [-count for count in units]))


def _worth(values: Sequence[int], units: Sequence[int]) -> int:
    return sum(value * count for value, count in zip(values, units, strict=True))


def _format_list(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


environment = Match(
    Knobs, Numbers("how many of each kind you want for yourself, in the order given, separated by commas", max_items=8),
    start, show, hidden.to_move, hidden.legal, hidden.act, returns, hidden.best, greedy, hidden.target_return, hidden.opponent, hidden.seat,
    mistakes, cost, hidden.turns,
    explain=explain,
    concept="Leave what is worth much to the other and little to you; what it asks for tells which lists are left, and every offer has its price.",
    version=3,
    short_matches="An agreement ends the match, and delay costs points.",
)  # fmt: skip
