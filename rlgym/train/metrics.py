"""What a run writes down: one JSON line a step, and the times of each step in a file of their own.

`metrics.jsonl` holds only what is determined by the configuration, so that a run that was killed and resumed writes the same
lines as one that was not. Seconds and rates are in `times.jsonl`.
"""

from __future__ import annotations

import json
import math
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rlgym.train.config import Config, TrainError
from rlgym.train.episodes import Episode

FILES = ("metrics.jsonl", "evaluations.jsonl", "transcripts.jsonl")
"""The files that are cut back to a checkpoint's length when a run is resumed."""


def of_episodes(episodes: Sequence[Episode], version: int) -> dict[str, float]:
    """What the rollouts of a step say by themselves: rewards, solve rates, lengths, groups without signal, masked ones."""
    valid = [episode for episode in episodes if episode.valid]
    groups: dict[int, list[float]] = {}
    for episode in valid:
        groups.setdefault(episode.group, []).append(episode.reward)
    outcomes = Counter(episode.score.outcome.value.replace(" ", "_") for episode in episodes if episode.score)
    lengths = [episode.sampled for episode in episodes]
    right = [episode.sampled for episode in valid if episode.score and episode.score.value == 1]
    facts = {
        "reward": _mean([episode.reward for episode in valid]),
        "solve": _mean([_right(episode) for episode in valid]),
        "groups_dead": _mean([float(max(rewards) <= 0) for rewards in groups.values()]),
        "groups_saturated": _mean([float(min(rewards) >= 1) for rewards in groups.values()]),
        "groups_alike": _mean([float(max(rewards) == min(rewards)) for rewards in groups.values()]),
        "masked": float(len(episodes) - len(valid)),
        "cut": _mean([float(episode.cut) for episode in episodes]),
        "length": _mean([float(length) for length in lengths]),
        "length_right": _mean([float(length) for length in right]),
        "turns": _mean([float(sum(who == "assistant" for who, _ in episode.said)) for episode in episodes]),
        "staleness": _mean([float(version - episode.version) for episode in episodes if episode.sampled]),
    }
    facts |= {f"outcome/{name}": count / len(episodes) for name, count in sorted(outcomes.items())}
    return facts | {f"solve/{place}": rate for place, rate in solve_rates(episodes).items()}


def solve_rates(episodes: Sequence[Episode]) -> dict[str, float]:
    """The share of right answers by environment and level."""
    places: dict[str, list[float]] = {}
    for episode in episodes:
        if episode.valid:
            places.setdefault(episode.pick.place, []).append(_right(episode))
    return {place: _mean(rates) for place, rates in sorted(places.items())}


def transcripts(episodes: Sequence[Episode], count: int, step: int) -> list[dict[str, Any]]:
    """Sample episodes as data: what was said, the score and its reason. Different groups, so that different tasks are seen."""
    first = list({episode.group: episode for episode in reversed(episodes)}.values())[::-1]
    return [
        {"step": step, "task": episode.pick.place, "messages": episode.said, "score": episode.score.to_dict(), "reward": episode.reward}
        for episode in first[:count]
        if episode.score
    ]


def _right(episode: Episode) -> float:
    return float(episode.score is not None and episode.score.value == 1)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


class Book:
    """The files of a run, and TensorBoard or wandb beside them."""

    def __init__(self, folder: Path, config: Config) -> None:
        self.folder = folder
        self._tensorboard = _tensorboard(folder) if config.log.tensorboard else None
        self._wandb = _wandb(config) if config.log.wandb else None

    def write(self, file: str, facts: Mapping[str, Any]) -> None:
        """Add a line to a file."""
        with open(self.folder / file, "a", encoding="utf-8") as out:
            out.write(json.dumps(_plain(facts), ensure_ascii=False) + "\n")

    def step(self, step: int, facts: Mapping[str, Any], times: Mapping[str, float]) -> None:
        """Write one step's metrics and times."""
        self.write("metrics.jsonl", {"step": step, **facts})
        self.write("times.jsonl", {"step": step, **times})
        numbers = {name: value for name, value in {**facts, **times}.items() if isinstance(value, int | float)}
        if self._tensorboard:
            for name, value in numbers.items():
                self._tensorboard.add_scalar(name, value, step)
        if self._wandb:
            self._wandb.log(numbers, step=step)

    def lengths(self) -> dict[str, int]:
        """How long the files are, for a checkpoint; they are on the disk afterwards."""
        out = {}
        for name in FILES:
            file = self.folder / name
            if file.exists():
                with open(file, "rb") as opened:
                    os.fsync(opened.fileno())
            out[name] = file.stat().st_size if file.exists() else 0
        return out

    def cut_back(self, lengths: Mapping[str, int]) -> None:
        """Forget what was written after a checkpoint."""
        for name in FILES:
            file = self.folder / name
            if file.exists():
                os.truncate(file, lengths.get(name, 0))

    def close(self) -> None:
        """Close what is open."""
        if self._tensorboard:
            self._tensorboard.close()
        if self._wandb:
            self._wandb.finish()


class Silent(Book):
    """Writes nothing: what a rank has that does not lead."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._tensorboard, self._wandb = folder, None, None

    def write(self, file: str, facts: Mapping[str, Any]) -> None:
        """Nothing."""

    def lengths(self) -> dict[str, int]:
        """Nothing to speak of: the rank that leads knows them."""
        return {}

    def cut_back(self, lengths: Mapping[str, int]) -> None:
        """Nothing."""


def read_lines(file: Path) -> list[dict[str, Any]]:
    """The lines of a metrics file; none, where there is no file."""
    if not file.exists():
        return []
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def _plain(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers rounded to what is worth keeping; NaN and infinities, which JSON has not, as None."""
    out: dict[str, Any] = {}
    for name, value in facts.items():
        if isinstance(value, float):
            out[name] = float(f"{value:.9g}") if math.isfinite(value) else None
        else:
            out[name] = value
    return out


def _tensorboard(folder: Path) -> Any:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        raise TrainError("log.tensorboard needs the package tensorboard: `pip install tensorboard`, or leave it off") from None
    return SummaryWriter(str(folder / "tensorboard"))


def _wandb(config: Config) -> Any:
    try:
        import wandb
    except ImportError:
        raise TrainError("log.wandb needs the package wandb: `pip install wandb`, or leave it empty") from None
    return wandb.init(project=config.log.wandb, config=config.model_dump(mode="json"), dir=config.out)
