"""Finds the steps of a worked solution in a model's own response, and judges each where it stands."""

from __future__ import annotations

import re
from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rlgym.core.declare import Environment
from rlgym.core.task import Task
from rlgym.solutions.sentences import is_labelled, readings_of, sentence_spans
from rlgym.solutions.solution import Checker, Solution, restates_answer
from rlgym.solutions.step import TEXT, Step

Verdict = Literal["right", "wrong", "unchecked"]

_SHAPE = re.compile(r"\d+|[^\W\d_]+|[^\w\s]|_")

_MOST_CHARACTERS = 200_000  # of a response that is looked at
_MOST_SENTENCES = 12  # of one step
_MOST_LINES = 60  # of a last step, whose answer may be a table or a grid
_LIKE_A_STEP = 0.75  # likeness of form from which on a sentence that no template reads counts as a step
_CLOSING_WORDS = 3  # pieces of the last step before its answer from which on they alone mark it
_LITTLE_TEXT = 4  # letters of a template that alone do not mark a sentence as a step


@dataclass(frozen=True)
class FoundStep:
    """A step in a response: the characters `start` to `end`, the text without label and markup, and whether it follows from those before.

    verdict  "right"; "wrong"; "unchecked" for what stands after the first wrong step and depends on it
    """

    start: int
    end: int
    text: str
    verdict: Verdict


@dataclass(frozen=True)
class _Forms:
    """The forms of a task's steps: its templates, the shapes of the steps of its own worked solution, and the shape of the last step before the answer."""

    templates: tuple[Step, ...]
    shapes: tuple[Counter[str], ...]
    closing: Counter[str]
    closing_words: str
    heads: frozenset[str]
    sentences: frozenset[str]
    last: Step | None = None

    def fitting(self, readings: Sequence[str]) -> list[str]:
        """The readings that are sentences of the worked solution, then those that have the form of a template."""
        known = [reading for reading in readings if reading in self.sentences]
        return known + [
            reading
            for reading in readings
            if reading not in self.sentences and any(step is not TEXT and step.fits(reading) for step in self.templates)
        ]

    def closes(self, text: str) -> bool:
        """Whether a text has the form of the last step, where that form has words of its own."""
        last = self.last
        return last is not None and sum(map(str.isalpha, last.literal)) >= _LITTLE_TEXT and last.read(text) is not None

    def begins(self, readings: Sequence[str]) -> bool:
        """Whether a sentence begins with the word or sign with which some step begins."""
        return any(self.heads.intersection(_pieces(reading[:40])[:1]) for reading in readings)

    def likeness(self, readings: Sequence[str]) -> float:
        """How much a sentence looks like a step, right or wrong; 0 for prose, and 1 for the very form of a step."""
        most = max(map(self._to_shapes, (readings[0], readings[-1])), default=0.0)
        if most >= _LIKE_A_STEP:
            return most
        for template in self.templates:
            needed = 0.0 if sum(map(str.isalpha, template.literal)) >= _LITTLE_TEXT else 0.5
            if template is not TEXT and most >= needed and any(map(template.fits, readings)):
                return max(most, _LIKE_A_STEP)
        return 0.0

    def _to_shapes(self, text: str) -> float:
        pieces = _pieces(text)
        if not pieces:
            return 0.0
        # The answer may be long: of the last step, only the words before it are compared.
        whole, beginning = Counter(pieces), Counter(pieces[: self.closing.total()])
        closing = _overlap(beginning, self.closing) if self.closing.total() >= _CLOSING_WORDS else 0.0
        return max([closing, *(_overlap(whole, shape) for shape in self.shapes)])


