"""The embedded backend for Linux: a warm, confined interpreter forks a child for every run.

Tier A has namespaces, a file system that holds only the standard library, no capabilities, Landlock, a system call filter and
limits. Tier B is the same without namespaces, for machines and containers that refuse them. Attacks before the first run prove
which tier is in force. Tier C has limits only: it ends programs that use too much but stops no hostile program, so it must be
requested.
"""

from __future__ import annotations

import os
import platform
import sys

from rlgym.core.limits import Limits
from rlgym.sandbox.interface import Returned, RunResult, SandboxError, Stop
from rlgym.sandbox.process.backend import EncodedJob
from rlgym.sandbox.process.pooled_runner import PooledRunner
from rlgym.sandbox.process.warm_interpreters import Zygote

MACHINES = ("x86_64",)

# Each returns True if it got what it must not get.
PROOFS: dict[str, str] = {
    "reads a file of the host": "def solve():\n    return len(open('/etc/hostname').read()) >= 0",
    "writes a file": "import os\ndef solve():\n    open('/tmp/rlgym-proof', 'w').close()\n    os.remove('/tmp/rlgym-proof')\n    return True",
    "starts a process": "import os\ndef solve():\n    if os.fork() == 0:\n        os._exit(0)\n    return True",
    "runs a command": "import subprocess\ndef solve():\n    return subprocess.run(['/bin/true']).returncode == 0",
    "opens a socket": "import socket\ndef solve():\n    return bool(socket.socket())",
    "signals its parent": "import os\ndef solve():\n    os.kill(os.getppid(), 0)\n    return True",
    "sees other processes": "import os\ndef solve():\n    return any(name.isdigit() for name in os.listdir('/proc'))",
    "imports what grades it": "def solve():\n    import rlgym\n    return True",
    "makes a new name space": "import ctypes\ndef solve():\n    return ctypes.CDLL(None).unshare(0x10000000) == 0",
}


def proven_against(result: RunResult) -> bool:
    """Whether an attack, one of PROOFS, ended without its goal."""
    return result.stopped_by is not Stop.FINISHED or not any(isinstance(answer, Returned) and answer.value for answer in result.outputs)


class ProcessRunner(PooledRunner[Zygote]):
    """Runs Python programs, each in a child of its own; safe to use from several threads.

    Without `tier` the strongest tier that the machine allows is taken. Without `workers` as many programs compute at a time as
    this process may use processors. SandboxError where there is no tier, or where the tier does not keep what it promises.
    """

    def __init__(self, limits: Limits | None = None, *, workers: int = 0, tier: str | None = None) -> None:
        if tier != "C" and (sys.platform != "linux" or platform.machine() not in MACHINES):
            raise SandboxError(f"the process backend runs on Linux on {', '.join(MACHINES)}, not on {sys.platform} on {platform.machine()}")
        super().__init__(limits, workers or processors())
        self.tier = self._strongest(tier)

    def withstands(self, attack: str) -> bool:
        """Whether the named attack, one of PROOFS, fails."""
        return proven_against(self._attempt(proof(PROOFS[attack]), Limits()))

    def _check(self, language: str) -> None:
        if language not in self.languages:
            hint = "; install quickjs for it" if language == "javascript" else ""
            raise SandboxError(f"programs in {language} cannot be run here, only in {' and '.join(self.languages)}{hint}")

    def _strongest(self, tier: str | None) -> str:
        """Start the strongest interpreter there may be, and attack it."""
        reasons = []
        for self.tier in (tier,) if tier else ("A", "B"):
            try:
                first = self._take()
            except SandboxError as error:
                reasons.append(f"tier {self.tier}: {error}")
                continue
            self.languages = first.languages
            self._give_back(first)
            failed = [] if self.tier == "C" else [attack for attack in PROOFS if not self.withstands(attack)]
            if not failed:
                return self.tier
            reasons.append(f"tier {self.tier}: a program {', '.join(failed)}")
            self._discard()
        raise SandboxError("; ".join(reasons))

    def _start(self) -> Zygote:
        return Zygote(self.tier)

    def _discard(self) -> None:
        """End all workers, so that the next ones are of another tier."""
        for worker in list(self._free):
            worker.lost = True
            self._free.remove(worker)
            self._give_back(worker)


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def proof(program: str) -> EncodedJob:
    """The job of an attack: its function is called once, without arguments."""
    return EncodedJob(program, ('["t",[]]',), "solve", "", "python")
