"""verl: files in its schema, the function that its reward loop calls, and an agent loop that plays many turns."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

import rlgym
from rlgym.core.packages import extra
from rlgym.dataset import Session, from_task_json, sample
from rlgym.dataset.export import write

with extra("verl"):
    from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopOutput, register
    from verl.utils.profiler import simple_timer

ATTEMPTS = 3
AGENT_LOOPS = "- name: rlgym\n  _target_: rlgym.adapters.verl.Conversation\n"
"""What `actor_rollout_ref.rollout.agent.agent_loop_config_path` must hold for many turns."""


class ScoringFailed(RuntimeError):
    """An answer could not be scored, and not for the model's fault: verl has no reward for that, so the run ends."""


def dataset(names: str | list[str], count: int, file: str | Path, **recipe: Any) -> str:
    """Write tasks drawn on the spot to a .parquet file that verl's RLHFDataset reads; returns its name.

    `recipe` is that of `rlgym.dataset.sample`. Rows of one turn go to verl's own agent loop, those of many to `Conversation`.
    """
    write(sample(names, count, **recipe), "verl", file)
    return str(file)


def compute_score(
    data_source: str, solution_str: str, ground_truth: str, extra_info: Mapping[str, Any] | None = None, **more: Any
) -> dict[str, float]:
    """The custom reward function: what `rlgym.score` says of a response to a one-turn task.

    RowError for a damaged ground truth; ScoringFailed where the answer cannot be judged here, also when it is tried again.
    """
    row = from_task_json(ground_truth)
    if rlgym.environment(row["env"]).kind != "environment":
        raise ValueError(f"{row['env']} has many turns: its rows need agent_name='rlgym', and the agent loop of that name")
    for _ in range(ATTEMPTS):
        scored = rlgym.score(row, solution_str)
        if not scored.masked:
            return _score_fields(scored.value)
    raise ScoringFailed(f"the row {row['id']!r} could not be scored: {scored.reason}")


def _score_fields(value: float) -> dict[str, float]:
    return {"score": value, "acc": float(value == 1)}


@register("rlgym")
class Conversation(AgentLoopBase):
    """The agent loop that plays a task turn by turn, and pays its score.

    The model says texts, as the prompts ask for them; what the environment says is a user's message, masked out of the loss.
    A tool environment's tools are shown to the chat template, and calls in <tool_call> blocks are read like any others.
    """

    async def run(self, sampling_params: dict[str, Any], **columns: Any) -> AgentLoopOutput:
        """One episode. It ends with its score, or unplayed, which pays 0, once `response_length` is used up."""
        session = await asyncio.to_thread(Session, from_task_json(columns["reward_model"]["ground_truth"]))
        most, request = self.rollout_config.response_length, uuid4().hex
        messages, tools = [dict(message) for message in columns["raw_prompt"]], session.tools or None
        tokens = await self.ct_build_initial_tokens(messages, tools=tools)
        start, turns = len(tokens), 0
        mask: list[int] = []
        logprobs: list[float] | None = None
        metrics: dict[str, Any] = {}
        while not session.done and len(mask) < most:
            with simple_timer("generate_sequences", metrics):
                out = await self.server_manager.generate(request_id=request, prompt_ids=tokens, sampling_params=sampling_params)
            if turns == 0:
                logprobs = [] if out.log_probs else None
            room = most - len(mask)
            merged, mask, logprobs = await self.ct_merge_assistant_token(
                tokens, out.token_ids, mask, logprobs, assistant_logprobs=out.log_probs or None
            )
            tokens, turns = merged.token_ids, turns + 1
            response = self.tokenizer.decode(out.token_ids[:room], skip_special_tokens=True)
            reply = await asyncio.to_thread(session.step, response)
            if session.done or len(mask) >= most:
                break
            history = [*messages, {"role": "assistant", "content": response}]
            messages = [*history, {"role": "user", "content": reply}]
            merged, mask, logprobs = await self.ct_merge_context_msg(history, messages, tokens, mask, logprobs, tools=tools)
            tokens = merged.token_ids
        return AgentLoopOutput(
            prompt_ids=tokens[:start],
            response_ids=tokens[start:][:most],
            response_mask=mask[:most],
            response_logprobs=None if logprobs is None else logprobs[:most],
            reward_score=_reward(session),
            num_turns=len(session.messages),
            metrics=metrics,
            extra_fields={"reward_extra_info": _score_fields(_reward(session)), "turn_scores": session.turn_rewards, "tool_rewards": []},
        )


def _reward(session: Session) -> float:
    """What an episode pays; one that was broken off is not won."""
    if session.score is None:
        return 0.0
    if session.score.masked:
        raise ScoringFailed(f"the row {session.row['id']!r} could not be scored: {session.score.reason}")
    return session.score.value
