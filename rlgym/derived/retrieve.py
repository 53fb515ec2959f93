"""NAME:retrieve: rank a pool of answers so that the right one comes first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log2
from typing import Any

from rlgym.answers import Numbers
from rlgym.core.config import knob
from rlgym.core.declare import Declaration, Environment
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task
from rlgym.derived import base_task

RANKED = 10  # places of a ranking that count
MAX_CHARACTERS = 2_000  # of one document
OTHERS = 4  # one of so many documents answers another task


class Ranking(Numbers):
    """Numbers of answers, of which the first decides: lists that differ elsewhere are no near misses."""

    def near_misses(self, value: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(value) > 1:
            yield from (value[::-1], (*value[1:], value[0]), (value[1], value[0], *value[2:]))


def retrieve(declared: Declaration) -> Environment[Any, Any, Any] | None:
    """A task as a query, and a pool of answers to it, right and wrong, and to other tasks; None where scoring runs programs or has many turns.

    From "RAR-b: Reasoning as Retrieval Benchmark". Right if a right answer is ranked first; the parts `recall_at_1` and `ndcg_at_10` are the measures
    of that benchmark, with relevance 1 for right answers and 0 for others.
    """
    if not base_task.scores_in_process(declared):
        return None
    assert isinstance(declared, Environment)
    config = base_task.extended_config(
        declared, "Retrieved", pool_size=(int, knob(10, easy=5, hard=20, doc="answers in the pool, as far as they differ"))
    )
    data = base_task.data_class(declared, "Pool", documents=(tuple[str, ...], ...))

    def generate(rng: Rng, knobs: Any) -> Task[Any]:
        base = declared.generate(rng.child("task"), knobs)
        right = declared.solve(base)
        others = [declared.generate(rng.child("other", number), knobs) for number in range(knobs.pool_size // OTHERS)]
        wrong = [declared.answer.render(declared.solve(other)) for other in others]
        wrong += base_task.confusable_texts(declared, base, rng.child("near"), right, knobs.pool_size - 1 - len(others))
        fitting = dict.fromkeys(text for text in wrong if len(text) <= MAX_CHARACTERS)
        chosen = [text for text in fitting if base_task.score_text(declared, base, text) == 0.0]
        documents = tuple(rng.shuffled([declared.answer.render(right), *chosen]))
        return Task(_prompt(base.prompt, documents), data(question=base.prompt, inner=base.data, documents=documents))

    def relevance(task: Task[Any]) -> list[bool]:
        base = base_task.unwrap(task)
        good = declared.answer.render(declared.solve(base))
        return [text == good or base_task.score_text(declared, base, text) == 1.0 for text in task.data.documents]

    def solve(task: Task[Any]) -> tuple[int, ...]:
        relevant = relevance(task)
        return tuple(sorted(range(1, len(relevant) + 1), key=lambda number: not relevant[number - 1])[:RANKED])

    def verify(task: Task[Any], answer: Sequence[int]) -> Score:
        relevant = relevance(task)
        if len(set(answer)) < len(answer) or not all(1 <= number <= len(relevant) for number in answer):
            return Score.wrong("each number must be that of an answer in the pool, named once")
        if not answer:
            return Score.wrong("no answer is ranked")
        first = relevant[answer[0] - 1]
        ndcg = ndcg_at(RANKED, [relevant[number - 1] for number in answer], sum(relevant))
        return Score.exact(first, "the first answer of the ranking is not right", recall_at_1=float(first), ndcg_at_10=ndcg)

    def mistakes(task: Task[Any], right: tuple[int, ...]) -> list[tuple[int, ...]]:
        orders = [tuple(range(1, len(task.data.documents) + 1))[:RANKED], right[::-1], (*right[1:], right[0]), right[1:]]
        return [order for order in orders if order and verify(task, order).value == 0]

    return Environment(
        config,
        Ranking(f"the numbers of the answers, the likeliest first, at most {RANKED}, separated by commas"),
        base_task.with_data_type(generate, data),
        solve,
        verify,
        mistakes,
        lambda task: declared.cost(base_task.unwrap(task)),
        guessable="one of at least five answers is right, where so many differ",
        concept=declared.concept,
        version=declared.version,
        tasks_inside=lambda task: len(task.data.documents) + 1,
    )


def ndcg_at(places: int, ranked: Sequence[bool], relevant: int) -> float:
    """The normalised discounted cumulative gain of a ranking, from "Cumulated gain-based evaluation of IR techniques", for relevance 0 or 1."""
    gain = sum(1 / log2(rank + 1) for rank, is_relevant in enumerate(ranked[:places], 1) if is_relevant)
    return gain / sum(1 / log2(rank + 1) for rank in range(1, min(places, relevant) + 1)) if relevant else 0.0


def _prompt(question: str, documents: Sequence[str]) -> str:
    listed = "\n".join(f"{number}:{chr(10) if chr(10) in text else ' '}{text}" for number, text in enumerate(documents, 1))
    return (
        f"Here is a task, and a pool of {len(documents)} answers, of which at least one is right.\n\n--- Task ---\n{question}\n\n--- Answers ---\n{listed}\n"
        "--- End ---\n\nRank the answers by how likely they are right."
    )
