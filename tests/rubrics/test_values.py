"""Replies that are cut off say nothing, and the value of a criterion lies between 0 and 1."""

import pytest

from rlgym.rubrics import Check, Rubric
from rlgym.rubrics.judge import read_verdict


def test_a_judge_that_is_cut_off_while_it_thinks_has_said_nothing():
    assert read_verdict("<think>The response ends with these lines:\nVerdict:\nYES") is None
    assert read_verdict("<think>It says YES</think>\nNO") is False


@pytest.mark.parametrize("value", [2.0, -1.0, float("nan"), float("inf")])
def test_no_criterion_makes_up_for_another(value):
    rubric = Rubric((Check(name="first", test=lambda text: value), Check(name="second", test=lambda text: 0.0)), whole=False)
    with pytest.raises(ValueError, match="a value from 0 to 1, got"):
        rubric.score("any")
