"""Losses against numbers computed by hand, against the true gradient of small policies, and under changes that mean nothing."""

from __future__ import annotations

from dataclasses import replace
from math import exp, log, sqrt

import pytest

from rlgym.train.advantages import ADVANTAGES
from rlgym.train.losses import LOSSES, ValueOptions, loss_weight, value_loss

torch = pytest.importorskip("torch", reason="the trainer needs torch")

RATIO = ("pg_clip", "gspo", "cispo", "dispo", "topr", "reinforce")
LABELS = ("real", "pacs")


def options(name, **given):
    return LOSSES[name].options.from_dict(given)


def by_ratios(build, lay, ratios, advantages, rewards=None, groups=None, **given):
    """A batch whose old log-probabilities are -1, new ones that result in the given ratios to them, and advantages."""
    old = [[-1.0] * len(row) for row in ratios]
    batch = build(rewards or [1.0] * len(ratios), groups, old, **given)
    new = [[log(x) - 1 for x in row] for row in ratios]
    return batch, new, lay(advantages, batch).detach()


def found(name, lay, slope, created, **given):
    """Value, gradient over the log-probabilities, and metrics of a loss."""
    batch, new, advantage_T = created

    def loss(new_logprobs_T):
        return LOSSES[name](new_logprobs_T, batch, advantage_T, options(name, **given))

    value, metrics = loss(lay(new, batch))
    return float(value.detach()), slope(loss, new, batch), {key: float(metric) for key, metric in metrics.items()}


def rows(expected):
    return [pytest.approx(row, rel=1e-4, abs=1e-6) for row in expected]


# By hand


def test_pg_clip_stops_where_the_ratio_has_gone_far_enough(build, lay, slope):
    created = by_ratios(build, lay, [[1.5, 0.5], [1.5, 0.5]], [[1, 1], [-1, -1]])
    value, slopes, metrics = found("pg_clip", lay, slope, created, clip_low=0.2, clip_high=0.28)
    # -min(1.5, 1.28), -min(0.5, 0.8), -min(-1.5, -1.28), -min(-0.5, -0.8); d ratio / d log-probability is the ratio
    assert value == pytest.approx((-1.28 - 0.5 + 1.5 + 0.8) / 4)
    assert slopes == rows([[0, -0.5 / 4], [1.5 / 4, 0]])
    assert metrics["clip_fraction"] == 0.5
    assert metrics["ratio"] == pytest.approx(1)
    # mean of ratio - 1 - log ratio
    assert metrics["approx_kl"] == pytest.approx((-log(1.5) - log(0.5)) / 2)


def test_the_upper_bound_of_pg_clip_may_be_wider_than_the_lower(build, lay, slope):
    created = by_ratios(build, lay, [[1.25], [1.35]], [[1], [1]])
    assert found("pg_clip", lay, slope, created)[1] == rows([[-1.25 / 2], [0]])
    assert found("pg_clip", lay, slope, created, clip_high=0.2)[1] == rows([[0], [0]])


@pytest.mark.parametrize("name", ["pg_clip", "gspo"])
def test_ways_to_average(build, lay, slope, name):
    created = by_ratios(build, lay, [[1], [1, 1, 1]], [[1], [-1, -1, -1]])
    # Losses of the tokens: -1; 1, 1, 1
    assert found(name, lay, slope, created, aggregation="token")[0] == pytest.approx((-1 + 3) / 4)
    assert found(name, lay, slope, created, aggregation="rollout")[0] == pytest.approx((-1 + 1) / 2)
    assert found(name, lay, slope, created, aggregation="constant", aggregation_constant=10)[0] == pytest.approx((-1 / 10 + 3 / 10) / 2)
    assert found(name, lay, slope, created, aggregation="token")[1] == rows([[-1 / 4], [1 / 4] * 3])
    assert found(name, lay, slope, created, aggregation="rollout")[1] == rows([[-1 / 2], [1 / 6] * 3])
    assert found(name, lay, slope, created, aggregation="constant", aggregation_constant=10)[1] == rows([[-1 / 20], [1 / 20] * 3])


