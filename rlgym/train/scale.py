"""What cannot work on several ranks, or ahead of the trainer, said before anything is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from rlgym.train.config import Config, TrainError

if TYPE_CHECKING:
    from rlgym.train.team import Team

ELSEWHERE = ("url", "urls", "ray")
"""The options of the engine vllm that say where its servers are; without any it runs in the trainer's process."""


def check_scale(config: Config, team: Team) -> None:
    """Refuse, with a TrainError, what the number of ranks or sampling ahead does not allow."""
    within = config.rollout.engine == "vllm" and not any(name in config.rollout.options for name in ELSEWHERE)
    if team.size > 1:
        _check_ranks(config, team, within)
    if config.rollout.ahead:
        _check_ahead(config, team, within)


def _check_ranks(config: Config, team: Team, within: bool) -> None:
    groups = config.rollout.groups
    if groups < team.size:
        raise TrainError(f"{team.size} ranks share rollout.groups={groups}, so that some had none: start fewer ranks, or raise it")
    if groups % team.size:
        near = groups + team.size - groups % team.size
        raise TrainError(
            f"rollout.groups={groups} cannot be shared evenly by {team.size} ranks: make it a multiple of them, such as {near}"
        )
    if within:
        raise TrainError(
            f"vLLM inside the trainer's process cannot be had {team.size} times: use rollout.engine='native', "
            "or start servers and name them in rollout.options.urls"
        )
    gpus = torch.cuda.device_count()
    if config.compute.device != "cpu" and gpus and team.local >= gpus:
        raise TrainError(f"rank {team.rank} is number {team.local} on this machine, which has {gpus} GPUs: start as many ranks as GPUs")


def _check_ahead(config: Config, team: Team, within: bool) -> None:
    if within:
        raise TrainError(
            "rollout.ahead=1 needs an engine beside the trainer, and vLLM in its process is not: "
            "name servers in rollout.options.urls, or use rollout.engine='native'"
        )
    if config.rollout.engine == "native" and device_of(config, team).type == "cuda":
        raise TrainError(
            "rollout.ahead=1 gains nothing with the native engine on a GPU, where it and the trainer take turns: "
            "set rollout.ahead=0, or use rollout.engine='vllm' with servers on other GPUs"
        )
    if not config.rollout.ordered:
        raise TrainError(
            "rollout.ahead=1 with rollout.ordered=false would let the outcome depend on how fast either side is: set rollout.ordered=true"
        )
    if config.update.old != "sampler" and config.algorithm.loss_options.get("mismatch_cap") is None:
        raise TrainError(
            "rollout.ahead=1 learns from responses of older weights and nothing here corrects for that: "
            "give algorithm.loss_options a mismatch_cap, such as 2.0, or set update.old='sampler'"
        )


def device_of(config: Config, team: Team) -> torch.device:
    """The device of this rank: on a machine with GPUs each rank has its own."""
    wanted = config.compute.device
    if wanted == "cuda" and not torch.cuda.is_available():
        raise TrainError("compute.device='cuda', but torch finds no GPU here: use 'cpu' or 'auto'")
    if wanted == "cpu" or not torch.cuda.is_available():
        return torch.device("cpu")
    if team.size > 1:
        torch.cuda.set_device(team.local)
    return torch.device("cuda", team.local) if team.size > 1 else torch.device("cuda")
