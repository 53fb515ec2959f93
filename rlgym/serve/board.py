"""What the worker processes of one service know of each other: a small file that all of them map into memory.

It holds a seat for each worker (what it does, which incarnation it is, when it last said so) and an account for each key: what is left in
its bucket of requests, and how many sessions it has open in each worker. Every change is made under a lock of the file, which the
system lets go when its holder dies; a dead worker's sessions are given back with `leave`.
"""

from __future__ import annotations

import fcntl
import hashlib
import mmap
import os
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from rlgym import RlgymError

MOST_WORKERS = 64
MOST_ACCOUNTS = 16384
HEAD = struct.Struct("=8sII")
MAGIC = b"rlgym-1\0"
SEAT = struct.Struct("=QQQd")  # state, incarnation, process, when it last beat
ACCOUNT = struct.Struct(f"=16sdd{MOST_WORKERS}I")  # whose, tokens left, as of when, sessions open in each worker
COUNT = struct.Struct("=I")
OPEN_AT = 16 + 8 + 8
SEATS_AT = HEAD.size
ACCOUNTS_AT = SEATS_AT + MOST_WORKERS * SEAT.size
SIZE = ACCOUNTS_AT + MOST_ACCOUNTS * ACCOUNT.size


class BoardFull(RlgymError):
    """More keys are in use than the shared file has room for."""


class State(IntEnum):
    """What a worker is doing."""

    DOWN = 0
    STARTING = 1
    READY = 2
    DRAINING = 3
    DRAINED = 4  # clients cannot reach it any more; the other workers still can


@dataclass(frozen=True)
class Seat:
    """A worker as the others see it."""

    state: State
    incarnation: int
    process: int
    beat: float


class Board:
    """The shared file, mapped. `Board.make` makes it; every process then opens it by its path."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        self._map = mmap.mmap(self._file, SIZE)
        magic, self.workers, _ = HEAD.unpack_from(self._map)
        if magic != MAGIC:
            raise RlgymError(f"{str(path)!r} is not a file that workers share: it begins with {magic!r}")
        self._threads = threading.Lock()
        self._places: dict[str, int] = {}

    @classmethod
    def make(cls, path: Path, workers: int) -> Board:
        """Make the file for this many workers, readable by nobody else, and map it."""
        if not 1 <= workers <= MOST_WORKERS:
            raise RlgymError(f"a service has from 1 to {MOST_WORKERS} workers, got {workers}")
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            os.truncate(file, SIZE)
            os.pwrite(file, HEAD.pack(MAGIC, workers, 0), 0)
        finally:
            os.close(file)
        return cls(path)

    def close(self) -> None:
        """Let the file go."""
        self._map.close()
        os.close(self._file)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with self._threads:
            fcntl.flock(self._file, fcntl.LOCK_EX)
            try:
                yield
            finally:
                fcntl.flock(self._file, fcntl.LOCK_UN)

    # Seats.

    def seat(self, worker: int) -> Seat:
        """What this worker is doing; of one that there never was, that it is down."""
        if not 0 <= worker < self.workers:
            return Seat(State.DOWN, 0, 0, 0.0)
        state, incarnation, process, beat = SEAT.unpack_from(self._map, SEATS_AT + worker * SEAT.size)
        return Seat(State(state), incarnation, process, beat)

    def seats(self) -> list[Seat]:
        """What every worker is doing."""
        return [self.seat(worker) for worker in range(self.workers)]

    def sit(self, worker: int, state: State, incarnation: int, process: int) -> None:
        """Say what a worker is doing."""
        with self._alone():
            SEAT.pack_into(self._map, SEATS_AT + worker * SEAT.size, state, incarnation, process, time.monotonic())

    def beat(self, worker: int) -> None:
        """Say that a worker is still alive."""
        struct.pack_into("=d", self._map, SEATS_AT + worker * SEAT.size + 24, time.monotonic())

    def leave(self, worker: int) -> None:
        """Mark a worker as down and give back the sessions that it had open."""
        with self._alone():
            _, incarnation, _, _ = SEAT.unpack_from(self._map, SEATS_AT + worker * SEAT.size)
            SEAT.pack_into(self._map, SEATS_AT + worker * SEAT.size, State.DOWN, incarnation, 0, time.monotonic())
            for place in range(ACCOUNTS_AT, SIZE, ACCOUNT.size):
                COUNT.pack_into(self._map, place + OPEN_AT + worker * COUNT.size, 0)

    # Accounts.

    def take(self, name: str, amount: float, rate: float, most: float) -> float:
        """Take this many tokens from a bucket that holds `most` and fills by `rate` a second; 0, or the seconds until they would be there.

        An amount above `most` needs a full bucket only, and leaves a debt.
        """
        with self._alone():
            place = self._place(name)
            tokens, then = struct.unpack_from("=dd", self._map, place + 16)
            now = time.monotonic()
            tokens = most if then == 0 else min(most, tokens + max(0.0, now - then) * rate)
            missing = min(amount, most) - tokens
            struct.pack_into("=dd", self._map, place + 16, tokens if missing > 0 else tokens - amount, now)
            return max(0.0, missing / rate)

    def hold(self, name: str, worker: int, most: int | None) -> bool:
        """Count one more session of this account in this worker, unless it has as many as it may over all workers."""
        with self._alone():
            place = self._place(name) + OPEN_AT
            counts = struct.unpack_from(f"={self.workers}I", self._map, place)
            if most is not None and sum(counts) >= most:
                return False
            COUNT.pack_into(self._map, place + worker * COUNT.size, counts[worker] + 1)
            return True

    def release(self, name: str, worker: int) -> None:
        """Count one session less."""
        with self._alone():
            place = self._place(name) + OPEN_AT + worker * COUNT.size
            (count,) = COUNT.unpack_from(self._map, place)
            COUNT.pack_into(self._map, place, max(0, count - 1))

    def held(self, name: str) -> int:
        """How many sessions this account has open over all workers."""
        with self._alone():
            return sum(struct.unpack_from(f"={self.workers}I", self._map, self._place(name) + OPEN_AT))

    def _place(self, name: str) -> int:
        """Where this account is; called under the lock."""
        if name in self._places:
            return self._places[name]
        whose = hashlib.sha256(name.encode()).digest()[:16]
        first = int.from_bytes(whose[:4], "big") % MOST_ACCOUNTS
        for step in range(MOST_ACCOUNTS):
            place = ACCOUNTS_AT + (first + step) % MOST_ACCOUNTS * ACCOUNT.size
            there = self._map[place : place + 16]
            if there == bytes(16):
                self._map[place : place + 16] = whose
            if there in (whose, bytes(16)):
                self._places[name] = place
                return place
        raise BoardFull(f"more than {MOST_ACCOUNTS} keys are in use; start the service again, with fewer keys in its file")


class SharedQuotas:
    """The quotas of keys over all workers, as one worker uses them; see `rlgym.serve.keys.Quotas`."""

    def __init__(self, board: Board, worker: int) -> None:
        self._board, self._worker = board, worker

    def spend(self, name: str, what: str, amount: float, per_second: float, most: float) -> float:
        """See Quotas."""
        return self._board.take(f"{what}\0{name}", amount, per_second, most)

    def hold(self, name: str, most: int | None) -> bool:
        """See Quotas."""
        return self._board.hold(f"sessions\0{name}", self._worker, most)

    def release(self, name: str) -> None:
        """See Quotas."""
        self._board.release(f"sessions\0{name}", self._worker)
