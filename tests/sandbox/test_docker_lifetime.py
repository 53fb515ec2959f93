"""The lifetime of containers: in pools, killed, silent, left behind by their owner, and closed."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from untrusted.containers import containers_of, ensure_image, until
from untrusted.sandboxes import HONEST

from rlgym.core.limits import Limits
from rlgym.sandbox import Returned, SandboxError
from rlgym.sandbox.docker import DockerRunner, container
from rlgym.sandbox.interface import Job

INPUTS = [(1, 2), (30, 12), (-5, 5)]
RIGHT = (Returned(3), Returned(42), Returned(0))


@pytest.fixture(scope="module")
def client():
    with contextlib.closing(container.connected()) as runner_:
        yield runner_


@pytest.fixture(scope="module", autouse=True)
def its_image(client):
    ensure_image(client)


@pytest.fixture(scope="module")
def runner(its_image):
    with DockerRunner(Limits(seconds=1, memory_mb=256, output_kb=64), workers=1) as runner_:
        yield runner_


def test_many_at_once_share_a_pool(client):
    with DockerRunner(Limits(seconds=1), workers=2) as many:
        jobs = [Job(HONEST if i % 3 else "while True: print(1)", tuple(INPUTS)) for i in range(60)]
        results = list(many.run_many(jobs))
        assert [result.outputs == RIGHT for result in results] == [bool(i % 3) for i in range(60)]
        with ThreadPoolExecutor(16) as pool:
            found = list(pool.map(lambda i: many.run("def solve(x):\n    return x", [(i,)]).outputs, range(100)))
        assert found == [(Returned(i),) for i in range(100)]
        assert len(many._all) == 2
        ids = [item._id for item in many._all]
    assert until(lambda: not {item["Id"] for item in containers_of(client, os.getpid())} & set(ids))


def test_closing_gives_everything_back():
    with DockerRunner(workers=1) as first:
        first.run(HONEST, INPUTS)
    before = len(os.listdir("/proc/self/fd")), threading.active_count()
    with DockerRunner(workers=1) as second:
        second.run(HONEST, INPUTS)
    assert (len(os.listdir("/proc/self/fd")), threading.active_count()) == before
    with pytest.raises(SandboxError, match="closed"):
        second.run(HONEST, INPUTS)


def test_a_container_killed_between_runs_is_replaced(runner, client):
    client.api.kill(runner._all[0]._id)
    assert runner.run(HONEST, INPUTS).outputs == RIGHT


def test_a_container_killed_during_a_run_scores_nobody(client):
    slow = "import time\ndef solve(a, b):\n    time.sleep(2)\n    return a + b"
    with DockerRunner(Limits(seconds=5), workers=1) as item, ThreadPoolExecutor(1) as pool:
        running = pool.submit(item.run, slow, [(1, 2)])
        time.sleep(0.5)
        client.api.kill(item._all[0]._id)
        assert running.result().outputs == (Returned(3),)  # by a second container
        running = pool.submit(item.run, slow, [(1, 2)])
        for _ in range(2):
            victim = next(iter(item._all))
            time.sleep(0.5)
            client.api.kill(victim._id)
            assert until(lambda victim=victim: running.done() or (item._all and victim not in item._all))
        with pytest.raises(SandboxError, match="ended"):
            running.result()
        assert item.run(HONEST, INPUTS).outputs == RIGHT


def test_a_container_that_says_nothing_is_given_up(client, monkeypatch):
    monkeypatch.setattr(container, "IDLE", 0.0)
    monkeypatch.setattr(container, "ANSWERING", 1.0)
    with DockerRunner(workers=1) as item:
        first = item._all[0]
        client.api.pause(first._id)
        assert item.run(HONEST, INPUTS).outputs == RIGHT
        assert first.lost
        assert until(lambda: first._id not in {found["Id"] for found in containers_of(client, os.getpid())})


HOLDS = """
import os, sys, threading, time
from rlgym.sandbox.docker import DockerRunner
runner = DockerRunner(workers=1)
if sys.argv[1] == "busy":
    threading.Thread(target=runner.run, args=("import time\\ndef solve():\\n    time.sleep(60)", [()]), daemon=True).start()
    time.sleep(0.5)
print("ready", flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("doing", ["idle", "busy"])
def test_nothing_outlives_an_owner_that_is_killed(client, doing):
    with subprocess.Popen([sys.executable, "-c", HOLDS, doing], stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout.readline() == "ready\n"
        assert len(containers_of(client, owner.pid)) == 1
        owner.send_signal(signal.SIGKILL)
    assert until(lambda: not containers_of(client, owner.pid))


def test_orphans_that_cannot_end_are_removed_at_the_next_start(client):
    with subprocess.Popen([sys.executable, "-c", HOLDS, "idle"], stdout=subprocess.PIPE, text=True) as owner:
        owner.stdout.readline()
        identity = containers_of(client, owner.pid)[0]["Id"]
        client.api.pause(identity)
        with DockerRunner(workers=1):
            assert len(containers_of(client, owner.pid)) == 1  # it is not an orphan yet
        owner.send_signal(signal.SIGKILL)
    time.sleep(1)
    assert len(containers_of(client, owner.pid)) == 1
    with DockerRunner(workers=1):
        assert until(lambda: not containers_of(client, owner.pid), 5)


def test_a_forked_process_makes_its_own(runner):
    pid = os.fork()
    if not pid:
        try:
            runner.run(HONEST, INPUTS)
        except SandboxError:
            runner.close()  # of no effect: it is not this process's
            os._exit(0)
        os._exit(1)
    assert os.waitpid(pid, 0)[1] == 0
    assert runner.run(HONEST, INPUTS).outputs == RIGHT
