"""Verifiers that err, to study what noise costs: at random, by content, length, surface or level, and with appeals to the exact verifier."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from rlgym import Outcome, Rng
from rlgym.train.registry import Options, reward
from rlgym.train.rewards.scored import ScoredResponse

if TYPE_CHECKING:
    from rlgym.train.tasks.spec import TaskSpec

SURFACE = {
    "markup": r"\*\*|^#{1,6} |`",
    "list": r"^ *([-*]|\d+[.)]) ",
    "certainty": r"\b(clearly|certainly|obviously|definitely|of course)\b",
    "conclusion": r"\b(therefore|thus|hence|in conclusion)\b",
}
"""Features of the text that say nothing about the answer, as patterns."""


class VerifierNoiseOptions(Options):
    """Options of `verifier_noise`. With one of the rates at 0 the noise is one-sided."""

    false_positive: float = Field(
        ..., ge=0, le=1, description="fraction of wrong answers that are rewarded; the largest of length, surface and level"
    )
    false_negative: float = Field(
        ..., ge=0, le=1, description="fraction of right answers that are not; the largest of length, surface and level"
    )
    depends_on: Literal["rollout", "content", "answer", "length", "surface", "level"] = Field(
        "rollout",
        description="what an error depends on: chance in each rollout; the task and the answer; the answer alone, whatever the task; the length, "
        "long wrong and short right responses being misjudged; the surface, well presented wrong and plain right responses being misjudged; or the "
        "level, hard tasks being misjudged",
    )
    full_characters: int = Field(
        400, ge=1, description="length: characters from which a wrong response has the whole rate, and a right one none"
    )
    appeal_fraction: float = Field(0.0, ge=0, le=1, description="fraction of refused right answers that an exact verifier restores")
    seed: int = Field(0, ge=0, description="seed of the noise")


@reward("verifier_noise", paper="Reinforcement Learning with Verifiable yet Noisy Rewards under Imperfect Verifiers")
def verifier_noise(scored: ScoredResponse, options: VerifierNoiseOptions) -> float:
    """Errors whose chance depends on the rollout, its content, length, surface or level; refused right answers may be appealed.

    Errors by content are the same whenever a task gets the same answer, and errors by answer whenever any task gets it.
    """
    right = scored.score.outcome is Outcome.RIGHT
    draw = scored.rng.integer(0, 1 << 62)
    if not Rng("verifier_noise", options.seed, *_key(scored, options, draw)).chance(error_rate(scored, options)):
        return 0.0
    if not right:
        return 1.0 - scored.score.value
    appealed = Rng("appeal", options.seed, draw).chance(options.appeal_fraction)
    return 0.0 if appealed else -scored.score.value


def error_rate(scored: ScoredResponse, options: VerifierNoiseOptions) -> float:
    """The chance that the verdict on a response is wrong, before appeals."""
    right = scored.score.outcome is Outcome.RIGHT
    rate = options.false_negative if right else options.false_positive
    if options.depends_on in ("length", "surface"):
        by_length = min(1.0, len(scored.response) / options.full_characters)
        share = by_length if options.depends_on == "length" else surface_share(scored.response)
        return rate * (1 - share if right else share)
    return rate * scored.task.level if options.depends_on == "level" else rate


def _key(scored: ScoredResponse, options: VerifierNoiseOptions, draw: int) -> tuple[str | int, ...]:
    """What the draw of an error depends on besides the seed."""
    if options.depends_on not in ("content", "answer"):
        return (draw,)
    answer = stated_answer(scored.response)
    return (answer,) if options.depends_on == "answer" else (*task_key(scored.task), answer)


def task_key(task: TaskSpec) -> tuple[str | int, ...]:
    """What tells a task from others."""
    return (task.name, f"{task.level:g}", json.dumps(dict(task.knobs), sort_keys=True), task.index, task.seed or 0, task.retry)


def surface_share(response: str) -> float:
    """The share of the features of `SURFACE` that a response shows."""
    return sum(bool(re.search(pattern, response, re.MULTILINE | re.IGNORECASE)) for pattern in SURFACE.values()) / len(SURFACE)


def stated_answer(response: str) -> str:
    """The text of the last answer between tags, or the whole response, without line breaks and repeated spaces."""
    found = re.findall(r"<answer>(.*?)</answer>", response, re.DOTALL)
    return " ".join((found[-1] if found else response).split())
