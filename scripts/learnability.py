"""Writes docs/learnability.json from training runs: how a small model's held-out accuracy rose on each environment that they trained on.

    python scripts/learnability.py "quickstart, seed 0" quickstart/run

A run replaces what an earlier one of the same title measured. The catalogue's pages show the records.
"""

from __future__ import annotations

import json
import math
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import safetensors

import rlgym

FILE = Path(__file__).parents[1] / "docs" / "learnability.json"


def records(title: str, run: Path) -> list[dict[str, Any]]:
    """A record for each environment and level that the finished run evaluated before, between and after its phases."""
    config = json.loads((run / "config.json").read_text(encoding="utf-8"))
    log = run / "evaluations.jsonl"
    by_label = {line["label"]: line["accuracy"] for line in map(json.loads, log.read_text(encoding="utf-8").splitlines())}
    if "end" not in by_label:
        sys.exit(f"{run} is not finished: its evaluations are {', '.join(by_label)}")
    rollout = config["rollout"]
    facts = {
        "run": title,
        "date": datetime.fromtimestamp(log.stat().st_mtime, UTC).date().isoformat(),
        "parameters": parameters(Path(config["model"]["path"])),
        "sft_steps": (config.get("sft") or {}).get("steps", 0),
        "steps": config["steps"],
        "rollouts": config["steps"] * rollout["groups_per_step"] * rollout["group_size"],
    }
    found = []
    for label, after in by_label["end"].items():
        if label == "mean":
            continue
        name, _, where = label.partition("@")
        level, _, knobs = where.partition(",")
        before = {phase: round(by_label[phase][label]["avg"], 3) for phase in ("start", "middle") if phase in by_label}
        measured = {key: round(after[key], 3) for key in ("avg", "low", "high")} | {"tasks": after["tasks"]}
        found.append(
            facts | {"env": name, "version": rlgym.environment(name).version, "level": float(level), "knobs": knobs} | before | measured
        )
    return found


def parameters(model: Path) -> int:
    """The number of weights in a model folder."""
    total = 0
    for file in model.glob("*.safetensors"):
        with safetensors.safe_open(file, "np") as weights:
            total += sum(math.prod(weights.get_slice(name).get_shape()) for name in weights.keys())  # noqa: SIM118 (not a dict)
    return total


def main() -> None:
    """Add the records of a run to the file."""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    title, run = sys.argv[1], Path(sys.argv[2])
    kept = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else []
    rows = [row for row in kept if row["run"] != title] + records(title, run)
    FILE.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    print(f"{len(rows)} records of {len({row['env'] for row in rows})} environments in {FILE.name}")


if __name__ == "__main__":
    main()
