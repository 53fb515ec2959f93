"""The effective horizon of small decision processes, by hand and in matches."""

import json
import math
from functools import cache

import pytest
from typer.testing import CliRunner

import rlgym
from rlgym import RlgymError
from rlgym.cli import app
from rlgym.episode.effective_horizon import Edge, effective_horizon, horizon_of
from rlgym.episode.play import play_opponents


def end(reward):
    return Edge(None, reward)


def test_one_good_action_among_two_by_hand():
    """Two steps of two actions; the first is right each time. Random play is right in a quarter of the cases."""
    states = [[Edge(1, 0.0), end(0.0)], [end(1.0), end(0.0)]]
    found = horizon_of(states)
    assert (found.states, found.horizon, found.actions, found.min_k) == (2, 2, 2, 1)
    # k = 1. First state: Q = (1/2, 0), gap 1/2, spread (1/2 - 0)(1 - 0); second: Q = (1, 0), gap 1, and nothing follows that could vary.
    samples = math.ceil(16 * 0.5 / 0.25 * math.log(2 * 2 * 2))
    assert found.by_k[0].samples == samples
    assert found.by_k[0].gap == 0.5
    assert found.by_k[0].effective_horizon == pytest.approx(1 + math.log2(samples))
    assert found.effective_horizon == 2
    assert found.rollouts == pytest.approx(2**2 * 2**2)


def test_a_trap_that_random_play_prefers_needs_a_step_of_lookahead():
    """Left pays 0.6 whatever follows; right pays 1 after one of two actions: random play values it at 0.5."""
    states = [[Edge(1, 0.0), Edge(2, 0.0)], [end(0.6), end(0.6)], [end(1.0), end(0.0)]]
    found = horizon_of(states)
    assert found.min_k == 2
    # At k = 2 the first state has Q = (0.6, 1), and the lookahead reaches the end: one sample of each sequence shows what it pays.
    assert [(each.k, each.samples) for each in found.by_k] == [(2, 1)]
    assert found.effective_horizon == 2


def test_the_spread_is_backed_up_with_the_values():
    """The same trap one step before an end that random play reaches in half of the cases: the state after right has Q = (1/2, 0)."""
    found = horizon_of([[Edge(1, 0.0), Edge(2, 0.0)], [end(0.3), end(0.3)], [Edge(3, 0.0), end(0.0)], [end(1.0), end(0.0)]])
    assert (found.horizon, found.min_k) == (3, 2)
    # At k = 2 the first state has Q = (0.3, 0.5): gap 0.2, and the spread 1/2 of the state after right.
    assert found.by_k[0].gap == pytest.approx(0.2)
    assert found.by_k[0].samples == math.ceil(16 * math.log(2 * 3 * 2**2) * 0.5 / 0.2**2)


def test_a_tie_of_a_wrong_action_with_the_best_is_no_greedy_policy():
    """Random play values both at 0.5, but only the second can reach 1."""
    assert horizon_of([[end(0.5), Edge(1, 0.0)], [end(1.0), end(0.0)]]).min_k == 2


def test_states_that_greedy_play_avoids_do_not_count():
    """A trap behind a wrong action does no harm; before it, it does."""
    trap = [[Edge(3, 0.0), Edge(4, 0.0)], [end(0.6), end(0.6)], [end(1.0), end(0.0)]]
    assert horizon_of([[end(1.0), Edge(1, -1.0)], [Edge(2, 0.0), Edge(3, 0.0)], *trap[1:]]).min_k == 1
    assert horizon_of([[Edge(1, 0.0), end(0.0)], [Edge(2, 0.0), Edge(3, 0.0)], *trap[1:]]).min_k == 2


