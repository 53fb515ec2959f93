"""The sections of a training configuration, each field with its default, range and meaning."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, field_validator

from rlgym.core.answer import Style
from rlgym.core.errors import RlgymError
from rlgym.dataset.traces.options import TraceOptions
from rlgym.train.config.branching import BranchingConfig
from rlgym.train.config.replay import ReplayConfig
from rlgym.train.config.rewards import (
    IntrinsicRewardConfig,
    LikelihoodRewardConfig,
    ProcessModelConfig,
    SelfRewardConfig,
    TokenRewardConfig,
    TwinRewardConfig,
)
from rlgym.train.config.section import Section
from rlgym.train.registry import ADVANTAGES, LOSSES

SERVER_OPTIONS = ("url", "urls", "ray")
"""Options of the vLLM engine that name its servers. Without any of them vLLM runs in the trainer's process."""


class TrainError(RlgymError, ValueError):
    """A training run cannot start, or cannot continue, as configured."""


class LoraConfig(Section):
    """Low-rank adapters, which are trained in place of the model's own weights."""

    rank: int = Field(16, ge=1, le=4096, description="rank of the adapters")
    alpha: float = Field(32.0, gt=0, description="an adapter's output is multiplied by alpha / rank")
    dropout: float = Field(0.0, ge=0, lt=1, description="dropout on the inputs of the adapters during the update")
    target_modules: list[str] | Literal["all-linear"] = Field(
        "all-linear",
        description='names of the linear layers that get an adapter, e.g. ["q_proj", "v_proj"]; "all-linear" for all but the output head',
    )


class ModelConfig(Section):
    """The initial model, and the network that computes it."""

    path: str = Field(description="local Hugging Face folder of the initial model")
    backend: Literal["auto", "native", "transformers"] = Field(
        "auto",
        description="network: native (fast, a few architectures), transformers (every causal language model), or auto for native where it "
        "supports the architecture",
    )
    lora: LoraConfig | None = Field(None, description="train low-rank adapters (LoRA) and freeze the model's own weights")


class SftConfig(Section):
    """Supervised fine-tuning on reference solutions, before reinforcement learning."""

    steps: int = Field(200, ge=1, description="optimizer steps")
    batch_size: int = Field(32, ge=1, description="examples per step")
    lr: float = Field(1e-3, gt=0, description="peak learning rate; it decays linearly to 5 %")
    warmup_steps: int = Field(20, ge=0, description="steps of linear learning-rate warm-up")
    explanation_fraction: float = Field(1.0, ge=0, le=1, description="fraction of examples with the explanation; the rest are bare answers")
    traces: dict[str, Any] | None = Field(
        None, description="explanations that are searches with chosen behaviours, e.g. {'behaviours': ['backtracking'], 'dead_ends': 3}"
    )

    rollouts: str = Field("", description="folder of an evaluation whose responses are imitated in place of the oracle's; empty for none")
    keep: Literal["right", "wrong", "all"] = Field("right", description="rollouts: the responses that are imitated, by their verdict")

    @field_validator("traces")
    @classmethod
    def _check_traces(cls, value: dict[str, Any] | None) -> dict[str, Any] | None:
        if value is not None:
            TraceOptions.model_validate(value)
        return value


class RolloutConfig(Section):
    """How responses are sampled."""

    groups_per_step: int = Field(16, ge=1, description="tasks per step")
    group_size: int = Field(8, ge=1, description="rollouts per task")
    max_new_tokens: int = Field(128, ge=1, description="token limit of one response (one turn)")
    max_seq_len: int = Field(1024, ge=2, description="token limit of a whole episode: prompts and all turns")
    temperature: float = Field(1.0, gt=0, le=10, description="sampling temperature")
    top_p: float = Field(1.0, gt=0, le=1, description="nucleus sampling threshold")
    top_k: int = Field(0, ge=0, description="number of most likely tokens to sample from; 0 for all")
    answer_style: Style = Field("tag", description="how the prompt asks for the final answer: tag, boxed or fence")
    engine: Literal["native", "vllm"] = Field("native", description="rollout engine")
    deterministic: bool = Field(
        True, description="start the next turns only when all current turns are done, so that runs repeat bit for bit"
    )
    async_steps: int = Field(
        0, ge=0, le=16, description="number of steps sampled ahead of the updates, so that rollouts are of weights that many updates old"
    )
    segment_tokens: int = Field(
        0, ge=0, description="most tokens that an episode samples in a step; a longer one continues in the next step; 0 for no limit"
    )
    branching: BranchingConfig | None = Field(
        None, description="rollouts of many turns branch after observations at which the policy has become less certain; none by default"
    )
    chat_template_kwargs: dict[str, bool | int | str] = Field(
        {}, description='arguments of the chat template, e.g. {"enable_thinking": false}'
    )
    engine_options: dict[str, Any] = Field({}, description="options of the engine, by name")

    @property
    def engine_in_process(self) -> bool:
        """True for vLLM inside the trainer's process."""
        return self.engine == "vllm" and not any(name in self.engine_options for name in SERVER_OPTIONS)


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
    hint_tiers: tuple[Literal["concept", "plan", "partial"], ...] = Field(
        (),
        max_length=3,
        description="hints of these kinds, one at each retry until a group is solved, in place of fractions of the explanation",
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
    oracle_reward: Literal["score", "smoothed"] = Field(
        "score", description="the oracle's reward: its score, or in groups that the policy solves the mean of the policy's rollouts"
    )
    oracle_loss_options: dict[str, Any] = Field({}, description="how oracle rollouts are weighted, e.g. {'weighting': 'multiple'}")
    noise_correction: NoiseCorrectionConfig | None = Field(None, description="correction of rewards for verifier errors")
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
        None, description="reward from the policy's own probabilities, in place of the verifier's or beside it; none by default"
    )
    intrinsic_reward: IntrinsicRewardConfig | None = Field(
        None, description="reward from the policy's certainty, in place of the verifier's or beside it; none by default"
    )
    twin_reward: TwinRewardConfig | None = Field(
        None, description="reward for agreement with the answers to the same task in other words; none by default"
    )
    process_model: ProcessModelConfig | None = Field(
        None, description="a process reward model that learns from verdicts during the run, for the advantage `prime`; none by default"
    )
    self_reward: SelfRewardConfig | None = Field(None, description="self-rewards that predict the verdict; none by default")
    token_rewards: TokenRewardConfig | None = Field(None, description="token rewards beside the outcome; none by default")
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
        return bool(self.kl_coef or self.advantage_options.get("kl_coef") or self.process_model)


