"""The sections of a configuration that change advantages by the policy's hidden states."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator

from rlgym.train.config.section import Section


class TokenInfluenceConfig(Section):
    """Advantages are raised or lowered by the influence of a token on the right responses of its group."""

    strength: float = Field(
        0.1,
        ge=-1,
        le=1,
        description="above 0 favours tokens that make right responses likelier (exploitation), below 0 the others (exploration)",
    )
    threshold: float = Field(0.0, ge=0, description="influences of at most this size change nothing")
    others: Literal["kept", "dropped"] = Field("kept", description="what becomes of the advantages of those tokens: kept, or 0")
    success_threshold: float = Field(0.5, ge=-100, le=100, description="rewards of at least this count as right")


class EffectiveRankConfig(Section):
    """A bonus for responses whose hidden states have a higher effective rank, or a faster growing one, than those of earlier steps."""

    stride: int = Field(40, ge=1, le=100_000, description="tokens between the prefixes whose ranks are compared")
    decay: float = Field(0.9, ge=0, lt=1, description="decay per step of the averages with which responses are compared")
    gain: float = Field(1.0, gt=0, le=1000, description="how sharply the growth of the rank chooses between rank and velocity")
    cap: float = Field(2.0, gt=0, le=1000, description="the bonus is at most the size of the advantage over this")


class FlowRewardConfig(Section):
    """A cost for tokens whose hidden states deviate from a flow trained during the run on right responses (RLFR)."""

    coef: float = Field(0.01, gt=0, le=100, description="a token costs this times its deviation, scaled to 0 to 1 over its response")
    threshold: float = Field(0.6, ge=0, lt=1, description="scaled deviations of at most this cost nothing")
    top_tokens: int = Field(15, ge=1, le=100_000, description="largest number of tokens of a response that have a cost")
    time: float = Field(0.8, gt=0, lt=1, description="where between noise (0) and the hidden state (1) the flow is compared")
    width: int = Field(256, ge=1, le=16_384, description="width of the flow's network")
    num_blocks: int = Field(6, ge=1, le=64, description="residual blocks of the flow's network")
    lr: float = Field(1e-4, gt=0, description="learning rate of the flow")
    warmup_steps: int = Field(20, ge=0, description="first steps, in which the flow is trained and tokens cost nothing")
    success_threshold: float = Field(0.5, ge=-100, le=100, description="rewards of at least this count as right")


class OutcomeHeadConfig(Section):
    """A head on the hidden states that predicts at every token the final reward together with the number of tokens that remain (ZIP-RC)."""

    length_edges: tuple[Annotated[int, Field(ge=1)], ...] = Field(
        (16, 64, 256, 1024),
        min_length=1,
        max_length=32,
        description="numbers of remaining tokens up to which a bin of lengths goes, rising",
    )
    lr: float = Field(1e-3, gt=0, description="learning rate of the head; the policy does not learn from it")
    success_threshold: float = Field(0.5, gt=0, le=1, description="scores of the verifier of at least this count as right")

    @field_validator("length_edges")
    @classmethod
    def _check_rising(cls, edges: tuple[int, ...]) -> tuple[int, ...]:
        if list(edges) != sorted(set(edges)):
            raise ValueError("length_edges must rise")
        return edges


class AdaptiveSamplingConfig(Section):
    """Evaluation in which the outcome head decides, after every segment, which samples of a task go on."""

    segment_tokens: int = Field(64, ge=1, description="tokens of each sample between two decisions")
    compute_weight: float = Field(1e-4, ge=0, le=1, description="what a token costs, in rewards")
    latency_weight: float = Field(0.0, ge=0, le=1, description="what a token of the longest sample costs, in rewards")
