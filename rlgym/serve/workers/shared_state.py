"""State that the worker processes of one service share: a small file that all of them map into memory.

It holds a slot for each worker (what it does, its incarnation, its last heartbeat) and a record for each account: the tokens left in a
quota bucket, and the number of open sessions in each worker. Changes are made under a lock on the file, which the kernel releases
if its holder dies; `mark_down` returns the sessions of a dead worker.
"""

from __future__ import annotations

import fcntl
import hashlib
import mmap
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from rlgym import RlgymError
from rlgym.serve.workers.record_layout import RecordLayout

MAX_WORKERS = 64
MAX_ACCOUNTS = 16384
MAGIC = b"rlgym-2\0"
DIGEST_BYTES = 16
NO_ACCOUNT = bytes(DIGEST_BYTES)

HEADER = RecordLayout(magic=f"{len(MAGIC)}s", num_workers="I", reserved="I")
SLOT = RecordLayout(state="Q", incarnation="Q", pid="Q", heartbeat_at="d")
ACCOUNT = RecordLayout(digest=f"{DIGEST_BYTES}s", tokens="d", updated_at="d", open_sessions=f"{MAX_WORKERS}I")

SLOTS_START = HEADER.size
ACCOUNTS_START = SLOTS_START + MAX_WORKERS * SLOT.size
FILE_SIZE = ACCOUNTS_START + MAX_ACCOUNTS * ACCOUNT.size


class TooManyAccounts(RlgymError):
    """More keys are in use than the shared file can hold."""


class WorkerState(IntEnum):
    """What a worker is doing."""

    DOWN = 0
    STARTING = 1
    READY = 2
    DRAINING = 3
    DRAINED = 4  # clients cannot reach it any more, but the other workers can


@dataclass(frozen=True)
class WorkerSlot:
    """A worker as the other processes see it."""

    state: WorkerState
    incarnation: int
    pid: int
    heartbeat_at: float


