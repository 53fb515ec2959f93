"""The section `algorithm` of a training configuration: advantage, loss, regularizers, filters and rewards."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from rlgym.train.config.distillation import SelfDistillationConfig, ThoughtCorrectionConfig
from rlgym.train.config.hidden_states import EffectiveRankConfig, FlowRewardConfig, OutcomeHeadConfig, TokenInfluenceConfig
from rlgym.train.config.judge_training import CritiqueRewardConfig, JudgeTrainingConfig
from rlgym.train.config.proposer import ProposerConfig
from rlgym.train.config.prover_roles import ProverRolesConfig
from rlgym.train.config.replay import ReplayConfig
from rlgym.train.config.reward_weights import AuxiliaryRewardsConfig
from rlgym.train.config.rewards import (
    ContrastConfig,
    IntrinsicRewardConfig,
    LikelihoodRewardConfig,
    ProcessModelConfig,
    SelfRewardConfig,
    TokenRewardConfig,
    TwinRewardConfig,
)
from rlgym.train.config.second_models import JudgeRewardConfig, TraceRewardConfig
from rlgym.train.config.section import Section
from rlgym.train.config.self_play import RoleBaselineConfig
from rlgym.train.config.self_verification import SelfVerificationConfig
from rlgym.train.registry import ADVANTAGES, LOSSES


class CriticConfig(Section):
    """The value head that `ppo` trains with the policy."""

    lr_multiplier: float = Field(1.0, gt=0, le=1000, description="learning rate of the value head, as a multiple of the policy's")
    loss_coef: float = Field(0.5, gt=0, le=100, description="coefficient of the value loss")
    loss_options: dict[str, Any] = Field({}, description='options of the value loss, e.g. {"clip_range": null}')


class NoiseCorrectionConfig(Section):
    """Correction of rewards for a verifier with known error rates. Omitted rates are those of the noise in `reward_shaping`."""

    kind: Literal["backward", "forward"] = Field(
        "backward", description="backward for advantages that preserve the reward scale; forward for `reinforce`"
    )
    false_positive_rate: float | None = Field(None, ge=0, lt=1, description="fraction of wrong answers that are rewarded")
    false_negative_rate: float | None = Field(None, ge=0, lt=1, description="fraction of correct answers that are not rewarded")
    per_environment: dict[str, tuple[float, float]] = Field({}, description="both rates by environment, where they differ")
    appeal_fraction: float = Field(
        0.0,
        ge=0,
        le=1,
        description="forward: fraction of a step's refused rollouts that the exact verifier scores again, to estimate the false negative rate of the "
        "step; 0 uses the rates that are set",
    )


class AlgorithmConfig(Section):
    """Advantage, loss, regularizers and filters, by their registered names, and the options of each."""

    advantage: str = Field("grpo", description="advantage estimator")
    advantage_options: dict[str, Any] = Field({}, description="options of the advantage")
    loss: str = Field("pg_clip", description="policy loss")
    loss_options: dict[str, Any] = Field({}, description="options of the loss")
    critic: CriticConfig = Field(CriticConfig(), description="the value head of `ppo`")
    kl_coef: float = Field(0.0, ge=0, le=10, description="coefficient of the KL divergence from the reference policy")
    kl_estimator: Literal["k1", "k2", "k3", "chi2"] = Field(
        "k3", description="estimate of the divergence from the reference: of the KL divergence, or chi2 of the chi-square divergence"
    )
    reference_reset_steps: int = Field(0, ge=0, description="steps between resets of reference and optimizer; 0 for never")
    reference_reset_patience: int = Field(
        0, ge=0, description="evaluations without a better held-out accuracy before reference and optimizer are reset; 0 for never"
    )
    reference_reset_min_delta: float = Field(0.0, ge=0, le=1, description="smallest rise of the held-out accuracy that counts as better")
    entropy_coef: float = Field(0.0, ge=-10, le=10, description="coefficient of the entropy bonus")
    entropy_top_fraction: float = Field(
        1.0, gt=0, le=1, description="fraction of sampled tokens, those of highest entropy, that carry loss"
    )
    max_advantage_std: float = Field(
        0.0,
        ge=0,
        le=100,
        description="tokens with an advantage further from the mean, in standard deviations, carry no loss; 0 for no limit",
    )
    mastered_probability: float = Field(
        1.0, gt=0, le=1, description="tokens of right rollouts that are at least this likely carry no loss; 1 for off"
    )
    mastered_max_entropy: float = Field(1.0, ge=0, description="mean entropy of a step, in nats, below which mastered tokens are masked")
    filter_zero_std: bool | None = Field(
        None, description="drop groups whose rewards are all equal; by default only where they carry no signal"
    )
    mask_truncated: bool = Field(False, description="drop rollouts that reached a token limit")
    filters: dict[str, dict[str, Any]] = Field({}, description="further filters by name, with their options, in this order")
    dynamic_sampling_rounds: int = Field(0, ge=0, le=100, description="extra sampling rounds that replace dropped groups")
    max_group_size: int = Field(0, ge=0, le=1024, description="most rollouts of a hard task; 0 gives each task rollout.group_size")
    pair_tasks: bool = Field(False, description="train only on pairs of a hard and an easy task")
    quantile_lr: float = Field(0.0, ge=0, le=1, description="step size of the quantiles tracked by `mvar`; 0 uses those of each step")
    hint_fraction: float = Field(
        0.0, ge=0, lt=1, description="fraction of the explanation shown when an unsolved group is retried; 0 for off"
    )
    hint_stages: int = Field(1, ge=1, le=10, description="retries of an unsolved group, each with a longer hint, until one is solved")
    hint_tiers: tuple[Literal["concept", "plan", "partial", "feedback"], ...] = Field(
        (),
        max_length=4,
        description="hints of these kinds, one at each retry until a group is solved, in place of fractions of the explanation; feedback: what the "
        "environment says about a failed attempt of the group",
    )
    hint_start_step: int = Field(0, ge=0, description="first step at which unsolved groups are retried, counted from 0")
    hint_group_size: int = Field(0, ge=0, le=1024, description="rollouts of a retry; 0 for rollout.group_size")
    hint_join: Literal["all", "one"] = Field(
        "all", description="all hinted rollouts join their group, or the first right one takes the place of one of the group's own"
    )
    hint_prompt: Literal["removed", "kept"] = Field(
        "removed", description="the update sees hinted rollouts without the hint in their prompt, or as they were sampled"
    )
    oracle_fraction: float = Field(0.0, ge=0, lt=1, description="fraction of an unsolved group replaced by the oracle's rollout; 0 for off")
    oracle_groups: Literal["unsolved", "all"] = Field("unsolved", description="groups that get the oracle's rollout")
    oracle_prefix: Literal["none", "right_steps"] = Field(
        "none", description="what the oracle's rollout keeps of a failed one: nothing, or its steps up to the first wrong one"
    )
    oracle_reward: Literal["score", "smoothed"] = Field(
        "score", description="the oracle's reward: its score, or in groups that the policy solves the mean of the policy's rollouts"
    )
    oracle_loss_options: dict[str, Any] = Field({}, description="how oracle rollouts are weighted, e.g. {'weighting': 'multiple'}")
    noise_correction: NoiseCorrectionConfig | None = Field(None, description="correction of rewards for verifier errors")
    auxiliary_rewards: AuxiliaryRewardsConfig | None = Field(
        None,
        description="rewards in addition to the primary one, whose weights are learned from 0 on by what they do for it; none by default",
    )
    role_baseline: RoleBaselineConfig | None = Field(
        None,
        description="a baseline by environment and role that is subtracted from rewards, for advantages without groups; none by default",
    )
    overlong_penalty: dict[str, float | int] | None = Field(
        None, description="soft length penalty, e.g. {'max_tokens': 500, 'buffer_tokens': 100}"
    )
    shuffle_rewards: bool = Field(False, description="shuffle rewards among the rollouts of a step: a control that must not learn")
    reward_shaping: dict[str, dict[str, bool | float | int | str]] = Field(
        {}, description="reward shapings by name, e.g. {'format_bonus': {'amount': 0.05}}"
    )
    group_rewards: dict[str, dict[str, Any]] = Field(
        {}, description="rewards that compare the rollouts of a group or change over the steps, by name, with their options"
    )
    likelihood_reward: LikelihoodRewardConfig | None = Field(
        None, description="reward from the policy's own probabilities, instead of the verifier's or added to it; none by default"
    )
    intrinsic_reward: IntrinsicRewardConfig | None = Field(
        None, description="reward from the policy's certainty, instead of the verifier's or added to it; none by default"
    )
    twin_reward: TwinRewardConfig | None = Field(
        None, description="reward for agreement with the answers to the same task in other words; none by default"
    )
    contrast: ContrastConfig | None = Field(
        None, description="rollouts with and without a behaviour, which the group reward `contrastive` compares; none by default"
    )
    judge_reward: JudgeRewardConfig | None = Field(
        None, description="reward from the verdicts of a second model, instead of the verifier's or added to it; none by default"
    )
    trace_reward: TraceRewardConfig | None = Field(
        None, description="reward for the steps and the outline of the thinking, added to the verifier's; none by default"
    )
    critique_reward: CritiqueRewardConfig | None = Field(
        None, description="reward from the votes of critiques of a second model, instead of the verifier's or added to it; none by default"
    )
    judge_training: JudgeTrainingConfig | None = Field(
        None, description="a second model that is trained along with the policy; none by default"
    )
    process_model: ProcessModelConfig | None = Field(
        None,
        description="a process reward model that learns from verdicts during the run, for the advantages `prime` and `oreal`; none by default",
    )
    self_distillation: SelfDistillationConfig | None = Field(
        None, description="a loss between the policy and itself with a solution or feedback in its prompt; none by default"
    )
    thought_correction: ThoughtCorrectionConfig | None = Field(
        None, description="the oracle's thoughts in states of failed rollouts, learned in addition to the policy loss; none by default"
    )
    self_verification: SelfVerificationConfig | None = Field(
        None, description="own solutions of a step are graded in the same step, and both are learned; none by default"
    )
    proposer: ProposerConfig | None = Field(
        None, description="tasks that the policy states and attempts in the same step, and learns to state; none by default"
    )
    prover_roles: ProverRolesConfig | None = Field(
        None, description="groups that are asked for right and for wrong solutions that convince the judge; none by default"
    )
    self_reward: SelfRewardConfig | None = Field(None, description="self-rewards that predict the verdict; none by default")
    token_influence: TokenInfluenceConfig | None = Field(
        None, description="advantages weighted by the influence of a token on right responses; none by default"
    )
    effective_rank: EffectiveRankConfig | None = Field(
        None, description="a bonus for responses whose hidden states span more directions; none by default"
    )
    flow_reward: FlowRewardConfig | None = Field(
        None, description="a cost for tokens whose hidden states deviate from those of right responses; none by default"
    )
    outcome_head: OutcomeHeadConfig | None = Field(
        None, description="a head that predicts the final reward and the tokens that remain, for adaptive evaluation; none by default"
    )
    token_rewards: TokenRewardConfig | None = Field(None, description="token rewards in addition to the outcome; none by default")
    replay: ReplayConfig | None = Field(None, description="updates also learn from groups of earlier steps; none by default")

    @property
    def uses_hints(self) -> bool:
        """True if unsolved groups are retried with a hint."""
        return bool(self.hint_fraction or self.hint_tiers)

    @property
    def uses_critic(self) -> bool:
        """True if a value head is trained."""
        return self.advantage == "ppo"

    @property
    def drops_equal_rewards(self) -> bool:
        """True if groups of equal rewards are dropped: as configured, or where advantage and loss learn nothing from them."""
        if self.filter_zero_std is not None:
            return self.filter_zero_std
        return ADVANTAGES[self.advantage].group_relative and LOSSES[self.loss].uses_advantage

    def all_filters(self) -> dict[str, dict[str, Any]]:
        """All filters by name, in the order in which they apply, with their options."""
        first = {"truncated": self.mask_truncated, "zero_std": self.drops_equal_rewards}
        return {name: {} for name, used in first.items() if used} | self.filters

    @property
    def uses_reference(self) -> bool:
        """True if the policy is compared with a reference policy."""
        compares = self.process_model is not None and self.process_model.kind == "ratio"
        return bool(self.kl_coef or self.advantage_options.get("kl_coef") or compares or LOSSES[self.loss].needs_reference)
