"""The backend that runs programs in warm, hardened containers: Docker's walls around those of the embedded backend.

Every container has a read-only file system that holds an interpreter and its library, no network, no capabilities, no new
privileges, a user of its own, limits on memory and processes, and the embedded backend's warm interpreter in tier B. It is
talked to over its own standard input and output, and ends when those close, so also when its owner is killed. Under gVisor
(a runtime whose name has "runsc" in it), which has no Landlock, this is tier G: a kernel of its own and the filter of
system calls, where programs can read the container's own files, but still none of the host.

RLGYM_SANDBOX=docker chooses it. DOCKER_HOST says where the daemon is, RLGYM_DOCKER_IMAGE which image is taken,
RLGYM_DOCKER_RUNTIME which of the daemon's runtimes, RLGYM_DOCKER_MEMORY_MB how much memory a container may use, and
RLGYM_DOCKER_CONTAINERS how many there are at most.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from rlgym.core.limits import Limits
from rlgym.sandbox import RunResult, SandboxBroken
from rlgym.sandbox.docker.container import RUNTIME, Container, connected, number, orphans, removed
from rlgym.sandbox.process import PROOFS, withstood
from rlgym.sandbox.process.talk import Job

CONTAINERS = "RLGYM_DOCKER_CONTAINERS"
# What counts as the host's in tier G, in place of the attacks of these names.
OF_THE_HOST = {
    "reads a file of the host": f"def solve():\n    return bool(open({__file__!r}).read())",
    "sees other processes": "def solve():\n    return b'inside.serve' not in open('/proc/1/cmdline', 'rb').read()",
}


class DockerRunner:
    """Runs programs in a pool of containers; safe to use from several threads.

    One container is started and attacked at once, more when several runs come at the same time, up to `workers`. SandboxBroken
    where there is no daemon, no image, or a container that does not keep what it promises.
    """

    def __init__(self, limits: Limits | None = None, *, workers: int = 0, memory_mb: int = 0, runtime: str = "") -> None:
        self.limits = limits or Limits()
        self.workers = workers or number(CONTAINERS, min(4, os.cpu_count() or 1))
        self._memory_mb, self._runtime = memory_mb, runtime or os.environ.get(RUNTIME, "")
        self._owner, self._closed = os.getpid(), False
        self._changed, self._starting = threading.Condition(), threading.Lock()
        self._free: list[Container] = []
        self._all: list[Container] = []
        self._count = 0
        self._client = connected()
        try:
            for identity in orphans(self._client):
                removed(self._client.api, identity)
            first = self._taken()
            self.tier, self.languages = first.tier, first.languages
            self._back(first)
            failed = [what for what in PROOFS if not self.withstands(what)]
            if failed:
                raise SandboxBroken(f"in a container a program {', '.join(failed)}")
        except BaseException:
            self.close()
            raise

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
        """As `ProcessRunner.run`, in a container."""
        job, asked = Job(program, tuple(inputs), entry, stdin, language), limits or self.limits
        if language not in self.languages:
            raise SandboxBroken(f"programs in {language} cannot be run in this image, only in {' and '.join(self.languages)}")
        if os.getpid() != self._owner:
            raise SandboxBroken("a runner belongs to the process that made it; make another after a fork")
        if self._closed:
            raise SandboxBroken("this runner has been closed")
        try:
            return self._once(job, asked)
        except SandboxBroken:
            # The machine's fault, not the program's: once more, in a new container if this one is gone, then it is reported.
            return self._once(job, asked)

    def run_many(self, jobs: Iterable[Job], limits: Limits | None = None) -> Iterator[RunResult]:
        """The results of many runs, in order, as many at once as there may be containers."""
        with ThreadPoolExecutor(self.workers) as pool:
            yield from pool.map(
                lambda job: self.run(job.program, job.inputs, limits, entry=job.entry, stdin=job.stdin, language=job.language), jobs
            )

    def withstands(self, what: str) -> bool:
        """Whether the attack of that name, one of PROOFS, fails."""
        program = OF_THE_HOST.get(what, PROOFS[what]) if self.tier == "G" else PROOFS[what]
        return withstood(self._once(Job(program, ((),)), Limits()))

    def close(self) -> None:
        """End and remove the containers; whatever still runs in them dies too."""
        if os.getpid() != self._owner:
            return
        with self._changed:
            self._closed = True
            containers, self._all, self._free, self._count = self._all, [], [], 0
            self._changed.notify_all()
        for container in containers:
            container.close()
        self._client.close()

    def __enter__(self) -> DockerRunner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _once(self, job: Job, limits: Limits) -> RunResult:
        container = self._taken()
        try:
            return container.run(job, limits)
        finally:
            self._back(container)

    def _taken(self) -> Container:
        """A container that answers, for one run: a free one, or a new one, or the next that becomes free."""
        while True:
            with self._changed:
                while not self._free and self._count >= self.workers and not self._closed:
                    self._changed.wait()
                if self._closed:
                    raise SandboxBroken("this runner has been closed")
                container = self._free.pop() if self._free else None
                if container is None:
                    self._count += 1
            if container is None:
                return self._started()
            if container.alive():
                return container
            self._back(container)

    def _started(self) -> Container:
        try:
            with self._starting:
                container = Container(self._client, self._memory_mb, self._runtime)
        except BaseException:
            with self._changed:
                self._count -= 1
                self._changed.notify()
            raise
        with self._changed:
            if not self._closed:
                self._all.append(container)
                return container
        container.close()
        raise SandboxBroken("this runner has been closed")

    def _back(self, container: Container) -> None:
        if container.lost:
            container.close()
        with self._changed:
            if container.lost and container in self._all:
                self._all.remove(container)
                self._count -= 1
            elif not container.lost:
                self._free.append(container)
            self._changed.notify()
