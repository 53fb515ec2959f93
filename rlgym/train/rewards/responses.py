"""Reward shapings by what a response says beside its answer, and by how far its answer is from the right one."""

from __future__ import annotations

import re
from typing import get_args

from pydantic import Field

import rlgym
from rlgym import Outcome
from rlgym.core.answer import Style, Unreadable
from rlgym.dataset.traces.behaviours import count_behaviours
from rlgym.train.registry import Options, reward
from rlgym.train.rewards.scored import ScoredResponse
from rlgym.train.rewards.verifier_noise import stated_answer

FIRST_ERROR = ":first_error"


class ConsistencyOptions(Options):
    """Options of `consistency`."""

    amount: float = Field(0.5, ge=0, le=1, description="penalty of a right answer at which the working does not arrive")
    lines: int = Field(2, ge=1, le=100, description="last lines of the working that must contain the answer")


class ErrorDistanceOptions(Options):
    """Options of `error_distance`."""

    amount: float = Field(0.5, ge=0, lt=1, description="reward that a wrong step next to the right one approaches")


class ReasoningPatternsOptions(Options):
    """Options of `reasoning_patterns`."""

    amount: float = Field(0.2, ge=0, le=0.5, description="reward of a response with at least `enough` such lines, right or wrong")
    enough: int = Field(4, ge=1, le=1000, description="lines with a behaviour of reasoning from which on the reward no longer rises")


@reward("consistency", paper="R1-Reward: Training Multimodal Reward Model Through Stable Reinforcement Learning")
def consistency(scored: ScoredResponse, options: ConsistencyOptions) -> float:
    """-`amount` for a right answer that the last lines before it do not state: the verdict must be that of the analysis."""
    if scored.score.outcome is not Outcome.RIGHT:
        return 0.0
    working = [line for line in scored.response.rpartition("<answer>")[0].splitlines() if line.strip()][-options.lines :]
    return 0.0 if _states(" ".join(working), stated_answer(scored.response)) else -options.amount


def _states(text: str, answer: str) -> bool:
    """Whether a text contains an answer as whole words, whatever the case and the spaces."""
    wanted = r"\s+".join(map(re.escape, answer.split()))
    return bool(wanted) and re.search(rf"(?<![\w.-]){wanted}(?![\w-]|\.\d)", text, re.IGNORECASE) is not None


@reward("error_distance", paper="FAPO: Flawed-Aware Policy Optimization for Efficient and Reliable Reasoning")
def error_distance(scored: ScoredResponse, options: ErrorDistanceOptions) -> float:
    """amount (1 - |t - t*| / n) for the wrong step t of NAME:first_error where t* of n is the first; 0 where one of them is none."""
    if not scored.task.name.endswith(FIRST_ERROR) or scored.score.outcome is not Outcome.WRONG:
        return 0.0
    given, right = _step(scored.task.name, scored.response), _step(scored.task.name, scored.reference)
    steps = len(re.findall(r"^Step \d+: ", scored.prompt, re.MULTILINE))
    return options.amount * max(0.0, 1 - abs(given - right) / max(1, steps)) if given and right else 0.0


def _step(name: str, response: str) -> int:
    """The step that a response names; 0 for none, or where it is unreadable."""
    answer = rlgym.environment(name).answer
    for style in get_args(Style):
        try:
            return int(answer.parse_response(response, style))
        except Unreadable:
            continue
    return 0


@reward("reasoning_patterns", paper="The Climb Carves Wisdom Deeper Than the Summit: On the Noisy Rewards in Learning to Reason")
def reasoning_patterns(scored: ScoredResponse, options: ReasoningPatternsOptions) -> float:
    """amount min(1, k / enough), k the lines that backtrack, check, announce a step or reason backwards: right or wrong, next to a noisy reward."""
    found = sum(count_behaviours(scored.response).values())
    return options.amount * min(1.0, found / options.enough)
