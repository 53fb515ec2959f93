"""A clean, confined interpreter that forks a child for every job it is handed.

Started with one socket, over which it receives what to show of the file system and then, job by job, the limits and three
descriptors: the job's socket, and where standard output and standard error go. Programs never pass through this process.
"""

from __future__ import annotations

import array
import contextlib
import gc
import importlib
import io
import json
import os
import resource
import select
import signal
import socket
import sys
import threading
import time
from typing import Any

from . import calls, child, javascript, kernel

CONTROL = 3
OPEN_FILES = 32
WARMED = 50
STARTED = b"started"
CHECKED = 0.005  # seconds between two looks at a clock, at least
PROCESSORS = os.cpu_count() or 1
THREAD_STACK = 2 << 20  # bytes; the default would take 16 MB of a run's memory for every thread
FROM_OUTSIDE = hasattr(resource, "prlimit")  # one process can set another's limits
FILTER = calls.Filter() if kernel.MACHINE in calls.PLAIN else None
PRELOADED = (
    "abc array ast base64 bisect calendar cmath collections collections.abc contextlib copy csv dataclasses datetime decimal difflib enum fractions "
    "functools hashlib heapq hmac html io itertools json keyword locale math numbers operator pprint queue random re secrets statistics string struct "
    "textwrap threading time timeit token tokenize traceback types typing unicodedata urllib.parse uuid warnings weakref zlib zoneinfo"
).split()


def main() -> None:
    control = socket.socket(fileno=CONTROL)
    for name in PRELOADED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    request = json.loads(control.recv(1 << 16))
    engine = bool(request["engine"]) and javascript.load(request["engine"])
    try:
        facts = {**_confined(control, request), "javascript": engine}
    except OSError as error:
        facts = {"tier": "", "why": str(error)}
    control.send(json.dumps(facts).encode())
    if not facts["tier"]:
        return
    for signal_number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(signal_number, signal.SIG_DFL)
    kernel.bounded(OPEN_FILES)
    threading.stack_size(THREAD_STACK)
    # What is done here is not done in every child: its pages are shared, and its code already knows its types.
    sys.stdout, sys.stderr = (
        io.TextIOWrapper(io.FileIO(place, "w", closefd=False), encoding="utf-8", errors="replace", line_buffering=True) for place in (1, 2)
    )
    for _ in range(WARMED):
        child.warm()
    gc.collect()
    gc.freeze()
    gc.disable()
    sys.path[:] = [
        folder for folder in sys.path if folder in request["shown"] or any(folder.startswith(prefix + "/") for prefix in request["shown"])
    ]
    os.environ.clear()
    os.environ.update({"PATH": "/nowhere", "HOME": "/", "LANG": "C.UTF-8", "TZ": "UTC"})
    _serve(control, request["tier"])


def _confined(control: socket.socket, request: dict[str, Any]) -> dict[str, Any]:
    """Tier A: name spaces, an own view of the files, no capabilities, Landlock. Tier B: Landlock alone. Tier C: nothing."""
    tier = request["tier"]
    if tier == "C":
        return {"tier": tier, "landlock": 0, "pid": os.getpid()}
    if tier == "A":
        kernel.unshare()
        control.send(b'{"map": true}')
        control.recv(64)  # whoever started this has written the maps of users
        kernel.view(request["root"], request["shown"], request["hidden"])
        os.setresgid(request["inside"], request["inside"], request["inside"])
        os.setresuid(request["inside"], request["inside"], request["inside"])
        kernel.powerless()
        readable = request["shown"]
    else:
        hidden = set(request["hidden"])
        readable = []
        for folder in request["shown"]:
            inside = (
                sorted(os.path.join(folder, name) for name in os.listdir(folder))
                if any(path.startswith(folder) for path in hidden)
                else [folder]
            )
            readable += [path for path in inside if path not in hidden]
        if request["user"]:
            kernel.become(request["user"])
            unreadable = [path for path in request["shown"] if not os.access(path, os.R_OK | os.X_OK)]
            if unreadable:
                who = f"programs run as user {request['user']} instead of root"
                raise PermissionError(f"{who}, who cannot read {unreadable[0]!r}: install Python where all users can")
        kernel.powerless()
    kernel.unreadable()
    return {"tier": tier, "landlock": kernel.landlocked(readable), "pid": os.getpid()}


