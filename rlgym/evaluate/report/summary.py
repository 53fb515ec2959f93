"""All metrics of a run as one JSON-able value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from rlgym.evaluate.metrics.abstention import abstention, cover_at_tau
from rlgym.evaluate.metrics.answerability import answerability
from rlgym.evaluate.metrics.bootstrap import DRAWS, SEED, Estimate, Resampling, columns, describe_intervals, estimates
from rlgym.evaluate.metrics.calibration import calibration
from rlgym.evaluate.metrics.entropy import entropy
from rlgym.evaluate.metrics.failures import failures, masked
from rlgym.evaluate.metrics.judging import judging
from rlgym.evaluate.metrics.majority import majority_at_k
from rlgym.evaluate.metrics.pairs import pairs
from rlgym.evaluate.metrics.pass_at_k import best_of, common_samples, cot_tasks, pass_at_k_matrix, powers_of_two, sample_scores
from rlgym.evaluate.metrics.profile import profile
from rlgym.evaluate.metrics.shift import shift_gap
from rlgym.evaluate.metrics.statement_variants import statement_variants
from rlgym.evaluate.metrics.task_table import Array, Tasks, environment_of, group_codes, rows_as_dicts, task_table
from rlgym.evaluate.metrics.thinking import thinking
from rlgym.evaluate.metrics.usage import MEASURES, histogram, lengths, usage

FORMAT = 1


def summary(rows: Any, run: Mapping[str, Any], draws: int = DRAWS, seed: int = SEED) -> dict[str, Any]:
    """Every number of the report, from the rows of a run and its `run.json`.

    The headline numbers cover the main split; the shift split has its own. Masked samples are excluded and counted separately.
    """
    listed = rows_as_dicts(rows)
    tasks = task_table(listed)
    main = tasks.subset(tasks.split != "shift") if len(tasks) else tasks
    shift = tasks.subset(tasks.split == "shift") if len(tasks) else tasks
    headline, other = (main, "main") if len(main) else (shift, "shift")
    resampling = Resampling.of(headline, draws, seed)
    return {
        "format": FORMAT,
        "run": dict(run),
        "progress": progress(listed, run),
        "split": other,
        "intervals": describe_intervals(headline, resampling),
        "overall": _overall(headline, resampling),
        "samples": {"cot": _cot_pass(cot_tasks(headline), draws, seed), **_sample_metrics(headline, resampling)},
        "profile": profile(headline, resampling),
        "by": {name: _group_rows(headline, resampling, name) for name in ("environment", "domain", "level", "kind")},
        "domain_level": _level_rows(headline, resampling, "domain"),
        "environment_level": _level_rows(headline, resampling, "environment"),
        "shift": shift_gap(tasks, draws, seed),
        "shift_by_domain": _group_rows(shift, Resampling.of(shift, draws, seed), "domain") if len(shift) else [],
        "calibration": calibration(headline, draws, seed),
        "cover": cover_at_tau(headline, resampling),
        "abstention": abstention(headline),
        "answerability": answerability(listed),
        "statement_variants": statement_variants(listed),
        "pairs": pairs(listed),
        "entropy": entropy(headline, resampling),
        "thinking": thinking(headline, resampling),
        "judging": judging(listed),
        "lengths": lengths(headline, resampling),
        "histograms": {name: histogram(headline, name) for name in ("completion_tokens", "cost")},
        "failures": failures(headline),
        "masked": masked(listed),
        "empty_cells": empty_cells(listed),
        "usage": usage(listed, (run.get("model") or {}).get("parameters")),
    }


def empty_cells(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The cells (environment, split and level) that were played and of which every sample is masked, so that no number covers them."""
    played, counted = Counter[tuple[str, str, float]](), set[tuple[str, str, float]]()
    for row in rows:
        cell = (environment_of(row), str(row["split"]), float(row["level"]))
        played[cell] += 1
        if not row["masked"]:
            counted.add(cell)
    empty = sorted(played.keys() - counted)
    return [{"environment": cell[0], "split": cell[1], "level": cell[2], "samples": played[cell]} for cell in empty]


def progress(rows: list[dict[str, Any]], run: Mapping[str, Any]) -> dict[str, Any]:
    """The progress of the run: episodes requested and done. It is finished if run.json says so and no episode is missing."""
    suite, sampling = run.get("suite") or {}, run.get("sampling") or {}
    done = len({(row["id"], row["sample"]) for row in rows})
    samples = int(sampling.get("samples") or 1)
    requested = max(done, int(suite.get("tasks") or 0) * samples)
    return {
        "requested": requested,
        "done": done,
        "tasks_requested": int(suite.get("tasks") or 0),
        "tasks_done": len({row["id"] for row in rows}),
        "samples": samples,
        "finished": done == requested and bool(run.get("finished")),
    }


