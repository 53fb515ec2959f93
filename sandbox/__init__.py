"""Runs untrusted code: the runners that verifiers receive, and the choice of a backend.

A verifier whose declaration sets `sandbox=Limits(...)` receives a Runner. If no backend can be started, scoring ends with
Outcome.ERROR and a message, never with a silent 0. The environment variable RLGYM_SANDBOX selects the backend: `process` (the
default), `portable` (does not stop hostile programs, so it must be requested by name), `remote` (a service) or `docker`
(containers).
"""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Callable

from rlgym.core.errors import SandboxMissing
from rlgym.core.limits import Limits as Limits
from rlgym.sandbox.interface import LimitedRunner as LimitedRunner
from rlgym.sandbox.interface import Raised as Raised
from rlgym.sandbox.interface import Returned as Returned
from rlgym.sandbox.interface import Runner as Runner
from rlgym.sandbox.interface import RunResult as RunResult
from rlgym.sandbox.interface import SandboxError as SandboxError
from rlgym.sandbox.interface import Stop as Stop

BACKEND_VARIABLE = "RLGYM_SANDBOX"
_backends: dict[str, Callable[[], Runner]] = {}
_running: dict[tuple[str, int], Runner] = {}
_lock = threading.Lock()


def register_backend(name: str, start: Callable[[], Runner]) -> None:
    """Register a backend; a later one of the same name replaces it."""
    _backends[name] = start


def backends() -> list[str]:
    """The names of all backends, including those that cannot be started here."""
    return list(_backends)


def get_runner(limits: Limits) -> Runner:
    """A Runner of the selected backend, shared within this process. SandboxMissing if it cannot be started."""
    name = os.environ.get(BACKEND_VARIABLE) or "process"
    if name not in _backends:
        raise SandboxMissing(f"{BACKEND_VARIABLE}={name!r} is not a backend; the backends are {', '.join(_backends)}")
    key = (name, os.getpid())
    with _lock:
        if key not in _running:
            try:
                _running[key] = _backends[name]()
            except SandboxError as why:
                raise SandboxMissing(f"the sandbox backend {name!r} cannot be started here: {why}") from None
            atexit.register(_running[key].close)
    if limits.processes > 1:
        _require_commands()
    return LimitedRunner(_running[key], limits)


def _require_commands() -> None:
    """SandboxMissing where shell commands cannot be confined: limits of several processes ask for them."""
    from rlgym.sandbox.terminal import require_confinement

    try:
        require_confinement()
    except SandboxError as why:
        raise SandboxMissing(f"shell commands cannot be run here: {why}") from None


def _process() -> Runner:
    from rlgym.sandbox.process import ProcessRunner

    return ProcessRunner()


def _portable() -> Runner:
    from rlgym.sandbox.process import ProcessRunner

    return ProcessRunner(tier="C")


def _remote() -> Runner:
    from rlgym.sandbox.remote import RemoteRunner

    return RemoteRunner()


def _docker() -> Runner:
    from rlgym.sandbox.docker import DockerRunner

    return DockerRunner()


register_backend("process", _process)
register_backend("portable", _portable)
register_backend("remote", _remote)
register_backend("docker", _docker)
