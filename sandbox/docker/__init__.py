"""The backend that runs programs in warm, hardened containers: Docker's isolation around that of the embedded backend.

Every container has a read-only file system that holds an interpreter and its library, no network, no capabilities, no new
privileges, a user of its own, limits on memory and processes, and the embedded backend's warm interpreter in tier B. It
communicates over its standard input and output and ends when they close, also when its owner is killed. Under gVisor (a runtime
whose name contains "runsc"), which has no Landlock, this is tier G: a separate kernel and the system call filter. There, programs
can read the container's own files, but none of the host's.

RLGYM_SANDBOX=docker selects it. DOCKER_HOST is the address of the daemon, RLGYM_DOCKER_IMAGE the image, RLGYM_DOCKER_RUNTIME the
runtime of the daemon, RLGYM_DOCKER_MEMORY_MB the memory limit of a container, and RLGYM_DOCKER_CONTAINERS the maximum number of
containers.
"""

from __future__ import annotations

import os
import threading

from rlgym.core.limits import Limits
from rlgym.sandbox.docker.container import RUNTIME, Container, connected, number, orphans, removed
from rlgym.sandbox.interface import SandboxError
from rlgym.sandbox.process import PROOFS, processors, proof, proven_against
from rlgym.sandbox.process.pooled_runner import PooledRunner

CONTAINERS = "RLGYM_DOCKER_CONTAINERS"
# What counts as the host's in tier G, in place of the attacks of these names.
OF_THE_HOST = {
    "reads a file of the host": f"def solve():\n    return bool(open({__file__!r}).read())",
    "sees other processes": "def solve():\n    return b'inside.serve' not in open('/proc/1/cmdline', 'rb').read()",
}


class DockerRunner(PooledRunner[Container]):
    """Runs programs in a pool of containers; thread-safe.

    The first container starts, and is attacked, immediately; concurrent runs start more, up to `workers`. SandboxError without a
    daemon or an image, and for a container that an attack gets out of.
    """

    def __init__(self, limits: Limits | None = None, *, workers: int = 0, memory_mb: int = 0, runtime: str = "") -> None:
        super().__init__(limits, workers or number(CONTAINERS, min(4, processors())))
        self._memory_mb, self._runtime = memory_mb, runtime or os.environ.get(RUNTIME, "")
        self._starting = threading.Lock()
        self._client = connected()
        try:
            for identity in orphans(self._client):
                removed(self._client.api, identity)
            first = self._take()
            self.tier, self.languages = first.tier, first.languages
            self._give_back(first)
            failed = [attack for attack in PROOFS if not self.withstands(attack)]
            if failed:
                raise SandboxError(f"in a container a program {', '.join(failed)}")
        except BaseException:
            self.close()
            raise

    def withstands(self, attack: str) -> bool:
        """Whether the named attack, one of PROOFS, fails."""
        program = OF_THE_HOST.get(attack, PROOFS[attack]) if self.tier == "G" else PROOFS[attack]
        return proven_against(self._attempt(proof(program), Limits()))

    def close(self) -> None:
        """End and remove the containers and everything that still runs in them."""
        super().close()
        if os.getpid() == self._owner:
            self._client.close()

    def _check(self, language: str) -> None:
        if language not in self.languages:
            raise SandboxError(f"programs in {language} cannot be run in this image, only in {' and '.join(self.languages)}")
        if self._closed:
            raise SandboxError("this runner has been closed")

    def _start(self) -> Container:
        with self._starting:
            return Container(self._client, self._memory_mb, self._runtime)
