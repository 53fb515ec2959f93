"""How fast a device is at best, so that a run can say what share of that its training reaches."""

from __future__ import annotations

import json
import time
from pathlib import Path

import torch

from rlgym.train.config import Config

ROUNDS = 5


def ceiling(folder: Path, config: Config, device: torch.device) -> float:
    """Floating-point operations a second in a large product of matrices, in the type that training computes in.

    `compute.peak_tflops` goes over it. Else it is measured once, and kept in the run's folder for as long as the device is the same.
    """
    if config.compute.peak_tflops:
        return config.compute.peak_tflops * 1e12
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else f"cpu, {torch.get_num_threads()} threads"
    mark = {"device": name, "dtype": config.compute.dtype}
    file = folder / "ceiling.json"
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
        if kept | mark == kept:
            return float(kept["flops_per_s"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    found = measured(device, torch.bfloat16 if config.compute.dtype == "bfloat16" else torch.float32)
    file.write_text(json.dumps(mark | {"flops_per_s": found}, indent=1), encoding="utf-8")
    return found


def measured(device: torch.device, dtype: torch.dtype, size: int | None = None) -> float:
    """The best rate of a few rounds of products of two square matrices."""
    on_gpu = device.type == "cuda"
    size = size or (8192 if on_gpu else 1024)
    left, right = (torch.ones(size, size, device=device, dtype=dtype) / size for _ in range(2))
    repeats, best = 10 if on_gpu else 1, 0.0
    for _ in range(ROUNDS):
        if on_gpu:
            torch.cuda.synchronize(device)
        begun = time.perf_counter()
        for _ in range(repeats):
            left @ right
        if on_gpu:
            torch.cuda.synchronize(device)
        best = max(best, repeats * 2.0 * size**3 / (time.perf_counter() - begun))
    return best
