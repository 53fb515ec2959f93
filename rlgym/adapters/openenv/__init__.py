"""Environments over OpenEnv's protocol: a server for any of them, its client, and the files of its container."""

from rlgym.adapters.openenv.client import RlgymEnv as RlgymEnv
from rlgym.adapters.openenv.container import write_container as write_container
from rlgym.adapters.openenv.environment import RlgymAction as RlgymAction
from rlgym.adapters.openenv.environment import RlgymEnvironment as RlgymEnvironment
from rlgym.adapters.openenv.environment import RlgymObservation as RlgymObservation
from rlgym.adapters.openenv.server import application as application
from rlgym.adapters.openenv.server import from_environment_variables as from_environment_variables
