"""Published rubric rewards as configurations of `Rubric` and of judges."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rlgym.core.errors import RlgymError
from rlgym.rubrics.criteria import AnyCriterion, Check, Finding, JudgeCall, NoContradiction, Nugget
from rlgym.rubrics.facts import FactSheet
from rlgym.rubrics.judge import Judge, JudgeUnavailable
from rlgym.rubrics.rubric import Rubric
from rlgym.rubrics.sentences import phrase_places, tokens_of

_LIST = re.compile(r"\[[^\[\]]*\]")


def checklist(items: Sequence[AnyCriterion]) -> Rubric:
    """Binary items with weights and dependencies; the value is the weighted share of items that are met. From "CM2".

    The text that the items see may be a call log or a state as JSON, so that no judge is needed where a program simulates the tools.
    """
    return Rubric(tuple(items), whole=False)


def nugget_rubric(sheet: FactSheet, weights: Mapping[str, float], veto_contradictions: bool = True) -> Rubric:
    """Weighted recall of nuggets; one nugget for a short answer, many for a report. From "Search-Gen-V".

    With `veto_contradictions` a text that contradicts a fact, or has a figure that none supports, is worth 0.
    """
    facts = {fact.name: fact for fact in sheet.facts}
    nuggets = [Nugget(name=name, fact=facts[name], sheet=sheet, weight=weight) for name, weight in weights.items()]
    last = NoContradiction(name="no contradiction", sheet=sheet, weight=1e-9, veto=True)
    return Rubric((*nuggets, last) if veto_contradictions else tuple(nuggets), whole=False)


def reference_chain(key_terms: Sequence[str], style: Sequence[Check] = (), content_weight: float = 0.7) -> Rubric:
    """Key terms of a reference in their order, and executable style checks. From "RLVRR".

    The content is the share of key terms in the longest sequence that the response has in the order of the reference.
    """
    phrases = [tokens_of(term) for term in key_terms]

    def content(response: str) -> float:
        words, best = tokens_of(response), [0] * len(phrases)
        for _, k in sorted((at, -k) for k, phrase in enumerate(phrases) for at in phrase_places(words, phrase)):
            best[-k] = max(best[-k], 1 + max(best[:-k], default=0))
        return max(best, default=0) / len(phrases)

    style_weight = (1 - content_weight) / len(style) if style else 0.0
    weighed = tuple(Check(name=each.name, test=each.test, reason=each.reason, weight=style_weight) for each in style)
    return Rubric((Check(name="content", test=content, weight=content_weight), *weighed), whole=False)


def principle(text: str, weight: float = 1.0, veto: bool = False) -> JudgeCall:
    """A yes-or-no principle that the user states at run time, such as "The response gives its sources". From "RLBFF"."""
    return JudgeCall(name=text, question=f"Does the response satisfy this principle: {text}", weight=weight, veto=veto)


@dataclass(frozen=True)
class RuleSet:
    """Rules extracted from preferences, with a version. The reward is the share of rules that a response satisfies. From "AutoRule"."""

    version: str
    rules: tuple[str, ...]

    def rubric(self) -> Rubric:
        """One judge call for each rule, all of one weight."""
        return Rubric(tuple(JudgeCall(name=f"rule {k}", question=rule) for k, rule in enumerate(self.rules, 1)), whole=False)

    def save(self, file: Path) -> None:
        """Write the rules as JSON."""
        file.write_text(json.dumps({"version": self.version, "rules": list(self.rules)}, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, file: Path) -> RuleSet:
        """Read what `save` wrote."""
        data = json.loads(file.read_text(encoding="utf-8"))
        return cls(data["version"], tuple(data["rules"]))


def extract_rules(judge: Judge, preferences: Sequence[tuple[str, str, str]], version: str) -> RuleSet:
    """Rules from (prompt, chosen, rejected) triples in three stages: interpret each preference, derive rules, merge them all.

    RlgymError where the merged list cannot be read; a preference whose rules cannot be read is left out.
    """
    candidates = list[str]()
    for prompt, chosen, rejected in preferences:
        shown = json.dumps({"task": prompt, "preferred": chosen, "other": rejected})
        reasons = judge.reply(f"Explain step by step why the preferred response is better.\n{shown}")
        candidates += (
            _json_list(judge.reply(f"State the general rules behind this reasoning as a JSON list of sentences.\n{reasons}")) or []
        )
    merged = _json_list(judge.reply(f"Merge rules that say the same. Reply with a JSON list of sentences.\n{json.dumps(candidates)}"))
    if not merged:
        raise RlgymError("the judge's merged rules are not a JSON list of sentences")
    return RuleSet(version, tuple(dict.fromkeys(merged)))


def pairwise_votes(rubric: Rubric, first: str, second: str, prompt: str = "", judge: Judge | None = None) -> float | None:
    """The weighted votes of all criteria between two responses, from -1 (the second) to 1 (the first). From "Open Rubric System".

    Vetoes are a gate: where only one response meets them it wins, where neither does the votes are even. Each criterion votes -1, 0 or 1, and the votes
    are summed with fixed weights, outside any judge. None where a judge call is masked.
    """
    found = [rubric.find(text, prompt, judge) for text in (first, second)]
    gates = [all(each[criterion.name].value == 1 for criterion in rubric.criteria if criterion.veto) for each in found]
    if gates[0] != gates[1] or not gates[0]:
        return float(gates[0]) - float(gates[1])
    votes = [_vote(found[0][each.name], found[1][each.name]) for each in rubric.criteria]
    if None in votes:
        return None
    total = sum(each.weight for each in rubric.criteria)
    return sum(each.weight * vote for each, vote in zip(rubric.criteria, votes, strict=True) if vote) / total


def sampled_scores(
    judge: Judge,
    prompt: str,
    responses: Sequence[str],
    *,
    samples: int = 8,
    keep: int | None = None,
    meta: Callable[[str], float] | None = None,
) -> list[float] | None:
    """Scores of responses from 1 to 10, each summed over sampled verdicts with principles and critiques. From "SPCT".

    Every sample is a prompt of its own, so that a cache keeps them apart. Verdicts that cannot be read are dropped; with `meta` only the `keep` verdicts
    with the highest meta scores count. None where no verdict is left.
    """
    shown = json.dumps({"task": prompt, "responses": list(responses)})
    verdicts = list[tuple[float, list[float]]]()
    for sample in range(1, samples + 1):
        try:
            reply = judge.reply(
                "Write principles for judging the responses to this task with their weights, then a critique of each response, and on the last line a "
                f"JSON list with a score from 1 to 10 for each response. (Sample {sample})\n{shown}"
            )
        except JudgeUnavailable:
            continue
        scores = _scores(reply, len(responses))
        if scores:
            verdicts.append((meta(reply) if meta else 0.0, scores))
    if meta:
        verdicts = sorted(verdicts, key=lambda verdict: -verdict[0])[:keep]
    return [sum(column) for column in zip(*(scores for _, scores in verdicts), strict=True)] if verdicts else None


def _vote(first: Finding, second: Finding) -> int | None:
    if first.value is None or second.value is None:
        return None
    return (first.value > second.value) - (first.value < second.value)


def _json_list(reply: str) -> list[str] | None:
    for text in _LIST.findall(reply)[::-1]:
        try:
            found = json.loads(text)
        except ValueError:
            continue
        if found and all(isinstance(each, str) for each in found):
            return [" ".join(each.split()) for each in found]
    return None


def _scores(reply: str, count: int) -> list[float] | None:
    for text in _LIST.findall(reply)[::-1]:
        try:
            found = json.loads(text)
        except ValueError:
            continue
        if len(found) == count and all(isinstance(each, int | float) and 1 <= each <= 10 for each in found):
            return [float(each) for each in found]
    return None
