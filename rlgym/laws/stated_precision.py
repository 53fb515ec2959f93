"""A prompt for numbers says whether they are exact or how many digits the answer needs, and that many digits are enough."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rlgym.core.answer import Answer, wrap
from rlgym.core.decimals import decimal
from rlgym.core.task import Task
from rlgym.laws.effort import Effort, Samples
from rlgym.laws.finding import Finding
from rlgym.laws.subject import Subject, short

TASKS = Samples(least=1, standard=3, certificate=6)
NUMERIC = frozenset({"rational", "rationals", "assignment", "quantity", "percent", "solutions", "point", "matrix"})
FINER = 2  # more digits than the prompt asks for are right, too
_STATED = re.compile(
    r"\bexact(?!ly (?:one|two|three|four|five|\d|the same|once|as ))(?:ly)?\b|\bfraction|\ba/b\b|\bdigits? after\b|\bdecimal (?:place|number)"
    r"|\bsignificant digit|\bwhole number|\binteger",
    re.IGNORECASE,
)
_FRACTION = re.compile(r"[+-]?\d+/\d+")


def stated_precision(subject: Subject, effort: Effort) -> Finding:
    """Where answers are not whole, the prompt states the precision; a decimal rounded to the stated digits is right, one with another last digit wrong."""
    single = subject.single
    if single is None or single.answer.format not in NUMERIC:
        return Finding({"rounded": 0})
    finding, tried = Finding(), 0
    digits: int | None = getattr(single.answer, "digits", None)
    for seed, level in subject.sample(TASKS, effort):
        task, location = subject.task(seed, level), f"seed {seed} level {level}"
        text = single.answer.render(subject.right(task))
        if not _FRACTION.search(text):
            continue
        line = single.answer.closing_line("tag")
        stated = bool(_STATED.search(f"{task.prompt}\n{line}"))
        finding.require(
            stated, f"the answer {short(text)} is not whole, and the prompt does not say whether it is to be exact or rounded, {location}"
        )
        if digits is not None:
            finding.require(
                f"{digits} significant digits" in line, f"the closing line does not ask for {digits} significant digits, {location}"
            )
            tried += _require_rounded(subject, single.answer, task, digits, finding, location)
    finding.measured = {"rounded": tried}
    return finding


def _require_rounded(subject: Subject, answer: Answer[Any], task: Task[Any], digits: int, finding: Finding, location: str) -> int:
    """Require that each number may be rounded to the stated digits, and not to another last digit; returns the number of texts."""
    right, tried = subject.right(task), 0
    for written, is_right in _rounded_texts(answer.render(right), digits):
        tried += 1
        score = subject.score(task, wrap(written, "tag"))
        verdict = "is refused" if is_right else "earns a reward"
        finding.require((score.value == 1.0) == is_right, f"{short(written)} {verdict}: {score.reason[:80]}, {location}")
    return tried


def _rounded_texts(text: str, digits: int) -> Iterator[tuple[str, bool]]:
    """The text with its fractions rounded to the digits, to finer ones, and with one last digit too many; and which of them are right."""
    yield _FRACTION.sub(lambda match: decimal(Fraction(match[0]), digits), text), True
    yield _FRACTION.sub(lambda match: decimal(Fraction(match[0]), digits + FINER), text), True
    yield _FRACTION.sub(lambda match: _next_decimal(Fraction(match[0]), digits), text, count=1), False


def _next_decimal(value: Fraction, digits: int) -> str:
    """A number rounded to the digits, with its last digit raised by 2."""
    text = decimal(value, digits)
    _, point, decimals = text.partition(".")
    unit = Fraction(1, 10 ** len(decimals)) if point else Fraction(10) ** max(0, len(text.lstrip("-")) - digits)
    raised = Fraction(text) + (2 * unit if value > 0 else -2 * unit)
    return f"{float(raised):.{len(decimals)}f}" if point else str(raised)
