"""What a strategy works with: one single-turn task, a model that can be called, and what the calls cost.

Every completion is saved under a key (what it is for, and its number) before it is used, so a resumed run requests nothing twice, and the
strategies of a run share their samples. A strategy is charged for every completion that it uses, shared or not.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import rlgym
from rlgym import Score
from rlgym.dataset import Session
from rlgym.dataset.session import message_text
from rlgym.evaluate.episodes.episode_log import EpisodeLog, read_log
from rlgym.evaluate.models.base import Completion, Message, Model, Sampling
from rlgym.evaluate.models.certainty import LOGPROBS

CALLS = "calls.jsonl"
CONFIDENCE = "How likely is it that your final answer above is right? Reply with one integer from 0 to 100 and nothing else."
REVISE = "Check your solution for mistakes. Then give the final answer again, in the same format."
PROMISE = (
    "How likely is it that the solution above, continued, ends in the right answer? Reply with one integer from 0 to 100 and nothing else."
)
JUDGE = (
    "Here are a task and a solution of it by somebody else, as JSON strings.\nTask: {task}\nSolution: {solution}\n"
    "How likely is it that the final answer of the solution is right? Reply with one integer from 0 to 100 and nothing else."
)
CONTINUE = {"continue_final_message": True, "add_generation_prompt": False}
"""Fields of a request with which vLLM continues the last message."""
_NUMBER = re.compile(r"(?<![0-9.])(100|[0-9]{1,2})(?![0-9.])")


def stated_probability(reply: str) -> float | None:
    """The last percentage of a reply, from 0 to 1; None without one."""
    numbers = _NUMBER.findall(reply)
    return int(numbers[-1]) / 100 if numbers else None


@dataclass(frozen=True, slots=True)
class Candidate:
    """One attempt: the conversation up to it, its text, its answer in canonical spelling (None if unreadable) and its score.

    certainty  the self-certainty of its tokens, where the strategies of the run ask for log-probabilities
    setting    what it was sampled under, where that varies: the temperature and the instruction, or the number of continuations
    tokens     completion tokens up to its end, with those of the attempts that it continues; None where they are unknown
    """

    messages: tuple[Message, ...]
    text: str
    answer: str | None
    score: Score
    certainty: float | None = None
    setting: str = ""
    tokens: int | None = None

    @property
    def right(self) -> bool:
        """Whether the verifier gives it the full score."""
        return self.score.value == 1.0


class CallLog:
    """All completions of a run by task and key, on disk before they are used."""

    def __init__(self, folder: Path) -> None:
        self._saved: dict[tuple[str, str], Completion] = {}
        self.seconds: dict[tuple[str, str], float] = {}
        for line in read_log(folder / CALLS):
            self._saved[line["id"], line["key"]] = Completion(**line["messages"])
            self.seconds[line["id"], line["key"]] = line.get("seconds", math.nan)
        self._log = EpisodeLog(folder / CALLS)
        self._waiting: dict[tuple[str, str], asyncio.Lock] = {}

    async def call(self, task: str, key: str, request: Callable[[], Awaitable[tuple[Completion, float]]]) -> Completion:
        """The saved completion, or that of `request()`, which is saved first, with the seconds that it took."""
        async with self._waiting.setdefault((task, key), asyncio.Lock()):
            if (task, key) not in self._saved:
                completion, seconds = await request()
                await self._log.append({"id": task, "sample": 0, "key": key, "messages": asdict(completion), "seconds": round(seconds, 4)})
                self._saved[task, key], self.seconds[task, key] = completion, seconds
        return self._saved[task, key]

    def close(self) -> None:
        """Close the file."""
        self._log.close()


@dataclass
class Problem:
    """A task for a strategy. `candidates` are all attempts so far; calls and tokens are those that the strategy used.

    judge     another model, which judges candidates
    scorer    trained scorers of steps
    logprobs  whether samples come with log-probabilities, from which their certainty is computed
    seconds   of the completions that the strategy used, one after the other; NaN where a completion has none on record
    parents   the texts of the attempts from which an attempt was made, by its text, where the strategy grows a graph
    """

    row: Mapping[str, Any]
    model: Model
    sampling: Sampling
    log: CallLog
    slots: asyncio.Semaphore
    logprobs: bool = False
    judge: Model | None = None
    scorer: Model | None = None
    candidates: list[Candidate] = field(default_factory=list)
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    unknown_tokens: int = 0
    seconds: float = 0.0
    parents: dict[str, set[str]] = field(default_factory=dict)
    _used: set[str] = field(default_factory=set)

    @property
    def prompt(self) -> tuple[Message, ...]:
        """The messages that state the task."""
        system: list[Message] = [] if self.sampling.system is None else [{"role": "system", "content": self.sampling.system}]
        return (*system, {"role": "user", "content": Session(self.row).observation})

    async def ask(
        self,
        key: str,
        messages: Sequence[Message],
        extra: Mapping[str, Any] | None = None,
        temperature: float | None = None,
        model: Model | None = None,
        max_tokens: int | None = None,
    ) -> Completion:
        """One completion, under a key that is unique within the task; its seed derives from the key.

        extra        further fields of the request body
        temperature  instead of the run's
        model        instead of the run's
        max_tokens   instead of the run's
        """
        seed = int(hashlib.sha256(f"{self.sampling.seed}\n{self.row['id']}\n{key}".encode()).hexdigest()[:7], 16)
        sampling = replace(self.sampling, extra={**self.sampling.extra, **extra}) if extra else self.sampling
        sampling = sampling if temperature is None else replace(sampling, temperature=temperature)
        sampling = sampling if max_tokens is None else replace(sampling, max_tokens=max_tokens)

        async def request() -> tuple[Completion, float]:
            async with self.slots:
                begun = time.monotonic()
                return await (model or self.model).generate(list(messages), [], sampling, seed), time.monotonic() - begun

        completion = await self.log.call(self.row["id"], key, request)
        if key not in self._used:
            self._used.add(key)
            self.calls += 1
            self.prompt_tokens += completion.prompt_tokens or 0
            self.completion_tokens += completion.completion_tokens or 0
            self.unknown_tokens += completion.completion_tokens is None
            self.seconds += self.log.seconds[self.row["id"], key]
        return completion

    async def attempt(
        self,
        key: str,
        messages: Sequence[Message],
        extra: Mapping[str, Any] | None = None,
        before: str = "",
        temperature: float | None = None,
        setting: str = "",
        tokens_before: int | None = 0,
    ) -> Candidate:
        """One attempt at the task, scored; `before` is text of the assistant that the completion continues, of `tokens_before` tokens."""
        completion = await self.ask(key, messages, extra, temperature)
        text = before + message_text(completion.message)
        answer, score = await asyncio.to_thread(_judge, self.row, text)
        own: Message = {"role": "assistant", "content": text}
        tokens = None if tokens_before is None or completion.completion_tokens is None else tokens_before + completion.completion_tokens
        candidate = Candidate((*messages[: len(messages) - bool(before)], own), text, answer, score, completion.certainty, setting, tokens)
        self.candidates.append(candidate)
        return candidate

    async def step(self, before: str, number: int, separator: str) -> tuple[str, Candidate | None]:
        """The text with one further step up to the separator, and the candidate if it has a readable answer or nothing was added.

        `before` is the text of the assistant so far, which the endpoint continues, and `number` tells the steps after it apart: steps of
        equal texts are one request.
        """
        own: list[Message] = [{"role": "assistant", "content": before}] if before else []
        extra = {"stop": [separator]} | (CONTINUE if before else {})
        completion = await self.ask(f"step {digest(before)} {number}", [*self.prompt, *own], extra)
        added = message_text(completion.message).rstrip()
        if added.strip():
            text = f"{before}{added}{separator}"
            answer, score = await asyncio.to_thread(_judge, self.row, text)
            if answer is None:
                return text, None
            return text, self._make_candidate(text, answer, score)
        return before, await self.finish(before)

    async def finish(self, text: str) -> Candidate:
        """A text as an attempt, scored; it costs no call."""
        answer, score = await asyncio.to_thread(_judge, self.row, text)
        return self._make_candidate(text, answer, score)

    def _make_candidate(self, text: str, answer: str | None, score: Score) -> Candidate:
        candidate = Candidate((*self.prompt, {"role": "assistant", "content": text}), text, answer, score)
        if all(other.text != text for other in self.candidates):
            self.candidates.append(candidate)
        return candidate

    async def promise(self, text: str) -> float:
        """The model's own probability, from 0 to 1, that an unfinished text leads to the right answer; 0.5 where it names no number."""
        messages = [*self.prompt, {"role": "assistant", "content": text}, {"role": "user", "content": PROMISE}]
        return await self.probability(f"promise {digest(text)}", messages)

    async def judged(self, candidate: Candidate, number: int = 0) -> float:
        """The judge's probability, from 0 to 1, that a candidate is right; it sees the task and the text. `number` counts repeated verdicts."""
        assert self.judge is not None, "the run checks that a strategy that needs a judge has one"
        texts = {"task": json.dumps(Session(self.row).observation), "solution": json.dumps(candidate.text)}
        key = f"judge {digest(candidate.text)}{f' {number}' if number else ''}"
        return await self.probability(key, [{"role": "user", "content": JUDGE.format(**texts)}], self.judge)

    async def scored(self, text: str, separator: str) -> list[float]:
        """The scores of the steps of a text by the trained scorers, from 0 to 1."""
        assert self.scorer is not None, "the run checks that a strategy that needs a scorer has one"
        messages = [*self.prompt, {"role": "assistant", "content": text}]
        completion = await self.ask(f"scores {digest(text)} {digest(separator)}", messages, {"separator": separator}, model=self.scorer)
        return [float(score) for score in json.loads(message_text(completion.message))]

    async def probability(self, key: str, messages: Sequence[Message], model: Model | None = None) -> float:
        """The probability, from 0 to 1, that the model states in percent when it is asked; 0.5 where it names no number."""
        stated = stated_probability(message_text((await self.ask(key, messages, model=model)).message))
        return 0.5 if stated is None else stated

    async def read_answer(self, text: str) -> str | None:
        """The answer of a text in canonical spelling; None if it is unreadable."""
        answer, _ = await asyncio.to_thread(_judge, self.row, text)
        return answer

    async def sample(self, start: int, stop: int) -> list[Candidate]:
        """The independent samples with the numbers from `start` up to `stop`, requested at once."""
        extra = LOGPROBS if self.logprobs else None
        return list(await asyncio.gather(*(self.attempt(f"sample {number}", self.prompt, extra) for number in range(start, stop))))

    async def confidence(self, candidate: Candidate, number: int = 0) -> float:
        """The model's own probability, from 0 to 1, that a candidate is right; 0.5 where it names no number. `number` counts repeated verdicts."""
        key = f"confidence {digest(json.dumps(candidate.messages))}{f' {number}' if number else ''}"
        return await self.probability(key, [*candidate.messages, {"role": "user", "content": CONFIDENCE}])


def digest(text: str) -> str:
    """A short name of a text within the key of a request."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _judge(row: Mapping[str, Any], text: str) -> tuple[str | None, Score]:
    session = Session(row)
    session.step(text)
    score = session.score
    assert score is not None
    declared, style = rlgym.environment(row["env"]), json.loads(row["answer_format"])["style"]
    try:
        return declared.answer.render_response(declared.answer.parse_response(text, style), style), score
    except Exception:  # usually unreadable; a value that cannot be written is of no use as a vote either
        return None, score
