"""Judging beside generation: what is not the model's fault is masked, whatever happens to a worker."""

import os
import signal
import time

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

import rlgym
from rlgym import Outcome
from rlgym.core.errors import RlgymError
from rlgym.train.scoring import Here, Job, Pick, Rules, Workers, do

RULES = Rules(seed=0, held_out=0.1)
PICK = Pick("chain_sum", 0.0, 1, "train")


def finished(pool):
    out = {}
    while pool.pending:
        out |= dict(pool.done(wait=True))
    return out


@pytest.fixture
def workers():
    pool = Workers(1, seconds=20)
    yield pool
    pool.close()


def answered(pool, count=6):
    """Open that many episodes and answer every second one rightly."""
    pool.submit([Job(key, Pick("chain_sum", 0.0, key, "train"), RULES) for key in range(count)])
    opened = finished(pool)
    env = rlgym.make("chain_sum")
    jobs = []
    for key, stand in opened.items():
        env.restore(stand.snapshot)
        said = env.oracle() if key % 2 else "<answer>x</answer>"
        jobs.append(Job(key, Pick("chain_sum", 0.0, key, "train"), RULES, stand.snapshot, said))
    pool.submit(jobs)
    return finished(pool)


def test_workers_and_this_process_judge_alike(workers):
    here, there = answered(Here()), answered(workers)
    assert {key: stand.score for key, stand in here.items()} == {key: stand.score for key, stand in there.items()}
    assert [here[key].score.value for key in range(6)] == [0, 1, 0, 1, 0, 1]


@pytest.mark.parametrize("busy", [True, False])
def test_the_jobs_of_a_worker_that_dies_are_masked_and_the_next_ones_are_judged(workers, busy):
    workers.submit([Job(0, PICK, RULES)])
    assert finished(workers)[0].score is None
    (process,) = workers._pool._processes.values()
    if busy:
        os.kill(process.pid, signal.SIGSTOP)
        workers.submit([Job(1, PICK, RULES)])
    os.kill(process.pid, signal.SIGKILL)
    time.sleep(0.2)
    workers.submit([Job(2, PICK, RULES)])
    found = finished(workers)
    assert sorted(found) == ([1, 2] if busy else [2])
    if busy:
        assert found[1].score.outcome is Outcome.ERROR
        assert found[1].score.masked
        assert "died" in found[1].score.reason
    assert found[2].score is None
    assert [answered(workers)[key].score.value for key in range(6)] == [0, 1, 0, 1, 0, 1]


def test_a_verdict_that_takes_too_long_is_masked(tmp_path):
    pool = Workers(1, seconds=4.0)
    try:
        pool.submit([Job(0, PICK, RULES)])
        finished(pool)
        (process,) = pool._pool._processes.values()
        os.kill(process.pid, signal.SIGSTOP)
        pool.submit([Job(1, PICK, RULES)])
        found = finished(pool)[1]
        assert found.score.masked
        assert "more than 4 s" in found.score.reason
    finally:
        pool.close()


def test_a_broken_sandbox_masks_and_is_never_a_wrong_answer(monkeypatch):
    from rlgym.sandbox import SandboxBroken, grading

    def broken(*_args, **_named):
        raise SandboxBroken("no room left on the device")

    pick = Pick("function_from_tests", 0.0, 1, "train")
    stand = do(Job(0, pick, RULES))[1]
    monkeypatch.setattr(grading, "grade", broken)
    _, judged = do(Job(0, pick, RULES, stand.snapshot, "<answer>\ndef solve(values):\n    return values\n</answer>"))
    assert judged.score.masked, judged.score
    assert judged.score.outcome is Outcome.ERROR


def test_a_split_that_has_no_task_is_said():
    with pytest.raises(RlgymError, match="no task of the split 'test'"):
        do(Job(0, Pick("chain_sum", 0.0, 1, "test"), Rules(seed=0, held_out=1e-9)))
