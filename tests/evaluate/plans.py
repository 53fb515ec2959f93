"""A small suite, and runs over it against a server."""

from rlgym.evaluate.endpoint import Endpoint, Limits
from rlgym.evaluate.episode import Asking, Prices
from rlgym.evaluate.models import Sampling
from rlgym.evaluate.pace import Patience
from rlgym.evaluate.run import Plan
from rlgym.evaluate.suites import from_names

SUITE = from_names("chain_sum,gcd_lcm", levels=[0.0, 0.3], count=12)


def plan(server, name="oracle", suite=SUITE, *, native=False, prices=None, retries=2, at_once=4, seconds=20.0, **more):
    limits = Limits(seconds=seconds, retries=retries)
    model = Endpoint(server.url, name, at_once=at_once, limits=limits, patience=Patience(0.001, 0.02))
    sampling = {name: more.pop(name) for name in ("samples", "seed", "system", "temperature") if name in more}
    return Plan(suite, model, Asking(Sampling(**sampling), native, prices or Prices()), **more)
