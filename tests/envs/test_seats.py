"""Matches of several seats: what hints say by a convention, what orders tell a dealer, how a partner walks who learns of traps, and how orders
of armies are resolved."""

from itertools import product

import pytest

import rlgym
from rlgym.envs.matches import blind_escape, market_making, small_diplomacy
from rlgym.envs.matches import fireworks as fireworks_match
from rlgym.envs.matches.dice_race import Race
from rlgym.generators.payoffs import dealing
from rlgym.generators.social import fireworks, floors
from rlgym.generators.social.orders import HOLD, MOVE, SUPPORT, Order, resolve


def test_by_the_convention_of_sums_each_player_reads_the_digit_of_the_own_hand():
    read = 0
    for seed in range(1, 6):
        state = rlgym.task("fireworks", seed, level=1.0).data
        while fireworks_match.returns(state) is None:
            rules, cards, table = state.rules, state.cards, state.table
            state = fireworks_match.act(state, fireworks_match.best(state))
            if state.events[-1].deed.kind == fireworks.HINT:
                digits = [fireworks.first_fitting(rules, cards, table, seat) for seat in range(rules.seats)]
                digits[table.mover] = 0
                assert list(state.table.advice) == digits
                read += any(digits)
    assert read > 20


@pytest.mark.parametrize("level", [0.0, 0.5, 1.0])
def test_a_move_by_the_convention_does_not_depend_on_cards_that_its_player_cannot_see(level):
    for seed in range(1, 4):
        state = rlgym.task("fireworks", seed, level=level).data
        rng = rlgym.Rng("unseen", seed)
        while fireworks_match.returns(state) is None:
            table = state.table
            unseen = [*table.hands[table.mover], *range(table.drawn, len(state.cards))]
            mixed = list(state.cards)
            for place, card in zip(unseen, rng.shuffled([state.cards[each] for each in unseen]), strict=True):
                mixed[place] = card
            other = fireworks.convention(state.rules, tuple(mixed), table)
            assert other == fireworks.convention(state.rules, state.cards, table)
            state = fireworks_match.act(state, fireworks_match.best(state))


def test_an_error_discards_the_card_and_the_third_one_ends_the_game():
    rules = fireworks.Rules(seats=2, colours=2, numbers=3, hand=3, hints=4, summed=False)
    cards = ((0, 2), (0, 1), (0, 3), (1, 1), (1, 2), (1, 3), *[(0, 1)] * 6)
    table = fireworks.deal(rules)
    table = fireworks.after(rules, cards, table, fireworks.Deed(fireworks.PLAY, 0))
    assert (table.errors, table.score, table.discarded, table.hands[0]) == (1, 0, (0,), (1, 2, 6))
    table = fireworks.after(rules, cards, table, fireworks.Deed(fireworks.PLAY, 0))
    assert (table.errors, table.piles) == (1, (0, 1))
    assert not fireworks.over(rules, table)
    assert fireworks.over(rules, table._replace(errors=3))


def test_the_weights_of_values_are_those_of_a_count_of_all_cases():
    market = dealing.Market(top=6, crowd=2, informed=3, error=2, drift=2, limit=3)
    quote = (2, 4)
    for wanted in ((0, 0), (1, 0), (1, 1), (2, 0)):
        counted = [0] * (market.top + 1)
        for value in range(market.top + 1):
            prices = [value] * market.informed * 5 + [value + error for error in range(-2, 3)] * (dealing.TENTHS - market.informed)
            cases = sum(dealing.orders(quote, pair) == wanted for pair in product(prices, repeat=2))
            for up in (True, False):
                counted[market.moved(value, up)] += cases
        # The count takes traders in order; which of two different traders comes first is not seen.
        orders = 2 if set(wanted) | {2 - sum(wanted)} == {0, 1} else 1
        weights = dealing.posterior(market, dealing.prior(market), quote, wanted)
        assert [orders * weight for weight in weights] == counted


def test_the_best_quote_has_the_most_expected_profit_of_all():
    market = dealing.Market(top=9, crowd=4, informed=2, error=3, drift=0, limit=4)
    weights = dealing.posterior(market, dealing.prior(market), (3, 6), (2, 0))

    def profit(quote):
        bid, ask = quote
        total = 0
        for value, weight in enumerate(weights):
            prices = [value] * 2 * 7 + [value + error for error in range(-3, 4)] * 8
            total += weight * sum((ask - value) * (price > ask) + (value - bid) * (price < bid) for price in prices)
        return total

    best = dealing.best_quote(market, weights)
    assert profit(best) == max(profit(quote) for quote in market_making._quotes(market.top))


