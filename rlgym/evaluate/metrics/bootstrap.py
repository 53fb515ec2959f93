"""Confidence intervals by a bootstrap over tasks, stratified by environment, split and level.

From a stratum of n tasks, each draw takes n - 1 with replacement and weights them by n / (n - 1), so that the variance is right in
small strata too (Rao and Wu, "Resampling Inference with Complex Survey Data"). Drawing n of n underestimates the variance of small
strata, by half for strata of two tasks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rlgym.evaluate.metrics.task_table import Array, Tasks

DRAWS = 1000
SEED = 20210830
LEVEL = 0.95
CHUNK = 2_000_000
"""Approximate number of weights generated at once."""
MAX_CACHED = 25_000_000
"""Up to this many weights are cached; more are generated again in each pass."""


def strata(tasks: Tasks) -> list[Any]:
    """The stratum of each task: its environment, split and level.

    A stratum of one task has no variance, so such tasks are merged by environment, then by domain, then all together.
    """
    finest: list[tuple[Any, ...]] = list(zip(tasks.env.tolist(), tasks.split.tolist(), tasks.level.tolist()))
    coarser: list[list[Any]] = [
        [("environment", *key[:2]) for key in finest],
        [("domain", domain, key[1]) for domain, key in zip(tasks.domain.tolist(), finest)],
        [("all",)] * len(finest),
    ]
    chosen: list[Any] = list(finest)
    for names in coarser:
        sizes = Counter(chosen)
        chosen = [name if sizes[old] == 1 else old for old, name in zip(chosen, names)]
    return chosen


@dataclass(frozen=True)
class Resampling:
    """Random weights of tasks, the same in every pass."""

    order: Array  # the tasks by stratum
    starts: Array  # the index in `order` at which each stratum begins
    sizes: Array
    draws: int = DRAWS
    seed: int = SEED

    @classmethod
    def of(cls, tasks: Tasks, draws: int = DRAWS, seed: int = SEED) -> Resampling:
        """The resampling of a run's tasks within their strata."""
        names = strata(tasks)
        place = {name: number for number, name in enumerate(dict.fromkeys(names))}
        numbers = np.array([place[name] for name in names], dtype=int)
        sizes = np.bincount(numbers, minlength=len(place))
        return cls(np.argsort(numbers, kind="stable"), np.cumsum(sizes) - sizes, sizes, draws, seed)

    def weights(self) -> Iterable[Array]:
        """Weights of the tasks in chunks of shape [draws, tasks]; those of a stratum sum to its number of tasks."""
        return self._cached_draws if self.draws * len(self.order) <= MAX_CACHED else self._generate()

    @cached_property
    def _cached_draws(self) -> list[Array]:
        return list(self._generate())

    def _generate(self) -> Iterator[Array]:
        rng = np.random.default_rng(self.seed)
        count = len(self.order)
        degrees: Array = np.where(self.sizes > 1, self.sizes - 1, self.sizes)
        starts: Array = np.repeat(self.starts, degrees)
        sizes: Array = np.repeat(self.sizes, degrees)
        factor: Array = np.repeat(self.sizes / np.maximum(degrees, 1), self.sizes)
        back = np.argsort(self.order)
        max_concurrency = max(1, CHUNK // max(1, count))
        for begin in range(0, self.draws, max_concurrency):
            some = min(max_concurrency, self.draws - begin)
            picked = starts + (rng.random((some, len(starts))) * sizes).astype(np.int64)
            picked += np.arange(some)[:, None] * count
            yield (np.bincount(picked.ravel(), minlength=some * count).reshape(some, count) * factor)[:, back]

    def ratios(self, tops: Mapping[str, Array], bottoms: Mapping[str, Array]) -> dict[str, Array]:
        """Per draw the weighted sum of each numerator over that of its denominator; NaN if the denominator is 0."""
        above = np.stack([tops[name] for name in tops], axis=1)
        below = np.stack([bottoms[name] for name in tops], axis=1)
        parts = [divided(weights @ above, weights @ below) for weights in self.weights()]
        quotients = np.concatenate(parts) if parts else np.zeros((0, len(tops)))
        return {name: quotients[:, place] for place, name in enumerate(tops)}

    def group_means(self, values_T: Array, groups_T: Array, count: int) -> Array:
        """Per draw the weighted mean of a value in each of `count` groups, [draws, groups]; tasks whose value is NaN are ignored."""
        order = np.argsort(groups_T, kind="stable")
        known = np.isfinite(values_T)
        values, present = np.where(known, values_T, 0.0)[order], known[order].astype(float)
        starts: Array = np.searchsorted(groups_T[order], np.arange(count))
        sorted_already = bool((order[1:] > order[:-1]).all())
        parts = []
        for weights in self.weights():
            ordered_weights = weights if sorted_already else weights[:, order]
            above = np.add.reduceat(ordered_weights * values, starts, axis=1)
            below = np.add.reduceat(ordered_weights if known.all() else ordered_weights * present, starts, axis=1)
            parts.append(divided(above, below))
        return np.concatenate(parts)


def divided(above: Array, below: Array) -> Array:
    """Element-wise division; NaN if the denominator is zero."""
    return np.divide(above, below, out=np.full(np.shape(above), np.nan), where=np.asarray(below) > 0)


@dataclass(frozen=True)
class Estimate:
    """A mean with its 95 % interval and its number of tasks; None if there are no tasks."""

    mean: float | None
    low: float | None
    high: float | None
    tasks: int

    def to_dict(self) -> dict[str, Any]:
        """The estimate as JSON-able data."""
        return {
            "mean": _rounded_or_none(self.mean),
            "low": _rounded_or_none(self.low),
            "high": _rounded_or_none(self.high),
            "tasks": self.tasks,
        }


def _rounded_or_none(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def percentiles(resampled: Array) -> tuple[Array, Array]:
    """The bounds of the interval over the first axis; NaN draws are ignored."""
    ordered = np.sort(resampled.reshape(len(resampled), -1), axis=0)  # NaN comes last
    valid = np.isfinite(ordered).sum(axis=0)
    last = np.maximum(valid - 1, 0)
    ends = []
    for share in ((1 - LEVEL) / 2, (1 + LEVEL) / 2):
        below = np.floor(share * last).astype(int)
        first = np.take_along_axis(ordered, below[None], axis=0)[0]
        second = np.take_along_axis(ordered, np.minimum(below + 1, last)[None], axis=0)[0]
        ends.append(np.where(valid > 0, first + (second - first) * (share * last - below), np.nan).reshape(resampled.shape[1:]))
    return ends[0], ends[1]


def centred(mean: float, resampled: Array) -> Array:
    """Draws of a share, shifted so that their mean is the estimate; resampling noise otherwise spreads environments and bins apart."""
    return np.clip(resampled - np.nanmean(resampled) + mean, 0.0, 1.0)


def ends_of(resampled: Array) -> tuple[float | None, float | None]:
    """The interval of draws; None if they are all equal, since zero resampling variance does not mean certainty."""
    low, high = (float(end) for end in percentiles(resampled))
    return (low, high) if high > low else (None, None)


def estimate(values_T: Array, resampled: Array, bounds: tuple[float, float] | None = (0.0, 1.0)) -> Estimate:
    """The mean of per-task values with the interval of the draws; `bounds` are the bounds of the values, or None."""
    known = values_T[np.isfinite(values_T)]
    if not len(known):
        return Estimate(None, None, None, 0)
    low, high = (float(end) for end in percentiles(resampled))
    return _widen_interval(known, low, high, bounds)


def estimates(
    values_T: Array, groups_T: Array, count: int, resampling: Resampling, bounds: tuple[float, float] | None = (0.0, 1.0)
) -> list[Estimate]:
    """The mean of per-task values in each group, with intervals."""
    lows, highs = percentiles(resampling.group_means(values_T, groups_T, count))
    order = np.argsort(groups_T, kind="stable")
    ends: Any = np.searchsorted(groups_T[order], np.arange(count + 1)).tolist()
    results = []
    for group in range(count):
        values = values_T[order[ends[group] : ends[group + 1]]]
        known = values[np.isfinite(values)]
        results.append(
            _widen_interval(known, float(lows[group]), float(highs[group]), bounds) if len(known) else Estimate(None, None, None, 0)
        )
    return results


def _widen_interval(known: Array, low: float, high: float, bounds: tuple[float, float] | None) -> Estimate:
    """If all tasks agree, resampling sees no variance: at a bound, use the exact one-sided limit; for a single task, the full range."""
    mean, count = float(known.mean()), len(known)
    if bounds is None:
        return Estimate(mean, low, high, count) if count > 1 else Estimate(mean, None, None, count)
    least, most = bounds
    reach = (most - least) * (1 - ((1 - LEVEL) / 2) ** (1 / count))
    if (known == most).all():
        return Estimate(mean, most - reach, most, count)
    if (known == least).all():
        return Estimate(mean, least, least + reach, count)
    if count == 1:
        return Estimate(mean, least, most, count)
    return Estimate(mean, low, high, count)


def columns(
    tasks: Tasks, named: Mapping[str, Array], resampling: Resampling, bounds: tuple[float, float] | None = (0.0, 1.0)
) -> dict[str, Estimate]:
    """The mean over all tasks of several per-task values, each with its interval; NaN values are ignored."""
    if not named or not len(tasks):
        return {name: Estimate(None, None, None, 0) for name in named}
    tops = {name: np.where(np.isfinite(values), values, 0.0) for name, values in named.items()}
    bottoms = {name: np.isfinite(values).astype(float) for name, values in named.items()}
    resampled = resampling.ratios(tops, bottoms)
    return {name: estimate(values, resampled[name], bounds) for name, values in named.items()}


def ratio(tops_T: Array, bottoms_T: Array, resampling: Resampling) -> Estimate:
    """The ratio of two sums over tasks, for example the mean length of right answers, with its interval."""
    below = float(bottoms_T.sum())
    if below <= 0:
        return Estimate(None, None, None, 0)
    resampled = resampling.ratios({"": tops_T}, {"": bottoms_T})[""]
    low, high = (float(end) for end in percentiles(resampled))
    counted = int((bottoms_T > 0).sum())
    return Estimate(float(tops_T.sum()) / below, low if counted > 1 else None, high if counted > 1 else None, counted)


def describe_intervals(tasks: Tasks, resampling: Resampling) -> dict[str, Any]:
    """A description of the intervals for summary.json."""
    sizes: Sequence[int] = resampling.sizes.tolist()
    return {
        "level": LEVEL,
        "draws": resampling.draws,
        "seed": resampling.seed,
        "strata": len(sizes),
        "tasks": len(tasks),
        "method": "percentile bootstrap over tasks within strata of environment, split and level, n - 1 of n tasks per stratum (Rao and Wu)",
    }
