"""A strategy that checks each solution by a program of the same thought, run in the sandbox."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Literal

from pydantic import Field

from rlgym.core.answer import wrap
from rlgym.core.limits import Limits
from rlgym.dataset.session import message_text
from rlgym.evaluate.strategies.builtin import answer_sums, elected
from rlgym.evaluate.strategies.problem import Candidate, Problem, digest
from rlgym.evaluate.strategies.registry import StrategyOptions, strategy

TRANSLATE = (
    "Translate your solution above into a Python program. It must compute the answer by the same steps and print the final answer alone, in the required "
    "format but without its marks. Use the standard library only. Reply with the program in a block marked ```python."
)
PROGRAM_LIMITS = Limits(seconds=5, memory_mb=256, output_kb=16)
_BLOCK = re.compile(r"```[A-Za-z0-9]{0,20}[ \t]*\n(.*?)\n?```", re.DOTALL)


class ProgramFilterOptions(StrategyOptions):
    """Samples whose program gives another answer are dropped before one is chosen."""

    n: int = Field(8, ge=1, description="samples")
    select: Literal["majority", "confidence", "judge"] = Field("majority", description="what chooses among the rest")
    failed: Literal["keep", "drop"] = Field("keep", description="what becomes of samples whose program fails or prints no answer")


@strategy("program_filter", paper="Improving LLM Reasoning through Scaling Inference Computation with Collaborative Verification")
async def program_filter(problem: Problem, options: ProgramFilterOptions) -> Candidate:
    """The best of those samples whose answer a program of the same thought gives too; of all samples where none is left.

    The model translates each of its solutions into a program, which runs in the sandbox. Samples of the same text share one. The choice is by vote, or by
    the highest confidence, the model's own or a judge's (Math-Rev and Code-Rev: a trained verifier).
    """
    candidates = await problem.sample(0, options.n)
    printed = await asyncio.gather(*(_answer_of_program(problem, candidate) for candidate in candidates))
    kept = [
        candidate
        for candidate, answer in zip(candidates, printed, strict=True)
        if candidate.answer is not None and (answer == candidate.answer or (answer is None and options.failed == "keep"))
    ]
    kept = kept or candidates
    if options.select == "majority":
        return elected(kept, answer_sums(kept, [1.0] * len(kept)))
    ask = problem.judged if options.select == "judge" else problem.confidence
    confidences = await asyncio.gather(*(ask(candidate, 0) for candidate in kept))
    return kept[max(range(len(kept)), key=confidences.__getitem__)]


async def _answer_of_program(problem: Problem, candidate: Candidate) -> str | None:
    """The answer, in canonical spelling, that the program of a solution prints; None where there is none."""
    key = f"program {digest(json.dumps(candidate.messages))}"
    completion = await problem.ask(key, [*candidate.messages, {"role": "user", "content": TRANSLATE}])
    blocks = _BLOCK.findall(message_text(completion.message))
    if not blocks:
        return None
    output = await asyncio.to_thread(_run, blocks[-1])
    if not output:
        return None
    return await problem.read_answer(wrap(output, json.loads(problem.row["answer_format"])["style"]))


def _run(program: str) -> str:
    """What a program prints; empty where it fails. SandboxMissing where none can be started."""
    from rlgym.sandbox import get_runner

    result = get_runner(PROGRAM_LIMITS).run(program, entry=None)
    return result.stdout.strip() if result.stopped_by == "finished" else ""
