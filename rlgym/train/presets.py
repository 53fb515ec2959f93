"""Configurations to start from: `rlgym train init --model DIR --preset NAME` writes one as YAML with a comment on every field."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rlgym.core.errors import UnknownName, suggestion
from rlgym.train.config.schema import Config, section_of
from rlgym.train.config.section import Section
from rlgym.train.config.sections import ModelConfig
from rlgym.train.model.backend import read_policy_shape

BASE: dict[str, Any] = {
    "seed": 0,
    "steps": 200,
    "rollout": {"groups_per_step": 32, "group_size": 8, "temperature": 1.0, "engine": "native"},
    "update": {"lr": 1e-6, "warmup_steps": 10, "num_minibatches": 1, "max_grad_norm": 1.0},
    "evaluation": {"every_steps": 50, "tasks_per_level": 50},
    "checkpoints": {"every_steps": 20},
    "compute": {"device": "auto", "gradient_checkpointing": True},
}
"""What the presets share."""

PRESETS: dict[str, tuple[str, dict[str, Any]]] = {
    "grpo": (
        "GRPO: advantages standardised over the rollouts of a task, a clipped loss, and a KL penalty to the initial model.",
        {
            "algorithm": {
                "advantage": "grpo",
                "loss": "pg_clip",
                "loss_options": {"clip_low": 0.2, "clip_high": 0.2, "aggregation": "rollout"},
                "kl_coef": 0.001,
            }
        },
    ),
    "dapo": (
        "DAPO: GRPO without KL penalty, a higher upper clip, a mean over tokens, further rounds for groups that teach nothing, and a "
        "soft penalty for long responses.",
        {
            "algorithm": {
                "advantage": "grpo",
                "loss": "pg_clip",
                "loss_options": {"clip_low": 0.2, "clip_high": 0.28, "aggregation": "token"},
                "filter_zero_std": True,
                "dynamic_sampling_rounds": 3,
                "overlong_penalty": {"max_tokens": 0, "buffer_tokens": 0},
            }
        },
    ),
    "ppo": (
        "PPO: a value head estimates the reward before each token, and advantages are GAE.",
        {
            "algorithm": {
                "advantage": "ppo",
                "advantage_options": {"gamma": 1.0, "gae_lambda": 0.95},
                "critic": {"lr_multiplier": 10.0, "loss_coef": 0.5},
                "loss": "pg_clip",
                "loss_options": {"clip_low": 0.2, "clip_high": 0.2},
            },
            "update": {"num_minibatches": 4},
        },
    ),
    "rloo": (
        "RLOO: the reward minus the mean of the other rollouts of the task.",
        {"algorithm": {"advantage": "rloo", "loss": "pg_clip", "kl_coef": 0.001}},
    ),
    "reinforce++": (
        "REINFORCE++: the reward minus a KL term, standardised over all tokens of the step; one rollout per task is enough.",
        {
            "rollout": {"groups_per_step": 128, "group_size": 1},
            "algorithm": {"advantage": "reinforce_pp", "advantage_options": {"kl_coef": 0.001}, "loss": "pg_clip"},
        },
    ),
    "sft": (
        "SFT: imitation of worked solutions from the environments' own oracles, without reinforcement learning.",
        {"steps": 0, "sft": {"steps": 500, "batch_size": 32, "lr": 1e-5, "warmup_steps": 20, "explanation_fraction": 1.0}},
    ),
}
"""Name -> a sentence, and the fields that differ from `BASE`."""


LORA_COMMENT = '  # lora: {"rank": 16, "alpha": 32}  # uncomment to train low-rank adapters instead of all weights'
"""The line of a preset that a user uncomments for LoRA."""


def preset(name: str, model: str | Path, output_dir: str = "run", names: Sequence[str] = ("chain_sum",)) -> dict[str, Any]:
    """The fields of a preset, with lengths that suit the model. Raises UnknownName for an unknown preset."""
    if name not in PRESETS:
        raise UnknownName(f"unknown preset {name!r}.{suggestion(name, tuple(PRESETS))} Use one of {', '.join(PRESETS)}")
    max_seq_len = min(2048, read_policy_shape(ModelConfig(path=str(model))).max_seq_len)
    max_new_tokens = max_seq_len // 2
    fields = merged(BASE, PRESETS[name][1])
    fields["rollout"] = {**fields["rollout"], "max_new_tokens": max_new_tokens, "max_seq_len": max_seq_len}
    fields["update"] = {**fields["update"], "tokens_per_micro_batch": max(8192, max_seq_len)}
    if overlong := fields.get("algorithm", {}).get("overlong_penalty"):
        overlong |= {"max_tokens": max_new_tokens, "buffer_tokens": max_new_tokens // 4}
    tasks = [{"names": list(names), "levels": {"start_level": 0.0, "step_size": 0.05, "solve_rate_band": [0.3, 0.8]}}]
    return {"model": {"path": str(model), "backend": "auto"}, "output_dir": output_dir, "tasks": tasks, **fields}


def preset_yaml(name: str, model: str | Path, output_dir: str = "run", names: Sequence[str] = ("chain_sum",)) -> str:
    """The preset as YAML, each field with its meaning as a comment."""
    fields = preset(name, model, output_dir, names)
    lines = [f"# {PRESETS[name][0]}", "# `rlgym train FILE --check` measures it against this machine; `rlgym train FILE` runs it.", ""]
    for field, value in fields.items():
        nested = section_of(Config.model_fields[field].annotation)
        if field == "tasks":
            lines += ["tasks:  # the task mixture", *_task_lines(value)]
        elif field == "model":
            lines += [f"model:  # {Config.model_fields[field].description}", *_section_lines(ModelConfig, value), LORA_COMMENT]
        elif nested is not None:
            lines += [f"{field}:  # {Config.model_fields[field].description}", *_section_lines(nested, value)]
        else:
            lines.append(_line(Config, field, value))
    return "\n".join(lines) + "\n"


def _task_lines(tasks: list[dict[str, Any]]) -> list[str]:
    section = section_of(Config.model_fields["tasks"].annotation)
    assert section is not None
    lines = []
    for part in tasks:
        first, *rest = [_line(section, field, value) for field, value in part.items()]
        lines += [f"  - {first}", *(f"    {line}" for line in rest)]
    return lines


def _section_lines(section: type[Section], values: Mapping[str, Any]) -> list[str]:
    return [f"  {_line(section, field, value)}" for field, value in values.items()]


def _line(section: type[Section], field: str, value: Any) -> str:
    # JSON is YAML, and keeps a nested value on one line.
    return f"{field}: {_scalar(value)}  # {section.model_fields[field].description}"


def _scalar(value: Any) -> str:
    if isinstance(value, float) and value and abs(value) < 1e-3:
        mantissa, _, exponent = f"{value:e}".partition("e")
        return f"{float(mantissa)}e{int(exponent)}"
    return json.dumps(value)


def merged(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of `base` with changes; sections are merged, and lists and other values replaced."""
    out = {name: dict(value) if isinstance(value, dict) else value for name, value in base.items()}
    for name, value in changes.items():
        out[name] = merged(out.get(name) or {}, value) if isinstance(value, dict) else value
    return out
