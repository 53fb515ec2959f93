"""The backend that asks a service on another machine, started there with `rlgym sandbox serve`.

RLGYM_SANDBOX=remote chooses it; RLGYM_SANDBOX_URL says where the service is, RLGYM_SANDBOX_KEY holds its key.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from rlgym.core.limits import Limits
from rlgym.sandbox import RunResult, SandboxBroken
from rlgym.sandbox.process.inside import values
from rlgym.sandbox.process.talk import WALL_EXTRA, WALL_FACTOR, Job

URL, KEY = "RLGYM_SANDBOX_URL", "RLGYM_SANDBOX_KEY"
PATIENCE = 60.0  # seconds that a run may wait for its turn
PAUSES = (0.1, 0.3, 1.0, 3.0)  # between attempts; runs have no effects, so that one more does no harm


class RemoteRunner:
    """Runs programs on a service; safe to use from several threads.

    Where the service cannot be reached, is full for long, or fails, a run ends with SandboxBroken: never with a result that
    could be taken for the program's.
    """

    def __init__(self, url: str | None = None, key: str | None = None, limits: Limits | None = None, *, workers: int = 8) -> None:
        import httpx

        self.url = (url or os.environ.get(URL, "")).rstrip("/")
        if not self.url:
            raise SandboxBroken(f"the remote sandbox needs the address of a service: set {URL}, or start one with `rlgym sandbox serve`")
        self.limits, self.workers = limits or Limits(), workers
        key = os.environ.get(KEY, "") if key is None else key
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._errors = (httpx.TransportError,)
        self._http = httpx.Client(base_url=self.url, headers=headers, timeout=PATIENCE)
        ready = self._answer("GET", "/ready", None, PATIENCE, PAUSES[:2]).json()
        self.tier, self.languages = str(ready["tier"]), tuple(ready["languages"])

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
        """As `ProcessRunner.run`, there."""
        from rlgym.sandbox.remote import wire

        given = limits or self.limits
        try:
            body = wire.asked(Job(program, tuple(inputs), entry, stdin, language), given)
        except values.Unsendable as why:
            raise SandboxBroken(f"an input is no plain data: {why}") from None
        wait = PATIENCE + WALL_FACTOR * given.seconds + WALL_EXTRA
        return wire.result(self._answer("POST", "/run", body, wait, PAUSES).content)

    def run_many(self, jobs: Iterable[Job], limits: Limits | None = None) -> Iterator[RunResult]:
        """The results of many runs, in order, several under way at once."""
        with ThreadPoolExecutor(self.workers) as pool:
            yield from pool.map(
                lambda job: self.run(job.program, job.inputs, limits, entry=job.entry, stdin=job.stdin, language=job.language), jobs
            )

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> RemoteRunner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _answer(self, method: str, path: str, body: dict[str, Any] | None, wait: float, pauses: Sequence[float]) -> Any:
        why = ""
        for pause in (*pauses, None):
            try:
                response = self._http.request(method, path, json=body, timeout=wait)
            except self._errors as error:
                why = f"{type(error).__name__}: {error}"
            else:
                if response.status_code == 200:
                    return response
                why = f"{response.status_code} {response.text[:200]}"
                if response.status_code < 500:
                    break
            if pause is not None:
                time.sleep(pause)
        raise SandboxBroken(f"the sandbox service at {self.url} did not answer: {why}")
