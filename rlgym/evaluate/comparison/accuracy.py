"""The change in accuracy between two runs, overall and by environment, domain and level."""

from __future__ import annotations

from typing import Any

import numpy as np

from rlgym.evaluate.comparison.pairs import Pairs
from rlgym.evaluate.comparison.significance import holm, mcnemar, sign_flips
from rlgym.evaluate.metrics.bootstrap import Resampling, ends_of, estimates
from rlgym.evaluate.metrics.task_table import Array, group_codes

COLUMN = {"environment": "env", "domain": "domain", "level": "level"}


def overall(pairs: Pairs, resampling: Resampling) -> dict[str, Any]:
    """Both accuracies, their difference with a paired interval, and the p-value."""
    everything: Array = np.zeros(len(pairs), dtype=int)
    a, b = (estimates(tasks.accuracy, everything, 1, resampling)[0].to_dict() for tasks in (pairs.a, pairs.b))
    change = estimates(pairs.change, everything, 1, resampling, (-1.0, 1.0))[0].to_dict()
    return {"a": a, "b": b, "change": change, **paired_test(pairs)}


def paired_test(pairs: Pairs) -> dict[str, Any]:
    """A paired test: McNemar's if each task has one sample, else the sign-flip permutation test."""
    gained, lost = int((pairs.change > 0).sum()), int((pairs.change < 0).sum())
    p = mcnemar(gained, lost) if pairs.single else sign_flips(pairs.change)
    return {"p": p, "test": "McNemar, exact" if pairs.single else "sign-flip permutation", "better": gained, "worse": lost}


def grouped(pairs: Pairs, resampling: Resampling, by: str) -> list[dict[str, Any]]:
    """Both accuracies and the difference in each group; for environments also raw and corrected p-values."""
    groups, names = group_codes(getattr(pairs.a, COLUMN[by]))
    a, b = (estimates(tasks.accuracy, groups, len(names), resampling) for tasks in (pairs.a, pairs.b))
    change = estimates(pairs.change, groups, len(names), resampling, (-1.0, 1.0))
    domain = dict(zip(pairs.a.env.tolist(), pairs.a.domain.tolist()))
    rows: list[dict[str, Any]] = [
        {
            by: name,
            **({"domain": domain[name]} if by == "environment" else {}),
            "a": a[at].to_dict(),
            "b": b[at].to_dict(),
            "change": change[at].to_dict(),
        }
        for at, name in enumerate(names)
    ]
    if by == "environment":
        for at, row in enumerate(rows):
            row |= paired_test(pairs.subset(groups == at))
        for row, corrected in zip(rows, holm([row["p"] for row in rows]), strict=True):
            row["p_holm"] = corrected
    return rows


def crossed(pairs: Pairs, resampling: Resampling, by: str) -> list[dict[str, Any]]:
    """The difference in each cell of environment (or domain) and level."""
    groups, names = group_codes(getattr(pairs.a, COLUMN[by]), pairs.a.level)
    crossed_estimates = estimates(pairs.change, groups, len(names), resampling, (-1.0, 1.0))
    return [{by: name, "level": level, **change.to_dict()} for (name, level), change in zip(names, crossed_estimates, strict=True)]


def improvement(pairs: Pairs, resampling: Resampling) -> dict[str, Any]:
    """The probability that a sample of B scores higher than one of A on the same task; ties count half; environments have equal weights.

    The name follows Agarwal and others, "Deep Reinforcement Learning at the Edge of the Statistical Precipice".
    """
    wins = np.array([_wins(_values(sample), _values(two)) for sample, two in zip(pairs.a.samples, pairs.b.samples, strict=True)])
    groups, names = group_codes(pairs.a.env)
    means = np.bincount(groups, weights=wins) / np.bincount(groups)
    resampled = resampling.group_means(wins, groups, len(names))
    resampled = np.where(np.isfinite(resampled), resampled, means)
    low, high = ends_of(resampled.mean(axis=1))
    return {"mean": float(means.mean()), "low": low, "high": high, "environments": len(names), "tasks": len(pairs)}


def _values(rows: Any) -> Array:
    return np.array([float(row["value"]) for row in rows])


def _wins(a: Array, b: Array) -> float:
    above = np.sign(b[:, None] - a[None, :])
    return float((above.mean() + 1) / 2)
