"""The usage of a run: tokens, turns, requests, time and cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from rlgym.evaluate.metrics.bootstrap import Resampling, ratio
from rlgym.evaluate.metrics.task_table import Row, Tasks

BARS = 30


def operations(parameters: float | None, *tokens: float | None) -> float | None:
    """The operations of a forward pass over the tokens, two for each parameter and token, without attention; None where a number is unknown."""
    known = [count for count in tokens if count is not None]
    return None if parameters is None or len(known) < len(tokens) else 2 * parameters * sum(known)


def usage(rows: Iterable[Row], parameters: float | None = None) -> dict[str, Any]:
    """Totals over all samples, including masked ones, which cost money too; None if nothing was recorded.

    `parameters` are those of the model, from which the operations are estimated.
    """
    rows = list(rows)
    totals = {name: _total(rows, name) for name in ("requests", "prompt_tokens", "completion_tokens", "seconds", "cost")}
    right = sum(bool(row["right"]) for row in rows if not row["masked"])
    cost = totals["cost"]
    return {
        **totals,
        "flops": operations(parameters, totals["prompt_tokens"], totals["completion_tokens"]),
        "samples": len(rows),
        "cost_per_right": cost / right if cost is not None and right else None,
        "tokens_per_right": totals["completion_tokens"] / right if totals["completion_tokens"] is not None and right else None,
        "without_tokens": sum(row["completion_tokens"] is None for row in rows),
        "without_cost": sum(row["cost"] is None for row in rows),
    }


def _total(rows: list[Row], name: str) -> float | None:
    known = [row[name] for row in rows if row[name] is not None]
    return sum(known) if known else None


def lengths(tasks: Tasks, resampling: Resampling) -> dict[str, Any]:
    """Mean tokens, turns, seconds and cost per sample with intervals, for all, right and wrong samples."""
    kinds: dict[str, Callable[[Row], bool] | None] = {
        "all": None,
        "right": lambda row: bool(row["right"]),
        "wrong": lambda row: not row["right"],
    }
    figures: dict[str, Any] = {}
    for name, measure in MEASURES.items():
        figures[name] = {kind: ratio(*tasks.sums(measure, only), resampling).to_dict() for kind, only in kinds.items()}
    return figures


def _column_reader(column: str) -> Callable[[Row], float | None]:
    return lambda row: None if row[column] is None else float(row[column])


MEASURES = {column: _column_reader(column) for column in ("completion_tokens", "prompt_tokens", "turns", "seconds", "cost")}


def histogram(tasks: Tasks, column: str) -> dict[str, Any] | None:
    """Counts of right and wrong samples in equal-width bins of a measure; the last bin includes the top 1 %."""
    known = [(float(row[column]), bool(row["right"])) for samples in tasks.samples for row in samples if row[column] is not None]
    if not known:
        return None
    values, right = np.array([value for value, _ in known]), np.array([good for _, good in known])
    top = float(np.quantile(values, 0.99))
    if top <= 0:
        return None
    ends = np.linspace(0, top, BARS + 1)
    places = np.clip(np.searchsorted(ends, values, side="right") - 1, 0, BARS - 1)
    bars = {name: np.bincount(places[mask], minlength=BARS).tolist() for name, mask in (("right", right), ("wrong", ~right))}
    return {"ends": [round(float(end), 6) for end in ends], "most": float(values.max()), **bars}
