"""Corrections for verifiers that err and rewards for stated confidence, against numbers computed by hand and by enumeration."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from train.policies import LOGITS

from rlgym.train.advantages import ADVANTAGES
from rlgym.train.registry import OptionError
from rlgym.train.rewards.calibration import brier, calibration_error
from rlgym.train.rewards.noise_correction import backward_correction, false_negative_rate, forward_correction

torch = pytest.importorskip("torch", reason="the trainer needs torch")


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
