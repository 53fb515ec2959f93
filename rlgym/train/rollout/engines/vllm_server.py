"""A vLLM server as the rollout engine. Weights are updated in place, without a restart."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rlgym.train.config.sections import TrainError
from rlgym.train.rollout.engines.base import Completion, SamplingParams
from rlgym.train.rollout.engines.vllm import check_sampling_params

if TYPE_CHECKING:
    from torch import Tensor


class VllmServer:
    """Implements `Engine` with a vLLM server that shares a file system (or shared memory) with the trainer.

    Start it, in an environment with rlgym, with `VLLM_SERVER_DEV_MODE=1 vllm serve FOLDER --logprobs-mode processed_logprobs
    --generation-config vllm --worker-extension-cls rlgym.train.rollout.engines.vllm_worker.WeightUpdates`. Weights are sent as a file
    in `weights_dir`, which the server loads.

    url           address, such as http://127.0.0.1:8000
    max_num_seqs  number of requests in progress at once
    weights_dir   a folder that both can access; by default one in shared memory
    """

    def __init__(
        self,
        url: str,
        *,
        max_num_seqs: int = 128,
        filtered: bool = False,
        weights_dir: str | Path | None = None,
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
        shared = Path("/dev/shm")
        parent = weights_dir or (shared if shared.is_dir() else None)
        self._weights_dir = tempfile.TemporaryDirectory(prefix="rlgym-weights-", dir=parent)
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

    @property
    def pending(self) -> int:
        return len(self._running) + len(self._ended)

    def update_weights(self, weights: Iterable[tuple[str, Tensor]], version: int) -> None:
        """Send weights through the shared folder. Raises RuntimeError while requests are in progress."""
        if self._running:
            raise RuntimeError("requests are in progress: step until none is pending, then update")
        self.load_file(write_weights(weights, self.weights_dir))
        self._version = version

    @property
    def weights_dir(self) -> Path:
        """The folder shared with the server."""
        return Path(self._weights_dir.name)

    def load_file(self, file: Path) -> None:
        """Make the server load weights from a file and clear its prefix cache."""
        self._call("load_policy_weights", {"file": str(file)})
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
        self._weights_dir.cleanup()

    def _call(self, method: str, kwargs: dict[str, Any]) -> None:
        import httpx

        try:
            self._http.post("/collective_rpc", json={"method": method, "kwargs": kwargs, "timeout": 600}).raise_for_status()
        except httpx.HTTPStatusError as error:
            why = "start it with VLLM_SERVER_DEV_MODE=1" if error.response.status_code == 404 else error.response.text[:300]
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


def write_weights(weights: Iterable[tuple[str, Tensor]], folder: Path) -> Path:
    """Save the weights as a file for a server."""
    from safetensors.torch import save_file

    file = folder / "model.safetensors"
    save_file({name: weight.detach().cpu().contiguous() for name, weight in weights if name != "value_head.weight"}, file)
    return file
