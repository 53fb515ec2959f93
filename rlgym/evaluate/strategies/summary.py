"""What strategies reach for what they cost: accuracy, the exact ceiling, calls, tokens, and the vote that costs as much."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise, repeat
from typing import Any

from rlgym.core.intervals import wilson
from rlgym.evaluate.metrics.majority import majority
from rlgym.evaluate.metrics.usage import operations

Row = Mapping[str, Any]
QUINTILES = 5


def summarize(rows: Sequence[Row], parameters: float | None = None) -> dict[str, Any]:
    """The summary of result rows. `parameters` are those of the model, from which operations are estimated.

    For each strategy: tasks, masked ones, accuracy with a 95 percent interval (Wilson), the ceiling (the share of tasks in which any attempt was right),
    mean calls, tokens and operations, and the accuracy of a majority vote at equal tokens. Quintiles are of the tasks' mean solve rate over the samples of
    `majority`, or else of the strategy with the most; the best strategy of each is named where no other one ties, and likewise by domain, environment
    and level. `errors` has the most common reason for which tasks of a strategy have no result.
    `seconds` are those of a task's requests one after the other, and differ between runs.
    """
    strategies = list(dict.fromkeys(row["strategy"] for row in rows))
    of = {name: [row for row in rows if row["strategy"] == name] for name in strategies}
    curve = _vote_curve(rows)
    return {
        "strategies": {name: _facts(of[name], curve, parameters) for name in strategies},
        "votes": [{"samples": k, "tokens": tokens, "accuracy": accuracy} for k, tokens, accuracy in curve],
        "quintiles": _quintiles(of),
        "by": {column: _groups(of, column) for column in ("domain", "env", "level")},
        "seconds": {name: _mean([row.get("seconds") for row in of[name] if not row["masked"]]) for name in strategies},
        "settings": {name: found for name in strategies if (found := _settings(of[name]))},
        "errors": {name: error for name in strategies if (error := _most_common_error(of[name]))},
    }


def _mean(values: Sequence[float | None]) -> float | None:
    """The mean; None where there is no value, or one is unknown."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def _most_common_error(rows: Sequence[Row]) -> str:
    """Why most of the tasks without a result have none; empty where none failed with an error."""
    errors = Counter(row["error"] for row in rows if row["masked"] and row.get("error"))
    return str(errors.most_common(1)[0][0]) if errors else ""


def _facts(rows: Sequence[Row], curve: Sequence[tuple[int, float, float]], parameters: float | None = None) -> dict[str, Any]:
    counted = [row for row in rows if not row["masked"]]
    if not counted:
        return {
            "tasks": 0,
            "masked": len(rows),
            "accuracy": None,
            "low": None,
            "high": None,
            "ceiling": None,
            "calls": None,
            "tokens": None,
            "flops": None,
        }
    right = sum(row["right"] for row in counted)
    low, high = wilson(right, len(counted))
    mean = _mean([row["completion_tokens"] for row in counted])
    return {
        "tasks": len(counted),
        "masked": len(rows) - len(counted),
        "accuracy": right / len(counted),
        "low": low,
        "high": high,
        "ceiling": sum(row["ceiling"] for row in counted) / len(counted),
        "calls": sum(row["calls"] for row in counted) / len(counted),
        "tokens": mean,
        "flops": operations(parameters, mean, _mean([row.get("prompt_tokens") for row in counted])),
        "vote_at_equal_tokens": None if mean is None else _accuracy_at(curve, mean),
    }


def _settings(rows: Sequence[Row]) -> dict[str, dict[str, float | None]]:
    """The samples, their accuracy and mean tokens under each setting of a strategy that varies temperatures, instructions or continuations."""
    found: dict[str, list[tuple[bool, float | None]]] = {}
    for row in rows:
        # Rows of earlier versions have settings and no tokens.
        for (_, right), setting, tokens in zip(row["candidates"], row.get("settings", ()), row.get("tokens", repeat(None))):
            if setting:
                found.setdefault(setting, []).append((right, tokens))
    return {
        setting: {
            "samples": len(samples),
            "accuracy": sum(right for right, _ in samples) / len(samples),
            "tokens": _mean([tokens for _, tokens in samples]),
        }
        for setting, samples in found.items()
    }


def _vote_curve(rows: Sequence[Row]) -> list[tuple[int, float, float]]:
    """(samples, mean completion tokens, accuracy) of majority votes, averaged over all subsets of the samples of the strategy `majority`."""
    votes = [row for row in rows if row["strategy"] == "majority" and not row["masked"]]
    votes = [row for row in votes if row["completion_tokens"] is not None and row["candidates"]]
    if not votes:
        return []
    most = min(len(row["candidates"]) for row in votes)
    curve = []
    for k in range(1, most + 1):
        tokens = sum(row["completion_tokens"] / len(row["candidates"]) for row in votes) * k / len(votes)
        each = [majority(k, [answer for answer, _ in row["candidates"]], [right for _, right in row["candidates"]]) for row in votes]
        curve.append((k, tokens, float(sum(each) / len(each))))
    return curve


def _accuracy_at(curve: Sequence[tuple[int, float, float]], tokens: float) -> float | None:
    """The accuracy of votes at a number of tokens, between two sizes linearly; None outside the sizes that were sampled."""
    for (_, low, before), (_, high, after) in pairwise(curve):
        if low <= tokens <= high:
            return before + (after - before) * (tokens - low) / (high - low) if high > low else after
    return curve[-1][2] if curve and abs(tokens - curve[-1][1]) < 1e-9 else None


def _quintiles(of: Mapping[str, Sequence[Row]]) -> list[dict[str, Any]]:
    # Samples of a vote are independent; those of a search are chosen, and would make its tasks look easy.
    reference = of.get("majority") or max(of.values(), key=lambda rows: sum(len(row["candidates"]) for row in rows))
    rates = {row["id"]: sum(right for _, right in row["candidates"]) / len(row["candidates"]) for row in reference if row["candidates"]}
    ordered = sorted(rates, key=lambda task: (-rates[task], task))
    found = []
    for place in range(QUINTILES):
        members = set(ordered[place * len(ordered) // QUINTILES : (place + 1) * len(ordered) // QUINTILES])
        if not members:
            continue  # fewer tasks than quintiles
        facts = {"quintile": place + 1, "tasks": len(members), "solve_rate": sum(rates[task] for task in members) / len(members)}
        found.append(facts | _compared(of, members))
    return found


def _groups(of: Mapping[str, Sequence[Row]], column: str) -> list[dict[str, Any]]:
    """Accuracies of the strategies within the tasks that share a value of a column, in the order of the values."""
    members: dict[Any, set[str]] = {}
    for rows in of.values():
        for row in rows:
            if column in row:
                members.setdefault(row[column], set()).add(row["id"])
    return [{column: value, "tasks": len(members[value])} | _compared(of, members[value]) for value in sorted(members)]


def _compared(of: Mapping[str, Sequence[Row]], members: set[str]) -> dict[str, Any]:
    """The accuracy of every strategy on some tasks, None where all of its tasks are masked, and the best one unless two tie."""
    accuracy = {}
    for name, rows in of.items():
        counted = [row["right"] for row in rows if row["id"] in members and not row["masked"]]
        accuracy[name] = sum(counted) / len(counted) if counted else None
    known = {name: value for name, value in accuracy.items() if value is not None}
    leaders = [name for name, value in known.items() if value == max(known.values())]
    return {"accuracy": accuracy, "best": leaders[0] if len(leaders) == 1 else None}
