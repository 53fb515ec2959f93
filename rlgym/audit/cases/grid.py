"""The same answers alone, in short and in long responses, and for a judge with a short and with a long reply.

The grid follows "VerifyBench: A Systematic Benchmark for Evaluating Reasoning Verifiers Across Domains": extracted answer or full response, short or long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rlgym.audit.case import Case
from rlgym.audit.cases.build import without_dollar_signs
from rlgym.audit.cases.tasks import AuditTask
from rlgym.audit.cases.texts import PADDING
from rlgym.audit.styles import REASONING, AnswerStyle

CHECK = "grid"
ALONE, SHORT, LONG = "answer alone", "short response", "long response"
VERDICT, REASONED = "verdict", "reasoned"
ANSWERS = 3
"""Right and wrong answers of a task, at most each."""


def grid_cases(tasks: Sequence[AuditTask], style: AnswerStyle, replies: bool) -> Iterator[Case]:
    """The cases of the grid. `replies`: each of them for a short and for a long reply of a judge as well."""
    for task in tasks:
        right = list(dict.fromkeys([task.answer, *(without_dollar_signs(text, style) for text in task.equal)]))[:ANSWERS]
        wrong = task.unequal[:ANSWERS]
        count = min(len(right), len(wrong))
        for text, truth in [*((text, True) for text in right[:count]), *((text, False) for text in wrong[:count])]:
            for given, response in _inputs(text, style).items():
                for reply in (VERDICT, REASONED) if replies else (VERDICT,):
                    context = {**task.context, **({"reply": reply} if replies else {})}
                    yield Case(
                        CHECK,
                        task.prompt,
                        response,
                        task.answer,
                        truth,
                        task.answer_type,
                        task.domain,
                        f"{given}, {reply}",
                        context=context,
                    )


def _inputs(text: str, style: AnswerStyle) -> dict[str, str]:
    if style.bare:
        return {ALONE: text}
    return {ALONE: style.mark(text), SHORT: style.respond(text), LONG: style.respond(text, f"{REASONING}\n\n{PADDING['3,000 words']}")}
