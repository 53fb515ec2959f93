"""The sections of a configuration on rewards for parts of a response and from likelihoods."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rlgym.rewards.reward_machine import RewardMachine
from rlgym.train.config.section import Section


class TokenRewardConfig(Section):
    """Token rewards in addition to the outcome: what is rewarded within a response, and how much."""

    source: Literal["outcome", "turns", "parts", "steps", "claims", "prefix_values", "solution_gain", "critiques"] = Field(
        description="outcome: the whole response; turns: each turn of a game; parts: each passed test; steps: each step of the working; claims: each "
        "formula in the working that a prover proves or refutes; "
        "prefix_values: each step by the change of the success rate of continuations; solution_gain: each step by what it does for the likelihood "
        "of the rest of the reference solution; critiques: each step by a vote over critiques of a second model"
    )
    right: float = Field(1.0, ge=-100, le=100, description="reward of a right step or turn")
    wrong: float = Field(0.0, ge=-100, le=100, description="reward of a wrong step or turn")
    unchecked: float = Field(0.5, ge=-100, le=100, description="reward of a step or turn after the first wrong one that depends on it")
    turn_reward: Literal["winnable", "valid", "tags", "milestones", "emotion", "tool_calls", "machine", "captions"] = Field(
        "winnable",
        description="a turn is right if the oracle can still win, if it is readable and legal, or by the rule of its tag; or it pays its progress, "
        "the change of the people's emotion, how far its tool calls are the oracle's (ToolRL), what a reward machine pays, or whether a "
        "second model finds that what the world shows next is progress (ONI)",
    )
    machine: RewardMachine | None = Field(None, description="turn_reward machine: the automaton over the events of the episode")
    call_granularity: Literal["fine", "intermediate", "coarse", "f1"] = Field(
        "fine",
        description="tool_calls: credit for names, parameters and values; for whole calls; for all calls of the turn together; or by the F1 of whole calls",
    )
    part_alpha: float = Field(2.0, ge=0, le=100, description="parts: weight of rarely passed tests; 0 weighs them by density alone")
    part_bandwidth: float = Field(0.1, gt=0, le=10, description="parts: bandwidth of the density of the tests' pass rates")
    separator: str = Field("\n", min_length=1, max_length=100, description="prefix_values: what ends a step")
    continuations: int = Field(
        4, ge=1, le=256, description="prefix_values: continuations sampled from each prefix; critiques: critiques of each response"
    )
    max_prefixes: int = Field(8, ge=1, le=1000, description="prefix_values: most steps of a response after which continuations are sampled")
    force_answer: bool = Field(
        True, description="prefix_values: a continuation is the answer alone; false samples the rest of the response"
    )
    continuation_tokens: int = Field(
        32, ge=1, le=100_000, description="prefix_values: most tokens of a forced answer; critiques: of a critique"
    )
    budgets: tuple[Annotated[int, Field(ge=1)], ...] = Field(
        (), max_length=64, description="prefix_values: cuts after these numbers of tokens in place of the ends of steps"
    )
    measure: Literal["progress", "value", "potential"] = Field(
        "progress",
        description="prefix_values: a step's reward is the change of the value from that of the prompt on; the same from 0 on; or the change of a "
        "potential of success and confidence, from 0 on",
    )
    search: Literal["all", "binary"] = Field(
        "all",
        description="prefix_values: all prefixes are continued, or those of a binary search for the first step that spoils a wrong response",
    )
    max_suffixes: int = Field(4, ge=1, le=1000, description="solution_gain: most parts of the reference solution that are scored")
    unsolved_only: bool = Field(True, description="solution_gain: only steps of groups without a right response are rewarded")
    model: str | None = Field(
        None,
        description="prefix_values: the model of `second_models` that continues the prefixes, none for the policy itself; critiques and captions: the judge",
    )
    best_of: int = Field(1, ge=1, le=256, description="prefix_values: the value is the chance that one of this many continuations is right")


class LikelihoodRewardConfig(Section):
    """A reward from the probabilities that the policy gives to the reference answer, or to its own response."""

    kind: Literal["prob", "mean_prob", "logprob", "mean_logprob", "gain", "diverse", "reflective", "self_aligned"] = Field(
        "mean_prob",
        description="of the reference answer after the reasoning: probability, mean probability of its tokens, or their logarithms; the gain of the "
        "mean probability by the reasoning; with a bonus for other answers; the gain of the log-probability of the tokens that depend most on the "
        "reasoning; or the relative drop of the response's perplexity by the prompt",
    )
    model: str | None = Field(
        None,
        description="the model of `second_models` whose probabilities are used, such as a listener to the reasoning; none for the policy itself",
    )
    weight: float = Field(1.0, gt=0, le=100, description="weight of this reward")
    verifier_weight: float = Field(0.0, ge=0, le=100, description="weight of the verifier's reward; 0 trains without it")
    diversity_weight: float = Field(0.5, ge=0, le=10, description="diverse: weight of the bonus")
    diversity_ratio: float = Field(2.0, gt=0, le=100, description="diverse: the bonus is paid up to the reference's probability over this")
    length_penalty: float = Field(
        0.0, ge=0, le=100, description="reflective: cost of an own answer that is longer or shorter than the reference by all of its length"
    )
    answer_gradient: float = Field(
        0.0,
        ge=0,
        le=100,
        description="prob, mean_prob and their logarithms: coefficient of the reward's gradient through the reference answer itself; 0 for off",
    )
    own_answer_loss: bool = Field(
        True, description="the tokens of the response's own answer carry loss; false trains the reasoning alone, up to <answer>"
    )


class SelfRewardConfig(Section):
    """A second loss: the log-probability of one token after the end of a response learns to predict the verdict."""

    token: int = Field(ge=0, description="number of a token that responses never contain")
    coef: float = Field(0.1, gt=0, le=100, description="coefficient of the loss")
    scale: float = Field(0.1, gt=0, le=100, description="the self-reward is scale (log-probability of the token - reference_logprob)")
    reference_logprob: float | None = Field(
        None, le=0, description="log-probability of the token under the reference policy; by default its mean over the first step"
    )
    balance: bool = Field(True, description="right and wrong responses weigh the same in sum")
    advantage_weight: float = Field(
        0.1, ge=0, le=1, description="share of the self-rewards' advantage in the advantage; 0 for the loss alone"
    )
    min_std: float = Field(0.1, ge=0, le=100, description="groups whose self-rewards spread by at most this keep their advantage")
    warmup_steps: int = Field(200, ge=0, description="steps before the loss is added")
    advantage_warmup_steps: int = Field(200, ge=0, description="further steps before self-rewards enter the advantage")


class IntrinsicRewardConfig(Section):
    """A reward from the policy's certainty in its own response, without labels."""

    kind: Literal["self_certainty", "entropy", "logprob", "probability"] = Field(
        "self_certainty",
        description="mean divergence of the tokens' distributions from the uniform one; minus their mean entropy; the log-probability of the "
        "response; or its probability",
    )
    weight: float = Field(1.0, gt=0, le=100, description="weight of this reward")
    verifier_weight: float = Field(0.0, ge=0, le=100, description="weight of the verifier's reward; 0 trains without it")


