"""What goes around advantage and loss, against numbers computed by hand and by enumeration."""

from __future__ import annotations

from dataclasses import fields, replace
from math import exp, log

import pytest
from train.policies import LOGITS, REFERENCE, approximate_rows

from rlgym.train.advantages import ADVANTAGES
from rlgym.train.data.segment_sums import used_T
from rlgym.train.losses import LOSSES
from rlgym.train.losses.mixed_policy import hint_free_ratio
from rlgym.train.registry import OptionError
from rlgym.train.regularizers.entropy import EntropyMaskOptions, EntropyOptions, entropy_bonus, entropy_mask
from rlgym.train.regularizers.kl import KlOptions, kl_penalty, kl_T
from rlgym.train.regularizers.reference_reset import ResetOptions, reset_due
from rlgym.train.rewards.overlong import OverlongOptions, soft_overlong
from rlgym.train.tasks.hints import HintOptions, truncate_explanation

torch = pytest.importorskip("torch", reason="the trainer needs torch")


KINDS = ("k1", "k2", "k3")


def divergence(first, second):
    return (first.exp() * (first - second)).sum()


# Divergence from the reference


def test_estimates_of_the_divergence(build, lay, seen):
    batch = build([1, 0], logprobs=[[-1, -1], [-1]], reference=[[-1.5, -1], [-0.5]])
    new_logprobs_T = lay([[-1, -1.2], [-1]], batch)
    separate = [[0.5, -0.2], [-0.5]]
    assert seen(kl_T(new_logprobs_T, batch, "k1").detach(), batch) == approximate_rows(separate)
    assert seen(kl_T(new_logprobs_T, batch, "k2").detach(), batch) == approximate_rows([[d * d / 2 for d in row] for row in separate])
    assert seen(kl_T(new_logprobs_T, batch, "k3").detach(), batch) == approximate_rows([[exp(-d) - 1 + d for d in row] for row in separate])


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
    assert slope(loss("k1"), new, batch) == approximate_rows([[0.1 / 3] * 2, [0.1 / 3]])
    assert slope(loss("k2"), new, batch) == approximate_rows([[0.1 * 0.5 / 3, 0.1 * -0.2 / 3], [0.1 * -0.5 / 3]])
    assert slope(loss("k3"), new, batch) == approximate_rows(
        [[0.1 * (1 - exp(-0.5)) / 3, 0.1 * (1 - exp(0.2)) / 3], [0.1 * (1 - exp(0.5)) / 3]]
    )


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
    assert slope(lambda new_logprobs_T: kl_penalty(new_logprobs_T, batch, KlOptions(estimator=kind)), new, batch) == approximate_rows(
        [*expected, [0]]
    )


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
    assert slope(lambda x_T: entropy_bonus(x_T, batch, EntropyOptions(coef=0.1)), [[0.5, 1], [3], [7]], batch) == approximate_rows(
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
    assert slopes == approximate_rows([[-(1 / 8) / (1 / 2) / 2], [1 / 2]])
    assert hint_free_ratio(replace(batch, hinted_N=None)).old_logprobs_T is batch.old_logprobs_T
