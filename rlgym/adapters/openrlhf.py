"""OpenRLHF: prompt files, the reward function of a `remote_url` file, and the agent of an `agent_func_path` file; this file is both."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import rlgym
from rlgym.core.packages import extra
from rlgym.dataset import Session, from_task_json, sample
from rlgym.dataset.batch_scoring import score_batch
from rlgym.dataset.export import write

with extra("openrlhf"):
    from openrlhf.utils.agent import AgentInstanceBase, MultiTurnAgentExecutor

ATTEMPTS = 3
# What a chat template puts behind a response; a reward function is given no tokenizer that could say which it is.
ENDS = re.compile(r"(?:<\|[^|<>\s]*\|>|</s>|<eos>|<end_of_turn>|<｜[^｜<>\s]*｜>)+\s*\Z")


class ScoringFailed(RuntimeError):
    """An answer could not be scored, and not for the model's fault: it gets no reward, which ends the run."""


def dataset(names: str | list[str], count: int, file: str | Path, **recipe: Any) -> str:
    """Write tasks drawn on the spot to a .jsonl or .parquet file for `--data.prompt_dataset`; returns its name.

    `recipe` is that of `rlgym.dataset.sample`. The columns are input (messages), label and datasource.
    """
    write(sample(names, count, **recipe), "openrlhf", file)
    return str(file)


def reward_func(queries: Sequence[str], prompts: Sequence[str], labels: Sequence[str]) -> dict[str, Any]:
    """What `rlgym.score` says of responses to one-turn tasks, each the part of a query after its prompt.

    RowError for a damaged label, ScoringFailed where an answer cannot be judged, also when it is tried again.
    """
    rows = [_row(label) for label in labels]
    said = [_response(row, query, prompt) for row, query, prompt in zip(rows, queries, prompts, strict=True)]
    values = _values(rows, said)
    given: Any = values[0] if len(values) == 1 else values  # OpenRLHF asks for one at a time, and wants a number
    return {"rewards": given, "scores": given, "extra_logs": {}}


def _row(label: str) -> dict[str, Any]:
    row = from_task_json(label)
    if rlgym.environment(row["env"]).kind != "environment":
        raise ValueError(f"{row['env']} has many turns: give this file as --train.agent_func_path, not as --reward.remote_url")
    return row


def _response(row: Mapping[str, Any], query: str, prompt: str) -> str:
    if not query.startswith(prompt):
        raise ValueError(f"the row {row['id']!r}: the query does not begin with its prompt; was the prompt cut to fit --data.max_len?")
    return ENDS.sub("", query[len(prompt) :])


def _values(rows: Sequence[Mapping[str, Any]], said: Sequence[str]) -> list[float]:
    """The scores of a batch, in parallel. What cannot be judged is tried again."""
    values: dict[int, float] = {}
    reasons: dict[int, str] = {}
    for _ in range(ATTEMPTS):
        left = [place for place in range(len(rows)) if place not in values]
        for place, scored in zip(left, score_batch([rows[place] for place in left], [said[place] for place in left]), strict=True):
            if scored.masked:
                reasons[place] = scored.reason
            else:
                values[place] = scored.value
    for place, reason in reasons.items():
        if place not in values:
            raise ScoringFailed(f"the row {rows[place]['id']!r} could not be scored: {reason}")
    return [values[place] for place in range(len(rows))]


class Episode(AgentInstanceBase):
    """One episode, of one turn or many. It ends with its score; one that is broken off for want of room pays 0."""

    tokenizer: Any = None

    def __init__(self) -> None:
        self.session: Session | None = None

    async def reset(self, states: dict[str, Any], **more: Any) -> dict[str, Any]:
        """Start the episode of the label."""
        self.session = await asyncio.to_thread(Session, from_task_json(states["label"]))
        return states

    async def step(self, states: dict[str, Any], **more: Any) -> dict[str, Any]:
        """Give the model's response; what it reads next comes with what the chat template puts around it."""
        import torch

        session = self.session
        assert session is not None
        reply = await asyncio.to_thread(session.step, ENDS.sub("", states["action_text"]))
        if session.score is not None and session.score.masked:
            raise ScoringFailed(f"the row {session.row['id']!r} could not be scored: {session.score.reason}")
        value = 0.0 if session.score is None else session.score.value
        feedback = "" if session.done else self._between(reply)
        return {"rewards": torch.tensor(value), "scores": value, "environment_feedback": feedback, "done": session.done}

    def _between(self, reply: str) -> str:
        mark = "what the model said"
        messages = [{"role": "user", "content": "."}, {"role": "assistant", "content": mark}, {"role": "user", "content": reply}]
        text: str = self.tokenizer.apply_chat_template(messages, add_generation_prompt=True, tokenize=False).partition(mark)[2]
        # The engine's tokens hold the end of the turn already.
        return text.removeprefix(self.tokenizer.eos_token or "")


class AgentExecutor(MultiTurnAgentExecutor):
    """What `--train.agent_func_path` looks for: plays tasks of one turn and of many."""

    def __init__(self) -> None:
        super().__init__(Episode)

    async def execute(
        self, prompt: Any, label: str, sampling_params: Any, max_length: int, hf_tokenizer: Any, llm_engine: Any, images: Any = None
    ) -> Any:
        """One episode, with the chat template of the model that plays it."""
        bound = type("Episode", (Episode,), {"tokenizer": hf_tokenizer})
        # The executor writes into the sampling parameters, which the samples of a prompt share.
        return await MultiTurnAgentExecutor(bound).execute(
            prompt, label, deepcopy(sampling_params), max_length, hf_tokenizer, llm_engine, images
        )
