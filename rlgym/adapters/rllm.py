"""An agent flow and an evaluator for rLLM: one plays any row, the other scores what was said in it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

import rlgym
from rlgym.core.packages import extra
from rlgym.dataset import Session, from_task_json, to_task_json
from rlgym.dataset.session import message_text

with extra("rllm", source="rLLM from a checkout"):
    import openai
    import rllm
    from rllm.eval.types import EvalOutput, Signal
    from rllm.types import AgentConfig, Episode, Task, Trajectory


@rllm.rollout(name="rlgym")
async def play(task: Task, config: AgentConfig) -> Episode:
    """Play a row against the model behind `config.base_url`, which records the tokens of each call; an episode that broke is raised."""
    session, turns = Session(_row(task)), list[str]()
    messages: list[Any] = session.messages
    more: dict[str, Any] = {"tools": session.tools} if session.tools else {}
    async with openai.AsyncOpenAI(base_url=config.base_url, api_key="EMPTY") as client:
        while not session.done:
            answer = await client.chat.completions.create(model=config.model, messages=messages, **more)
            messages.append(answer.choices[0].message.model_dump(exclude_none=True))
            turns.append(message_text(messages[-1]))
            # Verifiers that run programs block, and this loop serves many rollouts.
            messages += await asyncio.to_thread(session.step_message, messages[-1])
    # The evaluator plays the turns again, which may well go right then, and find an episode without an end.
    if session.score is not None and session.score.masked:
        raise RuntimeError(f"the row {session.row['id']!r} cannot be scored: {session.score.reason}")
    return Episode(trajectories=[Trajectory(name="rlgym", steps=[])], artifacts={"turns": turns})


@rllm.evaluator
def score(task: Any, episode: Episode) -> EvalOutput:
    """The score of an episode. A failure that is not the model's fault raises: rLLM retries the task, which gets no reward."""
    row, turns = _row(task), episode.artifacts["turns"]
    single = isinstance(rlgym.environment(row["env"]), rlgym.Environment)
    found = rlgym.score(row, (turns or [""])[-1] if single else turns)
    if found.masked:
        raise RuntimeError(f"the row {row['id']!r} cannot be scored: {found.reason}")
    signals = [Signal(name="turns", value=float(len(turns))), *(Signal(name=name, value=part) for name, part in found.parts.items())]
    about = {"outcome": found.outcome.value, "reason": found.reason}
    return EvalOutput(reward=found.value, is_correct=found.value == 1, signals=signals, metadata=about)


def _row(task: Any) -> dict[str, Any]:
    about = getattr(task, "metadata", task)
    if "task_json" not in about:
        raise ValueError(f"a task for rlgym needs the field 'task_json', got {sorted(about)}: make it with rlgym.adapters.rllm.rows")
    return from_task_json(about["task_json"])


def rows(given: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows as rLLM's datasets have them; RowError for a damaged one."""
    return [
        {"id": row["id"], "question": Session(row).observation, "data_source": f"rlgym/{row['env']}", "task_json": to_task_json(row)}
        for row in given
    ]


__all__ = ["play", "rows", "score"]