class UpdateConfig(Section):
    """How the weights are updated."""

    lr: float = Field(1e-5, gt=0, description="learning rate")
    warmup_steps: int = Field(20, ge=0, description="steps of linear learning-rate warm-up")
    lr_schedule: Literal["constant", "linear", "cosine"] = Field("constant", description="learning-rate decay after warm-up")
    adam_betas: tuple[float, float] = Field((0.9, 0.95), description="betas of AdamW")
    weight_decay: float = Field(0.0, ge=0, description="weight decay of AdamW")
    optimizer: Literal["adamw", "adamw_8bit", "paged_adamw_8bit"] = Field(
        "adamw",
        description="AdamW with moments in float32, or in 8 bits through bitsandbytes (paged: in main memory while they are not used)",
    )
    max_grad_norm: float = Field(1.0, gt=0, description="gradients are clipped to this norm")
    num_minibatches: int = Field(1, ge=1, description="optimizer steps per epoch, each on a share of the groups")
    num_epochs: int = Field(1, ge=1, description="passes over the rollouts of a step")
    tokens_per_micro_batch: int = Field(8192, ge=16, description="most tokens in one forward pass")
    old_logprobs: Literal["trainer", "rollout"] = Field(
        "trainer", description="source of the old policy's log-probabilities: a forward pass of the trainer, or the rollout engine"
    )


class ScoringConfig(Section):
    """The processes that create tasks and score answers during generation."""

    num_workers: int = Field(1, ge=0, description="scoring processes; 0 scores in the trainer's process")
    timeout_seconds: float = Field(60.0, gt=0, description="time limit of one verdict")


class EvaluationConfig(Section):
    """Held-out accuracy at the start, at the end, and in between."""

    every_steps: int = Field(0, ge=0, description="steps between evaluations; 0 evaluates at the start and at the end only")
    tasks_per_level: int = Field(50, ge=1, description="held-out tasks per environment and level")
    samples_per_task: int = Field(1, ge=1, description="responses per task")
    temperature: float = Field(1.0, ge=0, description="sampling temperature; 0 for greedy decoding")
    levels: list[float] = Field([], description="levels to evaluate; by default those of the tasks")


class CheckpointConfig(Section):
    """When checkpoints are written."""

    every_steps: int = Field(20, ge=1, description="steps between checkpoints")
    keep_last: int = Field(2, ge=1, description="number of checkpoints to keep")


class LogConfig(Section):
    """What is logged besides metrics.jsonl."""

    transcripts_per_step: int = Field(2, ge=0, description="sample episodes written per step")
    prefix_values: bool = Field(False, description="write each prefix that was continued, with its success rate, to prefix_values.jsonl")
    interference_tasks: int = Field(
        0,
        ge=0,
        le=1000,
        description="held-out tasks per environment and level whose oracle's solutions are scored around every update; 0 for none",
    )
    behaviours: bool = Field(False, description="log how many lines of a response backtrack, check, announce a step or reason backwards")
    tensorboard: bool = Field(False, description="also log to TensorBoard")
    wandb_project: str = Field("", description="also log to this Weights & Biases project; empty for none")
    trackio_project: str = Field("", description="also log to this Trackio project; empty for none")


class ComputeConfig(Section):
    """Device, precision and memory."""

    device: Literal["auto", "cpu", "cuda"] = Field("auto", description="where the run computes")
    dtype: Literal["auto", "float32", "bfloat16"] = Field(
        "auto", description="precision of the forward and backward passes; auto is bfloat16 on a GPU and float32 on a CPU"
    )
    cpu_threads: int = Field(0, ge=0, description="CPU threads of torch; 0 keeps torch's default")
    gradient_checkpointing: bool = Field(False, description="recompute activations in the backward pass to save memory")
    compile: bool = Field(False, description="torch.compile the parts between attentions; pays off on a GPU")
    engine_sleep: bool = Field(False, description="free the engine's cache while the trainer updates")
    peak_tflops: float = Field(0.0, ge=0, description="peak of one device in 10^12 operations per second; 0 measures it")
    dist_timeout_seconds: float = Field(1800.0, gt=0, description="how long a rank waits for another before the run ends")

    def dtype_on(self, device_type: str) -> Literal["float32", "bfloat16"]:
        """The precision on a device: "cpu" or "cuda"."""
        if self.dtype != "auto":
            return self.dtype
        return "bfloat16" if device_type == "cuda" else "float32"
