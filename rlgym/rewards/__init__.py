"""Shaping that a caller may add to a score: off by default, and never inside an environment.

Each is a function (score, response) -> what to add to the reward, for `rlgym.make(..., rewards=[...])`.
"""

from rlgym.rewards.shaping import ASK_CONFIDENCE as ASK_CONFIDENCE
from rlgym.rewards.shaping import Shape as Shape
from rlgym.rewards.shaping import length_penalty as length_penalty
from rlgym.rewards.shaping import noisy as noisy
from rlgym.rewards.shaping import readable_bonus as readable_bonus
from rlgym.rewards.shaping import stated_confidence as stated_confidence
from rlgym.rewards.shaping import with_confidence as with_confidence
