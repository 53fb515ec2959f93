"""The sections of a configuration on a second model that is trained during the run, and on the outcome that its critiques decide."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rlgym.train.config.section import Section


class JudgeTrainingConfig(Section):
    """Training of the judge itself, on the rollouts of the run: by reinforcement, by its own votes, on corrupted pairs, or on labels."""

    model: str = Field(min_length=1, description="the model of `second_models` that is trained")
    objective: Literal["verdicts", "votes", "pairs", "solutions"] = Field(
        "verdicts",
        description="verdicts: critiques are reinforced that agree with the verifier on the response; votes: critiques are imitated that agree with the "
        "vote of all on every step, without the verifier; pairs: a right response is preferred to the same response with a wrong answer; "
        "solutions: after each round, the judge learns anew which solutions of all "
        "rounds so far are right",
    )
    lr: float = Field(1e-6, gt=0, description="learning rate of the judge")
    max_grad_norm: float = Field(1.0, gt=0, description="its gradients are clipped to this norm")
    format_reward: float = Field(
        0.0, ge=0, le=100, description="verdicts: reward of a critique that ends in a readable verdict, beside that for agreement"
    )
    round_steps: int = Field(50, ge=1, description="solutions: steps of a round; the policy is not trained in the first one")
    updates: int = Field(100, ge=1, description="solutions: optimizer steps of the judge after a round")
    batch_size: int = Field(32, ge=2, description="solutions: solutions of an optimizer step, half of them right where there are both")
    keep: int = Field(10_000, ge=1, description="solutions: most solutions of a round that are kept")
    alternate_steps: tuple[int, int] | None = Field(
        None,
        description="numbers of steps in which the policy alone and then the judge alone is trained, in turn; by default both are trained in every step",
    )


class CritiqueRewardConfig(Section):
    """An outcome that critiques decide, instead of the verifier's or added to it."""

    verdict_weight: float = Field(
        1.0, ge=0, le=100, description="reward of a response of which more than half of the readable critiques list no wrong step"
    )
    step_weight: float = Field(0.0, ge=0, le=100, description="weight of the share of steps that the vote finds right")
    verifier_weight: float = Field(0.0, ge=0, le=100, description="weight of the verifier's reward; 0 trains without it")
    strict_format: bool = Field(
        True, description="a response earns the critiques' reward only with exactly one answer, with nothing after it (answer style tag)"
    )
