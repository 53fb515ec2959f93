"""The typed client of the service: environments played elsewhere as if they were here.

from rlgym.serve.client import Client

with Client("http://localhost:8000", key="...") as client:
    env = client.make("chain_sum", level=0.3)
    observation, info = env.reset(seed=1)
"""

from rlgym.serve.client.async_client import AsyncClient as AsyncClient
from rlgym.serve.client.async_env import AsyncEnv as AsyncEnv
from rlgym.serve.client.client import Client as Client
from rlgym.serve.client.env import Env as Env
from rlgym.serve.client.episode import Snapshot as Snapshot
from rlgym.serve.client.errors import Broken as Broken
from rlgym.serve.client.errors import Busy as Busy
from rlgym.serve.client.errors import ConnectionBroke as ConnectionBroke
from rlgym.serve.client.errors import Differs as Differs
from rlgym.serve.client.errors import Draining as Draining
from rlgym.serve.client.errors import EpisodeOver as EpisodeOver
from rlgym.serve.client.errors import Forbidden as Forbidden
from rlgym.serve.client.errors import Full as Full
from rlgym.serve.client.errors import Garbled as Garbled
from rlgym.serve.client.errors import Invalid as Invalid
from rlgym.serve.client.errors import Quota as Quota
from rlgym.serve.client.errors import ServiceError as ServiceError
from rlgym.serve.client.errors import SessionExpired as SessionExpired
from rlgym.serve.client.errors import SessionGone as SessionGone
from rlgym.serve.client.errors import SessionLost as SessionLost
from rlgym.serve.client.errors import StaleTurn as StaleTurn
from rlgym.serve.client.errors import TooLarge as TooLarge
from rlgym.serve.client.errors import TooSlow as TooSlow
from rlgym.serve.client.errors import Unauthorized as Unauthorized
from rlgym.serve.client.errors import Unknown as Unknown
from rlgym.serve.client.errors import Unreachable as Unreachable
from rlgym.serve.client.errors import WorkerLost as WorkerLost
from rlgym.serve.client.programs import Tries as Tries
from rlgym.serve.client.views import Drawn as Drawn
from rlgym.serve.client.views import RemoteTask as RemoteTask
