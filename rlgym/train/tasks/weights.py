"""Curricula: how often an environment of the mixture is sampled, as a weight that multiplies its share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from rlgym.train.registry import Options, curriculum

if TYPE_CHECKING:
    from rlgym.train.tasks.curriculum import CurriculumCell


class UniformOptions(Options):
    """No options."""


class LearnabilityOptions(Options):
    """Options of `learnability`."""

    min_share: float = Field(0.1, ge=0, le=1, description="weight of an environment that is always or never solved")


class WeaknessOptions(Options):
    """Options of `weakness`."""

    min_share: float = Field(0.1, ge=0, le=1, description="weight of an environment that is always solved")


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
