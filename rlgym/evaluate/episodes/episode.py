"""Plays one task with a model and returns one result row."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import rlgym
from rlgym import Environment, Outcome, RlgymError, Score
from rlgym.dataset import Session
from rlgym.dataset.session import first_message, message_text
from rlgym.evaluate.episodes.turn_log import TurnLog
from rlgym.evaluate.models.base import Completion, Message, Model, ModelUnavailable, RequestFailed, Sampling, replace_lone_surrogates
from rlgym.solutions import find_steps
from rlgym.users import JudgeUnavailable, ModelUser, has_people

FAILED = "failed"
"""The outcome of an episode that could not be played, in addition to those of `rlgym.Outcome`. It is masked, and a resumed run retries it."""

ResultRow = dict[str, Any]
"""One row of the results; `rlgym.evaluate.episodes.results.COLUMNS` lists its columns."""


@dataclass(frozen=True, slots=True)
class TokenPrices:
    """US dollars per million tokens."""

    prompt: float | None = None
    completion: float | None = None

    def cost(self, prompt: int | None, completion: int | None) -> float | None:
        """The cost of a number of tokens; None if a count or a price is unknown."""
        if None in (self.prompt, self.completion, prompt, completion):
            return None
        return (prompt * self.prompt + completion * self.completion) / 1e6  # type: ignore[operator]


@dataclass(frozen=True, slots=True)
class EpisodeConfig:
    """How every episode of a run is played.

    native_tools  whether tools are passed as function schemas; otherwise the prompt describes how to write calls as text
    """

    sampling: Sampling
    native_tools: bool = False
    prices: TokenPrices = field(default_factory=TokenPrices)


@dataclass(frozen=True, slots=True)
class RunContext:
    """What all episodes of a run share.

    threads        the executor that scores responses
    model_slots    held only while the model generates
    has_responses  whether the model has answered any request of this run
    turn_log       the completions of unfinished episodes, if the run saves them
    user           the model that plays the people of tool worlds, if it is not the script alone
    """

    model: Model
    config: EpisodeConfig
    threads: Executor
    model_slots: asyncio.Semaphore
    has_responses: Callable[[], bool]
    turn_log: TurnLog | None = None
    user: ModelUser | None = None


@dataclass(slots=True)
class Conversation:
    """The messages of an episode and what they used. `messages` go to the model; `transcript` also holds its reasoning.

    distributions  for each turn with log-probabilities: its tokens, their mean self-certainty and their mean entropy
    """

    messages: list[Message] = field(default_factory=list)
    transcript: list[Message] = field(default_factory=list)
    turns: int = 0
    requests: int = 0
    prompt_tokens: int | None = 0
    completion_tokens: int | None = 0
    finish_reason: str = ""
    seconds: float = 0.0
    distributions: list[tuple[int, float, float]] = field(default_factory=list)

    def extend(self, messages: list[Message]) -> None:
        self.messages += messages
        self.transcript += messages


def sample_seed(seed: int, row: Mapping[str, Any], sample: int) -> int:
    """The seed of one sample of a task. Each turn adds its number."""
    return int(hashlib.sha256(f"{seed}\n{row['id']}\n{sample}".encode()).hexdigest()[:7], 16)


async def play_episode(row: Mapping[str, Any], sample: int, context: RunContext) -> ResultRow:
    """Play a task once. A permanent failure gives a masked row; if no request has ever succeeded, it raises ModelUnavailable instead."""
    conversation = Conversation()
    session: Session | None = None
    error: str | None = None
    score: Score | None = None
    try:
        user = context.user if context.user and has_people(row["env"], rlgym.registry.environment(row["env"])) else None
        session = await _run_in_thread(context, partial(Session, row, user=user))
        score = await _converse(row, sample, session, conversation, context)
    except RequestFailed as failure:
        if failure.systemic and not context.has_responses():
            raise ModelUnavailable(str(failure)) from None
        error = str(failure)
        conversation.requests += failure.requests
    except RlgymError as problem:
        if session is not None:  # the model is unavailable, or a bug of ours
            raise
        error = str(problem)
    verdict = _failure_columns(error) if error is not None or score is None else _score_columns(score)
    answer: ResultRow = {"answer": None, "confidence": None, "cot_right": None}
    if score is not None:
        answer = await _run_in_thread(context, _answer_columns, row, conversation)
        answer["cot_right"] = await _run_in_thread(context, _cot_right, row, conversation, session, score)
    cost = context.config.prices.cost(conversation.prompt_tokens, conversation.completion_tokens)
    return _task_columns(row, sample) | verdict | answer | _usage_columns(conversation, error) | {"cost": cost}


async def _converse(row: Mapping[str, Any], sample: int, session: Session, conversation: Conversation, context: RunContext) -> Score:
    config = context.config
    tools = session.tools if config.native_tools else []
    if config.sampling.system is not None:
        conversation.extend([{"role": "system", "content": config.sampling.system}])
    conversation.extend([{"role": "user", "content": first_message(row, session, config.native_tools)}])
    seed = sample_seed(config.sampling.seed, row, sample)
    saved = iter(context.turn_log.saved(row, sample) if context.turn_log else ())
    while session.score is None:
        if earlier := next(saved, None):
            completion, seconds = earlier
            conversation.seconds += seconds
        else:
            completion = await _generate(row, sample, conversation, context, tools, seed)
        conversation.requests += completion.requests
        conversation.finish_reason = completion.finish_reason
        if completion.finish_reason == "context":
            return Score.nothing(Outcome.UNREADABLE, "the conversation exceeds the model's context length")
        conversation.turns += 1
        conversation.prompt_tokens = _sum(conversation.prompt_tokens, completion.prompt_tokens)
        conversation.completion_tokens = _sum(conversation.completion_tokens, completion.completion_tokens)
        if completion.certainty is not None and completion.token_entropy is not None:
            conversation.distributions.append((completion.completion_tokens or 1, completion.certainty, completion.token_entropy))
        conversation.messages.append(completion.message)
        conversation.transcript.append(completion.message | ({"reasoning": completion.reasoning} if completion.reasoning else {}))
        if completion.finish_reason == "timed_out":
            return Score.nothing(Outcome.TIMED_OUT, "the model was still generating at the time limit")
        started = time.monotonic()
        conversation.extend(await _run_in_thread(context, session.step_message, completion.message))
        conversation.seconds += time.monotonic() - started
    if session.score.outcome is Outcome.ERROR and JudgeUnavailable.__name__ in session.score.reason:
        raise RequestFailed(f"the model that plays the people failed: {session.score.reason}")
    return session.score


async def _generate(
    row: Mapping[str, Any], sample: int, conversation: Conversation, context: RunContext, tools: list[dict[str, Any]], seed: int
) -> Completion:
    """The model's next turn, saved as soon as it is there."""
    async with context.model_slots:
        started = time.monotonic()
        try:
            completion = await context.model.generate(conversation.messages, tools, context.config.sampling, seed + conversation.turns)
        finally:
            seconds = time.monotonic() - started
            conversation.seconds += seconds
    if context.turn_log:
        await context.turn_log.append(row, sample, conversation.turns, completion, seconds)
    return completion


