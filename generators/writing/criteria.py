"""Rubrics over what a text of a restricted language claims: only stated forms, only true claims, everything required, nothing beyond a limit."""

from collections.abc import Callable, Collection, Hashable, Iterable
from dataclasses import dataclass

from rlgym.core.score import Score
from rlgym.generators.writing.language import Claim, Language
from rlgym.rubrics import Check, Finding, Rubric

Claims = tuple[Claim, ...]


@dataclass(frozen=True)
class Fault:
    """Why a criterion is not met, the claims that decide, and the share that is met."""

    reason: str
    claims: Claims = ()
    share: float = 0.0


Test = Callable[[Claims], Fault | None]


def text_rubric(language: Language, **criteria: Test) -> Rubric:
    """A rubric whose first criterion is that every sentence has a stated form; the others see the claims of the text.

    All criteria are required, so that a sentence that cannot be read, or a false one, costs everything. The parts of the score say which criteria are met.
    """

    def stated_forms(text: str) -> Finding:
        reading = language.read(text)
        read, unread = len(reading.claims), len(reading.unread)
        reason = "there is text that is no sentence of a stated form" if unread else "" if read else "there is no sentence"
        return Finding(0.0 if reason else 1.0, reason, reading.unread)

    return Rubric((Check(name="stated_forms", test=stated_forms), *(_check(language, name, test) for name, test in criteria.items())))


def score_text(language: Language, text: str, **criteria: Test) -> Score:
    """The score of a text by such a rubric."""
    return text_rubric(language, **criteria).score(text)


def _check(language: Language, name: str, test: Test) -> Check:
    def find(text: str) -> Finding:
        fault = test(language.read(text).claims)
        places = tuple((claim.start, claim.end) for claim in fault.claims) if fault else ()
        return Finding(min(fault.share, 0.999), fault.reason, places) if fault else Finding(1.0)

    return Check(name=name, test=find)


def every(holds: Callable[[Claim], bool], reason: str) -> Test:
    """Every claim is as required; the share counts those that are."""

    def test(claims: Claims) -> Fault | None:
        false = tuple(claim for claim in claims if not holds(claim))
        return Fault(reason, false, 1 - len(false) / len(claims)) if false else None

    return test


def covers(required: Collection[Hashable], items: Callable[[Claim], Iterable[Hashable]], reason: str) -> Test:
    """The claims together state all that is required; the share counts what they state."""

    def test(claims: Claims) -> Fault | None:
        stated = {item for claim in claims for item in items(claim)}
        missing = [item for item in required if item not in stated]
        return Fault(reason, (), 1 - len(missing) / len(required)) if missing else None

    return test


def at_most(limit: int, count: Callable[[Claims], int] = len, what: str = "sentences") -> Test:
    """No more than so many sentences, or of what `count` counts."""

    def test(claims: Claims) -> Fault | None:
        return Fault(f"the text has more than {limit} {what}", claims[limit:]) if count(claims) > limit else None

    return test
