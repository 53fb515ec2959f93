"""Losses against the true gradient of small policies, and under changes that mean nothing."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import pytest
from train.loss_cases import CAPPED, LABELS, RATIO, evaluate_loss, options, same, with_reference
from train.policies import LOGITS, PAID, approximate_rows

from rlgym.train.advantages import ADVANTAGES
from rlgym.train.losses import LOSSES, ValueOptions, loss_weight, value_loss

torch = pytest.importorskip("torch", reason="the trainer needs torch")

# The direction of the gradient, exactly, over all groups that a small policy may sample

FREE = {
    "pg_clip": {"clip_low": 1, "clip_high": 100},
    "gspo": {"clip_low": 1, "clip_high": 100},
    "cispo": {"clip_low": 1, "clip_high": 100},
    "dispo": {"positive_clip_low": 1, "positive_clip_high": 100, "negative_clip_low": 1, "negative_clip_high": 100},
}


def learning(name, advantage="rloo", **given):
    weigh = ADVANTAGES[advantage]

    def loss(new_logprobs_T, batch):
        return LOSSES[name](new_logprobs_T, with_reference(name, batch), weigh(batch, weigh.options()), options(name, **given))[0]

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
    return evaluate_loss(name, lay, slope, (batch, new, lay(advantages, batch).detach()), **given)


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
        full, *values = (LOSSES[name](lay(new, batch), with_reference(name, part), advantage_T, chosen)[0] for part in (batch, *parts))
        total = sum(value * loss_weight(part, batch, average) for value, part in zip(values, parts, strict=True))
        assert total.item() == pytest.approx(full.item(), rel=1e-5), name


def test_value_loss_ignores_what_carries_no_loss(build, lay, slope):
    bare = build([1, 0], logprobs=[[-1, -1], [-1]], value=[[0.5, 0.1], [0.3]], gaps=False)
    padded = build([1, 0, 1], [0, 0, 0], [[-1, -1], [-1], [-1]], value=[[0.5, 0.1], [0.3], [0.0]], valid=[True, True, False])
    targets, new = [[1, 0], [0.6]], [[0.9, 0.4], [0.2]]

    def loss(batch, return_T):
        return lambda new_logprobs_T: value_loss(new_logprobs_T, batch, return_T, ValueOptions())

    expected = slope(loss(bare, lay(targets, bare).detach()), new, bare)
    assert slope(loss(padded, lay([*targets, [9]], padded).detach()), [*new, [7]], padded) == approximate_rows([*expected, [0]])


def test_the_loss_of_grpo_written_out(build, lay, slope):
    """Advantage and loss together, as one formula: the mean over tokens of -A, each 1/4 of sqrt(3) and -1 / sqrt(3)."""
    batch = build([1, 0, 0, 0])
    advantage_T = ADVANTAGES["grpo"](batch, ADVANTAGES["grpo"].options())
    slopes = slope(lambda new_logprobs_T: LOSSES["pg_clip"](new_logprobs_T, batch, advantage_T, options("pg_clip")), [[-1]] * 4, batch)
    assert slopes == approximate_rows([[-sqrt(3) / 4], [1 / sqrt(3) / 4], [1 / sqrt(3) / 4], [1 / sqrt(3) / 4]])
