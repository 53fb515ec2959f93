"""An agent for AReaL: plays any row through its proxy, which records tokens and trains on them, and gives the reward."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Mapping
from typing import Any

from rlgym.core.packages import extra
from rlgym.dataset import Session, from_task_json, to_task_json

with extra("areal", source="AReaL from a checkout, and the package openai"):
    import openai


class RlgymAgent:
    """A workflow of AReaL: `workflow="rlgym.adapters.areal.RlgymAgent"`, with what goes to each completion as `workflow_kwargs`."""

    def __init__(self, **sampling: Any) -> None:
        # AReaL hands over its own generation settings, but these two have another meaning there.
        self._sampling = {key: value for key, value in sampling.items() if key not in ("max_turns", "max_tokens")}

    async def run(self, data: Mapping[str, Any], **given: Any) -> float:
        """The reward of the row whose task JSON is in `data`. A failure that is not the model's fault raises, and AReaL rejects the trajectory."""
        session = Session(from_task_json(data["task_json"]))
        messages: list[Any] = session.messages
        more: dict[str, Any] = {"tools": session.tools} if session.tools else {}
        client = openai.AsyncOpenAI(
            base_url=given.get("base_url") or os.environ.get("OPENAI_BASE_URL"),
            api_key=given.get("api_key") or os.environ.get("OPENAI_API_KEY"),
            http_client=given.get("http_client"),
            max_retries=0,
        )
        while not session.done:
            answer = await client.chat.completions.create(messages=messages, model="default", **more, **self._sampling)
            messages.append(answer.choices[0].message.model_dump(exclude_none=True))
            # Verifiers that run programs block, and this loop serves many rollouts.
            messages += await asyncio.to_thread(session.step_message, messages[-1])
        score = session.score
        assert score is not None
        if score.masked:
            raise RuntimeError(f"the row {session.row['id']!r} cannot be scored: {score.reason}")
        return float(score.value)


def rows(given: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows as AReaL's datasets have them, for `datasets.Dataset.from_list`; RowError for a damaged one."""
    return [{"messages": Session(row).messages, "task_json": to_task_json(row)} for row in given]


__all__ = ["RlgymAgent", "rows"]
