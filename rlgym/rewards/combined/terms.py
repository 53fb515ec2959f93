"""Terms of a combined reward that read the score of a response. They lie between 0 and 1, and 1 is the best.

Only `adaptive_exploration` also has negative values.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

from rlgym.core.errors import KnobError
from rlgym.core.score import Score
from rlgym.rewards.combined.reward import Bounds, CombinedReward

ONE, ZERO = Bounds(1.0, 1.0), Bounds(0.0, 0.0)


def right() -> CombinedReward:
    """1 for a right answer, 0 for any other."""
    return CombinedReward(lambda group, place: float(group.responses[place].right), ONE, ZERO)


def correct() -> CombinedReward:
    """The value of the score, with its partial credit."""
    return CombinedReward(lambda group, place: group.responses[place].score.value, ONE)


def readable() -> CombinedReward:
    """1 for a response with a readable answer, right or wrong: a surrogate by format."""
    return CombinedReward(lambda group, place: float(group.responses[place].readable), ONE)


def part(name: str, default: float = 0.0) -> CombinedReward:
    """One part of the score, such as a test; `default` where the score has no such part."""
    check_range("default", default, 0, 1)
    return CombinedReward(lambda group, place: min(1.0, max(0.0, group.responses[place].score.parts.get(name, default))))


def parts(weights: Mapping[str, float]) -> CombinedReward:
    """sum w_k part_k / sum w_k: the parts of the score as objectives, and a user's weights over them.

    A declared scalarisation of the objectives, as the weights of the heads in "Simultaneous Multi-objective Alignment Across Verifiable and
    Non-verifiable Rewards" (MAH-DPO).
    """
    check_weights(weights.values())
    total = sum(weights.values())

    def compute(score: Score) -> float:
        return sum(weight * min(1.0, max(0.0, score.parts.get(name, 0.0))) for name, weight in weights.items()) / total

    return CombinedReward(lambda group, place: compute(group.responses[place].score))


def tiers(count: int = 3, highest: float = 0.5, progress: Literal["value", "parts"] = "value") -> CombinedReward:
    """1 for a right answer, otherwise highest floor((count + 1) p) / count, p the value of the score or the mean of its parts.

    From "Sweet Spot Learning".
    """
    check_range("count", count, 1, 100)
    check_range("highest", highest, 0, 1)
    if highest == 1 or progress not in ("value", "parts"):
        raise KnobError(f"need highest below 1 and progress 'value' or 'parts', got {highest=} and {progress=}")

    def compute(score: Score) -> float:
        if score.value == 1:
            return 1.0
        values = list(score.parts.values()) if progress == "parts" else [score.value]
        mean = sum(values) / len(values) if values else 0.0
        # The small term keeps 2/3 of three parts from being rounded below its tier.
        return highest * min(count, math.floor((count + 1) * mean + 1e-9)) / count

    return CombinedReward(lambda group, place: compute(group.responses[place].score), ONE, Bounds(0.0, highest))


def adaptive_exploration(highest_count: int = 8) -> CombinedReward:
    """1 / sqrt(N k) where the first right one of N candidates has the rank k, -1 / N where none is right.

    For NAME:candidates, and tasks of your own whose scores have the parts `share` = 1 / N and `rank_share` = 1 / k. From "InfiGUI-G1: Advancing GUI
    Grounding with Adaptive Exploration Policy Optimization" (AEPO). A response without candidates counts as one wrong candidate.
    """
    check_range("highest_count", highest_count, 1, 100)

    def compute(score: Score) -> float:
        share, rank_share = score.parts.get("share", 1.0), score.parts.get("rank_share", 0.0)
        return math.sqrt(share * rank_share) if rank_share > 0 else -share

    # A right candidate at a later rank is not a right answer, but is paid more than none.
    return CombinedReward(lambda group, place: compute(group.responses[place].score), ONE, Bounds(-1.0, 1.0))


def answer_consistent(agree_only: float = 0.0, right_once: float = 0.25) -> CombinedReward:
    """1 where the answer is right before and after the options are shuffled, `right_once` where only once, `agree_only` where both agree on a
    wrong option, else 0.

    For NAME:choose_twice, and tasks of your own whose scores have the parts `first`, `second` and `agree`. From "Answer-Consistent Chain-of-thought
    Reinforcement Learning For Multi-modal Large Language Models" (ACRE).
    """
    check_range("agree_only", agree_only, 0, 1)
    check_range("right_once", right_once, 0, 1)

    def compute(score: Score) -> float:
        if score.value == 1:
            return 1.0
        once = max(score.parts.get("first", 0.0), score.parts.get("second", 0.0))
        return max(right_once * once, agree_only * score.parts.get("agree", 0.0))

    return CombinedReward(lambda group, place: compute(group.responses[place].score), ONE, Bounds(0.0, max(agree_only, right_once)))


def check_range(name: str, value: float, low: float, high: float) -> None:
    """KnobError unless the value is a number from `low` to `high`."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise KnobError(f"{name} must be a number from {low} to {high}, got {value!r}")


def check_weights(weights: object) -> None:
    """KnobError unless the weights are numbers from 0, of which one is positive."""
    listed = list(weights)  # type: ignore[call-overload]
    if not listed or any(isinstance(w, bool) or not isinstance(w, int | float) or not 0 <= w < math.inf for w in listed) or not any(listed):
        raise KnobError(f"weights must be numbers from 0, not all of them 0, got {listed!r}")
