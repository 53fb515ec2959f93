"""Measured curves of the algorithm families: the same model after SFT, tasks and number of steps, one algorithm after the other.

    rlgym train quickstart --out quickstart        # its SFT phase is the start of every curve
    python benchmarks/curves.py quickstart --out curves

writes curves/<family>.png and curves/curves.json (held-out accuracy before and after with intervals, the solve rate of every step).
Finished runs are not repeated, so repeat the command to resume the script.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

from rlgym.train.config.schema import Config
from rlgym.train.logging.metrics import read_lines
from rlgym.train.logging.plots import moving_average
from rlgym.train.logging.progress import ProgressCallback
from rlgym.train.loop import train
from rlgym.train.quickstart import make_initial_model, quickstart_config
from rlgym.train.run import Run
from rlgym.train.sft.train import run_sft

Change = dict[str, Any]
STALE = {"update.num_minibatches": 2, "update.lr": 1e-4}
WHOLE = {"algorithm.filter_zero_std": False}
NOISY = {"reward_noise": {"false_positive": 0.1, "false_negative": 0.2}}
FAMILIES: dict[str, dict[str, Change]] = {
    "advantages": {
        "grpo": {},
        **{name: {"algorithm.advantage": name} for name in ("dr_grpo", "rloo", "rank_penalty", "pass_at_k", "tempo")},
        **{name: WHOLE | {"algorithm.advantage": name} for name in ("reinforce_pp", "psr", "nsr", "w_reinforce", "mvar")},
        "ppo": WHOLE | {"algorithm.advantage": "ppo", "update.old_logprobs": "trainer"},
    },
    "losses": {
        **{name: STALE | {"algorithm.loss": name} for name in ("pg_clip", "gspo", "cispo", "dispo", "real", "pacs")},
        "topr": STALE | {"algorithm.loss": "topr", "algorithm.advantage": "signed"},
    },
    "kl-and-entropy": {
        "baseline": {},
        "kl 0.01": {"algorithm.kl_coef": 0.01},
        "kl 0.1": {"algorithm.kl_coef": 0.1},
        "entropy 0.01": {"algorithm.entropy_coef": 0.01},
        "high-entropy tokens 0.2": {"algorithm.entropy_top_fraction": 0.2, "update.old_logprobs": "trainer"},
    },
    "sampling-and-filters": {
        "zero-std groups filtered": {},
        "zero-std groups kept": WHOLE,
        "dynamic sampling": {"algorithm.dynamic_sampling_rounds": 2},
        "extra rollouts for hard tasks": {"algorithm.max_group_size": 16},
        "learnability sampling": {"task_sampling": "learnability"},
        "shuffled rewards": {"algorithm.shuffle_rewards": True},
    },
    "off-policy": {
        "baseline": {},
        "hints": {"algorithm.hint_fraction": 0.5, "update.old_logprobs": "trainer"},
        "oracle": {"algorithm.oracle_fraction": 0.1, "update.old_logprobs": "trainer"},
        "noisy verifier": {"algorithm.advantage": "dr_grpo", "algorithm.reward_shaping": NOISY},
        "noisy, corrected": {
            "algorithm.advantage": "dr_grpo",
            "algorithm.reward_shaping": NOISY,
            "algorithm.noise_correction": {"kind": "backward"},
        },
        "asynchronous rollouts": {"rollout.async_steps": 1},
    },
}


def main() -> None:
    """Run what is missing, and plot it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("quickstart", type=Path, help="folder for the model after SFT; may be that of `rlgym train quickstart`")
    parser.add_argument("--out", type=Path, default=Path("curves"))
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--family", choices=sorted(FAMILIES), action="append", help="only these families")
    given = parser.parse_args()
    start = model_after_sft(given.quickstart)
    for family in given.family or FAMILIES:
        for label, change in FAMILIES[family].items():
            measure(place(given.out, family, label), start, change, given.steps)
        draw(given.out, family)


def model_after_sft(folder: Path) -> Path:
    """The model after the quickstart's SFT phase, trained if it does not exist yet."""
    model = folder / "warm"
    if not model.exists():
        make_initial_model(folder, 0)
        shutil.rmtree(folder / "warming", ignore_errors=True)
        run = Run.open(changed(quickstart_config(folder, 0, 10.0, False), {"out": str(folder / "warming")}))
        try:
            run_sft(run, ProgressCallback())
            run.save_model(model)
        finally:
            run.close()
    return model


def changed(config: Config, change: Change) -> Config:
    """The configuration with some fields changed, by dotted names."""
    data = config.model_dump(mode="json")
    for name, value in change.items():
        *sections, last = name.split(".")
        part = data
        for section in sections:
            part = part[section]
        part[last] = value
    return Config.from_dict(data)


def place(out: Path, family: str, label: str) -> Path:
    """The folder of a run; the unchanged configuration is one run for all families."""
    return out / family / label.replace(" ", "-").replace(",", "") if FAMILIES[family][label] else out / "plain"


def measure(folder: Path, start: Path, change: Change, steps: int) -> None:
    """One run from the model after SFT; a finished run is not repeated."""
    if any(line["label"] == "end" for line in read_lines(folder / "evaluations.jsonl")):
        return
    small = {
        "rollout.groups_per_step": 12,
        "rollout.group_size": 8,
        "rollout.engine_options": {"max_num_seqs": 96},
        "evaluation.every_steps": 0,
        "log.transcripts_per_step": 0,
    }
    common = {"model": str(start), "output_dir": str(folder), "sft": None, "steps": steps, **small}
    train(changed(quickstart_config(folder.parent, 0, 10.0, False), {"update.lr_schedule": "constant"} | common | change))


def draw(out: Path, family: str) -> None:
    """Write the numbers of a family into curves.json, and plot them."""
    file = out / "curves.json"
    numbers = json.loads(file.read_text()) if file.exists() else {}
    numbers[family] = {}
    for label, change in FAMILIES[family].items():
        folder = place(out, family, label)
        rates = [round(line["solve_rate"], 4) for line in read_lines(folder / "metrics.jsonl")]
        before, *_, after = (line["accuracy"]["mean"] for line in read_lines(folder / "evaluations.jsonl"))
        numbers[family][label] = {"change": change, "before": before, "after": after, "solve_rate": rates}
    file.write_text(json.dumps(numbers, indent=1, sort_keys=True) + "\n")
    plot(numbers[family], list(FAMILIES[family]), out / f"{family}.png")


def plot(numbers: dict[str, Any], labels: list[str], file: Path) -> None:
    """The solve rates of a family, smoothed."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    colours = pyplot.get_cmap("tab20").colors
    figure, axes = pyplot.subplots(figsize=(9, 4.5), layout="constrained")
    for number, label in enumerate(labels):
        rates = numbers[label]["solve_rate"]
        change = f"{numbers[label]['before']['avg']:.2f} to {numbers[label]['after']['avg']:.2f}"
        axes.plot(range(1, len(rates) + 1), moving_average(rates), color=colours[number % len(colours)], label=f"{label}: {change}")
    axes.set(xlabel="step of reinforcement learning", ylabel="solve rate in training")
    axes.legend(title="held-out accuracy", fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(file, dpi=100)
    pyplot.close(figure)


if __name__ == "__main__":
    main()
