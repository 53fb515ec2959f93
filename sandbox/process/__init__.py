"""The embedded backend for Linux: a warm interpreter that has locked itself in forks a child for every run.

Tier A has name spaces, a file system that shows nothing but the standard library, no capabilities, Landlock, a filter of
system calls and limits. Tier B is the same without name spaces, for machines and containers that refuse them. Which tier
is in force is proved by attacks before the first run, and never claimed otherwise. Tier C has limits only: it ends programs
that use too much, and stops none that is hostile; it is taken only where it is asked for.
"""

from __future__ import annotations

import os
import platform
import queue
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from rlgym.core.limits import Limits
from rlgym.sandbox import Returned, RunResult, SandboxBroken, Stop
from rlgym.sandbox.process.talk import Job as Job
from rlgym.sandbox.process.zygotes import Zygote

RECYCLED = 5000  # runs after which a warm interpreter is replaced
MACHINES = ("x86_64",)

# Each returns True if it got what it must not get.
PROOFS: dict[str, str] = {
    "reads a file of the host": "def solve():\n    return len(open('/etc/hostname').read()) >= 0",
    "writes a file": "def solve():\n    open('/tmp/rlgym-proof', 'w').close()\n    return True",
    "starts a process": "import os\ndef solve():\n    if os.fork() == 0:\n        os._exit(0)\n    return True",
    "runs a command": "import subprocess\ndef solve():\n    return subprocess.run(['/bin/true']).returncode == 0",
    "opens a socket": "import socket\ndef solve():\n    return bool(socket.socket())",
    "signals its parent": "import os\ndef solve():\n    os.kill(os.getppid(), 0)\n    return True",
    "sees other processes": "import os\ndef solve():\n    return any(name.isdigit() for name in os.listdir('/proc'))",
    "imports what grades it": "def solve():\n    import rlgym\n    return True",
    "makes a new name space": "import ctypes\ndef solve():\n    return ctypes.CDLL(None).unshare(0x10000000) == 0",
}


def withstood(result: RunResult) -> bool:
    """Whether an attack, one of PROOFS, ended without what it wanted."""
    return result.stopped_by is not Stop.FINISHED or not any(isinstance(answer, Returned) and answer.value for answer in result.value)


class ProcessRunner:
    """Runs Python programs, each in a child of its own; safe to use from several threads.

    Without `tier` the strongest tier that the machine allows is taken. SandboxBroken where there is none, or where the
    tier does not keep what it promises.
    """

    def __init__(self, limits: Limits | None = None, *, workers: int = 1, tier: str | None = None) -> None:
        if tier != "C" and (sys.platform != "linux" or platform.machine() not in MACHINES):
            raise SandboxBroken(
                f"the process backend runs on Linux on {', '.join(MACHINES)}, not on {sys.platform} on {platform.machine()}"
            )
        self.limits = limits or Limits()
        self._free: queue.LifoQueue[Zygote] = queue.LifoQueue()
        self._all: list[Zygote] = []
        self._lock = threading.Lock()
        self._owner = os.getpid()
        self.workers = workers
        self.tier = self._proved(tier)
        for _ in range(workers - 1):
            self._add()

    def run(
        self,
        program: str,
        inputs: Sequence[tuple[Any, ...]] = (),
        limits: Limits | None = None,
        *,
        entry: str | None = "solve",
        stdin: str = "",
        language: str = "python",
    ) -> RunResult:
        """Run a program and call its function with each input in turn, each input sent only after the last was answered."""
        job, asked = Job(program, tuple(inputs), entry, stdin, language), limits or self.limits
        if language not in self.languages:
            hint = "; install quickjs for it" if language == "javascript" else ""
            raise SandboxBroken(f"programs in {language} cannot be run here, only in {' and '.join(self.languages)}{hint}")
        if os.getpid() != self._owner:
            raise SandboxBroken("a runner belongs to the process that made it; make another after a fork")
        try:
            return self._once(job, asked)
        except SandboxBroken:
            # The machine's fault, not the program's: once more in a new interpreter, then it is reported.
            return self._once(job, asked)

    def run_many(self, jobs: Iterable[Job], limits: Limits | None = None) -> Iterator[RunResult]:
        """The results of many runs, in order, as many at once as there are workers."""
        with ThreadPoolExecutor(self.workers) as pool:
            yield from pool.map(
                lambda job: self.run(job.program, job.inputs, limits, entry=job.entry, stdin=job.stdin, language=job.language), jobs
            )

    def withstands(self, what: str) -> bool:
        """Whether the attack of that name, one of PROOFS, fails."""
        return withstood(self._once(Job(PROOFS[what], ((),)), Limits()))

    def close(self) -> None:
        """End the warm interpreters; whatever still runs in them dies too."""
        with self._lock:
            for zygote in self._all:
                zygote.close()
            self._all.clear()

    def __enter__(self) -> ProcessRunner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _once(self, job: Job, limits: Limits) -> RunResult:
        zygote = self._free.get()
        try:
            result = zygote.run(job, limits)
        except BaseException:
            self._replace(zygote)
            raise
        if zygote.runs >= RECYCLED:
            self._replace(zygote)
        else:
            self._free.put(zygote)
        return result

    def _proved(self, tier: str | None) -> str:
        """Start the strongest interpreter there may be, and attack it."""
        reasons = []
        for wanted in (tier,) if tier else ("A", "B"):
            self._tier = wanted
            try:
                self._add()
            except SandboxBroken as error:
                reasons.append(f"tier {wanted}: {error}")
                continue
            failed = [] if wanted == "C" else [what for what in PROOFS if not self.withstands(what)]
            if not failed:
                return wanted
            reasons.append(f"tier {wanted}: a program {', '.join(failed)}")
            self.close()
            self._free = queue.LifoQueue()
        raise SandboxBroken("; ".join(reasons))

    def _add(self) -> None:
        zygote = Zygote(self._tier)
        self.languages = zygote.languages
        with self._lock:
            self._all.append(zygote)
        self._free.put(zygote)

    def _replace(self, old: Zygote) -> None:
        old.close()
        with self._lock:
            if old in self._all:
                self._all.remove(old)
        self._add()
