"""TRL: datasets, a reward function, and many-turn episodes for its GRPOTrainer, as tools or as plain conversation."""

from rlgym.adapters.trl.conversation import Rollout as Rollout
from rlgym.adapters.trl.own_tasks import OwnTasks as OwnTasks
from rlgym.adapters.trl.players import environments as environments
from rlgym.adapters.trl.rewards import dataset as dataset
from rlgym.adapters.trl.rewards import reward_function as reward_function
from rlgym.adapters.trl.rewards import score as score
