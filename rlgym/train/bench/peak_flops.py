"""The peak floating-point rate of a device, from which a run computes its utilisation (MFU)."""

from __future__ import annotations

import json
import time
from pathlib import Path

import torch

from rlgym.train.config.schema import Config

ROUNDS = 5


def peak_flops(folder: Path, config: Config, device: torch.device) -> float:
    """Floating-point operations per second in a large matrix product, in the dtype of training.

    `compute.peak_tflops` overrides it. Otherwise it is measured once and cached in the run's folder, per device and dtype.
    """
    if config.compute.peak_tflops:
        return config.compute.peak_tflops * 1e12
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else f"cpu, {torch.get_num_threads()} threads"
    key = {"device": name, "dtype": config.compute.dtype_on(device.type)}
    file = folder / "peak_flops.json"
    try:
        cached = json.loads(file.read_text(encoding="utf-8"))
        if cached | key == cached:
            return float(cached["flops_per_s"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    flops_per_s = measure_peak_flops(device, torch.bfloat16 if config.compute.dtype_on(device.type) == "bfloat16" else torch.float32)
    file.write_text(json.dumps(key | {"flops_per_s": flops_per_s}, indent=1), encoding="utf-8")
    return flops_per_s


def measure_peak_flops(device: torch.device, dtype: torch.dtype, size: int | None = None) -> float:
    """The best rate of a few products of two square matrices."""
    on_gpu = device.type == "cuda"
    size = size or (8192 if on_gpu else 1024)
    left, right = (torch.ones(size, size, device=device, dtype=dtype) / size for _ in range(2))
    repeats, best = 10 if on_gpu else 1, 0.0
    for _ in range(ROUNDS):
        if on_gpu:
            torch.cuda.synchronize(device)
        start = time.perf_counter()
        for _ in range(repeats):
            left @ right
        if on_gpu:
            torch.cuda.synchronize(device)
        best = max(best, repeats * 2.0 * size**3 / (time.perf_counter() - start))
    return best
