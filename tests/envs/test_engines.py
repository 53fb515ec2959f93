"""Engines of stated strength, the rules of go, and what may be inferred in games of several seats."""

import pytest

import rlgym
from rlgym.envs.matches import liars_dice
from rlgym.generators.boards.engines import Engine
from rlgym.generators.boards.go import PASS, WIDTH, Go
from rlgym.generators.social import bluff, missions, werewolves

BOARDS = ["connect_four", "breakthrough", "checkers_small", "hex_large", "go_small", "minichess"]


def stones(board: str) -> tuple[int, int]:
    """Bits of X and O, from rows of which the first is the top one; the rules of go keep a free column beside the board."""
    rows = board.split()[::-1]
    step = len(rows[0]) + 1
    return tuple(
        sum(1 << row * step + column for row, line in enumerate(rows) for column, sign in enumerate(line) if sign == each) for each in "XO"
    )


def go(board: str, history: tuple[int, ...] = ()) -> tuple[Go, tuple[int, ...]]:
    rows = board.split()
    return Go((len(rows[0]), len(rows))), (*stones(board), 0, 20, 1, *history)


def names(rules: Go, at: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
    return {rules.name(move): after for move, after, _ in rules.legal(at)}


@pytest.mark.parametrize("name", BOARDS)
def test_an_engine_looks_at_no_more_positions_than_it_may(name, monkeypatch):
    state = rlgym.task(name, 1, level=0.5).data
    seen = 0
    value = Engine._value

    def counted(self, at, depth, low, high):
        nonlocal seen
        seen += 1
        return value(self, at, depth, low, high)

    monkeypatch.setattr(Engine, "_value", counted)
    rules = next(
        each for each in vars(__import__(f"rlgym.envs.matches.{name}", fromlist=["x"])).values() if type(each).__name__ == "Contest"
    )
    chosen = [Engine(rules.table(state.size).rules, 50).choose(state.at) for _ in range(2)]
    assert chosen[0] == chosen[1]
    # The position that goes beyond the budget is counted, not looked into.
    assert seen <= 2 * 51


@pytest.mark.parametrize("name", BOARDS)
def test_the_oracle_wins_and_greedy_play_does_not(name):
    match = rlgym.environment(name)
    for seed in (1, 2):
        for player, wins in ((match.best, True), (match.greedy, False)):
            state = rlgym.task(name, seed, level=0.5).data
            while (paid := match.returns(state)) is None:
                mine = match.player(state) == match.seat(state)
                state = match.act(state, player(state) if mine else match.lookahead(state))
            assert (paid[match.seat(state)] == 1.0) is wins


def test_go_captures_forbids_suicide_and_counts_area():
    # The only liberty of O's stone at b4 is c4.
    rules, at = go("XO.. .X.. .... ....")
    taken = names(rules, at)["c4"]
    assert taken[0] == 0
    rules, at = go(".O.. O... .... ....")
    assert "a4" not in names(rules, at)
    rules, at = go("XX.. XX.. OOOO ....")
    assert (rules.area(*at[:2]), rules.area(at[1], at[0])) == (4, 8)


def test_a_ko_may_not_be_taken_back_at_once():
    board = ".XO. X.XO .XO. ...."
    rules, at = go(board)
    mine, theirs = at[:2]
    # O takes at b3, which leaves X's stone at c3 gone; X may not take back at c3.
    before = theirs << WIDTH | mine  # seen by the player who moves with an even number of moves left
    other = (theirs, mine, 0, 20, 0, before)
    captured = names(rules, other)["b3"]
    assert captured[0].bit_count() == mine.bit_count() - 1
    assert "c3" not in names(rules, captured)
    assert rules.legal(captured)[-1][0] == PASS


def test_the_true_werewolves_always_fit_what_was_said_and_voted():
    match = rlgym.environment("werewolves")
    for seed in range(1, 9):
        state = rlgym.task("werewolves", seed, level=1.0).data
        while match.returns(state) is None:
            assert state.wolves in werewolves.possible_wolves(state)
            state = match.act(state, match.best(state))


def test_the_dice_of_others_always_fit_their_bids():
    state = rlgym.task("liars_dice", 2, level=1.0).data
    while liars_dice.returns(state) is None:
        seats, dice = len(state.lost), len(state.thrown[0][0])
        for who in range(1, seats):
            bids = [bluff.Bid(*bid) for bid in state.bids]
            made = [k for k in range(len(bids)) if (state.round + k) % seats == who]
            acts = tuple((bids[k - 1] if k else None, bids[k]) for k in made)
            hands = [hand for hand, _ in bluff.consistent_hands(dice, (seats - 1) * dice, acts)]
            assert bluff.hand_of(state.thrown[state.round][who]) in hands
        state = liars_dice.act(state, liars_dice.best(state))


def test_the_short_count_of_rounds_lost_with_one_bid_is_that_of_play():
    for seed in range(1, 4):
        state = rlgym.task("liars_dice", seed, level=0.5).data
        hands = [[bluff.hand_of(each) for each in row] for row in state.thrown]
        for bid, raises in ((bluff.Bid(1, 6), True), (bluff.Bid(2, 3), False), (bluff.Bid(3, 6), False)):
            word = (str(bid.number), str(bid.face))

            def choose(now, word=word, raises=raises):
                moves = liars_dice.legal(now)
                return word if word in moves else moves[0] if raises and moves[0] != liars_dice.LIAR else liars_dice.LIAR

            lost = bluff.losses_with_one_bid(hands, bid, raises)
            assert lost == liars_dice._losses(state, choose)
            assert lost > state.most


def test_the_true_spies_always_fit_the_votes_and_the_results():
    match = rlgym.environment("resistance")
    for seed in range(1, 7):
        state = rlgym.task("resistance", seed, level=1.0).data
        while match.returns(state) is None:
            sets = missions.possible_spies(missions.rules_of(state), state.votes, state.results)
            assert frozenset(state.spies) in sets
            state = match.act(state, match.best(state))
