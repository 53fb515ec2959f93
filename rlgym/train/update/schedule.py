"""Learning rates by step."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rlgym.train.config.schema import Config
    from rlgym.train.config.sections import SftConfig
from rlgym.train.regularizers.reference_reset import ResetOptions, last_reset


def lr_warmup(step: int, warmup_steps: int) -> float:
    """The factor of linear warm-up, 1 after it."""
    return min(1.0, (step + 1) / warmup_steps) if warmup_steps else 1.0


def steps_since_reset(step: int, config: Config, validation: Mapping[int, float] | None = None) -> int:
    """The number of steps since the last reset of reference and optimizer. `validation` are held-out accuracies by step."""
    algorithm = config.algorithm
    if algorithm.reference_reset_patience:
        options = ResetOptions(patience=algorithm.reference_reset_patience, min_delta=algorithm.reference_reset_min_delta)
        return step - last_reset(step, validation or {}, options)
    return step % algorithm.reference_reset_steps if algorithm.reference_reset_steps else step


def lr_at_step(step: int, config: Config, validation: Mapping[int, float] | None = None) -> float:
    """The learning rate of a step of reinforcement learning. It warms up again after each reset of the optimizer."""
    done = step / max(1, config.steps)
    decay = {"constant": 1.0, "linear": 1 - done, "cosine": 0.5 * (1 + math.cos(math.pi * done))}[config.update.lr_schedule]
    return config.update.lr * lr_warmup(steps_since_reset(step, config, validation), config.update.warmup_steps) * decay


def sft_lr_at_step(step: int, sft: SftConfig) -> float:
    """The learning rate of a step of supervised fine-tuning: warm-up, and linear decay to 5 %."""
    return sft.lr * lr_warmup(step, sft.warmup_steps) * (0.05 + 0.95 * (1 - step / sft.steps))
