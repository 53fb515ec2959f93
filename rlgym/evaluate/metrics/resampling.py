"""Resampling until an imperfect verifier accepts: the share of right responses among the accepted ones, and the best number of tries.

From "Inference Scaling fLaws: The Limits of LLM Resampling with Imperfect Verifiers". More tries find more right responses, and on tasks that the model cannot
solve they find nothing but false positives; so the best number of tries is finite where tasks differ and a wrong response costs something.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rlgym.core.errors import RlgymError
from rlgym.evaluate.metrics.judge_gain import Judged

TRIES = (1, 2, 4, 8, 16, 32, 64, 128, 256)


@dataclass(frozen=True)
class TaskRates:
    """Chances of one sample of a task: that it is right and accepted, and that it is wrong and accepted."""

    right: float
    wrong: float


@dataclass(frozen=True)
class Resampled:
    """After at most `tries` samples of each task: the shares of tasks with an accepted, and with a right accepted response, and the utility."""

    tries: int
    accepted: float
    right: float
    utility: float


def rates(pool: Sequence[Judged]) -> TaskRates:
    """The rates of a task from judged samples; a score above 0.5 is an acceptance."""
    accepted = [one.right for one in pool if one.score > 0.5]
    return TaskRates(sum(accepted) / len(pool), (len(accepted) - sum(accepted)) / len(pool))


def resampled(
    tasks: Sequence[TaskRates], *, tries: Sequence[int] = TRIES, false_positive_cost: float = 1.0, sample_cost: float = 0.0
) -> list[Resampled]:
    """The curve over the numbers of tries; exact, with independent samples.

    The utility of a task is 1 for an accepted right response, -`false_positive_cost` for a wrong one, and -`sample_cost` for each sample.
    RlgymError without a task.
    """
    if not tasks:
        raise RlgymError("resampling is computed over tasks, and there are none")
    found = []
    for count in tries:
        draws = [_expected_draws(task, count) for task in tasks]
        right = sum(task.right * number for task, number in zip(tasks, draws, strict=True)) / len(tasks)
        wrong = sum(task.wrong * number for task, number in zip(tasks, draws, strict=True)) / len(tasks)
        cost = false_positive_cost * wrong + sample_cost * sum(draws) / len(tasks)
        found.append(Resampled(count, right + wrong, right, right - cost))
    return found


def ceiling(tasks: Sequence[TaskRates]) -> float | None:
    """The share of accepted responses that are right, however often one samples; None where none is ever accepted."""
    final = [task.right / (task.right + task.wrong) for task in tasks if task.right + task.wrong > 0]
    return sum(final) / len(final) if final else None


def best_tries(curve: Sequence[Resampled]) -> Resampled:
    """The number of tries with the greatest utility; the smallest of equals."""
    return max(curve, key=lambda point: (round(point.utility, 12), -point.tries))


def _expected_draws(task: TaskRates, tries: int) -> float:
    """The expected number of samples until one is accepted, at most `tries`."""
    accepted = task.right + task.wrong
    return float(tries) if accepted == 0 else (1 - (1 - accepted) ** tries) / accepted
