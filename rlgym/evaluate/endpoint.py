"""Models behind an OpenAI-compatible endpoint: a server on this machine, or a provider."""

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
from rlgym.evaluate.models import AskingFailed, Message, ModelStops, Said, Sampling
from rlgym.evaluate.pace import Pace, Patience, Use
from rlgym.evaluate.refusals import OPTIONAL, Means, Refusal, read_refusal
from rlgym.evaluate.stream import Garbage, Reply, read_whole

if TYPE_CHECKING:
    import httpx


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request may take.

    seconds     from its start to its end; a model that is still talking then has run on past its time
    characters  that a model may say, its thoughts included
    retries     how often a request that failed is tried again; ten times as often where the endpoint only asks to slow down
    longest     seconds; an endpoint that asks to wait longer is given up
    """

    seconds: float = 600.0
    characters: int = 400_000
    retries: int = 6
    longest: float = 600.0


class Endpoint:
    """A model that is asked over HTTP. It is the one thing that knows the key, which never leaves it."""

    kind = "openai"

    def __init__(
        self,
        url: str,
        name: str,
        key: str | None = None,
        *,
        stream: bool = True,
        at_once: int = 16,
        limits: Limits | None = None,
        pace: Pace | None = None,
        patience: Patience | None = None,
    ) -> None:
        if find_spec("httpx") is None:
            raise RlgymError("asking an endpoint needs httpx: install it with `pip install 'rlvrgym[eval]'`")
        _check(url, key, at_once)
        self.name, self.at_once = name, at_once
        self._url = url.rstrip("/").removesuffix("/chat/completions")
        self._key, self._stream = key.strip() if key else None, stream
        self._limits, self._pace, self._patience = limits or Limits(), pace or Pace(), patience or Patience()
        self._without: set[str] = set()
        self._spoke = False
        self._typical = 0
        self._client: httpx.AsyncClient | None = None

    def about(self) -> dict[str, Any]:
        """The address, and how it is asked."""
        return {"url": self._url, "stream": self._stream}

    @property
    def notes(self) -> list[str]:
        """What could not be asked as was wished."""
        return [f"the endpoint was asked {OPTIONAL[field]}, which it does not take" for field in sorted(self._without)]

    async def close(self) -> None:
        """Close the connections. The model may be asked again afterwards."""
        self._pace.rest()
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def ask(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]], sampling: Sampling, seed: int) -> Said:
        """The model's next turn; tried again where the endpoint is busy, broken for a moment, or talks nonsense."""
        failures = slowed = requests = 0
        while True:
            body = self._body(messages, tools, sampling, seed)
            use = await self._pace.begin(self._guess(body, sampling))
            requests += 1
            found = await self._once(body, use)
            if isinstance(found, Said):
                return replace(found, requests=requests)
            if found.means is Means.TOO_LONG:
                return Said({"role": "assistant", "content": ""}, finish="context", requests=requests)
            if found.means is Means.WITHOUT and found.field not in self._without:
                self._without.add(found.field)
                continue
            if found.means is Means.WITHOUT and found.field not in body:
                continue  # another asking found out meanwhile
            if found.means is not Means.AGAIN:
                self._give_up(found, requests)
            slowed, failures = slowed + found.limited, failures + (not found.limited)
            self._again_or_give_up(found, failures, slowed, requests)
            await self._wait(found, failures + slowed)

    def _give_up(self, found: Refusal, requests: int) -> None:
        if found.means is Means.ALL:
            raise ModelStops(f"the endpoint {self._url} does not answer for the model {self.name!r}: {found.why}")
        # Where no request was ever taken, it is a matter of how it is asked, not of the task.
        hopeless = found.means is Means.REQUEST and not self._spoke
        raise AskingFailed(f"the endpoint {self._url} refuses a request: {found.why}", requests, hopeless)

    def _again_or_give_up(self, found: Refusal, failures: int, slowed: int, requests: int) -> None:
        if found.wait is not None and found.wait > self._limits.longest:
            raise ModelStops(f"the endpoint {self._url} asks to wait for {found.wait:.0f} seconds ({found.why}): go on then")
        if found.unreachable and failures > (self._limits.retries if self._spoke else min(1, self._limits.retries)):
            raise ModelStops(f"the endpoint {self._url} cannot be reached: {found.why}; is it running, and is the address right?")
        if failures > self._limits.retries or slowed > 10 * self._limits.retries:
            raise AskingFailed(f"{found.why} ({requests} requests)", requests)

    async def _wait(self, found: Refusal, tries: int) -> None:
        seconds = max(self._patience.wait(tries), found.wait or 0.0)
        if found.limited:
            self._pace.pause(seconds)
        await asyncio.sleep(seconds)

    async def _once(self, body: Mapping[str, Any], use: Use) -> Said | Refusal:
        import httpx

        reply = Reply(self._limits.characters)
        heard = [time.monotonic()]
        try:
            async with asyncio.timeout(self._limits.seconds):
                found = await self._send(body, reply, heard)
        except TimeoutError:
            seconds = self._limits.seconds
            if reply.characters and time.monotonic() - heard[0] < max(seconds / 2, 1e-9):
                return self._heard(reply.cut("timed_out"), use)
            return Refusal(Means.AGAIN, f"the endpoint did not answer within {seconds:g} seconds")
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            return Refusal(Means.AGAIN, str(error) or type(error).__name__, unreachable=True)
        except httpx.HTTPError as error:
            return Refusal(Means.AGAIN, f"the connection broke ({type(error).__name__}: {error})")
        except Garbage as error:
            return Refusal(Means.AGAIN, str(error))
        return self._heard(found, use) if isinstance(found, Said) else found

    def _heard(self, said: Said, use: Use) -> Said:
        self._spoke = True
        if said.prompt_tokens is not None and said.completion_tokens is not None:
            use.tokens = said.prompt_tokens + said.completion_tokens
            self._typical = max(said.completion_tokens, (9 * self._typical + said.completion_tokens) // 10)
        return said

    async def _send(self, body: Mapping[str, Any], reply: Reply, heard: list[float]) -> Said | Refusal:
        # ASCII escapes carry any text at all.
        async with self._connected().stream("POST", f"{self._url}/chat/completions", content=json.dumps(body).encode()) as response:
            kept = bytearray()
            most = 8 * self._limits.characters + 1_000_000
            streamed = response.status_code == 200 and "text/event-stream" in response.headers.get("content-type", "")
            async for data in response.aiter_bytes():
                heard[0] = time.monotonic()
                if streamed:
                    reply.feed(data)
                    if reply.full:
                        return reply.cut("length")
                    if reply.ended:
                        break
                elif len(kept) < most:
                    kept += data
                else:
                    raise Garbage(f"the endpoint sent more than {most} bytes")
            if streamed:
                return reply.said()
            if response.status_code == 200:
                return read_whole(bytes(kept), self._limits.characters)
            return read_refusal(response.status_code, bytes(kept), response.headers, body)

    def _connected(self) -> httpx.AsyncClient:
        import httpx

        if self._client is None:
            headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {self._key}"} if self._key else {})
            timeout = httpx.Timeout(None, connect=min(10.0, self._limits.seconds))
            limits = httpx.Limits(max_connections=self.at_once, max_keepalive_connections=self.at_once)
            # Without TLS there is nothing to verify, and reading all certificates takes a while.
            verify = self._url.startswith("https://")
            self._client = httpx.AsyncClient(headers=headers, timeout=timeout, limits=limits, verify=verify)
        return self._client

    def _body(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]], sampling: Sampling, seed: int) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self.name, "messages": list(messages), "seed": seed}
        body |= {"temperature": sampling.temperature, "top_p": sampling.top_p, "max_tokens": sampling.max_tokens}
        body = {field: value for field, value in body.items() if value is not None}
        if tools:
            body["tools"] = list(tools)
        if self._stream:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        if "max_tokens" in self._without and "max_tokens" in body:
            body["max_completion_tokens"] = body["max_tokens"]
        return {field: value for field, value in body.items() if field not in self._without} | dict(sampling.extra)

    def _guess(self, body: Mapping[str, Any], sampling: Sampling) -> int:
        """The tokens that a request may take, by the length of its messages and of the answers so far."""
        said = self._typical or min(sampling.max_tokens or 1000, 1000)
        return len(json.dumps(body["messages"])) // 4 + said


def _check(url: str, key: str | None, at_once: int) -> None:
    """What can be said to be wrong before anything is asked."""
    import httpx

    try:
        host = httpx.URL(url).host if url.startswith(("http://", "https://")) else ""
    except httpx.InvalidURL:
        host = ""
    if not host:
        raise RlgymError(f"the address of an endpoint is like http://localhost:8000/v1, got {url!r}")
    if key and not re.fullmatch(r"[!-~]+", key.strip()):
        raise RlgymError("the key holds a space or another sign that no key has; its value is not shown here")
    if at_once < 1:
        raise RlgymError(f"at least one request must be allowed at once, got {at_once!r}")
