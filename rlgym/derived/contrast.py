"""NAME:match_tasks: two tasks that differ little, and two solutions of which each is right for one of them alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rlgym.core.config import knob
from rlgym.core.declare import Declaration, Environment
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task
from rlgym.derived import base_task
from rlgym.derived.judge_prompts import shown
from rlgym.derived.verdicts import Verdicts
from rlgym.derived.written_solutions import RIGHT, Solutions, verdict_on

DRAWS = 4  # tasks among which the one most like the first is chosen
REDRAWS = 4
STRAIGHT, CROSSED = "straight", "crossed"


def match_tasks(declared: Declaration) -> Environment[Any, Any, Any] | None:
    """Pairs of similar tasks with their final answers in the same or in the other order; None where scoring runs programs or has many turns.

    From "The Trickle-down Impact of Reward (In-)consistency on RLHF": contrast instructions, whose answers are right only uncrossed.
    """
    if not base_task.scores_in_process(declared):
        return None
    assert isinstance(declared, Environment)
    config = base_task.extended_config(declared, "Contrasted", item_count=(int, knob(4, easy=3, hard=5, doc="pairs of tasks")))
    part = base_task.data_class(
        declared, "Contrast", other_question=(str, ...), other_inner=(declared.data, ...), solutions=(tuple[str, ...], ...)
    )
    data = base_task.task_list_class(part, "List")
    answer = Verdicts((STRAIGHT, CROSSED), "pair")

    def item(rng: Rng, knobs: Any) -> Any:
        for number in range(REDRAWS):
            first = declared.generate(rng.child("first", number), knobs)
            others = [declared.generate(rng.child("other", number, draw), knobs) for draw in range(DRAWS)]
            other = max(others, key=lambda each: (each.prompt != first.prompt, likeness(each.prompt, first.prompt)))
            texts = [Solutions(declared, each, declared.solve(each), ()).write(rng, RIGHT) for each in (first, other)]
            if not all(texts):
                continue
            solutions = (texts[0][0], texts[1][0])
            if verdict_on(declared, first, solutions[1]) != RIGHT and verdict_on(declared, other, solutions[0]) != RIGHT:
                break
        if not all(texts):
            longest = [Solutions(declared, each, declared.solve(each), (), 10**9).write(rng, RIGHT)[0] for each in (first, other)]
            solutions = (longest[0], longest[1])
        if rng.chance(0.5):
            solutions = (solutions[1], solutions[0])
        return part(question=first.prompt, inner=first.data, other_question=other.prompt, other_inner=other.data, solutions=solutions)

    def generate(rng: Rng, knobs: Any) -> Task[Any]:
        parts = tuple(item(rng.child("item", place), knobs) for place in range(knobs.item_count))
        return Task(_prompt(parts), data(parts=parts))

    def fits(each: Any, word: str) -> bool:
        solutions = each.solutions if word == STRAIGHT else each.solutions[::-1]
        bases = (Task(each.question, each.inner), Task(each.other_question, each.other_inner))
        return all(verdict_on(declared, base, text) == RIGHT for base, text in zip(bases, solutions, strict=True))

    def solve(task: Task[Any]) -> tuple[str, ...]:
        return tuple(STRAIGHT if fits(each, STRAIGHT) else CROSSED for each in task.data.parts)

    def verify(task: Task[Any], given: tuple[str, ...]) -> Score:
        if len(given) != len(task.data.parts):
            return Score.wrong("one word for each pair is needed")
        right = [fits(each, word) for each, word in zip(task.data.parts, given, strict=True)]
        return Score.exact(all(right), "some pair is matched wrongly", matched=sum(right) / len(right))

    def mistakes(task: Task[Any], right: tuple[str, ...]) -> list[tuple[str, ...]]:
        constant = [(word,) * len(right) for word in answer.options]
        return [other for other in (*constant, *answer.near_misses(right)) if verify(task, other).value < 1]

    def explain(task: Task[Any]) -> list[str]:
        words = solve(task)
        return [*(f"Pair {number} is {word}." for number, word in enumerate(words, 1)), f"So the answer is {answer.render(words)}"]

    return Environment(
        config,
        answer,
        base_task.with_data_type(generate, data),
        solve,
        verify,
        mistakes,
        lambda task: sum(declared.cost(base) for base in base_task.unwrap_all(task)),
        explain,
        guessable="at least three pairs with two words make few answers",
        concept="Solve one task of each pair, and look for its answer.",
        version=declared.version,
    )


def likeness(first: str, second: str) -> float:
    """The share of words that two texts have in common, as often as they have them."""
    one, two = Counter(first.split()), Counter(second.split())
    return 2 * (one & two).total() / max(1, one.total() + two.total())


def _prompt(parts: Sequence[Any]) -> str:
    listed = "\n".join(
        f"--- Pair {number}, task 1 ---\n{part.question}\n--- Pair {number}, task 2 ---\n{part.other_question}\n"
        + "\n".join(f"--- Pair {number}, answer {letter} ---\n{shown(text)}" for letter, text in zip("AB", part.solutions))
        for number, part in enumerate(parts, 1)
    )
    return (
        f"Here are {len(parts)} pairs of tasks that differ little, each with two answers.\n\n{listed}\n--- End ---\n\n"
        f"In each pair, one answer is right for task 1 and the other for task 2. Say {STRAIGHT} if A is right for task 1 and B for task 2, and {CROSSED} "
        "if B is right for task 1 and A for task 2."
    )
