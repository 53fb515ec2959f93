"""Judges of known error rates: measuring their agreement with planted labels finds the rates again."""

import hashlib
import json
import re

import pytest

import rlgym
from rlgym.rubrics import FunctionJudge, JudgeCall
from rlgym.rubrics.agreement import judge_agreement

CRITERION = JudgeCall(name="complete and true", question="Does the report state every material change and nothing else?")


def _share(*key):
    """A number in [0, 1) that depends only on the key."""
    return int.from_bytes(hashlib.sha256(repr(key).encode()).digest()[:6], "big") / 2**48


@pytest.fixture(scope="module")
def cases():
    """(prompt, report, label): right and wrong reports, labelled by the exact verifier."""
    declared, found = rlgym.environment("table_report"), []
    for seed in range(1, 61):
        task = rlgym.task("table_report", level=0.5, seed=seed)
        right = declared.solve(task)
        texts = [right, *list(declared.solutions(task))[:2], *declared.mistakes(task, right)[:4]]
        found += [(task.prompt, text, declared.verify(task, text).value == 1) for text in texts]
    return found


def _judge(cases, misses, false_alarms, silent):
    """A judge that knows the labels and errs at known rates, or says nothing useful."""
    labels = {(prompt, text): label for prompt, text, label in cases}

    def reply(asked):
        prompt, response = [json.loads(text) for text in re.findall(r'"(?:[^"\\]|\\.)*"', asked)[:2]] if '"' in asked else ("", "")
        label = labels[prompt, response]
        if _share("silent", prompt, response) < silent:
            return "I cannot say."
        wrong = _share("wrong", prompt, response) < (misses if label else false_alarms)
        return "YES" if label != wrong else "NO"

    return FunctionJudge(reply, f"stub-{misses}-{false_alarms}-{silent}")


@pytest.mark.parametrize(("misses", "false_alarms", "silent"), [(0.0, 0.0, 0.0), (0.1, 0.2, 0.05), (0.5, 0.5, 0.0), (0.0, 1.0, 0.0)])
def test_the_rates_of_a_judge_are_found_again(cases, misses, false_alarms, silent):
    found = judge_agreement(CRITERION, cases, _judge(cases, misses, false_alarms, silent))
    right = sum(label for _, _, label in cases)
    assert found.cases == len(cases) > 350
    assert found.masked / len(cases) == pytest.approx(silent, abs=0.03)
    assert found.sensitivity == pytest.approx(1 - misses, abs=0.09)
    assert found.specificity == pytest.approx(1 - false_alarms, abs=0.09)
    expected = (right * (1 - misses) + (len(cases) - right) * (1 - false_alarms)) / len(cases)
    assert found.low <= expected <= found.high
    chance = 1 - misses == false_alarms  # a judge that says yes as often to wrong reports as to right ones
    assert abs(found.kappa) < 0.12 if chance else found.kappa > 0.5
