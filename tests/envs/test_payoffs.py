"""Exact payoffs: values that are known, and best responses and guarantees against brute force."""

from fractions import Fraction
from functools import partial
from itertools import product

import rlgym
from rlgym.core.rng import Rng
from rlgym.generators.payoffs import duels, hidden, sales
from rlgym.generators.payoffs.duels import Poker
from rlgym.generators.payoffs.machines import Machine, Repeated
from rlgym.generators.payoffs.unknown import Unknown

KUHN = Poker(ranks=3, copies=1, bets=(1,), raises=1)
LEDUC = Poker(ranks=3, copies=2, bets=(2, 4), raises=2)


def test_kuhn_poker_is_worth_what_theory_says() -> None:
    strategy = duels.equilibrium(KUHN, 1500)
    # What a best response to the other's part gains bounds the value from above and from below.
    above, below = duels.response(KUHN, 0, strategy)[0], -duels.response(KUHN, 1, strategy)[0]
    assert below <= Fraction(-1, 18) <= above
    assert above - below < Fraction(1, 200)


def test_exploitability_falls_with_more_rounds() -> None:
    found = [
        duels.exploitability(KUHN, (strategy, strategy)) for strategy in (duels.equilibrium(KUHN, rounds) for rounds in (1, 10, 100, 400))
    ]
    assert all(isinstance(each, Fraction) and each > 0 for each in found)
    assert found == sorted(found, reverse=True)


def test_leduc_poker_is_worth_what_is_published() -> None:
    strategy = duels.equilibrium(LEDUC, 40)
    above, below = duels.response(LEDUC, 0, strategy)[0], -duels.response(LEDUC, 1, strategy)[0]
    assert below <= Fraction(-856, 10000) <= above  # about -0.0856
    assert above - below < Fraction(1, 3)


def test_best_responses_in_kuhn_poker_agree_with_trying_all_plans() -> None:
    rng = Rng("kuhn")
    for me in (0, 1):
        weights = {
            (hand, history): (rng.integer(0, 4), rng.integer(1, 4))
            for hand in range(3)
            for history in ((), ("check",), ("bet",), ("check", "bet"))
        }
        strategy = partial(_weighed, weights)
        mine = [((), ("check", "bet")), (("check",), ("bet",))][me]
        best = max(_gained(me, dict(zip(product(range(3), mine), plan, strict=True)), strategy) for plan in product((0, 1), repeat=6))
        assert duels.response(KUHN, me, strategy)[0] == best


def _weighed(weights, hand, history):
    return weights[hand, history]


def _gained(me, plan, strategy):
    """What a pure plan gains on average, by walking through all deals."""

    def walk(history, hands):
        mover = KUHN.mover(history)
        if mover == duels.OVER:
            return Fraction(KUHN.pays(history, *hands)) * (1, -1)[me]
        moves = KUHN.moves(history)
        if mover == me:
            return walk((*history, moves[plan[hands[me], history]]), hands)
        shares = strategy(hands[mover], history)
        return sum(Fraction(share, sum(shares)) * walk((*history, move), hands) for move, share in zip(moves, shares, strict=True))

    deals = [(a, b) for a in range(3) for b in range(3) if a != b]
    return sum(walk((), deal) for deal in deals) / len(deals)


def test_the_least_regret_agrees_with_trying_all_plans() -> None:
    for seed in range(30):
        rng = Rng("regret", seed)
        machines = []
        for _ in range(2):
            plays = [rng.integer(0, 1) for _ in range(2)]
            machines.append(Machine(tuple((play,) * 2 for play in plays), tuple((rng.integer(0, 1), rng.integer(0, 1)) for _ in range(2))))
        repeated = Repeated(3, tuple((rng.integer(0, 5), rng.integer(0, 5)) for _ in range(2)), tuple(machines))
        sights = [seen for length in range(3) for seen in product((0, 1), repeat=length)]
        plans = [dict(zip(sights, plan, strict=True)) for plan in product((0, 1), repeat=len(sights))]
        gained = [[_walked(repeated, kind, plan) for kind in range(2)] for plan in plans]
        alone = [max(row[kind] for row in gained) for kind in range(2)]
        found = Unknown(repeated)
        assert list(found.alone) == alone
        assert found.regret == min(max(alone[kind] - row[kind] for kind in range(2)) for row in gained)


def _walked(repeated, kind, plan):
    inside, seen, total = repeated.first(kind), (), 0
    for _ in range(repeated.rounds):
        inside, reply, gain = repeated.step(kind, inside, plan[seen])
        seen, total = (*seen, reply), total + gain
    return total


class _AllBids(sales.Sale):
    def choices(self, kinds, inside, remaining):
        return self.moves(inside, remaining)


def test_bids_left_out_of_the_search_are_never_better() -> None:
    for seed in range(12):
        rng = Rng("bids", seed)
        usual = [rng.integer(0, 6) for _ in range(3)]
        rivals = tuple(sales.Rival(tuple(rng.integer(0, 6) if rng.chance(0.5) else value for value in usual)) for _ in range(2))
        values = tuple(rng.integer(1, 6) for _ in range(3))
        for second in (False, True):
            facts = (values, (rng.integer(2, 7), rng.integer(2, 9)), rivals, second, rng.integer(0, 3))
            some, every = Unknown(hidden._Known(sales.Sale(*facts))), Unknown(hidden._Known(_AllBids(*facts)))
            assert (some.alone, some.regret) == (every.alone, every.regret)


def test_the_oracle_of_kuhn_poker_moves_legally_after_a_move_that_the_chart_never_makes() -> None:
    match = rlgym.environment("kuhn_poker")
    for seed in (13, 28):
        state = rlgym.task("kuhn_poker", seed, level=0.5).data
        while match.returns(state) is None:
            move = match.best(state)
            assert move in match.legal(state)
            state = match.act(state, move)
