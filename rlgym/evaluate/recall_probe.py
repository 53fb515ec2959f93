"""Does a model know the tasks of a suite by heart? It is shown the beginning of a prompt, and asked to continue it and to solve the task.

From "Reasoning or Memorization? Unreliable Results of Reinforcement Learning Due to Data Contamination", whose measures are the completion of a
partial prompt (exact match and ROUGE-L) and the accuracy of the answer to it. Here every task has a control: a task of the same environment and level
whose seed is drawn now, which nobody can have seen. What a prompt's template gives away counts for both.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rlgym import Rng
from rlgym.core.answer import Style, wrap
from rlgym.core.errors import RlgymError
from rlgym.core.intervals import wilson
from rlgym.dataset.rows import row_without_oracle
from rlgym.dataset.session import Session, message_text
from rlgym.evaluate.models.base import Completion, Model, ModelUnavailable, RequestFailed, Sampling

_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Recall:
    """One measure on the suite and on its controls, and their difference with an interval of 95 % (Newcombe's, from Wilson's intervals)."""

    suite: float
    control: float
    difference: float
    low: float
    high: float

    @property
    def suspicious(self) -> bool:
        """Whether the suite is recalled better than fresh tasks beyond chance."""
        return self.low > 0


@dataclass(frozen=True)
class RecallReport:
    """The three measures, by the number of words shown, and what they rest on.

    exact     the hidden words are reproduced, without regard to case and white space
    rouge_l   the F1 score of the longest common subsequence of the hidden words and as many words of the continuation
    answered  the final answer is right, although the task was not shown whole
    """

    exact: Recall
    rouge_l: Recall
    answered: Recall
    tasks: int
    failed: int
    fraction: float
    seed: int

    @property
    def suspicious(self) -> bool:
        """Whether one of the measures is suspicious."""
        return any(measure.suspicious for measure in (self.exact, self.rouge_l, self.answered))

    def to_dict(self) -> dict[str, Any]:
        """As JSON-able data."""
        return asdict(self) | {"suspicious": self.suspicious}


def probe(
    rows: Sequence[Mapping[str, Any]], model: Model, *, fraction: float = 0.6, seed: int | None = None, max_tokens: int = 2048
) -> RecallReport:
    """Probe a model with the single-turn tasks of a suite and as many fresh ones.

    fraction  the share of a prompt's words that is shown
    seed      of the fresh tasks; None draws one, which the report tells

    Tasks of which a request fails count nowhere, nor do their controls. RlgymError where no task is left.
    """
    if not 0 < fraction < 1:
        raise RlgymError(f"fraction must lie between 0 and 1, got {fraction!r}")
    seed = secrets.randbits(48) if seed is None else seed
    single = [row for row in rows if row["kind"] == "environment" and len(_WORD.findall(row["prompt"])) > 1]
    if not single:
        raise RlgymError("the probe needs tasks of one turn, and the suite has none")
    controls = [fresh_row(row, seed, number) for number, row in enumerate(single)]
    found = asyncio.run(_ask([*single, *controls], model, fraction, Sampling(temperature=0.0, max_tokens=max_tokens)))
    pairs = [(ours, control) for ours, control in zip(found[: len(single)], found[len(single) :], strict=True) if ours and control]
    if not pairs:
        raise ModelUnavailable("every request of the probe failed")
    exact, overlap, answered = (compare([ours[place] for ours, _ in pairs], [control[place] for _, control in pairs]) for place in range(3))
    return RecallReport(exact, overlap, answered, len(pairs), len(single) - len(pairs), fraction, seed)


def fresh_row(row: Mapping[str, Any], seed: int, number: int) -> dict[str, Any]:
    """A task of the row's environment, level, knobs and answer style with a seed of its own."""
    drawn = Rng("recall probe", seed, number).integer(0, 2**62)
    return row_without_oracle(row["env"], drawn, row["level"], knobs=json.loads(row["knobs"]), answer_style=style_of(row))


def instructions(style: Style) -> str:
    """What stands before the beginning of a prompt: what to do, and how to give the answer."""
    return (
        "Below is the beginning of a problem. Continue it word for word from exactly where it stops, to its end. Then solve the problem, and end with "
        f"its final answer as {wrap('your answer', style)}.\n\n"
    )


def style_of(row: Mapping[str, Any]) -> Style:
    """How the answer of a row's task is given."""
    style: Style = json.loads(row["answer_format"])["style"]
    return style


def cut(prompt: str, fraction: float) -> tuple[str, str]:
    """The prompt's first words, a share of them, and the rest; both have a word at least."""
    words = list(_WORD.finditer(prompt))
    shown = min(len(words) - 1, max(1, round(fraction * len(words))))
    return prompt[: words[shown].start()], prompt[words[shown].start() :]


def measure(row: Mapping[str, Any], fraction: float, response: str) -> tuple[float, float, float]:
    """Exact match, ROUGE-L and the score's correctness of a response to the beginning of a prompt."""
    opening = wrap("\0", style_of(row)).partition("\0")[0]
    hidden = _WORD.findall(cut(row["prompt"], fraction)[1].lower())
    written = _WORD.findall(response.partition(opening)[0].lower())[: len(hidden)]
    session = Session(row)
    session.step(response)
    right = session.score is not None and session.score.value == 1
    return float(written == hidden), rouge_l(written, hidden), float(right)


def rouge_l(written: Sequence[str], hidden: Sequence[str]) -> float:
    """The F1 score of the longest common subsequence of two lists of words."""
    lengths = [0] * (len(hidden) + 1)
    for word in written:
        diagonal = 0
        for place, other in enumerate(hidden, 1):
            diagonal, lengths[place] = lengths[place], diagonal + 1 if word == other else max(lengths[place], lengths[place - 1])
    return 2 * lengths[-1] / (len(written) + len(hidden)) if written or hidden else 1.0


def compare(suite: Sequence[float], control: Sequence[float]) -> Recall:
    """The means of values from 0 to 1, and the interval of their difference, which is conservative for values in between."""
    (a, a_low, a_high), (b, b_low, b_high) = (_with_interval(values) for values in (suite, control))
    low, high = ((a - a_low) ** 2 + (b_high - b) ** 2) ** 0.5, ((a_high - a) ** 2 + (b - b_low) ** 2) ** 0.5
    return Recall(a, b, a - b, a - b - low, a - b + high)


def _with_interval(values: Sequence[float]) -> tuple[float, float, float]:
    return (sum(values) / len(values), *wilson(sum(values), len(values)))


async def _ask(
    rows: Sequence[Mapping[str, Any]], model: Model, fraction: float, sampling: Sampling
) -> list[tuple[float, float, float] | None]:
    slots = asyncio.Semaphore(model.max_concurrency)

    async def one(row: Mapping[str, Any], number: int) -> tuple[float, float, float] | None:
        text = instructions(style_of(row)) + cut(row["prompt"], fraction)[0].rstrip()
        try:
            async with slots:
                completion: Completion = await model.generate([{"role": "user", "content": text}], [], sampling, number)
        except RequestFailed:
            return None
        return await asyncio.to_thread(measure, row, fraction, message_text(completion.message))

    try:
        return list(await asyncio.gather(*(one(row, number) for number, row in enumerate(rows))))
    finally:
        await model.close()
