"""Abstention, cover@tau and the length of thinking, against counting by hand."""

import json

import numpy as np
import pytest
from evaluate import result_rows

from rlgym.evaluate.metrics.abstention import COVERAGES, selective_accuracy
from rlgym.evaluate.metrics.thinking import redundancy
from rlgym.evaluate.report.html_report import render_report
from rlgym.evaluate.report.summary import summary


def at(curve, coverage):
    return curve[COVERAGES.index(coverage)]


def test_accuracy_of_the_most_certain_answers():
    right = np.array([1.0, 0.0, 1.0, 0.0])
    perfect = selective_accuracy(np.array([0.9, 0.2, 0.8, 0.1]), right)
    assert [at(perfect, coverage) for coverage in (0.25, 0.5, 0.75, 1.0)] == pytest.approx([1, 1, 2 / 3, 0.5])
    # One certainty for all: the accuracy does not depend on the coverage.
    assert selective_accuracy(np.full(4, 0.5), right) == pytest.approx([0.5] * len(COVERAGES))
    assert at(selective_accuracy(np.array([0.1, 0.9, 0.2, 0.8]), right), 0.5) == 0


def runs():
    """Three tasks with four samples: all right, half right, none right."""
    rows = []
    for number, rights in enumerate(([1, 1, 1, 1], [1, 1, 0, 0], [0, 0, 0, 0])):
        for sample, right in enumerate(rights):
            text = "Wait, is it so? " * (not right) + "yes it is"
            rows.append(
                result_rows.row(
                    f"sums-v1-{number}-00000000",
                    sample,
                    bool(right),
                    answer="42" if right else "wrong" if number == 2 else str(sample),
                    completion_tokens=10 * (sample + 1),
                    confidence=0.9 if right else 0.3,
                    messages=json.dumps([{"role": "assistant", "content": text}]),
                )
            )
    return rows


def test_a_report_counts_cover_abstention_and_thinking():
    rows = runs()
    results = summary(rows, result_rows.run(rows))
    cover = {row["tau"]: row["mean"] for row in results["cover"]}
    assert cover == {tau: pytest.approx(2 / 3 if tau <= 0.5 else 1 / 3) for tau in (0.1, 0.25, 0.5, 0.75, 0.9, 1.0)}
    assert results["calibration"]["rlcr"] == pytest.approx(0.5 - (0.01 + 0.09) / 2)
    by_confidence = results["abstention"]["confidence"]
    assert by_confidence["answers"] == 12
    assert by_confidence["mean_accuracy"] == pytest.approx(by_confidence["best"])
    # Agreement is 1, 0.5 and 1; the two unanimous tasks are right and wrong.
    agreement = {point["coverage"]: point["accuracy"] for point in results["abstention"]["agreement"]["curve"]}
    assert agreement[0.5] == pytest.approx(0.5)
    assert agreement[1.0] == pytest.approx(2 / 3)
    thinking = results["thinking"]
    # Right samples of 10, 20, 30, 40 and of 10, 20 tokens: 1 - 10 / 25 and 1 - 10 / 15.
    assert thinking["overthinking"]["mean"] == pytest.approx((0.6 + 1 / 3) / 2)
    assert thinking["underthinking"]["mean"] == 0
    assert thinking["reflections"]["right"]["mean"] == 0
    assert thinking["reflections"]["wrong"]["mean"] == pytest.approx(1000 / 7)
    page = render_report(results, rows)
    for words in ("cover@0.5", "Accuracy against coverage", "Overthinking", "RLCR reward"):
        assert words in page


def test_short_wrong_samples_are_underthinking():
    rows = [result_rows.row(sample=sample, right=sample > 1, completion_tokens=[5, 50, 20, 30][sample]) for sample in range(4)]
    assert summary(rows, result_rows.run(rows))["thinking"]["underthinking"]["mean"] == 0.5


def test_single_samples_have_no_cover_and_no_thinking():
    rows = [result_rows.row(f"sums-v1-{number}-00000000", right=number > 1) for number in range(4)]
    results = summary(rows, result_rows.run(rows))
    assert results["cover"] == []
    assert results["abstention"] == {}
    assert results["thinking"] is None
    assert "Overthinking" not in render_report(results, rows)


def spoken(text, right=True, **given):
    return result_rows.row(right=right, messages=json.dumps([{"role": "assistant", "content": text}]), completion_tokens=None, **given)


@pytest.mark.parametrize(
    ("text", "share"),
    [
        # Three of ten words follow "So it is 42."
        ("6 x 7. So it is 42.\nWait, once more. <answer>42</answer>", 3 / 10),
        ("7 + 7 = 14\n6 x 7 = 42\nSo 42 it is, as 6 x 7 = 42. \\boxed{42}", 10 / 20),
        ("6 x 7 = 42\n<answer>42</answer>", 0.0),
        ("It is 142 or 4.42\n<answer>42</answer>", None),
        ("42 is tempting\n<answer>42</answer>", None),
        ("First take 42.\nThen 6 x 7 = 42\n<answer>42</answer>", 0.0),
        ("First take 42.\nAdd nothing. <answer>42</answer>", None),
        ("**42**\nor so. <answer>42</answer>", 2 / 3),
    ],
)
def test_words_after_the_first_conclusion_are_redundant(text, share):
    measured = redundancy(spoken(text))
    assert measured == (None if share is None else pytest.approx(share))
    assert redundancy(spoken(text, turns=2)) is None


def test_a_report_has_the_mean_redundancy_of_right_samples():
    texts = ["So 42.\nHm, so 42. <answer>42</answer>", "So 42. <answer>42</answer>"]
    rows = [spoken(text, sample=place) for place, text in enumerate(texts)]
    rows.append(spoken("So 42.\nNo, it is 41.", right=False, sample=2))
    results = summary(rows, result_rows.run(rows))
    assert results["thinking"]["redundancy"]["mean"] == pytest.approx(3 / 5 / 2)
    assert "Redundancy" in render_report(results, rows)
