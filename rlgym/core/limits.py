"""How much a program may use before it is stopped."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on one run of untrusted code."""

    seconds: float = 5.0
    memory_mb: int = 256
    output_kb: int = 256
    processes: int = 1
