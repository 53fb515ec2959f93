"""Shares and their 95 % intervals."""

from __future__ import annotations

from collections.abc import Iterable

Z_95 = 1.959964
"""The standard normal distribution has 95 % of its mass between -Z_95 and Z_95."""


def share(flags: Iterable[bool]) -> float | None:
    """The share of true flags; None without any."""
    listed = list(flags)
    return sum(listed) / len(listed) if listed else None


def wilson(successes: float, trials: float) -> tuple[float, float]:
    """Wilson's 95 % interval of a share, which stays inside [0, 1]; (0, 1) without trials."""
    if not trials:
        return 0.0, 1.0
    mean, spread = successes / trials, Z_95**2 / trials
    middle = (mean + spread / 2) / (1 + spread)
    half = Z_95 / (1 + spread) * (mean * (1 - mean) / trials + spread / (4 * trials)) ** 0.5
    return max(0.0, middle - half), min(1.0, middle + half)
