"""Functions for slime: one that plays any row over tokens, and one that scores the responses of its own generation.

They are named on slime's command line: `--custom-generate-function-path rlgym.adapters.slime.generate` and
`--custom-rm-path rlgym.adapters.slime.reward`. The row's task_json is the sample's label (`--label-key task_json`).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import rlgym
from rlgym.core.packages import extra
from rlgym.dataset import Session, from_task_json, to_task_json

with extra("slime", source="slime from a checkout"):
    from slime.rollout.sglang_rollout import GenerateState
    from slime.utils.http_utils import post
    from slime.utils.types import Sample


async def generate(args: Any, sample: Sample, sampling_params: dict[str, Any]) -> Sample:
    """Play a row, of one turn or many, as one sequence of tokens. A failure that is not the model's fault raises and gives no reward.

    `max_new_tokens` holds for the whole episode, observations and all. An episode that it cuts short is scored as it stands.
    """
    if args.partial_rollout:
        raise ValueError("an episode is played as a whole: leave --partial-rollout out")
    session, tokenizer = Session(from_task_json(sample.label)), GenerateState(args).tokenizer
    prompt = sample.prompt
    if not isinstance(prompt, str):
        prompt = tokenizer.apply_chat_template(prompt, tokenize=False, add_generation_prompt=True)
    sample.tokens = list(tokenizer(prompt, add_special_tokens=False)["input_ids"])
    url, turns, most = f"http://{args.sglang_router_ip}:{args.sglang_router_port}/generate", list[str](), sampling_params["max_new_tokens"]
    while not session.done and sample.response_length < most:
        limits = {**sampling_params, "max_new_tokens": most - sample.response_length}
        output = await post(url, {"input_ids": sample.tokens, "sampling_params": limits, "return_logprob": True})
        if output["meta_info"]["finish_reason"]["type"] == "abort":
            sample.status = Sample.Status.ABORTED
            return sample
        sampled = output["meta_info"]["output_token_logprobs"]
        tokens, chances = [pair[1] for pair in sampled], [pair[0] for pair in sampled]
        sample.append_response_tokens(args, tokens=tokens, log_probs=chances, meta_info=output["meta_info"], text=output["text"])
        turns.append(tokenizer.decode(tokens, skip_special_tokens=True))
        # Verifiers that run programs block, and this loop serves many rollouts.
        observation = await asyncio.to_thread(session.step, turns[-1])
        if observation:
            between_turns = between(tokenizer, observation, ended=bool(tokens) and tokens[-1] == tokenizer.eos_token_id)
            seen = tokenizer(between_turns, add_special_tokens=False)["input_ids"]
            sample.append_response_tokens(args, tokens=seen, trainable=False, text=between_turns, update_terminal_info=False)
    score = session.score
    if score is None:
        score = await asyncio.to_thread(rlgym.score, session.row, turns)
    sample.status = Sample.Status.COMPLETED if session.done else Sample.Status.TRUNCATED
    sample.reward = value(score, session.row)
    return sample


async def reward(args: Any, sample: Any, **_: Any) -> Any:
    """The reward of a sample (or the rewards of several) that slime itself generated, which is enough for rows of one turn."""
    if isinstance(sample, list):
        return [await reward(args, item) for item in sample]
    row = from_task_json(sample.label)
    if not isinstance(rlgym.environment(row["env"]), rlgym.Environment):
        raise ValueError(f"{row['env']} has many turns: play it with --custom-generate-function-path rlgym.adapters.slime.generate")
    return value(await asyncio.to_thread(rlgym.score, row, sample.response), row)


def value(score: rlgym.Score, row: Mapping[str, Any]) -> float:
    """The reward of a score; an error where it says nothing about the model."""
    if score.masked:
        raise RuntimeError(f"the row {row['id']!r} cannot be scored: {score.reason}")
    return score.value


def between(tokenizer: Any, observation: str, *, ended: bool) -> str:
    """What stands between two turns of the model: the end of the first, unless it has `ended`, the observation, and the next one's start."""
    before = [{"role": "user", "content": "QUESTION"}, {"role": "assistant", "content": "ANSWER"}]
    start = tokenizer.apply_chat_template(before, tokenize=False)
    whole = tokenizer.apply_chat_template([*before, {"role": "user", "content": observation}], tokenize=False, add_generation_prompt=True)
    if not whole.startswith(start) or "ANSWER" not in start:
        raise ValueError(
            "this chat template changes earlier turns, so an episode is not one token sequence: use a template that only appends"
        )
    text: str = start.rpartition("ANSWER")[2] + whole[len(start) :]
    return text.removeprefix(tokenizer.eos_token) if ended else text


def write_dataset(file: str | Path, given: Iterable[Mapping[str, Any]]) -> Path:
    """Write rows as the JSONL file of `--prompt-data`, with `--input-key messages --label-key task_json`; RowError for a damaged one."""
    file = Path(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = [{"messages": Session(row).messages, "task_json": to_task_json(row), "metadata": {"source_name": row["env"]}} for row in given]
    file.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return file


__all__ = ["between", "generate", "reward", "write_dataset"]
