"""Reward shaping: functions (score, response) -> float whose result is added to the reward.

Shaping is off by default and never part of an environment. Pass it to `rlgym.make(..., rewards=[...])`.
"""

from rlgym.rewards.combined import NAMES as NAMES
from rlgym.rewards.combined import CombinedReward as CombinedReward
from rlgym.rewards.combined import combined_reward as combined_reward
from rlgym.rewards.combined import combined_shaping as combined_shaping
from rlgym.rewards.shaping import CONFIDENCE_INSTRUCTIONS as CONFIDENCE_INSTRUCTIONS
from rlgym.rewards.shaping import RewardShaping as RewardShaping
from rlgym.rewards.shaping import brier_penalty as brier_penalty
from rlgym.rewards.shaping import format_bonus as format_bonus
from rlgym.rewards.shaping import length_penalty as length_penalty
from rlgym.rewards.shaping import reward_noise as reward_noise
from rlgym.rewards.shaping import stated_confidence as stated_confidence
