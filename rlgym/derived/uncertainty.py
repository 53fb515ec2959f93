"""NAME:with_confidence and NAME:n_guesses: answers that state how sure the model is, as a probability or as a ranking."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from rlgym.core.declare import Declaration, Environment
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task
from rlgym.derived import base_task
from rlgym.derived.formats import Guesses, WithConfidence

CONFIDENCE_WEIGHT = 0.25
"""The share of the score that depends on the stated confidence."""
GUESSES = 3


def with_confidence(declared: Declaration) -> Environment[Any, Any, Any] | None:
    """An answer with the probability that it is right, under a proper scoring rule.

    With confidence c and weight w, a right answer scores 1 - w (1 - c)^2 and a wrong one w (1 - c^2): the Brier score of "Beyond Binary
    Rewards: Training LMs to Reason About Their Uncertainty", shifted into [0, 1]. Stating the true probability maximises the expected score,
    and a wrong answer never scores more than w.
    """
    if not isinstance(declared, Environment):
        return None

    def verify(task: Task[Any], answer: tuple[Any, Fraction], *runner: Any) -> Score:
        value, probability = answer
        score = declared.verify(task, value, *runner)
        if score.masked:
            return score
        confidence = float(probability)
        earned = score.value * (1 - CONFIDENCE_WEIGHT * (1 - confidence) ** 2) + (1 - score.value) * CONFIDENCE_WEIGHT * (1 - confidence**2)
        parts = {**score.parts, "correct": score.value, "brier": (confidence - score.value) ** 2}
        return Score.partial(earned, score.reason or "right, but stated as unsure", **parts)

    solutions = declared.solutions
    return replace(
        declared,
        answer=WithConfidence(declared.answer),
        solve=lambda task: (declared.solve(task), Fraction(1)),
        verify=verify,
        mistakes=lambda task, right: [(wrong, Fraction(1)) for wrong in declared.mistakes(task, right[0])],
        solutions=(lambda task: ((solution, Fraction(1)) for solution in solutions(task))) if solutions else None,
        solution=None,
        explain=None,
        replay=None,
        partial=True,
        shift=None,
        statement=None,
        audit=None,
    )


def n_guesses(declared: Declaration) -> Environment[Any, Any, Any] | None:
    """Several different answers, the likeliest first; the score falls with the rank of the right one."""
    if not base_task.scores_in_process(declared):
        return None
    assert isinstance(declared, Environment)
    data = base_task.data_class(declared, "Guesses", guesses=(int, ...))

    def generate(rng: Rng, knobs: Any) -> Task[Any]:
        base = declared.generate(rng.child("task"), knobs)
        available = 1 + len(base_task.wrong_texts(declared, base, declared.solve(base))[: GUESSES - 1])
        fewer = "" if available == GUESSES else f"\n\nFor this task, give only {available} answers."
        return Task(base.prompt + fewer, data(question=base.prompt, inner=base.data, guesses=available))

    def others(task: Task[Any], right: Any) -> list[Any]:
        return [declared.answer.parse(text) for text in base_task.wrong_texts(declared, base_task.unwrap(task), right)]

    def solve(task: Task[Any]) -> tuple[Any, ...]:
        right = declared.solve(base_task.unwrap(task))
        return (right, *others(task, right)[: task.data.guesses - 1])

    def verify(task: Task[Any], answer: tuple[Any, ...]) -> Score:
        if len(answer) != task.data.guesses or len(set(base_task.rendered(declared, answer))) != len(answer):
            return Score.wrong(f"exactly {task.data.guesses} different answers are asked for")
        verdicts = [declared.verify(base_task.unwrap(task), guess).value == 1.0 for guess in answer]
        if not any(verdicts):
            return Score.wrong("none of the answers is right")
        return Score.partial(1 - verdicts.index(True) / GUESSES, "a right answer stands, but not first")

    def mistakes(task: Task[Any], right: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        wrong = others(task, right[0])
        return [tuple(wrong[: task.data.guesses]), right[:-1]]

    return Environment(
        declared.config,
        Guesses(declared.answer, GUESSES),
        base_task.with_data_type(generate, data),
        solve,
        verify,
        mistakes,
        lambda task: declared.cost(base_task.unwrap(task)),
        partial=True,
        guessable=declared.guessable and f"{declared.guessable}; and there are {GUESSES} guesses",
        concept=declared.concept,
        version=declared.version,
    )
