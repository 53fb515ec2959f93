"""Advantages from token rewards: which steps or turns of a rollout earned or lost what (`algorithm.token_rewards`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from rlgym.train.advantages.group_relative import standardize
from rlgym.train.advantages.per_rollout import SignOptions, right_N
from rlgym.train.data.segment_sums import (
    MIN_STD,
    broadcast_to_tokens,
    centred,
    group_count,
    group_sum,
    length_N,
    rewards_N,
    segment_sum,
    to_packed,
    to_padded,
    used_T,
)
from rlgym.train.data.segments import before_first_wrong_T, has_kind_N, spans_of, suffix_sum_S
from rlgym.train.registry import Options, advantage
from rlgym.train.rewards.token_rewards import KINDS, TAGS

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.data.batch import Batch
    from rlgym.train.data.segments import Spans


class GatedOptions(Options):
    """Options of `gated`."""

    threshold: float = Field(1.0, ge=-100, le=100, description="outcome from which on the token rewards are added")
    weight: float = Field(0.1, ge=0, le=100, description="weight of the sum of the token rewards")
    gate: bool = Field(True, description="false adds the token rewards to every outcome (direct accumulation): the control")
    epsilon: float = Field(1e-6, ge=0, le=1, description="added to the standard deviation")


class MinFormOptions(Options):
    """Options of `min_form`."""

    temperature: float = Field(
        0.1, gt=0, le=100, description="of the softmax over a rollout's steps; towards 0 the return is the least reward"
    )
    outcome_weight: float = Field(1.0, ge=0, le=100, description="weight of the outcome's leave-one-out advantage; 0 for steps alone")


class ShapedStepsOptions(Options):
    """Options of `shaped_steps`."""

    shape: Literal["clip", "delta"] = Field("clip", description="clip: min(r_k - bound, 0); delta: r_k - r_(k+1)")
    bound: float = Field(0.5, ge=-100, le=100, description="clip: step rewards above it earn nothing")
    weight: float = Field(0.5, ge=0, le=100, description="weight of the shaped step rewards")


class FirstErrorOptions(SignOptions):
    """Options of `first_error`."""

    epsilon: float = Field(1e-6, ge=0, le=1, description="added to the standard deviation")
    unchecked_weight: float = Field(0.0, ge=0, le=1, description="weight of the tokens of unchecked steps in a wrong rollout")
    flawed_weight: float = Field(0.0, ge=0, le=1, description="weight of the tokens of wrong steps in a right rollout")


class CapoOptions(Options):
    """Options of `capo`."""

    outcome_weight: float = Field(2.0, ge=0, le=100, description="weight of the outcome, at every token")
    step_weight: float = Field(1.0, ge=0, le=100, description="penalty of a token in a wrong step")
    epsilon: float = Field(1e-6, ge=0, le=1, description="added to the standard deviation")


class SelectiveOptions(Options):
    """Options of `selective`."""

    epsilon: float = Field(1e-6, ge=0, le=1, description="added to the standard deviation")


class ReNormOptions(Options):
    """Options of `renorm`."""

    center: float = Field(0.5, ge=-100, le=100, description="subtracted from both rewards")


class RlvmrOptions(Options):
    """Options of `rlvmr`."""

    trajectory_weight: float = Field(0.5, ge=0, le=1, description="weight of the outcome; the rest goes to the rewards of the tags")
    untagged_penalty: float = Field(0.1, ge=0, le=100, description="subtracted from the advantage of a turn without a tag")
    epsilon: float = Field(1e-6, ge=0, le=1, description="added to the standard deviation")


class ProgressOptions(Options):
    """Options of `progress`."""

    weight: float = Field(1.0, ge=0, le=100, description="weight of the rewards of the steps")
    decay: float = Field(
        0.0, ge=0, lt=1, description="share of the next changing step's reward that a step without a change takes, per step"
    )
    threshold: float = Field(0.0, ge=0, le=100, description="steps whose reward is at most this in size count as without a change")
    epsilon: float = Field(1e-6, ge=0, le=1, description="added to the standard deviation")


class VerpoOptions(Options):
    """Options of `verpo`."""

    dense_weight: float = Field(0.5, ge=0, le=100, description="weight of the weighted sum of passed tests")


@advantage("gated", paper="Stabilizing Long-Term Multi-Turn Reinforcement Learning with Gated Rewards", token_rewards=True)
def gated(batch: Batch, options: GatedOptions) -> Tensor:
    """`grpo` on R = r + [r >= threshold] weight sum of token rewards: step rewards count only where the outcome was reached."""
    spans, reward_N = spans_of(batch, "gated"), rewards_N(batch)
    steps_N = options.weight * spans.sum_N(spans.reward_S, len(reward_N))
    total_N = reward_N + (steps_N.where(reward_N >= options.threshold, 0.0) if options.gate else steps_N)
    return broadcast_to_tokens(standardize(total_N, batch, options.epsilon), batch)


@advantage(
    "min_form", paper="Stop Summation: Min-Form Credit Assignment Is All Process Reward Model Needs for Reasoning", token_rewards=True
)
def min_form(batch: Batch, options: MinFormOptions) -> Tensor:
    """The return of the later steps, each weighted by softmax(-r / T) over its rollout, against the others' mean reward per token.

    r*_k = softmax(-r_k / T) r_k, and in step k A = sum over steps j >= k of (r*_j - b n_j) + outcome_weight rloo, where n_j counts the tokens of
    step j and b is the others' sum of r* over their tokens. A baseline per step would favour fewer steps. Tokens between steps count from
    themselves on.
    """
    spans, reward_N = spans_of(batch, "min_form"), rewards_N(batch)
    weighted_S = _softmax_S(-spans.reward_S / options.temperature, spans) * spans.reward_S
    return_T = spans.at_tokens(suffix_sum_S(weighted_S, spans)) if len(weighted_S) else broadcast_to_tokens(reward_N * 0, batch)
    return_T = _carried_back(return_T, spans, batch)
    total_N, tokens_N, count_N = spans.sum_N(weighted_S, len(reward_N)), length_N(batch), group_count(batch)
    others_N = (group_sum(total_N, batch) - total_N) / (group_sum(tokens_N, batch) - tokens_N).clamp(min=1)
    left_T = _left_from_step_T(batch, spans)
    outcome_N = centred(reward_N, batch) * count_N / (count_N - 1).clamp(min=1)
    step_T = (return_T - others_N[batch.rollout_T] * left_T).where((count_N > 1)[batch.rollout_T], 0.0)
    return (step_T + options.outcome_weight * outcome_N[batch.rollout_T]).where(used_T(batch), 0.0).float()


@advantage("shaped_steps", paper="On Designing Effective RL Reward at Training Time for LLM Reasoning", token_rewards=True)
def shaped_steps(batch: Batch, options: ShapedStepsOptions) -> Tensor:
    """r - mean over the group, plus the return of the shaped step rewards minus its mean over the group's tokens.

    clip: r'_k = min(r_k - bound, 0), so no number of right steps earns anything. delta: r'_k = r_k - r_(k+1), the last step keeping its own,
    so the return from a step on is that step's own reward, however many steps follow.
    """
    spans, reward_N = spans_of(batch, "shaped_steps"), rewards_N(batch)
    if options.shape == "clip":
        return_S = suffix_sum_S((spans.reward_S - options.bound).clamp(max=0), spans)
    else:
        return_S = spans.reward_S
    return_T = _carried_back(spans.at_tokens(return_S), spans, batch)
    sum_N = return_T.new_zeros(len(reward_N)).index_add(0, batch.rollout_T, return_T)
    mean_N = group_sum(sum_N, batch) / group_sum(length_N(batch), batch).clamp(min=1)
    shaped_T = options.weight * (return_T - mean_N[batch.rollout_T])
    return broadcast_to_tokens(centred(reward_N, batch), batch) + shaped_T.where(used_T(batch), 0.0)


@advantage(
    "first_error",
    paper="Recycling Failures: Salvaging Exploration in RLVR via Fine-Grained Off-Policy Guidance",
    group_relative=True,
    token_rewards=True,
)
def first_error(batch: Batch, options: FirstErrorOptions) -> Tensor:
    """`grpo`, but what is right in a wrong rollout is kept: tokens before its first wrong step get 0.

    In a wrong rollout with a wrong step, unchecked steps count with `unchecked_weight`. In a right rollout, tokens of wrong steps count with
    `flawed_weight`. A wrong rollout without a wrong step is treated as by `grpo`.
    """
    spans, reward_N = spans_of(batch, "first_error"), rewards_N(batch)
    wrong_T = spans.at_tokens(spans.is_kind("wrong").float()) > 0
    unchecked_T = spans.at_tokens(spans.is_kind("unchecked").float()) > 0
    located_T = (has_kind_N(batch, spans, "wrong") & ~right_N(batch, options))[batch.rollout_T]
    advantage_T = broadcast_to_tokens(standardize(reward_N, batch, options.epsilon), batch)
    weight_T = advantage_T.new_ones(len(advantage_T))
    weight_T = weight_T.where(~(located_T & unchecked_T), options.unchecked_weight)
    weight_T = weight_T.where(~(located_T & before_first_wrong_T(batch, spans)), 0.0)
    weight_T = weight_T.where(~(wrong_T & right_N(batch, options)[batch.rollout_T]), options.flawed_weight)
    return advantage_T * weight_T


@advantage("capo", paper="CAPO: Towards Enhancing LLM Reasoning through Generative Credit Assignment", token_rewards=True)
def capo(batch: Batch, options: CapoOptions) -> Tensor:
    """Token rewards R_t = outcome_weight r - step_weight [t in a wrong step], standardised over the tokens of the group."""
    spans = spans_of(batch, "capo")
    wrong_T = spans.at_tokens(spans.is_kind("wrong").float())
    reward_T = (options.outcome_weight * rewards_N(batch)[batch.rollout_T] - options.step_weight * wrong_T).float()
    return _standardize_tokens(reward_T, batch, options.epsilon)


@advantage(
    "selective",
    paper="SPARK: Stepwise Process-Aware Rewards for Reference-Free Reinforcement Learning",
    group_relative=True,
    token_rewards=True,
)
def selective(batch: Batch, options: SelectiveOptions) -> Tensor:
    """`grpo`, without what the verdict on a step contradicts: a wrong step is not pushed up, and a right step is not pushed down."""
    spans = spans_of(batch, "selective")
    advantage_T = broadcast_to_tokens(standardize(rewards_N(batch), batch, options.epsilon), batch)
    right_T, wrong_T = (spans.at_tokens(spans.is_kind(kind).float()) > 0 for kind in ("right", "wrong"))
    return advantage_T.where(~((wrong_T & (advantage_T > 0)) | (right_T & (advantage_T < 0))), 0.0)


@advantage("renorm", paper="Hybrid Reward Normalization for Process-supervised Non-verifiable Agentic Tasks", token_rewards=True)
def renorm(batch: Batch, options: ReNormOptions) -> Tensor:
    """(step reward - center) + (outcome - center) at the tokens of a step; tokens outside of steps have the outcome's part alone."""
    spans = spans_of(batch, "renorm")
    step_T = spans.at_tokens(spans.reward_S - options.center)
    return broadcast_to_tokens(rewards_N(batch) - options.center, batch) + step_T


