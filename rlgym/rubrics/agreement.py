"""How well a judge's verdicts on one criterion agree with planted labels."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from rlgym.core.intervals import wilson
from rlgym.rubrics.criteria import JudgeCall
from rlgym.rubrics.judge import TEMPLATE, Judge, ask_judge


@dataclass(frozen=True)
class Agreement:
    """Verdicts against labels.

    cases        all cases
    masked       those without a verdict; the shares leave them out
    agreed       verdicts that are the label
    sensitivity  share of yes among cases labelled yes
    specificity  share of no among cases labelled no
    kappa        Cohen's kappa
    low, high    95 % Wilson interval of the accuracy
    """

    cases: int
    masked: int
    agreed: int
    sensitivity: float
    specificity: float
    kappa: float
    low: float
    high: float

    @property
    def accuracy(self) -> float:
        return self.agreed / max(1, self.cases - self.masked)


def judge_agreement(criterion: JudgeCall, cases: Iterable[tuple[str, str, bool]], judge: Judge, template: str = TEMPLATE) -> Agreement:
    """Ask a judge about (prompt, response, label) cases and compare. Shares without cases are NaN."""
    pairs = [(label, ask_judge(judge, criterion.question, prompt, response, template).value) for prompt, response, label in cases]
    judged = [(label, value == 1.0) for label, value in pairs if value is not None]
    agreed = sum(label == verdict for label, verdict in judged)
    yes, no = [verdict for label, verdict in judged if label], [not verdict for label, verdict in judged if not label]
    said_yes = sum(verdict for _, verdict in judged)
    low, high = wilson(agreed, len(judged))
    return Agreement(
        cases=len(pairs), masked=len(pairs) - len(judged), agreed=agreed, sensitivity=_share(sum(yes), len(yes)),
        specificity=_share(sum(no), len(no)), kappa=_kappa(agreed, len(yes), said_yes, len(judged)), low=low, high=high,
    )  # fmt: skip


def _kappa(agreed: int, labelled_yes: int, said_yes: int, count: int) -> float:
    if not count:
        return math.nan
    chance = (labelled_yes * said_yes + (count - labelled_yes) * (count - said_yes)) / count**2
    return (agreed / count - chance) / (1 - chance) if chance < 1 else math.nan


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan
