"""Atomic checkpoints, from which a killed run resumes bit for bit.

A checkpoint is a folder: the model as a Hugging Face folder, the state of the optimizer and of the random number generators, and
the rest of the state as JSON. It is written to a temporary folder, flushed to disk, and renamed.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rlgym.dataset.files import sync_to_disk
from rlgym.train.config.sections import TrainError
from rlgym.train.model.pretrained import ModelError


@dataclass(frozen=True)
class TrainingState:
    """The contents of a checkpoint besides the weights: `tensors` (optimizer, random numbers) and `facts`, JSON-able."""

    phase: str
    step: int
    tensors: dict[str, Any]
    facts: dict[str, Any]


def save(root: Path, state: TrainingState, save_model: Callable[[Path], None], keep: int) -> Path:
    """Write a checkpoint under `root`, and remove all but the last `keep`.

    Raises TrainError if it cannot be written, for example on a full disk; earlier checkpoints stay as they are.
    """
    from safetensors import SafetensorError

    folder = root / folder_name(state.phase, state.step)
    unfinished = root / f".{folder.name}.{os.getpid()}.unfinished"
    try:
        _write(unfinished, state, save_model)
    except (OSError, RuntimeError, SafetensorError) as error:
        shutil.rmtree(unfinished, ignore_errors=True)
        full = not isinstance(error, OSError) or error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, None)
        change = f"free disk space, or lower checkpoints.keep_last={keep}" if full else f"make {str(root)!r} a folder that can be written"
        raise TrainError(
            f"the checkpoint {str(folder)!r} cannot be written ({error}): {change}; the same command then resumes the run from its last checkpoint"
        ) from error
    shutil.rmtree(folder, ignore_errors=True)
    os.rename(unfinished, folder)
    sync_to_disk(root)
    for old in list_checkpoints(root)[:-keep]:
        shutil.rmtree(old)
    return folder


def _write(unfinished: Path, state: TrainingState, save_model: Callable[[Path], None]) -> None:
    """Write all files of a checkpoint, and flush them to disk."""
    import torch

    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    save_model(unfinished / "model")
    torch.save(state.tensors, unfinished / "state.pt")
    facts = {"phase": state.phase, "step": state.step, **state.facts}
    (unfinished / "state.json").write_text(json.dumps(facts, indent=1), encoding="utf-8")
    for file in [*unfinished.rglob("*"), unfinished]:
        sync_to_disk(file)


def list_checkpoints(root: Path) -> list[Path]:
    """The finished checkpoints, oldest first."""
    return sorted(folder for folder in root.glob("[0-9]-*") if (folder / "state.json").is_file())


def remove_unfinished(root: Path) -> None:
    """Remove the unfinished checkpoints of a killed run."""
    for unfinished in root.glob(".*.unfinished"):
        shutil.rmtree(unfinished, ignore_errors=True)


def load(folder: Path) -> TrainingState:
    """The state in a checkpoint; its weights are in the subfolder `model`."""
    import torch

    try:
        facts = json.loads((folder / "state.json").read_text(encoding="utf-8"))
        tensors = torch.load(folder / "state.pt", map_location="cpu", weights_only=True)
        return TrainingState(facts.pop("phase"), facts.pop("step"), tensors, facts)
    except Exception as error:  # torch raises many kinds for a file that was cut or overwritten
        raise _damaged(folder, error) from None


@contextmanager
def weights_of(folder: Path | None) -> Iterator[None]:
    """While the weights in a checkpoint are loaded: a ModelError becomes a TrainError that names the checkpoint. Nothing without one."""
    try:
        yield
    except ModelError as error:
        if folder is None:
            raise
        raise _damaged(folder, error) from None


def _damaged(folder: Path, error: Exception) -> TrainError:
    reason = str(error).partition("\n")[0] or type(error).__name__
    return TrainError(f"the checkpoint {str(folder)!r} is damaged ({reason}): remove it to resume from the previous one")


def last_model(run_folder: Path) -> Path:
    """The model of a run's last checkpoint. Raises TrainError if there is none."""
    saved = list_checkpoints(run_folder / "checkpoints")
    if not saved:
        raise TrainError(f"{str(run_folder)!r} has no checkpoint: remove the folder, and run it again")
    return saved[-1] / "model"


def folder_name(phase: str, step: int) -> str:
    """The name of a checkpoint's folder; names sort in the order of training."""
    return f"{('sft', 'rl').index(phase)}-{phase}-{step:07d}"