@advantage(
    "rlvmr", paper="RLVMR: Reinforcement Learning with Verifiable Meta-Reasoning Rewards for Robust Long-Horizon Agents", token_rewards=True
)
def rlvmr(batch: Batch, options: RlvmrOptions) -> Tensor:
    """w grpo + (1 - w) (r_turn - mean of its tag) / std of its tag, over the turns of the group with the same tag; 0 for a turn alone with its tag."""
    spans = spans_of(batch, "rlvmr")
    within_S = spans.reward_S.new_zeros(len(spans.reward_S))
    label_S = batch.group_N[spans.rollout_S] * len(KINDS) + spans.kind_S
    for label in label_S[spans.kind_S >= KINDS.index(TAGS[0])].unique().tolist():  # the tags are the last kinds
        chosen_S = label_S == label
        off = spans.reward_S[chosen_S] - spans.reward_S[chosen_S].mean()
        std = off.square().mean().sqrt()
        within_S[chosen_S] = off / (std + options.epsilon) if float(std) > MIN_STD else off * 0
    tags_T = spans.at_tokens(within_S * (1 - options.trajectory_weight) - options.untagged_penalty * spans.is_kind("untagged").float())
    return broadcast_to_tokens(options.trajectory_weight * standardize(rewards_N(batch), batch, options.epsilon), batch) + tags_T


