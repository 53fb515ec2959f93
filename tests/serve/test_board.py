"""What worker processes share: counters that hold over all of them, also when one dies in the middle."""

from __future__ import annotations

import multiprocessing
import os
import signal

import pytest

from rlgym import RlgymError
from rlgym.serve.board import MOST_ACCOUNTS, Board, SharedQuotas, State
from rlgym.serve.keys import LocalQuotas


def _board(tmp_path, name="board"):
    return Board.make(tmp_path / name, 2)


def _hammer(path, worker, times, taken):
    quotas = SharedQuotas(Board(path), worker)
    count = sum(quotas.spend("ann", "steps", 1, 1e-6, 500) == 0 for _ in range(times))
    held = sum(quotas.hold("ann", 100) for _ in range(times))
    taken.put((count, held))


def _hold_and_wait(path, worker, ready):
    quotas = SharedQuotas(Board(path), worker)
    for _ in range(3):
        quotas.hold("ann", 5)
    ready.set()
    signal.pause()


@pytest.mark.slow
def test_processes_together_take_exactly_what_there_is(tmp_path):
    _board(tmp_path)
    context = multiprocessing.get_context("spawn")
    taken = context.Queue()
    workers = [context.Process(target=_hammer, args=(tmp_path / "board", number, 400, taken)) for number in range(2)]
    for worker in workers:
        worker.start()
    found = [taken.get(timeout=60) for _ in workers]
    for worker in workers:
        worker.join(60)
    assert sum(count for count, _ in found) == 500
    assert sum(held for _, held in found) == 100


@pytest.mark.slow
def test_a_killed_workers_sessions_are_given_back_and_only_its(tmp_path):
    board = _board(tmp_path)
    context = multiprocessing.get_context("spawn")
    ready = context.Event()
    victim = context.Process(target=_hold_and_wait, args=(tmp_path / "board", 1, ready))
    victim.start()
    assert ready.wait(60)
    mine = SharedQuotas(board, 0)
    assert mine.hold("ann", 5)
    assert mine.hold("ann", 5)
    assert not mine.hold("ann", 5)
    os.kill(victim.pid, signal.SIGKILL)
    victim.join(60)
    board.leave(1)
    assert [mine.hold("ann", 5) for _ in range(4)] == [True, True, True, False]


def test_one_account_takes_nothing_from_another(tmp_path):
    quotas = SharedQuotas(_board(tmp_path), 0)
    assert quotas.hold("ann", 1)
    assert quotas.hold("bob", 1)
    assert not quotas.hold("ann", 1)
    quotas.release("ann")
    assert quotas.hold("ann", 1)
    assert quotas.spend("ann", "steps", 1, 1e-6, 1) == 0
    assert quotas.spend("ann", "scores", 1, 1e-6, 1) == 0
    assert quotas.spend("ann", "steps", 1, 1e-6, 1) > 0


def test_releasing_what_was_not_held_gives_nothing(tmp_path):
    quotas = SharedQuotas(_board(tmp_path), 0)
    quotas.release("ann")
    assert quotas.hold("ann", 1)
    assert not quotas.hold("ann", 1)


def test_shared_and_local_buckets_answer_alike(tmp_path):
    shared, local = SharedQuotas(_board(tmp_path), 0), LocalQuotas()
    for amount in (3, 4, 9, 1, 2):  # 9 is more than the bucket holds: a full one is enough, and leaves a debt
        found = [quotas.spend("ann", "steps", amount, 0.001, 7) for quotas in (shared, local)]
        assert found[0] == pytest.approx(found[1], rel=0.01, abs=5)
        assert (found[0] == 0) == (found[1] == 0)
    fresh = SharedQuotas(_board(tmp_path, "fresh"), 0)
    assert fresh.spend("bob", "steps", 9, 0.001, 7) == 0
    assert fresh.spend("bob", "steps", 1, 0.001, 7) == pytest.approx(3000, rel=0.01)


def test_seats_tell_what_workers_do(tmp_path):
    board = _board(tmp_path)
    board.sit(1, State.READY, 0xFFFFFFFF, 42)
    seen = Board(tmp_path / "board").seat(1)
    assert (seen.state, seen.incarnation, seen.process) == (State.READY, 0xFFFFFFFF, 42)
    board.leave(1)
    assert board.seat(1).state == State.DOWN
    assert board.seat(1).incarnation == 0xFFFFFFFF
    assert board.seat(7).state == State.DOWN


def test_the_file_is_closed_to_others_and_not_made_twice(tmp_path):
    _board(tmp_path)
    assert os.stat(tmp_path / "board").st_mode & 0o777 == 0o600
    with pytest.raises(FileExistsError):
        _board(tmp_path)


def test_too_many_accounts_are_refused_in_words(tmp_path, monkeypatch):
    board = _board(tmp_path)
    monkeypatch.setattr("rlgym.serve.board.MOST_ACCOUNTS", 3)
    quotas = SharedQuotas(board, 0)
    for name in "abc":
        assert quotas.hold(name, None)
    with pytest.raises(RlgymError, match="more than 3 keys"):
        quotas.hold("d", None)
    assert MOST_ACCOUNTS > 1000
