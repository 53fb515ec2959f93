"""Measures prompts before a run, so that none of them is too long for `rollout.max_seq_len`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.config.tasks import TaskConfig
from rlgym.train.rollout.chat import Chat
from rlgym.train.rollout.scoring import ScoringJob, run_job
from rlgym.train.rollout.setup import task_settings
from rlgym.train.shifts import shifted_parts
from rlgym.train.tasks.curriculum import with_transfer
from rlgym.train.tasks.spec import TaskSettings, TaskSpec

PROMPTS_AT_START = 2
"""How many prompts of every environment and level are measured before a run."""
SAMPLED_INDEX = 1 << 41
"""Where measured prompts lie in the endless data of an environment: far from those that a run samples."""


@dataclass(frozen=True)
class LongestPrompt:
    """The longest measured prompt of a configuration, and the environment and level that it belongs to."""

    tokens: int
    label: str
    hinted: bool = False


def longest_prompt(config: Config, chat: Chat, settings: TaskSettings, samples: int) -> LongestPrompt:
    """The longest of `samples` prompts of every environment at each of its levels, also of those that only evaluations have.

    Where a run gives hints, the prompts have the longest of them.
    """
    measured = [*with_transfer(config.tasks, config.evaluation), *shifted_parts(config.evaluation).values()]
    specs = {
        (name, level, tuple(sorted(part.knobs.items()))): TaskSpec(
            name, level, SAMPLED_INDEX, "train", part.knobs, hint_fraction=longest_hint(config, part)
        )
        for part in measured
        for name in part.environments()
        for level in [*part.all_levels(), *config.evaluation.levels]
    }
    longest = LongestPrompt(0, "")
    for spec in specs.values():
        for index in range(samples):
            task = replace(spec, index=SAMPLED_INDEX + index)
            prompt = run_job(ScoringJob(0, task, settings))[1].observation
            tokens = len(chat.prompt_tokens(prompt))
            if tokens > longest.tokens:
                longest = LongestPrompt(tokens, spec.label, spec.hint_fraction > 0)
    return longest


def longest_hint(config: Config, part: TaskConfig) -> float:
    """The largest fraction of the explanation that prompts of a part of the mixture have; 0 for none, and for hints of other kinds."""
    retried = 0.0 if config.algorithm.hint_tiers or part not in config.tasks else config.algorithm.hint_fraction
    return max(retried, *part.hint_fractions, 0.0)


def check_first_prompts(config: Config, tokenizer: Any) -> None:
    """`check_prompts` with a few prompts of every environment and level, before a run."""
    chat = Chat(tokenizer, **config.rollout.chat_template_kwargs)
    check_prompts(config, longest_prompt(config, chat, task_settings(config), PROMPTS_AT_START))


def check_prompts(config: Config, longest: LongestPrompt) -> None:
    """Raise TrainError if a prompt leaves no room for a response."""
    if longest.tokens >= config.rollout.max_seq_len:
        room = longest.tokens + config.rollout.max_new_tokens
        hinted = " with its hint" if longest.hinted else ""
        raise TrainError(
            f"a prompt of {longest.label}{hinted} has {longest.tokens} tokens, but rollout.max_seq_len={config.rollout.max_seq_len}: "
            f"set rollout.max_seq_len to {room} or more, lower the level (max_level of adaptive levels), or leave the environment out"
        )
