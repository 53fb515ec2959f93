"""Outcome rewards against exact step credit, with equal rollouts, on a small model trained from scratch on two CPU cores.

    python benchmarks/step_credit.py --out DIR --seeds 3 --sft-steps 300 --rl-steps 60

For each seed, one model is trained on worked solutions (SFT). Every arm starts from it and gets the same number of rollouts of the same
tasks. The held-out accuracy at the end, and the accuracy with right working, are printed and written to DIR/results.json.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path
from typing import Any

import rlgym
from rlgym.train.config.schema import Config
from rlgym.train.config.tasks import TaskConfig
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.pretrained import make_model
from rlgym.train.model.tokenizer import make_tokenizer
from rlgym.train.sft.data import explanation, sft_levels

TASKS: list[dict[str, Any]] = [
    {"names": ["chain_sum"], "levels": [0.0], "knobs": {"terms": 3}},
    {"names": ["chain_sum"], "levels": [0.0], "knobs": {"terms": 2}},
]
STEPS = {"token_rewards": {"source": "steps"}}
ARMS: dict[str, dict[str, Any]] = {
    "grpo": {"advantage": "grpo", **STEPS},
    "first_error": {"advantage": "first_error", **STEPS},
    "capo": {"advantage": "capo", **STEPS},
}
"""`grpo` reads no token rewards; with them its metrics are those of the others."""


def config(folder: Path, model: Path, seed: int, **more: Any) -> Config:
    """The configuration that all runs share."""
    return Config.from_dict(
        {
            "model": str(model),
            "output_dir": str(folder),
            "seed": seed,
            "tasks": TASKS,
            "rollout": {
                "groups_per_step": 8,
                "group_size": 8,
                "max_new_tokens": 64,
                "max_seq_len": 160,
                "engine_options": {"max_num_seqs": 64},
            },
            "update": {"lr": 3e-4, "warmup_steps": 5, "tokens_per_micro_batch": 4096, "old_logprobs": "rollout"},
            "scoring": {"num_workers": 0},
            "evaluation": {"tasks_per_level": 60, "samples_per_task": 2},
            "compute": {"device": "cpu", "cpu_threads": 1},
            **more,
        }
    )


def texts() -> list[str]:
    """Prompts and worked answers, on which the tokenizer is trained."""
    out: list[str] = []
    for part in map(TaskConfig.model_validate, TASKS):
        for name in part.environments():
            for level in sft_levels(part):
                env = rlgym.make(name, level=level, **dict[str, Any](part.knobs))
                for seed in range(120):
                    observation, _ = env.reset(seed=seed)
                    out += [observation, f"{explanation(env)}{env.oracle()}"]
    return out


def warm_model(folder: Path, seed: int, sft_steps: int) -> Path:
    """A new model after SFT, as a model folder."""
    start = folder / "start"
    if not (start / "config.json").is_file():
        make_tokenizer(start, texts(), vocab_size=640, multi_word_tokens=True)
        make_model(start, num_layers=2, hidden_size=96, max_seq_len=160, seed=seed)
    sft = {"steps": sft_steps, "batch_size": 32, "lr": 4e-3, "warmup_steps": 20}
    train(config(folder / "sft", start, seed, steps=0, sft=sft, evaluation={"tasks_per_level": 1}))
    return sorted((folder / "sft" / "checkpoints").iterdir())[-1] / "model"


def measure(folder: Path, arms: list[str], seed: int, sft_steps: int, rl_steps: int) -> dict[str, dict[str, Any]]:
    """The results of all arms with one seed."""
    model = warm_model(folder, seed, sft_steps)
    results = {}
    for arm in arms:
        started = time.monotonic()
        tables = train(config(folder / arm, model, seed, steps=rl_steps, algorithm=ARMS[arm]))
        first, last = tables["start"]["mean"], tables["end"]["mean"]
        times = read_lines(folder / arm / "times.jsonl")
        results[arm] = {
            "start": first.average,
            "end": last.average,
            "cot_start": first.cot_pass_at[1],
            "cot_end": last.cot_pass_at[1],
            "by_task": {label: table.average for label, table in tables["end"].items()},
            "seconds": time.monotonic() - started,
            "seconds_scoring": sum(line["seconds_scoring"] for line in times),
            "seconds_generation": sum(line["seconds_generation"] for line in times),
        }
        print(seed, arm, json.dumps(results[arm]), flush=True)
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--sft-steps", type=int, default=300)
    parser.add_argument("--rl-steps", type=int, default=60)
    parser.add_argument("--arms", nargs="*", default=list(ARMS), choices=list(ARMS))
    options = parser.parse_args()
    every = []
    for seed in range(options.seeds):
        every.append(measure(options.out / str(seed), options.arms, seed, options.sft_steps, options.rl_steps))
        (options.out / "results.json").write_text(json.dumps(every, indent=1), encoding="utf-8")
    for arm in options.arms:
        ends, cots = [run[arm]["end"] for run in every], [run[arm]["cot_end"] for run in every]
        print(f"{arm}: accuracy {statistics.mean(ends):.3f} {ends}, with right working {statistics.mean(cots):.3f} {cots}")


if __name__ == "__main__":
    main()
