"""Games of two with private hands: the best response to a known strategy, exactly, and equilibria by counterfactual regret minimisation."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

History = tuple[str, ...]
Strategy = Callable[[int, History], Sequence[int]]
"""Of a hand and what was done so far: whole weights of the moves, in their order."""
Weight = Any
"""A Fraction, or a float where a difference below 1e-9 counts as none."""
CHANCE, OVER = 2, -1


class Duel(Protocol):
    """A game for players 0 and 1, who each hold one of `hands` private hands.

    dealt   how often a pair of hands is dealt, as a whole number
    mover   0 or 1, or CHANCE, or OVER
    chances what chance may bring, with whole weights that depend on both hands
    pays    what player 0 gets at the end
    """

    @property
    def hands(self) -> int: ...
    def dealt(self, first: int, second: int) -> int: ...
    def mover(self, history: History) -> int: ...
    def moves(self, history: History) -> tuple[str, ...]: ...
    def chances(self, history: History, first: int, second: int) -> list[tuple[str, int]]: ...
    def pays(self, history: History, first: int, second: int) -> int: ...


class Found(NamedTuple):
    """What a hand is worth to a player who knows the other's strategy, times the weights; `clear` if no move of the way there is as good."""

    worth: Weight
    move: str
    clear: bool


def respond(duel: Duel, me: int, mine: int, history: History, weights: Sequence[Weight], strategy: Strategy) -> Found:
    """The best response from here on, where the other's hands have these weights."""
    mover = duel.mover(history)
    if not any(weights):
        return Found(0, "", True)
    if mover == OVER:
        sign = 1 if me == 0 else -1
        pairs = ((mine, theirs) if me == 0 else (theirs, mine) for theirs in range(duel.hands))
        worth = sum(weight * duel.pays(history, *pair) for weight, pair in zip(weights, pairs, strict=True) if weight)
        return Found(sign * worth, "", True)
    if mover == me:
        responses = [(move, respond(duel, me, mine, (*history, move), weights, strategy)) for move in duel.moves(history)]
        move, best = max(responses, key=lambda pair: pair[1].worth)
        clear = best.clear and sum(other.worth > best.worth - 1e-9 for _, other in responses) == 1
        return Found(best.worth, move, clear)
    parts: dict[str, list[Weight]] = {}
    for theirs, weight in enumerate(weights):
        if not weight:
            continue
        if mover == CHANCE:
            ways = duel.chances(history, *((mine, theirs) if me == 0 else (theirs, mine)))
        else:
            ways = list(zip(duel.moves(history), strategy(theirs, history), strict=True))
        total_weight = sum(weight for _, weight in ways)
        for move, weight_of_move in ways:
            if weight_of_move:
                parts.setdefault(move, [0] * duel.hands)[theirs] += weight * weight_of_move / total_weight
    after = [respond(duel, me, mine, (*history, move), those, strategy) for move, those in parts.items()]
    return Found(sum(each.worth for each in after), "", all(each.clear for each in after))


def posterior_weights(duel: Duel, me: int, mine: int, history: History, strategy: Strategy, exact: bool = True) -> list[Weight]:
    """The weights of the other's hands after what was done: fractions, or floats."""
    out = []
    number: Callable[[int], Weight] = Fraction if exact else float
    for theirs in range(duel.hands):
        pair = (mine, theirs) if me == 0 else (theirs, mine)
        weight = number(duel.dealt(*pair))
        for i, move in enumerate(history):
            mover, before = duel.mover(history[:i]), history[:i]
            if weight and mover != me:
                ways = duel.chances(before, *pair) if mover == CHANCE else zip(duel.moves(before), strategy(theirs, before), strict=True)
                shares = dict(ways)
                weight = weight * shares.get(move, 0) / sum(shares.values())
        out.append(weight)
    return out


def response(duel: Duel, me: int, strategy: Strategy, exact: bool = True) -> tuple[Weight, bool]:
    """What a best response gains on average per deal, and whether it is the only one where it leads."""
    all_deals = sum(duel.dealt(first, second) for first in range(duel.hands) for second in range(duel.hands))
    responses = [
        respond(duel, me, mine, (), posterior_weights(duel, me, mine, (), strategy, exact), strategy) for mine in range(duel.hands)
    ]
    return sum(each.worth for each in responses) / all_deals, all(each.clear for each in responses)


def exploitability(duel: Duel, strategies: Sequence[Strategy]) -> Fraction:
    """What best responses to both strategies gain together; 0 exactly at an equilibrium."""
    return Fraction(response(duel, 0, strategies[1])[0] + response(duel, 1, strategies[0])[0])


class Equilibrium(NamedTuple):
    """The average strategy of counterfactual regret minimisation, with whole weights that sum to 1,000,000 or nearly so."""

    table: dict[tuple[int, History], tuple[int, ...]]

    def __call__(self, hand: int, history: History) -> tuple[int, ...]:
        return self.table[hand, history]


