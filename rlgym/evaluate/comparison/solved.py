"""Which tasks became solved, and which are solved more reliably; after papers on the limits of RL with verifiable rewards.

"Does Reinforcement Learning Really Incentivize Reasoning Capacity in LLMs Beyond the Base Model?" compares pass@k curves;
"The Invisible Leash: Why RLVR May or May Not Escape Its Origin" names the dynamics of support.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rlgym.evaluate.comparison.pairs import Pairs
from rlgym.evaluate.metrics.bootstrap import LEVEL, Resampling, columns, estimate
from rlgym.evaluate.metrics.pass_at_k import common_samples, pass_at_k_matrix, powers_of_two
from rlgym.evaluate.metrics.task_table import Array

RELIABLE = 0.5
BUCKETS = ((0.0, 0.0), (0.0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.0), (1.0, 1.0))


def curves(pairs: Pairs, resampling: Resampling) -> dict[str, Any]:
    """pass@k of both runs on the tasks with at least k samples in both, and the k at which the curves cross."""
    most = min(common_samples(pairs.a), common_samples(pairs.b))
    ks = powers_of_two(most)
    a, b = pass_at_k_matrix(pairs.a, most), pass_at_k_matrix(pairs.b, most)
    both = np.isfinite(a) & np.isfinite(b)
    a, b = np.where(both, a, np.nan), np.where(both, b, np.nan)
    named = {f"{side} {k}": values[:, k - 1] for side, values in (("a", a), ("b", b)) for k in ks}
    estimated = columns(pairs.a, named, resampling)
    change = columns(pairs.a, {str(k): (b - a)[:, k - 1] for k in ks}, resampling, (-1.0, 1.0))
    means_a, means_b = np.nanmean(a, axis=0), np.nanmean(b, axis=0)
    return {
        "most": most,
        "a": [{"k": k, **estimated[f"a {k}"].to_dict()} for k in ks],
        "b": [{"k": k, **estimated[f"b {k}"].to_dict()} for k in ks],
        "change": [{"k": k, **change[str(k)].to_dict()} for k in ks],
        "crossover": _with_interval(crossover(means_a, means_b), np.sign(means_b[0] - means_a[0]), b - a, resampling),
    }


def crossover(a: Array, b: Array) -> dict[str, Any] | None:
    """The smallest k at which the run that is behind at k = 1 has caught up; None if it does not up to the largest k."""
    ahead = np.sign(b[0] - a[0])
    if ahead == 0:
        return None
    caught = np.flatnonzero((b - a) * ahead <= 1e-12)
    return (
        {"k": int(caught[0]) + 1, "ahead_before": "b" if ahead > 0 else "a", "ahead_after": "a" if ahead > 0 else "b"}
        if len(caught)
        else None
    )


def _with_interval(row: dict[str, Any] | None, ahead: float, change_TK: Array, resampling: Resampling) -> dict[str, Any] | None:
    """The crossover with the 95 % interval of its k over draws of tasks; a bound beyond the largest k is None.

    `share` is the share of draws in which the curves cross up to the largest k.
    """
    if row is None:
        return None
    named = {str(k): change_TK[:, k] for k in range(change_TK.shape[1])}
    tops = {k: np.nan_to_num(change) for k, change in named.items()}
    resampled = resampling.ratios(tops, {k: np.isfinite(change).astype(float) for k, change in named.items()})
    caught = np.stack(list(resampled.values()), axis=1) * ahead <= 1e-12
    share = float(caught.any(axis=1).mean())
    ks: Array = np.sort(np.where(caught.any(axis=1), caught.argmax(axis=1) + 1, len(named) + 1))
    tail = (1 - LEVEL) / 2
    low, high = (int(ks[round(at * (len(ks) - 1))]) for at in (tail, 1 - tail))
    return {**row, "low": low if low <= len(named) else None, "high": high if high <= len(named) else None, "share": share}


def solved_sets(pairs: Pairs) -> dict[str, Any]:
    """Tasks solved at least once by both runs, by one or by none, with the lists of gains and losses; retention and discovery."""
    a, b = pairs.a.right > 0, pairs.b.right > 0
    preserved, expanded, shrunk = (int(kind.sum()) for kind in (a & b, ~a & b, a & ~b))
    ids = np.array(pairs.a.ids, dtype=object)
    return {
        "samples": [int(pairs.a.n.min()), int(pairs.b.n.min())],
        "preserved": preserved,
        "expanded": expanded,
        "shrunk": shrunk,
        "never": int((~a & ~b).sum()),
        "retention": preserved / (preserved + shrunk) if preserved + shrunk else None,
        "discovery": expanded / (preserved + expanded) if preserved + expanded else None,
        "gained": ids[~a & b].tolist(),
        "lost": ids[a & ~b].tolist(),
    }


def compression(pairs: Pairs) -> dict[str, Any]:
    """Whether gains come from tasks that A solved sometimes (compression) or never (capability).

    `sharpened` counts tasks that A solved in some samples but less than half, and B in at least half; `newly_solved` counts tasks that A never
    solved and B did. The parts of the change are divided by the number of all tasks, so they sum to the change.
    """
    a, b, change = pairs.a.accuracy, pairs.b.accuracy, pairs.change
    some, count = pairs.a.right > 0, len(pairs)
    return {
        "sharpened": int((some & (a < RELIABLE) & (b >= RELIABLE)).sum()),
        "blurred": int((some & (a >= RELIABLE) & (b < RELIABLE)).sum()),
        "newly_solved": int((~some & (b > 0)).sum()),
        "newly_sure": int((~some & (b >= RELIABLE)).sum()),
        "change_where_a_solved": float(change[some].sum()) / count,
        "change_where_a_never_solved": float(change[~some].sum()) / count,
        "change": float(change.mean()),
    }


def buckets(pairs: Pairs, draws: int, seed: int) -> dict[str, Any]:
    """The change by A's success rate on a task.

    A's even-numbered samples choose the bucket and its odd-numbered samples are compared with B, which avoids regression to the mean.
    If some task has only one sample of A, this is impossible and `split` is false.
    """
    split = bool((pairs.a.n > 1).all())
    chosen, measured = _halves(pairs) if split else (pairs.a.accuracy, pairs.a.accuracy)
    rows = []
    for low, high in BUCKETS:
        inside = (chosen == low) if low == high else (chosen > low) & ((chosen <= high) if high < 1 else (chosen < high))
        if inside.any():
            part = pairs.subset(inside)
            change = part.b.accuracy - measured[inside]
            resampling = Resampling.of(part.a, draws, seed)
            resampled = resampling.ratios({"": change}, {"": np.ones(len(change))})[""]
            means = {"a": float(measured[inside].mean()), "b": float(part.b.accuracy.mean())}
            rows.append({"from": low, "to": high, **means, **estimate(change, resampled, (-1.0, 1.0)).to_dict()})
    return {"split": split, "buckets": rows}


def _halves(pairs: Pairs) -> tuple[Array, Array]:
    """Per task A's accuracy on its even samples and on its odd ones, by their order."""
    rights = [np.array([bool(row["right"]) for row in rows], dtype=float) for rows in pairs.a.samples]
    return np.array([right[::2].mean() for right in rights]), np.array([right[1::2].mean() for right in rights])
