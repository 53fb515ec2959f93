"""TRL's datasets and reward function."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import rlgym
from rlgym.core.packages import extra
from rlgym.dataset import Session, TaskStream, from_task_json, huggingface_stream, sample
from rlgym.dataset.batch_scoring import LIMIT_SECONDS, score_batch
from rlgym.dataset.layouts import LAYOUTS
from rlgym.dataset.session import to_image

Columns = dict[str, Any]


def dataset(names: str | list[str], count: int | None = None, *, layout: str = "trl", image_size: int = 0, **recipe: Any) -> Any:
    """A `datasets.Dataset` of tasks drawn on the spot; `recipe` is that of `rlgym.dataset.sample`.

    Without `count` it is an endless `datasets.IterableDataset`, which resumes by its `state_dict`; `recipe` is then that of
    `rlgym.dataset.TaskStream`, and `shards` the number of parts that workers can share.

    layout      "trl" for GRPO and its kin, "sft" for SFTTrainer, "dpo" for DPOTrainer; an endless dataset has the first one only
    image_size  with more than 0, and the layout "trl": a column `images` with the task's picture of so many pixels a side, for a trainer of
                vision models. The list is empty where an environment draws none
    """
    with extra("trl"):
        from datasets import Dataset

    if layout not in ("trl", "sft", "dpo"):
        raise ValueError(f"layout must be 'trl', 'sft' or 'dpo', got {layout!r}")
    if layout != "trl" and (count is None or image_size):
        raise ValueError(f"endless datasets and those with images have the layout 'trl', got {layout!r}")
    if count is not None and not image_size:
        return Dataset.from_list([record for row in sample(names, count, **recipe) for record in LAYOUTS[layout](row)])
    record = partial(_record, image_size)
    if count is not None:
        return Dataset.from_list([record(row) for row in sample(names, count, **recipe)])
    shards = recipe.pop("shards", 1)
    return huggingface_stream(TaskStream(names, **recipe), record, shards=shards)


def _record(image_size: int, row: Columns) -> Columns:
    """A row in TRL's columns; with an image size, and its picture."""
    [record] = LAYOUTS["trl"](row)
    if not image_size:
        return record
    png = Session(row).image(image_size)
    return record | {"images": [] if png is None else [to_image(png)]}


def score(completions: list[Any], task_json: list[str], played: list[float | None] | None = None, **columns: Any) -> list[float | None]:
    """The reward function of a GRPOTrainer: what `rlgym.score` says of each completion. The batch is scored in parallel.

    None, which TRL leaves out, where the score says nothing about the model, and where the environment of `environments`
    pays its own reward. RowError, which ends the run, for damaged task JSON.
    """
    return _rewards(completions, task_json, played, columns, score_batch)


def reward_function(
    *, workers: int | None = None, limit_seconds: float = LIMIT_SECONDS, asynchronous: bool = False
) -> Callable[..., list[float | None]] | Callable[..., Awaitable[list[float | None]]]:
    """`score` with another number of threads and another time limit for a batch; completions beyond the limit get None.

    asynchronous  a coroutine function, which TRL runs together with the other asynchronous reward functions
    """
    scored = partial(score_batch, workers=workers, limit_seconds=limit_seconds)
    scored([], [])  # refuses what no batch could be scored with

    def plain(completions: list[Any], task_json: list[str], played: Any = None, **columns: Any) -> list[float | None]:
        return _rewards(completions, task_json, played, columns, scored)

    async def waiting(completions: list[Any], task_json: list[str], played: Any = None, **columns: Any) -> list[float | None]:
        return await asyncio.to_thread(_rewards, completions, task_json, played, columns, scored)

    chosen = waiting if asynchronous else plain
    chosen.__name__ = chosen.__qualname__ = "score"  # TRL names the reward's column after it
    return chosen


def _rewards(
    completions: list[Any],
    task_json: list[str],
    played: list[float | None] | None,
    columns: Columns,
    scored: Callable[[list[Columns], list[str]], list[rlgym.Score]],
) -> list[float | None]:
    if played is not None:
        return [reward for reward, _, _ in zip(played, completions, task_json, strict=True)]
    playing = columns.get("environments") or [None] * len(completions)
    rewards: list[float | None] = [None] * len(completions)
    rows: dict[int, Columns] = {}
    for place, text in enumerate(task_json):
        if hasattr(playing[place], "get_reward"):
            continue
        rows[place] = from_task_json(text)
        if rlgym.environment(rows[place]["env"]).kind != "environment":
            raise ValueError(f"{rows[place]['env']} has many turns: play it with rlgym.adapters.trl.environments or Rollout")
    said = [_completion_text(completion) for completion, _ in zip(completions, task_json, strict=True)]
    for place, found in zip(rows, scored(list(rows.values()), [said[place] for place in rows]), strict=True):
        rewards[place] = reward_of(found)
    return rewards


def _completion_text(completion: Any) -> str:
    """What the model said in a completion: a text, or messages."""
    return completion if isinstance(completion, str) else str(completion[-1].get("content") or "")


def reward_of(scored: rlgym.Score) -> float | None:
    return None if scored.masked else scored.value


def episode_reward(session: Session) -> float | None:
    """The reward of an episode; an episode that was broken off is not won."""
    return 0.0 if session.score is None else reward_of(session.score)
