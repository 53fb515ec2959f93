"""The sections of a configuration on frozen second models, and on the rewards of a judge among them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rlgym.train.config.section import Section


class SecondModelConfig(Section):
    """A frozen model in addition to the policy, of any size and with its own tokenizer. Rewards refer to it by its key in `second_models`."""

    path: str = Field("", description="local Hugging Face folder of the model; empty for the run's own initial model, frozen")
    backend: Literal["auto", "native", "transformers"] = Field("auto", description="network, as `model.backend`")
    max_seq_len: int = Field(2048, ge=16, description="token limit of one of its prompts with what follows")
    max_num_seqs: int = Field(32, ge=1, description="number of responses that it samples at once")
    chat_template_kwargs: dict[str, bool | int | str] = Field({}, description="arguments of its chat template")


class JudgeRewardConfig(Section):
    """A reward from the verdicts of a second model, instead of the verifier's or added to it."""

    model: str = Field(min_length=1, description="the judge, by its name in `second_models`")
    kind: Literal["verdict", "pairwise", "exemplar", "bootstrap"] = Field(
        "verdict",
        description="verdict: the probability of the first of `answers`; pairwise: the mean over the others of the group of the probability of being "
        "preferred to them; exemplar: the probability of being preferred to the reference solution; "
        "bootstrap: 1 or -1 for being preferred to one response of the group or not, and 0 for that response itself",
    )
    question: str = Field(
        "",
        max_length=20_000,
        description="the question to the judge, with {prompt}, {response}, {answer}, {solution} and {criterion}, or for pairs {prompt}, {first} and "
        "{second}; empty for a default",
    )
    criteria: tuple[str, ...] = Field(
        (), max_length=64, description="verdict: a rubric; the judge is asked for each criterion, and the reward is the mean"
    )
    answers: tuple[str, str] | None = Field(
        None, description="the two answers between which the judge decides; by default Yes and No, or for pairs A and B"
    )
    threshold: float | None = Field(
        None, gt=0, lt=1, description="verdict: the reward is 1 for a probability of at least this, else 0; none keeps the probability"
    )
    weight: float = Field(1.0, gt=0, le=100, description="weight of this reward")
    verifier_weight: float = Field(0.0, ge=0, le=100, description="weight of the verifier's reward; 0 trains without it")


class TraceRewardConfig(Section):
    """A reward for the thinking before a response: scores of its steps by a judge, and of its outline by whether another model succeeds along it."""

    model: str = Field(min_length=1, description="the judge of steps, by its name in `second_models`")
    solver: str | None = Field(
        None, description="the model of `second_models` that solves the task along the outline; none for scores of steps alone"
    )
    alpha: float = Field(
        0.5, gt=0, le=1, description="the reward is (1 - alpha) times the verifier's plus alpha times the scores of the trace"
    )
    separator: str = Field("\n", min_length=1, max_length=100, description="what ends a step of the thinking")
    max_steps: int = Field(16, ge=1, le=256, description="most steps; further ones are joined to the last")
    samples: int = Field(4, ge=1, le=256, description="responses of the solver along an outline")
    question: str = Field(
        "", max_length=20_000, description="the question on a step, with {prompt}, {before}, {step} and {response}; empty for a default"
    )
    answers: tuple[str, str] = Field(("Yes", "No"), description="the two answers between which the judge decides")
