"""Exact values and lookahead of board games, against plain minimax."""

from dataclasses import replace

import pytest

import rlgym
from rlgym import Rng
from rlgym.core.errors import DeclarationError
from rlgym.core.task import Origin
from rlgym.envs.matches import clobber, domineering, hex_small, kayles, mancala, order_and_chaos, othello_small
from rlgym.episode.play import play_opponents
from rlgym.generators.boards.search import Rules, Search
from rlgym.generators.boards.started import play_random_moves


def minimax(rules: Rules, at: tuple[int, ...]) -> int:
    over = rules.result(at)
    if over is not None:
        return over
    return max(turn * minimax(rules, after) for _, after, turn in rules.moves(at))


@pytest.mark.parametrize("module", [clobber, domineering, hex_small, kayles, mancala, order_and_chaos, othello_small])
def test_ordered_search_with_equal_positions_merged_gives_the_values_of_minimax(module):
    board = next(value for value in vars(module).values() if type(value).__name__ == "Board")
    for seed in range(6):
        rng = Rng("search", module.__name__, seed)
        size, at = module._sample(rng, module.Knobs.at(0))
        rules = board.rules(size)
        while len(rules.moves(at)) > 5 and rules.most(at) > 2:
            after = play_random_moves(rng, rules, at, 1)
            if after == at:
                break
            at = after
        assert Search(rules).value(at) == minimax(rules, at)


class Forgetful(dict):
    """What another thread empties as soon as something is in it."""

    def __setitem__(self, key: object, value: object) -> None:
        pass


def test_what_another_thread_forgets_meanwhile_is_found_again():
    board = next(value for value in vars(kayles).values() if type(value).__name__ == "Board")
    size, at = kayles._sample(Rng("search", 1), kayles.Knobs.at(0))
    known = Search(board.rules(size))
    expected = [board.reply(known, at, against) for against in ("greedy", "lookahead", "perfect")]
    known.replies, known.exact, known.tempted = Forgetful(), Forgetful(), Forgetful()
    assert [board.reply(known, at, against) for against in ("greedy", "lookahead", "perfect")] == expected


def test_a_lookahead_wins_at_once_and_sees_a_loss_that_greedy_play_does_not():
    rules = kayles.Kayles((3, 0))
    assert rules.name(rules.moves((0b011,))[Search(rules).lookahead((0b011,), 200)][0]) == "1 2"
    # In a row of three, only the middle pin leaves two runs of one, which cancel out.
    assert rules.name(rules.moves((0b111,))[Search(rules).lookahead((0b111,), 200)][0]) == "2"


def test_a_lookahead_depends_on_its_budget_of_positions_alone():
    board = clobber.STONES
    size, at = clobber._sample(Rng("lookahead"), clobber.Knobs.at(0.5))
    warm, cold = Search(board.rules(size)), Search(board.rules(size))
    warm.value(at)
    assert [warm.lookahead(at, nodes) for nodes in (1, 50, 500)] == [cold.lookahead(at, nodes) for nodes in (1, 50, 500)]


@pytest.mark.parametrize("name", ["clobber", "kayles", "dots_and_boxes"])
def test_starts_are_won_by_perfect_play_and_lost_by_greedy_play(name):
    match = rlgym.environment(name)
    for seed in range(1, 6):
        for player, wins in ((match.best, True), (match.greedy, False)):
            state = rlgym.task(name, seed, level=0.5).data
            while (paid := match.returns(state)) is None:
                state = match.act(state, player(state) if match.player(state) == match.seat(state) else match.best(state))
            assert (paid[match.seat(state)] == 1.0) == wins


def test_a_patient_opponent_takes_less_of_a_lost_position():
    nim = rlgym.environment("nim")
    state = rlgym.task("nim", 1, level=0.5).data.model_copy(update={"piles": (20, 20), "limit": 0, "misere": False})
    assert nim.best(state.model_copy(update={"against": "exact"})) == (1, 10)
    assert nim.best(state.model_copy(update={"against": "patient"})) == (1, 5)


def test_the_opponent_of_a_match_without_lookahead_is_named():
    match = rlgym.environment("nim")
    state = rlgym.task("nim", 1, level=0.25).data.model_copy(update={"player": 1})
    with pytest.raises(DeclarationError, match="'lookahead' \\(with a lookahead function\\)"):
        play_opponents(replace(match, lookahead=None), state, Origin("nim", 3, 1, {}))
