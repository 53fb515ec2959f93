"""Metrics over several samples of a task: pass@k and best-of-k."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rlgym.evaluate.metrics.task_table import Array, Tasks

MAX_K = 1024
MIN_SHARE_OF_TASKS = 0.9
"""A k is reported if at least this share of the tasks has k samples."""


def pass_at_each_k(samples: int, right: int) -> Array:
    """pass@1 .. pass@samples of one task: 1 - C(n-c, k) / C(n, k), as a running product of factors in [0, 1], which cannot overflow."""
    left = np.arange(samples)
    return 1.0 - np.cumprod(np.clip((samples - right - left) / (samples - left), 0.0, 1.0))


def pass_at(k: int, samples: int, right: int) -> float:
    """The unbiased estimate of pass@k from `samples` samples, `right` of them right."""
    if not 1 <= k <= samples:
        raise ValueError(f"k must be from 1 to the {samples} samples, got {k!r}")
    return float(pass_at_each_k(samples, right)[k - 1])


def pass_at_k_matrix(tasks: Tasks, most: int) -> Array:
    """pass@k of every task for k = 1 .. most: [tasks, most]; NaN if a task has fewer samples."""
    matrix = np.full((len(tasks), most), np.nan)
    known: dict[tuple[int, int], Array] = {}
    for place, (samples, right) in enumerate(zip(tasks.n.tolist(), tasks.right.tolist())):
        if (samples, right) not in known:
            known[samples, right] = pass_at_each_k(samples, right)
        reach = min(samples, most)
        matrix[place, :reach] = known[samples, right][:reach]
    return matrix


def cot_tasks(tasks: Tasks) -> Tasks:
    """The tasks whose working was checked, with the samples as right whose answer and working both are, for CoT-pass@k.

    From "Reinforcement Learning with Verifiable Rewards Implicitly Incentivizes Correct Reasoning in Base LLMs".
    """
    checked = np.array([all(row.get("cot_right") is not None for row in rows) for rows in tasks.samples], dtype=bool)
    chosen = tasks.subset(checked)
    return replace(chosen, right=np.array([sum(bool(row["cot_right"]) for row in rows) for rows in chosen.samples], dtype=int))


def best_of(k: int, values: Array) -> float:
    """The expected highest score of k of a task's samples, drawn without replacement: exact, from the sorted scores."""
    ordered = np.sort(values)
    samples = len(ordered)
    # The probability that the highest of k is at most the i-th score is C(i, k) / C(n, k) = product of (i - j) / (n - j) for j < k.
    upto = np.arange(samples + 1)
    below = np.prod([np.clip((upto - j) / (samples - j), 0.0, 1.0) for j in range(k)], axis=0)
    return float(np.dot(ordered, np.diff(below)))


def common_samples(tasks: Tasks) -> int:
    """The largest k for which at least MIN_SHARE_OF_TASKS of the tasks have k samples."""
    if not len(tasks):
        return 0
    ordered = np.sort(tasks.n)[::-1]
    return int(min(MAX_K, ordered[max(0, int(np.ceil(MIN_SHARE_OF_TASKS * len(ordered))) - 1)]))


def powers_of_two(most: int) -> list[int]:
    """The powers of two up to `most`, and `most` itself."""
    steps: list[int] = []
    k = 1
    while k <= most:
        steps.append(k)
        k *= 2
    return steps if not most or steps[-1] == most else [*steps, most]


def sample_scores(rows: Any) -> Array:
    """The scores of a task's samples."""
    return np.array([float(row["value"]) for row in rows])
