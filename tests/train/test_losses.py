"""Losses against numbers computed by hand."""

from __future__ import annotations

from math import exp, log, sqrt

import pytest
from train.loss_cases import LABELS, RATIO, evaluate_loss
from train.policies import approximate_rows

from rlgym.train.losses import LOSSES, ValueOptions, value_loss

torch = pytest.importorskip("torch", reason="the trainer needs torch")


def by_ratios(build, lay, ratios, advantages, rewards=None, groups=None, **given):
    """A batch whose old log-probabilities are -1, new ones that result in the given ratios to them, and advantages."""
    old = [[-1.0] * len(row) for row in ratios]
    batch = build(rewards or [1.0] * len(ratios), groups, old, **given)
    new = [[log(x) - 1 for x in row] for row in ratios]
    return batch, new, lay(advantages, batch).detach()


# By hand


def test_pg_clip_stops_where_the_ratio_has_gone_far_enough(build, lay, slope):
    created = by_ratios(build, lay, [[1.5, 0.5], [1.5, 0.5]], [[1, 1], [-1, -1]])
    value, slopes, metrics = evaluate_loss("pg_clip", lay, slope, created, clip_low=0.2, clip_high=0.28)
    # -min(1.5, 1.28), -min(0.5, 0.8), -min(-1.5, -1.28), -min(-0.5, -0.8); d ratio / d log-probability is the ratio
    assert value == pytest.approx((-1.28 - 0.5 + 1.5 + 0.8) / 4)
    assert slopes == approximate_rows([[0, -0.5 / 4], [1.5 / 4, 0]])
    assert metrics["clip_fraction"] == 0.5
    assert metrics["ratio"] == pytest.approx(1)
    # mean of ratio - 1 - log ratio
    assert metrics["approx_kl"] == pytest.approx((-log(1.5) - log(0.5)) / 2)


def test_the_upper_bound_of_pg_clip_may_be_wider_than_the_lower(build, lay, slope):
    created = by_ratios(build, lay, [[1.25], [1.35]], [[1], [1]])
    assert evaluate_loss("pg_clip", lay, slope, created)[1] == approximate_rows([[-1.25 / 2], [0]])
    assert evaluate_loss("pg_clip", lay, slope, created, clip_high=0.2)[1] == approximate_rows([[0], [0]])


@pytest.mark.parametrize("name", ["pg_clip", "gspo"])
def test_ways_to_average(build, lay, slope, name):
    created = by_ratios(build, lay, [[1], [1, 1, 1]], [[1], [-1, -1, -1]])
    # Losses of the tokens: -1; 1, 1, 1
    assert evaluate_loss(name, lay, slope, created, aggregation="token")[0] == pytest.approx((-1 + 3) / 4)
    assert evaluate_loss(name, lay, slope, created, aggregation="rollout")[0] == pytest.approx((-1 + 1) / 2)
    assert evaluate_loss(name, lay, slope, created, aggregation="constant", aggregation_constant=10)[0] == pytest.approx(
        (-1 / 10 + 3 / 10) / 2
    )
    assert evaluate_loss(name, lay, slope, created, aggregation="token")[1] == approximate_rows([[-1 / 4], [1 / 4] * 3])
    assert evaluate_loss(name, lay, slope, created, aggregation="rollout")[1] == approximate_rows([[-1 / 2], [1 / 6] * 3])
    assert evaluate_loss(name, lay, slope, created, aggregation="constant", aggregation_constant=10)[1] == approximate_rows(
        [[-1 / 20], [1 / 20] * 3]
    )


@pytest.mark.parametrize("name", ["pg_clip", "gspo", "cispo", "dispo"])
def test_tokens_that_the_sampler_saw_differently_are_weighed(build, lay, slope, name):
    # Old probability over the sampler's: 2 and a half
    created = by_ratios(build, lay, [[1], [1]], [[1], [1]], sampled=[[-1 - log(2)], [-1 + log(2)]])
    assert evaluate_loss(name, lay, slope, created)[1] == approximate_rows([[-1 / 2], [-1 / 2]])
    _, slopes, metrics = evaluate_loss(name, lay, slope, created, tis_cap=1.5)
    assert slopes == approximate_rows([[-1.5 / 2], [-0.5 / 2]])
    assert metrics["tis_capped"] == 0.5


def test_weights_beyond_a_bound_are_masked_or_truncated(build, lay, slope):
    # Old probability over the sampler's: 4, a half and a tenth
    sampled = [[-1 - log(4)], [-1 + log(2)], [-1 + log(10)]]
    created = by_ratios(build, lay, [[1], [1], [1]], [[1], [1], [1]], sampled=sampled)
    icepop = {"tis_cap": 5.0, "tis_floor": 0.2, "tis_mode": "mask"}
    _, slopes, metrics = evaluate_loss("pg_clip", lay, slope, created, **icepop)
    assert slopes == approximate_rows([[-4 / 3], [-0.5 / 3], [0]])
    assert metrics["tis_capped"] == pytest.approx(1 / 3)
    assert evaluate_loss("pg_clip", lay, slope, created, tis_cap=2.0, tis_floor=0.2)[1] == approximate_rows(
        [[-2 / 3], [-0.5 / 3], [-0.2 / 3]]
    )
    assert evaluate_loss("pg_clip", lay, slope, created, tis_cap=2.0, tis_mode="mask")[1] == approximate_rows([[0], [-0.5 / 3], [-0.1 / 3]])


