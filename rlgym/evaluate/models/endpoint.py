"""Models behind an OpenAI-compatible HTTP endpoint: a local server or a provider."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from rlgym import RlgymError
from rlgym.evaluate.models.base import Completion, Message, ModelUnavailable, RequestFailed, Sampling
from rlgym.evaluate.models.http_errors import OPTIONAL_FIELDS, ErrorAction, RequestError, classify_error
from rlgym.evaluate.models.rate_limit import Backoff, RateLimiter, Reservation
from rlgym.evaluate.models.streaming import InvalidResponse, StreamedCompletion, parse_completion

if TYPE_CHECKING:
    import httpx


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """Limits on one request.

    seconds           total duration; a model that is still generating then has timed out
    characters        characters that a model may generate, its reasoning included
    retries           retries of a failed request; ten times as many if the endpoint only asks to slow down
    max_wait_seconds  an endpoint that asks to wait longer stops the run
    """

    seconds: float = 600.0
    characters: int = 400_000
    retries: int = 6
    max_wait_seconds: float = 600.0


class Endpoint:
    """A model reached over HTTP. Only this object holds the API key, and it never logs or stores it."""

    kind = "openai"

    def __init__(
        self,
        base_url: str,
        name: str,
        api_key: str | None = None,
        *,
        stream: bool = True,
        max_concurrency: int = 16,
        limits: RequestLimits | None = None,
        rate_limiter: RateLimiter | None = None,
        backoff: Backoff | None = None,
    ) -> None:
        if find_spec("httpx") is None:
            raise RlgymError("an endpoint needs httpx: install it with `pip install 'rlvrgym[eval]'`")
        _check(base_url, api_key, max_concurrency)
        self.name, self.max_concurrency = name, max_concurrency
        self._url = base_url.rstrip("/").removesuffix("/chat/completions")
        self._api_key, self._stream = api_key.strip() if api_key else None, stream
        self._limits, self._rate_limiter, self._backoff = limits or RequestLimits(), rate_limiter or RateLimiter(), backoff or Backoff()
        self._dropped_fields: set[str] = set()
        self._has_responded = False
        self._typical_completion_tokens = 0
        self._http: httpx.AsyncClient | None = None

    def metadata(self) -> dict[str, Any]:
        """The base URL, and whether responses are streamed."""
        return {"url": self._url, "stream": self._stream}

    @property
    def notes(self) -> list[str]:
        """How requests differ from what was configured, because the endpoint rejects some fields."""
        return [f"requests were sent {OPTIONAL_FIELDS[field]}, which the endpoint rejects" for field in sorted(self._dropped_fields)]

    async def close(self) -> None:
        """Close the connections. The endpoint can be used again afterwards."""
        self._rate_limiter.reset()
        if self._http is not None:
            await self._http.aclose()
            self._http = None

    async def generate(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]], sampling: Sampling, seed: int) -> Completion:
        """The model's next turn. Retries if the endpoint is busy, temporarily broken, or returns an invalid response."""
        failures = slowdowns = requests = 0
        while True:
            body = self._body(messages, tools, sampling, seed)
            reservation = await self._rate_limiter.acquire(self._estimate_tokens(body, sampling))
            requests += 1
            result = await self._attempt(body, reservation)
            if isinstance(result, Completion):
                return replace(result, requests=requests)
            if result.action is ErrorAction.CONTEXT_OVERFLOW:
                return Completion({"role": "assistant", "content": ""}, finish_reason="context", requests=requests)
            if result.action is ErrorAction.DROP_FIELD and result.field not in self._dropped_fields:
                self._dropped_fields.add(result.field)
                continue
            if result.action is ErrorAction.DROP_FIELD and result.field not in body:
                continue  # a concurrent request has already dropped the field
            if result.action is not ErrorAction.RETRY:
                self._raise(result, requests)
            slowdowns, failures = slowdowns + result.rate_limited, failures + (not result.rate_limited)
            self._check_retries(result, failures, slowdowns, requests)
            await self._wait(result, failures + slowdowns)

    def _raise(self, error: RequestError, requests: int) -> None:
        if error.action is ErrorAction.STOP_RUN:
            raise ModelUnavailable(f"the endpoint {self._url} does not serve the model {self.name!r}: {error.message}")
        # If no request has succeeded so far, the cause is the configuration rather than the task.
        systemic = error.action is ErrorAction.FAIL_REQUEST and not self._has_responded
        raise RequestFailed(f"the endpoint {self._url} rejects a request: {error.message}", requests, systemic)

    def _check_retries(self, error: RequestError, failures: int, slowdowns: int, requests: int) -> None:
        if error.retry_after is not None and error.retry_after > self._limits.max_wait_seconds:
            raise ModelUnavailable(f"the endpoint {self._url} asks to wait {error.retry_after:.0f} seconds ({error.message}): resume later")
        if error.unreachable and failures > (self._limits.retries if self._has_responded else min(1, self._limits.retries)):
            raise ModelUnavailable(f"the endpoint {self._url} cannot be reached: {error.message}; is it running, and is the address right?")
        if failures > self._limits.retries or slowdowns > 10 * self._limits.retries:
            raise RequestFailed(f"{error.message} ({requests} requests)", requests)

    async def _wait(self, error: RequestError, failures: int) -> None:
        seconds = max(self._backoff.delay(failures), error.retry_after or 0.0)
        if error.rate_limited:
            self._rate_limiter.pause(seconds)
        await asyncio.sleep(seconds)

    async def _attempt(self, body: Mapping[str, Any], reservation: Reservation) -> Completion | RequestError:
        import httpx

        streamed = StreamedCompletion(self._limits.characters)
        last_data = [time.monotonic()]
        try:
            async with asyncio.timeout(self._limits.seconds):
                result = await self._send(body, streamed, last_data)
        except TimeoutError:
            seconds = self._limits.seconds
            if streamed.characters and time.monotonic() - last_data[0] < max(seconds / 2, 1e-9):
                return self._record(streamed.truncate("timed_out"), reservation)
            return RequestError(ErrorAction.RETRY, f"the endpoint did not answer within {seconds:g} seconds")
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            return RequestError(ErrorAction.RETRY, str(error) or type(error).__name__, unreachable=True)
        except httpx.HTTPError as error:
            return RequestError(ErrorAction.RETRY, f"the connection broke ({type(error).__name__}: {error})")
        except InvalidResponse as error:
            return RequestError(ErrorAction.RETRY, str(error))
        return self._record(result, reservation) if isinstance(result, Completion) else result

    def _record(self, completion: Completion, reservation: Reservation) -> Completion:
        self._has_responded = True
        if completion.prompt_tokens is not None and completion.completion_tokens is not None:
            reservation.tokens = completion.prompt_tokens + completion.completion_tokens
            average = (9 * self._typical_completion_tokens + completion.completion_tokens) // 10
            self._typical_completion_tokens = max(completion.completion_tokens, average)
        return completion

    async def _send(self, body: Mapping[str, Any], streamed: StreamedCompletion, last_data: list[float]) -> Completion | RequestError:
        # json.dumps escapes to ASCII, which carries any text, lone surrogates included.
        async with self._client().stream("POST", f"{self._url}/chat/completions", content=json.dumps(body).encode()) as response:
            received = bytearray()
            max_bytes = 8 * self._limits.characters + 1_000_000
            is_stream = response.status_code == 200 and "text/event-stream" in response.headers.get("content-type", "")
            async for data in response.aiter_bytes():
                last_data[0] = time.monotonic()
                if is_stream:
                    streamed.feed(data)
                    if streamed.over_limit:
                        return streamed.truncate("length")
                    if streamed.ended:
                        break
                elif len(received) < max_bytes:
                    received += data
                else:
                    raise InvalidResponse(f"the endpoint sent more than {max_bytes} bytes")
            if is_stream:
                return streamed.completion()
            if response.status_code == 200:
                return parse_completion(bytes(received), self._limits.characters)
            return classify_error(response.status_code, bytes(received), response.headers, body)

    def _client(self) -> httpx.AsyncClient:
        import httpx

        if self._http is None:
            headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {self._api_key}"} if self._api_key else {})
            timeout = httpx.Timeout(None, connect=min(10.0, self._limits.seconds))
            limits = httpx.Limits(max_connections=self.max_concurrency, max_keepalive_connections=self.max_concurrency)
            # Loading the certificates takes a while, and without TLS there is nothing to verify.
            verify = self._url.startswith("https://")
            self._http = httpx.AsyncClient(headers=headers, timeout=timeout, limits=limits, verify=verify)
        return self._http

    def _body(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]], sampling: Sampling, seed: int) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self.name, "messages": list(messages), "seed": seed}
        body |= {"temperature": sampling.temperature, "top_p": sampling.top_p, "max_tokens": sampling.max_tokens}
        body = {field: value for field, value in body.items() if value is not None}
        if tools:
            body["tools"] = list(tools)
        if self._stream:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        if "max_tokens" in self._dropped_fields and "max_tokens" in body:
            body["max_completion_tokens"] = body["max_tokens"]
        return {field: value for field, value in body.items() if field not in self._dropped_fields} | dict(sampling.extra)

    def _estimate_tokens(self, body: Mapping[str, Any], sampling: Sampling) -> int:
        """The tokens that a request may use, from the length of its messages and of the completions so far."""
        completion = self._typical_completion_tokens or min(sampling.max_tokens or 1000, 1000)
        return len(json.dumps(body["messages"])) // 4 + completion


def _check(base_url: str, api_key: str | None, max_concurrency: int) -> None:
    """Reject invalid settings before the first request."""
    import httpx

    try:
        host = httpx.URL(base_url).host if base_url.startswith(("http://", "https://")) else ""
    except httpx.InvalidURL:
        host = ""
    if not host:
        raise RlgymError(f"a base URL looks like http://localhost:8000/v1, got {base_url!r}")
    if api_key and not re.fullmatch(r"[!-~]+", api_key.strip()):
        raise RlgymError("the API key contains a space or another invalid character (the key is not shown here)")
    if max_concurrency < 1:
        raise RlgymError(f"max_concurrency must be at least 1, got {max_concurrency!r}")
