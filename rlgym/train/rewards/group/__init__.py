"""Group rewards: amounts that are added to the rewards of a group's rollouts, which depend on each other or on the step of the run.

GROUP_REWARDS[name](episodes of one group, context, options) has one amount for each episode.
"""

from rlgym.train.registry import GROUP_REWARDS as GROUP_REWARDS
from rlgym.train.rewards.group import answers as answers
from rlgym.train.rewards.group import combined as combined
from rlgym.train.rewards.group import length as length
from rlgym.train.rewards.group import noise as noise
from rlgym.train.rewards.group import objectives as objectives
from rlgym.train.rewards.group import ranking as ranking
from rlgym.train.rewards.group.context import GroupContext as GroupContext
from rlgym.train.rewards.group.context import add_group_rewards as add_group_rewards