@pytest.mark.parametrize("name", ["pg_clip", "gspo", "cispo", "dispo"])
def test_tokens_that_the_sampler_saw_differently_are_weighed(build, lay, slope, name):
    # Old probability over the sampler's: 2 and a half
    created = by_ratios(build, lay, [[1], [1]], [[1], [1]], sampled=[[-1 - log(2)], [-1 + log(2)]])
    assert found(name, lay, slope, created)[1] == rows([[-1 / 2], [-1 / 2]])
    _, slopes, metrics = found(name, lay, slope, created, tis_cap=1.5)
    assert slopes == rows([[-1.5 / 2], [-0.5 / 2]])
    assert metrics["tis_capped"] == 0.5


def test_weights_beyond_a_bound_are_masked_or_truncated(build, lay, slope):
    # Old probability over the sampler's: 4, a half and a tenth
    sampled = [[-1 - log(4)], [-1 + log(2)], [-1 + log(10)]]
    created = by_ratios(build, lay, [[1], [1], [1]], [[1], [1], [1]], sampled=sampled)
    icepop = {"tis_cap": 5.0, "tis_floor": 0.2, "tis_mode": "mask"}
    _, slopes, metrics = found("pg_clip", lay, slope, created, **icepop)
    assert slopes == rows([[-4 / 3], [-0.5 / 3], [0]])
    assert metrics["tis_capped"] == pytest.approx(1 / 3)
    assert found("pg_clip", lay, slope, created, tis_cap=2.0, tis_floor=0.2)[1] == rows([[-2 / 3], [-0.5 / 3], [-0.2 / 3]])
    assert found("pg_clip", lay, slope, created, tis_cap=2.0, tis_mode="mask")[1] == rows([[0], [-0.5 / 3], [-0.1 / 3]])


def test_one_weight_for_a_whole_rollout(build, lay, slope):
    created = by_ratios(build, lay, [[1, 1], [1]], [[1, 1], [1]], sampled=[[-1 - log(4), -1 + log(2)], [-1 - log(3)]])
    # Ratios 4 and 1/2, and 3: the products are 2 and 3, the geometric means sqrt(2) and 3
    assert found("pg_clip", lay, slope, created, tis_cap=10.0, tis_level="sequence")[1] == rows([[-2 / 3] * 2, [-3 / 3]])
    assert found("pg_clip", lay, slope, created, tis_cap=10.0, tis_level="geometric")[1] == rows([[-sqrt(2) / 3] * 2, [-3 / 3]])
    masked = found("pg_clip", lay, slope, created, tis_cap=2.5, tis_level="sequence", tis_mode="mask")[1]
    assert masked == rows([[-2 / 3] * 2, [0]])


def test_a_second_clip_bounds_the_loss_of_tokens_with_a_negative_advantage(build, lay, slope):
    created = by_ratios(build, lay, [[exp(8)], [2.5], [5]], [[-1], [-1], [1]])
    value, slopes, metrics = found("pg_clip", lay, slope, created, dual_clip=3.0)
    # Without it, the first token alone has a gradient of e^8 / 3 = 994
    assert value == pytest.approx((3 + 2.5 - 1.28) / 3)
    assert slopes == rows([[0], [2.5 / 3], [0]])
    assert metrics["dual_clip_fraction"] == pytest.approx(1 / 3)
    assert found("pg_clip", lay, slope, created)[1] == rows([[exp(8) / 3], [2.5 / 3], [0]])


def test_reinforce_has_neither_ratio_nor_clip(build, lay, slope):
    created = by_ratios(build, lay, [[5, 0.1], [2]], [[1, -1], [0.5]])
    value, slopes, metrics = found("reinforce", lay, slope, created)
    assert value == pytest.approx(-((log(5) - 1) - (log(0.1) - 1) + 0.5 * (log(2) - 1)) / 3)
    assert slopes == rows([[-1 / 3, 1 / 3], [-0.5 / 3]])
    assert metrics["clip_fraction"] == 0


