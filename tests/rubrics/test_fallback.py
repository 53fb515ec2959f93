"""A rule with a judge as fallback."""

import re

from rlgym import Outcome, Rng
from rlgym.answers.maths import equivalent
from rlgym.audit.spellings import pairs
from rlgym.rubrics import FunctionJudge
from rlgym.rubrics.fallback import RuleThenJudge

TAG = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)


def marked(response):
    found = TAG.findall(response)
    return found[-1].strip() if found else ""


def rule(response, answer):
    return marked(response) == answer


def judged(asked=None, wrong=0.0):
    """A judge that compares what the answers mean, and errs on a share of them."""

    def reply(prompt):
        if asked is not None:
            asked.append(prompt)
        given = marked(re.search(r"Response: (.*)\n", prompt)[1].encode().decode("unicode_escape").strip('"'))
        expected = re.search(r"reference answer: (.*)\n", prompt)[1]
        verdict = equivalent(expected, given) != Rng("judge", given).chance(wrong)
        return "YES" if verdict else "NO"

    return FunctionJudge(reply, "test")


def rates(verify):
    """Recall and false positives over integers in several spellings."""
    found = [
        (equal, verify(f"So <answer>{given}</answer>", expected)) for expected, given, equal in pairs("integers", 200) if "\\" not in given
    ]
    right, wrong = ([said for equal, said in found if equal is truth] for truth in (True, False))
    return sum(right) / len(right), sum(wrong) / len(wrong)


def test_the_judge_is_asked_only_what_the_rule_refuses_and_can_read():
    asked = []
    verifier = RuleThenJudge(rule, judged(asked))
    assert verifier.score("<answer>7</answer>", "7").parts == {"rule": 1.0}
    assert verifier.score("  ", "7").outcome is Outcome.WRONG
    assert asked == []
    assert verifier.score("<answer>7.0</answer>", "7").parts == {"rule": 0.0, "judge": 1.0}
    assert verifier.score("<answer>8</answer>", "7").value == 0
    assert len(asked) == 2


def test_an_unavailable_judge_masks_the_score():
    def fails(prompt):
        raise TimeoutError("slow")

    verifier = RuleThenJudge(rule, FunctionJudge(fails, "test"))
    assert verifier.score("<answer>8</answer>", "7").masked
    assert verifier.score("<answer>7</answer>", "7").value == 1


def test_recall_rises_and_errors_of_the_judge_only_add_false_positives():
    alone = rates(rule)
    together = rates(lambda response, answer: RuleThenJudge(rule, judged()).score(response, answer).value == 1)
    assert together[0] > alone[0] + 0.2
    assert together == (1.0, 0.0)
    noisy = rates(lambda response, answer: RuleThenJudge(rule, judged(wrong=0.3)).score(response, answer).value == 1)
    assert noisy[0] >= alone[0]
    assert noisy[1] > 0
