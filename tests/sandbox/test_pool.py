"""A pool is fair: first come, first served, and a program that sleeps does not hold up one that computes."""

import os
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from rlgym.core.limits import Limits
from rlgym.sandbox import Returned, RunResult, SandboxError, Stop

if sys.platform != "linux" or os.uname().machine != "x86_64":
    pytest.skip("the process backend runs on Linux on x86-64", allow_module_level=True)

from untrusted.sandboxes import HONEST, below, in_time, process_runner

from rlgym.sandbox.process import ProcessRunner, pooled_runner, processors
from rlgym.sandbox.process.pooled_runner import PooledRunner


class Sleeper:
    """A worker whose job is an event to wait for; the name of the event says whether it rests meanwhile."""

    def __init__(self):
        self.lost, self.closed, self.resting = False, False, False

    def run(self, job, limits):
        self.resting = job.program == "rest"
        job.stdin.wait(30)
        self.resting = False
        return RunResult("", "", (), 0, Stop.FINISHED)

    def alive(self):
        return not self.lost

    def rests(self):
        return self.resting

    def close(self):
        self.closed = True


class Pool(PooledRunner):
    languages = ("python",)

    def __init__(self, workers):
        super().__init__(Limits(), workers)
        self.started = 0

    def _check(self, language):
        pass

    def _start(self):
        self.started += 1
        return Sleeper()

    def begin(self, program, event):
        job = type("Job", (), {"program": program, "stdin": event})
        thread = threading.Thread(target=self._attempt, args=(job, self.limits), daemon=True)
        thread.start()
        return thread


def test_runs_that_rest_make_room_and_runs_that_compute_do_not():
    pool, over = Pool(2), threading.Event()
    sleepers = [pool.begin("rest", over) for _ in range(4)]
    assert in_time(lambda: pool.started == 4)
    computing = [pool.begin("compute", over) for _ in range(3)]
    assert in_time(lambda: pool.started == 6)
    time.sleep(3 * pooled_runner.LOOK)
    assert pool.started == 6  # the third waits for one of the two
    over.set()
    for thread in (*sleepers, *computing):
        thread.join(10)
    assert pool._count <= 2  # those started for want of room have gone
    pool.close()


def test_there_is_a_most_of_workers_and_the_first_in_line_is_next():
    pool, over, order = Pool(1), threading.Event(), []
    running = [pool.begin("rest", over) for _ in range(pooled_runner.SPARE_FACTOR)]
    assert in_time(lambda: pool.started == pooled_runner.SPARE_FACTOR)

    def wait(number):
        worker = pool._take()
        order.append(number)
        pool._give_back(worker)

    waiting = []
    for number in range(5):
        waiting.append(threading.Thread(target=wait, args=(number,)))
        waiting[-1].start()
        assert in_time(lambda number=number: len(pool._line) == number + 1)
    assert pool.started == pooled_runner.SPARE_FACTOR
    over.set()
    for thread in (*running, *waiting):
        thread.join(10)
    assert order == list(range(5))
    pool.close()


def test_a_worker_that_cannot_start_frees_its_place():
    pool = Pool(1)
    pool._start = lambda: (_ for _ in ()).throw(SandboxError("no"))
    for _ in range(3):
        with pytest.raises(SandboxError, match="no"):
            pool._take()
    assert pool._count == 0
    pool.close()
    with pytest.raises(SandboxError, match="closed"):
        pool._take()


def test_an_honest_program_does_not_wait_for_four_that_sleep():
    with process_runner(Limits(seconds=3), "A") as runner, ThreadPoolExecutor(5) as threads:
        assert runner.workers == processors()
        asleep = [threads.submit(runner.run, "import time\ntime.sleep(99)", [()]) for _ in range(4)]
        assert in_time(lambda: any(worker._running_since for worker in runner._all))
        assert runner.run(HONEST, [(1, 2)]).outputs == (Returned(3),)
        assert not any(future.done() for future in asleep)  # each of them takes twelve seconds
        for worker in list(runner._all):
            worker._process.kill()
        runner.close()


def test_no_process_and_no_folder_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = len(below(os.getpid()))
    for tier in "ABC":
        try:
            with ProcessRunner(tier=tier) as runner:
                runner.run(HONEST, [(1, 2)])
                assert not list(tmp_path.iterdir())  # also while it runs, so that one who is killed leaves none
        except SandboxError:
            pass
    assert not list(tmp_path.iterdir())
    assert in_time(lambda: len(below(os.getpid())) == before)


def test_the_doctor_leaves_nothing(tmp_path, monkeypatch):
    from rlgym.cli.sandbox import examined, tools

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = set(os.listdir("/tmp"))
    examined()
    tools()
    assert not list(tmp_path.iterdir())
    assert not {name for name in set(os.listdir("/tmp")) - before if "proof" in name}
