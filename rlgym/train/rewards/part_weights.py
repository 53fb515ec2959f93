"""Dense rewards from the parts of a score, such as passed tests, weighted by how rarely the group passes them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rlgym.train.config.schema import Config
    from rlgym.train.rollout.episodes import Episode

MIN_DENSITY = 1e-6


def part_weights(pass_rates: Mapping[str, float], alpha: float, bandwidth: float) -> dict[str, float]:
    """The weight of each part: exp(-alpha p) / density(p), normalised to the sum 1.

    p is the mean of the part over the group, and density(p) the sum of Gaussian kernels at the pass rates of all parts, so that many easy
    tests together weigh as much as one. From "VeRPO: Verifiable Dense Reward Policy Optimization for Code Generation".
    """
    raw = {}
    for part, rate in pass_rates.items():
        density = sum(math.exp(-0.5 * ((rate - other) / bandwidth) ** 2) for other in pass_rates.values())
        raw[part] = math.exp(-alpha * rate) / (density + MIN_DENSITY)
    total = sum(raw.values())
    return {part: weight / total for part, weight in raw.items()}


def weigh_parts(episodes: Sequence[Episode], config: Config) -> list[Episode]:
    """The episodes with the weighted sum of their parts as the token reward of the last response, for the source `parts`."""
    token_rewards = config.algorithm.token_rewards
    if token_rewards is None or token_rewards.source != "parts":
        return list(episodes)
    groups: dict[int, list[Mapping[str, float]]] = {}
    for episode in episodes:
        if episode.score is not None and episode.valid:
            groups.setdefault(episode.group, []).append(episode.score.parts)
    weights = {}
    for group, members in groups.items():
        parts = sorted({part for member in members for part in member})
        rates = {part: sum(member.get(part, 0.0) for member in members) / len(members) for part in parts}
        weights[group] = part_weights(rates, token_rewards.part_alpha, token_rewards.part_bandwidth)
    return [_with_parts(episode, weights.get(episode.group, {})) for episode in episodes]


def _with_parts(episode: Episode, weights: Mapping[str, float]) -> Episode:
    if not episode.spans or episode.score is None:
        return episode
    dense = sum(weights.get(part, 0.0) * value for part, value in episode.score.parts.items())
    return replace(episode, spans=[*episode.spans[:-1], replace(episode.spans[-1], reward=dense)])
