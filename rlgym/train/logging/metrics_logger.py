"""The log files of a run: one JSON line per step, and the times of each step in a file of their own.

`metrics.jsonl` contains only what the configuration determines, so that a run that was killed and resumed writes the same lines
as an uninterrupted one. Seconds and rates are in `times.jsonl`.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.alarm import RewardAlarm

FILES = ("metrics.jsonl", "evaluations.jsonl", "transcripts.jsonl", "prefix_values.jsonl", "preferences.jsonl", "proposals.jsonl")
"""The files that are truncated to a checkpoint's length when a run is resumed."""


class MetricsLogger:
    """The log files of a run, and optionally TensorBoard, Weights & Biases and Trackio."""

    def __init__(self, folder: Path, config: Config) -> None:
        self.folder = folder
        self._alarm: RewardAlarm | None = None
        self._tensorboard = _tensorboard(folder) if config.log.tensorboard else None
        self._wandb = _wandb(config) if config.log.wandb_project else None
        self._trackio = _trackio(config) if config.log.trackio_project else None

    def write_line(self, file: str, record: Mapping[str, Any]) -> None:
        """Append a JSON line to a file. Raises OSError, with the file as it was, if the disk is full."""
        path = self.folder / file
        before = path.stat().st_size if path.exists() else 0
        try:
            with open(path, "a", encoding="utf-8") as out:
                out.write(json.dumps(_json_safe(record), ensure_ascii=False) + "\n")
        except OSError:
            os.truncate(path, before)
            raise

    def log_step(self, step: int, metrics: Mapping[str, Any], times: Mapping[str, float]) -> None:
        """Log the metrics and times of one step."""
        self.write_line("metrics.jsonl", {"step": step, **metrics})
        self.write_line("times.jsonl", {"step": step, **times})
        numbers = {name: value for name, value in {**metrics, **times}.items() if isinstance(value, int | float)}
        if self._tensorboard:
            for name, value in numbers.items():
                self._tensorboard.add_scalar(name, value, step)
        if self._wandb:
            self._wandb.log(numbers, step=step)
        if self._trackio:
            self._trackio.log(numbers, step=step)

    def reward_alarm(self, gap: float) -> bool:
        """Whether the alarm sounds after a step with this gap; in a resumed run also by the steps before it."""
        if self._alarm is None:
            self._alarm = RewardAlarm()
            for line in read_lines(self.folder / "metrics.jsonl"):
                if "reward_gap" in line:
                    self._alarm.update(line["reward_gap"])
        # Rounded as in the file, so that a resumed run decides alike.
        return self._alarm.update(float(f"{gap:.9g}"))

    def file_sizes(self) -> dict[str, int]:
        """The sizes of the log files, for a checkpoint. Flushes them to disk."""
        out = {}
        for name in FILES:
            file = self.folder / name
            if file.exists():
                with open(file, "rb") as opened:
                    os.fsync(opened.fileno())
            out[name] = file.stat().st_size if file.exists() else 0
        return out

    def truncate(self, sizes: Mapping[str, int]) -> None:
        """Remove what was written after a checkpoint. Of a file that was cut since then, the whole lines stay."""
        for name in FILES:
            file = self.folder / name
            if file.exists():
                size = sizes.get(name, 0)
                if file.stat().st_size < size:
                    size = file.read_bytes().rfind(b"\n") + 1
                os.truncate(file, size)

    def close(self) -> None:
        """Close the trackers."""
        if self._tensorboard:
            self._tensorboard.close()
        if self._wandb:
            self._wandb.finish()
        if self._trackio:
            self._trackio.finish()


class NullLogger(MetricsLogger):
    """A logger that writes nothing, for all ranks but the first."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._alarm, self._tensorboard, self._wandb, self._trackio = folder, None, None, None, None

    def write_line(self, file: str, record: Mapping[str, Any]) -> None:
        """Nothing."""

    def file_sizes(self) -> dict[str, int]:
        """Nothing; rank 0 knows the sizes."""
        return {}

    def truncate(self, sizes: Mapping[str, int]) -> None:
        """Nothing."""


def read_lines(file: Path) -> list[dict[str, Any]]:
    """The records of a JSON-lines file; none if there is no file."""
    if not file.exists():
        return []
    # A response may hold other characters at which splitlines would cut, such as U+2028.
    return [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line]


def _json_safe(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record with rounded numbers, and None for NaN and infinity, which JSON lacks."""
    out: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, float):
            out[name] = float(f"{value:.9g}") if math.isfinite(value) else None
        else:
            out[name] = value
    return out


def _tensorboard(folder: Path) -> Any:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        raise TrainError("log.tensorboard needs the package tensorboard: `pip install tensorboard`, or set it to false") from None
    return SummaryWriter(str(folder / "tensorboard"))


def _wandb(config: Config) -> Any:
    try:
        import wandb
    except ImportError:
        raise TrainError("log.wandb_project needs the package wandb: `pip install wandb`, or leave it empty") from None
    return wandb.init(project=config.log.wandb_project, config=config.model_dump(mode="json"), dir=config.output_dir)


def _trackio(config: Config) -> Any:
    try:
        import trackio
    except ImportError:
        raise TrainError("log.trackio_project needs the package trackio: `pip install trackio`, or leave it empty") from None
    # A resumed run continues the run of the same name.
    trackio.init(
        project=config.log.trackio_project, name=Path(config.output_dir).name, config=config.model_dump(mode="json"), resume="allow"
    )
    return trackio
