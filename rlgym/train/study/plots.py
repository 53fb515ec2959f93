"""The solve rates of a study's members over the steps."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rlgym.train.logging.plots import moving_average


def plot_study(runs: Mapping[str, Mapping[int, Mapping[str, Any]]], file: Path) -> None:
    """A line for every member, the mean over seeds of the smoothed solve rate, and a band from the lowest to the highest seed."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    colours = pyplot.get_cmap("tab20").colors
    figure, axes = pyplot.subplots(figsize=(9, 4.5), layout="constrained")
    for number, (label, by_seed) in enumerate(runs.items()):
        curves = list(zip(*(moving_average(run["solve_rate"]) for run in by_seed.values()), strict=True))
        steps, colour = range(1, len(curves) + 1), colours[number % len(colours)]
        axes.plot(steps, [sum(rates) / len(rates) for rates in curves], color=colour, label=label)
        axes.fill_between(steps, [min(rates) for rates in curves], [max(rates) for rates in curves], color=colour, alpha=0.15)
    axes.set(xlabel="step of reinforcement learning", ylabel="solve rate in training")
    axes.legend(fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(file, dpi=100)
    pyplot.close(figure)