def test_trades_stop_at_the_limit_of_the_stock():
    assert dealing.settle(3, 0, (5, 1)) == (4, 1)
    assert dealing.settle(3, -3, (5, 1)) == (1, 1)
    assert dealing.settle(3, 2, (0, 4)) == (0, 1)
    assert dealing.account(3, [((1, 9), (5, 0)), ((2, 8), (0, 1))]) == (-2, 25)


@pytest.mark.parametrize("name", ["blind_escape", "dice_race", "fireworks", "market_making", "small_diplomacy"])
@pytest.mark.parametrize("level", [0.0, 0.5, 1.0])
def test_the_oracle_reaches_the_target_and_greedy_play_does_not(name, level):
    match = rlgym.environment(name)
    for seed in (1, 2):
        for player, reaches in ((match.best, True), (match.greedy, False)):
            first = state = rlgym.task(name, seed, level=level).data
            while (paid := match.returns(state)) is None:
                others = match.lookahead if match.opponent(first) == "lookahead" else match.greedy
                state = match.act(state, (player if match.player(state) == match.seat(first) else others)(state))
            # A beginner may foresee only the partner's next step.
            assert (paid[match.seat(first)] >= match.target_return(first)) is (reaches or (name, level) == ("blind_escape", 0.0))


def test_the_plan_of_messages_needs_as_few_as_any_order_of_messages():
    def fewest(size, at, traps, named, most):
        """Every trap is tried at every step, also those that are not on the way."""
        if at == size.exit:
            return 0
        best = most + 1
        for trap in (None, *(traps - named)):
            told = named if trap is None else named | {trap}
            after = floors.step(size, at, told)[1]
            cost = trap is not None
            if after not in traps and after != at and cost <= min(most, best - 1):
                best = min(best, cost + fewest(size, after, traps, told, min(most, best - 1) - cost))
        return best

    compared = 0
    for seed in range(40):
        rng, size = rlgym.Rng("plan", seed), floors.Size(4, 3)
        traps = frozenset(cell for cell in range(1, size.exit) if rng.chance(0.3))
        planned = floors.plan(size, 0, traps, frozenset(), 3)[0]
        if planned <= 3:
            assert planned == fewest(size, 0, traps, frozenset(), 3)
            compared += planned > 0
    assert compared > 5


def test_the_way_of_the_partner_is_foreseen_and_its_silence_is_safe():
    for seed in range(1, 9):
        state = rlgym.task("blind_escape", seed, level=1.0).data
        while blind_escape.returns(state) is None:
            if blind_escape.player(state):
                expected = floors.step(state.size, state.at[1], frozenset(state.named[1]))[1]
                before, state = state, blind_escape.act(state, blind_escape.greedy(state))
                warned = state.deeds[-1][0] == floors.TELL
                assert state.at[1] == (before.at[1] if warned else expected)
                if not warned and state.left[1]:
                    near = {cell for _, cell in floors.neighbours(state.size)[state.at[0]]}
                    assert near & set(state.traps[0]) <= set(state.named[0])
            else:
                state = blind_escape.act(state, blind_escape.best(state))


def test_a_piece_hits_a_single_one_and_does_not_enter_a_blocked_point():
    # Five points; what is left to go: 6 is not on the line, and point x of one player is 6 - x of the other.
    rules = Race((5, 3, 2, 2, 1, 3, 1))
    assert {move[0]: after for move, after, _ in rules.legal((6, 4, 2, 2, 0, 0))} == {4: (2, 2, 6, 2, 1, 1)}
    single = {move[0]: after for move, after, _ in rules.legal((6, 4, 2, 1, 0, 0))}
    assert single == {6: (6, 1, 4, 4, 1, 1), 4: (2, 1, 6, 2, 1, 1)}
    assert rules.legal((0, 0, 2, 1, 1, 0)) == [((-1, 0), (2, 1, 0, 0, 2, 1), -1)]
    assert rules.result((3, 1, 0, 0, 2, 1)) == -1
    assert rules.result((3, 1, 2, 0, 4, 0)) == 0


def go(to):
    return Order(MOVE, to)


def back(of, to):
    return Order(SUPPORT, to, of)


STAY = Order(HOLD)


