"""Held-out accuracy: avg@k and pass@k by environment and level, with intervals over tasks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rlgym.train.episodes import Episode, Player
from rlgym.train.scoring import Pick
from rlgym.train.team import ALONE, Team


@dataclass(frozen=True)
class Accuracy:
    """How one set of tasks was solved.

    average   avg@k: the mean over tasks of the share of samples that are right
    low, high the 95 % interval of the average, by the spread between tasks (between seeds of tasks, not of training)
    passes    k -> pass@k: the chance that one of k samples is right, by the unbiased estimator
    tasks     how many tasks were counted; `masked` samples had no score through no fault of the model
    """

    average: float
    low: float
    high: float
    passes: Mapping[int, float]
    tasks: int
    masked: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The accuracy as JSON-able data."""
        passes = {f"pass@{k}": value for k, value in self.passes.items()}
        average = None if math.isnan(self.average) else self.average  # JSON has no NaN
        return {"avg": average, "low": self.low, "high": self.high, **passes, "tasks": self.tasks, "masked": self.masked}

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Accuracy:
        """The opposite of `to_dict`."""
        passes = {int(name.removeprefix("pass@")): value for name, value in facts.items() if name.startswith("pass@")}
        average = math.nan if facts["avg"] is None else facts["avg"]
        return cls(average, facts["low"], facts["high"], passes, facts["tasks"], facts["masked"])


Table = dict[str, Accuracy]
"""Accuracies by environment and level (`chain_sum@0.1`), and over all of them as `mean`."""


def evaluate(
    player: Player, picks: Sequence[Pick], samples: int, seed: int, tick: Callable[[int, int], None] | None = None, team: Team = ALONE
) -> Table:
    """Play every held-out task `samples` times; at temperature 0 once is enough, and is what is done. Each rank plays its part."""
    numbers = team.share(range(len(picks)))
    mine = player.play([picks[number] for number in numbers], samples if player.temperature else 1, seed, tick, numbers)
    return tabulate(sorted((episode for part in team.gathered(mine) for episode in part), key=lambda episode: episode.key))


def greedy(player: Player) -> Player:
    """The same player, taking the most likely token every time."""
    return replace(player, temperature=0.0)


def tabulate(episodes: Iterable[Episode]) -> Table:
    """Accuracies of played episodes. The mean counts every environment and level alike."""
    places: dict[str, dict[int, list[Episode]]] = {}
    for episode in episodes:
        places.setdefault(episode.pick.place, {}).setdefault(episode.group, []).append(episode)
    table = {place: _accuracy(list(groups.values())) for place, groups in sorted(places.items())}
    return table | {"mean": _mean(list(table.values()))}


def _accuracy(groups: list[list[Episode]]) -> Accuracy:
    counted = [[episode.score.value == 1 for episode in group if episode.valid and episode.score] for group in groups]
    masked = sum(not episode.valid for group in groups for episode in group)
    rates = [sum(group) / len(group) for group in counted if group]
    most = min((len(group) for group in counted if group), default=0)
    passes = {
        k: sum(pass_at(k, len(group), sum(group)) for group in counted if group) / len(rates) for k in (1, 2, 4, 8, 16, 32, 64) if k <= most
    }
    average = sum(rates) / len(rates) if rates else math.nan
    return Accuracy(average, *interval(rates), passes, len(rates), masked)


def _mean(parts: list[Accuracy]) -> Accuracy:
    parts = [part for part in parts if part.tasks]
    if not parts:
        return Accuracy(math.nan, 0.0, 1.0, {}, 0)
    average = sum(part.average for part in parts) / len(parts)
    half = math.sqrt(sum(((part.high - part.low) / 2) ** 2 for part in parts)) / len(parts)
    passes = {k: sum(part.passes[k] for part in parts) / len(parts) for k in parts[0].passes if all(k in part.passes for part in parts)}
    low, high = max(0.0, average - half), min(1.0, average + half)
    return Accuracy(average, low, high, passes, sum(part.tasks for part in parts), sum(part.masked for part in parts))


def pass_at(k: int, samples: int, right: int) -> float:
    """The chance that one of k samples is right, estimated without bias from `samples` of which `right` were: 1 - C(n-c, k) / C(n, k)."""
    return 1.0 - math.comb(samples - right, k) / math.comb(samples, k)


def interval(rates: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of the mean of rates in [0, 1], one per task.

    Wilson's interval, which stays inside [0, 1], with as many trials as would give the spread that the rates have.
    """
    count = len(rates)
    if not count:
        return 0.0, 1.0
    mean, z = sum(rates) / count, 1.959964
    spread = sum((rate - mean) ** 2 for rate in rates) / max(1, count - 1)
    # Several samples of a task tell more than one would, but never less: the spread of single answers is the largest.
    trials = count if spread <= 0 else max(count, count * mean * (1 - mean) / spread)
    middle = (mean + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * math.sqrt(mean * (1 - mean) / trials + z * z / (4 * trials * trials))
    return max(0.0, middle - half), min(1.0, middle + half)
