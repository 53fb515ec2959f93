"""Resource limits of untrusted programs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on one run of untrusted code.

    seconds    processor time; wall time is a backstop at three times that plus three seconds
    memory_mb  memory in MiB
    output_kb  printed output in KiB
    processes  processes and threads at a time
    """

    seconds: float = 5.0
    memory_mb: int = 256
    output_kb: int = 256
    processes: int = 1
