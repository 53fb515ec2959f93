"""Plays one task with a model, and says all there is to say about it in one row."""

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
from rlgym import Outcome, RlgymError, Score
from rlgym.dataset import Session
from rlgym.dataset.session import spoken
from rlgym.evaluate.models import AskingFailed, Message, Model, ModelStops, Sampling, whole

FAILED = "failed"
"""The outcome of an episode that could not be played, beside those of `rlgym.Outcome`. It is masked, and a run that goes on plays it again."""

Answered = dict[str, Any]
"""A row of the results."""


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars for a million tokens."""

    prompt: float | None = None
    completion: float | None = None

    def cost(self, prompt: int | None, completion: int | None) -> float | None:
        """What so many tokens cost, where that is known."""
        if None in (self.prompt, self.completion, prompt, completion):
            return None
        return (prompt * self.prompt + completion * self.completion) / 1e6  # type: ignore[operator]


@dataclass(frozen=True, slots=True)
class Asking:
    """How every task of a run is played. `native` says whether tools are given to the model as tools, not as text."""

    sampling: Sampling
    native: bool = False
    prices: Prices = field(default_factory=Prices)


@dataclass(frozen=True, slots=True)
class Room:
    """What all episodes of a run share.

    threads  verdicts run in them
    seats    a place among them is held only while the model is asked
    heard    whether the run has got anything from the model so far
    """

    model: Model
    asking: Asking
    threads: Executor
    seats: asyncio.Semaphore
    heard: Callable[[], bool]


@dataclass(slots=True)
class Talk:
    """What was said in an episode, and what it took. `messages` are what the model is sent; `kept` has its thoughts too."""

    messages: list[Message] = field(default_factory=list)
    kept: list[Message] = field(default_factory=list)
    turns: int = 0
    requests: int = 0
    prompt_tokens: int | None = 0
    completion_tokens: int | None = 0
    finish: str = ""
    seconds: float = 0.0

    def tell(self, messages: list[Message]) -> None:
        self.messages += messages
        self.kept += messages


def opening(row: Mapping[str, Any], session: Session, native: bool) -> str:
    """The first message of a task. Where tools are called natively, it does not say how to write calls as text."""
    if native and session.tools:
        return f"{row['prompt']}\n\nYou have {session.turns} turns."
    return session.observation


def seed_of(seed: int, row: Mapping[str, Any], sample: int) -> int:
    """The seed of a task's sample. A turn adds its number."""
    return int(hashlib.sha256(f"{seed}\n{row['id']}\n{sample}".encode()).hexdigest()[:7], 16)


async def play(row: Mapping[str, Any], sample: int, room: Room) -> Answered:
    """Play a task once. What fails for good makes a masked row, unless nothing has ever been got: then ModelStops."""
    talk = Talk()
    session: Session | None = None
    error: str | None = None
    score: Score | None = None
    try:
        session = await _threaded(room, Session, row)
        score = await _converse(row, sample, session, talk, room)
    except AskingFailed as failure:
        if failure.hopeless and not room.heard():
            raise ModelStops(str(failure)) from None
        error = str(failure)
        talk.requests += failure.requests
    except RlgymError as problem:
        if session is not None:  # a model that stops, or a mistake of ours
            raise
        error = str(problem)
    judged = _failed(error) if error is not None or score is None else _judged(score)
    said = await _threaded(room, _said, row, talk) if score is not None else {"answer": None, "confidence": None}
    cost = room.asking.prices.cost(talk.prompt_tokens, talk.completion_tokens)
    return _facts(row, sample) | judged | said | _taken(talk, error) | {"cost": cost}


async def _converse(row: Mapping[str, Any], sample: int, session: Session, talk: Talk, room: Room) -> Score:
    asking = room.asking
    tools = session.tools if asking.native else []
    if asking.sampling.system is not None:
        talk.tell([{"role": "system", "content": asking.sampling.system}])
    talk.tell([{"role": "user", "content": opening(row, session, asking.native)}])
    seed = seed_of(asking.sampling.seed, row, sample)
    while session.score is None:
        async with room.seats:
            started = time.monotonic()
            try:
                said = await room.model.ask(talk.messages, tools, asking.sampling, seed + talk.turns)
            finally:
                talk.seconds += time.monotonic() - started
        talk.requests += said.requests
        talk.finish = said.finish
        if said.finish == "context":
            return Score.nothing(Outcome.UNREADABLE, "the conversation is longer than the model can read")
        talk.turns += 1
        talk.prompt_tokens = _sum(talk.prompt_tokens, said.prompt_tokens)
        talk.completion_tokens = _sum(talk.completion_tokens, said.completion_tokens)
        talk.messages.append(said.message)
        talk.kept.append(said.message | ({"reasoning": said.reasoning} if said.reasoning else {}))
        if said.finish == "timed_out":
            return Score.nothing(Outcome.TIMED_OUT, "the model was still talking when its time was over")
        started = time.monotonic()
        talk.tell(await _threaded(room, session.say_message, said.message))
        talk.seconds += time.monotonic() - started
    return session.score


async def _threaded(room: Room, function: Callable[..., Any], *given: Any) -> Any:
    return await asyncio.get_running_loop().run_in_executor(room.threads, partial(function, *given))


def _sum(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second


def _facts(row: Mapping[str, Any], sample: int) -> Answered:
    facts = {column: row[column] for column in ("id", "env", "version", "domain", "kind", "level", "seed")}
    split = "shift" if row["env"].endswith(":shift") else "main"
    return facts | {"sample": sample, "split": split, "difficulty": row["difficulty"] if "difficulty" in row else row["cost"]}


def _judged(score: Score) -> Answered:
    facts = {"value": score.value, "outcome": score.outcome.value, "reason": whole(score.reason), "parts": json.dumps(dict(score.parts))}
    return facts | {"right": score.value == 1.0, "masked": score.masked}


def _failed(error: str | None) -> Answered:
    return {"value": 0.0, "outcome": FAILED, "reason": error or "", "parts": "{}", "right": False, "masked": True}


def _taken(talk: Talk, error: str | None) -> Answered:
    finish = talk.finish if error is None else "error"
    counts = {"prompt_tokens": talk.prompt_tokens, "completion_tokens": talk.completion_tokens} if talk.turns else dict.fromkeys(_COUNTS)
    messages = json.dumps(talk.kept, ensure_ascii=False)
    facts = {"turns": talk.turns, "requests": talk.requests, "seconds": talk.seconds, "finish": finish, "error": error}
    return facts | counts | {"messages": messages}


_COUNTS = ("prompt_tokens", "completion_tokens")


def _said(row: Mapping[str, Any], talk: Talk) -> Answered:
    """The canonical text of the answer to a single-turn task, and the chance that the model gave it; null where there is none."""
    found: Answered = {"answer": None, "confidence": None}
    if row["kind"] != "environment" or not talk.turns:
        return found
    declared = rlgym.environment(row["env"])
    answer, style = declared.answer, json.loads(row["answer_format"])["style"]
    try:
        value = answer.read(spoken(talk.messages[-1]), style)
        if row["env"].endswith(":with_confidence"):
            found["confidence"] = float(value[1])
            answer, value = answer.inner, value[0]  # type: ignore[attr-defined]  # the format around another one
        found["answer"] = whole(answer.write(value, style))
    except Exception:
        # Unreadable, mostly; a value that cannot be written down again is of no use as a vote either.
        return found
    return found