def test_gspo_has_one_ratio_for_a_rollout(build, lay, slope):
    created = by_ratios(build, lay, [[4, 1], [0.5]], [[1, 1], [-1]])
    # sqrt(4 * 1) = 2 and 0.5. The gradient of a geometric mean over a token's log-probability is the mean over the tokens
    value, slopes, metrics = found("gspo", lay, slope, created, clip_low=0.9, clip_high=3)
    assert value == pytest.approx((-2 + 0.5) / 2)
    assert slopes == rows([[-2 / 2 / 2] * 2, [0.5 / 2]])
    assert metrics["clip_fraction"] == 0
    value, slopes, metrics = found("gspo", lay, slope, created, clip_low=0.2, clip_high=0.5)
    assert value == pytest.approx((-1.5 + 0.8) / 2)
    assert slopes == rows([[0, 0], [0]])
    assert metrics["clip_fraction"] == 1


def test_gspo_is_its_formula_where_advantages_do_not_differ_within_a_rollout(build, lay, slope):
    batch, new, advantage_T = by_ratios(build, lay, [[1.1, 0.9, 1.3], [0.8], [1.2, 0.7]], [[1] * 3, [1], [-1] * 2])
    leaves = [torch.tensor(row, requires_grad=True) for row in new]
    ratios = [(leaf + 1).mean().exp() for leaf in leaves]
    expected = -sum(torch.minimum(r * a, r.clamp(0.85, 1.15) * a) for r, a in zip(ratios, (1, 1, -1), strict=True)) / 3
    expected.backward()
    value, slopes, _ = found("gspo", lay, slope, (batch, new, advantage_T), clip_low=0.15, clip_high=0.15)
    assert value == pytest.approx(expected.item())
    assert slopes == rows([leaf.grad.tolist() for leaf in leaves])


def test_cispo_clips_the_weight_and_keeps_the_gradient(build, lay, slope):
    created = by_ratios(build, lay, [[6, 0.5]], [[1, -2]])
    value, slopes, metrics = found("cispo", lay, slope, created, clip_low=0.2, clip_high=4)
    # Weights 5 and 0.8 of -A log(new), log(new) = log(ratio) - 1
    assert value == pytest.approx((-5 * (log(6) - 1) + 0.8 * 2 * (log(0.5) - 1)) / 2)
    assert slopes == rows([[-5 / 2, 0.8 * 2 / 2]])
    assert metrics["clip_fraction"] == 1
    assert found("cispo", lay, slope, created)[1] == rows([[-5 / 2, 0.5 * 2 / 2]])


def test_dispo_has_bounds_for_either_sign(build, lay, slope):
    created = by_ratios(build, lay, [[3, 0.1], [3, 0.1]], [[1, 1], [-1, -1]])
    given = {"positive_clip_low": 0.3, "positive_clip_high": 0.5, "negative_clip_low": 0.6, "negative_clip_high": 1}
    _, slopes, metrics = found("dispo", lay, slope, created, **given)
    assert slopes == rows([[-1.5 / 4, -0.7 / 4], [2 / 4, 0.4 / 4]])
    assert metrics["clip_fraction"] == 1
    same = {"positive_clip_low": 1, "positive_clip_high": 4, "negative_clip_low": 1, "negative_clip_high": 4}
    assert found("dispo", lay, slope, created, **same)[:2] == found("cispo", lay, slope, created)[:2]


def test_topr_tapers_what_is_pushed_down_by_the_ratio_of_the_whole_rollout(build, lay, slope):
    ratios = [[3, 1], [0.5, 0.8], [2, 3]]
    created = by_ratios(build, lay, ratios, [[1, 1], [-1, -1], [-1, -1]])
    value, slopes, metrics = found("topr", lay, slope, created)
    # Right: 1. Wrong: 0.5 * 0.8 = 0.4, and 6 cut to 1. Sums over tokens, means over rollouts
    assert slopes == rows([[-1 / 3] * 2, [0.4 / 3] * 2, [1 / 3] * 2])
    assert value == pytest.approx((-(log(3) - 2) + 0.4 * (log(0.4) - 2) + log(6) - 2) / 3)
    assert metrics["clip_fraction"] == pytest.approx(2 / 6)  # the rollout of 0.4
    assert found("topr", lay, slope, created, max_weight=0.3)[1] == rows([[-1 / 3] * 2, [0.1] * 2, [0.1] * 2])


