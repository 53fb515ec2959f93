"""CoT-pass@k: a sample counts only if its answer and its working are right."""

import pytest
from evaluate import result_rows

import rlgym
from rlgym import Score
from rlgym.dataset import Session, row_without_oracle
from rlgym.evaluate.episodes.episode import Conversation, _cot_right
from rlgym.evaluate.report.html_report import render_report
from rlgym.evaluate.report.summary import summary

BRACKETS = "dyck_completion"


def judged(name, text, right=True):
    row = rlgym_row(name)
    conversation = Conversation(turns=1, transcript=[{"role": "assistant", "content": text}])
    return _cot_right(row, conversation, Session(row), Score.exact(right))


def rlgym_row(name):
    return row_without_oracle(name, 3, 0.0)


def test_the_working_of_a_right_answer_is_checked():
    steps = rlgym.environment(BRACKETS).explain(Session(rlgym_row(BRACKETS)).task)
    written, slipped = "\n".join(steps), "\n".join([steps[0].replace("Character 1", "Character 2"), *steps[1:]])
    assert judged(BRACKETS, written) is True
    assert judged(BRACKETS, slipped) is False
    assert judged(BRACKETS, "The answer alone.") is False
    assert judged(BRACKETS, written, right=False) is False


def test_without_a_step_checker_nothing_is_said():
    name = next(name for name in rlgym.names() if name == "api_usage_from_docs")
    assert judged(name, "anything") is None


def test_cot_pass_at_k_by_hand():
    rows = [
        *[result_rows.row("sums-v1-0-0", sample, True, cot_right=sample == 0) for sample in range(2)],
        *[result_rows.row("sums-v1-1-1", sample, sample == 0, cot_right=False) for sample in range(2)],
        *[result_rows.row("sums-v1-2-2", sample, True, cot_right=None) for sample in range(2)],
    ]
    told = summary(rows, result_rows.run(rows), draws=20)
    # Of the two checked tasks, one has one of two sound samples; with answers alone it has two, and the other one.
    ends = [{end: found.pop(end) for end in ("low", "high")} for found in told["samples"]["cot"]]
    assert told["samples"]["cot"] == [
        {"k": 1, "cot_pass": pytest.approx(0.25), "pass": pytest.approx(0.75), "tasks": 2},
        {"k": 2, "cot_pass": pytest.approx(0.5), "pass": pytest.approx(1.0), "tasks": 2},
    ]
    # One of the two tasks is drawn at a time: its share is 0 or 1/2, 0 or 1.
    assert ends == [{"low": 0.0, "high": pytest.approx(0.5)}, {"low": 0.0, "high": pytest.approx(1.0)}]
    told = summary(rows, result_rows.run(rows), draws=20)
    assert "CoT-pass@2" in render_report(told, rows)


def test_runs_of_earlier_versions_have_none():
    rows = [result_rows.row("sums-v1-0-0", 0, True)]
    told = summary(rows, result_rows.run(rows), draws=20)
    assert told["samples"]["cot"] == []
    assert "CoT-pass" not in render_report(told, rows)
