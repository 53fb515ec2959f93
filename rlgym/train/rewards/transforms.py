"""Changes to the rewards of episodes before advantages, and metrics of stated confidences.

Axes: N rollouts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import torch

from rlgym import Rng
from rlgym.rewards import stated_confidence
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.rewards.calibration import calibration_error
from rlgym.train.rewards.noise_correction import backward_correction, false_negative_rate, forward_correction
from rlgym.train.rewards.overlong import OverlongOptions, soft_overlong

if TYPE_CHECKING:
    from rlgym.train.rollout.episodes import Episode


def apply_overlong_penalty(episodes: Sequence[Episode], config: Config) -> list[Episode]:
    """The episodes with the soft length penalty, by sampled tokens; unchanged if none is configured."""
    if config.algorithm.overlong_penalty is None:
        return list(episodes)
    options = OverlongOptions.from_dict(config.algorithm.overlong_penalty)
    penalty_N = soft_overlong(torch.tensor([episode.num_sampled for episode in episodes]), options).tolist()
    return [replace(episode, reward=episode.reward + penalty) for episode, penalty in zip(episodes, penalty_N, strict=True)]


def shuffle_rewards(episodes: Sequence[Episode], seed: int) -> list[Episode]:
    """The episodes with their rewards shuffled among all that have one: a control that must not learn."""
    valid = [n for n, episode in enumerate(episodes) if episode.valid]
    shuffled = dict(zip(valid, Rng("shuffled", seed).shuffled([episodes[n].reward for n in valid]), strict=True))
    return [replace(episode, reward=shuffled.get(n, episode.reward)) for n, episode in enumerate(episodes)]


def correct_rewards(episodes: Sequence[Episode], config: Config) -> list[Episode]:
    """The episodes with rewards corrected for verifier errors; those of the oracle, which were not scored, keep theirs."""
    correction = config.algorithm.noise_correction
    if correction is None or not episodes:
        return list(episodes)
    reward_N = torch.tensor([float(episode.reward) for episode in episodes])
    false_positive_N, false_negative_N = torch.tensor([error_rates(config, episode.task.name) for episode in episodes]).unbind(1)
    if correction.appeal_fraction:
        false_negative_N = torch.full_like(reward_N, appealed_rate(episodes, config))
    if correction.kind == "forward":
        corrected_N = forward_correction(reward_N, false_negative_N)
    else:
        corrected_N = backward_correction(reward_N, false_positive_N, false_negative_N)
    pairs = zip(episodes, corrected_N.tolist(), strict=True)
    return [episode if episode.oracle else replace(episode, reward=reward) for episode, reward in pairs]


def appealed_rate(episodes: Sequence[Episode], config: Config) -> float:
    """The false negative rate of a step, from the refused rollouts that the exact verifier scores again; their rewards stay as they are.

    Which ones are scored again depends on the seed, the task and the place of the rollout alone.
    """
    correction = config.algorithm.noise_correction
    assert correction is not None
    own = [episode for episode in episodes if not episode.oracle]
    refused = [episode for episode in own if episode.reward < 0.5]
    appealed = [
        episode
        for episode in refused
        if Rng("appeal", config.seed, episode.task.label, episode.task.index, episode.key).chance(correction.appeal_fraction)
    ]
    return false_negative_rate(sum(episode.solved for episode in appealed), len(appealed), len(refused), len(own) - len(refused))


def confidence_metrics(episodes: Sequence[Episode]) -> dict[str, float]:
    """The fraction of scored episodes that state a confidence, the mean confidence, and the calibration error."""
    scored = [(stated_confidence(episode.messages[-1][1]), episode.solved) for episode in episodes if episode.valid]
    pairs = [(stated, float(solved)) for stated, solved in scored if stated is not None]
    if not pairs:
        return {"confidence_stated": 0.0}
    stated_N, solved_N = torch.tensor(pairs).unbind(1)
    mean = sum(stated for stated, _ in pairs) / len(pairs)
    return {"confidence_stated": len(pairs) / len(scored), "confidence": mean, "calibration_error": calibration_error(solved_N, stated_N)}


def error_rates(config: Config, name: str) -> tuple[float, float]:
    """The false positive and false negative rate of an environment's verifier, as configured."""
    correction = config.algorithm.noise_correction
    assert correction is not None
    if name in correction.per_environment:
        return correction.per_environment[name]
    shaping = config.algorithm.reward_shaping
    noise = shaping.get("reward_noise") or shaping.get("verifier_noise") or {}
    false_positive = noise.get("false_positive") if correction.false_positive_rate is None else correction.false_positive_rate
    false_negative = noise.get("false_negative") if correction.false_negative_rate is None else correction.false_negative_rate
    if correction.kind == "forward":
        # The forward correction does not use it.
        false_positive = false_positive or 0.0
    if correction.appeal_fraction:
        false_negative = false_negative or 0.0
    if false_positive is None or false_negative is None:
        raise TrainError(
            f"algorithm.noise_correction has no error rates for the verifier of {name}: set false_positive_rate and "
            "false_negative_rate, or per_environment"
        )
    return float(false_positive), float(false_negative)
