"""Curricula: how often an environment of the mixture, or one of its levels, is sampled, as a weight that multiplies its share."""

from __future__ import annotations

from statistics import fmean, pstdev
from typing import TYPE_CHECKING

from pydantic import Field

from rlgym.train.registry import Options, curriculum

if TYPE_CHECKING:
    from rlgym.train.tasks.cells import CurriculumCell


class UniformOptions(Options):
    """No options."""


class LearnabilityOptions(Options):
    """Options of `learnability`."""

    min_share: float = Field(0.1, ge=0, le=1, description="weight of an environment that is always or never solved")


class WeaknessOptions(Options):
    """Options of `weakness`."""

    min_share: float = Field(0.1, ge=0, le=1, description="weight of an environment that is always solved")


class WeakCellsOptions(Options):
    """Options of `weak_cells`."""

    threshold: float = Field(0.5, gt=0, le=1, description="an environment and level is weak while its solve rate is below")
    min_share: float = Field(0.1, ge=0, le=1, description="weight of an environment and level that is not weak")
    recombined_fraction: float = Field(
        0.0,
        ge=0,
        le=1,
        description="fraction of the tasks of a weak level that are synthesised: each knob is that of one of the weak levels",
    )


class VarianceOptions(Options):
    """Options of `variance`."""

    threshold: float = Field(0.3, ge=0, le=1, description="normalised variance below which the weight is min_share")
    min_share: float = Field(0.1, ge=0, le=1, description="weight below the threshold")


class RecapOptions(Options):
    """Options of `recap`."""

    window: int = Field(16, ge=4, le=32, description="number of recent groups, the earlier half compared with the later one")
    min_share: float = Field(0.1, ge=0, le=1, description="weight of what is always solved")


@curriculum("uniform")
def uniform(cell: CurriculumCell, options: UniformOptions) -> float:
    """1: every environment by its share of the mixture."""
    return 1.0


@curriculum("learnability", paper="Learning to Reason at the Frontier of Learnability")
def learnability(cell: CurriculumCell, options: LearnabilityOptions) -> float:
    """min_share + (1 - min_share) 4 p (1 - p), p the solve rate; 1 before the first group."""
    # A group teaches through the variance of its rewards, which is largest at a solve rate of one half.
    if cell.solve_rate is None:
        return 1.0
    return options.min_share + (1 - options.min_share) * 4 * cell.solve_rate * (1 - cell.solve_rate)


@curriculum("weakness", paper="SwS: Self-aware Weakness-driven Problem Synthesis in Reinforcement Learning for LLM Reasoning")
def weakness(cell: CurriculumCell, options: WeaknessOptions) -> float:
    """min_share + (1 - min_share) (1 - p), p the solve rate: more of what fails; 1 before the first group."""
    if cell.solve_rate is None:
        return 1.0
    return options.min_share + (1 - options.min_share) * (1 - cell.solve_rate)


@curriculum(
    "weak_cells", paper="SwS: Self-aware Weakness-driven Problem Synthesis in Reinforcement Learning for LLM Reasoning", by_level=True
)
def weak_cells(cell: CurriculumCell, options: WeakCellsOptions) -> float:
    """For each level: 1 - p while the solve rate p is below `threshold`, at least min_share; min_share from there on; 1 before the first group.

    With `recombined_fraction` new kinds of tasks are synthesised where an environment has several weak levels: each knob of such a task has the value
    of one of these levels, drawn at random, so that it belongs to none of them.
    """
    if cell.solve_rate is None:
        return 1.0
    return max(options.min_share, 1 - cell.solve_rate) if cell.solve_rate < options.threshold else options.min_share


@curriculum("variance", paper="VCRL: Variance-based Curriculum Reinforcement Learning for Large Language Models", by_level=True)
def variance(cell: CurriculumCell, options: VarianceOptions) -> float:
    """For each level: the moving average v of the groups' variance over the largest possible one, min_share where v is below `threshold`.

    1 before the first group. Without the paper's memory bank of single tasks.
    """
    if cell.variance is None:
        return 1.0
    return max(options.min_share, cell.variance) if cell.variance >= options.threshold else options.min_share


@curriculum("recap", paper="Beyond Reasoning Gains: Mitigating General Capabilities Forgetting in Large Reasoning Models", by_level=True)
def recap(cell: CurriculumCell, options: RecapOptions) -> float:
    """For each level: min_share + (1 - min_share) (1 - m2 (1 - t) (1 - s)): less of what is solved, steady and no longer moving.

    m1 and m2 are the mean solve rates of the earlier and the later half of the window, t = |m2 - m1| / max(m1, m2) is the trend, and
    s = min(1, standard deviation / mean of the later half) the instability. 1 until the window is full.
    """
    recent = list(cell.window)[-options.window :]
    if len(recent) < options.window:
        return 1.0
    earlier, later = recent[: len(recent) // 2], recent[len(recent) // 2 :]
    m1, m2 = fmean(earlier), fmean(later)
    if m2 == 0:
        return 1.0
    trend, instability = abs(m2 - m1) / max(m1, m2), min(1.0, pstdev(later) / m2)
    return options.min_share + (1 - options.min_share) * (1 - m2 * (1 - trend) * (1 - instability))
