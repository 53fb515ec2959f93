"""Means over seeds with 95 % intervals, and differences from the baseline on the same seeds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

T_975 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)
"""The 0.975 quantiles of Student's t distribution with 1 to 9 degrees of freedom."""
MAX_SEEDS = len(T_975) + 1


@dataclass(frozen=True)
class Estimate:
    """A mean over seeds and the half-width of its 95 % t interval; None with a single seed, which gives no interval."""

    mean: float
    half_width: float | None

    def text(self, sign: bool = False) -> str:
        """The estimate to three decimals."""
        mean = f"{self.mean:+.3f}" if sign else f"{self.mean:.3f}"
        return mean if self.half_width is None else f"{mean} ± {self.half_width:.3f}"

    @property
    def is_clear(self) -> bool:
        """True if the interval excludes 0. Without one, or with one of no width because few tasks round alike, nothing is clear."""
        return bool(self.half_width) and abs(self.mean) > (self.half_width or 0)


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of one value for each seed."""
    count = len(values)
    mean = sum(values) / count
    if count == 1:
        return Estimate(mean, None)
    variance = sum((value - mean) ** 2 for value in values) / (count - 1)
    return Estimate(mean, T_975[count - 2] * math.sqrt(variance / count))


def summarize(runs: Mapping[str, Mapping[int, Mapping[str, Any]]], baseline: str) -> dict[str, dict[str, Any]]:
    """Of every member: accuracy before and after, the gain, the difference of `after` from the baseline's, and what was sampled.

    `runs` holds for each label and seed: before, after (held-out accuracies), rollouts and tokens (sampled in training), and in newer
    runs response_tokens (mean length of the last rollouts).
    """
    summary = {}
    for label, by_seed in runs.items():
        seeds = sorted(by_seed)
        after = [by_seed[seed]["after"] for seed in seeds]
        row: dict[str, Any] = {
            "before": asdict(estimate([by_seed[seed]["before"] for seed in seeds])),
            "after": asdict(estimate(after)),
            "gain": asdict(estimate([by_seed[seed]["after"] - by_seed[seed]["before"] for seed in seeds])),
            "rollouts": sum(by_seed[seed]["rollouts"] for seed in seeds) / len(seeds),
            "tokens": sum(by_seed[seed]["tokens"] for seed in seeds) / len(seeds),
        }
        if all("response_tokens" in by_seed[seed] for seed in seeds):
            row["response_tokens"] = asdict(estimate([by_seed[seed]["response_tokens"] for seed in seeds]))
        if label != baseline:
            row["difference"] = asdict(estimate([value - runs[baseline][seed]["after"] for seed, value in zip(seeds, after, strict=True)]))
        summary[label] = row
    return summary


def pareto_front(summary: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The members than which no other is both as accurate afterwards and as short, and better in one of them."""

    def worse(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
        first, second = ((-row["after"]["mean"], row["response_tokens"]["mean"]) for row in (one, other))
        return first != second and all(left >= right for left, right in zip(first, second, strict=True))

    return [label for label, row in summary.items() if not any(worse(row, other) for other in summary.values())]


def table(summary: Mapping[str, Mapping[str, Any]]) -> str:
    """The summary as a Markdown table."""
    lengths = all("response_tokens" in row for row in summary.values())
    last = ["length at the end"] if lengths else []
    heads = ["member", "before", "after", "gain", "after, minus the baseline", "rollouts", "tokens", *last]
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    for label, row in summary.items():
        difference = Estimate(**row["difference"]).text(sign=True) if "difference" in row else "baseline"
        cells = [Estimate(**row[name]).text(sign=name == "gain") for name in ("before", "after", "gain")]
        line = f"| {label} | {' | '.join(cells)} | {difference} | {row['rollouts']:.0f} | {row['tokens']:.0f} |"
        if lengths:
            length = row["response_tokens"]
            line += f" {length['mean']:.1f}" + ("" if length["half_width"] is None else f" ± {length['half_width']:.1f}") + " |"
        lines.append(line)
    return "\n".join(lines)
