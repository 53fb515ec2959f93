"""The responses that a measuring stage keeps: a run of `rlgym eval` on disk, which `sft.rollouts` and `rollout.recorded` read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import rlgym
from rlgym.core.answer import Style
from rlgym.dataset.files import write_atomically
from rlgym.dataset.rows import task_columns
from rlgym.evaluate.episodes.episode_log import EPISODE_LOG, read_log
from rlgym.evaluate.episodes.results import COLUMNS, FORMAT, write_run_info
from rlgym.evaluate.episodes.resume import now
from rlgym.train.rollout.episodes import Episode

MOST_OF_A_STEP = 1_000_000
"""More episodes than a step has: the samples of a step are numbered from its number times this."""
OF_TASK = ("id", "env", "version", "domain", "kind", "level", "seed", "knobs")


def keep_responses(folder: Path, step: int, episodes: Sequence[Episode], style: Style = "tag") -> None:
    """Add the responses of a step to the episode log of a folder; those that the step added before it was interrupted are replaced.

    `style` is how their answers are given.
    """
    log, first = folder / EPISODE_LOG, step * MOST_OF_A_STEP
    known = [row for row in read_log(log) if row["sample"] < first]
    tasks: dict[int, dict[str, Any]] = {}
    for number, episode in enumerate(episodes):
        if episode.seed is None or episode.score is None:
            continue
        if episode.group not in tasks:
            task = rlgym.task(episode.task.name, episode.seed, level=episode.task.level, **dict[str, Any](episode.task.knobs))
            columns = task_columns(rlgym.environment(episode.task.name), task, style)
            own = {"difficulty": columns["cost"], "answer_style": style}
            tasks[episode.group] = {name: columns[name] for name in OF_TASK} | own
        known.append(_row(tasks[episode.group], first + number, episode))
    write_atomically(log, "".join(json.dumps(row) + "\n" for row in known).encode())


def finish_responses(folder: Path, model: str) -> None:
    """Write run.json: the run is whole. `model` is the name of the model that responded."""
    ids = sorted(row["id"] for row in read_log(folder / EPISODE_LOG))
    write_run_info(
        folder,
        {
            "format": FORMAT,
            "suite": {"name": folder.name, "hash": hashlib.sha256("\n".join(ids).encode()).hexdigest(), "tasks": len(ids)},
            "model": {"kind": "policy", "name": model},
            "sampling": {"samples": 1},
            "finished": now(),
        },
    )


def model_name(path: str) -> str:
    """The name of a model by its folder; of the checkpoint of a run that of the run and the step."""
    folder = Path(path).resolve()
    return f"{folder.parents[2].name}/{folder.parent.name}" if folder.parent.parent.name == "checkpoints" else folder.name


def _row(task: dict[str, Any], sample: int, episode: Episode) -> dict[str, Any]:
    score = episode.score
    assert score is not None
    found = {
        "sample": sample,
        "split": "shift" if task["env"].endswith(":shift") else "main",
        "value": score.value,
        "outcome": score.outcome.value,
        "reason": score.reason,
        "parts": json.dumps(dict(score.parts)),
        "right": episode.solved,
        "masked": score.masked,
        "turns": sum(role == "assistant" for role, _ in episode.messages),
        "completion_tokens": episode.num_sampled,
        "finish_reason": "length" if episode.truncated else "stop",
        "messages": json.dumps([{"role": role, "content": text} for role, text in episode.messages]),
    }
    return dict.fromkeys(COLUMNS) | task | found
