"""Finds the steps of a worked solution in a model's own response, and judges each where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rlgym.core.declare import Environment
from rlgym.core.task import Task
from rlgym.solutions.solution import Solution
from rlgym.solutions.step import TEXT, Step

Verdict = Literal["right", "wrong", "unchecked"]

_HEAD = re.compile(r"[ \t]*(?:[-*•]\s+)?(?:\*\*)?(?:step\s+\d+\s*[:.)]|\(?\d{1,3}[.)])?(?:\*\*)?\s*", re.IGNORECASE)
_LABEL = re.compile(r"^[ \t]*(?:[-*•]\s+)?(?:\*\*)?step\s+\d+\s*[:.)]", re.IGNORECASE | re.MULTILINE)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_MOST_CHARACTERS = 200_000  # of a response that is looked at


@dataclass(frozen=True)
class FoundStep:
    """A step in a response: the characters `start` to `end`, the text without label and markup, and whether it follows from those before.

    verdict  "right"; "wrong"; "unchecked" for what stands after the first wrong step and depends on it
    """

    start: int
    end: int
    text: str
    verdict: Verdict


def find_steps(environment: Environment[Any, Any, Any], task: Task[Any], response: str) -> list[FoundStep]:
    """The steps of a response to a single-turn task, in order, each with its verdict.

    Where a response labels its steps (`Step 3: ...`), each label begins one; else every line is a candidate, and each sentence of a line
    that is none itself. Where a declared `Solution` has templates, candidates that fit none are ordinary prose and left out. Where steps are
    read by a parser or a hand-written `replay`, every candidate counts. Empty where the environment cannot check steps.
    """
    response = response[:_MOST_CHARACTERS]
    solution = environment.solution
    if isinstance(solution, Solution) and not callable(solution.checks and solution.checks(task)):
        return _by_templates(environment, solution, task, response)
    return _by_replay(environment, task, response) if environment.replay is not None else []


def token_spans(steps: Sequence[FoundStep], offsets: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """For each step the range of tokens, end excluded, that overlap it. `offsets` holds the characters that each token covers, in order."""
    spans, first = list[tuple[int, int]](), 0
    for step in steps:
        while first < len(offsets) and offsets[first][1] <= step.start:
            first += 1
        last = first
        while last < len(offsets) and offsets[last][0] < step.end:
            last += 1
        spans.append((first, last))
    return spans


def _by_templates(environment: Environment[Any, Any, Any], solution: Solution[Any], task: Task[Any], response: str) -> list[FoundStep]:
    templates = solution.templates(task)
    checker = solution.checker(task, environment.answer, environment.verify)
    found_steps: list[FoundStep] = []
    failed = False
    for start, end in _candidates(response, lambda text: bool(_spellings(text, templates))):
        readings = _spellings(response[start:end], templates)
        if not readings:
            continue
        if failed and solution.checks is None:
            found_steps.append(FoundStep(start, end, readings[0], "unchecked"))
            continue
        # A check changes nothing when it fails, so several readings of one step may be tried.
        right = next((text for text in readings if checker.follows(text) or checker.closes(text)), None)
        failed = failed or right is None
        found_steps.append(FoundStep(start, end, readings[0] if right is None else right, "wrong" if right is None else "right"))
    return found_steps


def _by_replay(environment: Environment[Any, Any, Any], task: Task[Any], response: str) -> list[FoundStep]:
    assert environment.replay is not None
    spans = list(_candidates(response, lambda text: True))
    texts = [_plain(response[start:end]) for start, end in spans]
    wrong = environment.replay(task, texts) if texts else None
    first = len(texts) if wrong is None else wrong
    verdicts: list[Verdict] = ["right" if i < first else "wrong" if i == first else "unchecked" for i in range(len(texts))]
    return [FoundStep(start, end, text, verdict) for (start, end), text, verdict in zip(spans, texts, verdicts, strict=True)]


def _candidates(response: str, fits: Any) -> Iterator[tuple[int, int]]:
    """The spans that may be steps: labelled parts, lines, or sentences of a line that does not fit as a whole."""
    labels = [match.start() for match in _LABEL.finditer(response)]
    if labels:
        for start, end in zip(labels, [*labels[1:], len(response)], strict=True):
            part = response[start:end]
            block = part.split("\n\n")[0] if fits(part.split("\n\n")[0]) or not fits(part) else part
            yield _trimmed(response, start, start + len(block))
        return
    for match in re.finditer(r"[^\n]+", response):
        line = match[0]
        if fits(line) or not _SENTENCE_END.search(line):
            yield _trimmed(response, match.start(), match.end())
            continue
        start = match.start()
        for gap in [*_SENTENCE_END.finditer(line), None]:
            end = match.start() + (gap.start() if gap else len(line))
            yield _trimmed(response, start, end)
            start = match.start() + gap.end() if gap else end


def _trimmed(response: str, start: int, end: int) -> tuple[int, int]:
    part = response[start:end]
    return start + len(part) - len(part.lstrip()), start + len(part.rstrip("\r\n"))


def _plain(text: str) -> str:
    """A candidate without its label, bullet and markup."""
    bare = text.strip()
    head = _HEAD.match(bare)
    return bare[head.end() if head else 0 :].replace("**", "").strip().strip("`").strip()


def _spellings(text: str, templates: Sequence[Step]) -> list[str]:
    """The readings of a candidate that fit a template: as it stands, then with another first letter's case, another spacing, and a full stop
    more or less."""
    head = _HEAD.match(text)
    plain = _plain(text)
    readings = [text[head.end() if head else 0 :]]
    for spelling in (plain, " ".join(plain.split())):
        for first in (spelling[:1], spelling[:1].upper(), spelling[:1].lower()):
            bare = first + spelling[1:].removesuffix(".")
            readings += [bare, f"{bare}."]
    return [
        reading for reading in dict.fromkeys(readings) if reading and any(step is not TEXT and step.fits(reading) for step in templates)
    ]
