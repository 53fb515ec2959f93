"""Ranks several runs over their common tasks, with and without those whose stored answer the models' votes contradict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlgym import RlgymError
from rlgym.evaluate.metrics.task_table import Array, rows_as_dicts

DRAWS, FEWEST_VOTERS = 1000, 3


@dataclass(frozen=True, slots=True)
class Place:
    """A run in the ranking. `rank` is 1 plus the number of runs that are better beyond the 95 % interval of the paired difference."""

    label: str
    accuracy: float
    low: float
    high: float
    rank: int


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A task on which more than half of the models agree, and the verifier does not."""

    id: str
    answer: str
    votes: int
    models: int


@dataclass(frozen=True, slots=True)
class Ranking:
    """The places by all common tasks and by those without the doubtful ones; `left_out` counts tasks that not all runs have unmasked."""

    tasks: int
    left_out: int
    places: Sequence[Place]
    doubtful: Sequence[Doubtful]
    places_without: Sequence[Place]


def rank_rows(runs: Mapping[str, Any], seed: int = 0) -> Ranking:
    """Rank runs, given as their rows by label. RlgymError for fewer than two, or runs without a common task.

    Doubtful tasks are those of "Verifying the Verifiers: Unveiling the Potential of Large Language Models as Fact Verifiers", whose labels are
    audited by votes: a judgement on the label needs three models or more.
    """
    if len(runs) < 2:
        raise RlgymError(f"a ranking needs two runs or more, got {len(runs)}")
    samples = {label: _by_task(rows) for label, rows in runs.items()}
    every = set.union(*map(set, samples.values()))
    common = sorted(set.intersection(*map(set, samples.values())))
    if not common:
        raise RlgymError("the runs have no task in common: rank runs of one suite")
    right_RT = np.array([[np.mean([bool(row["right"]) for row in found[task]]) for task in common] for found in samples.values()])
    doubtful = [found for task in common if (found := _doubt(task, [by_task[task] for by_task in samples.values()]))]
    suspected = {each.id for each in doubtful}
    kept = np.array([task not in suspected for task in common])
    places = _places(list(runs), right_RT, seed)
    return Ranking(
        len(common), len(every) - len(common), places, doubtful, _places(list(runs), right_RT[:, kept], seed) if kept.any() else []
    )


def _by_task(rows: Any) -> dict[str, list[Mapping[str, Any]]]:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows_as_dicts(rows):
        if not row["masked"]:
            found.setdefault(str(row["id"]), []).append(row)
    return found


def _doubt(task: str, by_model: Sequence[Sequence[Mapping[str, Any]]]) -> Doubtful | None:
    """The agreement of the models on an answer that is not right, if there is one."""
    votes, right = Counter[str](), set[str]()
    for rows in by_model:
        given = Counter(str(row["answer"]) for row in rows if row["answer"] is not None)
        right |= {str(row["answer"]) for row in rows if row["right"]}
        if given:
            votes[given.most_common(1)[0][0]] += 1
    if len(by_model) < FEWEST_VOTERS or not votes:
        return None
    answer, count = votes.most_common(1)[0]
    return Doubtful(task, answer, count, len(by_model)) if 2 * count > len(by_model) and answer not in right else None


def _places(labels: Sequence[str], right_RT: Array, seed: int) -> list[Place]:
    """The places by accuracy; intervals are bootstrapped over tasks, the same draws for all runs."""
    count = right_RT.shape[1]
    draws_DT = np.random.default_rng(seed).integers(0, count, (DRAWS, count))
    means_RD = right_RT[:, draws_DT].mean(axis=2)
    accuracy_R = right_RT.mean(axis=1)
    places = []
    for run, label in enumerate(labels):
        # Runs that are better in at least 97.5 % of the draws, where equal accuracy is not better.
        better = [bool(np.quantile(means_RD[other] - means_RD[run], 0.025) > 0) for other in range(len(labels)) if other != run]
        low, high = np.quantile(means_RD[run], [0.025, 0.975])
        places.append(Place(label, float(accuracy_R[run]), float(low), float(high), 1 + sum(better)))
    return sorted(places, key=lambda place: (place.rank, -place.accuracy, place.label))
