"""Fits accuracy against level for one model and environment.

The logit of the solve rate falls linearly with the level, and with knobs that are set apart from it. The fit is by maximum likelihood with a weak
prior, so that few samples, or samples that are all right or all wrong, give finite numbers.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from rlgym.core.errors import RowError, suggestion
from rlgym.dataset.pass_rates.store import Entry, PassRates
from rlgym.episode.calibration import Calibration, Curve, shifts, sigmoid
from rlgym.registry import environment

STEPS, PRIOR = 200, 0.05
FEWEST_SHIFTED = 10
"""Tasks with a knob set apart from their level, from which its part in the solve rate is fitted."""


def fit_curve(entries: Iterable[Entry]) -> Curve:
    """The curve of the tasks of one environment and version; RowError without tasks at two levels or with mixed versions."""
    points: dict[float, list[float]] = {}
    shifted: list[tuple[Entry, dict[str, float]]] = []
    tasks, versions = 0, set[int]()
    for entry in entries:
        if entry.key.level < 0:
            continue
        tasks += 1
        versions.add(entry.key.version)
        if by := _shifts(entry):
            shifted.append((entry, by))
            continue
        point = points.setdefault(entry.key.level, [0.0, 0.0])
        point[0] += entry.samples
        point[1] += entry.right
    if len(points) < 2:
        raise RowError(f"a curve needs tasks at two levels or more, got {len(points)}")
    if len(versions) > 1:
        raise RowError(f"tasks of the versions {', '.join(map(str, sorted(versions)))} cannot be fitted together")
    intercept, slope = _fit([(level, count, right) for level, (count, right) in sorted(points.items())])
    samples = int(sum(count for count, _ in points.values())) + sum(entry.samples for entry, _ in shifted)
    knobs = _fit_knobs(intercept, slope, shifted)
    return Curve(intercept, slope, tasks, samples, min(points), max(points), versions.pop(), knobs)


def _shifts(entry: Entry) -> dict[str, float]:
    """How far the knobs of a task are from those of its level; nothing where they are the level's, or not of the present version."""
    knobs = json.loads(entry.key.knobs)
    if not knobs or environment(entry.key.env).version != entry.key.version:
        return {}
    return shifts(entry.key.env, entry.key.level, knobs)


def _fit_knobs(intercept: float, slope: float, shifted: Sequence[tuple[Entry, Mapping[str, float]]]) -> dict[str, float]:
    """Logistic regression on the shifts of knobs, beside the fitted part of the level, with a normal prior; knobs with few tasks have none."""
    counts = Counter(name for _, by in shifted for name in by)
    names = [name for name in sorted(counts) if counts[name] >= FEWEST_SHIFTED]
    if not names:
        return {}
    shift_NK = np.array([[by.get(name, 0.0) for name in names] for _, by in shifted])
    samples_N = np.array([entry.samples for entry, _ in shifted], dtype=float)
    right_N = np.array([entry.right for entry, _ in shifted], dtype=float)
    offset_N = np.array([intercept - slope * entry.key.level for entry, _ in shifted])
    harder_K = np.zeros(len(names))
    for _ in range(STEPS):
        rate_N = 1 / (1 + np.exp(-np.clip(offset_N - shift_NK @ harder_K, -500, 500)))
        gradient_K = -shift_NK.T @ (right_N - samples_N * rate_N) - PRIOR * harder_K
        hessian_KK = (shift_NK.T * (samples_N * rate_N * (1 - rate_N))) @ shift_NK + PRIOR * np.eye(len(names))
        step_K = np.linalg.solve(hessian_KK, gradient_K)
        step_K *= min(1.0, 5.0 / max(np.abs(step_K).max(), 1e-12))
        harder_K = harder_K + step_K
        if np.abs(step_K).max() < 1e-10:
            break
    return {name: round(float(value), 6) for name, value in zip(names, harder_K, strict=True)}