class SharedState:
    """The mapped file. The supervisor creates it with `SharedState.create`; the workers open it by its path."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        self._memory = mmap.mmap(self._file, FILE_SIZE)
        magic = HEADER.read(self._memory, 0, "magic")
        if magic != MAGIC:
            raise RlgymError(f"{str(path)!r} is not a shared-state file: it starts with {magic!r}, expected {MAGIC!r}")
        self.num_workers: int = HEADER.read(self._memory, 0, "num_workers")
        self._thread_lock = threading.Lock()
        self._account_starts: dict[str, int] = {}

    @classmethod
    def create(cls, path: Path, num_workers: int) -> SharedState:
        """Create the file, readable by its owner only, and map it."""
        if not 1 <= num_workers <= MAX_WORKERS:
            raise RlgymError(f"the number of workers must be from 1 to {MAX_WORKERS}, got {num_workers}")
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            os.truncate(file, FILE_SIZE)
            with mmap.mmap(file, FILE_SIZE) as memory:
                HEADER.write(memory, 0, {"magic": MAGIC, "num_workers": num_workers})
        finally:
            os.close(file)
        return cls(path)

    def close(self) -> None:
        """Unmap and close the file."""
        self._memory.close()
        os.close(self._file)

    @contextmanager
    def _lock(self) -> Iterator[None]:
        with self._thread_lock:
            fcntl.flock(self._file, fcntl.LOCK_EX)
            try:
                yield
            finally:
                fcntl.flock(self._file, fcntl.LOCK_UN)

    def worker_slot(self, worker_id: int) -> WorkerSlot:
        """The slot of a worker; one that does not exist is down."""
        if not 0 <= worker_id < self.num_workers:
            return WorkerSlot(WorkerState.DOWN, 0, 0, 0.0)
        start = _slot_start(worker_id)
        state, incarnation, pid, heartbeat_at = (
            SLOT.read(self._memory, start, field) for field in ("state", "incarnation", "pid", "heartbeat_at")
        )
        return WorkerSlot(WorkerState(state), incarnation, pid, heartbeat_at)

    def worker_slots(self) -> list[WorkerSlot]:
        """The slots of all workers."""
        return [self.worker_slot(worker_id) for worker_id in range(self.num_workers)]

    def set_worker_state(self, worker_id: int, state: WorkerState, incarnation: int, pid: int) -> None:
        """Publish what a worker is doing."""
        slot = {"state": state, "incarnation": incarnation, "pid": pid, "heartbeat_at": time.monotonic()}
        with self._lock():
            SLOT.write(self._memory, _slot_start(worker_id), slot)

    def heartbeat(self, worker_id: int) -> None:
        """Publish that a worker is alive."""
        SLOT.write(self._memory, _slot_start(worker_id), {"heartbeat_at": time.monotonic()})

    def mark_down(self, worker_id: int) -> None:
        """Mark a worker as down and return the sessions it had open."""
        with self._lock():
            SLOT.write(self._memory, _slot_start(worker_id), {"state": WorkerState.DOWN, "pid": 0, "heartbeat_at": time.monotonic()})
            for start in range(ACCOUNTS_START, FILE_SIZE, ACCOUNT.size):
                if self._digest(start) != NO_ACCOUNT:
                    self._set_open_sessions(start, worker_id, 0)

    def consume(self, account: str, amount: float, rate_per_second: float, capacity: float) -> float:
        """Take tokens from an account's bucket; see `rlgym.serve.access.quotas.Quotas.consume`. An excess amount leaves a debt."""
        with self._lock():
            start = self._account_start(account)
            tokens, updated_at = (ACCOUNT.read(self._memory, start, field) for field in ("tokens", "updated_at"))
            now = time.monotonic()
            elapsed = max(0.0, now - updated_at)
            tokens = capacity if updated_at == 0 else min(capacity, tokens + elapsed * rate_per_second)
            missing = min(amount, capacity) - tokens
            ACCOUNT.write(self._memory, start, {"tokens": tokens if missing > 0 else tokens - amount, "updated_at": now})
            return max(0.0, missing / rate_per_second)

    def acquire_session(self, account: str, worker_id: int, limit: int | None) -> bool:
        """Count one more session of an account in a worker, unless it has `limit` over all workers."""
        with self._lock():
            start = self._account_start(account)
            counts = self._open_sessions(start)
            if limit is not None and sum(counts) >= limit:
                return False
            self._set_open_sessions(start, worker_id, counts[worker_id] + 1)
            return True

    def release_session(self, account: str, worker_id: int) -> None:
        """Count one session less."""
        with self._lock():
            start = self._account_start(account)
            self._set_open_sessions(start, worker_id, max(0, self._open_sessions(start)[worker_id] - 1))

    def _open_sessions(self, account_start: int) -> tuple[int, ...]:
        """The number of an account's open sessions in each worker."""
        counts: tuple[int, ...] = ACCOUNT.read(self._memory, account_start, "open_sessions")
        return counts

    def _set_open_sessions(self, account_start: int, worker_id: int, count: int) -> None:
        counts = self._open_sessions(account_start)
        ACCOUNT.write(self._memory, account_start, {"open_sessions": (*counts[:worker_id], count, *counts[worker_id + 1 :])})

    def _digest(self, account_start: int) -> bytes:
        digest: bytes = ACCOUNT.read(self._memory, account_start, "digest")
        return digest

    def _account_start(self, account: str) -> int:
        """Where an account's record starts. The records form a hash table with linear probing. Call it under the lock."""
        if account in self._account_starts:
            return self._account_starts[account]
        digest = hashlib.sha256(account.encode()).digest()[:DIGEST_BYTES]
        first = int.from_bytes(digest[:4], "big") % MAX_ACCOUNTS
        for probe in range(MAX_ACCOUNTS):
            start = ACCOUNTS_START + (first + probe) % MAX_ACCOUNTS * ACCOUNT.size
            stored = self._digest(start)
            if stored == NO_ACCOUNT:
                ACCOUNT.write(self._memory, start, {"digest": digest})
            if stored in (digest, NO_ACCOUNT):
                self._account_starts[account] = start
                return start
        raise TooManyAccounts(f"more than {MAX_ACCOUNTS} keys are in use; restart the service with fewer keys in its key file")


def _slot_start(worker_id: int) -> int:
    return SLOTS_START + worker_id * SLOT.size


class SharedQuotas:
    """Quotas over all workers, as one worker uses them; see `rlgym.serve.access.quotas.Quotas`."""

    def __init__(self, shared: SharedState, worker_id: int) -> None:
        self._shared, self._worker_id = shared, worker_id

    def consume(self, account: str, resource: str, amount: float, rate_per_second: float, capacity: float) -> float:
        """See Quotas."""
        return self._shared.consume(f"{resource}\0{account}", amount, rate_per_second, capacity)

    def acquire_session(self, account: str, limit: int | None) -> bool:
        """See Quotas."""
        return self._shared.acquire_session(f"sessions\0{account}", self._worker_id, limit)

    def release_session(self, account: str) -> None:
        """See Quotas."""
        self._shared.release_session(f"sessions\0{account}", self._worker_id)
