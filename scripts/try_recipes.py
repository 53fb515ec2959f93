"""Run every recipe at the toy size and say whether it starts and has a learning signal: try_recipes.py FOLDER [NAME...]

FOLDER/tried.jsonl gets a line for each recipe, with the version of the trainer's source; a recipe that this version has tried already is not run again.
Recipes whose first models are trained alike share one.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import time
from pathlib import Path
from typing import Any

from rlgym.core.errors import RlgymError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.logging.progress import ProgressCallback
from rlgym.train.recipes.recipe import Recipe, recipe, recipe_names
from rlgym.train.recipes.run import run_recipe
from rlgym.train.recipes.toy import has_learning_signal, make_toy_model, start_config
from rlgym.train.study.folder import code_version

MODELS, TRIED = "models", "tried.jsonl"


def first_model(chosen: Recipe, folder: Path) -> Path:
    """The toy model from which a recipe starts, shared by all whose SFT is the same."""
    config = start_config(chosen, Path("model"), Path("run"), 0).model_dump(mode="json")
    key = hashlib.sha256(json.dumps([config, chosen.toy.model_dump(mode="json")], sort_keys=True).encode()).hexdigest()[:12]
    return make_toy_model(chosen, folder / MODELS / key, 0, ProgressCallback())


def tried(name: str, folder: Path) -> dict[str, Any]:
    """What a recipe did at the toy size."""
    chosen, place = recipe(name), folder / name
    shutil.rmtree(place, ignore_errors=True)
    model, start = first_model(chosen, folder), time.monotonic()
    facts: dict[str, Any] = {"recipe": name, "code": code_version(), "stages": len(chosen.stages)}
    try:
        results = run_recipe(chosen, place, model, toy=True)
    except RlgymError as error:
        return facts | {"error": str(error), "learning_signal": False}
    signal = any(has_learning_signal(done.folder) for done in results)
    return facts | {"error": "", "learning_signal": signal, "seconds": round(time.monotonic() - start, 1)}


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    known = {line["recipe"] for line in read_lines(folder / TRIED) if line["code"] == code_version()}
    for name in sys.argv[2:] or recipe_names():
        if name not in known:
            facts = tried(name, folder)
            with open(folder / TRIED, "a", encoding="utf-8") as out:
                out.write(json.dumps(facts) + "\n")
            print(name, "error: " + facts["error"] if facts["error"] else f"learning signal: {facts['learning_signal']}", flush=True)
    lines = [line for line in read_lines(folder / TRIED) if line["code"] == code_version()]
    print(
        f"{len(lines)} recipes, {sum(not line['error'] for line in lines)} ran, {sum(line['learning_signal'] for line in lines)} with a signal"
    )
