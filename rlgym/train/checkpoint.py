"""Checkpoints that are there whole or not at all, and that a killed run goes on from to the bit.

A checkpoint is a folder: the model as a Hugging Face folder, the optimizer and the generators of random numbers, and the rest
of the state as JSON. It is written beside its place, flushed to the disk, and moved there at once.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rlgym.train.config import TrainError


@dataclass(frozen=True)
class Saved:
    """What a checkpoint holds beside the weights: `tensors` (optimizer, random numbers) and `facts`, JSON-able."""

    phase: str
    step: int
    tensors: dict[str, Any]
    facts: dict[str, Any]


def save(root: Path, saved: Saved, save_model: Callable[[Path], None], keep: int) -> Path:
    """Write a checkpoint under `root`, and remove all but the last `keep`."""
    import torch

    place = root / _name(saved.phase, saved.step)
    unfinished = root / f".{place.name}.{os.getpid()}.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    save_model(unfinished / "model")
    torch.save(saved.tensors, unfinished / "state.pt")
    facts = {"phase": saved.phase, "step": saved.step, **saved.facts}
    (unfinished / "state.json").write_text(json.dumps(facts, indent=1), encoding="utf-8")
    for file in [*unfinished.rglob("*"), unfinished]:
        _flush(file)
    shutil.rmtree(place, ignore_errors=True)
    os.rename(unfinished, place)
    _flush(root)
    for old in checkpoints(root)[:-keep]:
        shutil.rmtree(old)
    return place


def checkpoints(root: Path) -> list[Path]:
    """The finished checkpoints, oldest first."""
    return sorted(place for place in root.glob("[0-9]-*") if (place / "state.json").is_file())


def clean(root: Path) -> None:
    """Remove what a killed run left unfinished."""
    for left in root.glob(".*.unfinished"):
        shutil.rmtree(left, ignore_errors=True)


def load(place: Path) -> Saved:
    """Read a checkpoint back; its weights are in the folder `model` inside."""
    import torch

    try:
        facts = json.loads((place / "state.json").read_text(encoding="utf-8"))
        tensors = torch.load(place / "state.pt", map_location="cpu", weights_only=True)
        return Saved(facts.pop("phase"), facts.pop("step"), tensors, facts)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise TrainError(f"the checkpoint {str(place)!r} is damaged ({error}): remove it to go on from the one before") from None


def _name(phase: str, step: int) -> str:
    # The order of names is the order of training.
    return f"{('sft', 'rl').index(phase)}-{phase}-{step:07d}"


def _flush(file: Path) -> None:
    descriptor = os.open(file, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
