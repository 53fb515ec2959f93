"""The typed client of the service: environments that run elsewhere, with the interface of the local ones.

from rlgym.serve.client import Client

with Client("http://localhost:8000", key="...") as client:
    env = client.make("chain_sum", level=0.3)
    observation, info = env.reset(seed=1)

Layers, lowest first: `errors`, `calls` (requests as values), `models` (responses as values), `wire` (encoding), `sans_io` (retries, as
generators that a synchronous or an asynchronous driver runs), `episode`, `env_core`, `operations`, the transports, and the clients.
"""

from rlgym.serve.client.async_client import AsyncClient as AsyncClient
from rlgym.serve.client.async_env import AsyncEnv as AsyncEnv
from rlgym.serve.client.client import Client as Client
from rlgym.serve.client.env import Env as Env
from rlgym.serve.client.episode import Snapshot as Snapshot
from rlgym.serve.client.errors import ConnectionLost as ConnectionLost
from rlgym.serve.client.errors import Draining as Draining
from rlgym.serve.client.errors import EpisodeOver as EpisodeOver
from rlgym.serve.client.errors import Forbidden as Forbidden
from rlgym.serve.client.errors import InternalError as InternalError
from rlgym.serve.client.errors import InvalidRequest as InvalidRequest
from rlgym.serve.client.errors import InvalidResponse as InvalidResponse
from rlgym.serve.client.errors import NotFound as NotFound
from rlgym.serve.client.errors import Overloaded as Overloaded
from rlgym.serve.client.errors import QuotaExceeded as QuotaExceeded
from rlgym.serve.client.errors import ReplayMismatch as ReplayMismatch
from rlgym.serve.client.errors import ServiceError as ServiceError
from rlgym.serve.client.errors import SessionBusy as SessionBusy
from rlgym.serve.client.errors import SessionExpired as SessionExpired
from rlgym.serve.client.errors import SessionGone as SessionGone
from rlgym.serve.client.errors import SessionLost as SessionLost
from rlgym.serve.client.errors import StaleTurn as StaleTurn
from rlgym.serve.client.errors import TimedOut as TimedOut
from rlgym.serve.client.errors import TooLarge as TooLarge
from rlgym.serve.client.errors import Unauthorized as Unauthorized
from rlgym.serve.client.errors import Unreachable as Unreachable
from rlgym.serve.client.errors import WorkerLost as WorkerLost
from rlgym.serve.client.models import RemoteTask as RemoteTask
from rlgym.serve.client.models import TaskView as TaskView
from rlgym.serve.client.sans_io import RetryPolicy as RetryPolicy