def test_topr_compares_with_the_policy_that_sampled(build, lay, slope):
    created = by_ratios(build, lay, [[1], [1]], [[-1], [-1]], sampled=[[-1 + log(4)], [-1]])
    assert found("topr", lay, slope, created)[1] == rows([[0.25 / 2], [1 / 2]])


def test_real_is_its_formula(build, lay, slope):
    rewards, groups = [1, 1, 0, 0, 1], [0, 0, 0, 0, 1]
    ratios = [[1.2, 0.9], [1.5], [0.7, 1.1, 1.3], [2.0], [0.8]]
    created = by_ratios(build, lay, ratios, [[0] * len(row) for row in ratios], rewards, groups)
    value, slopes, metrics = found("real", lay, slope, created, temperature=0.5)
    s = [sum(log(x) for x in row) / len(row) for row in ratios]
    right, wrong = exp(-s[0] / 0.5) + exp(-s[1] / 0.5), exp(s[2] / 0.5) + exp(s[3] / 0.5)
    first, second = log(1 + right) + log(1 + wrong), log(1 + exp(-s[4] / 0.5))
    assert value == pytest.approx((first + second) / 2)
    # d log(1 + sum) / d s is -+ (1 / tau) e^(-+ s / tau) / (1 + sum), spread over the tokens of the mean, over two groups
    signs, ahead = [-1, -1, 1, 1, -1], [right, right, wrong, wrong, exp(-s[4] / 0.5)]
    each = [sign * 2 * exp(sign * x / 0.5) / (1 + total) / 2 for sign, x, total in zip(signs, s, ahead, strict=True)]
    assert slopes == rows([[weight / len(row)] * len(row) for weight, row in zip(each, ratios, strict=True)])
    assert metrics["score_gap"] == pytest.approx((s[0] + s[1] + s[4]) / 3 - (s[2] + s[3]) / 2)


def test_weights_of_real_are_bounded_and_fall(build, lay, slope):
    def pull(ratio):
        created = by_ratios(build, lay, [[ratio], [1]], [[0], [0]], [1, 0])
        return -found("real", lay, slope, created, temperature=0.5)[1][0][0]

    pulls = [pull(ratio) for ratio in (1e-6, 0.1, 1, 10, 1e6)]
    assert pulls == sorted(pulls, reverse=True)
    assert 1.99 < pulls[0] <= 2  # 1 / tau
    assert 0 < pulls[-1] < 1e-6


@pytest.mark.parametrize("balanced", [False, True])
def test_pacs_is_its_formula(build, lay, slope, balanced):
    rewards, groups = [1, 0, 0, 1, 1, 0], [0, 0, 0, 1, 1, 2]
    ratios = [[1.2, 0.9], [1.5], [0.7, 1.1, 1.3], [2.0], [0.8], [3.0]]
    created = by_ratios(build, lay, ratios, [[0] * len(row) for row in ratios], rewards, groups)
    value, slopes, metrics = found("pacs", lay, slope, created, beta=0.7, balanced=balanced)
    leaves = [torch.tensor([log(x) for x in row], requires_grad=True) for row in ratios]
    score = [0.7 * leaf.sum() for leaf in leaves]
    psi = [score[0] - (score[1] + score[2]) / 2, score[1] - (score[0] + score[2]) / 2, score[2] - (score[0] + score[1]) / 2]
    psi += [score[3] - score[4], score[4] - score[3]]
    # Balanced: right and wrong of the first group weigh 3/2 each in all, over one and two rollouts
    weights = [3 / 2, 3 / 4, 3 / 4, 1 / 2, 1 / 2] if balanced else [1] * 5
    each = [w * torch.nn.functional.binary_cross_entropy_with_logits(p, torch.tensor(float(r))) for w, p, r in zip(weights, psi, rewards)]
    # The last rollout has nobody to be compared with
    expected = (sum(each[:3]) / 3 + sum(each[3:]) / 2) / (2 + 1)
    expected.backward()
    assert value == pytest.approx(expected.item())
    assert slopes == rows([[0.0] if leaf.grad is None else leaf.grad.tolist() for leaf in leaves])
    numbers = [x.item() for x in score]
    assert metrics["score_gap"] == pytest.approx((numbers[0] + numbers[3] + numbers[4]) / 3 - (numbers[1] + numbers[2]) / 2, rel=1e-4)


