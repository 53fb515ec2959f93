"""Several vLLM servers as one rollout engine. One that dies takes nothing with it: the others do its requests again.

The members of a group go to one server, and so do the later turns of an episode, so that what a server has cached of a prompt is of
use. A request carries its own seed: which server does it decides nothing but the last bits of log-probabilities.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any

from rlgym.train.config import TrainError
from rlgym.train.rollout import Completion, Sampling
from rlgym.train.rollout.vllm import VllmServer, write_weights

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.rollout.ray import Farm
    from rlgym.train.team import Team


class VllmServers:
    """Implements `Engine` with vLLM servers, each started as `VllmServer` says.

    urls    where they listen
    leads   whether weights go to them from here: True on one rank of several
    rows    how many requests one server is sent at once
    counts  servers that were lost and requests that were sent again, since the beginning
    more    the other options of `VllmServer`
    """

    def __init__(self, urls: Sequence[str], *, leads: bool = True, rows: int = 128, farm: Farm | None = None, **more: Any) -> None:
        if not urls or len(set(urls)) < len(urls):
            raise TrainError(f"rollout.options.urls must name one server or more, and none twice, got {list(urls)!r}")
        self._servers = {url: VllmServer(url, rows=rows, **more) for url in urls}
        self._leads, self._farm = leads, farm
        self._alive = list(urls)
        self._threads = ThreadPoolExecutor(rows * len(urls))
        self._running: dict[Future[Completion], tuple[int, tuple[int, ...], Sampling, str]] = {}
        self._ended: list[tuple[int, Completion]] = []
        self._of_key: dict[int, str] = {}
        self._of_prompt: dict[tuple[int, ...], str] = {}
        self._version = 0
        self.counts = {"servers_lost": 0.0, "requests_repeated": 0.0}

    def submit(self, key: int, prompt: Sequence[int], sampling: Sampling) -> None:
        """Send a request. Raises ValueError for what vLLM cannot tell the log-probabilities of."""
        first = next(iter(self._servers.values()))
        if not first.accepts(prompt, sampling):
            self._ended.append((key, Completion((), (), False, self._version)))
        else:
            self._send(key, tuple(prompt), sampling)

    def _send(self, key: int, prompt: tuple[int, ...], sampling: Sampling) -> None:
        url = self._of_key.get(key) or self._of_prompt.get(prompt)
        if url not in self._alive:
            taken = Counter(self._of_prompt.values())
            url = min(self._alive, key=lambda other: taken[other])
            self._of_prompt[prompt] = url
        self._of_key[key] = url
        self._running[self._threads.submit(self._servers[url].ask, prompt, sampling, self._version)] = key, prompt, sampling, url

    def step(self) -> list[tuple[int, Completion]]:
        """Wait for the next answers; what a lost server was asked goes to the others. Raises TrainError when none is left."""
        import httpx

        ended, self._ended = self._ended, []
        if not self._running or ended:
            return ended
        ready, _ = wait(self._running, return_when=FIRST_COMPLETED)
        for future in ready:
            key, prompt, sampling, url = self._running.pop(future)
            error = future.exception()
            if error is None:
                ended.append((key, future.result()))
                continue
            response = getattr(error, "response", None)
            if isinstance(error, httpx.HTTPStatusError) and response is not None and response.status_code < 500:
                raise TrainError(f"the vLLM server at {url!r} refuses a request: {response.text[:300]}") from error
            if not isinstance(error, httpx.HTTPError):
                raise error
            self._lose(url, error)
            self.counts["requests_repeated"] += 1
            self._send(key, prompt, sampling)
        return ended

    def _lose(self, url: str, error: BaseException) -> None:
        if url in self._alive:
            self._alive.remove(url)
            self.counts["servers_lost"] += 1
        if not self._alive:
            raise TrainError(
                f"none of the {len(self._servers)} vLLM servers answers any more, the last was {url!r} ({error!r:.200}): "
                "start them again, and then the run, which goes on from its last checkpoint"
            ) from error

    @property
    def pending(self) -> int:
        return len(self._running) + len(self._ended)

    def load(self, weights: Iterable[tuple[str, Tensor]], version: int) -> None:
        """Hand weights to all servers; one that was lost and answers again is among them. Raises RuntimeError while requests are under way."""
        import httpx

        if self._running:
            raise RuntimeError("requests are under way; step until none is pending, then load")
        self._version = version
        self._of_key.clear()
        self._of_prompt.clear()
        lost = set(self._servers) - set(self._alive)
        self._alive = list(self._servers)
        if not self._leads:
            # A divided model is put together by all ranks, also for those that do not send it.
            for _ in weights:
                pass
            return
        first = next(iter(self._servers.values()))
        file = write_weights(weights, first.exchange)
        taking = {url: self._threads.submit(server.take, file) for url, server in self._servers.items()}
        for url, future in taking.items():
            error = future.exception()
            if isinstance(error, httpx.TransportError):
                self.counts["servers_lost"] -= url in lost
                self._lose(url, error)
            elif error is not None:
                raise error

    def sleep(self) -> None:
        """Nothing: the servers' memory is their own."""

    def close(self) -> None:
        """Let go of the servers; those that were started for this run are ended."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for server in self._servers.values():
            server.close()
        if self._farm is not None:
            self._farm.close()


def servers(folder: str, context: int, options: dict[str, Any], team: Team) -> VllmServers:
    """The engine that `url`, `urls` or `ray` among the options ask for; the other options are those of `VllmServers`."""
    named = [name for name in ("url", "urls", "ray") if name in options]
    if len(named) > 1:
        raise TrainError(f"rollout.options has {' and '.join(named)}: name the servers, or have them started, but not both")
    more = {name: value for name, value in options.items() if name not in named}
    given = options[named[0]]
    if named != ["ray"]:
        urls = [given] if named == ["url"] else given
        if not isinstance(urls, list) or not all(isinstance(url, str) for url in urls):
            raise TrainError(f"rollout.options.urls must be a list of addresses such as http://127.0.0.1:8000, got {given!r}")
        return VllmServers(urls, leads=team.leads, **more)
    from rlgym.train.rollout.ray import farm

    started = farm(folder, context=context, rows=more.get("rows", 128), filters=more["filters"], **given) if team.leads else None
    urls = team.gathered(started.urls if started else [])[0]
    return VllmServers(urls, leads=team.leads, farm=started, **more)
