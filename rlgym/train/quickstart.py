"""A whole run in minutes on two CPU cores: a new small model, a warm-up on the oracle's explanations, then reinforcement learning.

The warm-up shows the model two ways to answer, with the working and without, and stops while it is still often wrong. Which of
the two pays, and how to work without slips, is left to reinforcement learning.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rlgym
from rlgym.core.errors import RlgymError
from rlgym.train.config import Config, Tasks
from rlgym.train.evaluate import Table
from rlgym.train.loop import train
from rlgym.train.report import write_report
from rlgym.train.sft import explanation, levels
from rlgym.train.watch import Watch

MINUTES = 10.0
"""What the numbers of steps below take on two cores that have nothing else to do, about."""
SFT_STEPS = 800
RL_STEPS = 240
MIXTURE: tuple[dict[str, Any], ...] = (
    {"names": ["chain_sum"], "levels": [0.03]},
    {"names": ["chain_sum"], "levels": [0.0], "knobs": {"terms": 4}},
    {"names": ["random_calculation"], "levels": [0.01]},
    {"names": ["random_calculation"], "levels": [0.0], "knobs": {"steps": 3}},
    {"names": ["dyck_completion"], "levels": [0.06]},
)
LAYERS, WIDTH, CONTEXT = 3, 128, 256
VOCABULARY = 640
TEXTS = 400


def quickstart(
    out: str | Path, *, seed: int = 0, minutes: float = MINUTES, control: bool = False, watch: Watch | None = None
) -> dict[str, Table]:
    """Run the quickstart in the folder `out`, or go on with it where it stopped; held-out accuracies by label.

    minutes  scales the numbers of steps; the result depends on them and the seed alone, never on the clock
    control  deals the rewards out at random, so that nothing can be learned from them
    """
    if not minutes > 0:
        raise RlgymError(f"minutes must be above 0, got {minutes!r}")
    folder = Path(out)
    config = settings(folder, seed, minutes, control)
    make_start(folder, seed)
    tables = train(config, watch)
    write_report(folder / "run", title(seed, control), notes(config))
    return tables


def settings(folder: Path, seed: int, minutes: float, control: bool) -> Config:
    """The quickstart as a configuration, which may be written down and changed."""
    scale = minutes / MINUTES
    return Config.of(
        {
            "model": str(folder / "start"),
            "out": str(folder / "run"),
            "seed": seed,
            "tasks": [dict(part) for part in MIXTURE],
            "steps": max(1, round(RL_STEPS * scale)),
            "sft": {"steps": max(1, round(SFT_STEPS * scale)), "batch": 48, "lr": 3e-3, "warmup": 30, "explain": 0.5},
            "rollout": {"groups": 24, "group": 12, "tokens": 64, "context": CONTEXT, "options": {"rows": 288}},
            "algorithm": {"advantage": "grpo", "loss": "pg_clip", "shuffled": control},
            "update": {"lr": 2e-4, "warmup": 20, "schedule": "linear", "tokens": 4096, "old": "sampler"},
            "scoring": {"workers": 1},
            "evaluation": {"tasks": 60, "samples": 2, "every": max(1, -(-round(RL_STEPS * scale) // 3))},
            "checkpoints": {"every": 50},
            "compute": {"device": "cpu"},
        }
    )


def make_start(folder: Path, seed: int) -> None:
    """Make the model that the run starts from, untrained, as a Hugging Face folder; one that is there is left as it is."""
    from rlgym.train.model import make_model, make_tokenizer

    start = folder / "start"
    if (start / "config.json").is_file():
        return
    make_tokenizer(start, texts(), vocabulary=VOCABULARY, phrases=True)
    make_model(start, layers=LAYERS, width=WIDTH, context=CONTEXT, seed=seed)


def texts() -> list[str]:
    """Prompts and explained answers of the mixture, from which the tokenizer learns its tokens."""
    out: list[str] = []
    parts = [Tasks(**part) for part in MIXTURE]
    for part in parts:
        for name in part.environments():
            for level in levels(part):
                env = rlgym.make(name, level=level, **dict[str, Any](part.knobs))
                for seed in range(TEXTS // len(parts)):
                    observation, _ = env.reset(seed=seed)
                    out += [observation, f"{explanation(env)}{env.oracle()}"]
    return out


def title(seed: int, control: bool) -> str:
    """What the report is called."""
    return f"rlgym train quickstart, seed {seed}" + (", control with shuffled rewards" if control else "")


def notes(config: Config) -> list[str]:
    """What a reader of the report needs to know."""
    assert config.sft is not None
    said = [
        f"A model of {LAYERS} layers and width {WIDTH}, made for this run, imitated the oracle for {config.sft.steps} steps "
        f"(half of its answers with the working, half without) and then learned from rewards for {config.steps} steps of "
        f"{config.rollout.groups} tasks with {config.rollout.group} answers each.",
        "No task of the training is among the held-out ones: which side a task is on is decided by a hash of its content. "
        f"Held-out answers are sampled at temperature {config.evaluation.temperature:g}, {config.evaluation.samples} for each task.",
    ]
    if config.algorithm.shuffled:
        said.append("This is the control: the rewards of each step were dealt out at random, so that accuracy must not rise.")
    return said
