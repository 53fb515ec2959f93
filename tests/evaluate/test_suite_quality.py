"""Tests are measured by the wrong submissions that they reject and the right ones that they accept, and better ones are proposed."""

import json

import pytest
from typer.testing import CliRunner

from rlgym.cli import app
from rlgym.core.errors import RecipeError
from rlgym.evaluate.suite_quality import LIMITS, Submissions, problem_quality, propose_tests, read_submissions, suite_quality
from rlgym.sandbox import get_runner

RIGHT = ("def solve(v):\n    return max(v, default=0)", "def solve(v):\n    return sorted(v)[-1] if v else 0")
FIRST = "def solve(v):\n    return v[0] if v else 0"  # wrong unless the largest comes first
NO_EMPTY = "def solve(v):\n    return max(v)"  # fails on the empty list only
ABSOLUTE = "def solve(v):\n    return max(map(abs, v), default=0)"  # wrong for negative numbers


def problem(*tests, right=RIGHT, wrong=(FIRST, NO_EMPTY, ABSOLUTE), name="largest"):
    return Submissions(name, tests, right, wrong)


def test_detection_and_accuracy():
    runner = get_runner(LIMITS)
    weak = problem_quality(problem((([3, 1],), 3), (([1, 2],), 2)), runner)
    assert (weak.detection_rate, weak.accepted, weak.exact, weak.patterns, weak.auc) == (pytest.approx(1 / 3), 1.0, False, 1, 0.0)
    full = problem_quality(problem((([1, 2],), 2), (([],), 0), (([-3, 1],), 1), (([5],), 5)), runner)
    # FIRST and ABSOLUTE fail on [-3, 1], and all are caught by the first three of four tests.
    assert (full.detection_rate, full.exact, full.patterns, full.auc) == (1.0, True, 3, 0.5)
    untrue = problem_quality(problem((([1, 2],), 2), (([],), 0), (([-3, 1],), 3)), runner)
    assert (untrue.detection_rate, untrue.accepted, untrue.exact, untrue.auc) == (pytest.approx(2 / 3), 0.0, False, 0.0)
    assert problem_quality(problem(), runner).detection_rate == 0
    total = suite_quality([weak, full, untrue])
    assert total.verifier_accuracy == pytest.approx(1 / 3)
    assert total.detection_rate == pytest.approx(2 / 3)
    assert total.accepted == pytest.approx(2 / 3)
    assert total.diversity == pytest.approx((1 / 2 + 3 / 4 + 1) / 3)


def test_proposed_tests_catch_what_the_tests_miss():
    runner = get_runner(LIMITS)
    weak = problem((([4, 7, 2],), 7))
    proposed = propose_tests(weak, 4, runner)
    assert 1 <= len(proposed) <= 4
    assert all(output == max(arguments[0], default=0) for arguments, output in proposed)
    assert problem_quality(weak, runner).detection_rate < 1
    assert problem_quality(problem(*weak.tests, *proposed), runner).exact
    assert propose_tests(weak, 4, runner) == proposed
    # Right programs that disagree make no test.
    assert propose_tests(problem((([4, 7, 2],), 7), right=(RIGHT[0], "def solve(v):\n    return -1")), 4, runner) == ()


def rows(*problems):
    return "".join(
        json.dumps(
            {"problem": p.problem, "tests": [{"input": list(a), "output": b} for a, b in p.tests], "right": p.right, "wrong": p.wrong}
        )
        + "\n"
        for p in problems
    )


def test_the_command_grades_a_file_and_writes_proposals(tmp_path):
    file, out = tmp_path / "submissions.jsonl", tmp_path / "proposed.jsonl"
    file.write_text(rows(problem((([4, 7, 2],), 7)), problem((([1, 2],), 2), (([],), 0), (([-3, 1],), 1), name="second")))
    done = CliRunner().invoke(app, ["dataset", "grade-tests", str(file), "--propose", "3", "--out", str(out), "--json"])
    assert done.exit_code == 0, done.output
    report = json.loads(done.output)
    assert report["tests"]["verifier_accuracy"] == 0.5
    assert report["with_proposed"]["verifier_accuracy"] == 1.0
    assert [json.loads(line)["problem"] for line in out.read_text().splitlines()] == ["largest", "second"]
    plain = CliRunner().invoke(app, ["dataset", "grade-tests", str(file)])
    assert "verifier accuracy: 0.500" in plain.output


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no problem"),
        ('{"problem": "a", "tests": []}', "line 1: expected the fields"),
        ('{"problem": "a", "tests": [], "right": ["x"], "wrong": []}', "at least one program"),
        ('{"problem": "a", "tests": [{"in": 1}], "right": ["x"], "wrong": ["y"]}', "line 1"),
        ("no json", "line 1"),
    ],
)
def test_bad_files_are_refused(tmp_path, text, message):
    (tmp_path / "file.jsonl").write_text(text)
    with pytest.raises(RecipeError, match=message):
        read_submissions(tmp_path / "file.jsonl")
