"""The trusted side of one command of a session: starts it confined, watches what it uses, and takes what it leaves."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from rlgym.core.limits import Limits
from rlgym.sandbox.interface import RunResult, SandboxError, Stop
from rlgym.sandbox.process.accounts import Usage, usage_below
from rlgym.sandbox.process.polling import wait_ready
from rlgym.sandbox.process.run_channel import ENDING, WALL_EXTRA, WALL_FACTOR
from rlgym.sandbox.process.warm_interpreters import HERE, INSIDE, base_python, map_users

# The descriptors come under any numbers and become 3, 4 and 5. A copy goes to a free number first: a fixed one may belong to
# another of them, and the command's errors would then go where its report goes.
MOVE = """import fcntl, os, sys
given = [int(number) for number in sys.argv[1:]]
copies = [fcntl.fcntl(number, fcntl.F_DUPFD, 6) for number in given]
for place, copy in enumerate(copies, 3):
    os.dup2(copy, place)
os.closerange(6, max(given + copies) + 1)
"""
BOOT = "from inside import cell; cell.main()"
LINKED = ("/bin", "/sbin", "/lib", "/lib64", "/lib32")
FILES_SHOWN = ("/etc/ld.so.cache", "/etc/alternatives")
OWN = ("/work", "/tmp", "/dev", "/proc", "/sys", "/old")
WATCHED = 0.05  # seconds between two looks at what the processes of a command use
REPORT = 64 << 20  # bytes that a report on a command may take
SCRATCH = (16 << 20, 128 << 20)  # the least and the most bytes that the files of a command may take, in memory


def run_command(
    command: Sequence[str],
    stdin: str,
    files: Mapping[str, bytes],
    limits: Limits,
    tier: str,
    bounds: Mapping[str, int],
    roots: Sequence[str] = (),
) -> tuple[RunResult, dict[str, bytes] | None]:
    """What a command did, and the files that it left; None where it left them as they were."""
    with tempfile.TemporaryDirectory(prefix="rlgym-") as root:
        description = describe(command, stdin, files, limits, tier, bounds, root)
        description["links"] = {f"/{name}": f"/work/{name}" for name in roots} | _system()[2]
        return Command(tier, description, limits).result()


def is_system_path(path: str) -> bool:
    """Whether a folder at the root is one that commands see of the machine, or that a session makes."""
    shown, _, links = _system()
    return path in (*OWN, *LINKED, *links) or any(folder == path or folder.startswith(f"{path}/") for folder in (*shown, *FILES_SHOWN))


def system_links() -> dict[str, str]:
    """The links at the root that stand for folders of programs."""
    return dict(_system()[2])


def describe(
    command: Sequence[str], stdin: str, files: Mapping[str, bytes], limits: Limits, tier: str, bounds: Mapping[str, int], root: str
) -> dict[str, object]:
    """What the other side needs to know to run a command."""
    shown, hidden, _ = _system()
    binaries = os.path.dirname(base_python())
    environment = {"PATH": f"{binaries}:/usr/local/bin:/usr/bin:/bin", "HOME": "/work", "LANG": "C.UTF-8", "TZ": "UTC"}
    environment |= {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONNOUSERSITE": "1", "TMPDIR": "/tmp"}
    environment["MALLOC_ARENA_MAX"] = "1"  # every other arena would reserve 64 MB of a process's memory for one thread
    return {
        "tier": tier,
        "root": root,
        "shown": shown,
        "hidden": hidden,
        "files_shown": [path for path in FILES_SHOWN if os.path.isfile(path)],
        "inside": INSIDE,
        "command": list(command),
        "environment": environment,
        "stdin": stdin,
        "files": {path: base64.b64encode(data).decode() for path, data in files.items()},
        "seconds": limits.seconds,
        "memory": limits.memory_mb << 20,
        "scratch": min(max(limits.memory_mb << 19, SCRATCH[0]), SCRATCH[1]),
        "processes": max(2, limits.processes),
        **bounds,
    }


class Command:
    """One command, from its start on."""

    def __init__(self, tier: str, description: dict[str, object], limits: Limits) -> None:
        self._limits = limits
        self._stop: Stop | None = None
        self._used = Usage()
        self._control, remote_end = socket.socketpair()
        pipes = [os.pipe(), os.pipe()]
        self._pipes = {reader: bytearray() for reader, _ in pipes}
        handed = (remote_end.fileno(), pipes[0][1], pipes[1][1])
        environment = {"PATH": "/usr/bin:/bin", "PYTHONHASHSEED": "0", "PYTHONPATH": str(HERE)}
        self._process = subprocess.Popen(
            [base_python(), "-s", "-S", "-B", "-c", MOVE + BOOT, *map(str, handed)],
            env=environment,
            pass_fds=handed,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/",
        )
        for descriptor in handed[1:]:
            os.close(descriptor)
        remote_end.close()
        try:
            self._send(description)
            if tier == "A":
                answer = self._receive(60.0)
                if not answer.get("map"):
                    raise SandboxError(f"a command cannot be confined here: {answer.get('why', 'it ended at once')}")
                map_users(self._process.pid)
                self._send({})
        except OSError as error:
            self._close()
            raise SandboxError(f"a command cannot be confined here: {error}") from None
        except BaseException:
            self._close()
            raise

    def result(self) -> tuple[RunResult, dict[str, bytes] | None]:
        """What the command did, and the files that it left."""
        result, report = self.report()
        files_left = report["files"]
        assert isinstance(files_left, dict)
        return result, {path: base64.b64decode(data) for path, data in files_left.items()}

    def report(self) -> tuple[RunResult, dict[str, object]]:
        """What the command did, and the report on it."""
        try:
            report = self._until_over()
        finally:
            self._close()
        if "why" in report:
            raise SandboxError(f"a command could not be confined: {report['why']}")
        exit_code = os.waitstatus_to_exitcode(int(str(report["status"])))
        seconds, kilobytes = float(str(report["seconds"])), int(str(report["kilobytes"]))
        out, err = (bytes(data).decode("utf-8", "replace") for data in self._pipes.values())
        stop = self._stop or self._reason(exit_code, over_time=seconds >= 0.9 * self._limits.seconds)
        result = RunResult(out, err + str(report["refused"]), (), exit_code, stop, seconds, max(kilobytes, self._used.kilobytes))
        return result, report

    def _reason(self, exit_code: int, *, over_time: bool) -> Stop:
        """Why a command ended that was not stopped from here. A shell adds 128 to the signal that ended its last program."""
        if exit_code in (-signal.SIGXCPU, 128 + signal.SIGXCPU) or (exit_code in (-signal.SIGKILL, 128 + signal.SIGKILL) and over_time):
            return Stop.TIME
        if exit_code < 0:
            return Stop.FORBIDDEN if exit_code == -signal.SIGSYS else Stop.CRASHED
        return Stop.FINISHED if exit_code == 0 else Stop.ERROR

    def _until_over(self) -> dict[str, object]:
        deadline = time.monotonic() + WALL_FACTOR * self._limits.seconds + WALL_EXTRA
        open_pipes, heard, watched = set(self._pipes), bytearray(), time.monotonic()
        while True:
            seconds_left = deadline - time.monotonic()
            if seconds_left <= 0:
                if self._stop is not None and seconds_left < -ENDING:
                    raise SandboxError("a command could not be ended")
                self._end(Stop.TIME)
            reading: list[socket.socket | int] = [self._control, *open_pipes]
            ready, _ = wait_ready(reading, [], WATCHED)
            if time.monotonic() - watched >= WATCHED:
                self._watch()
                watched = time.monotonic()
            for pipe in open_pipes.intersection(ready):
                if not self._drain(pipe):
                    open_pipes.discard(pipe)
            if self._control in ready:
                piece = self._control.recv(1 << 20)
                if not piece:
                    raise SandboxError("what confines a command ended before it")
                heard += piece
                size = struct.unpack("!I", heard[:4])[0] if len(heard) >= 4 else 0
                if size > REPORT:
                    raise SandboxError(f"the report on a command takes {size} bytes")
                if len(heard) >= 4 and len(heard) >= 4 + size:
                    self._drain_rest(open_pipes)
                    return dict(json.loads(heard[4:]))

    def _watch(self) -> None:
        """End a command whose processes use too much: the kernel's limits hold for each alone, and a signal can be ignored."""
        self._used = usage_below(self._process.pid, self._used)
        if self._processor_seconds() > self._limits.seconds:
            self._end(Stop.TIME)
        elif self._used.kilobytes > self._limits.memory_mb << 10:
            self._end(Stop.MEMORY)

    def _drain(self, pipe: int) -> bool:
        """Read from a pipe and keep what there is room for; False at its end."""
        data = os.read(pipe, 1 << 16)
        room = (self._limits.output_kb << 10) - sum(map(len, self._pipes.values()))
        self._pipes[pipe] += data[: max(0, room)]
        if len(data) > room:
            self._end(Stop.OUTPUT)
        return bool(data)

    def _drain_rest(self, open_pipes: set[int]) -> None:
        """Read the rest of the pipes after everything has ended."""
        for pipe in open_pipes:
            os.set_blocking(pipe, False)
            with contextlib.suppress(BlockingIOError):
                while self._drain(pipe):
                    pass

    def _end(self, why: Stop) -> None:
        if self._stop is None:
            self._stop = why
            with contextlib.suppress(OSError):
                self._control.send(b"end")

    def _send(self, message: dict[str, object]) -> None:
        text = json.dumps(message).encode()
        self._control.sendall(struct.pack("!I", len(text)) + text)

    def _processor_seconds(self) -> float:
        """The processor time that counts: of the process that used most, since a compiler and a linker may each need some."""
        return self._used.longest_seconds

    def _receive(self, seconds: float) -> dict[str, object]:
        self._control.settimeout(seconds)
        head = self._control.recv(4, socket.MSG_WAITALL)
        text = self._control.recv(struct.unpack("!I", head)[0], socket.MSG_WAITALL) if len(head) == 4 else b"{}"
        self._control.settimeout(None)
        return dict(json.loads(text))

    def _close(self) -> None:
        self._control.close()
        for pipe in self._pipes:
            with contextlib.suppress(OSError):
                os.close(pipe)
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


@cache
def _system() -> tuple[list[str], list[str], dict[str, str]]:
    """Folders that commands may see, folders below them that they may not, and links that stand for folders."""
    shown = ["/usr", *(path for path in (*LINKED, "/etc/alternatives") if os.path.isdir(path) and not os.path.islink(path))]
    base = os.path.realpath(sysconfig.get_path("stdlib", vars={"base": sys.base_prefix, "installed_base": sys.base_prefix}))
    prefix = os.path.realpath(sys.base_prefix)
    if not base.startswith("/usr/"):
        shown.append(prefix)
    links = {path: os.readlink(path) for path in LINKED if os.path.islink(path)}
    own = os.path.realpath(HERE.parents[1])
    hidden = [own] if any(own.startswith(f"{folder}/") for folder in shown) else []
    for place in ("/usr/lib/python3", "/usr/local/lib", f"{prefix}/lib"):
        packages = Path(place).glob("**/*-packages") if os.path.isdir(place) else []
        hidden += [
            str(path) for path in packages if path.name in ("site-packages", "dist-packages") and path.is_dir() and len(path.parts) < 12
        ]
    outer = [path for path in dict.fromkeys(hidden) if not any(path != other and path.startswith(f"{other}/") for other in hidden)]
    return shown, outer, links
