"""Rollouts for ART (openpipe-art): plays any row with its model, and gives the trajectories that ART trains on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

from rlgym.core.packages import extra
from rlgym.dataset import Session, to_task_json

with extra("art"):
    import art


async def rollout(model: art.Model, row: Mapping[str, Any], **sampling: Any) -> art.Trajectory:
    """One played row, with its reward. `sampling` goes to each completion: max_tokens, temperature, ...

    A failure that is not the model's fault raises; ART counts the exception and drops the trajectory. RowError for a damaged row.
    """
    session = Session(row)
    about: dict[str, Any] = {key: row[key] for key in ("id", "env", "level", "split") if key in row}
    played = art.Trajectory(
        messages_and_choices=[{"role": "user", "content": session.observation}], tools=session.tools or None, metadata=about
    )
    more = {"tools": session.tools} if session.tools else {}
    client = model.openai_client()
    while not session.done:
        answer = await client.chat.completions.create(model=model.get_inference_name(), messages=played.messages(), **more, **sampling)
        choice = answer.choices[0]
        played.messages_and_choices.append(choice)
        # Verifiers that run programs block, and this loop serves many rollouts.
        answers: list[Any] = await asyncio.to_thread(session.step_message, choice.message.model_dump(exclude_none=True))
        played.messages_and_choices.extend(answers)
    score = session.score
    assert score is not None
    if score.masked:
        raise RuntimeError(f"the row {row['id']!r} cannot be scored: {score.reason}")
    played.reward = score.value
    played.metrics |= {"right": float(score.value == 1), "turns": len(session.messages) // 2}
    played.log(f"{score.outcome.value}: {score.reason}" if score.reason else score.outcome.value)
    return played.finish()


async def gather(
    model: art.Model, rows: Iterable[Mapping[str, Any]], *, group_size: int = 8, max_exceptions: float = 0, **sampling: Any
) -> list[art.TrajectoryGroup]:
    """A group of trajectories for each row; RowError before the first one if a row is damaged.

    More exceptions than allowed (a number, or a share below 1) stop it, as everywhere in ART.
    """
    given = list(rows)
    for row in given:
        to_task_json(row)
    groups = [art.TrajectoryGroup(rollout(model, row, **sampling) for _ in range(group_size)) for row in given]
    gathered: list[art.TrajectoryGroup] = await art.gather_trajectory_groups(groups, pbar_desc="rlgym", max_exceptions=max_exceptions)
    return gathered


__all__ = ["gather", "rollout"]
