"""Engines of stated strength, the rules of go, and what may be inferred in games of several seats."""

import pytest

import rlgym
from rlgym.generators.boards.engines import Engine
from rlgym.generators.boards.go import PASS, WIDTH, Go
from rlgym.generators.social import werewolves

BOARDS = ["connect_four", "breakthrough", "checkers_small", "hex_large", "go_small"]


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
