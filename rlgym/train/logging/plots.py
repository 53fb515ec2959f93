"""Plots of a run: the training curve, and held-out accuracy by environment and level."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

SMOOTHING = 0.9
LABELS = {"start": "before", "middle": "after SFT", "end": "after reinforcement learning"}
"""How the evaluations of a run are titled."""


def plot_run(steps: Sequence[dict[str, Any]], evaluations: Sequence[dict[str, Any]], title: str) -> bytes:
    """A PNG with the training curve on the left and the held-out accuracies on the right."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(12, 4.5), layout="constrained")
    figure.suptitle(title)
    numbers, rates = [line["step"] for line in steps], [line["solve_rate"] for line in steps]
    left.plot(numbers, rates, color="tab:blue", alpha=0.25)
    left.plot(numbers, moving_average(rates), color="tab:blue", label="sampled in training")
    held_out = [line for line in evaluations if line["phase"] == "rl"]
    means = [line["accuracy"]["mean"] for line in held_out]
    errors = [[accuracy["avg"] - accuracy["low"] for accuracy in means], [accuracy["high"] - accuracy["avg"] for accuracy in means]]
    left.errorbar(
        [line["step"] for line in held_out], [accuracy["avg"] for accuracy in means], errors, fmt="o-", color="tab:red", label="held out"
    )
    left.set(xlabel="step of reinforcement learning", ylabel="solve rate", ylim=(0, 1))
    left.legend()
    _plot_accuracies(right, evaluations)
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=110)
    pyplot.close(figure)
    return out.getvalue()


def _plot_accuracies(axes: Any, evaluations: Sequence[dict[str, Any]]) -> None:
    """Bars of held-out accuracy by environment and level, one colour per evaluation at the start or end of a phase."""
    shown = [line for line in evaluations if not line["label"].startswith("step ")]
    if not shown:
        return
    cells = list(shown[-1]["accuracy"])
    width = 0.8 / len(shown)
    for number, line in enumerate(shown):
        accuracies = [line["accuracy"].get(cell, {}) for cell in cells]
        x = [index + (number - (len(shown) - 1) / 2) * width for index in range(len(cells))]
        heights = [accuracy.get("avg") or 0.0 for accuracy in accuracies]
        errors = [
            [max(0.0, height - accuracy.get("low", 0.0)) for height, accuracy in zip(heights, accuracies, strict=True)],
            [max(0.0, accuracy.get("high", 0.0) - height) for height, accuracy in zip(heights, accuracies, strict=True)],
        ]
        axes.bar(x, heights, width, label=LABELS.get(line["label"], line["label"]))
        axes.errorbar(x, heights, errors, fmt="none", ecolor="black", elinewidth=0.8)
    axes.set(ylabel="held-out accuracy", ylim=(0, 1))
    axes.set_xticks(range(len(cells)), cells, rotation=30, ha="right")
    axes.legend()


def moving_average(values: Sequence[float]) -> list[float]:
    """The exponential moving average, corrected for its start."""
    out, total, weight = [], 0.0, 0.0
    for value in values:
        total, weight = SMOOTHING * total + (1 - SMOOTHING) * value, SMOOTHING * weight + (1 - SMOOTHING)
        out.append(total / weight)
    return out
