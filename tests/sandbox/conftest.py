"""What the tests of attacks share: a runner of each tier that the machine has, with tight limits."""

import sys

import pytest
from untrusted.sandboxes import HONEST, process_runner

from rlgym.core.limits import Limits
from rlgym.sandbox.process import run_channel

if sys.platform != "linux":
    collect_ignore_glob = ["test_attack_*"]

LIMITS = Limits(seconds=0.5, memory_mb=256, output_kb=64)


@pytest.fixture(scope="module", params=["A", "B"])
def runner(request):
    with process_runner(LIMITS, request.param, workers=1) as runner_:
        runner_.run(HONEST, [(1, 2)])
        yield runner_


@pytest.fixture
def soon(monkeypatch):
    """Runs that wait are ended sooner than they would be."""
    monkeypatch.setattr(run_channel, "WALL_EXTRA", 0.0)
    monkeypatch.setattr(run_channel, "WALL_FACTOR", 2.0)
