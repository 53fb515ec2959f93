"""A scorer behind an HTTP endpoint."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec

from rlgym import RlgymError
from rlgym.audit.case import Case, Verdict
from rlgym.audit.scorers.base import Progress, ScorerUnavailable, no_progress
from rlgym.audit.scorers.lines import Patience
from rlgym.audit.scorers.process import ProcessOptions, row
from rlgym.audit.scorers.values import read_reward, short

TRIES = 3
"""Requests for one case, if the endpoint cannot be reached or is busy."""
HEADERS = {"content-type": "application/json"}
BUSY = (429, 502, 503, 504)
"""Statuses after which the request is sent again."""


class HttpScorer:
    """Posts `{"prompt", "response", "answer"}` as JSON for each case and reads `{"reward": number}` or `{"score": number}`."""

    kind, shape, batched = "http", "POST of JSON", False

    def __init__(self, url: str, options: ProcessOptions) -> None:
        if find_spec("httpx") is None:
            raise RlgymError("an endpoint needs httpx: install it with `pip install 'rlvrgym[eval]'`")
        import httpx

        if not url.startswith(("http://", "https://")):
            raise RlgymError(f"a URL looks like http://localhost:8000/score, got {url!r}")
        self._url, self._options = url, options
        self._patience = Patience(options.seconds)
        self._client = httpx.Client(verify=url.startswith("https://"))

    def score(self, cases: Sequence[Case], progress: Progress = no_progress) -> list[Verdict]:
        """One verdict for each case. ScorerUnavailable if the endpoint cannot be reached."""

        def one(case: Case) -> Verdict:
            verdict = self._score_case(case)
            progress(1)
            return verdict

        with ThreadPoolExecutor(self._options.workers) as pool:
            return list(pool.map(one, cases))

    def _score_case(self, case: Case) -> Verdict:
        import httpx

        data = row(case, "/nonexistent/canary")
        body = json.dumps({name: data[name] for name in ("prompt", "response", "answer")}).encode()
        for attempt in range(TRIES):
            begun = time.perf_counter()
            try:
                response = self._client.post(self._url, content=body, headers=HEADERS, timeout=self._patience.seconds)
            except httpx.TimeoutException:
                self._patience.timed_out()
                return Verdict(None, "the endpoint took longer than the time limit", time.perf_counter() - begun, timed_out=True)
            except httpx.HTTPError as error:
                if attempt + 1 == TRIES:
                    raise ScorerUnavailable(f"the endpoint {self._url} cannot be reached: {short(str(error))}") from None
            else:
                if response.status_code not in BUSY or attempt + 1 == TRIES:
                    break
            time.sleep(0.2 * 2**attempt)
        seconds = time.perf_counter() - begun
        self._patience.finished(seconds)
        if response.status_code != 200:
            return Verdict(None, f"the endpoint answered {response.status_code}: {short(response.text)}", seconds)
        try:
            reward, problem = read_reward(response.json())
        except ValueError:
            return Verdict(None, f"returned {short(response.text)}", seconds)
        return Verdict(reward, problem, seconds)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()
