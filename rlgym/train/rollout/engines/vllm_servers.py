"""Several vLLM servers as one rollout engine. If a server dies, the others repeat its requests.

All rollouts of a group go to one server, and so do the later turns of an episode, so that prefix caches are used. A request carries
its own seed, so the choice of the server affects only the last bits of log-probabilities.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any

from rlgym.train.config.sections import TrainError
from rlgym.train.rollout.engines.base import Completion, Continuation, SamplingParams
from rlgym.train.rollout.engines.vllm_server import VllmServer
from rlgym.train.rollout.engines.weight_channels import WeightChannel, choose_channel

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.distributed.process_group import ProcessGroup
    from rlgym.train.rollout.engines.ray_servers import ServerGroup


class VllmServers:
    """Implements `Engine` with vLLM servers, each started as `VllmServer` says.

    urls           addresses of the servers
    is_main        whether this rank sends the weights: True on one rank
    max_num_seqs   number of requests in progress at once, per server
    counts         servers lost and requests retried, since the start
    more           further options of `VllmServer`
    """

    def __init__(
        self, urls: Sequence[str], *, is_main: bool = True, max_num_seqs: int = 128, server_group: ServerGroup | None = None, **more: Any
    ) -> None:
        if not urls or len(set(urls)) < len(urls):
            raise TrainError(f"rollout.engine_options.urls must list at least one server, and none twice, got {list(urls)!r}")
        self._servers = {url: VllmServer(url, max_num_seqs=max_num_seqs, **more) for url in urls}
        self._is_main, self._server_group = is_main, server_group
        self._sent_by = more.get("weights_dir"), more.get("workers", 0), more.get("weights_host", "")
        self._channel: WeightChannel | None = None
        self._alive = list(urls)
        self._threads = ThreadPoolExecutor(max_num_seqs * len(urls))
        self._running: dict[Future[Completion], tuple[int, tuple[int, ...], SamplingParams, str]] = {}
        self._ended: list[tuple[int, Completion]] = []
        self._url_of_key: dict[int, str] = {}
        self._url_of_prompt: dict[tuple[int, ...], str] = {}
        self._version = 0
        self.counts = {"servers_lost": 0.0, "requests_retried": 0.0}

    def submit(self, key: int, prompt: Sequence[int], sampling: SamplingParams) -> None:
        """Send a request. Raises ValueError for parameters at which vLLM cannot report log-probabilities."""
        first = next(iter(self._servers.values()))
        if not first.accepts(prompt, sampling):
            self._ended.append((key, Completion((), (), False, self._version)))
        else:
            self._send(key, tuple(prompt), sampling)

    def _send(self, key: int, prompt: tuple[int, ...], sampling: SamplingParams) -> None:
        url = self._url_of_key.get(key) or self._url_of_prompt.get(prompt)
        if url not in self._alive:
            load = Counter(self._url_of_prompt.values())
            url = min(self._alive, key=lambda other: load[other])
            self._url_of_prompt[prompt] = url
        self._url_of_key[key] = url
        self._running[self._threads.submit(self._servers[url].complete, prompt, sampling, self._version)] = key, prompt, sampling, url

    def step(self) -> list[tuple[int, Completion]]:
        """Wait for the next responses; requests of a lost server go to the others. Raises TrainError if none is left."""
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
                raise TrainError(f"the vLLM server at {url!r} rejected a request: {response.text[:300]}") from error
            if not isinstance(error, httpx.HTTPError):
                raise error
            self._lose(url, error)
            self.counts["requests_retried"] += 1
            self._send(key, prompt, sampling)
        return ended

    def score(self, continuations: Sequence[Continuation], temperature: float = 1.0) -> list[tuple[float, ...]]:
        """Log-probabilities of given tokens; those of a lost server are asked of the others. Raises TrainError if none is left."""
        import httpx

        next(iter(self._servers.values())).check_continuations(continuations, temperature)
        scores: dict[int, tuple[float, ...]] = {}
        while missing := [place for place in range(len(continuations)) if place not in scores]:
            urls = {place: self._alive[place % len(self._alive)] for place in missing}
            sent = {place: self._threads.submit(self._servers[url].score_one, continuations[place]) for place, url in urls.items()}
            for place, future in sent.items():
                error = future.exception()
                if error is None:
                    scores[place] = future.result()
                elif isinstance(error, httpx.TransportError):
                    self._lose(urls[place], error)
                    self.counts["requests_retried"] += 1
                else:
                    raise error
        return [scores[place] for place in range(len(continuations))]

    def check_logprobs_mode(self, temperature: float) -> None:
        """Raise TrainError unless every server reports the log-probabilities that a run at this temperature needs."""
        for server in self._servers.values():
            server.check_logprobs_mode(temperature)

    def _lose(self, url: str, error: BaseException) -> None:
        if url in self._alive:
            self._alive.remove(url)
            self.counts["servers_lost"] += 1
        if not self._alive:
            raise TrainError(
                f"none of the {len(self._servers)} vLLM servers responds, the last was {url!r} ({error!r:.200}): "
                "restart them, and then the run, which resumes from its last checkpoint"
            ) from error

    @property
    def pending(self) -> int:
        return len(self._running) + len(self._ended)

    def update_weights(self, weights: Iterable[tuple[str, Tensor]], version: int) -> None:
        """Send weights to all servers, including lost ones that respond again. Raises RuntimeError while requests are in progress."""
        import httpx

        if self._running:
            raise RuntimeError("requests are in progress: step until none is pending, then update")
        self._version = version
        self._url_of_key.clear()
        self._url_of_prompt.clear()
        lost = set(self._servers) - set(self._alive)
        self._alive = list(self._servers)
        if not self._is_main:
            # All ranks gather a sharded model together, also those that do not send it.
            for _ in weights:
                pass
            return
        self._channel = self._channel or choose_channel(list(self._servers), *self._sent_by)
        written = self._channel.write(weights)
        updates = {url: self._threads.submit(server.load, written) for url, server in self._servers.items()}
        for url, future in updates.items():
            error = future.exception()
            if isinstance(error, httpx.TransportError):
                self.counts["servers_lost"] -= url in lost
                self._lose(url, error)
            elif error is not None:
                raise error
        self._channel.finish()

    def sleep(self) -> None:
        """Nothing: the servers manage their own memory."""

    def close(self) -> None:
        """Disconnect from the servers, and stop those that were started for this run."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for server in self._servers.values():
            server.close()
        if self._channel is not None:
            self._channel.close()
        if self._server_group is not None:
            self._server_group.close()


