"""Solve, detect, verify: a solution is cut off once it is complete, checked by short verdicts, by a long one where these disagree, and revised if refused.

The endpoint must continue an assistant message and honour `stop`, as for the searches.
"""

from __future__ import annotations

import asyncio
import re

from pydantic import Field

from rlgym.dataset.session import message_text
from rlgym.evaluate.models.base import Message
from rlgym.evaluate.strategies.problem import REVISE, Candidate, Problem, digest
from rlgym.evaluate.strategies.registry import StrategyOptions, strategy

COMPLETE = (
    "How likely is it that the text above is a complete solution, so that only the final answer is missing? "
    "Reply with one integer from 0 to 100 and nothing else."
)
FINISH = "Give the final answer of your solution now, in the required format, and nothing else."
FAST = "Is the final answer above right? Reply with yes or no and nothing else."
SLOW = (
    "Check the solution above step by step, and say which step is wrong, if one is. "
    "End with the line 'Verdict: right' or the line 'Verdict: wrong'."
)
_HESITATION = re.compile(r"\b(wait|hmm|alternatively|however|let me (?:re)?check|double[- ]check|verify)\b", re.IGNORECASE)
_YES_NO = re.compile(r"\b(yes|no)\b", re.IGNORECASE)
_VERDICT = re.compile(r"verdict\W*(right|wrong)", re.IGNORECASE)


class SolveDetectVerifyOptions(StrategyOptions):
    """`fast` short verdicts decide where a share of `agreement` says the same; else one long check decides."""

    rounds: int = Field(2, ge=0, description="further solutions after a refused one")
    fast: int = Field(4, ge=1, description="short verdicts on each solution")
    agreement: float = Field(0.75, gt=0.5, le=1, description="share of the short verdicts that decides without a long check")
    fast_tokens: int = Field(16, ge=1, description="tokens of a short verdict at most")
    slow_tokens: int | None = Field(None, ge=1, description="tokens of a long check at most; those of the run by default")
    completeness: float = Field(0.8, ge=0, le=1, description="stated probability of a complete solution from which the answer is asked for")
    max_steps: int = Field(64, ge=1, le=1000, description="steps after which a text ends")
    separator: str = Field("\n\n", min_length=1, description="what ends a step")


@strategy("solve_detect_verify", paper="Solve-Detect-Verify: Inference-Time Scaling with Flexible Generative Verifier")
async def solve_detect_verify(problem: Problem, options: SolveDetectVerifyOptions) -> Candidate:
    """The first solution that its checks accept; where they refuse all, the one with the most short verdicts for it, the last of equals."""
    candidate = await _solution(problem, options)
    best, most = candidate, -1.0
    for number in range(options.rounds + 1):
        share = await _fast_share(problem, candidate, options)
        if share >= most:
            best, most = candidate, share
        critique = ""
        if share >= options.agreement:
            return candidate
        if share > 1 - options.agreement:
            accepted, critique = await _slow_check(problem, candidate, options)
            if accepted:
                return candidate
        if number < options.rounds:
            found = f"A check of your solution came to this result:\n\n{critique}\n\n" if critique else ""
            messages: list[Message] = [*candidate.messages, {"role": "user", "content": found + REVISE}]
            candidate = await problem.attempt(f"verified revision {digest(candidate.text)} {number}", messages)
    return best


async def _solution(problem: Problem, options: SolveDetectVerifyOptions) -> Candidate:
    """One solution, step by step. Where a step hesitates and the model takes the text for complete, it only gives the answer."""
    text = ""
    for _ in range(options.max_steps):
        text, candidate = await problem.step(text, 0, options.separator)
        if candidate is not None:
            return candidate
        if not _HESITATION.search(text[text.rstrip().rfind(options.separator) + 1 :]):
            continue
        asked: list[Message] = [*problem.prompt, {"role": "assistant", "content": text}]
        if await problem.probability(f"complete {digest(text)}", [*asked, {"role": "user", "content": COMPLETE}]) >= options.completeness:
            completion = await problem.ask(f"finish {digest(text)}", [*asked, {"role": "user", "content": FINISH}])
            return await problem.finish(text + message_text(completion.message))
    return await problem.finish(text)


async def _fast_share(problem: Problem, candidate: Candidate, options: SolveDetectVerifyOptions) -> float:
    """The share of yes among short verdicts; one that says neither yes nor no counts half."""
    messages: list[Message] = [*candidate.messages, {"role": "user", "content": FAST}]
    keys = [f"fast {digest(candidate.text)} {number}" for number in range(options.fast)]
    given = await asyncio.gather(*(problem.ask(key, messages, max_tokens=options.fast_tokens) for key in keys))
    words = [_YES_NO.search(message_text(completion.message)) for completion in given]
    return sum(0.5 if word is None else float(word[1].lower() == "yes") for word in words) / len(words)


async def _slow_check(problem: Problem, candidate: Candidate, options: SolveDetectVerifyOptions) -> tuple[bool, str]:
    """Whether a long check ends in "right", and its text; one without a verdict refuses."""
    messages: list[Message] = [*candidate.messages, {"role": "user", "content": SLOW}]
    completion = await problem.ask(f"slow {digest(candidate.text)}", messages, max_tokens=options.slow_tokens)
    text = message_text(completion.message)
    verdicts = _VERDICT.findall(text)
    return bool(verdicts) and verdicts[-1].lower() == "right", text
