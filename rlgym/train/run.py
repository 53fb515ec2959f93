"""A training run: everything that training holds, created from a configuration or from the last checkpoint in its folder."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from rlgym.rewards.captions import CaptionLabels
from rlgym.train.advantages.set_based import QuantileTracker
from rlgym.train.bench.peak_flops import peak_flops
from rlgym.train.config.schema import Config
from rlgym.train.distributed.process_group import ProcessGroup, rank_device
from rlgym.train.distributed.sharding import full_weights, shard
from rlgym.train.evaluate import Table
from rlgym.train.logging.metrics_logger import MetricsLogger, NullLogger
from rlgym.train.model import checkpoint
from rlgym.train.model.backend import PolicyModel, add_adapter, load_policy_model, load_value_head, read_policy_shape, store_frozen_matrices
from rlgym.train.model.decoder import Decoder
from rlgym.train.model.state import copy_to_reference, engine_weights, save_policy_model
from rlgym.train.model.tokenizer import load_tokenizer
from rlgym.train.rewards.group.length import LengthMonitor
from rlgym.train.rewards.group.objectives import ObjectiveMonitor
from rlgym.train.rewards.role_baseline import RoleBaselines
from rlgym.train.rollout.async_rollout import AsyncRollout, RolloutBatch
from rlgym.train.rollout.engines.failures import engine_failures
from rlgym.train.rollout.partial import CarriedGroup
from rlgym.train.rollout.proposals import ProposalStore
from rlgym.train.rollout.replay import ReplayBuffer
from rlgym.train.rollout.second_models import SecondModel, load_second_models
from rlgym.train.rollout.setup import make_worker
from rlgym.train.rollout.worker import RolloutWorker
from rlgym.train.run_state import load_training_state, training_state
from rlgym.train.tasks.curriculum import Curriculum
from rlgym.train.tasks.recorded import read_store
from rlgym.train.tasks.spread import SpreadTracker
from rlgym.train.update.flow_reward import FlowReward
from rlgym.train.update.hidden_states import RankTracker
from rlgym.train.update.judge_training import JudgeTraining, load_judge_training
from rlgym.train.update.optimizers import check_optimizer, clip_and_step, make_optimizer
from rlgym.train.update.outcome_head import OutcomeHead
from rlgym.train.update.policy import PolicyForward
from rlgym.train.update.process_model import ProcessModel
from rlgym.train.update.self_distillation import SelfDistillation, load_distillation
from rlgym.train.validate.algorithms import check_algorithms
from rlgym.train.validate.config import check_config, check_positions, check_self_reward_token
from rlgym.train.validate.memory import check_memory
from rlgym.train.validate.output_dir import check_output_dir, make_output_dir
from rlgym.train.validate.prompts import check_first_prompts
from rlgym.train.validate.scale import check_ranks_of_model, check_scale

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.logging.interference import Interference
    from rlgym.train.rollout.episodes import Episode


@dataclass
class Run:
    """The state of training, and its parts. `phase` is "sft" or "rl"; `step` counts the finished steps of the phase.

    policy            forward and backward passes of the trained network; `reference` the same of the reference policy, if there is one
    version           number of weight updates since reinforcement learning began; `lr` is the learning rate of the present step
    reference_reset   the reference is a policy of this run; `self_reward_offset` the log-probability from which self-rewards are measured, None at first
    process_model     a process reward model; `distillation` the averaged teacher, `flow` that of hidden states; `judge_training`; `outcome_head`
    interference      right solutions whose likelihood is followed (`log.interference_tasks`); `evaluations` held-out accuracies by label
    prefetched        rollouts that were sampled ahead, of the next steps; `async_rollouts` those that are being sampled, of the steps after them
    caption_labels    what the judge of captions said in this process; `proposals` the tasks that the policy stated
    replay_buffer     groups of earlier steps; `carried` those that continue in the next one, `stored` those of `rollout.recorded` once they are read
    engine_version    version of the weights that the engine has, or will have once the last rollout in the background has started; `peak_flops` of all devices
    """

    config: Config
    folder: Path
    device: torch.device
    model: PolicyModel
    tokenizer: Any
    worker: RolloutWorker
    policy: PolicyForward
    reference: PolicyForward | None
    optimizer: torch.optim.Optimizer
    curriculum: Curriculum
    logger: MetricsLogger
    process_group: ProcessGroup
    phase: str
    step: int = 0
    version: int = 0
    lr: float = 0.0
    reference_reset: bool = False
    quantile_tracker: QuantileTracker = field(default_factory=QuantileTracker)
    spread_tracker: SpreadTracker = field(default_factory=SpreadTracker)
    length_monitor: LengthMonitor = field(default_factory=LengthMonitor)
    objective_monitor: ObjectiveMonitor = field(default_factory=ObjectiveMonitor)
    rank_tracker: RankTracker = field(default_factory=RankTracker)
    role_baselines: RoleBaselines = field(default_factory=RoleBaselines)
    reward_weights: dict[str, float] = field(default_factory=dict)
    self_reward_offset: float | None = None
    process_model: ProcessModel | None = None
    distillation: SelfDistillation | None = None
    flow: FlowReward | None = None
    outcome_head: OutcomeHead | None = None
    stored: list[list[Episode]] | None = None
    second_models: dict[str, SecondModel] = field(default_factory=dict)
    caption_labels: CaptionLabels = field(default_factory=CaptionLabels)
    proposals: ProposalStore = field(default_factory=ProposalStore)
    judge_training: JudgeTraining | None = None
    interference: Interference | None = None
    evaluations: dict[str, Table] = field(default_factory=dict)
    peak_flops: float = 0.0
    prefetched: deque[RolloutBatch] = field(default_factory=deque)
    async_rollouts: deque[AsyncRollout] = field(default_factory=deque)
    engine_version: int = 0
    replay_buffer: ReplayBuffer = field(default_factory=ReplayBuffer)
    carried: list[CarriedGroup] = field(default_factory=list)

    @classmethod
    def open(cls, config: Config) -> Run:
        """A new run in its folder, or the run in that folder from its last checkpoint. Refuses before it writes anything."""
        check_config(config)
        check_algorithms(config)
        process_group = ProcessGroup.from_environment()
        check_scale(config, process_group)
        folder = Path(config.output_dir)
        check_output_dir(config)
        saved = checkpoint.list_checkpoints(folder / "checkpoints")
        state = checkpoint.load(saved[-1]) if saved else None
        torch.set_num_threads(config.compute.cpu_threads or torch.get_num_threads())
        torch.manual_seed(config.seed)
        device = rank_device(config, process_group)
        # A checkpoint of an adapter does not repeat the weights that it leaves as they are.
        source = saved[-1] / "model" if saved and config.model.lora is None else Path(config.model.path)
        with checkpoint.weights_of(saved[-1] if saved else None):
            shape = read_policy_shape(config.model, source)
        check_positions(config, shape)
        check_self_reward_token(config, shape)
        check_ranks_of_model(config, process_group.size)
        check_optimizer(config, device, process_group.size)
        check_memory(config, shape, device, process_group.size)
        with checkpoint.weights_of(saved[-1] if saved else None):
            model, tokenizer = load_policy_model(config.model, source, config.algorithm.uses_critic), load_tokenizer(source)
            add_adapter(model, config.model, config.seed)
            if saved and model.lora is not None:
                model.lora.load(saved[-1] / "adapter")
                load_value_head(model, saved[-1] / "adapter")
        check_first_prompts(config, tokenizer)
        # No rank writes before all have read, and no rank reads on before rank 0 has written.
        process_group.initialize(device, config.compute.dist_timeout_seconds)
        process_group.require_equal(saved[-1].name if saved else "none", "the last checkpoint in the folder of the run")
        if process_group.is_main:
            make_output_dir(config)
            checkpoint.remove_unfinished(folder / "checkpoints")
        run = cls._create(config, folder, device, model, tokenizer, process_group)
        run.logger.truncate(state.facts["files"] if state else {})
        process_group.barrier()
        if state:
            load_training_state(run, state)
        else:
            read_store(config, run.curriculum.cells)
        run.peak_flops = (
            process_group.size * process_group.all_gather(peak_flops(folder, config, device) if process_group.is_main else 0.0)[0]
        )
        run.sync_engine()
        return run

    @classmethod
    def _create(
        cls, config: Config, folder: Path, device: torch.device, model: PolicyModel, tokenizer: Any, process_group: ProcessGroup
    ) -> Run:
        update, temperature = config.update, config.rollout.temperature
        model.enable_gradient_checkpointing(config.compute.gradient_checkpointing)
        # A network that is sharded stays on the CPU until then, so that no device ever holds all of its weights in float32.
        if process_group.size == 1:
            model.to(device)
        worker = make_worker(config, model, tokenizer, process_group, device)
        if config.compute.compile and isinstance(model, Decoder):  # after the engine is created: its copy of the model stays uncompiled
            model.compile_blocks()
        dtype = torch.bfloat16 if config.compute.dtype_on(device.type) == "bfloat16" else torch.float32
        if model.lora is not None and device.type == "cuda" and dtype == torch.bfloat16:  # after the engine got its copy
            store_frozen_matrices(model, dtype)
        reference = None
        if config.algorithm.uses_reference or config.rollout.recorded:
            frozen = model if model.lora is not None else load_policy_model(config.model).requires_grad_(False)
            if process_group.size == 1:
                frozen.to(device)
            reference = PolicyForward(frozen, update.tokens_per_micro_batch, temperature, dtype, process_group, is_reference=True)
        if process_group.size > 1:
            for network in [model] if reference is None else [model, reference.model]:
                shard(network, process_group, dtype, device)
        judges = load_second_models(config, device)
        return cls(
            config,
            folder,
            device,
            model,
            tokenizer,
            worker,
            PolicyForward(model, update.tokens_per_micro_batch, temperature, dtype, process_group),
            reference,
            make_optimizer(config, model, device),
            Curriculum(config.tasks, config.seed, config.task_sampling, config.task_sampling_options),
            MetricsLogger(folder, config) if process_group.is_main else NullLogger(folder),
            process_group,
            "sft" if config.sft else "rl",
            process_model=ProcessModel.from_config(config, device, dtype),
            flow=FlowReward.from_config(config, model.shape.hidden_size, device),
            outcome_head=OutcomeHead.from_config(config, model.head_VE.shape[1], device),
            distillation=load_distillation(config, device, dtype),
            second_models=judges,
            judge_training=load_judge_training(config, judges, device, dtype),
        )

    def start_phase(self, phase: str) -> None:
        """Start a phase: its steps count from 0, and its optimizer starts without state."""
        self.phase, self.step = phase, 0
        self.reset_optimizer_and_reference()

    def reset_optimizer_and_reference(self) -> None:
        """Clear the optimizer state, and make the present policy the reference.

        From "ProRL: Prolonged Reinforcement Learning Expands Reasoning Boundaries in Large Language Models".
        """
        self.optimizer.state.clear()
        if self.reference is not None:
            copy_to_reference(self.model, self.reference.model)
            self.reference_reset = True
        if self.process_model is not None:
            self.process_model.restart(self.model)
        if self.distillation is not None:
            self.distillation.restart(self.model)

    def seed(self, purpose: str, step: int | None = None) -> int:
        """The seed for one purpose in the present step, or in another."""
        key = f"{self.config.seed} {self.phase} {self.step if step is None else step} {purpose}"
        return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") >> 1

    def seed_dropout(self) -> None:
        """Make the dropout of adapters in this step depend on the seed and the step alone, on every device."""
        if self.config.model.lora is not None and self.config.model.lora.dropout:
            torch.manual_seed(self.seed("dropout"))

    def set_lr(self, lr: float) -> None:
        """Set the learning rate."""
        self.lr = lr
        for group in self.optimizer.param_groups:
            group["lr"] = lr * group.get("lr_multiplier", 1.0)

    def optimizer_step(self, max_grad_norm: float) -> float:
        """Clip the gradients, update the weights and clear the gradients; the gradient norm before clipping."""
        return clip_and_step(self.model, self.optimizer, max_grad_norm)

    def flops(self) -> float:
        """Floating-point operations of all passes so far, of all ranks."""
        return sum(policy.counter.flops for policy in (self.policy, self.reference) if policy is not None)

    def sync_engine(self) -> None:
        """Send the present weights to the rollout engine."""
        with engine_failures(self.worker.engine, "while it loaded weights"):
            self.worker.engine.update_weights(self.weights(), self.version)
        self.engine_version = self.version
        self.process_group.barrier()

    def weights(self) -> Iterator[tuple[str, Tensor]]:
        """Every full weight by the name that the rollout engine uses; all ranks must iterate together."""
        return engine_weights(self.model, self.worker.engine)

    def save_model(self, folder: Path) -> None:
        """Write the model as a Hugging Face folder; of an adapter only itself, with the merged model next to it after the last step."""
        is_last = self.phase == "rl" and self.step == self.config.steps
        if save_policy_model(self.model, folder, self.config.model.path, is_last):
            self.tokenizer.save_pretrained(folder)

    def save_checkpoint(self) -> None:
        """Write a checkpoint from which the run can resume."""
        state = training_state(self)
        if self.process_group.is_main:
            checkpoint.save(self.folder / "checkpoints", state, self.save_model, self.config.checkpoints.keep_last)
        else:
            # All ranks gather a sharded model together, for the one that writes it.
            for _ in full_weights(self.model):
                pass
        self.process_group.barrier()

    def close(self) -> None:
        """Stop background work and close the files."""
        for stop in [*(rollout.stop for rollout in self.async_rollouts), *(rollout.cancel for rollout in self.async_rollouts)]:
            stop()
        self.worker.pool.close()
        self.worker.engine.close()
        for second in self.second_models.values():
            second.engine.close()
        self.logger.close()
