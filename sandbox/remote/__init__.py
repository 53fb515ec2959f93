"""The backend that uses a service on another machine, started there with `rlgym sandbox serve`: programs, and shell commands on file trees.

RLGYM_SANDBOX=remote selects it; RLGYM_SANDBOX_URL is the address of the service, RLGYM_SANDBOX_KEY its key.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from typing import Any

from rlgym.core.limits import Limits
from rlgym.sandbox.file_tree import Ended, Tree
from rlgym.sandbox.interface import RunResult, SandboxError
from rlgym.sandbox.process.backend import Backend, EncodedJob
from rlgym.sandbox.process.run_channel import WALL_EXTRA, WALL_FACTOR

URL, KEY = "RLGYM_SANDBOX_URL", "RLGYM_SANDBOX_KEY"
STARTING = 60.0  # seconds that a service may take to say that it is ready
QUEUED = 900.0  # seconds that a run may wait for its turn: other programs that sleep must not make it fail
PAUSES = (0.1, 0.3, 1.0, 3.0)  # between attempts after a failure; runs have no side effects, so a retry is harmless
FULL_PAUSE = 1.0  # before the next attempt where the service is full or a quota is used up, unless the service says when
FULL = (429, 503)


class RemoteRunner(Backend):
    """Runs programs on a service; safe to use from several threads.

    Where the service cannot be reached, is full for long, or fails, a run ends with SandboxError: never with a result that
    could be taken for the program's.
    """

    attempts = 1  # requests are repeated, not runs

    def __init__(self, url: str | None = None, key: str | None = None, limits: Limits | None = None, *, workers: int = 8) -> None:
        import httpx

        self.url = (url or os.environ.get(URL, "")).rstrip("/")
        if not self.url:
            raise SandboxError(f"the remote sandbox needs the address of a service: set {URL}, or start one with `rlgym sandbox serve`")
        self.limits, self.workers, self._owner = limits or Limits(), workers, os.getpid()
        key = os.environ.get(KEY, "") if key is None else key
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._errors = (httpx.TransportError,)
        self._http = httpx.Client(base_url=self.url, headers=headers, timeout=STARTING)
        ready = self._answer("GET", "/ready", None, STARTING, PAUSES[:2]).json()
        self.tier, self.languages = str(ready["tier"]), tuple(ready["languages"])

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def _check(self, language: str) -> None:
        if language not in self.languages:
            raise SandboxError(f"the service at {self.url} runs no programs in {language}, only in {' and '.join(self.languages)}")

    def _attempt(self, job: EncodedJob, limits: Limits) -> RunResult:
        from rlgym.sandbox.remote import wire

        wait = QUEUED + WALL_FACTOR * limits.seconds + WALL_EXTRA
        return wire.result_of(self._answer("POST", "/run", wire.request_of(job, limits), wait, PAUSES).content)

    def command(self, tree: Tree, command: str, now: int) -> Ended:
        """What a shell command on a file tree did there; see `rlgym.sandbox.terminal.run_command`."""
        from rlgym.sandbox.remote import wire

        body = {"command": command, "tree": tree, "now": now}
        return wire.ended_of(self._answer("POST", "/command", body, QUEUED, PAUSES).content)

    def _answer(self, method: str, path: str, body: dict[str, Any] | None, wait: float, pauses: Sequence[float]) -> Any:
        """The response to a request. SandboxError after a refusal, or after as many failures as there are pauses."""
        deadline, failures = time.monotonic() + wait, iter((*pauses, None))
        while True:
            pause: float | None
            try:
                response = self._http.request(method, path, json=body, timeout=wait)
            except self._errors as error:
                why, pause = f"{type(error).__name__}: {error}", next(failures)
            else:
                if response.status_code == 200:
                    return response
                why = f"{response.status_code} {response.text[:200]}"
                full = response.status_code in FULL and time.monotonic() < deadline
                failed = response.status_code >= 500
                pause = _retry_after(response.headers) if full else next(failures) if failed else None
            if pause is None:
                raise SandboxError(f"the sandbox service at {self.url} did not answer: {why}")
            time.sleep(pause)


def _retry_after(headers: Mapping[str, str]) -> float:
    text = headers.get("Retry-After", "")
    return float(text) if text.isascii() and text.isdigit() else FULL_PAUSE
