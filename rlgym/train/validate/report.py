"""What `rlgym train CONFIG --check` reports: sizes, memory and prompts of a configuration, and what is worth changing."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from rlgym.train.config.schema import Config
from rlgym.train.distributed.process_group import ProcessGroup, rank_device
from rlgym.train.model.backend import Backend, adapter_layers, choose_backend, read_policy_shape
from rlgym.train.model.tokenizer import load_tokenizer
from rlgym.train.rollout.chat import Chat
from rlgym.train.rollout.setup import task_settings
from rlgym.train.update.optimizers import check_optimizer
from rlgym.train.validate.algorithms import check_algorithms
from rlgym.train.validate.config import check_config, check_positions
from rlgym.train.validate.memory import GIB, MemoryEstimate, available_memory, check_memory
from rlgym.train.validate.prompts import LongestPrompt, check_prompts, longest_prompt
from rlgym.train.validate.scale import check_ranks_of_model, check_scale

PROMPTS_PER_LEVEL = 16
"""How many prompts of every environment and level `--check` measures."""


@dataclass(frozen=True)
class CheckReport:
    """The findings of a check: the backend, the memory of a rank, its device, the longest prompt, warnings, and the layers with an adapter."""

    backend: Backend
    memory: MemoryEstimate
    device: torch.device
    available: int
    longest: LongestPrompt
    warnings: tuple[str, ...]
    targets: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """The report as text, one finding per line."""
        parts = ", ".join(f"{name} {size / GIB:.2f}" for name, size in self.memory.parts().items() if size)
        free = f" of {self.available / GIB:.1f} GiB available on {self.device}" if self.available else ""
        trained = [f"trained parameters: {self.memory.trained:,} (adapters of {', '.join(self.targets)})"] if self.targets else []
        return [
            self.backend.line(),
            f"parameters: {self.memory.parameters:,}",
            *trained,
            f"memory: about {self.memory.total / GIB:.2f} GiB{free} ({parts})",
            f"longest prompt: {self.longest.tokens} tokens, of {self.longest.label}",
            *(f"warning: {warning}" for warning in self.warnings),
        ]


def check(config: Config, process_group: ProcessGroup) -> CheckReport:
    """All checks of a configuration. Raises the first error, with what to change."""
    check_config(config)
    check_algorithms(config)
    check_scale(config, process_group)
    shape, device = read_policy_shape(config.model), rank_device(config, process_group)
    check_positions(config, shape)
    check_ranks_of_model(config, process_group.size)
    check_optimizer(config, device, process_group.size)
    memory = check_memory(config, shape, device, process_group.size)
    chat = Chat(load_tokenizer(config.model.path), **config.rollout.chat_template_kwargs)
    longest = longest_prompt(config, chat, task_settings(config), PROMPTS_PER_LEVEL)
    check_prompts(config, longest)
    targets = sorted({name.rpartition(".")[2] for name, _, _ in adapter_layers(config.model, shape)})
    warnings = tuple(_warnings(config, longest))
    return CheckReport(choose_backend(config.model), memory, device, available_memory(device), longest, warnings, tuple(targets))


def _warnings(config: Config, longest: LongestPrompt) -> list[str]:
    rollout, found = config.rollout, []
    if longest.tokens + rollout.max_new_tokens > rollout.max_seq_len:
        found.append(
            f"after the longest prompt a response has {rollout.max_seq_len - longest.tokens} of rollout.max_new_tokens="
            f"{rollout.max_new_tokens} tokens: set rollout.max_seq_len to {longest.tokens + rollout.max_new_tokens} or more"
        )
    requests = rollout.groups_per_step * rollout.group_size
    rows = rollout.engine_options.get("max_num_seqs", 128)
    if rollout.engine == "native" and rows > requests:
        found.append(f"rollout.engine_options.max_num_seqs={rows} exceeds the {requests} rollouts of a step: {requests} use less memory")
    return found
