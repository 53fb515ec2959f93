"""The layout of an answer neither costs a right answer its reward nor earns a wrong one any."""

from __future__ import annotations

from typing import Any

from rlgym.core.answer import Answer, wrap
from rlgym.core.layout import WRAPPERS, Layer, Question
from rlgym.core.score import Outcome
from rlgym.core.task import Task
from rlgym.episode.play import start_episode
from rlgym.laws.effort import Effort, Samples
from rlgym.laws.finding import Finding
from rlgym.laws.layouts import UNKNOWN, WRAPPED, invited
from rlgym.laws.subject import Subject, short

TASKS = Samples(least=1, standard=3, certificate=6)
MISTAKES = Samples(least=1, standard=3, certificate=6)
CONTENT = frozenset({"code", "sql", "regex", "passage", "literal", "json", "condition"})
"""Formats whose answers may themselves be such texts."""
SAFE = frozenset({Layer.FENCE, Layer.LABEL})
"""The layers that these formats have to take off nevertheless, where they declare them."""


def answer_layout(subject: Subject, effort: Effort) -> Finding:
    """A right answer in each layout scores 1, a mistake in it 0, and a layout that is not understood is unreadable, never wrong."""
    if subject.single is None or type(subject.single.answer).extract is not Answer.extract:
        return Finding({"layouts": 0})  # calls of tools, and several answers in marks of their own, have layouts of their own
    finding, accepted, rejected = Finding(), 0, 0
    for seed, level in subject.sample(TASKS, effort):
        if level not in subject.chosen_levels(effort):
            continue
        task, location = subject.task(seed, level), f"seed {seed} level {level}"
        accepted += _right_answers(subject, task, finding, location)
        rejected += _wrong_answers(subject, task, effort, finding, location)
    finding.measured = {"layouts": accepted, "mistakes_in_layouts": rejected, "broken": finding.broken}
    return finding


def _right_answers(subject: Subject, task: Task[Any], finding: Finding, location: str) -> int:
    """Require that the oracle's answer is accepted in every layout; returns their number."""
    answer = subject.declared.answer
    text = answer.render(subject.right(task))
    is_content = getattr(answer, "inner", answer).format in CONTENT
    required = SAFE & answer.layers if is_content else WRAPPERS
    # Between dollar signs, a text with another one is no formula.
    wrapped = [
        layout.format(text) for layout, layers in WRAPPED.items() if required.issuperset(layers) and not ("$" in layout and "$" in text)
    ]
    wrapped += invited(answer, text, Question(task.prompt, answer.instructions))
    for written in wrapped:
        score = subject.score(task, wrap(written, "tag"))
        finding.require(score.value == 1.0, f"{short(written)} is {score.outcome.value}: {score.reason[:120]}, {location}")
    for layout in UNKNOWN if not is_content else ():
        score = subject.score(task, wrap(layout.format(text), "tag"))
        known = score.outcome in (Outcome.RIGHT, Outcome.UNREADABLE)
        finding.require(
            known, f"the unknown layout {short(layout.format(text))} is {score.outcome.value}: {score.reason[:120]}, {location}"
        )
    return len(wrapped)


def _wrong_answers(subject: Subject, task: Task[Any], effort: Effort, finding: Finding, location: str) -> int:
    """Require that no layout makes a mistake right; returns the number of texts."""
    answer, tried = subject.declared.answer, 0
    mistakes = subject.mistakes(start_episode(subject.declared, task, "tag"))
    for mistake in mistakes[: MISTAKES.at(effort, subject.runs_programs)]:
        text = answer.render(mistake)
        plain = subject.score(task, wrap(text, "tag")).value
        # Where a format leaves a layout on, it belongs to the text: bold around a passage may meet a rule that asks for bold.
        wrapped = [layout for layout, layers in WRAPPED.items() if answer.format != "passage" or answer.layers.issuperset(layers)]
        for written in [
            *(layout.format(text) for layout in wrapped),
            *invited(answer, text, Question(task.prompt, answer.instructions), False),
        ]:
            tried += 1
            score = subject.score(task, wrap(written, "tag"))
            finding.require(
                score.value <= plain, f"the mistake {short(written)} earns {score.value:g}, without its layout {plain:g}, {location}"
            )
    return tried
