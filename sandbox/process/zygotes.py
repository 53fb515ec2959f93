"""Starts warm interpreters, tells them how to confine themselves, and hands them jobs."""

from __future__ import annotations

import array
import contextlib
import importlib.util
import json
import os
import socket
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from rlgym.core.limits import Limits
from rlgym.sandbox import RunResult, SandboxBroken
from rlgym.sandbox.process.talk import Job, Talk

HERE = Path(__file__).parent
INSIDE = 1000  # the user that programs run as, in their own name space
NOBODY = 65534  # who that is outside, when root starts them
THREADS = 64
BOOT = "import os, sys; os.dup2(int(sys.argv[1]), 3, True); from inside import zygote; zygote.main()"


class Zygote:
    """One warm interpreter; serves one job at a time."""

    def __init__(self, tier: str) -> None:
        self.runs = 0
        self._root = tempfile.mkdtemp(prefix="rlgym-")
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control = ours
        environment = {"PYTHONHASHSEED": "0", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC", "PYTHONPATH": str(HERE)}
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
        asked = {"tier": tier, "root": self._root, "shown": shown, "hidden": hidden, "inside": INSIDE, "engine": _engine()}
        self._control.settimeout(60)
        self._control.send(json.dumps(asked).encode())
        said = json.loads(self._control.recv(1 << 12) or b'{"tier": "", "why": "it ended at once"}')
        if said.get("map"):
            map_users(self._process.pid)
            self._control.send(b"{}")
            said = json.loads(self._control.recv(1 << 12) or b'{"tier": "", "why": "it ended at once"}')
        self._control.settimeout(None)
        if not said["tier"]:
            raise SandboxBroken(f"a warm interpreter could not be confined: {said['why']}")
        self.languages = ("python", "javascript") if said["javascript"] else ("python",)
        return str(said["tier"])

    def run(self, job: Job, limits: Limits) -> RunResult:
        self.runs += 1
        talk, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        out, out_far = os.pipe()
        err, err_far = os.pipe()
        asked = {"seconds": limits.seconds, "memory": limits.memory_mb << 20, "threads": THREADS, "run": self.runs, "tier": self.tier}
        try:
            handed = array.array("i", [far.fileno(), out_far, err_far])
            self._control.sendmsg([json.dumps(asked).encode()], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, handed)])
        except OSError as error:
            for descriptor in (out, err):
                os.close(descriptor)
            talk.close()
            raise SandboxBroken(f"the warm interpreter is gone: {error}") from None
        finally:
            far.close()
            os.close(out_far)
            os.close(err_far)
        with talk:
            return Talk(self._control, talk, (out, err), job, limits, self.runs, self._process.pid).result()

    def close(self) -> None:
        self._control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(2)
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        with contextlib.suppress(OSError):
            os.rmdir(self._root)


def _engine() -> str:
    """The folder that holds the JavaScript engine's package, or nothing."""
    found = importlib.util.find_spec("quickjs")
    return str(Path(found.origin).parents[1]) if found and found.origin else ""


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
