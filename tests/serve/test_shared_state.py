"""The state that workers share: exact counters, also after a worker dies."""

from __future__ import annotations

import multiprocessing
import os
import signal

import pytest

from rlgym import RlgymError
from rlgym.serve.access.quotas import LocalQuotas
from rlgym.serve.workers.shared_state import MAX_ACCOUNTS, SharedQuotas, SharedState, WorkerState


def _shared_state(tmp_path, name="shared"):
    return SharedState.create(tmp_path / name, 2)


def _hammer(path, worker, times, taken):
    quotas = SharedQuotas(SharedState(path), worker)
    count = sum(quotas.consume("ann", "steps", 1, 1e-6, 500) == 0 for _ in range(times))
    kept = sum(quotas.acquire_session("ann", 100) for _ in range(times))
    taken.put((count, kept))


def _hold_and_wait(path, worker, ready):
    quotas = SharedQuotas(SharedState(path), worker)
    for _ in range(3):
        quotas.acquire_session("ann", 5)
    ready.set()
    signal.pause()


@pytest.mark.slow
def test_processes_share_quotas_exactly(tmp_path):
    _shared_state(tmp_path)
    context = multiprocessing.get_context("spawn")
    taken = context.Queue()
    workers = [context.Process(target=_hammer, args=(tmp_path / "shared", number, 400, taken)) for number in range(2)]
    for worker in workers:
        worker.start()
    found = [taken.get(timeout=60) for _ in workers]
    for worker in workers:
        worker.join(60)
    assert sum(count for count, _ in found) == 500
    assert sum(kept for _, kept in found) == 100


@pytest.mark.slow
def test_marking_a_worker_down_releases_only_its_sessions(tmp_path):
    shared = _shared_state(tmp_path)
    context = multiprocessing.get_context("spawn")
    ready = context.Event()
    victim = context.Process(target=_hold_and_wait, args=(tmp_path / "shared", 1, ready))
    victim.start()
    assert ready.wait(60)
    mine = SharedQuotas(shared, 0)
    assert mine.acquire_session("ann", 5)
    assert mine.acquire_session("ann", 5)
    assert not mine.acquire_session("ann", 5)
    os.kill(victim.pid, signal.SIGKILL)
    victim.join(60)
    shared.mark_down(1)
    assert [mine.acquire_session("ann", 5) for _ in range(4)] == [True, True, True, False]


def test_accounts_are_independent(tmp_path):
    quotas = SharedQuotas(_shared_state(tmp_path), 0)
    assert quotas.acquire_session("ann", 1)
    assert quotas.acquire_session("bob", 1)
    assert not quotas.acquire_session("ann", 1)
    quotas.release_session("ann")
    assert quotas.acquire_session("ann", 1)
    assert quotas.consume("ann", "steps", 1, 1e-6, 1) == 0
    assert quotas.consume("ann", "scores", 1, 1e-6, 1) == 0
    assert quotas.consume("ann", "steps", 1, 1e-6, 1) > 0


def test_releasing_an_unheld_session_has_no_effect(tmp_path):
    quotas = SharedQuotas(_shared_state(tmp_path), 0)
    quotas.release_session("ann")
    assert quotas.acquire_session("ann", 1)
    assert not quotas.acquire_session("ann", 1)


def test_shared_and_local_buckets_agree(tmp_path):
    shared, local = SharedQuotas(_shared_state(tmp_path), 0), LocalQuotas()
    for amount in (3, 4, 9, 1, 2):  # 9 is more than the bucket holds: a full one is enough, and leaves a debt
        found = [quotas.consume("ann", "steps", amount, 0.001, 7) for quotas in (shared, local)]
        assert found[0] == pytest.approx(found[1], rel=0.01, abs=5)
        assert (found[0] == 0) == (found[1] == 0)
    fresh = SharedQuotas(_shared_state(tmp_path, "fresh"), 0)
    assert fresh.consume("bob", "steps", 9, 0.001, 7) == 0
    assert fresh.consume("bob", "steps", 1, 0.001, 7) == pytest.approx(3000, rel=0.01)


def test_worker_slots_publish_states(tmp_path):
    shared = _shared_state(tmp_path)
    shared.set_worker_state(1, WorkerState.READY, 0xFFFFFFFF, 42)
    seen = SharedState(tmp_path / "shared").worker_slot(1)
    assert (seen.state, seen.incarnation, seen.pid) == (WorkerState.READY, 0xFFFFFFFF, 42)
    shared.mark_down(1)
    assert shared.worker_slot(1).state == WorkerState.DOWN
    assert shared.worker_slot(1).incarnation == 0xFFFFFFFF
    assert shared.worker_slot(7).state == WorkerState.DOWN


def test_the_file_is_private_and_created_once(tmp_path):
    _shared_state(tmp_path)
    assert os.stat(tmp_path / "shared").st_mode & 0o777 == 0o600
    with pytest.raises(FileExistsError):
        _shared_state(tmp_path)


def test_too_many_accounts_raise(tmp_path, monkeypatch):
    shared = _shared_state(tmp_path)
    monkeypatch.setattr("rlgym.serve.workers.shared_state.MAX_ACCOUNTS", 3)
    quotas = SharedQuotas(shared, 0)
    for name in "abc":
        assert quotas.acquire_session(name, None)
    with pytest.raises(RlgymError, match="more than 3 keys"):
        quotas.acquire_session("d", None)
    assert MAX_ACCOUNTS > 1000
