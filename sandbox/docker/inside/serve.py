"""The first process of a container: reads runs from standard input, hands them to a warm interpreter, writes what they gave.

It ends, and the container with it, as soon as nobody holds the other end of standard input any more.
"""

from __future__ import annotations

import contextlib
import os
import platform
import select
import signal
import threading
from pathlib import Path
from typing import Any

from rlgym.sandbox.docker.inside import wire
from rlgym.sandbox.interface import SandboxError
from rlgym.sandbox.process import warm_interpreters
from rlgym.sandbox.process.inside import kernel

# gVisor has no Landlock, no descriptors of processes, and fewer limits; what is left is the filter of system calls.
BOOT = (
    "import os, sys; os.dup2(int(sys.argv[1]), 3, True); from inside import kernel, zygote; vars(os).pop('pidfd_open', None); "
    "kernel.LINUX_ONLY.clear(); kernel.landlocked = lambda *paths: kernel.no_new_privileges() or 0; zygote.main()"
)
MOST_ASKED = 256 << 20
VERSION = Path("/opt/rlgym/version")


def main() -> None:
    tier = "G" if os.environ.get(wire.OWN_KERNEL) else "B"
    if tier == "G":
        warm_interpreters.BOOT = BOOT
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    # No process started from here on has the container's own input and output.
    asking, telling, null = os.dup(0), os.dup(1), os.open(os.devnull, os.O_RDWR)
    for place in (0, 1):
        os.dup2(null, place)
    threading.Thread(target=_end_when_left, args=(asking,), daemon=True).start()
    try:
        zygote = _warm()
    except SandboxError as why:
        _write(telling, {"why": str(why)})
        return
    kernel.unreadable()
    version = VERSION.read_text().strip() if VERSION.exists() else ""
    _write(telling, {"tier": tier, "languages": zygote.languages, "python": platform.python_version(), "version": version})
    while True:
        request = wire.read(lambda count: _exactly(asking, count), MOST_ASKED)
        if "ping" in request:
            _write(telling, {"pong": request["ping"], "runs": zygote.runs})
            continue
        try:
            job, limits = wire.job(request)
            reply = wire.encode_result(zygote.run(job, limits))
        except SandboxError as why:
            reply = {"broken": str(why)}
        if zygote.lost:
            zygote.close()
            _reap()
            zygote = _warm()
        _write(telling, reply)


def _warm() -> warm_interpreters.Zygote:
    """A warm interpreter that the kernel ends before this process when memory runs out, as it does all that it starts."""
    _offer("1000")
    try:
        return warm_interpreters.Zygote("B")
    finally:
        _offer("0")


def _offer(score: str) -> None:
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(score)


def _reap() -> None:
    """What a warm interpreter left is this process's to wait for."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _end_when_left(descriptor: int) -> None:
    watched = select.poll()
    watched.register(descriptor, 0)
    watched.poll()
    os._exit(0)


def _exactly(descriptor: int, count: int) -> bytes:
    data = bytearray()
    while len(data) < count:
        piece = os.read(descriptor, min(1 << 20, count - len(data)))
        if not piece:
            os._exit(0)
        data += piece
    return bytes(data)


def _write(descriptor: int, message: dict[str, Any]) -> None:
    data = memoryview(wire.frame(message))
    while data:
        data = data[os.write(descriptor, data) :]


if __name__ == "__main__":
    main()