async def _run_in_thread(context: RunContext, function: Callable[..., Any], *arguments: Any) -> Any:
    return await asyncio.get_running_loop().run_in_executor(context.threads, partial(function, *arguments))


def _sum(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second


def _task_columns(row: Mapping[str, Any], sample: int) -> ResultRow:
    columns = {column: row[column] for column in ("id", "env", "version", "domain", "kind", "level", "seed")}
    split = "shift" if row["env"].endswith(":shift") else "main"
    columns |= {"knobs": row.get("knobs"), "answer_style": json.loads(row["answer_format"])["style"]}
    return columns | {"sample": sample, "split": split, "difficulty": row["difficulty"] if "difficulty" in row else row["cost"]}


def _score_columns(score: Score) -> ResultRow:
    reason, parts = replace_lone_surrogates(score.reason), json.dumps(dict(score.parts))
    columns = {"value": score.value, "outcome": score.outcome.value, "reason": reason, "parts": parts}
    return columns | {"right": score.value == 1.0, "masked": score.masked}


def _failure_columns(error: str | None) -> ResultRow:
    return {"value": 0.0, "outcome": FAILED, "reason": error or "", "parts": "{}", "right": False, "masked": True}


def _usage_columns(conversation: Conversation, error: str | None) -> ResultRow:
    known = conversation.turns > 0
    tokens = sum(count for count, _, _ in conversation.distributions)
    return {
        "certainty": sum(count * certainty for count, certainty, _ in conversation.distributions) / tokens if tokens else None,
        "token_entropy": sum(count * entropy for count, _, entropy in conversation.distributions) / tokens if tokens else None,
        "turns": conversation.turns,
        "requests": conversation.requests,
        "seconds": conversation.seconds,
        "finish_reason": conversation.finish_reason if error is None else "error",
        "error": error,
        "prompt_tokens": conversation.prompt_tokens if known else None,
        "completion_tokens": conversation.completion_tokens if known else None,
        "messages": json.dumps(conversation.transcript, ensure_ascii=False),
    }


def _answer_columns(row: Mapping[str, Any], conversation: Conversation) -> ResultRow:
    """The canonical text of the answer to a single-turn task and the stated confidence; None where there is none."""
    columns: ResultRow = {"answer": None, "confidence": None}
    if row["kind"] != "environment" or not conversation.turns:
        return columns
    declared = rlgym.environment(row["env"])
    answer, style = declared.answer, json.loads(row["answer_format"])["style"]
    try:
        value = answer.parse_response(message_text(conversation.messages[-1]), style)
        if row["env"].endswith(":with_confidence"):
            columns["confidence"] = float(value[1])
            answer, value = answer.inner, value[0]  # type: ignore[attr-defined]  # the format inside the confidence format
        columns["answer"] = replace_lone_surrogates(answer.render_response(value, style))
    except Exception:
        # Usually the answer is unreadable. A value that cannot be written is of no use as a vote either.
        return columns
    return columns


def _cot_right(row: Mapping[str, Any], conversation: Conversation, session: Session | None, score: Score) -> bool | None:
    """Whether the answer is right and the working has a right step and no wrong one; None where the environment cannot check steps."""
    if row["kind"] != "environment" or session is None or not conversation.turns or score.masked:
        return None
    declared = rlgym.environment(row["env"])
    if not isinstance(declared, Environment) or declared.replay is None:
        return None
    if score.value < 1:
        return False
    message = conversation.transcript[-1]
    text = "\n".join(filter(None, (str(message.get("reasoning") or ""), message_text(message))))
    verdicts = {step.verdict for step in find_steps(declared, session.task, text)}
    return "right" in verdicts and "wrong" not in verdicts