def test_value_loss_is_the_larger_of_free_and_clipped(build, lay, slope):
    batch = build([1, 1], logprobs=[[-1, -1], [-1]], value=[[0.5, 0.5], [0.5]])
    return_T = lay([[1, 0], [0.6]], batch).detach()
    new = [[0.9, 0.9], [0.6]]

    def loss(new_logprobs_T, **given):
        return value_loss(new_logprobs_T, batch, return_T, ValueOptions.from_dict({"clip_range": 0.2, **given}))

    # Free errors 0.1, 0.9, 0; with the estimates held to 0.5 +- 0.2: 0.3, 0.7, 0
    assert float(loss(lay(new, batch))[0].detach()) == pytest.approx(0.5 * (0.3**2 + 0.9**2 + 0) / 3)
    assert slope(loss, new, batch) == rows([[0, 0.9 / 3], [0]])
    assert float(loss(lay(new, batch))[1]["value_clip_fraction"]) == pytest.approx(1 / 3)
    assert slope(lambda new_logprobs_T: loss(new_logprobs_T, clip_range=None), new, batch) == rows([[-0.1 / 3, 0.9 / 3], [0]])
    assert float(loss(lay(new, batch), clip_range=None, aggregation="rollout")[0].detach()) == pytest.approx(0.5 * (0.01 + 0.81) / 2 / 2)


def test_value_loss_without_old_estimates_is_free(build, lay, slope):
    batch = build([1], logprobs=[[-1]])
    return_T = lay([[1]], batch).detach()
    assert slope(lambda new_logprobs_T: value_loss(new_logprobs_T, batch, return_T, ValueOptions()), [[0.2]], batch) == rows([[-0.8]])


def test_every_loss_is_worked_out_by_hand():
    assert set(LOSSES) == {*RATIO, *LABELS}


# The direction of the gradient, exactly, over all groups that a small policy may sample

LOGITS, PAID = [0.2, -0.1, 0.3], [0.0, 1.0, 0.0]
FREE = {
    "pg_clip": {"clip_low": 1, "clip_high": 100},
    "gspo": {"clip_low": 1, "clip_high": 100},
    "cispo": {"clip_low": 1, "clip_high": 100},
    "dispo": {"positive_clip_low": 1, "positive_clip_high": 100, "negative_clip_low": 1, "negative_clip_high": 100},
}


def learning(name, advantage="rloo", **given):
    weigh = ADVANTAGES[advantage]

    def loss(new_logprobs_T, batch):
        return LOSSES[name](new_logprobs_T, batch, weigh(batch, weigh.options()), options(name, **given))[0]

    return loss


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("old", [LOGITS, [0.25, -0.05, 0.2]], ids=["fresh", "stale"])
def test_a_step_raises_what_is_paid_and_lowers_the_rest(step, name, old):
    slope = step(learning(name), LOGITS, PAID, 3, old=old)
    before = torch.tensor(LOGITS).log_softmax(0)
    after = (torch.tensor(LOGITS) - 0.01 * slope).log_softmax(0)
    assert [float(x) > 0 for x in after - before] == [False, True, False]
    assert (after - before).abs().min() > 1e-5


@pytest.mark.parametrize("name", RATIO)
def test_on_fresh_samples_the_expected_step_is_the_true_gradient(step, true_slope, name):
    rewards = [0.2, 1.0, -0.7]
    slope = step(learning(name), LOGITS, rewards, 3)
    assert (-slope).tolist() == pytest.approx(true_slope(LOGITS, rewards).tolist(), abs=1e-6)


@pytest.mark.parametrize("name", FREE)
def test_on_stale_samples_free_ratios_make_up_for_the_old_policy(step, true_slope, name):
    rewards, old = [0.2, 1.0, -0.7], [0.9, -0.6, 0.1]
    slope = step(learning(name, **FREE[name]), LOGITS, rewards, 3, old=old)
    assert (-slope).tolist() == pytest.approx(true_slope(LOGITS, rewards).tolist(), abs=1e-6)
    biased = step(learning("topr"), LOGITS, rewards, 3, old=old)
    assert (-biased).tolist() != pytest.approx(true_slope(LOGITS, rewards).tolist(), abs=1e-2)