def connect_servers(
    folder: str, max_seq_len: int, options: dict[str, Any], process_group: ProcessGroup, temperature: float = 1.0
) -> VllmServers:
    """The engine for the option `url`, `urls` or `ray`; the other options are those of `VllmServers`."""
    named = [name for name in ("url", "urls", "ray") if name in options]
    if len(named) > 1:
        raise TrainError(f"rollout.engine_options contains {' and '.join(named)}: use only one of them")
    more = {name: value for name, value in options.items() if name not in named}
    given = options[named[0]]
    if named != ["ray"]:
        urls = [given] if named == ["url"] else given
        if not isinstance(urls, list) or not all(isinstance(url, str) for url in urls):
            raise TrainError(f"rollout.engine_options.urls must be a list of addresses such as http://127.0.0.1:8000, got {given!r}")
        servers = VllmServers(urls, is_main=process_group.is_main, **more)
        try:
            servers.check_logprobs_mode(temperature)
        except BaseException:
            servers.close()
            raise
        return servers
    from rlgym.train.rollout.engines.ray_servers import start_servers

    server_group = (
        start_servers(folder, max_seq_len=max_seq_len, max_num_seqs=more.get("max_num_seqs", 128), filtered=more["filtered"], **given)
        if process_group.is_main
        else None
    )
    urls = process_group.all_gather(server_group.urls if server_group else [])[0]
    return VllmServers(urls, is_main=process_group.is_main, server_group=server_group, **more)
