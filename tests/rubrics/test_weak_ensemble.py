"""Weak verifiers with planted rates: what is estimated without labels, and what the ensemble gains."""

import numpy as np
import pytest

from rlgym.rubrics.weak_ensemble import WeakVerifiersError, fit_weak_ensemble

PLANTED = {"strict": (0.55, 0.97), "lenient": (0.95, 0.6), "fair": (0.8, 0.8), "poor": (0.6, 0.55), "good": (0.85, 0.9)}


def sampled(seed=0, count=4000, share=0.4):
    rng = np.random.default_rng(seed)
    right = rng.random(count) < share
    scores = {}
    for name, (sensitivity, specificity) in PLANTED.items():
        accepted = np.where(right, rng.random(count) < sensitivity, rng.random(count) > specificity)
        scores[name] = np.where(accepted, 0.6, 0.1) + 0.3 * rng.random(count)
    return right, scores


def test_planted_rates_are_found_without_labels():
    right, scores = sampled()
    ensemble = fit_weak_ensemble(scores)
    assert ensemble.prior == pytest.approx(right.mean(), abs=0.05)
    for name, (sensitivity, specificity) in PLANTED.items():
        assert ensemble.rates[name].sensitivity == pytest.approx(sensitivity, abs=0.06)
        assert ensemble.rates[name].specificity == pytest.approx(specificity, abs=0.06)


def test_the_ensemble_selects_better_than_a_vote_and_than_its_best_member():
    right, scores = sampled(1)
    posterior = np.array(fit_weak_ensemble(scores).posterior(scores))
    votes = np.mean([np.asarray(each) > 0.5 for each in scores.values()], axis=0)
    accuracy = ((posterior > 0.5) == right).mean()
    assert accuracy > ((votes > 0.5) == right).mean() + 0.005
    assert accuracy > max(((np.asarray(each) > 0.5) == right).mean() for each in scores.values())
    # A probability: of the responses with about 0.8, about four in five are right.
    middle = (posterior > 0.7) & (posterior < 0.9)
    assert right[middle].mean() == pytest.approx(posterior[middle].mean(), abs=0.08)


def test_verifiers_that_say_nothing_are_left_out_and_abstentions_are_no_votes():
    right, scores = sampled(2)
    plain = fit_weak_ensemble(scores).posterior(scores)
    constant = {**scores, "always": [1.0] * len(right), "logits": 10 * np.asarray(scores["fair"]) - 40}
    ensemble = fit_weak_ensemble(constant)
    assert ensemble.left_out == ("always",)
    assert ensemble.thresholds["logits"] < 0
    silent = {**scores, "absent": [float("nan")] * len(right)}
    assert fit_weak_ensemble(silent).left_out == ("absent",)
    assert fit_weak_ensemble(silent).posterior(silent) == pytest.approx(plain)


def test_scores_from_which_nothing_can_be_estimated_are_refused():
    _, scores = sampled(3, count=50)
    with pytest.raises(WeakVerifiersError, match="at least three"):
        fit_weak_ensemble({name: scores[name] for name in ("good", "fair")})
    with pytest.raises(WeakVerifiersError, match="each response"):
        fit_weak_ensemble({**scores, "short": [0.5]})
    with pytest.raises(WeakVerifiersError, match="prior"):
        fit_weak_ensemble(scores, prior=1.0)
    assert fit_weak_ensemble(scores, prior=0.4).prior == 0.4
