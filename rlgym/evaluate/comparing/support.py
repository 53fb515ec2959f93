"""What training changed: whether tasks were newly solved, or solved more surely; after papers on the limits of RL with verifiable rewards.

"Does Reinforcement Learning Really Incentivize Reasoning Capacity in LLMs Beyond the Base Model?" compares pass@k curves;
"The Invisible Leash: Why RLVR May or May Not Escape Its Origin" names the dynamics of support.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rlgym.evaluate.comparing.pairs import Pairs
from rlgym.evaluate.metrics.bootstrap import LEVEL, Resampling, columns, estimate
from rlgym.evaluate.metrics.passes import ladder, most_samples, passes
from rlgym.evaluate.metrics.tasks import Array

SURE = 0.5
BUCKETS = ((0.0, 0.0), (0.0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.0), (1.0, 1.0))


def curves(pairs: Pairs, resampling: Resampling) -> dict[str, Any]:
    """pass@k of both on the tasks that have so many samples in both, and where A's curve reaches B's."""
    most = min(most_samples(pairs.a), most_samples(pairs.b))
    ks = ladder(most)
    a, b = passes(pairs.a, most), passes(pairs.b, most)
    both = np.isfinite(a) & np.isfinite(b)
    a, b = np.where(both, a, np.nan), np.where(both, b, np.nan)
    named = {f"{side} {k}": values[:, k - 1] for side, values in (("a", a), ("b", b)) for k in ks}
    found = columns(pairs.a, named, resampling)
    change = columns(pairs.a, {str(k): (b - a)[:, k - 1] for k in ks}, resampling, (-1.0, 1.0))
    means_a, means_b = np.nanmean(a, axis=0), np.nanmean(b, axis=0)
    return {
        "most": most,
        "a": [{"k": k, **found[f"a {k}"].to_dict()} for k in ks],
        "b": [{"k": k, **found[f"b {k}"].to_dict()} for k in ks],
        "change": [{"k": k, **change[str(k)].to_dict()} for k in ks],
        "crossover": _with_interval(crossover(means_a, means_b), np.sign(means_b[0] - means_a[0]), b - a, resampling),
    }


def crossover(a: Array, b: Array) -> dict[str, Any] | None:
    """The least k at which the one that is behind at k = 1 is no longer behind; None where that does not happen up to the last k."""
    ahead = np.sign(b[0] - a[0])
    if ahead == 0:
        return None
    caught = np.flatnonzero((b - a) * ahead <= 1e-12)
    return (
        {"k": int(caught[0]) + 1, "ahead_before": "b" if ahead > 0 else "a", "ahead_after": "a" if ahead > 0 else "b"}
        if len(caught)
        else None
    )


def _with_interval(found: dict[str, Any] | None, ahead: float, change_TK: Array, resampling: Resampling) -> dict[str, Any] | None:
    """The crossover with the 95 % interval of its k over draws of tasks; an end that lies beyond the last k is None.

    `share` is that of the draws in which the curves cross up to the last k.
    """
    if found is None:
        return None
    named = {str(k): change_TK[:, k] for k in range(change_TK.shape[1])}
    tops = {k: np.nan_to_num(change) for k, change in named.items()}
    drawn = resampling.ratios(tops, {k: np.isfinite(change).astype(float) for k, change in named.items()})
    caught = np.stack(list(drawn.values()), axis=1) * ahead <= 1e-12
    share = float(caught.any(axis=1).mean())
    ks: Array = np.sort(np.where(caught.any(axis=1), caught.argmax(axis=1) + 1, len(named) + 1))
    tail = (1 - LEVEL) / 2
    low, high = (int(ks[round(at * (len(ks) - 1))]) for at in (tail, 1 - tail))
    return {**found, "low": low if low <= len(named) else None, "high": high if high <= len(named) else None, "share": share}


def solved_sets(pairs: Pairs) -> dict[str, Any]:
    """Tasks solved at least once by both, by one or by none, with the lists of gains and losses, and what share was kept and found."""
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
    """Whether gains are tasks that A solved now and then (compression) or never in all its samples (capability).

    `sharpened` counts tasks that A solved in some samples but less than half, and B in at least half; `newly_solved` those that A never
    solved and B did. The parts of the gain are mean changes over all tasks, so they add up to the whole change.
    """
    a, b, change = pairs.a.accuracy, pairs.b.accuracy, pairs.change
    some, count = pairs.a.right > 0, len(pairs)
    return {
        "sharpened": int((some & (a < SURE) & (b >= SURE)).sum()),
        "blurred": int((some & (a >= SURE) & (b < SURE)).sum()),
        "newly_solved": int((~some & (b > 0)).sum()),
        "newly_sure": int((~some & (b >= SURE)).sum()),
        "change_where_a_solved": float(change[some].sum()) / count,
        "change_where_a_never_solved": float(change[~some].sum()) / count,
        "change": float(change.mean()),
    }


def buckets(pairs: Pairs, draws: int, seed: int) -> dict[str, Any]:
    """The change by how often A solves a task.

    A's even samples choose the bucket and its odd ones are compared with B, since a bucket of low rates is partly bad luck, which does
    not come again. Where A has one sample that cannot be done, and `split` is false.
    """
    split = bool((pairs.a.n > 1).all())
    chosen, measured = _halves(pairs) if split else (pairs.a.accuracy, pairs.a.accuracy)
    found = []
    for low, high in BUCKETS:
        inside = (chosen == low) if low == high else (chosen > low) & ((chosen <= high) if high < 1 else (chosen < high))
        if inside.any():
            part = pairs.of(inside)
            change = part.b.accuracy - measured[inside]
            resampling = Resampling.of(part.a, draws, seed)
            drawn = resampling.ratios({"": change}, {"": np.ones(len(change))})[""]
            means = {"a": float(measured[inside].mean()), "b": float(part.b.accuracy.mean())}
            found.append({"from": low, "to": high, **means, **estimate(change, drawn, (-1.0, 1.0)).to_dict()})
    return {"split": split, "buckets": found}


def _halves(pairs: Pairs) -> tuple[Array, Array]:
    """Per task A's accuracy on its even samples and on its odd ones, by their order."""
    rights = [np.array([bool(row["right"]) for row in rows], dtype=float) for rows in pairs.a.samples]
    return np.array([one[::2].mean() for one in rights]), np.array([one[1::2].mean() for one in rights])
