"""A judge that is asked in several phrasings: the majority decides."""

import pytest

from rlgym.core.errors import DeclarationError
from rlgym.core.score import Outcome
from rlgym.rubrics import PHRASINGS, FunctionJudge, JudgeCall, Rubric
from rlgym.rubrics.judge import ask_judge_in_phrasings


def asked(*replies):
    """A judge that gives these replies to the phrasings in order, and the requests that it got."""
    requests = []

    def reply(prompt):
        requests.append(prompt)
        if replies[len(requests) - 1] is None:
            raise TimeoutError("no reply")
        return replies[len(requests) - 1]

    return FunctionJudge(reply, "stub"), requests


@pytest.mark.parametrize(
    ("replies", "value"),
    [
        (("YES", "YES", "NO"), 1.0),
        (("NO", "YES", "NO"), 0.0),
        (("NO", None, "NO"), 0.0),
        (("YES", None, None), 1.0),
        (("YES", None, "NO"), None),
        (("YES", "perhaps", "NO"), None),
        ((None, None, None), None),
    ],
)
def test_most_phrasings_decide_and_a_tie_gives_no_verdict(replies, value):
    judge, requests = asked(*replies)
    assert ask_judge_in_phrasings(judge, "Is it short?", "task", "response").value == value
    assert len(set(requests)) == len(PHRASINGS) == 3
    assert all("Is it short?" in request and '"task"' in request and '"response"' in request for request in requests)


def test_a_rubric_with_several_phrasings_takes_the_vote():
    criterion = JudgeCall(name="short", question="Is it short?")
    assert Rubric((criterion,), template=PHRASINGS).score("yes", "task", asked("YES", "NO", "YES")[0]).value == 1.0
    refused = Rubric((criterion,), template=PHRASINGS).score("yes", "task", asked("YES", "NO", "NO")[0])
    assert (refused.value, refused.reason) == (0.0, "the judge says no in 2 of 3 phrasings: Is it short?")
    assert Rubric((criterion,), template=PHRASINGS).score("yes", "task", asked("YES", None, "NO")[0]).outcome is Outcome.ERROR
    # One phrasing alone would have said yes.
    assert Rubric((criterion,)).score("yes", "task", asked("YES")[0]).value == 1.0


def test_a_rubric_without_a_phrasing_is_refused():
    with pytest.raises(DeclarationError, match="a rubric needs a template"):
        Rubric((JudgeCall(name="short", question="Is it short?"),), template=())
