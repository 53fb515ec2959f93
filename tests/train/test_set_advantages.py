"""Advantages over sets of rollouts or tasks (pass@k, pairs, mvar), against numbers computed by hand."""

from __future__ import annotations

from math import sqrt

import pytest
from train.advantage_cases import HARD, advantage, flatten, over_all_sets

from rlgym.train.advantages.group_relative import reference_rollouts
from rlgym.train.advantages.set_based import MvarOptions, bundle_scores, move_quantiles

torch = pytest.importorskip("torch", reason="the trainer needs torch")


@pytest.mark.parametrize("k", [1, 2, 3, 4, 7])
def test_pass_at_k_is_the_mean_over_all_sets_of_k(build, seen, k):
    for count in range(1, 7):
        for rights in range(count + 1):
            right = [float(i < rights) for i in range(count)]
            batch = build(right)
            assert flatten(seen(advantage("pass_at_k", batch, k=k), batch)) == pytest.approx(over_all_sets(right, k)[0], abs=1e-5), (
                count,
                rights,
            )


def test_pass_at_k_written_out(build, seen):
    # Of 6 pairs of 4 rollouts, one right, 3 hold the right one: mean 1/2, standard deviation 1/2. All pairs with the right one
    # pay 1; of the 3 pairs with a wrong one, 1 does: (1/3 - 1/2) / (1/2) = -1/3
    batch = build(HARD)
    assert flatten(seen(advantage("pass_at_k", batch, k=2), batch)) == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3], rel=1e-5)
    assert advantage("pass_at_k", batch, k=1).tolist() == pytest.approx(advantage("grpo", batch).tolist(), rel=1e-4)


def test_pairwise_compares_each_with_each_other(build, seen):
    batch = build([1, 0.5, 0.5, 0, 1, 0], [0, 0, 0, 0, 1, 2])
    # Of three others: three wins; a tie with a win and a defeat, twice; three defeats. The last two are alone.
    assert flatten(seen(advantage("pairwise", batch), batch)) == pytest.approx([0.5, 0, 0, -0.5, 0, 0])
    # Within the margin of 1/2 all neighbours tie: only 1 and 0 are distinguished.
    assert flatten(seen(advantage("pairwise", batch, margin=0.5), batch)) == pytest.approx([1 / 6, 0, 0, -1 / 6, 0, 0])


def test_pairwise_depends_on_the_order_of_rewards_alone(build, seen):
    rewards = [0.1, 0.7, -0.3, 0.7, 0.0]
    plain, cubed = (build(found) for found in (rewards, [1000 * reward**3 for reward in rewards]))
    assert flatten(seen(advantage("pairwise", plain), plain)) == flatten(seen(advantage("pairwise", cubed), cubed))
    assert sum(flatten(seen(advantage("pairwise", plain), plain))) == pytest.approx(0, abs=1e-6)


def test_brpo_compares_with_one_rollout_of_the_group(build, seen):
    rewards, groups = [0.2, 0.9, 0.25, 0.5, 1.0, 0.0], [0, 0, 0, 0, 1, 1]
    batch = build(rewards, groups)
    [first, second] = [place for place, drawn in enumerate(reference_rollouts(batch, 0).tolist()) if drawn]
    assert (groups[first], groups[second]) == (0, 1)
    references = [rewards[first]] * 4 + [rewards[second]] * 2
    expected = [(reward > other) - (reward < other) for reward, other in zip(rewards, references, strict=True)]
    assert flatten(seen(advantage("brpo", batch), batch)) == expected
    # Within the margin of 1/2 most rewards tie.
    wide = [(reward > other + 0.5) - (reward < other - 0.5) for reward, other in zip(rewards, references, strict=True)]
    assert flatten(seen(advantage("brpo", batch, margin=0.5), batch)) == wide


