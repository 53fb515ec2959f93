"""Models that run in this process with transformers.

Requests that arrive within a short window form a batch. Each request has its own random numbers, derived from its seed alone, so its
completion does not depend on the other requests of the batch, except for rounding.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rlgym import RlgymError
from rlgym.evaluate.models.batching import BatchQueue, DecodingParams, GeneratedTokens, GenerationRequest
from rlgym.evaluate.models.certainty import TokenMeans
from rlgym.evaluate.models.chat_format import ChatFormatter
from rlgym.evaluate.models.local import LocalModel, check_model_folder, context_length

BATCH_WINDOW_SECONDS = 0.05
STOP_STRING_TOKENS = 24
"""How many of the last tokens are searched for a stop string."""


class TransformersModel(LocalModel):
    """A causal language model from a folder or from the hub's cache.

    batch_size            the maximum number of requests in a batch
    device                "cpu", "cuda", "cuda:1" ...; a GPU if there is one, by default
    dtype                 of the weights: float32 on a CPU and the saved one on a GPU, by default
    batch_window_seconds  how long a batch waits for more requests after its first
    """

    kind = "transformers"

    def __init__(
        self, folder: str | Path, *, name: str | None = None, batch_size: int = 16, device: str | None = None, dtype: str | None = None,
        batch_window_seconds: float = BATCH_WINDOW_SECONDS,
    ) -> None:  # fmt: skip
        check_model_folder(folder, ("torch", "transformers"), "'rlvrgym[train]'")
        super().__init__(folder, name, max_concurrency=2 * batch_size)
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        self._device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self._dtype = dtype or ("float32" if self._device == "cpu" else "auto")
        try:
            tokenizer = AutoTokenizer.from_pretrained(self._folder)
            model: Any = AutoModelForCausalLM.from_pretrained(self._folder, dtype=self._dtype).to(self._device).eval()
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            raise RlgymError(f"the model {self._folder!r} cannot be loaded: {str(error).strip().splitlines()[0]}") from None
        self._model, self._tokenizer = model, tokenizer
        self._batch_size, self._batch_window_seconds = batch_size, batch_window_seconds
        self._formatter, self._context_length = ChatFormatter(tokenizer), context_length(model.config)
        self._generation_config = model.generation_config.to_diff_dict()
        self._queue = BatchQueue(self._work, "transformers")

    def metadata(self) -> dict[str, Any]:
        """The folder and the chat format; the device, the dtype and the number of parameters."""
        facts = {"device": self._device, "dtype": str(self._model.dtype).removeprefix("torch."), "parameters": self._model.num_parameters()}
        return super().metadata() | facts

    def _work(self, queue: BatchQueue) -> None:
        if requests := queue.take_batch(self._batch_size, window_seconds=self._batch_window_seconds):
            self._complete(requests)

    def _complete(self, requests: Sequence[GenerationRequest]) -> None:
        import torch

        try:
            results = self._generate_batch(requests)
        except torch.OutOfMemoryError:
            if len(requests) == 1:
                raise
            torch.cuda.empty_cache()
            half = len(requests) // 2
            self._complete(requests[:half])
            self._complete(requests[half:])
            return
        for request, generated in zip(requests, results):
            request.future.set_result(generated)

    def _generate_batch(self, requests: Sequence[GenerationRequest]) -> list[GeneratedTokens]:
        import torch
        from transformers import GenerationConfig

        eos_ids = _eos_token_ids(self._model.generation_config, self._tokenizer)
        pad = self._tokenizer.pad_token_id if self._tokenizer.pad_token_id is not None else eos_ids[0] if eos_ids else 0
        longest = max(len(request.prompt.tokens) for request in requests)
        # Left padding, so that all rows generate from the same position.
        ids = [[pad] * (longest - len(request.prompt.tokens)) + list(request.prompt.tokens) for request in requests]
        mask = [[0] * (longest - len(request.prompt.tokens)) + [1] * len(request.prompt.tokens) for request in requests]
        config = GenerationConfig(
            max_new_tokens=max(request.max_new_tokens for request in requests), do_sample=False, pad_token_id=pad,
            eos_token_id=eos_ids or None, repetition_penalty=self._generation_config.get("repetition_penalty") or 1.0,
        )  # fmt: skip
        processor = SamplingProcessor([request.decoding for request in requests], [request.means for request in requests])
        with torch.inference_mode():
            out = self._model.generate(
                input_ids=torch.tensor(ids, device=self._device),
                attention_mask=torch.tensor(mask, device=self._device),
                generation_config=config,
                logits_processor=[processor],
                stopping_criteria=[StopCriteria(self._tokenizer, longest, requests)],
            )
        completions = out[:, longest:].tolist()
        trimmed = [_trim(tokens, request, eos_ids, self._tokenizer) for tokens, request in zip(completions, requests)]
        return [replace(each, means=processor.means(row, len(each.tokens))) for row, each in enumerate(trimmed)]


class SamplingProcessor:
    """A logits processor that samples the next token of each row with the row's own random numbers and masks all others.

    It keeps the self-certainty and the entropy of each token's distribution, over the whole vocabulary at temperature 1, for the rows that want them.
    """

    def __init__(self, rows: Sequence[DecodingParams], wanted: Sequence[bool]) -> None:
        import torch

        self._rows, self._wanted = rows, wanted
        self._steps: list[tuple[list[float], list[float]]] = []
        self._generators = [torch.Generator().manual_seed(decoding.seed) for decoding in rows]

    def __call__(self, ids_BT: Any, scores_BV: Any) -> Any:  # B: rows, T: tokens so far, V: vocabulary
        import torch

        if any(self._wanted):
            logprobs_BV = torch.log_softmax(scores_BV.double(), -1).clamp(min=-1000.0)
            certainty_B = -math.log(scores_BV.shape[-1]) - logprobs_BV.mean(-1)
            entropy_B = -(logprobs_BV.exp() * logprobs_BV).sum(-1)
            self._steps.append((certainty_B.tolist(), entropy_B.tolist()))
        next_B = scores_BV.argmax(-1)
        for row, (decoding, generator) in enumerate(zip(self._rows, self._generators)):
            if decoding.temperature > 0:
                draw = torch.rand((), generator=generator, dtype=torch.float64).item()
                next_B[row] = _sample_token(scores_BV[row], decoding, draw)
        return torch.full_like(scores_BV, -torch.inf).scatter_(1, next_B[:, None], 0.0)

    def means(self, row: int, count: int) -> TokenMeans | None:
        """The means over the first tokens of a row; None without tokens, or where they were not wanted."""
        steps = self._steps[:count] if self._wanted[row] else []
        if not steps:
            return None
        return TokenMeans(*(sum(step[kind][row] for step in steps) / len(steps) for kind in (0, 1)))


def _sample_token(scores_V: Any, decoding: DecodingParams, draw: float) -> Any:
    """Inverse transform sampling: the token at which the cumulative probability exceeds `draw`, a number from 0 to 1."""
    import torch

    order_V = None
    probs_V = torch.softmax(scores_V.double() / decoding.temperature, -1)
    if decoding.top_p < 1 or decoding.top_k:
        probs_V, order_V = probs_V.sort(descending=True, stable=True)
        if decoding.top_k:
            probs_V = probs_V[: decoding.top_k]
        probs_V = probs_V / probs_V.sum()
        probs_V = probs_V[probs_V.cumsum(-1) - probs_V < decoding.top_p]
    cumulative_V = probs_V.cumsum(-1)
    index = torch.searchsorted(cumulative_V, draw * cumulative_V[-1], right=True).clamp(max=len(cumulative_V) - 1)
    return index if order_V is None else order_V[index]


class StopCriteria:
    """Stops a row at its token limit or at a stop string, in addition to the end-of-sequence token."""

    def __init__(self, tokenizer: Any, prompt_length: int, requests: Sequence[GenerationRequest]) -> None:
        self._tokenizer, self._prompt_length, self._requests = tokenizer, prompt_length, requests

    def __call__(self, ids_BT: Any, scores: Any, **_: Any) -> Any:
        import torch

        count = ids_BT.shape[1] - self._prompt_length
        stopped = [
            count >= request.max_new_tokens or self._has_stop_string(ids, request.prompt.stop_strings)
            for ids, request in zip(ids_BT, self._requests)
        ]
        return torch.tensor(stopped, device=ids_BT.device)

    def _has_stop_string(self, ids_T: Any, stop_strings: tuple[str, ...]) -> bool:
        if not stop_strings:
            return False
        last = self._tokenizer.decode(ids_T[max(self._prompt_length, len(ids_T) - STOP_STRING_TOKENS) :].tolist())
        return any(stop in last for stop in stop_strings)


def _trim(tokens: Sequence[int], request: GenerationRequest, eos_ids: Sequence[int], tokenizer: Any) -> GeneratedTokens:
    """The tokens up to the end of the turn, and why it ends."""
    trimmed = tuple(tokens[: request.max_new_tokens])
    end = next((position + 1 for position, token in enumerate(trimmed) if token in eos_ids), None)
    if stop_strings := request.prompt.stop_strings:
        # Every prefix longer than the shortest one with a stop string has it too, so binary search applies.
        lengths = range(1, (end or len(trimmed)) + 1)
        index = bisect_left(
            lengths, True, key=lambda length: any(stop in tokenizer.decode(list(trimmed[:length])) for stop in stop_strings)
        )
        end = lengths[index] if index < len(lengths) else end
    return GeneratedTokens(trimmed[:end], "length" if end is None else "stop")


def _eos_token_ids(config: Any, tokenizer: Any) -> list[int]:
    configured = config.eos_token_id
    ids = [] if configured is None else [configured] if isinstance(configured, int) else list(configured)
    return list(dict.fromkeys([*ids, *([tokenizer.eos_token_id] if tokenizer.eos_token_id is not None else [])]))