def test_on_stale_wrong_answers_topr_is_the_true_gradient_below_the_cut(step, true_slope):
    """With -1 for wrong and 0 for right, and no answer likelier now than when it was sampled, the weights are free ratios."""
    old, wrong = [3.0, -3.0, 3.0], [-1.0, 0.0, -1.0]

    def loss(new_logprobs_T, batch):
        return LOSSES["topr"](new_logprobs_T, batch, batch.reward_N[batch.rollout_T], options("topr"))[0]

    assert (-step(loss, LOGITS, wrong, 1, old=old)).tolist() == pytest.approx(true_slope(LOGITS, wrong).tolist(), abs=1e-6)


# What must change nothing


def some(seed=0):
    draw = torch.Generator().manual_seed(seed)
    groups = [0, 1, 0, 2, 0, 1, 2, 1, 0, 2]
    lengths = torch.randint(1, 5, (len(groups),), generator=draw).tolist()

    def numbers(low, high):
        return [(torch.rand(length, generator=draw) * (high - low) + low).tolist() for length in lengths]

    old = numbers(-2.0, -0.5)
    return {
        "rewards": [1, 0, 0, 1, 1, 1, 0, 0, 0, 0],
        "groups": groups,
        "logprobs": old,
        "sampled": [[x + y for x, y in zip(*pair, strict=True)] for pair in zip(old, numbers(-0.5, 0.5), strict=True)],
        "new": [[x + y for x, y in zip(*pair, strict=True)] for pair in zip(old, numbers(-0.5, 0.5), strict=True)],
        "advantages": numbers(-1.0, 1.0),
    }


def reordered(facts, order):
    return {key: [value[i] for i in order] for key, value in facts.items()}


def outcome(build, lay, slope, name, facts, valid=None, gaps=True, **given):
    facts = dict(facts)
    new, advantages = facts.pop("new"), facts.pop("advantages")
    batch = build(**facts, valid=valid, gaps=gaps)
    return found(name, lay, slope, (batch, new, lay(advantages, batch).detach()), **given)


CAPPED = {name: {"tis_cap": 1.2} for name in RATIO if name != "topr"}


def same(first, second, task=None):
    """Equal values, gradients (of the picked rollouts) and metrics."""
    assert first[0] == pytest.approx(second[0], rel=1e-4, abs=1e-6)
    assert (first[1] if task is None else [first[1][i] for i in task]) == rows(second[1])
    assert first[2] == pytest.approx(second[2], rel=1e-3, abs=1e-5)


@pytest.mark.parametrize("name", LOSSES)
def test_tokens_that_were_not_sampled_change_nothing(build, lay, slope, name):
    bare = outcome(build, lay, slope, name, some(), gaps=False, **CAPPED.get(name, {}))
    same(outcome(build, lay, slope, name, some(), **CAPPED.get(name, {})), bare)
    assert any(x for row in bare[1] for x in row)


@pytest.mark.parametrize("name", LOSSES)
def test_rollouts_without_score_change_nothing(build, lay, slope, name):
    facts = some()
    more = reordered(facts, [0, 1, 2, 3, 1, 4, 5, 6, 7, 8, 9, 2, 3])
    more["groups"][-1] = 4  # a group of its own, without any score
    more["new"][4] = [float("nan")] * len(more["new"][4])
    more["advantages"][-1] = [float("inf")] * len(more["advantages"][-1])
    valid = [True] * 4 + [False] + [True] * 6 + [False] * 2
    mixed = outcome(build, lay, slope, name, more, valid, **CAPPED.get(name, {}))
    same(mixed, outcome(build, lay, slope, name, facts, **CAPPED.get(name, {})), [0, 1, 2, 3, 5, 6, 7, 8, 9, 10])


@pytest.mark.parametrize("name", LOSSES)
def test_the_order_of_rollouts_does_not_matter(build, lay, slope, name):
    facts, order = some(1), [3, 8, 0, 5, 9, 1, 7, 2, 6, 4]
    turned = outcome(build, lay, slope, name, reordered(facts, order))
    same(turned, outcome(build, lay, slope, name, facts), [order.index(i) for i in range(10)])


