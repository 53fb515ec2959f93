"""Advantages on token rewards, computed by hand, each with the property that it exists for."""

from __future__ import annotations

from dataclasses import replace
from math import exp, sqrt

import pytest

from rlgym.train.advantages import ADVANTAGES
from rlgym.train.registry import OptionError

torch = pytest.importorskip("torch", reason="the trainer needs torch")

STEP_CREDIT = tuple(name for name in ADVANTAGES if ADVANTAGES[name].token_rewards)


def advantage(name, batch, **given):
    chosen = ADVANTAGES[name]
    return chosen(batch, chosen.options.from_dict(given))


def close(*rows):
    return [pytest.approx(row, abs=1e-5) for row in rows]


RIGHT, WRONG, LATER = (2, "right", 1.0), (1, "wrong", 0.0), (1, "unchecked", 0.5)


def pair(build, **more):
    """A right answer of two right steps, and a wrong one with a right step, a wrong one and an unchecked one; a last token each."""
    steps = [[RIGHT, RIGHT, (1, None, 0.0)], [RIGHT, WRONG, LATER, (1, None, 0.0)]]
    return build([1, 0], logprobs=[[-1] * 5, [-1] * 5], steps=steps, **more)


@pytest.mark.parametrize("name", STEP_CREDIT)
def test_a_batch_without_token_rewards_is_refused(build, name):
    bare = replace(build([1, 0]), token_rewards_T=None, segment_T=None, kind_T=None)
    with pytest.raises(OptionError, match=rf"'{name}' needs token rewards.*algorithm\.token_rewards"):
        advantage(name, bare)


def test_gated_adds_steps_only_where_the_outcome_was_reached(build, seen):
    batch = pair(build)
    # 1 + 0.5 (1 + 1) = 2 for the right one, 0 for the wrong one: +-1 after standardising, as without steps.
    assert seen(advantage("gated", batch, weight=0.5), batch) == close([1] * 5, [-1] * 5)
    three = build([1, 1, 0], steps=[[(1, "right", 1.0)], [(1, "wrong", 0.0)], [(1, "right", 1.0)]])
    # 1.5, 1, 0: mean 5/6, variance (2.25 + 1) / 3 - 25/36 = 14/36.
    std = sqrt(14) / 6
    assert seen(advantage("gated", three, weight=0.5), three) == close([(4 / 6) / std], [(1 / 6) / std], [(-5 / 6) / std])


def test_without_the_gate_many_steps_outweigh_the_outcome_and_with_it_they_never_do(build, seen):
    busy = [(1, "right", 1.0)] * 30
    batch = build([1, 0], logprobs=[[-1], [-1] * 30], steps=[[(1, "right", 1.0)], busy])
    right, wrong = seen(advantage("gated", batch), batch)
    assert right[0] > 0 > wrong[0]
    right, wrong = seen(advantage("gated", batch, gate=False), batch)
    assert right[0] < 0 < wrong[0]


def test_the_min_form_is_the_least_step_reward(build, seen):
    steps = [[(1, "right", 1.0), (1, "right", 1.0)], [(1, "right", 1.0), (1, "wrong", -1.0)]]
    batch = build([0, 0], logprobs=[[-1, -1]] * 2, steps=steps)
    first, second = seen(advantage("min_form", batch, temperature=1.0, outcome_weight=0), batch)
    # Equal weights of 1/2 give r* = 1/2, 1/2; exp(-1) and exp(1) as weights give r* = a, -b.
    a, b = exp(-1) / (exp(-1) + exp(1)), exp(1) / (exp(-1) + exp(1))
    mine, theirs = (0.5 + 0.5) / 2, (a - b) / 2
    assert first == pytest.approx([1 - 2 * theirs, 0.5 - theirs], abs=1e-5)
    assert second == pytest.approx([(a - b) - 2 * mine, -b - mine], abs=1e-5)
    # Towards temperature 0 the return of the whole rollout is the least reward.
    cold = seen(advantage("min_form", batch, temperature=0.01, outcome_weight=0), batch)
    assert cold[1][0] == pytest.approx(-1 - 2 * mine, abs=1e-4)
    outcome = build([1, 0], steps=[[(1, None, 0.0)], [(1, None, 0.0)]])
    assert seen(advantage("min_form", outcome), outcome) == close([1], [-1])


