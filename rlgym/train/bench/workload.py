"""The work that both trainers do: model, tasks, sizes, and rewards under which every rollout counts.

A new model solves nothing, so true rewards would leave nothing to learn from. Both trainers therefore score every response as
usual, and then replace the reward by a number computed from the response's text.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rlgym.core.errors import RlgymError
from rlgym.train.config.schema import Config
from rlgym.train.rollout.scoring import InProcessPool, ScoringJob, StepResult
from rlgym.train.tasks.curriculum import Curriculum
from rlgym.train.tasks.spec import TaskSpec


@dataclass(frozen=True)
class Workload:
    """The sizes of a comparison.

    response_tokens  exact number of tokens of every response
    micro_batches    number of forward passes of an update, in both trainers
    vocab_size       tokens of the model; those that the tokenizer lacks are sampled as well
    steps            measured steps of each trainer, after `warmup_steps`
    """

    environment: str = "chain_sum"
    level: float = 0.0
    num_layers: int = 3
    hidden_size: int = 128
    vocab_size: int = 640
    groups_per_step: int = 16
    group_size: int = 8
    response_tokens: int = 64
    micro_batches: int = 1
    steps: int = 10
    warmup_steps: int = 2
    cpu_threads: int = 0
    device: str = "cpu"
    dtype: str = "float32"
    seed: int = 0

    def __post_init__(self) -> None:
        bounds = {"num_layers": 1, "hidden_size": 32, "vocab_size": 262, "groups_per_step": 1, "group_size": 2, "response_tokens": 2}
        for name, bound in (bounds | {"micro_batches": 1, "steps": 1}).items():
            if getattr(self, name) < bound:
                raise RlgymError(f"{name} must be at least {bound}, got {getattr(self, name)!r}")
        if self.rollouts % self.micro_batches:
            raise RlgymError(
                f"{self.rollouts} rollouts cannot be divided into {self.micro_batches} equal micro-batches: change micro_batches"
            )

    @property
    def rollouts(self) -> int:
        """Rollouts per step."""
        return self.groups_per_step * self.group_size


@dataclass
class StepStats:
    """The work of one step, counted where it is done.

    sampled   tokens drawn by the engine
    trained   sampled tokens whose log-probability got a gradient
    read      tokens of prompts and responses in the forward and backward passes, without padding
    seconds   the whole step
    parts     seconds by phase
    """

    sampled: int = 0
    trained: int = 0
    read: int = 0
    seconds: float = 0.0
    parts: dict[str, float] = field(default_factory=dict)


def text_reward(text: str) -> float:
    """A reward from 0 to 1 that depends on the response's text alone and differs between responses."""
    return zlib.crc32(text.encode("utf-8", "replace")) / 2**32


class TextRewardPool(InProcessPool):
    """Scores as usual, and then rewards by the text."""

    def __init__(self) -> None:
        super().__init__()
        self._responses: dict[int, str] = {}

    def submit(self, jobs: Sequence[ScoringJob]) -> None:
        self._responses |= {job.key: job.response for job in jobs if job.snapshot is not None}
        super().submit(jobs)

    def done(self, wait: bool) -> list[tuple[int, StepResult]]:
        return [
            (key, result if result.score is None else replace(result, reward=text_reward(self._responses.pop(key))))
            for key, result in super().done(wait)
        ]


def make_folder(workload: Workload, folder: Path) -> Path:
    """A new model of these sizes with its tokenizer, as a Hugging Face folder."""
    from rlgym.train.model.pretrained import make_model
    from rlgym.train.model.tokenizer import make_tokenizer

    model = folder / "model"
    make_tokenizer(model)
    make_model(
        model,
        num_layers=workload.num_layers,
        hidden_size=workload.hidden_size,
        vocab_size=workload.vocab_size,
        max_seq_len=4096,
        seed=workload.seed,
        head_dim=64 if workload.hidden_size >= 512 else 32,
    )
    return model


def make_config(workload: Workload, folder: Path, longest_prompt: int, out: Path | None = None) -> Config:
    """Our run: one update per step on the engine's own log-probabilities, as TRL does when it trains on what it just sampled.

    folder   contains the model, and the run unless `out` is given
    """
    longest = longest_prompt + workload.response_tokens + 1
    fields: dict[str, Any] = {
        "model": str(folder / "model"),
        "output_dir": str(out or folder / "run"),
        "seed": workload.seed,
        "tasks": [{"names": [workload.environment], "levels": [workload.level]}],
        "steps": workload.steps + workload.warmup_steps,
        "rollout": {
            "groups_per_step": workload.groups_per_step,
            "group_size": workload.group_size,
            "max_new_tokens": workload.response_tokens,
            "max_seq_len": longest,
            "engine_options": {"max_num_seqs": workload.rollouts, "max_seq_len": longest},
        },
        "algorithm": {"filter_zero_std": False},
        "update": {
            "lr": 1e-6,
            "warmup_steps": 0,
            "tokens_per_micro_batch": longest * -(-workload.rollouts // workload.micro_batches),
            "old_logprobs": "rollout",
        },
        "scoring": {"num_workers": 0},
        "log": {"transcripts_per_step": 0},
        "compute": {"device": workload.device, "cpu_threads": workload.cpu_threads, "dtype": workload.dtype},
    }
    return Config.from_dict(fields)


def step_tasks(config: Config) -> list[list[TaskSpec]]:
    """The tasks of every step, as the run itself will sample them."""
    curriculum = Curriculum(config.tasks, config.seed, config.task_sampling)
    return [[task for _, task in curriculum.sample(step, config.rollout.groups_per_step)] for step in range(config.steps)]