@pytest.mark.parametrize("name", LOSSES)
def test_a_batch_without_anything_to_learn_from(build, lay, slope, name):
    value, slopes, metrics = outcome(build, lay, slope, name, some(), [False] * 10)
    assert value == 0
    assert not any(x for row in slopes for x in row)
    assert not any(metrics.values())


@pytest.mark.parametrize("name", RATIO)
def test_without_advantages_there_is_no_step(build, lay, slope, name):
    facts = some()
    facts["advantages"] = [[0.0] * len(row) for row in facts["new"]]
    assert not any(x for row in outcome(build, lay, slope, name, facts)[1] for x in row)


@pytest.mark.parametrize("name", LABELS)
def test_losses_over_labels_do_not_read_the_advantage(build, lay, slope, name):
    facts = some()
    expected = outcome(build, lay, slope, name, facts)
    facts["advantages"] = [[float("nan")] * len(row) for row in facts["new"]]
    same(outcome(build, lay, slope, name, facts), expected)


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("distant", [-2000.0, 2000.0])
def test_ratios_without_measure_stay_finite(build, lay, slope, name, distant):
    facts = some()
    facts["logprobs"][0] = [x + distant for x in facts["logprobs"][0]]
    facts["sampled"][1] = [x + distant for x in facts["sampled"][1]]
    value, slopes, metrics = outcome(build, lay, slope, name, facts, **CAPPED.get(name, {}))
    assert torch.tensor([value, *metrics.values(), *(x for row in slopes for x in row)]).isfinite().all()


@pytest.mark.parametrize("average", ["token", "rollout", "constant", "group"])
def test_parts_of_a_batch_add_up_to_the_whole(build, lay, average):
    names = LABELS if average == "group" else RATIO
    facts = some()
    new, advantages = facts.pop("new"), facts.pop("advantages")
    batch = build(**facts, valid=[True] * 7 + [False] + [True] * 2)
    advantage_T = lay(advantages, batch).detach()
    # The second group apart from the others
    parts = [replace(batch, valid_N=batch.valid_N & (batch.group_N == 1)), replace(batch, valid_N=batch.valid_N & (batch.group_N != 1))]
    for name in names:
        chosen = options(name, aggregation=average)
        full = LOSSES[name](lay(new, batch), batch, advantage_T, chosen)[0]
        total = sum(LOSSES[name](lay(new, batch), part, advantage_T, chosen)[0] * loss_weight(part, batch, average) for part in parts)
        assert total.item() == pytest.approx(full.item(), rel=1e-5), name


def test_value_loss_ignores_what_carries_no_loss(build, lay, slope):
    bare = build([1, 0], logprobs=[[-1, -1], [-1]], value=[[0.5, 0.1], [0.3]], gaps=False)
    padded = build([1, 0, 1], [0, 0, 0], [[-1, -1], [-1], [-1]], value=[[0.5, 0.1], [0.3], [0.0]], valid=[True, True, False])
    targets, new = [[1, 0], [0.6]], [[0.9, 0.4], [0.2]]

    def loss(batch, return_T):
        return lambda new_logprobs_T: value_loss(new_logprobs_T, batch, return_T, ValueOptions())

    expected = slope(loss(bare, lay(targets, bare).detach()), new, bare)
    assert slope(loss(padded, lay([*targets, [9]], padded).detach()), [*new, [7]], padded) == rows([*expected, [0]])


def test_the_loss_of_grpo_written_out(build, lay, slope):
    """Advantage and loss together, as one formula: the mean over tokens of -A, each 1/4 of sqrt(3) and -1 / sqrt(3)."""
    batch = build([1, 0, 0, 0])
    advantage_T = ADVANTAGES["grpo"](batch, ADVANTAGES["grpo"].options())
    slopes = slope(lambda new_logprobs_T: LOSSES["pg_clip"](new_logprobs_T, batch, advantage_T, options("pg_clip")), [[-1]] * 4, batch)
    assert slopes == rows([[-sqrt(3) / 4], [1 / sqrt(3) / 4], [1 / sqrt(3) / 4], [1 / sqrt(3) / 4]])
