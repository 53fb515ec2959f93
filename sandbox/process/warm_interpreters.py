"""Starts warm interpreters, which confine themselves, and sends them jobs."""

from __future__ import annotations

import array
import contextlib
import importlib.util
import json
import os
import secrets
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path
from typing import Any

from rlgym.core.limits import Limits
from rlgym.sandbox.interface import RunResult, SandboxError
from rlgym.sandbox.process import accounts
from rlgym.sandbox.process.access_times import renew_access_times
from rlgym.sandbox.process.backend import EncodedJob
from rlgym.sandbox.process.run_channel import RunChannel

HERE = Path(__file__).parent
INSIDE = 1000  # the user that programs run as, in their own name space
NOBODY = 65534  # who that is outside, when root starts them
USERS = (20000, 60000)  # limits on processes count per user, so that every interpreter that root starts has one of its own
THREADS = 64
RECYCLED = 5000  # runs after which a warm interpreter is replaced
SETTLING = 0.2  # seconds after which a run may be said to rest
BOOT = "import os, sys; os.dup2(int(sys.argv[1]), 3, True); from inside import zygote; zygote.main()"


class Zygote:
    """One warm interpreter; serves one job at a time. `lost` says that it is of no more use."""

    def __init__(self, tier: str) -> None:
        self.runs, self.lost = 0, False
        self._running_since: float | None = None
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control = ours
        environment = {"PYTHONHASHSEED": "0", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC", "PYTHONPATH": str(HERE)}
        environment["MALLOC_ARENA_MAX"] = "1"  # every other arena would reserve 64 MB of a run's memory for one thread
        command = [base_python(), "-s", "-S", "-B", "-c", BOOT]
        self._process = subprocess.Popen(
            [*command, str(theirs.fileno())],
            env=environment,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/",
        )
        theirs.close()
        try:
            self.tier = self._started(tier)
        except BaseException:
            self.close()
            raise

    def _started(self, tier: str) -> str:
        shown, hidden = _files()
        root = tempfile.mkdtemp(prefix="rlgym-") if tier == "A" else ""
        user = USERS[0] + secrets.randbelow(USERS[1] - USERS[0]) if tier == "B" and os.geteuid() == 0 else 0
        request = {"tier": tier, "root": root, "shown": shown, "hidden": hidden, "inside": INSIDE, "user": user, "engine": _engine()}
        if tier == "B":
            renew_access_times(shown)
        try:
            self._control.settimeout(60)
            self._control.send(json.dumps(request).encode())
            answer = self._answer()
            if answer.get("map"):
                map_users(self._process.pid)
                self._control.send(b"{}")
                answer = self._answer()
            self._control.settimeout(None)
        except OSError as error:
            raise SandboxError(f"a warm interpreter did not start: {error}") from None
        finally:
            if root:
                os.rmdir(root)  # the interpreter has made it the root of its own name space, or failed to
        if not answer["tier"]:
            raise SandboxError(f"a warm interpreter could not be confined: {answer['why']}")
        self.languages = ("python", "javascript") if answer["javascript"] else ("python",)
        return str(answer["tier"])

    def _answer(self) -> dict[str, Any]:
        return dict(json.loads(self._control.recv(1 << 12) or b'{"tier": "", "why": "it ended at once"}'))

    def run(self, job: EncodedJob, limits: Limits) -> RunResult:
        """Run one job. Afterwards `lost` is set if the interpreter failed or has served long enough."""
        self.runs += 1
        self._running_since = time.monotonic()
        try:
            result = self._run(job, limits)
        except BaseException:
            self.lost = True
            raise
        finally:
            self._running_since = None
        self.lost = self.runs >= RECYCLED
        return result

    def rests(self) -> bool:
        """Whether the run that is under way has mostly slept or waited, so that another could use its processor."""
        since = self._running_since
        wall = time.monotonic() - since if since is not None else 0.0
        return wall > SETTLING and accounts.rests(self._process.pid, wall)

    def alive(self) -> bool:
        return not self.lost

    def _run(self, job: EncodedJob, limits: Limits) -> RunResult:
        talk, remote_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        out, out_far = os.pipe()
        err, err_far = os.pipe()
        request = {"seconds": limits.seconds, "memory": limits.memory_mb << 20, "threads": THREADS, "run": self.runs, "tier": self.tier}
        try:
            handed = array.array("i", [remote_end.fileno(), out_far, err_far])
            self._control.sendmsg([json.dumps(request).encode()], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, handed)])
        except OSError as error:
            for descriptor in (out, err):
                os.close(descriptor)
            talk.close()
            raise SandboxError(f"the warm interpreter is gone: {error}") from None
        finally:
            remote_end.close()
            os.close(out_far)
            os.close(err_far)
        with talk:
            return RunChannel(self._control, talk, (out, err), job, limits, self.runs, self._process.pid).result()

    def close(self) -> None:
        self._control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(2)
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()


def _engine() -> str:
    """The folder that holds the JavaScript engine's package, or nothing."""
    spec = importlib.util.find_spec("quickjs")
    return str(Path(spec.origin).parents[1]) if spec and spec.origin else ""


def map_users(pid: int) -> None:
    """Say who the users of a process's new user name space are outside: itself, and where root starts it, nobody."""
    place, root = Path("/proc") / str(pid), os.geteuid() == 0
    users = f"0 {os.geteuid()} 1\n{INSIDE} {NOBODY} 1" if root else f"{INSIDE} {os.geteuid()} 1"
    groups = f"0 {os.getegid()} 1\n{INSIDE} {NOBODY} 1" if root else f"{INSIDE} {os.getegid()} 1"
    (place / "setgroups").write_text("deny")
    (place / "gid_map").write_text(groups)
    (place / "uid_map").write_text(users)


def base_python() -> str:
    """The interpreter under the virtual environment, if there is one."""
    return str(getattr(sys, "_base_executable", None) or sys.executable)


def _files() -> tuple[list[str], list[str]]:
    """Folders that programs may see, and folders below them that they may not: no package but the standard library."""
    library = sysconfig.get_path("stdlib", vars={"base": sys.base_prefix, "installed_base": sys.base_prefix})
    shown = {os.path.realpath(library)}
    if sys.platform != "linux":
        return sorted(shown), []
    with open("/proc/self/maps", encoding="utf-8") as maps:
        shared = {os.path.dirname(os.path.realpath(line.split(maxsplit=5)[5].strip())) for line in maps if ".so" in line and "/" in line}
    shown |= {folder for folder in (*shared, "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu") if folder.endswith("-linux-gnu")}
    hidden = [os.path.join(os.path.realpath(library), name) for name in ("site-packages", "dist-packages", "test", "ensurepip", "idlelib")]
    return sorted(os.path.realpath(folder) for folder in shown if os.path.isdir(folder)), hidden
