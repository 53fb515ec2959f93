"""The distance between two reward functions, from their rewards of the same responses."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

from rlgym.core.errors import RlgymError


def reward_distance(first: Sequence[float], second: Sequence[float], prompts: Sequence[Hashable]) -> float:
    """How differently two reward functions rank responses, from 0 (the same policies are optimal) to 1 (opposite).

    `first` and `second` are the rewards of the same sampled responses, `prompts` what each response answers. Each prompt's mean is
    subtracted, because an offset by prompt changes no policy, and the rest is divided by its L2 norm, because a scale changes none; the
    distance is half the L2 norm of the difference. A function that pays all responses of every prompt alike is at 1/2 from any other.
    Raises RlgymError for lists of unequal length, none at all, or rewards that are not finite. From "STARC: A General Framework For
    Quantifying Differences Between Reward Functions", for tasks of one step.
    """
    if not len(first) == len(second) == len(prompts) > 0:
        raise RlgymError(
            f"need as many rewards of both functions as prompts, at least one, got {len(first)}, {len(second)} and {len(prompts)}"
        )
    one, two = _standardise(first, prompts), _standardise(second, prompts)
    return min(1.0, math.sqrt(sum((a - b) ** 2 for a, b in zip(one, two, strict=True))) / 2)


def _standardise(rewards: Sequence[float], prompts: Sequence[Hashable]) -> list[float]:
    """The rewards without their prompt's mean, divided by their norm; zeros if nothing is left but rounding."""
    if bad := [reward for reward in rewards if not math.isfinite(reward)]:
        raise RlgymError(f"rewards must be finite, got {bad[0]!r}")
    by_prompt: dict[Hashable, list[float]] = {}
    for reward, prompt in zip(rewards, prompts, strict=True):
        by_prompt.setdefault(prompt, []).append(float(reward))
    means = {prompt: math.fsum(found) / len(found) for prompt, found in by_prompt.items()}
    centred = [reward - means[prompt] for reward, prompt in zip(rewards, prompts, strict=True)]
    norm = math.sqrt(math.fsum(value**2 for value in centred))
    largest = max(abs(reward) for reward in rewards)
    return [value / norm for value in centred] if norm > 1e-9 * largest else [0.0] * len(centred)
