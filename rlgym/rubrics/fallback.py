"""A rule with a judge as fallback: what the rule accepts is right, and the judge decides what it refuses.

"Pitfalls of Rule- and Model-based Verifiers: A Case Study on Mathematical Reasoning": rules refuse right answers in other forms, and judges can be
hacked. Together the judge sees only what the rule refuses, so that it costs less, and its errors can only add false positives.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rlgym.core.score import Outcome, Score
from rlgym.rubrics.judge import Judge, ask_judge

QUESTION = "The final answer of the response is equal to this reference answer: {answer}"


@dataclass(frozen=True)
class RuleThenJudge:
    """A verifier of responses with a reference answer.

    rule      whether the rule accepts (response, answer); what it raises is not caught
    judge     asked about what the rule refuses; one that is unavailable masks the score
    readable  whether a response has anything to judge; without it the judge is not asked, and the response is wrong
    question  what the judge is asked, with a gap for {answer}
    """

    rule: Callable[[str, str], bool]
    judge: Judge
    readable: Callable[[str], bool] = lambda response: bool(response.strip())
    question: str = QUESTION

    def score(self, response: str, answer: str, prompt: str = "") -> Score:
        """1 or 0, with the verdicts of `rule` and `judge` as parts, as far as they were asked."""
        if self.rule(response, answer):
            return Score(1.0, Outcome.RIGHT, "", {"rule": 1.0})
        if not self.readable(response):
            return Score(0.0, Outcome.WRONG, "there is no answer to judge", {"rule": 0.0})
        found = ask_judge(self.judge, self.question.replace("{answer}", answer), prompt, response)
        if found.value is None:
            return Score(0.0, Outcome.ERROR, found.reason, {"rule": 0.0})
        parts = {"rule": 0.0, "judge": found.value}
        return Score(1.0, Outcome.RIGHT, "", parts) if found.value == 1 else Score(0.0, Outcome.WRONG, "rule and judge refuse it", parts)