def test_more_right_steps_do_not_raise_the_min_form(build, seen):
    def advantages(count):
        steps = [[(12 // count, "right", 1.0)] * count, [(12, "wrong", -1.0)]]
        batch = build([1, 0], logprobs=[[-1] * 12] * 2, steps=steps)
        return seen(advantage("min_form", batch), batch)[0][0]

    assert advantages(1) == pytest.approx(advantages(4), abs=1e-5) == pytest.approx(advantages(12), abs=1e-5)


def test_clip_and_delta_by_hand(build, seen):
    batch = pair(build)
    # clip at 1/2: 0, 0 and 0, -1/2, 0. Returns by token: 0 x 5 and -1/2 x 3, 0, 0; their mean over ten tokens is -0.15.
    assert seen(advantage("shaped_steps", batch, weight=1.0), batch) == close([0.65] * 5, [-0.85] * 3 + [-0.35] * 2)
    # delta: the return from a step on is the step's own reward: 1 x 4, 0 and 1, 1, 0, 0.5, 0; the mean is 0.65.
    found = seen(advantage("shaped_steps", batch, shape="delta", weight=1.0), batch)
    assert found == close([0.85] * 4 + [-0.15], [-0.15, -0.15, -1.15, -0.65, -1.15])


@pytest.mark.parametrize("shape", ["clip", "delta"])
def test_repeating_right_steps_never_raises_the_return(build, seen, shape):
    def lead(count):
        steps = [[(1, "right", 1.0)] * count, [(1, "right", 1.0)] * 12]
        batch = build([1, 1], logprobs=[[-1] * count, [-1] * 12], steps=steps)
        return seen(advantage("shaped_steps", batch, shape=shape), batch)[0][0]

    assert lead(12) == pytest.approx(lead(1), abs=1e-5) == pytest.approx(0, abs=1e-5)


def test_first_error_by_hand(build, seen):
    batch = pair(build)
    assert seen(advantage("first_error", batch), batch) == close([1] * 5, [0, 0, -1, 0, -1])
    assert seen(advantage("first_error", batch, unchecked_weight=0.5), batch)[1] == pytest.approx([0, 0, -1, -0.5, -1], abs=1e-5)
    flawed = build([1, 0], logprobs=[[-1] * 3] * 2, steps=[[WRONG, (2, None, 0.0)], [(3, None, 0.0)]])
    # No wrong step is known in the wrong answer: all of it is pushed down.
    assert seen(advantage("first_error", flawed), flawed) == close([0, 1, 1], [-1] * 3)
    assert seen(advantage("first_error", flawed, flawed_weight=0.5), flawed)[0] == pytest.approx([0.5, 1, 1], abs=1e-5)


def test_the_right_prefix_of_a_wrong_answer_is_not_pushed_down(build, seen):
    batch = pair(build)
    assert min(seen(advantage("grpo", batch), batch)[1][:2]) < 0
    assert seen(advantage("first_error", batch), batch)[1][:2] == [0, 0]
    assert seen(advantage("selective", batch), batch)[1][:2] == [0, 0]
    for name in ("capo", "shaped_steps"):
        prefix, wrong = seen(advantage(name, batch), batch)[1][1:3]
        assert prefix >= wrong, name
    prefix, wrong = seen(advantage("renorm", batch), batch)[1][1:3]
    assert prefix == 0 > wrong


def test_progress_by_hand(build, seen):
    gains = [(1, "unchecked", 0.0), (2, "right", 0.5), (1, "unchecked", 0.0)]
    losses = [(1, "unchecked", 0.0), (1, "unchecked", 0.0), (2, "wrong", -0.25)]
    batch = build([1, 0], logprobs=[[-1] * 4] * 2, steps=[gains, losses])
    assert seen(advantage("progress", batch), batch) == close([1, 1.5, 1.5, 1], [-1, -1, -1.25, -1.25])
    decayed = seen(advantage("progress", batch, decay=0.5, weight=2.0), batch)
    assert decayed == close([1.5, 2, 2, 1], [-1.125, -1.25, -1.5, -1.5])
    # Below the threshold a change counts as none.
    assert seen(advantage("progress", batch, threshold=0.3), batch) == close([1, 1.5, 1.5, 1], [-1] * 4)


def test_progress_pushes_up_what_helped_in_a_wrong_answer(build, seen):
    batch = build(
        [0, 0], logprobs=[[-1, -1]] * 2, steps=[[(1, "right", 0.5), (1, "wrong", -0.5)], [(1, "unchecked", 0.0), (1, "wrong", -0.25)]]
    )
    (helped, spoiled), (idle, _) = seen(advantage("progress", batch), batch)
    assert helped > 0 == idle > spoiled


def test_capo_by_hand(build, seen):
    batch = pair(build)
    # Token rewards 2 x 5 and 0, 0, -1, 0, 0: mean 0.9, mean of squares 2.1, variance 1.29.
    std = sqrt(1.29)
    high, low, lowest = (2 - 0.9) / std, -0.9 / std, -1.9 / std
    assert seen(advantage("capo", batch), batch) == close([high] * 5, [low, low, lowest, low, low])


def test_capo_tells_a_wrong_step_of_a_right_answer_from_a_wrong_answer(build, seen):
    batch = build([1, 0], logprobs=[[-1, -1]] * 2, steps=[[(1, "right", 1.0), (1, "wrong", 0.0)], [(1, "right", 1.0), (1, "wrong", 0.0)]])
    (best, flawed), (unlucky, worst) = seen(advantage("capo", batch), batch)
    # The outcome outweighs the step: a wrong step of a right answer stays above a right step of a wrong one.
    assert best > flawed > unlucky > worst


def test_selective_by_hand(build, seen):
    steps = [(1, "right", 1.0), (1, "wrong", 0.0), (1, "unchecked", 0.5), (1, None, 0.0)]
    batch = build([1, 0], logprobs=[[-1] * 4] * 2, steps=[steps, steps])
    # grpo gives 1 and -1; the wrong step of the right answer is not pushed up, the right step of the wrong one not pushed down.
    assert seen(advantage("selective", batch), batch) == close([1, 0, 1, 1], [0, -1, -1, -1])


def test_renorm_by_hand(build, seen):
    batch = pair(build)
    assert seen(advantage("renorm", batch), batch) == close([1, 1, 1, 1, 0.5], [0, 0, -1, -0.5, -0.5])


def test_a_good_step_of_a_failed_episode_earns_nothing_however_many_there_are(build, seen):
    for count in (1, 5, 20):
        batch = build([0, 1], logprobs=[[-1] * count, [-1]], steps=[[(1, "right", 1.0)] * count, [(1, "wrong", 0.0)]])
        failed, solved = seen(advantage("renorm", batch), batch)
        assert failed == [0] * count
        assert solved == [0]


def test_rlvmr_compares_turns_with_turns_of_the_same_tag(build, seen):
    turns = [[(1, "planning", 1.0), (1, "explore", 0.0)], [(1, "planning", 0.0), (1, "explore", 0.0), (1, "untagged", 0.0)]]
    batch = build([1, 0], logprobs=[[-1] * 2, [-1] * 3], steps=turns)
    # The outcome gives +-1/2. Of planning, 1 and 0 give +-1/2 more; explore was paid nowhere.
    assert seen(advantage("rlvmr", batch), batch) == close([1, 0.5], [-1, -0.5, -0.6])
    assert seen(advantage("rlvmr", batch, trajectory_weight=1.0, untagged_penalty=0), batch) == close([1] * 2, [-1] * 3)


def test_a_rare_tag_is_not_crowded_out_by_a_frequent_one(build, seen):
    turns = [[(1, "explore", 1.0)] * 8 + [(1, "reflection", 1.0)], [(1, "explore", 1.0)] * 8 + [(1, "reflection", 0.0)]]
    batch = build([0, 0], logprobs=[[-1] * 9] * 2, steps=turns)
    first, second = seen(advantage("rlvmr", batch), batch)
    assert first == pytest.approx([0] * 8 + [0.5], abs=1e-5)
    assert second == pytest.approx([0] * 8 + [-0.5], abs=1e-5)


def test_verpo_adds_the_dense_reward_without_a_standard_deviation(build, seen):
    batch = build([1, 0, 0], steps=[[(1, "right", 1.0)], [(1, "wrong", 0.5)], [(1, "wrong", 0.0)]])
    # 2/3 + 0.5 / 2, -1/3 + 0, -1/3 - 0.5 / 2
    assert seen(advantage("verpo", batch), batch) == close([2 / 3 + 0.25], [-1 / 3], [-1 / 3 - 0.25])


def test_spans_of_rollouts_without_score_and_of_other_groups_change_nothing(build, seen):
    for name in STEP_CREDIT:
        alone, expected = pair(build), None
        expected = seen(advantage(name, alone), alone)
        steps = [[RIGHT, RIGHT, (1, None, 0.0)], [RIGHT, WRONG, LATER, (1, None, 0.0)], [WRONG], [RIGHT], [RIGHT]]
        mixed = build(
            [1, 0, 1, 0, 0],
            [0, 0, 0, 1, 1],
            [[-1] * 5, [-1] * 5, [-1], [-1] * 2, [-1] * 2],
            steps=steps,
            valid=[True, True, False, True, True],
        )
        if name != "spae":  # which compares with the whole batch
            assert seen(advantage(name, mixed), mixed)[:2] == close(*expected), name