def test_one_weight_for_a_whole_rollout(build, lay, slope):
    created = by_ratios(build, lay, [[1, 1], [1]], [[1, 1], [1]], sampled=[[-1 - log(4), -1 + log(2)], [-1 - log(3)]])
    # Ratios 4 and 1/2, and 3: the products are 2 and 3, the geometric means sqrt(2) and 3
    assert evaluate_loss("pg_clip", lay, slope, created, tis_cap=10.0, tis_level="sequence")[1] == approximate_rows(
        [[-2 / 3] * 2, [-3 / 3]]
    )
    assert evaluate_loss("pg_clip", lay, slope, created, tis_cap=10.0, tis_level="geometric")[1] == approximate_rows(
        [[-sqrt(2) / 3] * 2, [-3 / 3]]
    )
    masked = evaluate_loss("pg_clip", lay, slope, created, tis_cap=2.5, tis_level="sequence", tis_mode="mask")[1]
    assert masked == approximate_rows([[-2 / 3] * 2, [0]])


def test_a_second_clip_bounds_the_loss_of_tokens_with_a_negative_advantage(build, lay, slope):
    created = by_ratios(build, lay, [[exp(8)], [2.5], [5]], [[-1], [-1], [1]])
    value, slopes, metrics = evaluate_loss("pg_clip", lay, slope, created, dual_clip=3.0)
    # Without it, the first token alone has a gradient of e^8 / 3 = 994
    assert value == pytest.approx((3 + 2.5 - 1.28) / 3)
    assert slopes == approximate_rows([[0], [2.5 / 3], [0]])
    assert metrics["dual_clip_fraction"] == pytest.approx(1 / 3)
    assert evaluate_loss("pg_clip", lay, slope, created)[1] == approximate_rows([[exp(8) / 3], [2.5 / 3], [0]])


def test_reinforce_has_neither_ratio_nor_clip(build, lay, slope):
    created = by_ratios(build, lay, [[5, 0.1], [2]], [[1, -1], [0.5]])
    value, slopes, metrics = evaluate_loss("reinforce", lay, slope, created)
    assert value == pytest.approx(-((log(5) - 1) - (log(0.1) - 1) + 0.5 * (log(2) - 1)) / 3)
    assert slopes == approximate_rows([[-1 / 3, 1 / 3], [-0.5 / 3]])
    assert metrics["clip_fraction"] == 0


def test_gspo_has_one_ratio_for_a_rollout(build, lay, slope):
    created = by_ratios(build, lay, [[4, 1], [0.5]], [[1, 1], [-1]])
    # sqrt(4 * 1) = 2 and 0.5. The gradient of a geometric mean over a token's log-probability is the mean over the tokens
    value, slopes, metrics = evaluate_loss("gspo", lay, slope, created, clip_low=0.9, clip_high=3)
    assert value == pytest.approx((-2 + 0.5) / 2)
    assert slopes == approximate_rows([[-2 / 2 / 2] * 2, [0.5 / 2]])
    assert metrics["clip_fraction"] == 0
    value, slopes, metrics = evaluate_loss("gspo", lay, slope, created, clip_low=0.2, clip_high=0.5)
    assert value == pytest.approx((-1.5 + 0.8) / 2)
    assert slopes == approximate_rows([[0, 0], [0]])
    assert metrics["clip_fraction"] == 1


def test_gspo_is_its_formula_where_advantages_do_not_differ_within_a_rollout(build, lay, slope):
    batch, new, advantage_T = by_ratios(build, lay, [[1.1, 0.9, 1.3], [0.8], [1.2, 0.7]], [[1] * 3, [1], [-1] * 2])
    leaves = [torch.tensor(row, requires_grad=True) for row in new]
    ratios = [(leaf + 1).mean().exp() for leaf in leaves]
    expected = -sum(torch.minimum(r * a, r.clamp(0.85, 1.15) * a) for r, a in zip(ratios, (1, 1, -1), strict=True)) / 3
    expected.backward()
    value, slopes, _ = evaluate_loss("gspo", lay, slope, (batch, new, advantage_T), clip_low=0.15, clip_high=0.15)
    assert value == pytest.approx(expected.item())
    assert slopes == approximate_rows([leaf.grad.tolist() for leaf in leaves])


