"""The numbers of an evaluation, against counting by hand."""

import itertools
import math

import numpy as np
import pytest
from evaluate import result_rows

from rlgym.evaluate.metrics.bootstrap import Resampling, estimates
from rlgym.evaluate.metrics.calibration import auroc, brier, calibration, expected_calibration_error
from rlgym.evaluate.metrics.failures import failures, kind_of
from rlgym.evaluate.metrics.majority import majority
from rlgym.evaluate.metrics.pass_at_k import best_of, pass_at, pass_at_each_k
from rlgym.evaluate.metrics.profile import interquartile_mean
from rlgym.evaluate.metrics.task_table import task_table
from rlgym.evaluate.report.summary import summary


def _mean(values):
    values = list(values)
    return sum(values) / len(values)


@pytest.mark.parametrize("samples", [1, 2, 5, 8])
def test_pass_at_k_is_the_mean_over_all_subsets(samples):
    for right in range(samples + 1):
        drawn = [True] * right + [False] * (samples - right)
        for k in range(1, samples + 1):
            assert pass_at(k, samples, right) == pytest.approx(_mean(any(subset) for subset in itertools.combinations(drawn, k)))


def test_pass_at_k_is_exact_for_a_thousand_samples():
    for right in (0, 1, 3, 511, 1023, 1024):
        found = pass_at_each_k(1024, right)
        for k in (1, 2, 100, 512, 1024):
            assert found[k - 1] == pytest.approx(1 - math.comb(1024 - right, k) / math.comb(1024, k), abs=1e-12)


def test_pass_at_more_than_there_are_is_refused():
    with pytest.raises(ValueError, match="from 1 to the 4"):
        pass_at(5, 4, 2)


def test_best_of_k_is_the_mean_highest_score_over_all_subsets():
    values = np.array([0.0, 0.5, 0.25, 1.0, 0.5, 0.0])
    for k in range(1, 7):
        assert best_of(k, values) == pytest.approx(_mean(max(subset) for subset in itertools.combinations(values, k)))


def _vote(subset):
    """One vote counted by hand: winners share."""
    answers = [answer for answer, _ in subset if answer is not None]
    if not answers:
        return 0.0
    most = max(answers.count(answer) for answer in answers)
    winners = {answer for answer in answers if answers.count(answer) == most}
    return _mean(any(good for found, good in subset if found == answer) for answer in winners)


@pytest.mark.parametrize(
    "answers", ["aabbc", "abcdef", "aaaaaaa", "aab??bcc", "????", "abbcc?a", "aaabbbcc"], ids=lambda answers: answers.replace("?", "-")
)
@pytest.mark.parametrize("right", ["a", "c", "ab", "z"])
def test_maj_at_k_is_the_mean_vote_over_all_subsets(answers, right):
    read = [None if answer == "?" else answer for answer in answers]
    good = [answer in right for answer in answers]
    for k in range(1, len(answers) + 1):
        expected = _mean(_vote(subset) for subset in itertools.combinations(list(zip(read, good, strict=True)), k))
        assert majority(k, read, good) == pytest.approx(expected)


def test_maj_at_k_of_many_samples_is_drawn_near_the_exact_value():
    answers = ["a"] * 30 + ["b"] * 25 + ["c"] * 20
    good = [answer == "a" for answer in answers]
    drawn = majority(9, answers, good)
    assert majority(9, answers, good) == drawn
    rng = np.random.default_rng(5)
    rows = list(zip(answers, good, strict=True))
    repeated = _mean(_vote([rows[place] for place in rng.choice(len(rows), 9, replace=False)]) for _ in range(4000))
    assert drawn == pytest.approx(repeated, abs=0.04)


