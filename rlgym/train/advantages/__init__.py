"""Advantages: how much better than expected each token was. ADVANTAGES[name](batch, options) is a float32 tensor over T.

All are 0 at tokens that carry no loss. None reads the values there, or the reward of a rollout without a valid score.
"""

from rlgym.train.advantages import group_relative as group_relative
from rlgym.train.advantages import implicit_process as implicit_process
from rlgym.train.advantages import per_rollout as per_rollout
from rlgym.train.advantages import per_token as per_token
from rlgym.train.advantages import prefix_credit as prefix_credit
from rlgym.train.advantages import set_based as set_based
from rlgym.train.advantages import step_credit as step_credit
from rlgym.train.registry import ADVANTAGES as ADVANTAGES
