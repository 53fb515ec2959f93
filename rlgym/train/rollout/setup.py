"""Creates the rollout worker and the engine that a configuration names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from rlgym.train.config.schema import Config
from rlgym.train.config.sections import SERVER_OPTIONS
from rlgym.train.model.backend import PolicyModel, engine_copy
from rlgym.train.model.transformers_model import TransformersModel
from rlgym.train.rollout.chat import Chat
from rlgym.train.rollout.scoring import make_pool
from rlgym.train.rollout.worker import RolloutWorker
from rlgym.train.tasks.spec import TaskSettings

if TYPE_CHECKING:
    from rlgym.train.distributed.process_group import ProcessGroup
    from rlgym.train.rollout.engines.base import Engine


def make_worker(config: Config, model: PolicyModel, tokenizer: Any, process_group: ProcessGroup, device: torch.device) -> RolloutWorker:
    """The rollout worker of a configuration."""
    rollout = config.rollout
    return RolloutWorker(
        engine=make_engine(config, model, process_group, device),
        pool=make_pool(config.scoring.num_workers, config.scoring.timeout_seconds),
        chat=Chat(tokenizer, **rollout.chat_template_kwargs),
        settings=task_settings(config),
        max_new_tokens=rollout.max_new_tokens,
        max_seq_len=rollout.max_seq_len,
        temperature=rollout.temperature,
        top_p=rollout.top_p,
        top_k=rollout.top_k,
        deterministic=rollout.deterministic,
        branching=rollout.branching,
        self_play=rollout.self_play,
        vocab_size=model.shape.vocab_size,
    )


def task_settings(config: Config) -> TaskSettings:
    """What all tasks of a configuration share."""
    shaping = tuple((name, tuple(sorted(options.items()))) for name, options in sorted(config.algorithm.reward_shaping.items()))
    style, token_rewards = config.rollout.answer_style, config.algorithm.token_rewards
    if token_rewards is not None and token_rewards.source in ("prefix_values", "solution_gain", "critiques"):
        token_rewards = None  # those come from further rollouts, not from scoring
    return TaskSettings(config.seed, config.held_out_fraction, style, shaping, tuple(config.plugins), token_rewards)


def make_engine(config: Config, model: PolicyModel, process_group: ProcessGroup, device: torch.device) -> Engine:
    """The configured rollout engine. If it cannot share the trained weights, it gets a copy."""
    rollout = config.rollout
    if rollout.engine == "vllm":
        from rlgym.train.rollout.engines.vllm import VllmEngine

        options: dict[str, Any] = {"filtered": rollout.top_p < 1 or rollout.top_k > 0} | rollout.engine_options
        if any(name in options for name in SERVER_OPTIONS):
            from rlgym.train.rollout.engines.vllm_servers import connect_servers

            return connect_servers(config.model.path, rollout.max_seq_len, options, process_group, rollout.temperature)
        return VllmEngine(config.model.path, **({"max_seq_len": rollout.max_seq_len} | options))
    options = {"max_seq_len": rollout.max_seq_len} | rollout.engine_options
    if device.type == "cuda" and config.compute.dtype_on(device.type) == "bfloat16":
        # Decoding is bound by memory bandwidth, so the engine gets a copy of half the size.
        model = engine_copy(model, torch.bfloat16)
    elif model.lora is not None or rollout.async_steps or process_group.size > 1:
        model = engine_copy(model, torch.float32)
    if isinstance(model, TransformersModel):
        from rlgym.train.rollout.engines.transformers_engine import TransformersEngine

        return TransformersEngine(model.to(device), **options)
    from rlgym.train.rollout.engines.native import NativeEngine

    return NativeEngine(model.to(device), **options)
