"""Refuses an output folder that contains something else, or a run of another configuration."""

from __future__ import annotations

import json
import os
from pathlib import Path

from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError

MAY_CHANGE = ("checkpoints.", "log.", "scoring.", "compute.dist_timeout_seconds", "compute.peak_tflops")
"""Fields that a resumed run may change, because they do not affect what is learned."""


def check_output_dir(config: Config) -> None:
    """Raise TrainError unless the folder can be written and is empty, or contains a run of this configuration."""
    folder = Path(config.output_dir)
    existing = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK):
        raise TrainError(f"output_dir={str(folder)!r} cannot be written: {str(existing)!r} is no folder that this user may write to")
    if not folder.exists() or not any(folder.iterdir()):
        return
    file = folder / "config.json"
    if not file.is_file():
        raise TrainError(f"output_dir={str(folder)!r} is not empty and contains no training run: choose another folder")
    try:
        saved = Config.from_dict(json.loads(file.read_text(encoding="utf-8")))
    except ValueError as error:
        raise TrainError(f"output_dir={str(folder)!r} contains a run of another version ({error}): choose another folder") from None
    changed = [name for name in config.differences(saved) if not name.startswith(MAY_CHANGE)]
    if changed:
        raise TrainError(
            f"output_dir={str(folder)!r} contains a run whose configuration differs in {', '.join(changed[:4])}: "
            "choose another folder, or restore these fields to resume that run"
        )


def make_output_dir(config: Config) -> None:
    """Create the folder of a run, with its configuration. Raises TrainError if it cannot be written."""
    folder = Path(config.output_dir)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.json").write_text(config.model_dump_json(indent=1), encoding="utf-8")
    except OSError as error:
        raise TrainError(
            f"output_dir={str(folder)!r} cannot be written ({error.strerror}): choose another folder, or make it writable"
        ) from error
