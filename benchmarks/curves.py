"""Measured curves of the algorithm families: the same warmed-up model, tasks and number of steps, one algorithm after the other.

    rlgym train quickstart --out quickstart        # its warm-up is what every curve begins with
    python benchmarks/curves.py quickstart --out curves

writes curves/<family>.png and curves/curves.json (held-out accuracy before and after with intervals, the solve rate of every step). A
run that is there already is not made again, so that the script goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

from rlgym.train.config import Config
from rlgym.train.loop import train, warm_up
from rlgym.train.metrics import read_lines
from rlgym.train.quickstart import make_start, settings
from rlgym.train.report import smoothed
from rlgym.train.run import Run
from rlgym.train.watch import Watch

Change = dict[str, Any]
STALE = {"update.minibatches": 2, "update.lr": 1e-4}
WHOLE = {"algorithm.skip_dead": False}
NOISY = {"noisy": {"false_positive": 0.1, "false_negative": 0.2}}
FAMILIES: dict[str, dict[str, Change]] = {
    "advantages": {
        "grpo": {},
        **{name: {"algorithm.advantage": name} for name in ("dr_grpo", "rloo", "rank_penalty", "pass_at_k", "tempo")},
        **{name: WHOLE | {"algorithm.advantage": name} for name in ("reinforce_pp", "psr", "nsr", "w_reinforce", "mvar")},
        "ppo": WHOLE | {"algorithm.advantage": "ppo", "update.old": "trainer"},
    },
    "losses": {
        **{name: STALE | {"algorithm.loss": name} for name in ("pg_clip", "gspo", "cispo", "dispo", "real", "pacs")},
        "topr": STALE | {"algorithm.loss": "topr", "algorithm.advantage": "signed"},
    },
    "kl-and-entropy": {
        "neither": {},
        "kl 0.01": {"algorithm.kl": 0.01},
        "kl 0.1": {"algorithm.kl": 0.1},
        "entropy 0.01": {"algorithm.entropy": 0.01},
        "forks 0.2": {"algorithm.forks": 0.2, "update.old": "trainer"},
    },
    "sampling-and-filters": {
        "dead groups left out": {},
        "dead groups kept": WHOLE,
        "refilled": {"algorithm.refill": 2},
        "more for hard tasks": {"algorithm.most_rollouts": 16},
        "weak environments first": {"sampling": "weakness"},
        "shuffled rewards": {"algorithm.shuffled": True},
    },
    "off-policy": {
        "neither": {},
        "hints": {"algorithm.hints": 0.5, "update.old": "trainer"},
        "oracle": {"algorithm.oracle": 0.1, "update.old": "trainer"},
        "noisy verifier": {"algorithm.advantage": "dr_grpo", "algorithm.shaping": NOISY},
        "noisy, corrected": {"algorithm.advantage": "dr_grpo", "algorithm.shaping": NOISY, "algorithm.correction": {"kind": "backward"}},
        "sampled ahead": {"rollout.ahead": 1},
    },
}


def main() -> None:
    """Run what is not there yet, and draw it."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("quickstart", type=Path, help="a folder for the warmed-up model; one of `rlgym train quickstart` may be given")
    asked.add_argument("--out", type=Path, default=Path("curves"))
    asked.add_argument("--steps", type=int, default=40)
    asked.add_argument("--family", choices=sorted(FAMILIES), action="append", help="only these families")
    given = asked.parse_args()
    start = warmed_up(given.quickstart)
    for family in given.family or FAMILIES:
        for label, change in FAMILIES[family].items():
            measure(place(given.out, family, label), start, change, given.steps)
        draw(given.out, family)


def warmed_up(folder: Path) -> Path:
    """The model after the quickstart's warm-up, made where it is not there yet."""
    model = folder / "warm"
    if not model.exists():
        make_start(folder, 0)
        shutil.rmtree(folder / "warming", ignore_errors=True)
        run = Run.open(changed(settings(folder, 0, 10.0, False), {"out": str(folder / "warming")}))
        try:
            warm_up(run, Watch())
            run.save_model(model)
        finally:
            run.close()
    return model


def changed(config: Config, change: Change) -> Config:
    """The configuration with some of its fields, by dotted names, set otherwise."""
    data = config.model_dump(mode="json")
    for name, value in change.items():
        *sections, last = name.split(".")
        part = data
        for section in sections:
            part = part[section]
        part[last] = value
    return Config.of(data)


def place(out: Path, family: str, label: str) -> Path:
    """The folder of a run; what changes nothing is one run for all families."""
    return out / family / label.replace(" ", "-").replace(",", "") if FAMILIES[family][label] else out / "plain"


def measure(folder: Path, start: Path, change: Change, steps: int) -> None:
    """One run from the warmed-up model; one that has come to its end is left as it is."""
    if any(line["label"] == "end" for line in read_lines(folder / "evaluations.jsonl")):
        return
    small = {"rollout.groups": 12, "rollout.group": 8, "rollout.options": {"rows": 96}, "evaluation.every": 0, "log.transcripts": 0}
    common = {"model": str(start), "out": str(folder), "sft": None, "steps": steps, **small}
    train(changed(settings(folder.parent, 0, 10.0, False), {"update.schedule": "constant"} | common | change))


def draw(out: Path, family: str) -> None:
    """The picture of a family, and its numbers in curves.json."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    colours = pyplot.get_cmap("tab20").colors
    figure, axes = pyplot.subplots(figsize=(9, 4.5), layout="constrained")
    file = out / "curves.json"
    numbers = json.loads(file.read_text()) if file.exists() else {}
    numbers[family] = {}
    for number, (label, change) in enumerate(FAMILIES[family].items()):
        folder = place(out, family, label)
        solve = [line["solve"] for line in read_lines(folder / "metrics.jsonl")]
        before, *_, after = (line["accuracy"]["mean"] for line in read_lines(folder / "evaluations.jsonl"))
        numbers[family][label] = {"change": change, "before": before, "after": after, "solve": [round(rate, 4) for rate in solve]}
        axes.plot(
            range(1, len(solve) + 1),
            smoothed(solve),
            color=colours[number % len(colours)],
            label=f"{label}: {before['avg']:.2f} to {after['avg']:.2f}",
        )
    axes.set(xlabel="step of reinforcement learning", ylabel="share of right answers sampled in training")
    axes.legend(title="held-out accuracy", fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(out / f"{family}.png", dpi=100)
    pyplot.close(figure)
    file.write_text(json.dumps(numbers, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
