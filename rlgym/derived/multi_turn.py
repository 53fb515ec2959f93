"""NAME:try_again and NAME:budgeted: one task over several turns. The feedback is at most whether an answer was right."""

from __future__ import annotations

from typing import Any

from rlgym.core.config import knob
from rlgym.core.declare import Declaration, Environment, Game
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.derived import base_task
from rlgym.derived.formats import WordCounted

DECAY = 0.7
"""The factor on the reward for each further try."""
BUDGET_GROWTH = 4
"""The factor from one round's word budget to the next."""
ROUNDS = 3


def try_again(declared: Declaration) -> Game[Any, Any, Any] | None:
    """Several tries with decaying reward; the feedback states only that an answer is wrong.

    The feedback is that of "A Simple 'Try Again' Can Elicit Multi-Turn LLM Reasoning". A repeated answer is wrong again and costs a try.
    """
    if not isinstance(declared, Environment):
        return None
    config = base_task.extended_config(
        declared, "TryAgain", tries=(int, knob(3, easy=5, hard=2, doc="answers that may be given, each further one for less"))
    )
    state = base_task.data_class(
        declared, "Tries", allowed=(int, ...), tried=(tuple[str, ...], ()), won=(bool, False), failed=(Score | None, None)
    )

    def start(rng: Rng, knobs: Any) -> Any:
        base = declared.generate(rng.child("task"), knobs)
        return state(question=base.prompt, inner=base.data, allowed=knobs.tries)

    start.__annotations__["return"] = state

    def show(now: Any) -> str:
        if not now.tried:
            return (
                f"{now.question}\n\nYou may answer up to {now.allowed} times. You are told only whether an answer is right; each further answer is worth "
                f"{round(100 * DECAY)}% of what the one before it was worth, and repeating an answer is of no use."
            )
        feedback = (
            "That is the answer that you gave before, and it is not right." if now.tried[-1] in now.tried[:-1] else "That is not right."
        )
        return f"{feedback} Try again."

    def act(now: Any, answer: Any, *runner: Any) -> Any:
        text = declared.answer.render(answer)
        if text in now.tried:
            return now.model_copy(update={"tried": (*now.tried, text)})
        score = declared.verify(base_task.unwrap_state(now), answer, *runner)
        failed = score if score.masked else None
        return now.model_copy(update={"tried": (*now.tried, text), "won": score.value == 1.0, "failed": failed})

    def outcome(now: Any) -> Score | None:
        if now.failed is not None:
            return now.failed  # type: ignore[no-any-return]
        if now.won:
            return Score.partial(DECAY ** (len(now.tried) - 1), f"right at try {len(now.tried)}")
        return Score.wrong("no answer was right") if len(now.tried) >= now.allowed else None

    return Game(
        config,
        declared.answer,
        start,
        show,
        act,
        outcome,
        best=lambda now: declared.solve(base_task.unwrap_state(now)),
        mistakes=lambda now: base_task.wrong_answers(declared, base_task.unwrap_state(now)),
        cost=lambda now: declared.cost(base_task.unwrap_state(now)) - now.allowed / 100,
        turns=lambda now: now.allowed,
        explain=(lambda now: declared.explain(base_task.unwrap_state(now))) if declared.explain else None,  # type: ignore[misc]
        partial=True,
        guessable=declared.guessable or "several tries are allowed",
        concept=declared.concept,
        sandbox=declared.sandbox,
        version=declared.version,
    )


def budgeted(declared: Declaration) -> Game[Any, Any, Any] | None:
    """The same task in rounds with growing word budgets; the score is the share of rounds with a right answer.

    A response that exceeds its budget does not count. Each budget requires an answer, which measures how early a model knows it.
    """
    if not isinstance(declared, Environment):
        return None
    config = base_task.extended_config(
        declared, "Budgeted", first_words=(int, knob(64, easy=128, hard=16, doc="words that the first response may have", scale="log"))
    )
    state = base_task.data_class(declared, "Rounds", words=(int, ...), right=(tuple[bool, ...], ()), failed=(Score | None, None))
    form = WordCounted(declared.answer)

    def start(rng: Rng, knobs: Any) -> Any:
        base = declared.generate(rng.child("task"), knobs)
        return state(question=base.prompt, inner=base.data, words=knobs.first_words)

    start.__annotations__["return"] = state

    def budget(now: Any) -> int:
        return int(now.words * BUDGET_GROWTH ** len(now.right))

    def show(now: Any) -> str:
        limit = f"Beside the answer itself, your response may have at most {budget(now)} words; a longer one does not count."
        if not now.right:
            return (
                f"{now.question}\n\nYou answer this task {ROUNDS} times, each time with more room to think, and are not told in between whether you were "
                f"right. {limit}"
            )
        return f"Answer the task again. {limit}"

    def act(now: Any, answer: tuple[Any, int], *runner: Any) -> Any:
        value, words = answer
        if value is None or words > budget(now):
            return now.model_copy(update={"right": (*now.right, False)})
        score = declared.verify(base_task.unwrap_state(now), value, *runner)
        failed = score if score.masked else None
        return now.model_copy(update={"right": (*now.right, score.value == 1.0), "failed": failed})

    def outcome(now: Any) -> Score | None:
        if now.failed is not None:
            return now.failed  # type: ignore[no-any-return]
        if len(now.right) < ROUNDS:
            return None
        return Score.partial(sum(now.right) / ROUNDS, f"right in {sum(now.right)} of {ROUNDS} rounds", **milestones(now))

    def milestones(now: Any) -> dict[str, float]:
        return {f"within_{now.words * BUDGET_GROWTH**k}_words": float(k < len(now.right) and now.right[k]) for k in range(ROUNDS)}

    return Game(
        config,
        form,
        start,
        show,
        act,
        outcome,
        best=lambda now: (declared.solve(base_task.unwrap_state(now)), 1),
        mistakes=lambda now: [(wrong, 1) for wrong in base_task.wrong_answers(declared, base_task.unwrap_state(now))],
        cost=lambda now: declared.cost(base_task.unwrap_state(now)) - now.words / 1000,
        turns=lambda now: ROUNDS,
        milestones=milestones,
        partial=True,
        guessable=declared.guessable,
        concept=declared.concept,
        sandbox=declared.sandbox,
        version=declared.version,
    )
