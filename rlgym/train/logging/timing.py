"""Seconds and rates of one training step."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import torch


@dataclass
class StepTimer:
    """Seconds by part of a step."""

    start: float = field(default_factory=time.perf_counter)
    parts: dict[str, float] = field(default_factory=dict)

    def mark(self, name: str) -> None:
        """Assign the time since the last mark to a part."""
        if torch.cuda.is_available():
            torch.cuda.synchronize()
        now = time.perf_counter()
        self.parts[name] = self.parts.get(name, 0.0) + now - self.start - sum(self.parts.values())

    def seconds(self) -> dict[str, float]:
        """The whole time and the time of each part."""
        return {"seconds": sum(self.parts.values()), **{f"seconds_{name}": value for name, value in self.parts.items()}}

    def training_rates(self, tokens: int, flops: float, peak_flops: float) -> dict[str, float]:
        """Tokens and floating-point operations per second of training, all passes counted; empty if nothing was trained.

        `mfu` is the model FLOPs utilisation, the fraction of the devices' peak rate.
        """
        seconds = self.parts.get("old_logprobs", 0.0) + self.parts.get("train", 0.0)
        if seconds <= 0:
            return {}
        return {"train_tokens_per_s": tokens / seconds, "train_tflops": flops / seconds / 1e12, "mfu": flops / seconds / peak_flops}
