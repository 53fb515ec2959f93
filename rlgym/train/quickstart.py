"""A complete run in minutes on two CPU cores: a new small model, SFT on reference solutions, then reinforcement learning.

SFT shows the model two ways to answer, with and without the working, and stops while the model is still often wrong. Which of the
two pays off, and how to work without mistakes, is left to reinforcement learning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import rlgym
from rlgym.core.errors import RlgymError
from rlgym.train.config.schema import Config
from rlgym.train.config.tasks import TaskConfig
from rlgym.train.evaluate import Table
from rlgym.train.logging.progress import ProgressCallback
from rlgym.train.logging.report import write_report
from rlgym.train.loop import train
from rlgym.train.sft.data import explanation, sft_levels

MINUTES = 10.0
"""Approximate duration of the steps below on two idle cores."""
SFT_STEPS = 800
RL_STEPS = 240
MIXTURE: tuple[dict[str, Any], ...] = (
    {"names": ["chain_sum"], "levels": [0.03]},
    {"names": ["chain_sum"], "levels": [0.0], "knobs": {"terms": 4}},
    {"names": ["random_calculation"], "levels": [0.01]},
    {"names": ["random_calculation"], "levels": [0.0], "knobs": {"steps": 3}},
    {"names": ["dyck_completion"], "levels": [0.06]},
)
NUM_LAYERS, HIDDEN_SIZE, MAX_SEQ_LEN = 3, 128, 256
VOCAB_SIZE = 640
TOKENIZER_TASKS = 400


def quickstart(
    out: str | Path, *, seed: int = 0, minutes: float = MINUTES, control: bool = False, callback: ProgressCallback | None = None
) -> dict[str, Table]:
    """Run the quickstart in the folder `out`, or resume it; held-out accuracies by label.

    minutes  scales the number of steps; the result depends on it and the seed alone, never on the clock
    control  shuffles the rewards, so that nothing can be learned from them
    """
    if not minutes > 0:
        raise RlgymError(f"minutes must be above 0, got {minutes!r}")
    folder = Path(out)
    config = quickstart_config(folder, seed, minutes, control)
    make_initial_model(folder, seed)
    tables = train(config, callback)
    write_report(folder / "run", title(seed, control), notes(config))
    return tables


def quickstart_config(folder: Path, seed: int, minutes: float, control: bool) -> Config:
    """The configuration of the quickstart."""
    scale = minutes / MINUTES
    return Config.from_dict(
        {
            "model": str(folder / "start"),
            "output_dir": str(folder / "run"),
            "seed": seed,
            "tasks": [dict(part) for part in MIXTURE],
            "steps": max(1, round(RL_STEPS * scale)),
            "sft": {
                "steps": max(1, round(SFT_STEPS * scale)),
                "batch_size": 48,
                "lr": 3e-3,
                "warmup_steps": 30,
                "explanation_fraction": 0.5,
            },
            "rollout": {
                "groups_per_step": 24,
                "group_size": 12,
                "max_new_tokens": 64,
                "max_seq_len": MAX_SEQ_LEN,
                "engine_options": {"max_num_seqs": 288},
            },
            "algorithm": {"advantage": "grpo", "loss": "pg_clip", "shuffle_rewards": control},
            "update": {"lr": 2e-4, "warmup_steps": 20, "lr_schedule": "linear", "tokens_per_micro_batch": 4096, "old_logprobs": "rollout"},
            "scoring": {"num_workers": 1},
            "evaluation": {"tasks_per_level": 60, "samples_per_task": 2, "every_steps": max(1, -(-round(RL_STEPS * scale) // 3))},
            "checkpoints": {"every_steps": 50},
            "compute": {"device": "cpu"},
        }
    )


def make_initial_model(
    folder: Path,
    seed: int,
    mixture: Sequence[Mapping[str, Any]] = MIXTURE,
    *,
    vocab_size: int = VOCAB_SIZE,
    max_seq_len: int = MAX_SEQ_LEN,
    tokenizer_tasks: int = TOKENIZER_TASKS,
) -> None:
    """Create an untrained model for the tasks of a mixture as a Hugging Face folder; an existing one is kept."""
    from rlgym.train.model.pretrained import make_model
    from rlgym.train.model.tokenizer import make_tokenizer

    start = folder / "start"
    if (start / "config.json").is_file():
        return
    make_tokenizer(start, tokenizer_texts(mixture, tokenizer_tasks), vocab_size=vocab_size, multi_word_tokens=True)
    make_model(start, num_layers=NUM_LAYERS, hidden_size=HIDDEN_SIZE, max_seq_len=max_seq_len, seed=seed)


def tokenizer_texts(mixture: Sequence[Mapping[str, Any]] = MIXTURE, tasks: int = TOKENIZER_TASKS) -> list[str]:
    """Prompts and explained answers of about `tasks` tasks of the mixture, on which the tokenizer is trained."""
    out: list[str] = []
    parts = [TaskConfig(**part) for part in mixture]
    for part in parts:
        for name in part.environments():
            for level in sft_levels(part):
                env = rlgym.make(name, level=level, **dict[str, Any](part.knobs))
                for seed in range(max(1, tasks // len(parts))):
                    observation, _ = env.reset(seed=seed)
                    out += [observation, f"{explanation(env)}{env.oracle()}"]
    return out


def title(seed: int, control: bool) -> str:
    """The title of the report."""
    return f"rlgym train quickstart, seed {seed}" + (", control with shuffled rewards" if control else "")


def notes(config: Config) -> list[str]:
    """What a reader of the report needs to know."""
    assert config.sft is not None
    paragraphs = [
        f"A new model with {NUM_LAYERS} layers and hidden size {HIDDEN_SIZE} was trained on reference solutions for {config.sft.steps} "
        f"steps (half of them with the working, half without), and then on rewards for {config.steps} steps of "
        f"{config.rollout.groups_per_step} tasks with {config.rollout.group_size} responses each.",
        "No training task is in the held-out set: a hash of its content decides to which set a task belongs. "
        f"Held-out responses are sampled at temperature {config.evaluation.temperature:g}, "
        f"{config.evaluation.samples_per_task} per task.",
    ]
    if config.algorithm.shuffle_rewards:
        paragraphs.append("This is the control: the rewards of each step were shuffled, so accuracy must not rise.")
    return paragraphs
