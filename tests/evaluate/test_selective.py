"""Selective answering: thresholds promise an accuracy on their own side, and a shift that breaks it is seen, by class."""

import json

import numpy as np
import pytest
from evaluate import result_rows
from typer.testing import CliRunner

from rlgym import RlgymError
from rlgym.cli import app
from rlgym.evaluate.comparison.selective import Verdicts, selective, verdicts_of_run, verdicts_of_scores


def scores(rng, count, bias=0.0):
    """Scores of a calibrated verifier; with a bias, right solutions are rarer than it says wherever it accepts."""
    found = []
    for _ in range(count):
        score = float(rng.beta(0.6, 0.6))
        found.append({"score": score, "label": bool(rng.random() < score - (bias if score >= 0.5 else 0.0))})
    return found


def test_thresholds_keep_their_promise_on_like_verdicts_and_not_on_shifted_ones():
    rng = np.random.default_rng(0)
    calibration = verdicts_of_scores(scores(rng, 3000))
    like, shifted = (selective(calibration, verdicts_of_scores(scores(rng, 3000, bias)), 0.9) for bias in (0.0, 0.3))
    assert like["shifted"]["kept"] is True
    assert like["shifted"]["accuracy"]["mean"] >= 0.88
    assert 0.2 < like["shifted"]["coverage"] < 1
    by_class = {found["class"]: found for found in shifted["classes"]}
    assert by_class["accepted"]["shifted"]["kept"] is False  # the bias is where it accepts
    assert by_class["refused"]["shifted"]["kept"] is True
    assert by_class["accepted"]["threshold"] > 0.6


def test_thresholds_by_hand():
    certainty = np.array([0.9] * 40 + [0.6] * 40)
    verdicts = Verdicts(certainty, np.array([True] * 40 + [True] * 20 + [False] * 20), np.array(["yes"] * 80, dtype=object))
    found = selective(verdicts, verdicts, 0.9)["classes"][0]
    assert found["threshold"] == 0.9  # 40 of 40: at least 91 percent; with the others 60 of 80
    assert (found["shifted"]["admitted"], found["shifted"]["coverage"], found["shifted"]["accuracy_of_all"]) == (40, 0.5, 0.75)
    strict = selective(verdicts, verdicts, 0.99)
    assert strict["classes"][0]["threshold"] is None
    assert strict["shifted"]["kept"] is None
    assert "No threshold of the class 'yes' reaches an accuracy of 0.99" in strict["notes"][0]
    other = Verdicts(np.array([0.5]), np.array([True]), np.array(["no"], dtype=object))
    assert [note.split(":")[0] for note in selective(verdicts, other)["notes"]] == [
        "The class 'no' occurs only among the shifted verdicts",
        "The class 'yes' does not occur among the shifted verdicts.",
    ]


def test_runs_are_read_by_stated_confidence_or_by_agreement():
    stated = [result_rows.row(f"sums-v1-{n}-00000000", right=n > 1, confidence=0.9, answer=["right", "wrong"][n % 2]) for n in range(6)]
    found = verdicts_of_run([*stated, result_rows.row("sums-v1-9-00000000", confidence=0.1, masked=True)])
    assert (len(found), set(found.named), list(found.right)) == (6, {"right", "wrong"}, [False, False, True, True, True, True])
    votes = [result_rows.row("sums-v1-0-00000000", n, right=n < 3, answer="7" if n < 3 else "8") for n in range(4)]
    agreed = verdicts_of_run([*votes, *(result_rows.row(f"sums-v1-{n}-00000000", s, answer=str(n)) for n in range(1, 6) for s in range(2))])
    assert (agreed.certainty[0], agreed.right[0], set(agreed.named)) == (0.75, True, {"all"})
    with pytest.raises(RlgymError, match="no certainty"):
        verdicts_of_run([result_rows.row()])


@pytest.mark.parametrize(
    "row", [{"score": 1.2, "label": 1}, {"score": 0.5}, {"label": True}, {"score": True, "label": True}, {"score": 0.1, "label": "yes"}]
)
def test_lines_that_are_no_verdicts_are_named(row):
    with pytest.raises(RlgymError, match="line 2 needs `score`"):
        verdicts_of_scores([{"score": 0.5, "label": False}, row])


def test_the_command_writes_a_page(tmp_path):
    rng = np.random.default_rng(1)
    files = []
    for name, bias in (("sudoku-4x4.jsonl", 0.0), ("sudoku-9x9.jsonl", 0.4)):
        files.append(tmp_path / name)
        files[-1].write_text("".join(json.dumps(row) + "\n" for row in scores(rng, 500, bias)))
    result = CliRunner().invoke(app, ["eval", "selective", *map(str, files), "--target", "0.85", "--out", str(tmp_path / "page.html")])
    assert result.exit_code == 0, result.output
    assert "broken" in result.output
    page = (tmp_path / "page.html").read_text()
    assert "sudoku-9x9.jsonl" in page
    assert "Accuracy against coverage" in page
    found = json.loads(CliRunner().invoke(app, ["eval", "selective", *map(str, files), "--json"]).output)
    assert {each["class"] for each in found["classes"]} == {"accepted", "refused"}
    files[1].write_text("")
    assert "has no verdict" in str(CliRunner().invoke(app, ["eval", "selective", *map(str, files)]).exception)
    assert "between 0 and 1" in str(CliRunner().invoke(app, ["eval", "selective", *map(str, files[:1] * 2), "--target", "2"]).exception)
