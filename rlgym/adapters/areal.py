"""An agent for AReaL: plays any row through its proxy, which records tokens and trains on them, and gives the reward."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

import openai

from rlgym.dataset import Session, read_ticket, ticket


class RlgymAgent:
    """A workflow of AReaL: `workflow="rlgym.adapters.areal.RlgymAgent"`, with what goes to each completion as `workflow_kwargs`."""

    def __init__(self, **sampling: Any) -> None:
        # AReaL hands over its own generation settings, of which these two mean other things there.
        self._sampling = {key: value for key, value in sampling.items() if key not in ("max_turns", "max_tokens")}

    async def run(self, data: Mapping[str, Any], **given: Any) -> float:
        """The reward of the row whose ticket `data` has. What is not the model's fault is raised: AReaL rejects the trajectory."""
        session = Session(read_ticket(data["ticket"]))
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
            said = answer.choices[0].message
            # Verifiers that run programs block, and this loop serves many rollouts.
            observation = await asyncio.to_thread(session.say, spoken(said))
            messages.append(said.model_dump(exclude_none=True))
            messages.extend(heard(said, observation))
        score = session.score
        assert score is not None
        if score.masked:
            raise RuntimeError(f"the row {session.row['id']!r} cannot be scored: {score.reason}")
        return float(score.value)


def spoken(message: Any) -> str:
    """What a message says: its text or, where it calls tools natively, these calls as JSON."""
    if not message.tool_calls:
        return message.content or ""
    calls = [call.function for call in message.tool_calls if call.type == "function"]
    return json.dumps({"tool_calls": [{"name": call.name, "arguments": call.arguments} for call in calls]})


def heard(message: Any, observation: str) -> list[dict[str, Any]]:
    """The messages that answer a message: one for each native call, since each must have one, or the user's."""
    if not message.tool_calls:
        return [{"role": "user", "content": observation}]
    told = [observation] + ["(told with the first call)"] * (len(message.tool_calls) - 1)
    return [{"role": "tool", "tool_call_id": call.id, "content": text} for call, text in zip(message.tool_calls, told, strict=True)]


def rows(given: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows as AReaL's datasets have them, for `datasets.Dataset.from_list`; RowError for a damaged one."""
    return [{"messages": Session(row).messages, "ticket": ticket(row)} for row in given]


__all__ = ["RlgymAgent", "heard", "rows", "spoken"]
