"""Frozen samples: hashes of what some seeds make and of what some answers earn, kept beside the tests."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from rlgym.episode.play import opening
from rlgym.laws.subject import Subject, fingerprint

_SAMPLES = [(level, seed) for level in (0.0, 0.5, 1.0) for seed in (1, 2, 3)]


def sampled(subject: Subject) -> dict[str, Any]:
    """What is frozen of an environment: per sample a hash of the task and a hash of verdicts on it."""
    samples = {}
    for level, seed in _SAMPLES:
        task = subject.fresh(seed, level)
        samples[f"{level:g}/{seed}"] = [_hash(fingerprint(task)), _hash(json.dumps(_verdicts(subject, task)))]
    return {"name": subject.name, "version": subject.declared.version, "samples": samples}


def freeze(subject: Subject) -> Path:
    """Write the frozen samples of an environment; returns the file."""
    file = frozen_file(subject)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(sampled(subject), indent=1) + "\n", encoding="utf-8")
    return file


def frozen(subject: Subject) -> dict[str, Any] | None:
    """The frozen samples of an environment, where they are kept on this machine."""
    file = frozen_file(subject)
    if not file.exists():
        return None
    kept: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return kept


def frozen_file(subject: Subject) -> Path:
    """tests/frozen/<name>.json in the project that holds the environment's file: <root>/envs/<domain>/<name>.py.

    What is frozen of NAME:shift is in NAME.shift.json.
    """
    root = Path(os.path.realpath(subject.file)).parents[2]
    return root / "tests" / "frozen" / f"{subject.name.replace(':', '.')}.json"


def _verdicts(subject: Subject, task: Any) -> list[Any]:
    """What the oracle's answer and the mistakes earn: a change of what earns a point changes this."""
    position = opening(subject.declared, task, "tag")
    played = subject.play(task, subject.oracle())
    verdicts: list[Any] = [played.score.value if played.score else None, played.turn]
    for mistake in subject.mistakes(position)[:8]:
        response = subject.says(mistake)
        if subject.single:
            verdicts.append(subject.score(task, response).value)
        else:
            ended = subject.play(task, lambda _, said=response: said)  # type: ignore[misc]
            verdicts.append(ended.score.value if ended.score else None)
    return verdicts


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]
