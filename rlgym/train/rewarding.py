"""What rewards are turned into before they are compared, and what stated confidences were worth.

Axes: N rollouts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch

from rlgym.rewards import stated_confidence
from rlgym.train.config import Config, TrainError
from rlgym.train.episodes import Episode
from rlgym.train.extras.confidence import calibration_error
from rlgym.train.extras.corrections import backward, forward
from rlgym.train.extras.filters import OverlongOptions, soft_overlong


def penalised(episodes: Sequence[Episode], config: Config) -> list[Episode]:
    """The episodes with the soft penalty for length, by sampled tokens; as they are where none is configured."""
    if config.algorithm.overlong is None:
        return list(episodes)
    options = OverlongOptions.of(config.algorithm.overlong)
    off_N = soft_overlong(torch.tensor([episode.sampled for episode in episodes]), options).tolist()
    return [replace(episode, reward=episode.reward + off) for episode, off in zip(episodes, off_N, strict=True)]


def corrected(episodes: Sequence[Episode], config: Config) -> list[Episode]:
    """The episodes with rewards corrected for the verifier's errors; those of the oracle, which it did not judge, keep theirs."""
    wanted = config.algorithm.correction
    if wanted is None or not episodes:
        return list(episodes)
    reward_N = torch.tensor([float(episode.reward) for episode in episodes])
    false_positive_N, false_negative_N = torch.tensor([rates_of(config, episode.pick.name) for episode in episodes]).unbind(1)
    if wanted.kind == "forward":
        found_N = forward(reward_N, false_negative_N)
    else:
        found_N = backward(reward_N, false_positive_N, false_negative_N)
    pairs = zip(episodes, found_N.tolist(), strict=True)
    return [episode if episode.oracle else replace(episode, reward=reward) for episode, reward in pairs]


def confidences(episodes: Sequence[Episode]) -> dict[str, float]:
    """How often episodes with a verdict stated a confidence, the mean of those, and how far they are off: the calibration error."""
    judged = [(stated_confidence(episode.said[-1][1]), episode.score) for episode in episodes if episode.valid]
    pairs = [(stated, float(score is not None and score.value == 1)) for stated, score in judged if stated is not None]
    if not pairs:
        return {"confidence_stated": 0.0}
    stated_N, right_N = torch.tensor(pairs).unbind(1)
    mean = sum(stated for stated, _ in pairs) / len(pairs)
    return {"confidence_stated": len(pairs) / len(judged), "confidence": mean, "calibration_error": calibration_error(right_N, stated_N)}


def rates_of(config: Config, name: str) -> tuple[float, float]:
    """How often the verifier of an environment passes wrong answers, and fails right ones, as far as the configuration knows."""
    wanted = config.algorithm.correction
    assert wanted is not None
    if name in wanted.rates:
        return wanted.rates[name]
    noise = config.algorithm.shaping.get("noisy", {})
    found = [
        noise.get(kind) if given is None else given
        for kind, given in (("false_positive", wanted.false_positive), ("false_negative", wanted.false_negative))
    ]
    if wanted.kind == "forward":
        # It does without.
        found[0] = found[0] or 0.0
    if found[0] is None or found[1] is None:
        raise TrainError(
            f"algorithm.correction does not say how often the verifier of {name} errs: give false_positive and false_negative, or its rates"
        )
    return float(found[0]), float(found[1])