def test_cispo_clips_the_weight_and_keeps_the_gradient(build, lay, slope):
    created = by_ratios(build, lay, [[6, 0.5]], [[1, -2]])
    value, slopes, metrics = evaluate_loss("cispo", lay, slope, created, clip_low=0.2, clip_high=4)
    # Weights 5 and 0.8 of -A log(new), log(new) = log(ratio) - 1
    assert value == pytest.approx((-5 * (log(6) - 1) + 0.8 * 2 * (log(0.5) - 1)) / 2)
    assert slopes == approximate_rows([[-5 / 2, 0.8 * 2 / 2]])
    assert metrics["clip_fraction"] == 1
    assert evaluate_loss("cispo", lay, slope, created)[1] == approximate_rows([[-5 / 2, 0.5 * 2 / 2]])


def test_dispo_has_bounds_for_either_sign(build, lay, slope):
    created = by_ratios(build, lay, [[3, 0.1], [3, 0.1]], [[1, 1], [-1, -1]])
    given = {"positive_clip_low": 0.3, "positive_clip_high": 0.5, "negative_clip_low": 0.6, "negative_clip_high": 1}
    _, slopes, metrics = evaluate_loss("dispo", lay, slope, created, **given)
    assert slopes == approximate_rows([[-1.5 / 4, -0.7 / 4], [2 / 4, 0.4 / 4]])
    assert metrics["clip_fraction"] == 1
    same = {"positive_clip_low": 1, "positive_clip_high": 4, "negative_clip_low": 1, "negative_clip_high": 4}
    assert evaluate_loss("dispo", lay, slope, created, **same)[:2] == evaluate_loss("cispo", lay, slope, created)[:2]


def test_topr_tapers_what_is_pushed_down_by_the_ratio_of_the_whole_rollout(build, lay, slope):
    ratios = [[3, 1], [0.5, 0.8], [2, 3]]
    created = by_ratios(build, lay, ratios, [[1, 1], [-1, -1], [-1, -1]])
    value, slopes, metrics = evaluate_loss("topr", lay, slope, created)
    # Right: 1. Wrong: 0.5 * 0.8 = 0.4, and 6 cut to 1. Sums over tokens, means over rollouts
    assert slopes == approximate_rows([[-1 / 3] * 2, [0.4 / 3] * 2, [1 / 3] * 2])
    assert value == pytest.approx((-(log(3) - 2) + 0.4 * (log(0.4) - 2) + log(6) - 2) / 3)
    assert metrics["clip_fraction"] == pytest.approx(2 / 6)  # the rollout of 0.4
    assert evaluate_loss("topr", lay, slope, created, max_weight=0.3)[1] == approximate_rows([[-1 / 3] * 2, [0.1] * 2, [0.1] * 2])


def test_topr_compares_with_the_policy_that_sampled(build, lay, slope):
    created = by_ratios(build, lay, [[1], [1]], [[-1], [-1]], sampled=[[-1 + log(4)], [-1]])
    assert evaluate_loss("topr", lay, slope, created)[1] == approximate_rows([[0.25 / 2], [1 / 2]])


def test_value_loss_is_the_larger_of_free_and_clipped(build, lay, slope):
    batch = build([1, 1], logprobs=[[-1, -1], [-1]], value=[[0.5, 0.5], [0.5]])
    return_T = lay([[1, 0], [0.6]], batch).detach()
    new = [[0.9, 0.9], [0.6]]

    def loss(new_logprobs_T, **given):
        return value_loss(new_logprobs_T, batch, return_T, ValueOptions.from_dict({"clip_range": 0.2, **given}))

    # Free errors 0.1, 0.9, 0; with the estimates held to 0.5 +- 0.2: 0.3, 0.7, 0
    assert float(loss(lay(new, batch))[0].detach()) == pytest.approx(0.5 * (0.3**2 + 0.9**2 + 0) / 3)
    assert slope(loss, new, batch) == approximate_rows([[0, 0.9 / 3], [0]])
    assert float(loss(lay(new, batch))[1]["value_clip_fraction"]) == pytest.approx(1 / 3)
    assert slope(lambda new_logprobs_T: loss(new_logprobs_T, clip_range=None), new, batch) == approximate_rows([[-0.1 / 3, 0.9 / 3], [0]])
    assert float(loss(lay(new, batch), clip_range=None, aggregation="rollout")[0].detach()) == pytest.approx(0.5 * (0.01 + 0.81) / 2 / 2)


def test_value_loss_without_old_estimates_is_free(build, lay, slope):
    batch = build([1], logprobs=[[-1]])
    return_T = lay([[1]], batch).detach()
    assert slope(lambda new_logprobs_T: value_loss(new_logprobs_T, batch, return_T, ValueOptions()), [[0.2]], batch) == approximate_rows(
        [[-0.8]]
    )


def test_every_loss_is_computed_by_hand():
    assert set(LOSSES) == {*RATIO, *LABELS}
