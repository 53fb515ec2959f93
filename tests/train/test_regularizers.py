"""What goes around advantage and loss, against numbers computed by hand and by enumeration."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import product
from math import exp, log

import pytest

from rlgym.train.advantages import ADVANTAGES
from rlgym.train.data.segment_sums import used_T
from rlgym.train.losses import LOSSES
from rlgym.train.losses.mixed_policy import MixedPolicyOptions, hint_free_ratio, mixed_policy_loss
from rlgym.train.registry import OptionError
from rlgym.train.regularizers.entropy import EntropyMaskOptions, EntropyOptions, entropy_bonus, entropy_mask
from rlgym.train.regularizers.kl import KlOptions, kl_penalty, kl_T
from rlgym.train.regularizers.reference_reset import ResetOptions, reset_due
from rlgym.train.rewards.calibration import brier, calibration_error
from rlgym.train.rewards.noise_correction import backward_correction, false_negative_rate, forward_correction
from rlgym.train.rewards.overlong import OverlongOptions, soft_overlong
from rlgym.train.tasks.hints import HintOptions, truncate_explanation

torch = pytest.importorskip("torch", reason="the trainer needs torch")

LOGITS, REFERENCE = [0.2, -0.1, 0.3], [-0.5, 0.4, 0.6]
KINDS = ("k1", "k2", "k3")


def rows(expected):
    return [pytest.approx(row, rel=1e-4, abs=1e-6) for row in expected]


def divergence(first, second):
    return (first.exp() * (first - second)).sum()


def learned(batch):
    """For each rollout, which of its sampled tokens carry loss."""
    kept = used_T(batch).tolist()
    return [[kept[t] for t in range(len(kept)) if int(batch.rollout_T[t]) == n and kept[t]] for n in range(len(batch.reward_N))]


# Divergence from the reference


def test_estimates_of_the_divergence(build, lay, seen):
    batch = build([1, 0], logprobs=[[-1, -1], [-1]], reference=[[-1.5, -1], [-0.5]])
    new_logprobs_T = lay([[-1, -1.2], [-1]], batch)
    separate = [[0.5, -0.2], [-0.5]]
    assert seen(kl_T(new_logprobs_T, batch, "k1").detach(), batch) == rows(separate)
    assert seen(kl_T(new_logprobs_T, batch, "k2").detach(), batch) == rows([[d * d / 2 for d in row] for row in separate])
    assert seen(kl_T(new_logprobs_T, batch, "k3").detach(), batch) == rows([[exp(-d) - 1 + d for d in row] for row in separate])


def test_the_penalty_is_the_weighed_mean(build, lay, slope):
    batch = build([1, 0], logprobs=[[-1, -1], [-1]], reference=[[-1.5, -1], [-0.5]])
    new = [[-1, -1.2], [-1]]

    def loss(kind, **given):
        return lambda new_logprobs_T: kl_penalty(new_logprobs_T, batch, KlOptions.from_dict({"estimator": kind, "coef": 0.1, **given}))

    value, metrics = loss("k2")(lay(new, batch))
    assert value.item() == pytest.approx(0.1 * (0.125 + 0.02 + 0.125) / 3)
    assert metrics["kl_k2"].item() == pytest.approx((0.125 + 0.02 + 0.125) / 3)
    assert loss("k2", aggregation="rollout")(lay(new, batch))[0].item() == pytest.approx(0.1 * ((0.125 + 0.02) / 2 + 0.125) / 2)
    # Derivatives: 1, d, and 1 - e^-d
    assert slope(loss("k1"), new, batch) == rows([[0.1 / 3] * 2, [0.1 / 3]])
    assert slope(loss("k2"), new, batch) == rows([[0.1 * 0.5 / 3, 0.1 * -0.2 / 3], [0.1 * -0.5 / 3]])
    assert slope(loss("k3"), new, batch) == rows([[0.1 * (1 - exp(-0.5)) / 3, 0.1 * (1 - exp(0.2)) / 3], [0.1 * (1 - exp(0.5)) / 3]])


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_estimates_are_on_average(build, kind):
    policy, reference = torch.tensor(LOGITS).log_softmax(0), torch.tensor(REFERENCE).log_softmax(0)
    batch = build([0] * 3, logprobs=[[x] for x in policy.tolist()], reference=[[x] for x in reference.tolist()], gaps=False)
    estimate_T = kl_T(policy, batch, kind)
    mean = float((policy.exp() * estimate_T).sum())
    true = float(divergence(policy, reference))
    if kind == "k2":
        assert abs(mean - true) > 1e-4
    else:
        assert mean == pytest.approx(true, abs=1e-6)
    assert (estimate_T >= 0).all() == (kind != "k1")


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_gradients_of_the_penalty_are_on_average(step, kind):
    """k1: nothing; k2: that of KL(policy || reference); k3: that of KL(reference || policy)."""
    slope = step(
        lambda new_logprobs_T, batch: kl_penalty(new_logprobs_T, batch, KlOptions(estimator=kind, coef=2.0))[0],
        LOGITS,
        [0, 0, 0],
        1,
        reference=REFERENCE,
    )
    leaf = torch.tensor(LOGITS, requires_grad=True)
    policy, reference = leaf.log_softmax(0), torch.tensor(REFERENCE).log_softmax(0)
    expected = {"k1": 0 * policy.sum(), "k2": divergence(policy, reference), "k3": divergence(reference, policy)}[kind]
    (2 * expected).backward()
    assert slope.tolist() == pytest.approx(leaf.grad.tolist(), abs=1e-6)


@pytest.mark.parametrize("kind", ["k2", "k3"])
def test_a_step_goes_towards_the_reference(step, kind):
    slope = step(
        lambda new_logprobs_T, batch: kl_penalty(new_logprobs_T, batch, KlOptions(estimator=kind))[0],
        LOGITS,
        [0, 0, 0],
        1,
        reference=REFERENCE,
    )
    before, after = torch.tensor(LOGITS), torch.tensor(LOGITS) - 10 * slope
    reference = torch.tensor(REFERENCE).log_softmax(0)
    assert divergence(after.log_softmax(0), reference) < divergence(before.log_softmax(0), reference)


def test_the_divergence_in_the_reward_has_the_gradient_of_the_divergence(step):
    """k1 taken off the reward, as in `reinforce_pp`, before the standardisation."""

    def loss(new_logprobs_T, batch):
        return ((batch.old_logprobs_T - batch.ref_logprobs_T) * new_logprobs_T).sum()

    leaf = torch.tensor(LOGITS, requires_grad=True)
    divergence(leaf.log_softmax(0), torch.tensor(REFERENCE).log_softmax(0)).backward()
    assert step(loss, LOGITS, [0, 0, 0], 1, reference=REFERENCE).tolist() == pytest.approx(leaf.grad.tolist(), abs=1e-6)
    weigh = ADVANTAGES["reinforce_pp"]
    slope = step(
        lambda new_logprobs_T, batch: -(weigh(batch, weigh.options(kl_coef=1.0)) * new_logprobs_T).sum(),
        LOGITS,
        [0, 0, 0],
        3,
        reference=REFERENCE,
    )
    assert torch.nn.functional.cosine_similarity(slope, leaf.grad, 0) > 0.9


@pytest.mark.parametrize("kind", KINDS)
def test_what_carries_no_loss_has_no_divergence(build, lay, slope, kind):
    batch = build([1, 0, 1], logprobs=[[-1, -1], [-1], [-1]], reference=[[-1.5, -1], [-0.5], [-9]], valid=[True, True, False])
    bare = build([1, 0], logprobs=[[-1, -1], [-1]], reference=[[-1.5, -1], [-0.5]], gaps=False)
    new = [[-1, -1.2], [-1], [float("nan")]]
    expected = slope(lambda new_logprobs_T: kl_penalty(new_logprobs_T, bare, KlOptions(estimator=kind)), new[:2], bare)
    assert slope(lambda new_logprobs_T: kl_penalty(new_logprobs_T, batch, KlOptions(estimator=kind)), new, batch) == rows([*expected, [0]])


@pytest.mark.parametrize("kind", KINDS)
def test_a_divergence_needs_a_reference_and_stays_finite(build, lay, kind):
    with pytest.raises(OptionError, match="reference"):
        kl_T(lay([[-1]], build([1])), build([1]), kind)
    distant = build([1], reference=[[-5000.0]])
    assert kl_T(lay([[-1]], distant), distant, kind).isfinite().all()


# Entropy


def test_the_entropy_bonus_is_the_weighed_mean(build, lay, slope):
    batch = build([1, 0, 1], logprobs=[[-1, -1], [-1], [-1]], valid=[True, True, False])
    value, metrics = entropy_bonus(lay([[0.5, 1], [3], [7]], batch), batch, EntropyOptions(coef=0.1))
    assert value.item() == pytest.approx(-0.1 * 1.5)
    assert metrics["entropy"].item() == pytest.approx(1.5)
    assert entropy_bonus(lay([[0.5, 1], [3], [7]], batch), batch, EntropyOptions(coef=0.1, aggregation="rollout"))[
        0
    ].item() == pytest.approx(-0.1 * (0.75 + 3) / 2)
    assert slope(lambda x_T: entropy_bonus(x_T, batch, EntropyOptions(coef=0.1)), [[0.5, 1], [3], [7]], batch) == rows(
        [[-0.1 / 3] * 2, [-0.1 / 3], [0]]
    )


@pytest.mark.parametrize(("weight", "rises"), [(0.1, True), (-0.1, False)])
def test_the_entropy_bonus_spreads_or_sharpens(build, weight, rises):
    batch = build([1], gaps=False)
    leaf = torch.tensor(LOGITS, requires_grad=True)

    def entropy(logits):
        return -(logits.softmax(0) * logits.log_softmax(0)).sum()

    entropy_bonus(entropy(leaf).reshape(1), batch, EntropyOptions(coef=weight))[0].backward()
    with torch.no_grad():
        assert (entropy(leaf - leaf.grad) > entropy(leaf)) == rises


def test_only_the_tokens_of_highest_entropy_learn(build, lay):
    batch = build([1, 0, 1], logprobs=[[-1] * 4, [-1] * 6, [-1] * 2], valid=[True, True, False])
    entropies = [[0.1, 2.0, 0.3, 0.4], [0.5, 1.0, 0.6, 0.2, 0.0, 0.7], [9.0, 9.0]]
    entropy_T = lay(entropies, batch)
    # A fifth of ten tokens: 2.0 and 1.0
    kept = entropy_mask(entropy_T, batch, EntropyMaskOptions())
    assert entropy_T[used_T(kept)].tolist() == [2.0, 1.0]
    assert entropy_T[used_T(entropy_mask(entropy_T, batch, EntropyMaskOptions(top_fraction=0.5)))].tolist() == pytest.approx(
        [2.0, 0.5, 1.0, 0.6, 0.7]
    )
    assert torch.equal(used_T(entropy_mask(entropy_T, batch, EntropyMaskOptions(top_fraction=1))), used_T(batch))
    assert int(used_T(entropy_mask(entropy_T, batch, EntropyMaskOptions(top_fraction=0.001))).sum()) == 1
    assert all(getattr(kept, field.name) is getattr(batch, field.name) for field in fields(batch) if field.name != "loss_mask_T")


def test_equal_entropies_are_kept_together(build, lay):
    batch = build([1], logprobs=[[-1] * 5])
    assert int(used_T(entropy_mask(lay([[1, 1, 1, 0, 0]], batch), batch, EntropyMaskOptions(top_fraction=0.2))).sum()) == 3


def test_masked_tokens_take_no_part_in_loss_or_average(build, lay, slope):
    batch = build([1], logprobs=[[-1] * 5])
    kept = entropy_mask(lay([[0, 1, 0, 0, 0]], batch), batch, EntropyMaskOptions(top_fraction=0.2))
    advantage_T = lay([[1] * 5], batch).detach()
    loss = LOSSES["pg_clip"]
    new_logprobs_T = lay([[-1] * 5], batch)
    loss(new_logprobs_T, kept, advantage_T, loss.options())[0].backward()
    assert new_logprobs_T.grad[batch.loss_mask_T].tolist() == [0, -1, 0, 0, 0]


def test_a_batch_without_tokens_has_nothing_to_mask(build, lay):
    batch = build([1], valid=[False])
    assert entropy_mask(lay([[1]], batch), batch, EntropyMaskOptions()) is batch


# Filters


def test_the_soft_penalty_falls_along_the_margin():
    lengths = torch.tensor([0, 80, 85, 90, 95, 100, 500])
    # 100 tokens at most, falling from 80 on
    assert soft_overlong(lengths, OverlongOptions(max_tokens=100, buffer_tokens=20)).tolist() == pytest.approx(
        [0, 0, -0.25, -0.5, -0.75, -1, -1]
    )
    assert soft_overlong(lengths, OverlongOptions(max_tokens=100, buffer_tokens=20, penalty=0.4)).tolist() == pytest.approx(
        [0, 0, -0.1, -0.2, -0.3, -0.4, -0.4]
    )


def test_the_margin_of_the_soft_penalty_fits_below_its_end():
    with pytest.raises(OptionError, match="buffer_tokens"):
        OverlongOptions.from_dict({"max_tokens": 10, "buffer_tokens": 11})
    assert soft_overlong(torch.tensor([0]), OverlongOptions(max_tokens=10, buffer_tokens=10)).tolist() == [0]


# Reference reset


def test_a_reset_is_due_when_scores_stall():
    due = ResetOptions(patience=2)
    assert not reset_due([], 0.0, due)
    assert not reset_due([0.5], 0.0, due)
    assert not reset_due([0.5, 0.4], 0.0, due)
    assert reset_due([0.5, 0.4, 0.5], 0.0, due)
    assert not reset_due([0.5, 0.4, 0.51], 0.0, due)
    assert reset_due([0.5, 0.6, 0.6, 0.6], 0.0, due)
    assert reset_due([0.5, 0.51, 0.52], 0.0, ResetOptions(patience=2, min_delta=0.05))
    assert not reset_due([0.5, 0.4, 0.5], 0.0, ResetOptions())


def test_a_reset_is_due_when_the_policy_is_far_away():
    assert reset_due([0.5], 0.31, ResetOptions(max_kl=0.3))
    assert not reset_due([0.5], 0.3, ResetOptions(max_kl=0.3))
    assert not reset_due([0.5], 99.0, ResetOptions())


# Hints


def test_hints_grow_and_never_show_the_last_step():
    steps = ["a", "b", "c", "d"]
    assert [truncate_explanation(steps, stage, HintOptions()) for stage in range(5)] == ["a", "a\nb", "a\nb\nc", "a\nb\nc", "a\nb\nc"]
    assert truncate_explanation(steps, 0, HintOptions(fractions=(1.0,))) == "a\nb\nc"
    assert truncate_explanation(["a", "b"], 0, HintOptions(fractions=(0.01,))) == "a"
    assert truncate_explanation(["a"], 0, HintOptions()) == truncate_explanation([], 2, HintOptions()) == ""


@pytest.mark.parametrize("shares", [(0.0,), (0.5, 1.5), (-0.1,)])
def test_hints_refuse_what_is_no_share(shares):
    with pytest.raises(OptionError, match="fractions"):
        HintOptions.from_dict({"fractions": shares})
    with pytest.raises(OptionError, match="stage"):
        truncate_explanation(["a"], -1, HintOptions())


def test_hinted_rollouts_are_compared_with_the_policy_that_saw_the_hint(build, lay, slope):
    # The policy says the right token with probability 1/8 without the hint, and said it with 1/2 when it had the hint
    batch = build([1, 0], logprobs=[[log(1 / 8)], [log(1 / 4)]], sampled=[[log(1 / 2)], [log(1 / 4) + 0.1]], hinted=[True, False])
    free = hint_free_ratio(batch)
    assert free.old_logprobs_T[free.loss_mask_T].tolist() == pytest.approx([log(1 / 2), log(1 / 4)])
    loss, advantage_T = LOSSES["pg_clip"], lay([[1], [-1]], batch).detach()
    slopes = slope(
        lambda new_logprobs_T: loss(new_logprobs_T, free, advantage_T, loss.options(clip_low=1.0)), [[log(1 / 8)], [log(1 / 4)]], batch
    )
    assert slopes == rows([[-(1 / 8) / (1 / 2) / 2], [1 / 2]])
    assert hint_free_ratio(replace(batch, hinted_N=None)).old_logprobs_T is batch.old_logprobs_T


# Other sources


def plain(name="pg_clip"):
    return lambda new_logprobs_T, batch, advantage_T: LOSSES[name](new_logprobs_T, batch, advantage_T, LOSSES[name].options())


def test_rollouts_of_another_source_are_shaped(build, lay, slope):
    # The first source is not known: its probability counts as 1. The second said the token with 1/2
    batch = build([1, 1, 0], logprobs=[[log(0.3)], [log(0.25)], [-1]], sampled=[[0], [log(0.5)], [-1]], oracle=[True, True, False])
    advantage_T = lay([[2], [2], [-1]], batch).detach()
    new = [[log(0.2)], [log(0.25)], [-1]]

    def loss(new_logprobs_T):
        return mixed_policy_loss(new_logprobs_T, batch, advantage_T, plain(), MixedPolicyOptions(gamma=0.1))

    value, metrics = loss(lay(new, batch))
    # f(0.2) = 0.2 / 0.3, f(0.5) = 0.5 / 0.6; own: ratio 1
    assert value.item() == pytest.approx((-2 * 2 / 3 - 2 * 5 / 6 + 1) / 3)
    # d f / d log = gamma ratio / (ratio + gamma)^2
    assert slope(loss, new, batch) == rows([[-2 * 0.1 * 0.2 / 0.09 / 3], [-2 * 0.1 * 0.5 / 0.36 / 3], [1 / 3]])
    assert metrics["oracle_tokens"] == 2
    assert metrics["oracle_loss"].item() == pytest.approx((-2 * 2 / 3 - 2 * 5 / 6) / 2)


def test_shaping_pulls_most_where_the_policy_is_unsure(build, lay, slope):
    batch = build([1] * 3, sampled=[[0]] * 3, oracle=[True] * 3)
    pulls = [
        -row[0]
        for row in slope(
            lambda new_logprobs_T: mixed_policy_loss(
                new_logprobs_T, batch, lay([[1]] * 3, batch).detach(), plain(), MixedPolicyOptions(gamma=0.1)
            ),
            [[log(0.1)], [log(0.5)], [log(0.99)]],
            batch,
        )
    ]
    assert pulls == sorted(pulls, reverse=True)


def test_rollouts_of_another_source_are_weighed_by_both_policies(build, lay, slope):
    batch = build([1, 0], logprobs=[[log(0.3)], [-1]], sampled=[[log(0.5)], [-1]], oracle=[True, False])
    advantage_T = lay([[2], [-1]], batch).detach()
    new = [[log(0.2)], [-1]]

    def loss(new_logprobs_T):
        return mixed_policy_loss(new_logprobs_T, batch, advantage_T, plain(), MixedPolicyOptions(weighting="multiple", focal_power=2))

    # 2 * 0.2 / (0.5 + 0.3) times 2 * (1 - 0.2)^2; the second factor is held fixed
    gain = 0.5 * 2 * 0.64
    assert loss(lay(new, batch))[0].item() == pytest.approx((-gain + 1) / 2)
    assert slope(loss, new, batch) == rows([[-gain / 2], [1 / 2]])
    flat = slope(
        lambda new_logprobs_T: mixed_policy_loss(
            new_logprobs_T, batch, advantage_T, plain(), MixedPolicyOptions(weighting="multiple", focal_power=0)
        ),
        new,
        batch,
    )
    assert flat == rows([[-0.5 * 2 / 2], [1 / 2]])


@pytest.mark.parametrize("average", ["token", "rollout", "constant"])
@pytest.mark.parametrize("kind", ["shaped", "multiple"])
def test_own_and_other_rollouts_share_one_average(build, lay, average, kind):
    batch = build([1, 1, 0], logprobs=[[-1] * 3, [-1], [-2]], sampled=[[-1] * 3, [-1], [-1]], oracle=[True, False, False])
    advantage_T = lay([[1] * 3, [1], [-1]], batch).detach()
    loss = LOSSES["pg_clip"]

    def own(new_logprobs_T, part, advantage_T):
        return loss(new_logprobs_T, part, advantage_T, loss.options.from_dict({"aggregation": average, "aggregation_constant": 4}))

    value = mixed_policy_loss(
        lay([[-1] * 3, [-1], [-2]], batch),
        batch,
        advantage_T,
        own,
        MixedPolicyOptions(weighting=kind, aggregation=average, aggregation_constant=4),
    )[0]
    gain = 1 / 1.1 if kind == "shaped" else (1 - exp(-1)) ** 2
    expected = {"token": (-3 * gain - 1 + 1) / 5, "rollout": (-gain - 1 + 1) / 3, "constant": (-3 * gain / 4 - 1 / 4 + 1 / 4) / 3}
    assert value.item() == pytest.approx(expected[average], rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("kind", ["shaped", "multiple"])
def test_a_step_raises_what_a_good_source_wrote(build, kind):
    leaf = torch.tensor(LOGITS, requires_grad=True)
    batch = build([1, 0], logprobs=[[-2], [-1]], tokens=[[1], [0]], sampled=[[0], [-1]], oracle=[True, False], gaps=False)
    advantage_T = torch.tensor([0.5, -0.5])
    mixed_policy_loss(leaf.log_softmax(0)[batch.tokens_T], batch, advantage_T, plain("cispo"), MixedPolicyOptions(weighting=kind))[
        0
    ].backward()
    change = ((leaf - 0.01 * leaf.grad).log_softmax(0) - leaf.log_softmax(0)).tolist()
    assert change[1] > 0 > change[0]


@pytest.mark.parametrize("kind", ["shaped", "multiple"])
@pytest.mark.parametrize("name", LOSSES)
def test_mixing_leaves_out_what_carries_no_loss(build, lay, slope, kind, name):
    groups = [0] * 5
    batch = build(
        [1, 0, 1, 0, 1],
        groups,
        [[-1, -1], [-1], [-1], [-1], [-1]],
        sampled=[[0, 0], [-1], [-1], [0], [-1]],
        oracle=[True, False, False, True, False],
        valid=[True, True, True, False, False],
    )
    bare = build([1, 0, 1], groups[:3], [[-1, -1], [-1], [-1]], sampled=[[0, 0], [-1], [-1]], oracle=[True, False, False], gaps=False)
    advantages, new = [[1, 2], [-1], [0.5], [float("nan")], [9]], [[-1.5, -0.5], [-1.1], [-0.9], [float("nan")], [-1]]

    def loss(part, count):
        return lambda new_logprobs_T: mixed_policy_loss(
            new_logprobs_T, part, lay(advantages[:count], part).detach(), plain(name), MixedPolicyOptions(weighting=kind)
        )

    assert slope(loss(batch, 5), new, batch) == rows([*slope(loss(bare, 3), new[:3], bare), [0], [0]])


@pytest.mark.parametrize("kind", ["shaped", "multiple"])
def test_words_that_no_source_would_say_stay_finite(build, lay, slope, kind):
    batch = build([1], logprobs=[[-200.0]], sampled=[[-200.0]], oracle=[True])
    for new in (-200.0, -1.0):
        slopes = slope(
            lambda new_logprobs_T: mixed_policy_loss(
                new_logprobs_T, batch, lay([[1]], batch).detach(), plain(), MixedPolicyOptions(weighting=kind)
            ),
            [[new]],
            batch,
        )
        assert torch.tensor(slopes).isfinite().all()
        assert slopes[0][0] < 0 or new > -200


def test_without_other_sources_the_loss_is_as_it_was(build, lay):
    batch = build([1, 0])
    advantage_T = lay([[1], [-2]], batch).detach()
    new = [[-0.9], [-1.1]]
    expected = plain()(lay(new, batch), batch, advantage_T)[0].item()
    assert mixed_policy_loss(lay(new, batch), batch, advantage_T, plain(), MixedPolicyOptions())[0].item() == expected
    none_of_them = replace(batch, oracle_N=torch.tensor([False, False]))
    assert mixed_policy_loss(lay(new, batch), none_of_them, advantage_T, plain(), MixedPolicyOptions())[0].item() == pytest.approx(expected)


# Verifiers that err


def noisy(true, false_positive, false_negative):
    """The rewards that a verifier may give for a true one, with their chances."""
    passed = 1 - false_negative if true else false_positive
    return [(1.0, passed), (0.0, 1 - passed)]


@pytest.mark.parametrize(("false_positive", "false_negative"), [(0, 0), (0.1, 0.3), (0.4, 0.2)])
def test_backward_is_right_on_average(false_positive, false_negative):
    for true in (0, 1):
        seen = noisy(true, false_positive, false_negative)
        corrected = backward_correction(torch.tensor([r for r, _ in seen]), false_positive, false_negative).tolist()
        assert sum(x * chance for x, (_, chance) in zip(corrected, seen)) == pytest.approx(true, abs=1e-6)
    # (1 - 0.1) / 0.6 and (0 - 0.1) / 0.6
    assert backward_correction(torch.tensor([1.0, 0.0]), 0.1, 0.3).tolist() == pytest.approx([1.5, -1 / 6])


@pytest.mark.parametrize(("false_positive", "false_negative"), [(0, 0), (0.1, 0.3), (0.4, 0.2)])
def test_forward_is_the_clean_update_scaled(false_positive, false_negative):
    remaining = 1 - false_positive - false_negative
    for true in (0, 1):
        seen = noisy(true, false_positive, false_negative)
        weights = forward_correction(torch.tensor([r for r, _ in seen]), false_negative).tolist()
        assert sum(w * chance for w, (_, chance) in zip(weights, seen)) == pytest.approx(remaining * (true - 1), abs=1e-6)
    assert forward_correction(torch.tensor([1.0, 0.0]), 0.3).tolist() == pytest.approx([0.3, -0.7])


def test_corrections_restore_the_gradient_where_rates_differ_between_tasks(build, true_slope):
    """Two tasks, one policy: on the first wrong answers often pass, on the second right ones often fail."""
    rates, paid = [(0.5, 0.0), (0.0, 0.4)], [[0, 1, 0], [1, 0, 0]]
    log_chance = torch.tensor(LOGITS).log_softmax(0)
    true = true_slope(LOGITS, paid[0]) + true_slope(LOGITS, paid[1])
    found = {"naive": torch.zeros(3), "backward": torch.zeros(3), "forward": torch.zeros(3)}
    scaled = torch.zeros(3)
    for task, action in product((0, 1), range(3)):
        score = torch.eye(3)[action] - log_chance.exp()
        for reward, chance in noisy(paid[task][action], *rates[task]):
            weigh = float(log_chance[action].exp()) * chance * score
            seen = torch.tensor([reward])
            found["naive"] += reward * weigh
            found["backward"] += float(backward_correction(seen, *rates[task])) * weigh
            # Rates for each rollout, one of them without a reward
            found["forward"] += (
                float(forward_correction(torch.tensor([float("nan"), reward]), torch.tensor([0.2, rates[task][1]]))[1]) * weigh
            )
    for task in (0, 1):
        scaled += (1 - sum(rates[task])) * true_slope(LOGITS, paid[task])
    assert found["backward"].tolist() == pytest.approx(true.tolist(), abs=1e-6)
    assert found["forward"].tolist() == pytest.approx(scaled.tolist(), abs=1e-6)
    assert torch.nn.functional.cosine_similarity(found["naive"], true, 0) < 0.999


def test_a_reward_that_is_missing_stays_missing():
    assert backward_correction(torch.tensor([1.0, float("nan")]), 0.0, 0.5).isnan().tolist() == [False, True]
    assert forward_correction(torch.tensor([1.0, float("nan")]), 0.5).isnan().tolist() == [False, True]


def test_dividing_by_the_standard_deviation_undoes_a_correction(build):
    batch = build([1, 0, 0, 1, 0])
    corrected = replace(batch, reward_N=backward_correction(batch.reward_N, 0.1, 0.3))
    for name, changed in (("grpo", False), ("rloo", True), ("dr_grpo", True)):
        weigh = ADVANTAGES[name]
        assert torch.allclose(weigh(batch, weigh.options()), weigh(corrected, weigh.options()), atol=1e-4) != changed


def test_rates_that_cannot_be_are_refused():
    reward = torch.tensor([1.0])
    with pytest.raises(OptionError, match="sum to 1"):
        backward_correction(reward, 0.6, 0.4)
    for rate in (-0.1, 1.1, torch.tensor([1.5])):
        with pytest.raises(OptionError, match="from 0 to 1"):
            backward_correction(reward, rate, 0.0)
        with pytest.raises(OptionError, match="from 0 to 1"):
            forward_correction(reward, rate)


def test_an_appeal_estimates_the_rate_of_false_negatives():
    # 5 of 50 rechecked were right, so 20 of the 200 refused: 20 of 20 + 80
    assert false_negative_rate(overturned=5, rechecked=50, refused=200, accepted=80) == pytest.approx(0.2)
    assert false_negative_rate(0, 0, 200, 80) == 0
    assert false_negative_rate(0, 0, 0, 0) == 0
    assert false_negative_rate(3, 3, 3, 0) == 1
    for wrong in [(6, 5, 9, 0), (1, 5, 4, 0), (-1, 5, 9, 0), (1, 2, 3, -1)]:
        with pytest.raises(OptionError, match="overturned"):
            false_negative_rate(*wrong)


# Confidence


def test_brier_rewards():
    right, confidence = torch.tensor([1, 1, 0, 0]), torch.tensor([0.9, 0.0, 0.8, 0.0])
    # 1 - 0.1^2, 1 - 1, 0 - 0.8^2, 0
    assert brier(right, confidence, scaled=False).tolist() == pytest.approx([0.99, 0, -0.64, 0])
    assert brier(right, confidence).tolist() == pytest.approx([0.995, 0.5, 0.18, 0.5])


@pytest.mark.parametrize("chance", [0.0, 0.2, 0.5, 0.73, 1.0])
@pytest.mark.parametrize("scaled", [True, False])
def test_stating_the_true_chance_pays_best(chance, scaled):
    stated = torch.linspace(0, 1, 101)
    paid = chance * brier(torch.ones(101), stated, scaled) + (1 - chance) * brier(torch.zeros(101), stated, scaled)
    assert float(stated[paid.argmax()]) == pytest.approx(chance, abs=1e-6)


def test_a_right_answer_is_never_worth_less_than_a_wrong_one():
    stated = torch.linspace(0, 1, 11)
    assert brier(torch.ones(11), stated).min() >= brier(torch.zeros(11), stated).max()


@pytest.mark.parametrize("confidence", [-0.1, 1.01])
def test_confidences_outside_their_range_are_refused(confidence):
    with pytest.raises(OptionError, match="from 0 to 1"):
        brier(torch.tensor([1.0]), torch.tensor([confidence]))


def test_the_calibration_error_by_hand():
    right, confidence = torch.tensor([1, 0, 1, 1]), torch.tensor([0.95, 0.95, 0.25, 1.0])
    # The last bin: 3 rollouts, 2 right, confidence 2.9; another: 1 right, 0.25
    assert calibration_error(right, confidence) == pytest.approx((abs(2 - 2.9) + abs(1 - 0.25)) / 4)
    assert calibration_error(torch.tensor([1, 0]), torch.tensor([0.5, 0.5]), bins=1) == 0
    assert calibration_error(torch.tensor([]), torch.tensor([])) == 0
