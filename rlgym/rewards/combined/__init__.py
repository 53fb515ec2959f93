"""Combined rewards: terms such as `right`, `short` and `readable`, put together by combiners such as `weighted`, `product` and `lexicographic`.

A description is plain data: the name of a term, or a mapping of one name to its options, in which further descriptions may stand.
`combined_reward` builds the reward, and `rlgym.make(..., rewards=combined_shaping(description))` and the group reward `combined` of a run use it.
"""

from rlgym.rewards.combined import combiners as combiners
from rlgym.rewards.combined import lengths as lengths
from rlgym.rewards.combined import terms as terms
from rlgym.rewards.combined.build import NAMES as NAMES
from rlgym.rewards.combined.build import Description as Description
from rlgym.rewards.combined.build import combined_reward as combined_reward
from rlgym.rewards.combined.build import combined_shaping as combined_shaping
from rlgym.rewards.combined.reward import Bounds as Bounds
from rlgym.rewards.combined.reward import CombinedReward as CombinedReward
from rlgym.rewards.combined.reward import Group as Group
from rlgym.rewards.combined.reward import Response as Response
