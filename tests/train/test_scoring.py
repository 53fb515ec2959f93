"""Scoring during generation: what is not the model's fault is masked, whatever happens to a worker."""

import os
import signal
import time

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

import rlgym
from rlgym import Outcome
from rlgym.core.errors import RlgymError
from rlgym.train.rollout.scoring import InProcessPool, ProcessPool, ScoringJob, run_job
from rlgym.train.tasks.spec import TaskSettings, TaskSpec

RULES = TaskSettings(seed=0, held_out_fraction=0.1)
PICK = TaskSpec("chain_sum", 0.0, 1, "train")


def finished(pool):
    out = {}
    while pool.pending:
        out |= dict(pool.done(wait=True))
    return out


@pytest.fixture
def workers():
    pool = ProcessPool(1, timeout_seconds=20)
    yield pool
    pool.close()


def answered(pool, count=6):
    """Open that many episodes and answer every second one rightly."""
    pool.submit([ScoringJob(key, TaskSpec("chain_sum", 0.0, key, "train"), RULES) for key in range(count)])
    opened = finished(pool)
    env = rlgym.make("chain_sum")
    jobs = []
    for key, result in opened.items():
        env.restore(result.snapshot)
        response = env.oracle() if key % 2 else "<answer>x</answer>"
        jobs.append(ScoringJob(key, TaskSpec("chain_sum", 0.0, key, "train"), RULES, result.snapshot, response))
    pool.submit(jobs)
    return finished(pool)


def test_workers_and_this_process_judge_alike(workers):
    local, there = answered(InProcessPool()), answered(workers)
    assert {key: result.score for key, result in local.items()} == {key: result.score for key, result in there.items()}
    assert [local[key].score.value for key in range(6)] == [0, 1, 0, 1, 0, 1]


@pytest.mark.parametrize("busy", [True, False])
def test_the_jobs_of_a_worker_that_dies_are_masked_and_the_next_ones_are_judged(workers, busy):
    workers.submit([ScoringJob(0, PICK, RULES)])
    assert finished(workers)[0].score is None
    (process,) = workers._pool._processes.values()
    if busy:
        os.kill(process.pid, signal.SIGSTOP)
        workers.submit([ScoringJob(1, PICK, RULES)])
    os.kill(process.pid, signal.SIGKILL)
    time.sleep(0.2)
    workers.submit([ScoringJob(2, PICK, RULES)])
    found = finished(workers)
    assert sorted(found) == ([1, 2] if busy else [2])
    if busy:
        assert found[1].score.outcome is Outcome.ERROR
        assert found[1].score.masked
        assert "died" in found[1].score.reason
    assert found[2].score is None
    assert [answered(workers)[key].score.value for key in range(6)] == [0, 1, 0, 1, 0, 1]


def test_a_verdict_that_takes_too_long_is_masked(tmp_path):
    pool = ProcessPool(1, timeout_seconds=120.0)
    try:
        pool.submit([ScoringJob(0, PICK, RULES)])
        finished(pool)
        (process,) = pool._pool._processes.values()
        os.kill(process.pid, signal.SIGSTOP)
        # Only now: starting a worker may take longer than this on a busy machine.
        pool.timeout_seconds = 1.0
        pool.submit([ScoringJob(1, PICK, RULES)])
        found = finished(pool)[1]
        assert found.score.masked
        assert "more than 1 s" in found.score.reason
    finally:
        pool.close()


def test_a_broken_sandbox_masks_and_is_never_a_wrong_answer(monkeypatch):
    from rlgym.sandbox import SandboxError, grading

    def broken(*_args, **_named):
        raise SandboxError("no room left on the device")

    task = TaskSpec("function_from_tests", 0.0, 1, "train")
    result = run_job(ScoringJob(0, task, RULES))[1]
    monkeypatch.setattr(grading, "grade", broken)
    _, judged = run_job(ScoringJob(0, task, RULES, result.snapshot, "<answer>\ndef solve(values):\n    return values\n</answer>"))
    assert judged.score.masked, judged.score
    assert judged.score.outcome is Outcome.ERROR


def test_a_split_that_has_no_task_is_said():
    with pytest.raises(RlgymError, match="no task of the split 'test'"):
        run_job(ScoringJob(0, TaskSpec("chain_sum", 0.0, 1, "test"), TaskSettings(seed=0, held_out_fraction=1e-9)))


def test_random_rewards_are_drawn_for_each_rollout_and_not_for_each_text():
    noisy = TaskSettings(
        seed=0, held_out_fraction=0.1, reward_shaping=(("reward_noise", (("false_negative", 0.3), ("false_positive", 0.2))),)
    )
    task = TaskSpec("chain_sum", 0.0, 1, "train")
    env = rlgym.make("chain_sum")
    start = run_job(ScoringJob(0, task, noisy))[1]
    env.restore(start.snapshot)
    for response, rate in ((env.oracle(), 0.3), ("<answer>123456</answer>", 0.2)):
        results = [run_job(ScoringJob(0, task, noisy, start.snapshot, response, seed))[1] for seed in range(1000)]
        flipped = [result.reward != result.score.value for result in results]
        assert sum(flipped) / 1000 == pytest.approx(rate, abs=0.05)
        repeated = [run_job(ScoringJob(0, task, noisy, start.snapshot, response, seed))[1].reward for seed in range(50)]
        assert repeated == [result.reward for result in results[:50]]