def _rates(tasks, rng, per_stratum):
    """One sample of a made population: strata with rates of their own."""
    rows = []
    for stratum in range(tasks // per_stratum):
        rate = 0.1 + 0.8 * (stratum % 7) / 6
        for number in range(per_stratum):
            name = f"env{stratum}-v1-{number}-00000000"
            rows.append(result_rows.row(name, 0, bool(rng.random() < rate), env=f"env{stratum}", domain="d"))
    truth = _mean(0.1 + 0.8 * (stratum % 7) / 6 for stratum in range(tasks // per_stratum))
    return task_table(rows), truth


@pytest.mark.parametrize("per_stratum", [2, 3, 10])
def test_95_percent_intervals_hold_the_truth_about_95_times_in_a_hundred(per_stratum):
    # With two tasks to a stratum, drawing two of two would hold it only about 83 times.
    rng, hits, trials = np.random.default_rng(17), 0, 160
    for _ in range(trials):
        tasks, truth = _rates(140 if per_stratum == 10 else 84, rng, per_stratum)
        found = estimates(tasks.accuracy, np.zeros(len(tasks), dtype=int), 1, Resampling.of(tasks, draws=200))[0]
        hits += found.low <= truth <= found.high
    assert 0.89 <= hits / trials <= 0.99


def test_strata_of_one_task_are_taken_together():
    rows = [result_rows.row(f"sums-v1-{number}-00000000", 0, number % 2 == 0, level=number / 10) for number in range(10)]
    tasks = task_table(rows)
    found = estimates(tasks.accuracy, np.zeros(10, dtype=int), 1, Resampling.of(tasks))[0]
    assert found.mean == 0.5
    assert 0.1 < found.low < 0.35
    assert 0.65 < found.high < 0.9


def test_where_all_are_right_the_interval_is_the_exact_binomial_limit():
    tasks = task_table([result_rows.row(f"sums-v1-{number}-00000000") for number in range(10)])
    found = estimates(tasks.accuracy, np.zeros(10, dtype=int), 1, Resampling.of(tasks))[0]
    assert (found.mean, found.high) == (1.0, 1.0)
    assert found.low**10 == pytest.approx(0.025)


def test_auroc_by_counting_pairs():
    rng = np.random.default_rng(3)
    confidence, right = np.round(rng.random(60), 1), (rng.random(60) < 0.4).astype(float)
    pairs = [
        (item, two)
        for item, good in zip(confidence, right, strict=True)
        if good
        for two, bad in zip(confidence, right, strict=True)
        if not bad
    ]
    assert auroc(confidence, right) == pytest.approx(_mean(1.0 if first > two else 0.5 if first == two else 0.0 for first, two in pairs))
    assert auroc(confidence, np.ones(60)) is None


def test_brier_and_ece_by_hand():
    confidence, right = np.array([0.95, 0.91, 0.15, 1.0]), np.array([1.0, 0.0, 0.0, 1.0])
    assert brier(confidence, right) == pytest.approx((0.05**2 + 0.91**2 + 0.15**2) / 4)
    # the last bin holds 0.95, 0.91 and 1.0, of which two are right; the second holds 0.15
    assert expected_calibration_error(confidence, right) == pytest.approx((abs(2.86 - 2) + 0.15) / 4)


def test_confidences_that_mean_what_they_say_are_calibrated():
    rng, rows = np.random.default_rng(11), []
    for number in range(3000):
        confidence = float(rng.random())
        rows.append(result_rows.row(f"sums-v1-{number}-00000000", 0, bool(rng.random() < confidence), confidence=confidence))
    found = calibration(task_table(rows), 100, 1)
    assert found["ece"]["mean"] < 0.05
    assert found["brier"]["mean"] == pytest.approx(1 / 6, abs=0.015)
    assert sum(bin_["samples"] for bin_ in found["bins"]) == 3000


def test_a_vote_is_weighted_by_confidence():
    def voted(*samples):
        rows = [
            result_rows.row(f"sums-v1-{task}-00000000", sample, right, answer=answer, confidence=confidence)
            for task, row in enumerate(samples)
            for sample, (right, answer, confidence) in enumerate(row)
        ]
        return calibration(task_table(rows), 20, 1)["vote"]

    sure = [(True, "42", 0.9), (False, "7", 0.3), (False, "7", 0.4)]
    # 0.9 beats 0.3 + 0.4, but one vote loses to two.
    assert voted(sure) == {"weighted": 1.0, "majority": 0.0, "tasks": 1}
    tied = [(True, "42", 0.5), (False, "7", 0.2), (False, "7", 0.3), (False, None, 0.9), (True, "42", None)]
    assert voted(sure, tied) == {"weighted": 0.75, "majority": 0.0, "tasks": 2}
    assert voted([(True, "42", 0.5)], [(True, "42", 0.5), (False, None, 0.5)]) is None


def test_interquartile_mean():
    assert interquartile_mean(np.array([0.0, 0.2, 0.4, 1.0])) == pytest.approx(0.3)
    # a quarter of five is 1.25: the second and the fourth count three quarters each
    assert interquartile_mean(np.array([0.0, 0.2, 0.4, 0.8, 1.0])) == pytest.approx((0.75 * 0.2 + 0.4 + 0.75 * 0.8) / 2.5)


def test_masked_samples_are_in_no_number_and_are_counted():
    rows = [result_rows.row("sums-v1-0-00000000", 0), result_rows.row("sums-v1-1-00000000", 0, False)]
    out = result_rows.row("sums-v1-2-00000000", 0, False, masked=True, outcome="error", error="the sandbox could not start")
    with_it, without = (summary(found, result_rows.run(found), draws=50) for found in ([*rows, out], rows))
    assert with_it["overall"] == without["overall"]
    assert with_it["failures"] == without["failures"]
    assert with_it["masked"]["samples"] == 1
    assert with_it["masked"]["reasons"] == {"the sandbox could not start": 1}


def test_a_summary_tells_of_everything_and_is_json():
    import json

    rows = result_rows.many(samples=4)
    found = summary(rows, result_rows.run(rows), draws=100)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    counted = [row for row in rows if not row["masked"] and row["split"] == "main"]
    by_task = {}
    for row in counted:
        by_task.setdefault(row["id"], []).append(row["right"])
    assert found["overall"]["accuracy"]["mean"] == pytest.approx(_mean(map(_mean, by_task.values())), abs=1e-6)
    right = [row["completion_tokens"] for row in counted if row["right"]]
    assert found["lengths"]["completion_tokens"]["right"]["mean"] == pytest.approx(_mean(right), abs=1e-3)
    assert {row["environment"] for row in found["by"]["environment"]} == {row["env"] for row in counted}
    assert sum(row["tasks"] for row in found["by"]["level"]) == found["overall"]["tasks"]
    assert found["usage"]["cost"] == pytest.approx(sum(row["cost"] for row in rows))
    accuracies = [row["accuracy"]["mean"] for row in found["by"]["environment"]]
    assert found["profile"]["optimality_gap"]["mean"] == pytest.approx(1 - _mean(accuracies), abs=1e-5)
    assert found["progress"]["finished"]


def test_an_arrow_table_gives_the_same_summary():
    import pyarrow as pa

    rows = result_rows.many(samples=2, levels=(0.0, 1.0))
    assert summary(pa.Table.from_pylist(rows), result_rows.run(rows), draws=50) == summary(rows, result_rows.run(rows), draws=50)


def test_the_shift_gap_pairs_environments_and_levels():
    rows = [result_rows.row(f"sums-v1-{number}-00000000", 0, number < 8) for number in range(10)]
    rows += [result_rows.row(f"sums:shift-v1-{number}-00000000", 0, number < 3, env="sums:shift", split="shift") for number in range(10)]
    rows += [result_rows.row(f"sums-v1-{number}-00000001", 0, False, level=1.0) for number in range(10)]  # not shifted at this level
    found = summary(rows, result_rows.run(rows), draws=200)
    assert found["shift"]["gap"]["mean"] == pytest.approx(0.5)
    assert 0.05 < found["shift"]["gap"]["low"] < 0.5 < found["shift"]["gap"]["high"] < 0.95
    assert found["overall"]["accuracy"]["mean"] == pytest.approx(0.4)


def test_reasons_count_together_without_their_numbers():
    assert kind_of("the sum is not 12") == kind_of("the sum is not -7.5")
    rows = [result_rows.row(f"sums-v1-{number}-00000000", 0, False, reason=f"the sum is not {number}") for number in range(5)]
    found = failures(task_table(rows))
    assert [(item["samples"], item["outcome"]) for item in found["reasons"]] == [(5, "wrong")]
    assert len(found["reasons"][0]["examples"]) == 3


@pytest.mark.parametrize("masked", [False, True])
def test_runs_of_nothing_or_of_one_row_have_a_summary(masked):
    item = [result_rows.row(masked=masked)]
    assert summary(item, result_rows.run(item), draws=20)["overall"]["tasks"] == (0 if masked else 1)
    assert summary([], result_rows.run(item), draws=20)["overall"]["accuracy"]["mean"] is None


def test_no_spread_is_not_shown_as_an_interval_without_width():
    rows = [result_rows.row(f"{env}-v1-{number}-00000000", env=env) for env in ("sums", "roads", "maze") for number in range(5)]
    found = summary(rows, result_rows.run(rows), draws=50)["profile"]
    assert (found["iqm"]["mean"], found["iqm"]["low"], found["iqm"]["high"]) == (1.0, None, None)


def test_the_band_of_a_profile_holds_its_curve():
    rows = [result_rows.row(f"env{env}-v1-{n}-00000000", 0, (n + env) % 2 == 0, env=f"env{env}") for env in range(40) for n in range(8)]
    found = summary(rows, result_rows.run(rows), draws=100)["profile"]["profile"]
    assert all(row["low"] <= row["mean"] <= row["high"] for row in found)
