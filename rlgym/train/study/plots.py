"""Pictures of a study: the solve rates of its members over the steps, and their accuracy against the length of their responses."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rlgym.train.logging.plots import moving_average
from rlgym.train.study.summary import pareto_front


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


def plot_trade_off(summary: Mapping[str, Mapping[str, Any]], file: Path) -> None:
    """A point for every member, its held-out accuracy over the length of its last rollouts, with 95 % intervals; a line joins the Pareto front."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    colours = pyplot.get_cmap("tab20").colors
    figure, axes = pyplot.subplots(figsize=(9, 4.5), layout="constrained")
    for number, (label, row) in enumerate(summary.items()):
        length, accuracy = row["response_tokens"], row["after"]
        axes.errorbar(
            length["mean"], accuracy["mean"], xerr=length["half_width"], yerr=accuracy["half_width"], fmt="o", elinewidth=0.5,
            color=colours[number % len(colours)], label=label,
        )  # fmt: skip
    front = sorted((summary[label]["response_tokens"]["mean"], summary[label]["after"]["mean"]) for label in pareto_front(summary))
    axes.plot(*zip(*front, strict=True), color="grey", linewidth=1, zorder=0, label="Pareto front")
    axes.set(xlabel="tokens of a response, last quarter of the steps", ylabel="held-out accuracy after training")
    axes.legend(fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(file, dpi=100)
    pyplot.close(figure)
