"""Where a response puts its final answer: the marks that a scorer reads, and how they are detected."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rlgym import RlgymError
from rlgym.audit.case import Case, Verdict
from rlgym.audit.cases.tasks import AuditTask

ANSWER = "{answer}"
REASONING = "First I write down what is given. Then I work it out carefully. At the end I check the result."


@dataclass(frozen=True, slots=True)
class AnswerStyle:
    """A template around the final answer. The bare style has no marks: the whole response is the answer."""

    name: str
    template: str

    @property
    def bare(self) -> bool:
        return self.template == ANSWER

    def mark(self, answer: str) -> str:
        """The answer between the marks."""
        return self.template.replace(ANSWER, answer)

    def respond(self, answer: str, reasoning: str = REASONING) -> str:
        """A whole response; in the bare style only the answer."""
        return answer if self.bare else f"{reasoning}\n\n{self.mark(answer)}"


STYLES = {
    style.name: style
    for style in (
        AnswerStyle("boxed", "\\boxed{{answer}}"),
        AnswerStyle("tag", "<answer>{answer}</answer>"),
        AnswerStyle("hash", "#### {answer}"),
        AnswerStyle("line", "Answer: {answer}"),
        AnswerStyle("bare", ANSWER),
    )
}


def custom_style(template: str) -> AnswerStyle:
    """A style from a template with `{answer}` in it."""
    if template.count(ANSWER) != 1:
        raise RlgymError(f"a template must contain {ANSWER} exactly once, got {template!r}")
    return AnswerStyle("custom", template.replace("\\n", "\n"))


def probe(task: AuditTask, style: AnswerStyle) -> Case:
    """The reference answer of a task as a response."""
    return Case("style", task.prompt, style.respond(task.answer), task.answer, True, task.answer_type, task.domain)


def detect(
    score: Callable[[Sequence[Case]], Sequence[Verdict]],
    tasks: Sequence[AuditTask],
    accept: float,
    styles: Iterable[AnswerStyle] = STYLES.values(),
) -> AnswerStyle:
    """The style in which the scorer accepts most reference answers; the first one of equals. RlgymError if it accepts none in any style."""
    best, most = None, 0
    highest = -math.inf
    for style in styles:
        verdicts = score([probe(task, style) for task in tasks])
        accepted = sum(verdict.reward is not None and verdict.reward >= accept for verdict in verdicts)
        highest = max([highest, *(verdict.reward for verdict in verdicts if verdict.reward is not None)])
        if accepted > most:
            best, most = style, accepted
    if best is None:
        error = next((verdict.error for verdict in verdicts if verdict.error), "")
        why = f"; its last error: {error}" if error else ""
        if highest > -math.inf:
            why += f"; the highest reward is {highest:g}, and a response is accepted from {accept:g} on (--range, --accept)"
        raise RlgymError(
            f"the scorer accepts no reference answer in any of the styles {', '.join(STYLES)}{why}; give --template with the marks it reads"
        )
    return best