def _overall(tasks: Tasks, resampling: Resampling) -> dict[str, Any]:
    estimated = columns(tasks, {"accuracy": tasks.accuracy, "score": tasks.means(lambda row: float(row["value"]))}, resampling)
    return {
        **{name: estimate.to_dict() for name, estimate in estimated.items()},
        "tasks": len(tasks),
        "samples": int(tasks.n.sum()),
        "right": int(tasks.right.sum()),
        "never_right": int((tasks.right == 0).sum()),
        "always_right": int((tasks.right == tasks.n).sum()),
    }


def _sample_metrics(tasks: Tasks, resampling: Resampling) -> dict[str, Any]:
    """pass@k, maj@k and best-of-k at the powers of two, up to the number of samples that nearly every task has."""
    most = common_samples(tasks)
    ks = powers_of_two(most)
    passing, voting = pass_at_k_matrix(tasks, most), majority_at_k(tasks, ks)
    best = {k: np.array([best_of(k, sample_scores(rows)) if len(rows) >= k else np.nan for rows in tasks.samples]) for k in ks}
    named: dict[str, Array] = {}
    for k in ks:
        named |= {f"pass {k}": passing[:, k - 1], f"maj {k}": voting[k], f"best {k}": best[k]}
    estimated = columns(tasks, named, resampling)
    return {
        "most": most,
        "k": ks,
        "avg": {"k": most, **columns(tasks, {"": tasks.accuracy}, resampling)[""].to_dict()},
        **{name: [{"k": k, **estimated[f"{name} {k}"].to_dict()} for k in ks] for name in ("pass", "maj", "best")},
    }


def _cot_pass(checked: Tasks, draws: int, seed: int) -> list[dict[str, Any]]:
    """CoT-pass@k at the powers of two over the tasks whose working was checked, with its interval, and pass@k of the same tasks."""
    if not len(checked):
        return []
    ks = powers_of_two(common_samples(checked))
    answers = pass_at_k_matrix(replace(checked, right=_right_answers(checked)), ks[-1])
    both = pass_at_k_matrix(checked, ks[-1])
    found = columns(checked, {str(k): both[:, k - 1] for k in ks}, Resampling.of(checked, draws, seed))
    return [
        {
            "k": k,
            "cot_pass": float(np.nanmean(both[:, k - 1])),
            "low": found[str(k)].low,
            "high": found[str(k)].high,
            "pass": float(np.nanmean(answers[:, k - 1])),
            "tasks": len(checked),
        }
        for k in ks
    ]


def _right_answers(tasks: Tasks) -> Array:
    return np.array([sum(bool(row["right"]) for row in rows) for rows in tasks.samples], dtype=int)


COLUMN = {"environment": "env", "domain": "domain", "level": "level", "kind": "kind"}


def _group_rows(tasks: Tasks, resampling: Resampling, by: str) -> list[dict[str, Any]]:
    if not len(tasks):
        return []
    groups, names = group_codes(getattr(tasks, COLUMN[by]))
    accuracy = estimates(tasks.accuracy, groups, len(names), resampling)
    score = _plain_means(tasks.means(lambda row: float(row["value"])), groups, len(names))
    means = {name: _group_ratio(tasks, groups, len(names), name) for name in ("completion_tokens", "turns", "cost")}
    most = common_samples(tasks)
    last = _plain_means(pass_at_k_matrix(tasks, most)[:, -1], groups, len(names)) if most > 1 else [None] * len(names)
    domain = {} if by != "environment" else dict(zip(tasks.env.tolist(), tasks.domain.tolist()))
    kinds = {} if by != "environment" else dict(zip(tasks.env.tolist(), tasks.kind.tolist()))
    return [
        {
            by: name,
            **({"domain": domain[name], "kind": kinds[name]} if by == "environment" else {}),
            "accuracy": accuracy[place].to_dict(),
            "score": score[place],
            "pass_most": last[place],
            "tasks": accuracy[place].tasks,
            "samples": int(tasks.n[groups == place].sum()),
            **{measure: mean[place] for measure, mean in means.items()},
        }
        for place, name in enumerate(names)
    ]


def _group_ratio(tasks: Tasks, groups: Array, count: int, column: str) -> list[float | None]:
    totals, counts = tasks.sums(MEASURES[column])
    above, below = (np.bincount(groups, weights=values, minlength=count) for values in (totals, counts))
    return [float(above[place] / below[place]) if below[place] else None for place in range(count)]


def _plain_means(values: Array, groups: Array, count: int) -> list[float | None]:
    known = np.isfinite(values)
    above = np.bincount(groups[known], weights=values[known], minlength=count)
    below = np.bincount(groups[known], minlength=count)
    return [float(above[place] / below[place]) if below[place] else None for place in range(count)]


def _level_rows(tasks: Tasks, resampling: Resampling, by: str) -> list[dict[str, Any]]:
    if not len(tasks):
        return []
    groups, names = group_codes(getattr(tasks, COLUMN[by]), tasks.level)
    crossed_estimates: list[Estimate] = estimates(tasks.accuracy, groups, len(names), resampling)
    return [{by: name, "level": level, **estimate.to_dict()} for (name, level), estimate in zip(names, crossed_estimates)]
