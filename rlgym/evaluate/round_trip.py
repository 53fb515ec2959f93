"""Code, text and code again: keep the tasks whose reference a model can describe so well that another program comes of it alone.

From "CodeV-R1: Reasoning-Enhanced Verilog Generation": a model describes a program in words, writes a program from its own description without seeing the
first, and the pair is kept if a verifier finds that both do the same. Here the verifier is that of the task.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import rlgym
from rlgym import RlgymError
from rlgym.core.answer import Unreadable
from rlgym.core.reply_file import ReplyFile
from rlgym.evaluate.models.base import Model, RequestFailed, Sampling

PROGRAMS = ("code", "sql")
"""The answer formats whose answers are programs."""
DESCRIBE = """Describe in words exactly what this program does, for somebody who is to write it again from your description alone. State its head, names, \
types, and every case. Do not quote its code.

{code}"""
WRITE = """Write the program that this description describes.

{description}

{closing}"""
QUOTED_CHARACTERS = 24
"""A line of the program of at least this length in the description, spaces aside, is a quotation."""


@dataclass(frozen=True)
class RoundTrips:
    """kept: the rows that came back right, each with `description` and `rewritten`; left_out: how many did not, by reason."""

    kept: list[dict[str, Any]] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)


def round_trips(rows: Sequence[Mapping[str, Any]], model: Model, replies: ReplyFile) -> RoundTrips:
    """The round trip of every row of a dataset; replies are kept by content and not requested again.

    Rows are in their order. RlgymError if no row has a program as its answer.
    """
    return asyncio.run(_run(rows, model, replies))


async def _run(rows: Sequence[Mapping[str, Any]], model: Model, replies: ReplyFile) -> RoundTrips:
    if not any(is_program(str(row["env"])) for row in rows):
        raise RlgymError(f"no row has a program as its answer; the formats are {', '.join(PROGRAMS)}")
    slots = asyncio.Semaphore(model.max_concurrency)

    async def ask(text: str) -> str:
        key = hashlib.sha256(f"{model.name}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()
        if key not in replies:
            async with slots:
                done = await model.generate([{"role": "user", "content": text}], [], Sampling(temperature=0.0), 0)
            replies.keep(key, str(done.message.get("content") or ""))
        return replies[key]

    async def trip(row: Mapping[str, Any]) -> dict[str, Any] | str:
        if not is_program(str(row["env"])):
            return "its answer is not a program"
        answer, style = rlgym.environment(str(row["env"])).answer, json.loads(row["answer_format"])["style"]
        try:
            code = answer.render(answer.parse_response(str(row["oracle_response"]), style, str(row["prompt"])))
            description = await ask(DESCRIBE.format(code=code))
            if quotes(description, code):
                return "the description quotes the program"
            rewritten = await ask(WRITE.format(description=description, closing=answer.closing_line(style)))
        except (Unreadable, RequestFailed) as error:
            return "the reference is unreadable" if isinstance(error, Unreadable) else "a request failed"
        score = await asyncio.to_thread(rlgym.score, row, rewritten)
        return (
            {**row, "description": description, "rewritten": rewritten} if score.value == 1 else f"the rewritten program is {score.outcome}"
        )

    try:
        results = await asyncio.gather(*map(trip, rows))
    finally:
        await model.close()
    out = RoundTrips()
    for result in results:
        if isinstance(result, str):
            out.left_out[result] = out.left_out.get(result, 0) + 1
        else:
            out.kept.append(result)
    return out


def is_program(name: str) -> bool:
    """Whether the answers of an environment are programs."""
    return getattr(getattr(rlgym.environment(name), "answer", None), "format", "") in PROGRAMS


def quotes(description: str, code: str) -> bool:
    """Whether a description holds a long line of the program, so that nothing had to be understood. The first line, its head, may be quoted."""
    said = "".join(description.split())
    lines = ["".join(line.split()) for line in code.strip().splitlines()]
    return any(len(line) >= QUOTED_CHARACTERS and line in said for line in lines[1:] or lines)