class Spare:
    """A child forked ahead of its job, so that the next fork happens while a program runs."""

    def __init__(self, tier: str) -> None:
        self._near, remote_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.pid = os.fork()
        if not self.pid:
            self._near.close()
            _ready(remote_end, tier)
        remote_end.close()

    def start(self, data: bytes, handed: array.array[int]) -> None:
        """Hand it its job; the descriptors are its own from then on."""
        self._near.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, handed)])
        for descriptor in handed:
            os.close(descriptor)

    def close(self) -> bool:
        """Whether it had acknowledged, confined and before it could read its program, that it has its job."""
        with self._near, contextlib.suppress(OSError):
            return self._near.recv(len(STARTED), socket.MSG_DONTWAIT) == STARTED
        return False


def _received(receiver: socket.socket, most: int) -> tuple[bytes, array.array[int]]:
    """One message and the descriptors that came with it."""
    data, ancillary, _, _ = receiver.recvmsg(most, socket.CMSG_SPACE(3 * 4))
    handed = array.array("i")
    for _level, _kind, packed in ancillary:
        handed.frombytes(packed[: len(packed) - len(packed) % handed.itemsize])
    return data, handed


def _serve(control: socket.socket, tier: str) -> None:
    """Serve jobs until the other side has gone; a child that was never needed goes with it."""
    spare = Spare(tier)
    while True:
        data, handed = _received(control, 1 << 12)
        if not data:
            os.kill(spare.pid, signal.SIGKILL)
            return
        if data.startswith(b"end"):
            continue  # said of a run that had ended by itself meanwhile
        pid, request = spare.pid, json.loads(data)
        if FROM_OUTSIDE:
            kernel.limited(pid, request["seconds"], request["memory"], request["threads"])
        spare.start(data, handed)
        running, spare = spare, Spare(tier)
        status, used, over = _waited(control, pid, b"end %d" % request["run"], request["seconds"])
        started = running.close()
        if status is None:
            os.kill(spare.pid, signal.SIGKILL)
            return
        report = {"status": status, "started": started, "over": over, "seconds": used.ru_utime + used.ru_stime, "kilobytes": used.ru_maxrss}
        control.send(json.dumps(report).encode())


def _seconds_used(pid: int) -> float | None:
    """The processor time of a process over all its threads; None where the kernel has no such clock."""
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except (AttributeError, OSError, OverflowError):
        return None


def _waited(control: socket.socket, pid: int, ending: bytes, seconds: float) -> tuple[int | None, resource.struct_rusage, bool]:
    """The child's status, what it used, and whether its time ran out, once it has ended by itself or been ended.

    The status is None if the other side has gone. The clock of the process is read from here, since a program can ignore the
    signal that the kernel's own limit sends. It is read no sooner than all processors together could have used up what is left.
    """
    # Where the kernel cannot tell of an ended child over a descriptor, it is looked after a hundred times a second.
    exit_fds = [os.pidfd_open(pid)] if hasattr(os, "pidfd_open") else []
    finished = over = False
    pause: float | None = max(CHECKED, seconds / PROCESSORS)
    try:
        while True:
            waiting: list[socket.socket | int] = [control, *exit_fds]
            ready, _, _ = select.select(waiting, [], [], pause if exit_fds else 0.01)
            done, status, used = os.wait4(pid, 0 if finished else os.WNOHANG)
            if done:
                return None if finished else status, used, over
            if not ready and not over:
                spent = _seconds_used(pid)
                pause = None if spent is None else max(CHECKED, (seconds - spent) / PROCESSORS)
                over = spent is not None and spent >= seconds
                if over:
                    os.kill(pid, signal.SIGKILL)
            if control in ready:
                message = control.recv(64)
                finished = not message
                if finished or message == ending:
                    os.kill(pid, signal.SIGKILL)
    finally:
        for descriptor in exit_fds:
            os.close(descriptor)


def _ready(receiver: socket.socket, tier: str) -> None:
    """The child: confined before it knows of a job, it then takes its descriptors and runs the program. Never returns."""
    try:
        if tier != "C":
            kernel.die_with_parent()
        os.setsid()
        os.dup2(os.pipe()[0], 0)
        os.dup2(receiver.fileno(), child.JOB)
        os.closerange(child.JOB + 1, 65536)
        near = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, child.JOB)
        child.warm()
        if tier != "C" and FILTER:
            FILTER.restrict(os.getpid())
        data, handed = _received(near, 1 << 12)
        if not data:
            os._exit(0)
        if not FROM_OUTSIDE:
            request = json.loads(data)
            kernel.limited(0, request["seconds"], request["memory"], request["threads"])
        near.detach()
        for descriptor, place in zip(handed[1:], (1, 2), strict=True):
            os.dup2(descriptor, place)
        os.write(child.JOB, STARTED)
        os.dup2(handed[0], child.JOB)
        for descriptor in handed:
            os.close(descriptor)
    except BaseException:
        os._exit(1)
    child.run()
