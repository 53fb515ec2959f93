"""A small suite, and runs over it against a server."""

from rlgym.evaluate.episodes.episode import EpisodeConfig, TokenPrices
from rlgym.evaluate.models.base import Sampling
from rlgym.evaluate.models.endpoint import Endpoint, RequestLimits
from rlgym.evaluate.models.rate_limit import Backoff
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.suites import from_names

SUITE = from_names("chain_sum,gcd_lcm", levels=[0.0, 0.3], count=12)


def plan(server, name="oracle", suite=SUITE, *, native_tools=False, prices=None, retries=2, max_concurrency=4, seconds=20.0, **more):
    limits = RequestLimits(seconds=seconds, retries=retries)
    model = Endpoint(server.url, name, max_concurrency=max_concurrency, limits=limits, backoff=Backoff(0.001, 0.02))
    sampling = {name: more.pop(name) for name in ("samples", "seed", "system", "temperature") if name in more}
    return EvaluationPlan(suite, model, EpisodeConfig(Sampling(**sampling), native_tools, prices or TokenPrices()), **more)
