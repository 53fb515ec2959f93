"""A rubric: weighted criteria with vetoes, as the verifier of an answer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from rlgym.core.errors import DeclarationError
from rlgym.core.score import Outcome, Score
from rlgym.rubrics.criteria import AnyCriterion, Finding, JudgeCall
from rlgym.rubrics.judge import TEMPLATE, Judge, ask_judge, ask_judge_in_phrasings


@dataclass(frozen=True)
class Rubric:
    """Criteria and how they make a score.

    criteria   in the order in which they are reported
    whole      True: a response is right only if it meets all criteria, and earns nothing otherwise. False: it earns the weighted mean, and nothing
               if it breaks a veto
    template   the prompt of judge calls, with {prompt}, {response} and {question} in it; of several, such as `PHRASINGS`, the majority decides

    Deterministic criteria are checked first, and a judge is asked only if they leave the score open. A judge call that fails masks the score
    (`Outcome.ERROR`), since a value without it would mean something else.
    """

    criteria: tuple[AnyCriterion, ...]
    whole: bool = True
    template: str | tuple[str, ...] = field(default=TEMPLATE, repr=False)

    def __post_init__(self) -> None:
        if self.template == ():
            raise DeclarationError("a rubric needs a template for its judge calls, got none")
        names = [criterion.name for criterion in self.criteria]
        if not names or len(set(names)) < len(names):
            raise DeclarationError(f"a rubric has criteria with different names, got {names}")
        for place, criterion in enumerate(self.criteria):
            unknown = [name for name in criterion.needs if name not in names[:place]]
            if unknown:
                raise DeclarationError(f"{criterion.name!r} needs {', '.join(unknown)}, which does not stand before it")

    def find(self, response: str, prompt: str = "", judge: Judge | None = None) -> dict[str, Finding]:
        """What each criterion finds, with evidence. Judge calls are masked without a judge, and skipped where the score is decided."""
        found = {each.name: each.find(response) for each in self.criteria if not isinstance(each, JudgeCall)}
        decided = self._is_decided(found)
        for criterion in self.criteria:
            if isinstance(criterion, JudgeCall):
                found[criterion.name] = self._judge_criterion(criterion, response, prompt, judge, found, decided)
            if any(found[name].value == 0 for name in criterion.needs):
                found[criterion.name] = Finding(0.0, f"{criterion.name} needs {' and '.join(criterion.needs)}")
        return {criterion.name: found[criterion.name] for criterion in self.criteria}

    def score(self, response: str, prompt: str = "", judge: Judge | None = None) -> Score:
        """The score of a response, with the value of each criterion as a part; masked criteria have no part."""
        return self.combine(self.find(response, prompt, judge))

    def combine(self, found: dict[str, Finding]) -> Score:
        """The score that findings make."""
        parts = {name: finding.value for name, finding in found.items() if finding.value is not None}
        broken = [each for each in self.criteria if self._counts_as_veto(each) and (parts.get(each.name, 1.0) < 1)]
        if broken:
            return Score(0.0, Outcome.WRONG, found[broken[0].name].reason or f"{broken[0].name} is not met", parts)
        masked = [finding for finding in found.values() if finding.masked]
        if masked:
            return Score(0.0, Outcome.ERROR, masked[0].reason, parts)
        total = math.fsum(each.weight for each in self.criteria)
        value = math.fsum(each.weight * parts[each.name] for each in self.criteria) / total
        if all(value == 1.0 for value in parts.values()):
            return Score(1.0, Outcome.RIGHT, "", parts)
        reason = next(finding.reason for finding in found.values() if finding.value != 1)
        return Score(min(value, math.nextafter(1.0, 0.0)), Outcome.PARTIAL if value > 0 else Outcome.WRONG, reason, parts)

    def _counts_as_veto(self, criterion: AnyCriterion) -> bool:
        return self.whole or criterion.veto

    def _is_decided(self, found: dict[str, Finding]) -> bool:
        return any(found[each.name].value != 1 for each in self.criteria if each.name in found and self._counts_as_veto(each))

    def _judge_criterion(
        self, criterion: JudgeCall, response: str, prompt: str, judge: Judge | None, found: dict[str, Finding], decided: bool
    ) -> Finding:
        if decided:
            return Finding(None, "not asked: other criteria decide")
        if any(found[name].value == 0 for name in criterion.needs):
            return Finding(0.0)
        if judge is None:
            return Finding(None, f"there is no judge for {criterion.name!r}")
        if isinstance(self.template, tuple):
            return ask_judge_in_phrasings(judge, criterion.question, prompt, response, self.template)
        return ask_judge(judge, criterion.question, prompt, response, self.template)


def evidence_texts(response: str, finding: Finding) -> Sequence[str]:
    """The passages of a response that a finding rests on."""
    return [response[start:end] for start, end in finding.evidence]
