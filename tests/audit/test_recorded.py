"""Scorers on the tasks of an environment and on recorded responses."""

import json
from pathlib import Path

import pytest

import rlgym
from rlgym import RlgymError
from rlgym.audit import AuditOptions, ProcessOptions, audit
from rlgym.audit.case import Case, Verdict
from rlgym.audit.cases.recorded import cases_of
from rlgym.audit.measures.groups import inversions
from rlgym.dataset import row_without_oracle

FILE = Path(__file__).parent / "planted_scorers.py"
LIMITS = ProcessOptions(seconds=60, memory_mb=1024, workers=1)


def row(seed, text, right, **changed):
    found = {
        "env": "chain_sum",
        "version": rlgym.environment("chain_sum").version,
        "kind": "environment",
        "level": 0.3,
        "seed": seed,
        "masked": False,
    }
    messages = [{"role": "user", "content": "?"}, {"role": "assistant", "content": text}]
    return (
        found
        | {"id": row_without_oracle("chain_sum", seed, 0.3)["id"], "domain": "arithmetic", "right": right, "messages": json.dumps(messages)}
        | changed
    )


def total(seed):
    return rlgym.environment("chain_sum").solve(rlgym.task("chain_sum", seed, level=0.3))


ROWS = [
    one
    for seed in range(1, 13)
    for one in (
        row(seed, f"So <answer>{total(seed)}</answer>", True),
        row(seed, f"So <answer>{total(seed) + 1}</answer>", False),
        row(seed, "I am sure.", False),
    )
]


@pytest.fixture
def run(tmp_path, monkeypatch):
    class Run:
        rows = ROWS

    monkeypatch.setattr("rlgym.audit.cases.recorded.load", lambda folder: Run)
    return tmp_path


def report_of(scorer, **options):
    return audit(f"{FILE}:{scorer}", AuditOptions(effort="least", process=LIMITS, **options))


def test_recorded_responses_are_cases_with_the_oracles_answer():
    cases = cases_of([*ROWS, row(1, "x", True, masked=True), row(1, "x", True, kind="game"), row(20, "x", True, version=99, id="other")])
    assert len(cases) == len(ROWS)
    assert {case.answer for case in cases} == {str(total(seed)) for seed in range(1, 13)}
    assert cases[0].prompt == rlgym.task("chain_sum", 1, level=0.3).prompt
    assert [case.right for case in cases[:3]] == [True, False, False]


def test_failures_that_outrank_successes_by_hand():
    def scored(right, reward, task="t"):
        return Case("recorded_verdicts", "P", "R", "A", right, "integer", "arithmetic", group=task), Verdict(reward)

    found = inversions([[scored(True, 0.5), scored(False, 0.6), scored(False, 0.5), scored(True, 0.9)], [scored(False, 1.0)]])
    assert [failure.reward for failure in found] == [0.6]


@pytest.mark.slow
def test_a_scorer_that_pays_hacks_more_is_found_on_recorded_responses(run):
    report = report_of("pays_hacks_more", types=("integers",), style="tag", reward=True, run=run)
    order = report.check("recorded_order")
    assert order.passed is False
    assert (order.rate.failures, order.rate.cases) == (12, 24)
    assert "recorded_verdicts" not in [check.name for check in report.checks]
    sound = report_of("sound", types=("integers",), style="tag", run=run)
    assert sound.failed == []
    assert sound.check("recorded_verdicts").rate.cases == 36


@pytest.mark.slow
def test_an_environment_gives_unit_tests_of_a_function():
    report = report_of("substring", environment="chain_sum", reward=True)
    assert {"exact_answers", "equivalent_spellings", "near_misses"} <= {check.name for check in report.checks}
    assert report.style == "tag"
    assert report.unsupported_types == []
    assert report.check("exact_answers").passed
    assert report.check("exact_answers").rate.cases >= 5
    # Mistakes of the environment that lie within a hundredth of the right answer.
    assert report_of("numeric_tolerance", environment="chain_sum").check("near_misses").passed is False


def test_an_environment_takes_no_types():
    with pytest.raises(RlgymError, match="its own type"):
        AuditOptions(environment="chain_sum", types=("integers",))
