"""A vLLM server as the rollout engine. Weights are updated in place, without a restart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rlgym.train.config.sections import TrainError
from rlgym.train.rollout.engines.base import Completion, Continuation, SamplingParams
from rlgym.train.rollout.engines.vllm import check_sampling_params, check_scored_by_vllm
from rlgym.train.rollout.engines.weight_channels import WeightChannel, choose_channel

if TYPE_CHECKING:
    from torch import Tensor


class VllmServer:
    """Implements `Engine` with a vLLM server that shares memory or a file system with the trainer.

    Start it, in an environment with rlgym, with `VLLM_SERVER_DEV_MODE=1 vllm serve FOLDER --logprobs-mode processed_logprobs
    --generation-config vllm --worker-extension-cls rlgym.train.rollout.engines.vllm_worker.WeightUpdates`. Weights reach a server on
    this machine through shared memory, and others as a file in `weights_dir`.

    url           address, such as http://127.0.0.1:8000
    max_num_seqs  number of requests in progress at once
    weights_dir   a folder that both can access, for a server on another machine or in a container with a memory of its own
    """

    def __init__(
        self,
        url: str,
        *,
        max_num_seqs: int = 128,
        filtered: bool = False,
        weights_dir: str | Path | None = None,
        workers: int = 0,
        weights_host: str = "",
        api_key: str = "",
        timeout_seconds: float = 600.0,
    ) -> None:
        import httpx

        self._http = httpx.Client(
            base_url=url,
            timeout=httpx.Timeout(timeout_seconds, connect=min(timeout_seconds, 10.0)),
            headers={"Authorization": f"Bearer {api_key}"} if api_key else {},
            limits=httpx.Limits(max_connections=max_num_seqs, max_keepalive_connections=max_num_seqs),
        )
        try:
            models = self._http.get("/v1/models").raise_for_status().json()["data"][0]
        except (httpx.HTTPError, ValueError, LookupError) as error:
            raise TrainError(f"no vLLM server answers at {url!r}: {error}") from None
        self._model, self._max_seq_len, self._filtered = models["id"], int(models["max_model_len"]), filtered
        self._url, self._sent_by = url, (weights_dir, workers, weights_host)
        self._channel: WeightChannel | None = None
        self._threads = ThreadPoolExecutor(max_num_seqs)
        self._running: dict[Future[Completion], int] = {}
        self._ended: list[tuple[int, Completion]] = []
        self._version = 0

    def submit(self, key: int, prompt: Sequence[int], sampling: SamplingParams) -> None:
        """Send a request."""
        if not self.accepts(prompt, sampling):
            self._ended.append((key, Completion((), (), False, self._version)))
        else:
            self._running[self._threads.submit(self.complete, tuple(prompt), sampling, self._version)] = key

    def accepts(self, prompt: Sequence[int], sampling: SamplingParams) -> bool:
        """Whether the context has room for a response. Raises ValueError for parameters at which vLLM cannot report log-probabilities."""
        check_sampling_params(sampling, self._filtered)
        return len(prompt) < self._max_seq_len and sampling.max_new_tokens >= 1

    def step(self) -> list[tuple[int, Completion]]:
        """Wait for the next responses."""
        ended, self._ended = self._ended, []
        if self._running and not ended:
            ready, _ = wait(self._running, return_when=FIRST_COMPLETED)
            ended = [(self._running.pop(future), future.result()) for future in ready]
        return ended

    def score(self, continuations: Sequence[Continuation], temperature: float = 1.0) -> list[tuple[float, ...]]:
        """Log-probabilities of given tokens. Raises ValueError for another temperature than 1."""
        self.check_continuations(continuations, temperature)
        return list(self._threads.map(self.score_one, continuations))

    def check_continuations(self, continuations: Sequence[Continuation], temperature: float) -> None:
        """Raise ValueError for continuations that the server cannot score."""
        check_scored_by_vllm(continuations, temperature, self._max_seq_len)

    @property
    def pending(self) -> int:
        return len(self._running) + len(self._ended)

    def update_weights(self, weights: Iterable[tuple[str, Tensor]], version: int) -> None:
        """Send weights through shared memory, a file or a process group. Raises RuntimeError while requests are in progress."""
        if self._running:
            raise RuntimeError("requests are in progress: step until none is pending, then update")
        self._channel = self._channel or choose_channel([self._url], *self._sent_by)
        self.load(self._channel.write(weights))
        self._channel.finish()
        self._version = version

    def load(self, written: dict[str, Any]) -> None:
        """Make the server load what a channel wrote, and clear its prefix cache."""
        self._call("load_policy_weights", written)
        self._http.post("/reset_prefix_cache").raise_for_status()

    def check_logprobs_mode(self, temperature: float) -> None:
        """Raise TrainError unless the server reports the log-probabilities that this run needs.

        Those before top_p and top_k are the raw ones; those at a temperature other than 1 are the processed ones. A server tells which
        it reports when it samples from the most likely token alone: that has the processed log-probability 0.
        """
        if not self._filtered and temperature == 1:
            return
        probe = SamplingParams(1, 1.0, 1.0, 1)
        reported = [self.complete((token, token + 1), probe, 0).logprobs[0] for token in (1, 2, 3)]
        processed = all(logprob > -1e-6 for logprob in reported)
        if processed == self._filtered:
            needed, why = ("raw", "rollout.top_p and top_k") if self._filtered else ("processed", f"rollout.temperature={temperature:g}")
            raise TrainError(f"{why} needs a vLLM server that was started with `--logprobs-mode {needed}_logprobs`: restart it with that")

    def sleep(self) -> None:
        """Nothing: the server manages its own memory."""

    def close(self) -> None:
        """Disconnect from the server, which keeps running."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._http.close()
        if self._channel is not None:
            self._channel.close()

    def _call(self, method: str, kwargs: dict[str, Any]) -> None:
        import httpx

        try:
            self._http.post("/collective_rpc", json={"method": method, "kwargs": kwargs, "timeout": 600}).raise_for_status()
        except httpx.HTTPStatusError as error:
            why = "start it with VLLM_SERVER_DEV_MODE=1" if error.response.status_code == 404 else error.response.text[:300]
            if "shared" in kwargs:
                why += " - if it does not share memory with the trainer, set rollout.engine_options.weights_dir to a folder that both can access"
            raise TrainError(f"the vLLM server did not load the weights: {why}") from None

    def complete(self, prompt: tuple[int, ...], sampling: SamplingParams, version: int) -> Completion:
        """Send one request and wait for its response."""
        request = {
            "model": self._model,
            "prompt": list(prompt),
            "max_tokens": min(sampling.max_new_tokens, self._max_seq_len - len(prompt)),
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "top_k": sampling.top_k or -1,
            "stop_token_ids": list(sampling.stop),
            "seed": sampling.seed % (1 << 63),
            "logprobs": 0,
            "ignore_eos": True,
            "return_token_ids": True,
            "skip_special_tokens": False,
        }
        choice = self._http.post("/v1/completions", json=request).raise_for_status().json()["choices"][0]
        logprobs = tuple(map(float, choice["logprobs"]["token_logprobs"]))
        return Completion(tuple(choice["token_ids"]), logprobs, choice["finish_reason"] == "stop", version)

    def score_one(self, continuation: Continuation) -> tuple[float, ...]:
        """Send one continuation and wait for the log-probabilities of its tokens."""
        if not continuation.tokens:
            return ()
        request = {
            "model": self._model,
            "prompt": [*continuation.prefix, *continuation.tokens],
            "max_tokens": 1,
            "prompt_logprobs": 0,
            "return_token_ids": True,
        }
        choice = self._http.post("/v1/completions", json=request).raise_for_status().json()["choices"][0]
        entries = choice["prompt_logprobs"][-len(continuation.tokens) :]
        return tuple(float(entry[str(token)]["logprob"]) for entry, token in zip(entries, continuation.tokens, strict=True))