def find_steps(environment: Environment[Any, Any, Any], task: Task[Any], response: str) -> list[FoundStep]:
    """The steps of a response to a single-turn task, in order, each with its verdict.

    A step is a sentence, or several that only together are one, with or without a label, a bullet, markup or a word such as "Then". Sentences
    that neither follow from those before nor have the form of a step of this task are ordinary prose and left out. Empty where the environment
    cannot check steps.
    """
    response = response[:_MOST_CHARACTERS]
    if environment.replay is None:
        return []
    solution = _solution_of(environment, task)
    forms = _forms_of(environment, task)
    units = list(sentence_spans(response))
    if solution is not None:
        checker = solution.checker(task, environment.answer, environment.verify)
        return _check_steps(response, units, forms, checker, stops=solution.checks is None)
    return _replay_steps(environment, task, response, units, forms)


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


def _check_steps(response: str, units: Sequence[tuple[int, int]], forms: _Forms, checker: Checker, stops: bool) -> list[FoundStep]:
    """The steps by a checker that takes one after another. `stops`: what follows the first wrong step is unchecked."""
    found = list[FoundStep]()
    failed, place = False, 0
    while place < len(units):
        start = units[place][0]
        right: tuple[int, str] | None = None
        if not (failed and stops):
            right = _right_step(response, units, place, forms, checker)
        if right is not None:
            last, text = right
            found.append(FoundStep(start, units[last][1], text, "right"))
        else:
            meant = _meant_step(response, units, place, forms)
            last = place if meant is None else meant[0]
            if meant is not None:
                found.append(FoundStep(start, units[last][1], meant[1], "unchecked" if failed and stops else "wrong"))
                failed = True
        place = last + 1
    return found


def _right_step(response: str, units: Sequence[tuple[int, int]], place: int, forms: _Forms, checker: Checker) -> tuple[int, str] | None:
    """The last unit and the text of the shortest step from this unit on that follows; of the last step, which may hold a table, the longest."""
    closing = _is_closing(response, units[place], forms)
    # The answer that a last step states may have blank lines.
    ends = _ends(response, units, place, forms, blank_lines=closing)
    for last in reversed(ends) if closing else ends:
        readings = readings_of(response[units[place][0] : units[last][1]])
        # Prose is not put to a check, nor a reading in another form than that of a step.
        if not readings or not (forms.begins(readings) or forms.likeness(readings)):
            continue
        for text in forms.fitting(readings) or readings[:2]:
            # A last step must state the right answer.
            if checker.closes(text) or (not forms.closes(text) and checker.follows(text)):
                return last, text
    return None


def _meant_step(response: str, units: Sequence[tuple[int, int]], place: int, forms: _Forms) -> tuple[int, str] | None:
    """The last unit and the text of what looks most like a step from this unit on; None for prose."""
    best: tuple[float, int, str] | None = None
    ends = _ends(response, units, place, forms)
    for last in ends[:_MOST_SENTENCES]:
        readings = readings_of(response[units[place][0] : units[last][1]])
        likeness = forms.likeness(readings) if readings else 0.0
        if likeness > (best[0] if best else 0.0):
            best = likeness, last, readings[0]
    if best is None:
        return None
    # The lines of an answer that is a table belong to the step that states it.
    return (ends[-1] if _is_closing(response, units[place], forms) else best[1]), best[2]


def _ends(response: str, units: Sequence[tuple[int, int]], place: int, forms: _Forms, blank_lines: bool = False) -> list[int]:
    """The units with which a step that begins at this unit may end: no step goes beyond a blank line, unless `blank_lines`."""
    begins = forms.begins(readings_of(response[units[place][0] : units[place][1]]))
    closing = _is_closing(response, units[place], forms)
    most = _MOST_LINES if closing else _MOST_SENTENCES if begins else 1
    out = [place]
    for last in range(place + 1, min(place + most, len(units))):
        gap = response[units[last - 1][1] : units[last][0]]
        # The lines of an answer may be numbered.
        if (gap.count("\n") > 1 and not blank_lines) or (not closing and is_labelled(response, units[last][0])):
            break
        if closing and any(restates_answer(reading) for reading in readings_of(response[units[last][0] : units[last][1]])):
            break
        out.append(last)
    return out