def test_every_valid_rollout_may_be_the_reference_of_brpo_and_the_best_is_never_pushed_down(build, seen):
    batch = build([0.3, 0.6, 0.1, 0.8], [0] * 4, valid=[True, True, True, False])
    drawn = [reference_rollouts(batch, seed).tolist().index(True) for seed in range(300)]
    assert set(drawn) == {0, 1, 2}
    assert all(drawn.count(place) > 60 for place in range(3))
    for seed in range(20):
        found = flatten(seen(advantage("brpo", batch, seed=seed), batch))
        assert found[1] >= 0 >= found[2]
        assert 0 in found


def test_mvar_weighs_the_lower_tail_and_not_the_best(build, seen):
    batch = build([1, 1, 0, 1, 0, 0], range(6), bundles=[0, 0, 1, 1, 2, 2])
    # Sums 2, 1, 0 with quantiles 0.5 and 1.5 at the levels 0.2 and 0.8; g = (S - 0.5)+ - (S - 1.5)+ + 0.5 - 1.5
    #   S = 2: g = 1.5 - 0.5 - 1 = 0, nothing below 0.5
    #   S = 1: g = 0.5 - 0 - 1 = -0.5
    #   S = 0: g = 0 - 0 - 1 = -1, and 0.5 below 0.5
    middle = (1.5 * 0 - 0.5 / 0.6) / 2.5
    worst = (1.5 * -(0.5 / 0.2) - 1 / 0.6) / 2.5
    given = {"low_quantile": 0.2, "high_quantile": 0.8, "tracked_quantiles": (0.5, 1.5)}
    assert flatten(seen(advantage("mvar", batch, **given), batch)) == pytest.approx([0, 0, middle, middle, worst, worst])
    mean = (middle + worst) / 3
    std = sqrt((mean**2 + (middle - mean) ** 2 + (worst - mean) ** 2) / 3)
    shrunk = flatten(seen(advantage("mvar", batch, divide_by_std=True, **given), batch))
    assert shrunk == pytest.approx([x / std for x in (0, 0, middle, middle, worst, worst)], rel=1e-4)


def test_mvar_takes_the_quantiles_of_the_batch_where_none_are_tracked(build, seen):
    batch = build([1, 1, 0, 1, 0, 0], range(6), bundles=[0, 0, 1, 1, 2, 2])
    # Sums 0, 1, 2: a fifth of the way is 0.4, four fifths 1.6
    tracked = advantage("mvar", batch, low_quantile=0.2, high_quantile=0.8, tracked_quantiles=(0.4, 1.6))
    assert advantage("mvar", batch, low_quantile=0.2, high_quantile=0.8).tolist() == pytest.approx(tracked.tolist())


def test_mvar_bundles_tasks_that_follow_each_other(build):
    batch = build([1, 0, 1, 1, 0, 1], [0, 0, 1, 1, 2, 2])
    # Tasks 0 and 1: first rollouts 1 + 1, second 0 + 1. Task 2 is left over: 0 and 1
    assert bundle_scores(batch, MvarOptions(bundle_size=2)).tolist() == [2, 1, 0, 1]


def test_a_bundle_with_a_rollout_without_score_carries_no_loss(build, seen):
    rewards, valid = [1, 1, 0, 1, 0, 0], [True, True, True, False, True, True]
    batch = build(rewards, range(6), bundles=[0, 0, 1, 1, 2, 2], valid=valid)
    found = seen(advantage("mvar", batch), batch)
    assert found[2] == [0]
    alone = build([1, 1, 0, 0], range(4), bundles=[0, 0, 1, 1])
    assert [found[i] for i in (0, 1, 4, 5)] == seen(advantage("mvar", alone), alone)


def test_quantiles_follow_the_scores():
    # A quarter of the scores is below 1 and three quarters below 2: 1 + 0.1 (0.2 - 0.25), 2 + 0.1 (0.9 - 0.75)
    moved = move_quantiles((1, 2), torch.tensor([0.0, 1, 1, 3]), MvarOptions(low_quantile=0.2, high_quantile=0.9))
    assert moved == pytest.approx((0.995, 2.015))
    assert move_quantiles((1, 2), torch.tensor([]), MvarOptions()) == (1, 2)
