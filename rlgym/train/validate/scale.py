"""Refuses what cannot work on several ranks, or with asynchronous rollouts."""

from __future__ import annotations

import torch

from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.distributed.process_group import ProcessGroup, rank_device
from rlgym.train.model.backend import choose_backend


def check_scale(config: Config, process_group: ProcessGroup) -> None:
    """Raise TrainError for what the number of ranks or asynchronous rollouts do not allow."""
    if process_group.size > 1:
        _check_ranks(config, process_group)
    if config.rollout.async_steps:
        _check_async(config, process_group)
    if config.rollout.segment_tokens:
        _check_segments(config)


def check_ranks_of_model(config: Config, size: int) -> None:
    """Raise TrainError for a model that cannot be sharded over this number of ranks."""
    if size == 1:
        return
    if choose_backend(config.model).name == "transformers":
        raise TrainError(f"the transformers backend does not support {size} ranks: start one process, or use a model of the native backend")
    algorithm = config.algorithm
    single = {
        "algorithm.auxiliary_rewards": algorithm.auxiliary_rewards,
        "algorithm.process_model": algorithm.process_model,
        "algorithm.judge_training": algorithm.judge_training,
        "algorithm.outcome_head": algorithm.outcome_head,
        "algorithm.flow_reward": algorithm.flow_reward,
        "algorithm.self_distillation": algorithm.self_distillation,
        # Each rank would sample all of these itself, and the batches of the ranks would differ wherever sampling does.
        "algorithm.self_verification": algorithm.self_verification,
        "algorithm.proposer": algorithm.proposer,
        "algorithm.trace_reward.solver": algorithm.trace_reward and algorithm.trace_reward.solver,
        "model.summed_with": config.model.summed_with,
    }
    for field, value in single.items():
        if value:
            raise TrainError(f"{field} does not support {size} ranks: start one process")
    if config.model.lora is not None:
        raise TrainError(f"model.lora does not support {size} ranks: start one process, or remove model.lora to shard the whole model")


def _check_ranks(config: Config, process_group: ProcessGroup) -> None:
    groups, size = config.rollout.groups_per_step, process_group.size
    if groups < size:
        raise TrainError(f"rollout.groups_per_step={groups} leaves some of {size} ranks without a group: start fewer ranks, or raise it")
    if groups % size:
        near = groups + size - groups % size
        raise TrainError(f"rollout.groups_per_step={groups} is not a multiple of {size} ranks: use a multiple, such as {near}")
    if config.rollout.engine_in_process:
        raise TrainError(
            f"vLLM in the trainer's process does not support {size} ranks: use rollout.engine='native', "
            "or start vLLM servers and list them in rollout.engine_options.urls"
        )
    gpus = torch.cuda.device_count()
    if config.compute.device != "cpu" and gpus and process_group.local_rank >= gpus:
        raise TrainError(
            f"rank {process_group.rank} has local rank {process_group.local_rank}, but this machine has {gpus} GPUs: start one rank per GPU"
        )


def _check_async(config: Config, process_group: ProcessGroup) -> None:
    setting = f"rollout.async_steps={config.rollout.async_steps}"
    if config.rollout.engine_in_process:
        raise TrainError(
            f"{setting} needs an engine that runs during the update, and vLLM in the trainer's process cannot: "
            "list vLLM servers in rollout.engine_options.urls, or use rollout.engine='native'"
        )
    if config.rollout.engine == "native" and rank_device(config, process_group).type == "cuda":
        raise TrainError(
            f"{setting} gains nothing with the native engine on a GPU that it shares with the trainer: "
            "set rollout.async_steps=0, or use rollout.engine='vllm' with servers on other GPUs"
        )
    if config.rollout.async_steps > 1 and config.rollout.engine == "vllm" and process_group.size > 1:
        raise TrainError(
            f"{setting} does not support several ranks with vLLM servers, since a rank would send new weights while another still samples: "
            "set rollout.async_steps=1, or start one rank"
        )
    if not config.rollout.deterministic:
        raise TrainError(
            f"{setting} with rollout.deterministic=false would make the result depend on timing: set rollout.deterministic=true"
        )
    _check_correction(config, setting)


def _check_segments(config: Config) -> None:
    """Raise TrainError for what samples whole responses beside partial rollouts."""
    setting, algorithm = f"rollout.segment_tokens={config.rollout.segment_tokens}", config.algorithm
    whole = {
        "rollout.async_steps": config.rollout.async_steps,
        "rollout.branching": "on" if config.rollout.branching else "",
        "algorithm.dynamic_sampling_rounds": algorithm.dynamic_sampling_rounds,
        "algorithm.max_group_size": algorithm.max_group_size,
        "algorithm.hint_fraction": algorithm.hint_fraction,
        "algorithm.hint_tiers": list(algorithm.hint_tiers),
    }
    for field, value in whole.items():
        if value:
            raise TrainError(f"{setting} does not support {field}={value}, which samples whole responses: leave one of them out")
    if config.rollout.segment_tokens >= config.rollout.max_seq_len:
        raise TrainError(
            f"{setting} has no effect, since no episode is longer than rollout.max_seq_len={config.rollout.max_seq_len}: lower it, or set it to 0"
        )
    _check_correction(config, setting)


def _check_correction(config: Config, setting: str) -> None:
    if config.update.old_logprobs != "rollout" and config.algorithm.loss_options.get("tis_cap") is None:
        raise TrainError(
            f"{setting} trains on responses of older weights and nothing corrects for that: "
            "set algorithm.loss_options.tis_cap, such as 2.0, or update.old_logprobs='rollout'"
        )