def test_a_match_is_enumerated_with_the_replies_of_its_opponent():
    """Nim with piles of 5, 5 and 1 against perfect play, counted once more from plain moves."""
    knobs = {"piles": 3, "largest": 15, "against": "exact", "rule": "normal"}
    nim, task = rlgym.environment("nim"), rlgym.task("nim", 3, **knobs)
    assert task.data.piles == (5, 5, 1)

    def after(state, move):
        return play_opponents(nim, nim.act(state, move), task.origin)[0]

    turns = [{task.data.model_dump_json(): task.data}]
    while turns[-1]:
        children = [after(state, move) for state in turns[-1].values() for move in nim.legal(state)]
        turns.append({child.model_dump_json(): child for child in children if nim.returns(child) is None})

    @cache
    def chance(text):
        """That a player who moves at random wins from here."""
        state = type(task.data).model_validate_json(text)
        return sum(paid(state, move) for move in nim.legal(state)) / len(nim.legal(state))

    def paid(state, move):
        child = after(state, move)
        found = nim.returns(child)
        return chance(child.model_dump_json()) if found is None else float(found[0] == 1)

    values = {move: paid(task.data, move) for move in nim.legal(task.data)}
    found = effective_horizon("nim", 3, **knobs)
    assert (found.states, found.horizon) == (sum(map(len, turns)), len(turns) - 1) == (42, 4)
    assert found.actions == 11, "each counter of a pile is the last of one move"
    # Against perfect play a lost position stays lost: only the three moves to a nim-sum of 0 are worth anything, and random play finds the best one.
    assert {move for move, value in values.items() if value} == {(1, 1), (2, 1), (3, 1)}
    assert found.min_k == found.by_k[0].k == 1
    assert found.by_k[0].gap == pytest.approx(values[3, 1]) == pytest.approx(1 / 21)
    # After three own moves each has one move left, so that a single sample of each sequence tells: 3 + log 1.
    assert (found.by_k[-1].k, found.by_k[-1].samples, found.effective_horizon) == (3, 1, 3.0)
    assert found.rollouts == 4**2 * 11**3
    with pytest.raises(RlgymError, match="nim has more than 2 states"):
        effective_horizon("nim", 3, max_states=2, **knobs)


def test_a_state_without_an_action_is_named():
    with pytest.raises(RlgymError, match=r"higher_lower has a state after 1 actions without any action"):
        effective_horizon("higher_lower", 0, level=0.0, actions=lambda state: [] if state.guesses else [4])


def test_a_game_takes_the_actions_it_is_given():
    """The hidden integer, and another one, five times: one state a turn, and only in the last one the other integer is wrong."""
    hidden = rlgym.task("higher_lower", 0, level=0.0).data.hidden
    found = effective_horizon("higher_lower", 0, level=0.0, actions=lambda state: [hidden, hidden + 1])
    assert (found.states, found.horizon, found.actions, found.min_k) == (5, 5, 2, 1)
    assert (found.by_k[0].gap, found.by_k[0].samples, found.rollouts) == (1.0, 1, 5**2 * 2)
    never = effective_horizon("higher_lower", 0, level=0.0, actions=lambda state: [hidden + 1, hidden + 2])
    assert (never.states, never.by_k[0].gap) == (31, math.inf), "guesses are part of the state, and none is better than another"
    with pytest.raises(RlgymError, match="chain_sum is no match"):
        effective_horizon("chain_sum")
    with pytest.raises(RlgymError, match="higher_lower is no match"):
        effective_horizon("higher_lower")


def test_the_command_lists_what_is_too_large():
    arguments = ["eval", "horizon", "nim", "kuhn_poker", "--seeds", "1", "--max-states", "300", "--json"]
    printed = CliRunner().invoke(app, arguments)
    assert printed.exit_code == 0, printed.output
    result = json.loads(printed.output)
    assert [row["env"] for row in result["tasks"] + result["left_out"]] == ["nim", "kuhn_poker"]
    assert "more than 300 states" in result["left_out"][0]["reason"]
    table = CliRunner().invoke(app, arguments[:-1])
    assert "effective horizon" in table.output
