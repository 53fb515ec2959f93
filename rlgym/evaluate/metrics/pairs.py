"""Forecasts of pairs: what a model does not know of a chance process, from how much the first outcome moves its forecast of the second.

From the parts of scores of paired_forecast. "Experts Don't Cheat: Learning What You Don't Know By Predicting Pairs": two outcomes of one process
are independent, so whoever knows the process learns nothing from the first about the second. A forecast that moves toward the first outcome
"cheats", and how much it does measures what is not known.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

PARTS = (
    *("first_likelihood", "second_likelihood", "unshown_likelihood", "came_again", "process_first", "process_second"),
    *("stated_pairs", "stated_squares", "process_error", "drawn_afresh"),
)
LEAST = 1e-4
"""The likelihood that is taken where an answer has ruled out what came, so that its logarithm stays finite."""

Row = Mapping[str, Any]
Parts = dict[str, float]


def pairs(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """The metrics of each environment whose scores forecast pairs, sorted by name; masked samples do not count.

    For the result y that the first run had, q is its stated probability, s the stated probability that the second run has it again once the
    first has shown it, and p is the true probability of y.

    samples       unmasked samples; `unreadable` is the share of them without a forecast, which count nowhere below
    likelihood    the mean log-likelihood of the first result, of the second once the first is shown, and their sum, in nats: what is trained
    gain          log-likelihood of the second result with the first shown, minus without
    process_gain  the gain of a forecaster who knows the process
    known         over the processes whose runs are independent, None without such samples:
      samples             how many
      confidence          cheat-corrected epistemic confidence, the mean of min(1, q / s): 1 where the first result moved nothing
      variance            the mean of q (s - q) over all results, the variance of p that such a pair of forecasts states
      squared_error       the mean of (q - p)^2 over all results, which equals the variance if the pairs are calibrated of second order
      confident_error     the mean |q - p| of the samples with a confidence of at least 0.95; None without any
      unconfident_error   that of all others
    """
    by_env: dict[str, list[Row]] = {}
    for row in rows:
        if not row["masked"]:
            by_env.setdefault(str(row["env"]), []).append(row)
    found = []
    for env, samples in sorted(by_env.items()):
        stated = [parts for row in samples if (parts := _parts(row))]
        if stated:
            found.append({"environment": env, "samples": len(samples), "unreadable": 1 - len(stated) / len(samples), **_metrics(stated)})
    return found


def epistemic_confidence(first: float, again: float) -> float:
    """q / s, at most 1; a result that was thought impossible and then certain to repeat has the confidence 0."""
    return min(1.0, first / again) if again > 0 else 1.0


def _parts(row: Row) -> Parts:
    parts: Parts = json.loads(row["parts"] or "{}")
    return parts if all(name in parts for name in PARTS) else {}


def _metrics(samples: Sequence[Parts]) -> dict[str, Any]:
    likelihoods = {
        name: float(np.mean([_log(parts[f"{name}_likelihood"]) for parts in samples])) for name in ("first", "second", "unshown")
    }
    known = [parts for parts in samples if parts["drawn_afresh"]]
    return {
        "likelihood": {
            "first": likelihoods["first"],
            "second": likelihoods["second"],
            "pair": likelihoods["first"] + likelihoods["second"],
        },
        "gain": likelihoods["second"] - likelihoods["unshown"],
        "process_gain": float(np.mean([_process_gain(parts) for parts in samples])),
        "known": _known(known) if known else None,
    }


def _known(samples: Sequence[Parts]) -> dict[str, Any]:
    error = np.array([parts["first_likelihood"] - parts["process_first"] for parts in samples])
    confidence = np.array([epistemic_confidence(parts["first_likelihood"], _again(parts)) for parts in samples])
    sure = confidence >= 0.95
    return {
        "samples": len(samples),
        "confidence": float(confidence.mean()),
        "variance": float(np.mean([parts["stated_pairs"] - parts["stated_squares"] for parts in samples])),
        "squared_error": float(np.mean([parts["process_error"] for parts in samples])),
        "confident_error": float(np.abs(error[sure]).mean()) if sure.any() else None,
        "unconfident_error": float(np.abs(error[~sure]).mean()) if not sure.all() else None,
    }


def _again(parts: Parts) -> float:
    """The stated probability that the second run has the first result again."""
    return parts["second_likelihood"] if parts["came_again"] else 1 - parts["second_likelihood"]


def _process_gain(parts: Parts) -> float:
    first, second = parts["process_first"], parts["process_second"]
    return _log(second) - _log(first) if parts["came_again"] else _log(1 - second) - _log(1 - first)


def _log(likelihood: float) -> float:
    return math.log(max(likelihood, LEAST))
