"""A language model as a judge, behind an OpenAI-compatible endpoint."""

from __future__ import annotations

import asyncio
import hashlib
import json
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
from rlgym.evaluate.models.base import Completion, Model, RequestFailed, Sampling, replace_lone_surrogates

TEMPLATE = """You judge whether a response gives the right answer.

Question:
{prompt}

Reference answer:
{answer}

Response:
{response}

Is the final answer of the response equal to the reference answer? Reply with YES or NO and nothing else."""
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

    A reply without a verdict is an error, never a low reward.
    """

    kind, shape, batched = "judge", "chat completion", False

    def __init__(self, model: Model, options: JudgeOptions) -> None:
        self._model, self._options = model, options
        self._replies: dict[str, str] = {}
        self._asked: Counter[str] = Counter()
        if options.cache and options.cache.exists():
            for line in options.cache.read_text(encoding="utf-8").splitlines():
                kept = json.loads(line)
                self._replies[kept["key"]] = kept["reply"]

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
            self._options.template,
        )
        text, begun = replace_lone_surrogates(filled), time.perf_counter()
        request = hashlib.sha256(f"{self._model.name}\n{text}".encode()).hexdigest()
        key = f"{request} {self._asked[request]}"
        self._asked[request] += 1
        if key not in self._replies:
            sampling = Sampling(temperature=0.0, max_tokens=self._options.max_tokens)
            try:
                completion = await self._model.generate([{"role": "user", "content": text}], [], sampling, 0)
            except RequestFailed as error:
                return Verdict(None, f"raised RequestFailed: {short(str(error))}", time.perf_counter() - begun)
            self._keep(key, completion)
        reward = read_judgement(self._replies[key])
        problem = "" if reward is not None else f"returned {short(self._replies[key])}"
        return Verdict(reward, problem, time.perf_counter() - begun)

    def _keep(self, key: str, completion: Completion) -> None:
        self._replies[key] = str(completion.message.get("content") or "")
        if self._options.cache:
            self._options.cache.parent.mkdir(parents=True, exist_ok=True)
            with self._options.cache.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": key, "reply": self._replies[key]}) + "\n")

    def close(self) -> None:
        """Nothing stays open between calls."""


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
