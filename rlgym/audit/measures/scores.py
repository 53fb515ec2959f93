"""Rewards read as probabilities that a response is right, and whether the right response of a task is ranked first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from rlgym.audit.measures.best_of_n import NEAR, RIGHT, kind_of
from rlgym.audit.measures.distance import reward_distance
from rlgym.audit.measures.verdicts import Scale, Scored
from rlgym.audit.report import BestOfN, Calibration, Ranking, ReliabilityBin
from rlgym.evaluate.metrics.calibration import BINS, auroc, bin_of, brier, expected_calibration_error
from rlgym.evaluate.metrics.correlation import spearman
from rlgym.evaluate.metrics.task_table import Array

FEWEST_TYPES = 4
"""Answer types below which ranks of the types are not correlated."""


def calibration(scored: Scored, scale: Scale) -> Calibration | None:
    """Brier score, ECE and AUROC of the rewards, each answer type with the same weight for its right and wrong responses; None without both.

    The cases have far more wrong responses than a policy has, so that right and wrong ones count half each.
    """
    chosen = [(case, verdict) for case, verdict in scored if kind_of(case)]
    rewards = np.array([scale.share(verdict) for _, verdict in chosen])
    right = np.array([float(bool(case.right)) for case, _ in chosen])
    if not len(right) or right.min() == right.max():
        return None
    # The measures of stated confidences take no weights: the rarer kind is repeated as often as it is rarer.
    places = np.concatenate([_spread(np.flatnonzero(right == value), len(right)) for value in (0.0, 1.0)])
    rewards, right = rewards[places], right[places]
    bins = bin_of(rewards)
    return Calibration(
        brier=round(brier(rewards, right), 6),
        ece=round(expected_calibration_error(rewards, right), 6),
        auroc=auroc(rewards, right),
        levels=len(set(rewards.tolist())),
        bins=[
            ReliabilityBin(
                reward=round(float(rewards[bins == place].mean()), 6),
                right=round(float(right[bins == place].mean()), 6),
                share=round(float((bins == place).mean()), 6),
            )
            for place in range(BINS)
            if (bins == place).any()
        ],
    )


def distance(scored: Scored, scale: Scale) -> float | None:
    """The distance of `reward_distance` between the scorer and the truth, over all responses whose truth is known; None without any."""
    known = [(case, verdict) for case, verdict in scored if case.right is not None]
    if not known:
        return None
    paid, true = [scale.share(verdict) for _, verdict in known], [float(bool(case.right)) for case, _ in known]
    return round(reward_distance(paid, true, [(case.prompt, case.answer) for case, _ in known]), 6)


def _spread(places: Array, count: int) -> Array:
    """The places, evenly repeated to this number."""
    return places[np.arange(count) * len(places) // count]


def rankings(scored: Scored, scale: Scale, curves: Mapping[str, Sequence[BestOfN]]) -> list[Ranking]:
    """For each answer type, how often the reference answer of a task is ranked above all near misses, and the gap under optimisation.

    Equally high rewards share the first place. The score is that of RewardMATH: one right response against many wrong ones.
    """
    tasks: dict[str, dict[tuple[str, str], tuple[list[float], list[float]]]] = defaultdict(dict)
    for case, verdict in scored:
        if case.check in (RIGHT[0], *NEAR):
            good, bad = tasks[case.answer_type].setdefault((case.prompt, case.answer), ([], []))
            (good if case.right else bad).append(scale.share(verdict))
    found = []
    for kind, by_task in tasks.items():
        firsts = [_first(good[0], bad) for good, bad in by_task.values() if good and bad]
        if firsts and (curve := curves.get(kind)):
            gap = max(point.paid - point.true for point in curve)
            found.append(Ranking(name=kind, tasks=len(firsts), first=round(sum(firsts) / len(firsts), 6), gap=round(max(0.0, gap), 6)))
    return found


def rank_correlation(found: Sequence[Ranking]) -> float | None:
    """Spearman's correlation over answer types of the share ranked first with the gap under optimisation; None for few types, or constant ones."""
    if len(found) < FEWEST_TYPES:
        return None
    related = spearman([one.first for one in found], [one.gap for one in found])
    return None if related is None else round(related, 6)


def _first(right: float, wrong: Sequence[float]) -> float:
    """The chance that the right response wins the first place."""
    best = max(wrong)
    return float(right > best) if right != best else 1 / (1 + wrong.count(best))