@advantage("progress", paper="Rewarding Progress: Scaling Automated Process Verifiers for LLM Reasoning", token_rewards=True)
def progress(batch: Batch, options: ProgressOptions) -> Tensor:
    """`grpo` plus weight r_k at the tokens of step k. With `decay`, a step without a change takes decay^(q - k) r_q of the next one q with a change.

    The second part is from "Promoting Efficient Reasoning with Verifiable Stepwise Reward". For the source `prefix_values`.
    """
    spans = spans_of(batch, "progress")
    reward_S = spans.reward_S.where(spans.reward_S.abs() > options.threshold, 0.0)
    taken_S = reward_S.clone()
    for place in range(len(taken_S) - 2, -1, -1):
        if taken_S[place] == 0 and spans.rollout_S[place] == spans.rollout_S[place + 1]:
            taken_S[place] = options.decay * taken_S[place + 1]
    outcome_T = broadcast_to_tokens(standardize(rewards_N(batch), batch, options.epsilon), batch)
    return outcome_T + options.weight * spans.at_tokens(taken_S)


@advantage("verpo", paper="VeRPO: Verifiable Dense Reward Policy Optimization for Code Generation", token_rewards=True)
def verpo(batch: Batch, options: VerpoOptions) -> Tensor:
    """(r - mean) + dense_weight (R - mean) over the group, R the sum of the passed tests' weights (source `parts`), without a std."""
    spans = spans_of(batch, "verpo")
    dense_N = spans.sum_N(spans.reward_S, len(batch.reward_N))
    return broadcast_to_tokens(centred(rewards_N(batch), batch) + options.dense_weight * centred(dense_N, batch), batch)


