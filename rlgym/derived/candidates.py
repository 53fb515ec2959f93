"""NAME:candidates and NAME:choose_twice: as many ranked candidates as the model likes, and one choice asked for twice with shuffled options."""

from __future__ import annotations

from typing import Any

from rlgym.answers import Choice
from rlgym.core.declare import Declaration, Environment, Game
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task
from rlgym.derived import base_task
from rlgym.derived.choose import LETTERS, choice_prompt, right_letters, sampled_options
from rlgym.derived.formats import Candidates

MOST_CANDIDATES = 8


def candidates(declared: Declaration) -> Environment[Any, Any, Any] | None:
    """One answer or more, the likeliest first: right only if the first of one is, with parts for N candidates and the rank of the right one.

    The parts `share` = 1 / N and `rank_share` = 1 / k are those of the reward `adaptive_exploration`, from "InfiGUI-G1". None where scoring runs
    programs or has many turns.
    """
    if not base_task.scores_in_process(declared):
        return None
    assert isinstance(declared, Environment)
    data = base_task.data_class(declared, "Open")

    def generate(rng: Rng, knobs: Any) -> Task[Any]:
        base = declared.generate(rng.child("task"), knobs)
        return Task(base.prompt, data(question=base.prompt, inner=base.data))

    def verify(task: Task[Any], answer: tuple[Any, ...]) -> Score:
        ranks = [rank for rank, each in enumerate(answer, 1) if declared.verify(base_task.unwrap(task), each).value == 1.0]
        parts = {"share": 1 / len(answer), "rank_share": 1 / ranks[0] if ranks else 0.0}
        if not ranks:
            return Score.wrong("no candidate is right", **parts)
        worth = (parts["share"] * parts["rank_share"]) ** 0.5
        return Score.partial(worth, f"of {len(answer)} candidates, number {ranks[0]} is right", **parts)

    def mistakes(task: Task[Any], right: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        wrong = [declared.answer.parse(text) for text in base_task.wrong_texts(declared, base_task.unwrap(task), right[0])]
        return [(wrong[0],), tuple(wrong[:3])] if wrong else []

    return Environment(
        declared.config,
        Candidates(declared.answer, MOST_CANDIDATES),
        base_task.with_data_type(generate, data),
        lambda task: (declared.solve(base_task.unwrap(task)),),
        verify,
        mistakes,
        lambda task: declared.cost(base_task.unwrap(task)),
        partial=True,
        guessable=f"{MOST_CANDIDATES} candidates may be given",
        concept=declared.concept,
        version=declared.version,
    )


def choose_twice(declared: Declaration) -> Game[Any, Any, Any] | None:
    """NAME:choose, then the same question with its options in another order: right only if both choices are.

    The parts `first`, `second` and `agree` are those of the reward `answer_consistent`, from "Answer-Consistent Chain-of-thought Reinforcement
    Learning" (ACRE). None where scoring runs programs or has many turns.
    """
    if not base_task.scores_in_process(declared):
        return None
    assert isinstance(declared, Environment)
    state = base_task.data_class(
        declared, "Twice", options=(tuple[str, ...], ...), shuffled=(tuple[str, ...], ...), said=(tuple[str, ...], ())
    )

    def start(rng: Rng, knobs: Any) -> Any:
        base, options = sampled_options(declared, rng, knobs)
        shuffled = rng.child("again").shuffled(options)
        if shuffled == options:
            shuffled = [*options[1:], options[0]]
        return state(question=base.prompt, inner=base.data, options=tuple(options), shuffled=tuple(shuffled))

    start.__annotations__["return"] = state

    def show(now: Any) -> str:
        if not now.said:
            return choice_prompt(now.question, now.options)
        listed = "\n".join(f"{letter}:{chr(10) if chr(10) in text else ' '}{text}" for letter, text in zip(LETTERS, now.shuffled))
        return f"The same answers, in another order.\n\n--- Answers ---\n{listed}\n--- End ---\n\nWhich one is right?"

    def best(now: Any) -> str:
        return right_letters(declared, base_task.unwrap_state(now), now.shuffled if now.said else now.options)[0]

    def outcome(now: Any) -> Score | None:
        if len(now.said) < 2:
            return None
        base, chosen = base_task.unwrap_state(now), []
        for letter, options in zip(now.said, (now.options, now.shuffled), strict=True):
            at = LETTERS.index(letter)
            chosen.append(options[at] if at < len(options) else "")
        right = [bool(text) and base_task.score_text(declared, base, text) == 1.0 for text in chosen]
        agree = chosen[0] == chosen[1] != ""
        parts = {"first": float(right[0]), "second": float(right[1]), "agree": float(agree)}
        return Score.exact(all(right), "one choice is not right, or both are not", **parts)

    return Game(
        declared.config,
        Choice(tuple(LETTERS)),
        start,
        show,
        lambda now, letter: now.model_copy(update={"said": (*now.said, letter)}),
        outcome,
        best=best,
        mistakes=lambda now: [letter for letter, _ in zip(LETTERS, now.options) if letter != best(now)],
        cost=lambda now: declared.cost(base_task.unwrap_state(now)),
        turns=lambda now: 2,
        guessable="one of at most eight options is right, asked for twice",
        concept=declared.concept,
        version=declared.version,
    )