def _fit(points: list[tuple[float, float, float]]) -> tuple[float, float]:
    """Newton's method for a logistic regression with a normal prior; a rising curve is replaced by a constant one."""
    a, b = 0.0, 0.0
    for _ in range(STEPS):
        gradient, hessian = [-PRIOR * a, -PRIOR * b], [[PRIOR, 0.0], [0.0, PRIOR]]
        for level, count, right in points:
            rate = sigmoid(a - b * level)
            error, weight = right - count * rate, count * rate * (1 - rate)
            gradient[0] += error
            gradient[1] -= error * level
            hessian[0][0] += weight
            hessian[0][1] -= weight * level
            hessian[1][0] -= weight * level
            hessian[1][1] += weight * level * level
        determinant = hessian[0][0] * hessian[1][1] - hessian[0][1] * hessian[1][0]
        step_a = (hessian[1][1] * gradient[0] - hessian[0][1] * gradient[1]) / determinant
        step_b = (hessian[0][0] * gradient[1] - hessian[1][0] * gradient[0]) / determinant
        shrink = min(1.0, 5.0 / max(abs(step_a), abs(step_b), 1e-12))
        a, b = a + shrink * step_a, b + shrink * step_b
        if max(abs(step_a), abs(step_b)) < 1e-10:
            break
    if b >= 0:
        return a, b
    total, right_ones = sum(count for _, count, _ in points), sum(right for _, _, right in points)
    share = (right_ones + 0.5) / (total + 1)
    return math.log(share / (1 - share)), 0.0


def levels_between(
    table: Calibration, names: Iterable[str], low: float, high: float, count: int = 5
) -> tuple[dict[str, list[float]], dict[str, str]]:
    """Levels of each environment at which the model is expected to solve from `low` to `high` of the tasks, and why others have none.

    They are `count` levels evenly spaced between those expected at `high` and at `low`, for `Recipe.levels_by_env`.
    RowError for an impossible band, or if no environment has such levels.
    """
    if not 0 < low < high < 1:
        raise RowError(f"the band of solve rates needs 0 < low < high < 1, got {low:g} and {high:g}")
    found, left_out = dict[str, list[float]](), dict[str, str]()
    for name in names:
        curve = table.curves.get(name)
        if curve is None or curve.version != environment(name).version:
            left_out[name] = "no curve" if curve is None else f"its curve is of version {curve.version}: calibrate again"
            continue
        if curve.rate(0.0) < low or curve.rate(1.0) > high:
            left_out[name] = f"solved at rates from {curve.rate(1.0):.2f} to {curve.rate(0.0):.2f}"
            continue
        first, last = (curve.level(high), curve.level(low)) if curve.slope >= 1e-9 else (0.0, 1.0)
        steps = max(1, count - 1)
        found[name] = list(dict.fromkeys(round(first + (last - first) * place / steps, 6) for place in range(count)))
    if not found:
        raise RowError(f"no environment is solved at a rate from {low:g} to {high:g} by {table.model!r}: {left_out}"[:400])
    return found, left_out


def calibrate(store: PassRates, model: str, min_tasks: int = 10) -> tuple[Calibration, dict[str, str]]:
    """The curves of all environments with enough tasks of the current version, and why others have none."""
    by_env: dict[str, list[Entry]] = {}
    for entry in store.entries(model, current=True):
        by_env.setdefault(entry.key.env, []).append(entry)
    if not by_env:
        raise RowError(f"the store has no task of the model {model!r} in a current version.{suggestion(model, store.models())}")
    curves, skipped = dict[str, Curve](), dict[str, str]()
    for env, entries in by_env.items():
        if len(entries) < min_tasks:
            skipped[env] = f"{len(entries)} tasks, fewer than {min_tasks}"
            continue
        try:
            curves[env] = fit_curve(entries)
        except RowError as error:
            skipped[env] = str(error)
    return Calibration(model, curves), skipped
