"""Intervals by a bootstrap over tasks, stratified by environment, split and level.

Within a stratum of n tasks each draw takes n - 1 of them with replacement and weighs them by n / (n - 1), so that the variance
is right in small strata too (Rao and Wu, "Resampling Inference with Complex Survey Data"); taking n of n gives too narrow
intervals where strata are small, by half the variance where they hold two tasks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rlgym.evaluate.metrics.tasks import Array, Tasks

DRAWS = 1000
SEED = 20210830
LEVEL = 0.95
CHUNK = 2_000_000
"""About so many weights are made at once."""
MOST_KEPT = 25_000_000
"""Up to so many weights are kept; more are made anew each time they are gone through."""


def strata(tasks: Tasks) -> list[Any]:
    """The stratum of each task: its environment, split and level.

    A stratum of one task tells nothing of its spread. Such tasks are taken together by environment, then by domain, then all.
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
    """Random weights of tasks, the same each time they are gone through."""

    order: Array  # the tasks by stratum
    starts: Array  # where in that order each stratum begins
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
        """Weights of the tasks, [some draws, tasks] at a time; each stratum's add up to its number of tasks."""
        return self._kept if self.draws * len(self.order) <= MOST_KEPT else self._made()

    @cached_property
    def _kept(self) -> list[Array]:
        return list(self._made())

    def _made(self) -> Iterator[Array]:
        rng = np.random.default_rng(self.seed)
        count = len(self.order)
        taken: Array = np.where(self.sizes > 1, self.sizes - 1, self.sizes)
        starts: Array = np.repeat(self.starts, taken)
        sizes: Array = np.repeat(self.sizes, taken)
        factor: Array = np.repeat(self.sizes / np.maximum(taken, 1), self.sizes)
        back = np.argsort(self.order)
        at_once = max(1, CHUNK // max(1, count))
        for begin in range(0, self.draws, at_once):
            some = min(at_once, self.draws - begin)
            picked = starts + (rng.random((some, len(starts))) * sizes).astype(np.int64)
            picked += np.arange(some)[:, None] * count
            yield (np.bincount(picked.ravel(), minlength=some * count).reshape(some, count) * factor)[:, back]

    def ratios(self, tops: Mapping[str, Array], bottoms: Mapping[str, Array]) -> dict[str, Array]:
        """Per draw the weighted sum of each top over that of its bottom; NaN where nothing was drawn."""
        above = np.stack([tops[name] for name in tops], axis=1)
        below = np.stack([bottoms[name] for name in tops], axis=1)
        parts = [divided(weights @ above, weights @ below) for weights in self.weights()]
        found = np.concatenate(parts) if parts else np.zeros((0, len(tops)))
        return {name: found[:, place] for place, name in enumerate(tops)}

    def group_means(self, values_T: Array, groups_T: Array, count: int) -> Array:
        """Per draw the weighted mean of a value in each of `count` groups: [draws, groups]; tasks whose value is NaN are passed over."""
        order = np.argsort(groups_T, kind="stable")
        known = np.isfinite(values_T)
        values, there = np.where(known, values_T, 0.0)[order], known[order].astype(float)
        starts: Array = np.searchsorted(groups_T[order], np.arange(count))
        sorted_already = bool((order[1:] > order[:-1]).all())
        parts = []
        for weights in self.weights():
            drawn = weights if sorted_already else weights[:, order]
            above = np.add.reduceat(drawn * values, starts, axis=1)
            below = np.add.reduceat(drawn if known.all() else drawn * there, starts, axis=1)
            parts.append(divided(above, below))
        return np.concatenate(parts)


def divided(above: Array, below: Array) -> Array:
    """One by the other; NaN where the other is zero."""
    return np.divide(above, below, out=np.full(np.shape(above), np.nan), where=np.asarray(below) > 0)


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval and the tasks that it rests on; None where there is no task."""

    mean: float | None
    low: float | None
    high: float | None
    tasks: int

    def to_dict(self) -> dict[str, Any]:
        """The estimate as JSON-able data."""
        return {"mean": _short(self.mean), "low": _short(self.low), "high": _short(self.high), "tasks": self.tasks}


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def percentiles(drawn: Array) -> tuple[Array, Array]:
    """The ends of the interval over the first axis; draws that are NaN are passed over."""
    ordered = np.sort(drawn.reshape(len(drawn), -1), axis=0)  # NaN comes last
    valid = np.isfinite(ordered).sum(axis=0)
    last = np.maximum(valid - 1, 0)
    ends = []
    for share in ((1 - LEVEL) / 2, (1 + LEVEL) / 2):
        below = np.floor(share * last).astype(int)
        first = np.take_along_axis(ordered, below[None], axis=0)[0]
        second = np.take_along_axis(ordered, np.minimum(below + 1, last)[None], axis=0)[0]
        ends.append(np.where(valid > 0, first + (second - first) * (share * last - below), np.nan).reshape(drawn.shape[1:]))
    return ends[0], ends[1]


def centred(mean: float, drawn: Array) -> Array:
    """Draws of a share moved so that their mean is the estimate: the noise that resampling adds spreads environments and bins further apart."""
    return np.clip(drawn - np.nanmean(drawn) + mean, 0.0, 1.0)


def ends_of(drawn: Array) -> tuple[float | None, float | None]:
    """The interval of draws; none where they do not differ, since that resampling sees no spread does not mean that there is none."""
    low, high = (float(end) for end in percentiles(drawn))
    return (low, high) if high > low else (None, None)


def estimate(values_T: Array, drawn: Array, bounds: tuple[float, float] | None = (0.0, 1.0)) -> Estimate:
    """The mean of per-task values with the interval that the draws give; `bounds` are those of the values, None where there are none."""
    known = values_T[np.isfinite(values_T)]
    if not len(known):
        return Estimate(None, None, None, 0)
    low, high = (float(end) for end in percentiles(drawn))
    return _widened(known, low, high, bounds)


def estimates(
    values_T: Array, groups_T: Array, count: int, resampling: Resampling, bounds: tuple[float, float] | None = (0.0, 1.0)
) -> list[Estimate]:
    """The mean of per-task values in each group, with intervals."""
    lows, highs = percentiles(resampling.group_means(values_T, groups_T, count))
    order = np.argsort(groups_T, kind="stable")
    ends: Any = np.searchsorted(groups_T[order], np.arange(count + 1)).tolist()
    found = []
    for group in range(count):
        values = values_T[order[ends[group] : ends[group + 1]]]
        known = values[np.isfinite(values)]
        found.append(_widened(known, float(lows[group]), float(highs[group]), bounds) if len(known) else Estimate(None, None, None, 0))
    return found


def _widened(known: Array, low: float, high: float, bounds: tuple[float, float] | None) -> Estimate:
    """Where all tasks agree resampling sees no spread: at a bound the exact one-sided limit is given, of one task nothing is known."""
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
    """The mean over all tasks of several per-task values, each with its interval; tasks where a value is NaN are passed over."""
    if not named or not len(tasks):
        return {name: Estimate(None, None, None, 0) for name in named}
    tops = {name: np.where(np.isfinite(values), values, 0.0) for name, values in named.items()}
    bottoms = {name: np.isfinite(values).astype(float) for name, values in named.items()}
    drawn = resampling.ratios(tops, bottoms)
    return {name: estimate(values, drawn[name], bounds) for name, values in named.items()}


def ratio(tops_T: Array, bottoms_T: Array, resampling: Resampling) -> Estimate:
    """One sum over tasks by another, as the mean length of right answers is, with its interval."""
    below = float(bottoms_T.sum())
    if below <= 0:
        return Estimate(None, None, None, 0)
    drawn = resampling.ratios({"": tops_T}, {"": bottoms_T})[""]
    low, high = (float(end) for end in percentiles(drawn))
    counted = int((bottoms_T > 0).sum())
    return Estimate(float(tops_T.sum()) / below, low if counted > 1 else None, high if counted > 1 else None, counted)


def described(tasks: Tasks, resampling: Resampling) -> dict[str, Any]:
    """How the intervals were made, for a reader of the summary."""
    sizes: Sequence[int] = resampling.sizes.tolist()
    return {
        "level": LEVEL,
        "draws": resampling.draws,
        "seed": resampling.seed,
        "strata": len(sizes),
        "tasks": len(tasks),
        "method": "percentile bootstrap over tasks within strata of environment, split and level, n - 1 of n tasks per stratum (Rao and Wu)",
    }