def equilibrium(duel: Duel, rounds: int) -> Equilibrium:
    """An approximate equilibrium: every round both players move away from what they regret; later rounds count more."""
    regrets: dict[tuple[int, History], list[float]] = {}
    sums: dict[tuple[int, History], list[float]] = {}

    def walk(history: History, hands: tuple[int, int], reach: tuple[float, float], chance: float, turn: int) -> float:
        mover = duel.mover(history)
        if mover == OVER:
            return duel.pays(history, *hands)
        if mover == CHANCE:
            ways = duel.chances(history, *hands)
            total_weight = sum(weight for _, weight in ways)
            return sum(
                weight / total_weight * walk((*history, move), hands, reach, chance * weight / total_weight, turn)
                for move, weight in ways
                if weight
            )
        moves, key = duel.moves(history), (hands[mover], history)
        regret = regrets.setdefault(key, [0.0] * len(moves))
        good = [max(each, 0.0) for each in regret]
        shares = [each / sum(good) for each in good] if sum(good) > 0 else [1 / len(moves)] * len(moves)
        worths = []
        for move, share in zip(moves, shares, strict=True):
            after = (reach[0] * share, reach[1]) if mover == 0 else (reach[0], reach[1] * share)
            worths.append(walk((*history, move), hands, after, chance, turn))
        worth = sum(share * each for share, each in zip(shares, worths, strict=True))
        sign, others = (1, reach[1]) if mover == 0 else (-1, reach[0])
        total = sums.setdefault(key, [0.0] * len(moves))
        for i, share in enumerate(shares):
            regret[i] = max(0.0, regret[i] + sign * chance * others * (worths[i] - worth))
            total[i] += turn * reach[mover] * share
        return worth

    deals = [(a, b, duel.dealt(a, b)) for a in range(duel.hands) for b in range(duel.hands) if duel.dealt(a, b)]
    for turn in range(1, rounds + 1):
        for first, second, count in deals:
            walk((), (first, second), (1.0, 1.0), float(count), turn)
    table = {}
    for key, total in sums.items():
        total_weight = sum(total)
        table[key] = tuple(round(each / total_weight * 1_000_000) for each in total) if total_weight > 0 else (1,) * len(total)
    return Equilibrium(table)


class Poker(NamedTuple):
    """Poker with a fixed bet per round: `ranks` ranks of `copies` cards each, one private card each, and a public one before each later round."""

    ranks: int
    copies: int
    bets: tuple[int, ...]  # per round
    raises: int  # bets and raises allowed per round
    ante: int = 1

    @property
    def hands(self) -> int:
        return self.ranks

    def dealt(self, first: int, second: int) -> int:
        return self.copies * (self.copies - (first == second))

    def mover(self, history: History) -> int:
        return _betting_state(self, history).mover

    def moves(self, history: History) -> tuple[str, ...]:
        raises = _betting_state(self, history).made
        return ("check", "bet") if not raises else ("fold", "call", "raise")[: 2 + (raises < self.raises)]

    def chances(self, history: History, first: int, second: int) -> list[tuple[str, int]]:
        return [(str(rank), self.copies - (rank == first) - (rank == second)) for rank in range(self.ranks)]

    def pays(self, history: History, first: int, second: int) -> int:
        stand = _betting_state(self, history)
        if stand.folded >= 0:
            return stand.paid[1] if stand.folded == 1 else -stand.paid[0]
        public = show(history)
        mine, theirs = (first == public, first), (second == public, second)
        return stand.paid[0] * ((mine > theirs) - (mine < theirs))


class Stand(NamedTuple):
    mover: int
    paid: tuple[int, int]
    made: int  # bets and raises of this round
    round: int
    folded: int


def show(history: History) -> int:
    """The public card, -1 while there is none."""
    return next((int(move) for move in reversed(history) if move.isdecimal()), -1)


@lru_cache(maxsize=20_000)
def _betting_state(poker: Poker, history: History) -> Stand:
    if not history:
        return Stand(0, (poker.ante, poker.ante), 0, 0, -1)
    before, move = _betting_state(poker, history[:-1]), history[-1]
    mover, paid, raises, turn, _ = before
    if move.isdecimal():
        return Stand(0, paid, 0, turn + 1, -1)
    if move == "fold":
        return Stand(OVER, paid, raises, turn, mover)
    if move in ("bet", "raise"):
        level = paid[1 - mover] + poker.bets[turn]
        return Stand(1 - mover, (level, paid[1]) if mover == 0 else (paid[0], level), raises + 1, turn, -1)
    if move == "call":
        paid = (max(paid), max(paid))
    elif mover == 0:
        return Stand(1, paid, raises, turn, -1)
    return Stand(OVER if turn + 1 == len(poker.bets) else CHANCE, paid, raises, turn, -1)
