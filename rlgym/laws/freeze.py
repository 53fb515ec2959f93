"""Frozen samples: hashes of the tasks of some seeds and of the scores of some answers, stored in tests/frozen."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rlgym.episode.play import start_episode
from rlgym.laws.effort import Effort
from rlgym.laws.subject import FROZEN_LEVELS, TOP_SEEDS, Subject, fingerprint

_SAMPLES = [(level, seed) for level in FROZEN_LEVELS for seed in (1, 2, 3)]
# The verdicts that are compared at the small efforts where every verdict runs a program; and at the least one.
_LEAST_OF_PROGRAMS = [(0.5, 1)]
_LEAST = [(level, 1) for level in FROZEN_LEVELS]


def sampled(subject: Subject) -> dict[str, Any]:
    """The samples to freeze: a hash of each task and a hash of the verdicts on it."""
    samples = {_key(level, seed): [task_hash(subject, seed, level), verdicts_hash(subject, seed, level)] for level, seed in _SAMPLES}
    return {"name": subject.name, "version": subject.declared.version, "samples": samples}


def sample_differences(subject: Subject, stored: dict[str, Any], effort: Effort) -> Iterator[str]:
    """What differs between the frozen samples and those of the environment as it is now."""
    if stored["version"] != subject.declared.version:
        yield f"the samples are frozen at version {stored['version']}: run `rlgym freeze {subject.name}`"
        return
    compared = _SAMPLES if not effort.is_small else _least_verdicts(subject, effort)
    for level, seed in _SAMPLES:
        if level == 1.0 and seed > TOP_SEEDS.at(effort):
            continue
        task, verdicts = stored["samples"][_key(level, seed)]
        same = task == task_hash(subject, seed, level)
        if same and (level, seed) in compared:
            same = verdicts == verdicts_hash(subject, seed, level)
        if not same:
            yield f"the frozen sample of seed {seed} level {level} differs: raise `version`, then run `rlgym freeze {subject.name}`"


def _least_verdicts(subject: Subject, effort: Effort) -> list[tuple[float, int]]:
    if subject.runs_programs:
        return _LEAST_OF_PROGRAMS
    if subject.single is None:
        return [(level, 1) for level in subject.chosen_levels(effort)]
    return _SAMPLES if effort is Effort.QUICK else _LEAST


def freeze(subject: Subject) -> Path:
    """Write the frozen samples of an environment; returns the file."""
    file = frozen_file(subject)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(sampled(subject), indent=1) + "\n", encoding="utf-8")
    return file


def frozen(subject: Subject) -> dict[str, Any] | None:
    """The frozen samples of an environment, if its project stores them."""
    file = frozen_file(subject)
    if not file.exists():
        return None
    stored: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return stored


def frozen_file(subject: Subject) -> Path:
    """tests/frozen/<name>.json in the project that holds the environment's file <root>/envs/<domain>/<name>.py.

    The file of NAME:shift is NAME.shift.json.
    """
    root = Path(os.path.realpath(subject.file)).parents[2]
    return root / "tests" / "frozen" / f"{subject.name.replace(':', '.')}.json"


def task_hash(subject: Subject, seed: int, level: float) -> str:
    return _hash(fingerprint(subject.task(seed, level)))


def verdicts_hash(subject: Subject, seed: int, level: float) -> str:
    """A hash of what the oracle's answer and the mistakes earn. It changes with any change of what earns a point."""
    task = subject.task(seed, level)
    solved = subject.solved(seed, level)
    verdicts: list[Any] = [solved.score.value if solved.score else None, solved.turn]
    for mistake in subject.mistakes(start_episode(subject.declared, task, "tag"))[:8]:
        response = subject.write(mistake)
        if subject.single:
            verdicts.append(subject.score(task, response).value)
        else:
            ended = subject.play(task, lambda _, response=response: response)  # type: ignore[misc]
            verdicts.append(ended.score.value if ended.score else None)
    return _hash(json.dumps(verdicts))


def _key(level: float, seed: int) -> str:
    return f"{level:g}/{seed}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]
