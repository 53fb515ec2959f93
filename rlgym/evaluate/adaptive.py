"""`rlgym eval --adaptive`: measures a model on as few tasks of a suite as its interval needs, from the difficulties that other models showed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import rlgym
from rlgym import RlgymError
from rlgym.dataset.files import write_atomically
from rlgym.dataset.pass_rates import PassRates, TaskKey
from rlgym.evaluate.episodes.results import load
from rlgym.evaluate.metrics.item_response import AdaptiveTest, fit_items
from rlgym.evaluate.models.base import Model
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.report.adaptive_page import adaptive_page
from rlgym.evaluate.run import evaluate_async
from rlgym.evaluate.suites import Suite, digest

SUMMARY, REPORT, BATCH = "adaptive.json", "report.html", 20


class _Shared:
    """A model that stays open between the batches of a run."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    async def close(self) -> None:
        """Left to the end of the run."""


def suite_difficulties(store: str | Path, suite: Suite, without: str) -> dict[str, float]:
    """The difficulty of each task of a suite that models of a pass-rate store were measured on, by id; the model `without` is left out.

    RlgymError with fewer than two other models.
    """
    ids = {TaskKey.of_row("", row): str(row["id"]) for row in suite.rows}
    counts: dict[tuple[str, str], tuple[int, int]] = {}
    with PassRates(store) as rates:
        models = [model for model in rates.models() if model != without]
        for model in models:
            for entry in rates.entries(model):
                if (task := ids.get(replace(entry.key, model=""))) is not None:
                    counts[model, task] = (entry.samples, entry.right)
    known = sorted({model for model, _ in counts})
    if len(known) < 2:
        raise RlgymError(
            f"--adaptive needs two other models that played this suite in {str(store)!r}, got {len(known)} ({', '.join(known) or 'none'})"
        )
    return {task: measure.mean for task, measure in fit_items(counts).difficulties.items()}


def evaluate_adaptively(
    plan: EvaluationPlan, difficulties: Mapping[str, float], out: str | Path, max_tasks: int = 300, equal_to: int = 1000
) -> dict[str, Any]:
    """Play the tasks that tell most about the model until the interval of its accuracy over all tasks of known difficulty is as narrow as that of a
    run of `equal_to` tasks, `max_tasks` at most; returns the summary, which is also written to the folder,
    with a page.

    The batches are runs of their own below the folder; repeat the call to resume. The choice of tasks depends on outcomes alone.
    """
    return asyncio.run(_evaluate(plan, AdaptiveTest(difficulties, max_tasks, equal_to), Path(out)))


async def _evaluate(plan: EvaluationPlan, test: AdaptiveTest, folder: Path) -> dict[str, Any]:
    if not isinstance(plan.suite, Suite) or plan.config.sampling.samples != 1:
        raise RlgymError("an adaptive run takes a suite and one sample of each task")
    rows, number = {str(row["id"]): row for row in plan.suite.rows}, 0
    stopped, masked, batches = "", 0, list[dict[str, Any]]()
    try:
        while (chosen := test.next_tasks(BATCH)) and not stopped:
            part = tuple(rows[task] for task in chosen)
            suite = replace(plan.suite, name=f"{plan.suite.name} (adaptive batch {number})", hash=digest(part), rows=part)
            batch = folder / f"batch-{number:03d}"
            stopped = (await evaluate_async(replace(plan, suite=suite, model=_Shared(plan.model)), batch)).stopped
            for row in load(batch).rows:
                test.record(row["id"], None if row["masked"] else bool(row["right"]))
                masked += row["masked"]
            batches.append({"played": test.played, "accuracy": asdict(test.accuracy()), "aimed_half_width": test.aimed})
            number += 1
    finally:
        await plan.model.close()
    ability, error = test.ability()
    summary = {
        "suite": plan.suite.name, "tasks_of_known_difficulty": len(test.difficulties), "played": test.played, "reached": test.reached,
        "stopped": stopped, "accuracy": asdict(test.accuracy()), "ability": ability, "standard_error": error, "aimed_half_width": test.aimed,
        "equal_to": test.equal_to, "masked": masked, "batches": batches, "model": plan.model.name, "rlgym": rlgym.__version__,
        "versions": {str(row["env"]): int(row["version"]) for row in plan.suite.rows}, "suite_hash": plan.suite.hash,
    }  # fmt: skip
    write_atomically(folder / SUMMARY, (json.dumps(summary, indent=1) + "\n").encode())
    write_atomically(folder / REPORT, adaptive_page(summary).encode())
    return summary
