"""The sections of a training configuration, each field with its default, range and meaning. `algorithm` and `tasks` have modules of their own."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from rlgym.core.answer import Style
from rlgym.core.errors import RlgymError
from rlgym.dataset.traces.options import TraceOptions
from rlgym.train.config.agents import AgentsConfig
from rlgym.train.config.branching import BranchingConfig
from rlgym.train.config.hidden_states import AdaptiveSamplingConfig
from rlgym.train.config.section import Section

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
    summed_with: list[str] = Field(
        [],
        max_length=8,
        description="folders of frozen models with the same vocabulary, whose logits are added to those of the model: a backbone, and further modules; "
        "native networks only",
    )
    lora: LoraConfig | None = Field(None, description="train low-rank adapters (LoRA) and freeze the model's own weights")


class DomainWeightsConfig(Section):
    """Weights of the families of supervised examples that follow the gradient of the loss on held-out tasks (DreamPRM)."""

    held_out_names: list[str] = Field(
        [],
        description="environments whose held-out tasks, at evaluation.levels or level 0, judge the families; empty for those of the tasks",
    )
    every_steps: int = Field(10, ge=1, description="steps between updates of the weights")
    examples: int = Field(
        16, ge=1, le=1000, description="examples of each family in an update, and held-out tasks of each environment and level"
    )
    lr: float = Field(0.5, gt=0, le=10, description="how far the logarithm of a weight moves for a cosine of 1")
    inner_lr: float = Field(0.1, gt=0, description="step size of the unrolled step, a plain gradient step on the weighted mixture")
    min_weight: float = Field(0.05, ge=0, lt=1, description="lowest weight of a family; the mean is 1")


class SftConfig(Section):
    """Supervised fine-tuning on reference solutions, before reinforcement learning."""

    steps: int = Field(200, ge=1, description="optimizer steps")
    batch_size: int = Field(32, ge=1, description="examples per step")
    lr: float = Field(1e-3, gt=0, description="peak learning rate; it decays linearly to 5 %")
    warmup_steps: int = Field(20, ge=0, description="steps of linear learning-rate warm-up")
    explanation_fraction: float = Field(1.0, ge=0, le=1, description="fraction of examples with the explanation; the rest are bare answers")
    proposals_fraction: float = Field(
        0.0,
        ge=0,
        le=1,
        description="fraction of examples that state a new task instead of solving one, as `algorithm.proposer` asks for it",
    )
    agents: AgentsConfig | None = Field(
        None, description="turns as the work of several agents in one model; by default the explanation alone"
    )
    traces: dict[str, Any] | None = Field(
        None, description="explanations that are searches with chosen behaviours, e.g. {'behaviours': ['backtracking'], 'dead_ends': 3}"
    )
    domain_weights: DomainWeightsConfig | None = Field(
        None,
        description="learn how much each family of examples weighs from held-out tasks; by default the shares of the tasks, or of the responses",
    )
    rollouts: str = Field(
        "",
        description="folder of an evaluation, or of `rlgym steps`, whose responses are imitated, or a file of `rlgym steps export --for chains`, whose "
        "critiques are; empty for the oracle's",
    )
    keep: Literal["right", "wrong", "all"] = Field("right", description="rollouts: the responses that are imitated, by their verdict")
    trace_fraction: float = Field(
        1.0,
        gt=0,
        le=1,
        description="rollouts: fraction of the kept responses that are imitated, those whose thinking `algorithm.trace_reward` scores highest",
    )
    length: Literal["any", "shortest"] = Field(
        "any", description="rollouts: all kept responses of a task are imitated, or the one with the fewest tokens alone"
    )

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
    self_play: bool = Field(
        False,
        description="the policy plays both seats of matches, two rollouts for each match; evaluations are against the built-in player",
    )
    branching: BranchingConfig | None = Field(
        None, description="rollouts of many turns branch after observations at which the policy has become less certain; none by default"
    )
    chat_template_kwargs: dict[str, bool | int | str] = Field(
        {}, description='arguments of the chat template, e.g. {"enable_thinking": false}'
    )
    recorded: str = Field(
        "", description="folder of an evaluation whose responses are learned from in place of sampled ones; empty for none"
    )
    engine_options: dict[str, Any] = Field({}, description="options of the engine, by name")

    @property
    def engine_in_process(self) -> bool:
        """True for vLLM inside the trainer's process."""
        return self.engine == "vllm" and not any(name in self.engine_options for name in SERVER_OPTIONS)


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


class ShiftConfig(Section):
    """Tasks that differ from those trained on in a way that has a name."""

    names: list[str] = Field(min_length=1, description="environments, domains or patterns")
    levels: list[float] = Field([0.0], min_length=1, description="levels")
    knobs: dict[str, int | float | str] = Field({}, description="knobs that override those of the level")


class EvaluationConfig(Section):
    """Held-out accuracy at the start, at the end, and in between."""

    every_steps: int = Field(0, ge=0, description="steps between evaluations; 0 evaluates at the start and at the end only")
    tasks_per_level: int = Field(50, ge=1, description="held-out tasks per environment and level")
    samples_per_task: int = Field(1, ge=1, description="responses per task")
    temperature: float = Field(1.0, ge=0, description="sampling temperature; 0 for greedy decoding")
    levels: list[float] = Field([], description="levels to evaluate; by default those of the tasks")
    adaptive: AdaptiveSamplingConfig | None = Field(
        None, description="also evaluate with samples that stop where the outcome head expects no gain; none by default"
    )
    hints: list[Literal["concept", "plan", "partial"] | Annotated[float, Field(gt=0, le=1)]] = Field(
        [],
        max_length=8,
        description="the same tasks are evaluated again with each of these in the prompt: a tier of hints (knowledge, a plan, the first steps), or a "
        "fraction of the explanation",
    )
    transfer: list[str] = Field(
        [],
        description="environments that are measured besides those of the tasks and never trained on, at `levels` or level 0; `mean` leaves them out",
    )
    shifts: dict[Annotated[str, Field(min_length=1)], ShiftConfig] = Field(
        {}, max_length=32, description="shifts by name, each measured on held-out tasks of its own at every evaluation"
    )


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
    preferences: bool = Field(
        False, description="write a right and a failed response of each group, also of groups that only a hint helped, to preferences.jsonl"
    )
    behaviours: bool = Field(False, description="log how many lines of a response backtrack, check, announce a step or reason backwards")
    thoughts: bool = Field(
        False,
        description="log signs of thought collapse: the shares of thoughts that are distinct and that mention the state, and of invalid turns",
    )
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