def _is_closing(response: str, unit: tuple[int, int], forms: _Forms) -> bool:
    """Whether a unit begins as the last step does."""
    words = forms.closing_words
    readings = [reading.casefold() for reading in readings_of(response[unit[0] : unit[1]])]
    return len(words) > 3 and any(reading.startswith(words) or (len(reading) > 3 and words.startswith(reading)) for reading in readings)


def _replay_steps(
    environment: Environment[Any, Any, Any], task: Task[Any], response: str, units: Sequence[tuple[int, int]], forms: _Forms
) -> list[FoundStep]:
    """The steps by a hand-written `replay`, which checks all of them together."""
    assert environment.replay is not None
    chosen = [(unit, readings_of(response[unit[0] : unit[1]])) for unit in units]
    meant = [
        (unit, next((text for text in readings if text in forms.sentences), readings[0]))
        for unit, readings in chosen
        if readings and forms.likeness(readings)
    ]
    wrong = environment.replay(task, [text for _, text in meant]) if meant else None
    first = len(meant) if wrong is None else wrong
    verdicts: list[Verdict] = ["right" if place < first else "wrong" if place == first else "unchecked" for place in range(len(meant))]
    return [FoundStep(*unit, text, verdict) for (unit, text), verdict in zip(meant, verdicts, strict=True)]


_KNOWN_FORMS: OrderedDict[tuple[int, str], _Forms] = OrderedDict()
_MOST_FORMS = 64  # tasks whose forms are kept: the rollouts of a group share one


def _forms_of(environment: Environment[Any, Any, Any], task: Task[Any]) -> _Forms:
    key = (id(environment), task.prompt)
    if key not in _KNOWN_FORMS:
        _KNOWN_FORMS[key] = _make_forms(environment, task)
        if len(_KNOWN_FORMS) > _MOST_FORMS:
            _KNOWN_FORMS.popitem(last=False)
    return _KNOWN_FORMS[key]


def _solution_of(environment: Environment[Any, Any, Any], task: Task[Any]) -> Solution[Any] | None:
    """The declared solution of a task; None where steps are checked by a hand-written `replay`."""
    chosen = getattr(environment.solution, "chosen", None)  # one of several solutions, by the task
    solution = chosen(task) if callable(chosen) else environment.solution
    return solution if isinstance(solution, Solution) else None


def _make_forms(environment: Environment[Any, Any, Any], task: Task[Any]) -> _Forms:
    solution = _solution_of(environment, task)
    if solution is None:
        steps = environment.explain(task) if environment.explain is not None else []
        return _Forms((), _distinct(steps), Counter(), "", _heads(steps), frozenset(steps))
    closing = solution.closing_of(task)
    before = closing.template.partition("{answer")[0]
    steps, words = [due.text for due in solution.steps(task)], before.partition("{")[0].strip().casefold()
    explained = steps if environment.explain is None else environment.explain(task)
    restated = list(filter(restates_answer, explained[-1:]))
    templates, heads = tuple(solution.templates(task)), _heads([*steps, before, *restated])
    earlier = steps[:-1] if solution.closes_itself else steps
    last = None if any(closing.read(text) is not None for text in earlier) else closing
    return _Forms(
        templates, _distinct([*steps, *restated]), Counter(_pieces(before)), words, heads, frozenset([*steps, *explained[-1:]]), last
    )


def _heads(steps: Iterable[str]) -> frozenset[str]:
    return frozenset(piece for step in steps for piece in _pieces(step[:40])[:1])


def _distinct(steps: Iterable[str]) -> tuple[Counter[str], ...]:
    shapes = (Counter(_pieces(step)) for step in steps)
    return tuple({frozenset(shape.items()): shape for shape in shapes}.values())


def _pieces(text: str) -> list[str]:
    """The words and signs of a text, every number alike."""
    return ["#" if piece.isdigit() else piece.casefold() for piece in _SHAPE.findall(text)]


def _overlap(one: Counter[str], other: Counter[str]) -> float:
    """The share of pieces that two texts have in common, from 0 to 1."""
    size = one.total() + other.total()
    return 2 * (one & other).total() / size if one and other else 0.0
