"""maj@k: whether the most frequent answer among k samples is right."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from rlgym.evaluate.metrics.task_table import Array, Row, Tasks

EXACT = 64
"""Up to this many samples the expectation over subsets is exact; above, it is the mean of DRAWN seeded subsets."""
DRAWN = 2000
SEED = 41


def majority(k: int, answers: Sequence[str | None], right: Sequence[bool], seed: int = SEED) -> float:
    """The probability that a right answer wins the vote of k of the samples; answers that tie for most votes share the win.

    A sample without a readable answer has no vote, and a vote without any vote is lost.
    """
    votes = Counter(answer for answer in answers if answer is not None)
    rates = Counter(answer for answer, good in zip(answers, right) if answer is not None and good)
    if len(answers) > EXACT and k < len(answers):
        return _sampled_accuracy(k, answers, {answer: rates[answer] / count for answer, count in votes.items()}, seed)
    silent = len(answers) - votes.total()
    won = 0.0
    for answer, count in votes.items():
        if rates[answer]:
            others = sorted(votes.values())
            others.remove(count)
            won += rates[answer] / count * _chance(k, count, tuple(others), silent)
    return won


@lru_cache(maxsize=100_000)
def _chance(k: int, own: int, others: tuple[int, ...], silent: int) -> float:
    """The probability that an answer with `own` votes wins among k samples, including its share of ties.

    ways[t, s] counts the choices of s votes of the other answers in which none has more than x votes and t of them have x.
    """
    total = 0.0
    for x in range(1, min(own, k) + 1):
        room = k - x
        ways = np.zeros((room // x + 2, room + 1))
        ways[0, 0] = 1.0
        for count in others:
            ways = _with(ways, count, x, room)
        remaining = np.array([float(math.comb(silent, room - used)) for used in range(room + 1)])
        shares = 1.0 / (1.0 + np.arange(len(ways)))
        total += math.comb(own, x) * float(shares @ (ways @ remaining))
    return total / math.comb(own + sum(others) + silent, k)


def _with(ways: Array, count: int, x: int, room: int) -> Array:
    """The counts after adding another answer with `count` votes."""
    extended = ways.copy()
    for repeats in range(1, min(count, x, room) + 1):
        chosen = float(math.comb(count, repeats))
        if repeats < x:
            extended[:, repeats:] += chosen * ways[:, : room + 1 - repeats]
        else:
            extended[1:, repeats:] += chosen * ways[:-1, : room + 1 - repeats]
    return extended


def _sampled_accuracy(k: int, answers: Sequence[str | None], rates: dict[str, float], seed: int) -> float:
    names = list(rates)
    place = {name: number for number, name in enumerate(names)}
    numbers = np.array([len(names) if answer is None else place[answer] for answer in answers])
    rng = np.random.default_rng(seed)
    goodness = np.array([rates[name] for name in names])
    won = 0.0
    for _ in range(DRAWN):
        picked = rng.choice(numbers, size=k, replace=False)
        counts = np.bincount(picked, minlength=len(names) + 1)[: len(names)]
        if len(counts) and counts.max() > 0:
            won += float(goodness[counts == counts.max()].mean())
    return won / DRAWN


def majority_at_k(tasks: Tasks, ks: Sequence[int]) -> dict[int, Array]:
    """maj@k of every single-answer task; NaN for multi-turn tasks and tasks with fewer samples."""
    by_k = {k: np.full(len(tasks), np.nan) for k in ks}
    for place, rows in enumerate(tasks.samples):
        if not votable(rows):
            continue
        answers, right = [row["answer"] for row in rows], [bool(row["right"]) for row in rows]
        for k in ks:
            if k <= len(rows):
                by_k[k][place] = majority(k, answers, right)
    return by_k


def votable(rows: Sequence[Row]) -> bool:
    """Whether the samples of a task are single answers: the task is single-turn, and an answer was read or no sample has a second turn."""
    return rows[0]["kind"] == "environment" and (any(row["answer"] is not None for row in rows) or all(row["turns"] <= 1 for row in rows))
