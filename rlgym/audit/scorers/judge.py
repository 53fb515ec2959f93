"""A language model as a judge, behind an OpenAI-compatible endpoint."""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rlgym import RlgymError
from rlgym.audit.case import Case, Verdict
from rlgym.audit.scorers.base import Progress, no_progress
from rlgym.audit.scorers.values import short
from rlgym.core.reply_file import ReplyFile
from rlgym.evaluate.models.base import Model, ModelUnavailable, RequestFailed, Sampling, replace_lone_surrogates

TEMPLATE = """You judge whether a response gives the right answer.

Question:
{prompt}

Reference answer:
{answer}

Response:
{response}

Is the final answer of the response equal to the reference answer? Reply with YES or NO and nothing else."""
REASONED = "Before you reply, think about it step by step. Give the verdict on the last line."
"""Added to the prompt where the audit asks for a long reply."""
MOST_FAILURES = 20
"""Requests in a row that may fail before the audit stops."""
_WORDS = {"yes": 1.0, "correct": 1.0, "true": 1.0, "no": 0.0, "incorrect": 0.0, "false": 0.0}
_NUMBER = re.compile(r"(?:score|rating|reward|grade)[\"'*\s]*[:=][\"'*\s]*(-?\d+(?:\.\d+)?)", re.IGNORECASE)


@dataclass(frozen=True)
class JudgeOptions:
    """The prompt and settings of the judge.

    template    the prompt, with {prompt}, {response} and {answer} in it
    max_tokens  most tokens of a reply
    cache       a file of replies; an interrupted audit resumes from it
    """

    template: str = TEMPLATE
    max_tokens: int = 512
    cache: Path | None = None

    def __post_init__(self) -> None:
        if "{response}" not in self.template:
            raise RlgymError("a judge's template must contain {response}; {prompt} and {answer} are filled too")


class JudgeScorer:
    """Asks the model at temperature 0, again for a repeated request. Replies that the cache holds are not requested.

    A reply without a verdict is an error, never a low reward. A request that fails for good has no verdict at all: it is masked, and not kept, so that
    the next run with the same cache asks again.
    """

    kind, shape, batched = "judge", "chat completion", False

    def __init__(self, model: Model, options: JudgeOptions) -> None:
        self._model, self._options = model, options
        self.replies = ReplyFile(options.cache)
        self._asked: Counter[str] = Counter()
        self._failures, self._last_error = 0, ""

    def score(self, cases: Sequence[Case], progress: Progress = no_progress) -> list[Verdict]:
        """One verdict for each case. Replies in the cache are not requested again."""
        return asyncio.run(self._score(cases, progress))

    async def _score(self, cases: Sequence[Case], progress: Progress) -> list[Verdict]:
        slots = asyncio.Semaphore(self._model.max_concurrency)

        async def one(case: Case) -> Verdict:
            async with slots:
                verdict = await self._score_case(case)
            progress(1)
            return verdict

        try:
            return await asyncio.gather(*(one(case) for case in cases))
        finally:
            await self._model.close()

    async def _score_case(self, case: Case) -> Verdict:
        filled = re.sub(
            r"\{(prompt|response|answer)\}",
            lambda match: {"prompt": case.prompt, "response": case.response, "answer": case.answer}[match[1]],
            template_for(case, self._options.template),
        )
        text, begun = replace_lone_surrogates(filled), time.perf_counter()
        request = hashlib.sha256(f"{self._model.name}\n{text}".encode()).hexdigest()
        key = f"{request} {self._asked[request]}"
        self._asked[request] += 1
        if key not in self.replies and self._failures >= MOST_FAILURES:
            raise ModelUnavailable(f"{self._failures} requests in a row failed; the last error: {self._last_error}")
        if key not in self.replies:
            sampling = Sampling(temperature=0.0, max_tokens=self._options.max_tokens)
            try:
                completion = await self._model.generate([{"role": "user", "content": text}], [], sampling, 0)
            except RequestFailed as error:
                self._failures, self._last_error = self._failures + 1, short(str(error))
                return Verdict(None, f"raised RequestFailed: {self._last_error}", time.perf_counter() - begun, masked=True)
            self._failures = 0
            self.replies.keep(key, str(completion.message.get("content") or ""))
        reward = read_judgement(self.replies[key])
        problem = "" if reward is not None else f"returned {short(self.replies[key])}"
        return Verdict(reward, problem, time.perf_counter() - begun)

    def close(self) -> None:
        """Nothing stays open between calls."""


def template_for(case: Case, template: str) -> str:
    """The template for a case; one that asks for reasons where the case does."""
    if case.context.get("reply") != "reasoned":
        return template
    plain = template.replace(" Reply with YES or NO and nothing else.", " Reply with YES or NO.") if template == TEMPLATE else template
    return f"{plain}\n\n{REASONED}"


def read_judgement(reply: str) -> float | None:
    """The last verdict of a reply: a JSON object or line with a score, or YES, NO, CORRECT, INCORRECT, TRUE, FALSE; None without one."""
    text = reply.rpartition("</think>")[2]
    if numbers := _NUMBER.findall(text):
        return float(numbers[-1])
    words = [word for word in re.findall(r"[a-z]+", text.lower()) if word in _WORDS]
    if words:
        return _WORDS[words[-1]]
    stripped = text.strip()
    return float(stripped) if re.fullmatch(r"-?\d+(?:\.\d+)?", stripped) else None