class TwinRewardConfig(Section):
    """A reward for agreeing with the majority of the responses to the same task in other words, without labels."""

    weight: float = Field(1.0, gt=0, le=100, description="weight of this reward")
    verifier_weight: float = Field(0.0, ge=0, le=100, description="weight of the verifier's reward; 0 trains without it")


class ContrastConfig(Section):
    """Further rollouts of every task, some prompted to show a behaviour and some to avoid it, which the group reward `contrastive` compares (GCPO)."""

    with_behaviour: str = Field(min_length=1, max_length=10_000, description="text after the prompt that asks for the behaviour")
    without_behaviour: str = Field(min_length=1, max_length=10_000, description="text after the prompt that rules it out")
    rollouts: int = Field(4, ge=1, le=256, description="rollouts of each of the two kinds per task; no update learns from them")


class ProcessModelConfig(Section):
    """A second model, trained during the run on the verdicts alone, whose log-ratios to the initial model are rewards of tokens."""

    kind: Literal["ratio", "head"] = Field(
        "ratio",
        description="a token's reward: the log-ratio to the initial model; or the output of a head on the hidden state at the token, for `oreal`",
    )
    scale: float = Field(0.05, gt=0, le=100, description="ratio: the reward of a token is scale log(process model / reference)")
    lr: float = Field(1e-6, gt=0, description="learning rate of the process model")
    max_grad_norm: float = Field(10.0, gt=0, description="its gradients are clipped to this norm")
    reduce: Literal["sum", "mean"] = Field(
        "sum", description="the logit of a response's being right is the sum of its tokens' rewards, or their mean"
    )
    normalize: bool = Field(True, description="divide the rewards by the largest magnitude of a return in the step")
    success_threshold: float = Field(0.5, ge=-100, le=100, description="rewards of at least this count as right")
