"""Pairs of responses for preferences by objective, and pairs with ties for reward models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Any

from rlgym.core.answer import wrap
from rlgym.core.declare import Environment
from rlgym.core.score import lower_is_better
from rlgym.core.task import Task
from rlgym.dataset.rows import Row
from rlgym.episode.sampling import configure, sample_task
from rlgym.episode.scoring import score, score_task, task_from_row
from rlgym.registry import environment

MISTAKES = 6
"""Declared mistakes of a task among which pairs are sought."""
OTHER_SEEDS = 8
"""Tasks of the same environment that are tried as the other prompt of a tie."""
WHOLE = "score"
"""The objective that is the value of the whole score."""


def part_dpo(row: Row, number: int = 0, responses: Sequence[str] | None = None) -> list[Row]:
    """Pairs for each objective: the value of the score, and each of its named parts; `lower_is_better` says of which parts lower values are chosen.

    The pair of an objective is the one with the largest difference; equal differences are decided by the closest lengths. Without `responses` the
    oracle's answer and declared mistakes are compared. Masked responses are left out, and rows of many turns give no pairs. From "Simultaneous
    Multi-objective Alignment Across Verifiable and Non-verifiable Rewards" (MAH-DPO).
    """
    declared = environment(row["env"])
    if not isinstance(declared, Environment):
        return []
    texts = [row["oracle_response"], *_mistakes(declared, row)] if responses is None else list(dict.fromkeys(responses))
    scores = [score(row, text) for text in texts]
    scored = [({WHOLE: score.value, **score.parts}, text) for score, text in zip(scores, texts, strict=True) if not score.masked]
    out = []
    for part in sorted({part for values, _ in scored for part in values}, key=lambda part: (part != WHOLE, part)):
        known = [(values[part], text) for values, text in scored if part in values]
        differing = [sorted(pair, reverse=not lower_is_better(part)) for pair in combinations(known, 2) if pair[0][0] != pair[1][0]]
        if differing:
            better, worse = min(differing, key=lambda pair: (-abs(pair[0][0] - pair[1][0]), abs(len(pair[0][1]) - len(pair[1][1]))))
            about = {"part": part, "chosen_value": float(better[0]), "rejected_value": float(worse[0]), "id": row["id"]}
            out.append(_record(row, better[1], worse[1]) | about)
    return out


def reward_pairs(row: Row, number: int = 0) -> list[Row]:
    """Pairs for a reward model, each with the edit by which its two responses differ; `tie` where it makes neither better.

    mistake       the right answer and a wrong one: the first is better
    explanation   the right answer with and without its worked solution: a tie
    spelling      two spellings of the right answer: a tie
    other_prompt  the right answer and a mistake, below another task's prompt, to which both are wrong: a tie

    The verifier has decided every pair. From "Robust Reward Modeling via Causal Rubrics" (Crome), with edits known to the environment in place of those of a
    language model. Rows of many turns give no pairs.
    """
    declared = environment(row["env"])
    if not isinstance(declared, Environment):
        return []
    right, wrong = row["oracle_response"], next(iter(_mistakes(declared, row)), None)
    explained = row["oracle_messages"][-1]["content"]
    out = [] if wrong is None else [_pair(row, right, wrong, "mistake", tie=False)]
    if explained != right:
        out.append(_pair(row, explained, right, "explanation", tie=True))
    out += [_pair(row, right, other, "spelling", tie=True) for other in islice(_spellings(declared, row), 1)]
    if wrong is not None and (other_prompt := _other_prompt(declared, row, right, wrong)):
        shown = [*row["messages"][:-1], {"role": "user", "content": other_prompt}]
        out.append(_pair(row, right, wrong, "other_prompt", tie=True) | {"prompt": shown})
    return out


def _record(row: Row, chosen: str, rejected: str) -> Row:
    sides = {"chosen": [{"role": "assistant", "content": chosen}], "rejected": [{"role": "assistant", "content": rejected}]}
    return {"prompt": row["messages"], **sides}


def _pair(row: Row, chosen: str, rejected: str, edit: str, *, tie: bool) -> Row:
    return _record(row, chosen, rejected) | {"edit": edit, "tie": tie, "id": row["id"]}


def _mistakes(declared: Environment[Any, Any, Any], row: Row) -> Iterator[str]:
    """Responses with declared mistakes that do not earn the full score, without repetitions."""
    task, style = task_from_row(row)
    seen = {row["oracle_response"]}
    for mistake in islice(declared.mistakes(task, declared.solve(task)), MISTAKES):
        response = declared.answer.render_response(mistake, style)
        if response not in seen and score(row, response).value < 1:
            seen.add(response)
            yield response


def _spellings(declared: Environment[Any, Any, Any], row: Row) -> Iterator[str]:
    """Responses with other spellings of the oracle's answer, of more than other spaces, that earn the full score."""
    task, style = task_from_row(row)
    own = declared.answer.render_for(declared.solve(task), task.prompt)
    for text in declared.answer.variants(declared.solve(task)):
        response = wrap(text.strip(), style)
        if text.split() != own.split() and score(row, response).value == 1:
            yield response


def _other_prompt(declared: Environment[Any, Any, Any], row: Row, *responses: str) -> str | None:
    """What the row asks with another task in place of its own, to which all responses are wrong; None where none is found."""
    task, style = task_from_row(row)
    assert task.origin is not None
    asked = row["messages"][-1]["content"]
    for step in range(1, OTHER_SEEDS + 1):
        config = configure(declared, task.origin.level, dict(task.origin.knobs))
        other: Task[Any] = sample_task(row["env"], declared, task.origin.seed + step, config, task.origin.level)
        scores = [score_task(other, response, style) for response in responses]
        if task.prompt in asked and not any(score.masked or score.value > 0 for score in scores):
            return str(asked.replace(task.prompt, other.prompt, 1))
    return None
