"""Part 1: tokens a second of the engines, against the time in which memory can be read."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any

from measure import Place, Row, bandwidth, fresh, now
from models import folder, settings

from rlgym.train.model.pretrained import load_model
from rlgym.train.model.shape import ModelShape
from rlgym.train.rollout.engines.base import Engine, SamplingParams
from rlgym.train.rollout.engines.native import NativeEngine


def rollouts(place: Place) -> list[Row]:
    """Both engines with models of both sizes."""
    rate = bandwidth(place)
    out = [Row("rollout", "memory, a copy reads and writes", rate / 1e9, "GB/s")]
    for name, setting in settings(place).items():
        model_folder = folder(place, name, setting)
        model = load_model(model_folder / "model").to(place.device)
        shape, work = model.shape, model.to_dtype_copy(place.dtype)
        del model
        rows, context = place.size(8, 512), place.size(40, 512)
        engines: dict[str, Callable[[], Engine]] = {"native": partial(NativeEngine, work, max_num_seqs=rows, max_seq_len=context)}
        if find_spec("vllm"):
            engines["vllm"] = partial(_vllm, place, model_folder, rows, context)
        else:
            out.append(Row("rollout", f"vllm, {name}", None, "skipped: vllm is not installed"))
        for engine, start in engines.items():
            fresh(place)
            try:
                out += measured(place, f"{engine}, {name}", start(), shape, rate, rows)
            except Exception as error:  # one engine's failure leaves the others to be measured
                out.append(Row("rollout", f"{engine}, {name}", None, f"failed: {type(error).__name__}: {str(error)[:200]}"))
    return out


def _vllm(place: Place, model_folder: Any, rows: int, context: int) -> Engine:
    from rlgym.train.rollout.engines.vllm import VllmEngine

    more = {"gpu_memory_utilization": 0.5, "dtype": "bfloat16"} if place.device == "cuda" else {}
    return VllmEngine(model_folder / "model", max_num_seqs=rows, max_seq_len=context, enable_sleep_mode=False, **more)


def measured(place: Place, what: str, engine: Engine, shape: ModelShape, rate: float, rows: int) -> list[Row]:
    """A full batch: `rows` requests, eight to a prompt, each with all its tokens. The floor counts the steps of decoding alone."""
    prompt, tokens = place.size(8, 128), place.size(12, 256)

    def play(count: int, salt: int) -> float:
        start = now(place.device)
        for key in range(rows):
            engine.submit(key, [5 + (salt + key // 8) % 90, *range(10, 9 + prompt)], SamplingParams(count, seed=salt * rows + key))
        made = 0
        while engine.pending:
            made += sum(len(completion.tokens) for _, completion in engine.step())
        if made != rows * count:
            raise RuntimeError(f"{made} tokens were sampled instead of {rows * count}")
        return now(place.device) - start

    try:
        play(tokens, 0)
        runs = [(play(tokens, salt), play(1, salt + 50)) for salt in range(1, place.size(2, 4))]
    finally:
        engine.close()
    total, first = (sorted(part)[len(runs) // 2] for part in zip(*runs, strict=True))
    weights = shape.matrix_parameters() * place.bytes
    caches = [rows * (prompt + step) * shape.cache_bytes(place.bytes) for step in range(1, tokens)]
    floor = sum(weights + cache for cache in caches) / rate
    decoding = max(total - first, 1e-9)
    return [
        Row("rollout", f"{what}: whole", rows * tokens / total, "tokens/s"),
        Row("rollout", f"{what}: decoding", rows * (tokens - 1) / decoding, "tokens/s", f"floor {rows * (tokens - 1) / floor:,.0f}",
            floor / decoding, ">= 60 %" if what.startswith("native") else ""),
    ]  # fmt: skip