@pytest.mark.parametrize(
    ("armies", "orders", "after", "lost"),
    [
        ({0: 0, 1: 1}, {0: go(2), 1: go(2)}, {0: 0, 1: 1}, []),  # equal forces stop each other
        ({0: 0, 1: 0, 3: 1}, {0: go(2), 1: back(0, 2), 3: go(2)}, {2: 0, 1: 0, 3: 1}, []),  # a support decides
        ({0: 0, 1: 0, 2: 1, 4: 1}, {0: go(2), 1: back(0, 2), 2: STAY, 4: go(1)}, {0: 0, 1: 0, 2: 1, 4: 1}, []),  # the support is cut
        ({0: 0, 1: 0, 2: 1}, {0: go(2), 1: back(0, 2), 2: STAY}, {2: 0, 1: 0}, [2]),  # the army that stays is lost
        ({0: 0, 1: 0, 2: 1, 3: 1}, {0: go(2), 1: back(0, 2), 2: STAY, 3: back(2, 2)}, {0: 0, 1: 0, 2: 1, 3: 1}, []),  # held by a support
        ({0: 0, 1: 1}, {0: go(1), 1: go(0)}, {0: 0, 1: 1}, []),  # two armies do not change places
        ({0: 0, 1: 1, 2: 0}, {0: go(1), 1: go(0), 2: back(0, 1)}, {1: 0, 2: 0}, [1]),  # unless one is stronger: the other is lost
        ({0: 0, 1: 1, 2: 2}, {0: go(1), 1: go(2), 2: go(0)}, {0: 2, 1: 0, 2: 1}, []),  # three armies in a circle move
        ({0: 0, 1: 1, 3: 2}, {0: go(1), 1: go(2), 3: go(2)}, {0: 0, 1: 1, 3: 2}, []),  # a move that fails stops the one behind it
        ({0: 0, 1: 0, 2: 0}, {0: go(2), 1: back(0, 2), 2: STAY}, {0: 0, 1: 0, 2: 0}, []),  # a power does not attack itself
    ],
)
def test_orders_are_resolved_by_the_rules(armies, orders, after, lost):
    assert resolve(armies, orders) == (after, lost)


def test_neighbours_keep_their_promises_but_for_the_one_who_does_not():
    kept = broken = 0
    for seed in range(1, 13):
        state = rlgym.task("small_diplomacy", seed, level=1.0).data
        while small_diplomacy.returns(state) is None:
            state = small_diplomacy.act(
                state, small_diplomacy.greedy(state) if small_diplomacy.player(state) else small_diplomacy.best(state)
            )
            asked = state.asked
            if asked is not None and len(state.given) == len(state.armies) - 1 and small_diplomacy.player(state) == asked.power:
                orders = [*state.given, (0, Order(*reversed_words(small_diplomacy.greedy(state))))]
                helped = any(order == Order(SUPPORT, asked.to, asked.of) for _, order in orders)
                assert helped is (asked.power != state.liar)
                kept, broken = kept + helped, broken + (not helped)
    assert kept
    assert broken


def reversed_words(move):
    return (move[0], *(small_diplomacy.PROVINCES.index(word) for word in reversed(move[1:])))


@pytest.mark.parametrize("name", ["fireworks", "resistance"])
def test_a_game_that_has_ended_early_is_decided_whatever_follows(name):
    match = rlgym.environment(name)
    early = 0
    for seed in range(12):
        rng, state = rlgym.Rng("decided", name, seed), rlgym.task(name, seed, level=(0.0, 0.5, 1.0)[seed % 3]).data
        while match.returns(state) is None:
            state = match.act(state, match.best(state) if rng.chance(0.95) else rng.choice(match.legal(state)))
        won = match.returns(state)[0] >= match.target_return(state)
        need, state = state.need, state.model_copy(update={"need": 0})  # without a goal it is played to the last move
        if match.returns(state) is not None:
            continue
        early += 1
        for _ in range(3):
            on = state
            while match.returns(on) is None:
                on = match.act(on, rng.choice(match.legal(on)))
            reached = on.table.score if name == "fireworks" else sum(not found for _, found in on.results)
            assert (reached >= need) is won
    assert early > 4


def test_every_case_of_an_auction_can_be_won_as_the_prompt_says():
    match = rlgym.environment("auction_ring")
    for level, seed in ((0.0, 1), (0.5, 2), (1.0, 3)):
        first = rlgym.task("auction_ring", seed, level=level).data
        for kind in range(len(first.game.rings)):
            start = state = first.model_copy(update={"kind": kind})
            while (paid := match.returns(state)) is None:
                state = match.act(state, (match.best if match.player(state) == match.seat(start) else match.greedy)(state))
            assert paid[match.seat(start)] >= match.target_return(start), (level, seed, kind)