def _softmax_S(logit_S: Tensor, spans: Spans) -> Tensor:
    """The softmax over the spans of each rollout."""
    if not len(logit_S):
        return logit_S
    rollouts = int(spans.rollout_S.max()) + 1
    most_N = logit_S.new_full((rollouts,), float("-inf")).scatter_reduce(0, spans.rollout_S, logit_S, "amax")
    weight_S = (logit_S - most_N[spans.rollout_S]).exp()
    return weight_S / spans.sum_N(weight_S, rollouts)[spans.rollout_S]


def _carried_back(value_T: Tensor, spans: Spans, batch: Batch) -> Tensor:
    """The values with those of the next span at the tokens between spans, and 0 after the last span."""
    inside_NL = to_padded((spans.index_T >= 0).float(), batch) > 0
    table_NL = to_padded(value_T, batch).clone()
    for position in range(table_NL.shape[1] - 2, -1, -1):
        table_NL[:, position] = table_NL[:, position].where(inside_NL[:, position], table_NL[:, position + 1])
    return to_packed(table_NL, batch)


def _left_from_step_T(batch: Batch, spans: Spans) -> Tensor:
    """float32: the number of used tokens of a rollout from the start of a token's span on, or from the token itself outside of spans."""
    ones_T = used_T(batch).float()
    left_T = to_packed(to_padded(ones_T, batch).flip(1).cumsum(1).flip(1), batch)
    inside_T = spans.index_T >= 0
    left_S = spans.reward_S.new_zeros(len(spans.reward_S)).scatter_reduce(0, spans.index_T[inside_T], left_T[inside_T], "amax")
    return spans.at_tokens(left_S).where(inside_T, left_T)


def _standardize_tokens(value_T: Tensor, batch: Batch, epsilon: float) -> Tensor:
    """The value minus the mean over the group's used tokens, divided by their standard deviation; 0 if all are equal."""
    used, length = used_T(batch), length_N(batch)
    total_N = group_sum(length, batch).clamp(min=1)

    def mean_N(token_T: Tensor) -> Tensor:
        sum_N = token_T.new_zeros(len(batch.reward_N)).index_add(0, batch.rollout_T, token_T.where(used, 0.0))
        return segment_sum(sum_N, batch.group_N, batch.valid_N) / total_N

    off_T = (value_T - mean_N(value_T)[batch.rollout_T]).where(used, 0.0)
    std_T = mean_N(off_T.square()).sqrt()[batch.rollout_T]
    return (off_T / (std_T + epsilon)).where(used & (std_T > 1e-5), 0.0)
