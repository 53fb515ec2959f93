"""Losses over rollouts of several policies, against numbers computed by hand."""

from __future__ import annotations

from dataclasses import replace
from math import exp, log

import pytest
from train.loss_cases import with_reference
from train.policies import LOGITS, approximate_rows

from rlgym.train.losses import LOSSES
from rlgym.train.losses.mixed_policy import MixedPolicyOptions, mixed_policy_loss

torch = pytest.importorskip("torch", reason="the trainer needs torch")


# Other sources


def plain(name="pg_clip"):
    return lambda new_logprobs_T, batch, advantage_T: LOSSES[name](
        new_logprobs_T, with_reference(name, batch), advantage_T, LOSSES[name].options()
    )


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
    assert slope(loss, new, batch) == approximate_rows([[-2 * 0.1 * 0.2 / 0.09 / 3], [-2 * 0.1 * 0.5 / 0.36 / 3], [1 / 3]])
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
    assert slope(loss, new, batch) == approximate_rows([[-gain / 2], [1 / 2]])
    flat = slope(
        lambda new_logprobs_T: mixed_policy_loss(
            new_logprobs_T, batch, advantage_T, plain(), MixedPolicyOptions(weighting="multiple", focal_power=0)
        ),
        new,
        batch,
    )
    assert flat == approximate_rows([[-0.5 * 2 / 2], [1 / 2]])


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

    assert slope(loss(batch, 5), new, batch) == approximate_rows([*slope(loss(bare, 3), new[:3], bare), [0], [0]])


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
