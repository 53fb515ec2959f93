"""The matrix of gains: trained on one family, measured on another, as means over seeds with intervals. All gains are paired with the base model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rlgym.evaluate.metrics.pass_at_k import pass_at
from rlgym.train.study.families import Families, domain
from rlgym.train.study.measure import accuracy
from rlgym.train.study.summary import Estimate, estimate

GROUPS = {
    "own": "the family itself",
    "own shift": "its shifted family",
    "same domain": "other trained families of its domain",
    "other domains": "trained families of other domains",
    "apart": "domains that no run trains on",
    "other shift": "shifted families of the others",
}
"""Groups of families on which a gain is averaged, and what they are."""


def summarize_transfer(results: Mapping[str, Any], families: Families) -> dict[str, Any]:
    """The matrix, its means over groups of families, how the responses changed, and pass@k; every estimate is over seeds."""
    base, trained = results["base"], results["trained"]
    seeds = sorted(base)
    places = families.main + families.shifted

    def gain(row: str, place: str, seed: int) -> float:
        return accuracy(trained[row][seed][place]) - accuracy(base[seed][place])

    matrix = {row: {place: over_seeds(gain(row, place, seed) for seed in seeds) for place in places} for row in families.trained}
    groups = {row: groups_of(row, families) for row in families.trained}
    means = {
        row: {
            name: over_seeds(mean([gain(row, place, seed) for place in chosen]) for seed in seeds)
            for name, chosen in groups[row].items()
            if chosen
        }
        for row in families.trained
    }
    overall = {
        name: over_seeds(mean([gain(row, place, seed) for row in families.trained for place in groups[row][name]]) for seed in seeds)
        for name in GROUPS
        if any(groups[row][name] for row in families.trained)
    }
    return {
        "base": {place: over_seeds(accuracy(base[seed][place]) for seed in seeds) for place in places},
        "matrix": matrix,
        "means": means,
        "overall": overall,
        "working": {row: _working_rates(results, families, row, seeds) for row in families.trained},
        "responses": {name: _responses(results, families, name, seeds) for name in ("own", "others")},
        "support": {name: summarize_support(by_seed) for name, by_seed in results["support"].items()},
    }


def groups_of(row: str, families: Families) -> dict[str, list[str]]:
    """The families of each group, for the family that was trained on."""
    others = [name for name in families.trained if name != row]
    return {
        "own": [row],
        "own shift": [name for name in families.shifted if name == f"{row}:shift"],
        "same domain": [name for name in others if domain(name) == domain(row)],
        "other domains": [name for name in others if domain(name) != domain(row)],
        "apart": list(families.apart),
        "other shift": [name for name in families.shifted if name != f"{row}:shift"],
    }


def over_seeds(values: Iterable[float]) -> dict[str, Any]:
    """The estimate from one value for each seed."""
    return asdict(estimate(list(values)))


def mean(values: Sequence[float]) -> float:
    """The mean of at least one value."""
    return sum(values) / len(values)


def _responses(results: Mapping[str, Any], families: Families, which: str, seeds: Sequence[int]) -> dict[str, Any]:
    """How responses changed, on the trained family itself or on the other trained families: before, and after minus before."""
    pairs = [(row, place) for row in families.trained for place in families.trained if (row == place) == (which == "own")]
    out: dict[str, Any] = {}
    if not pairs:
        return out
    for name in ("worked", "worked_right", "readable", "tokens"):

        def values(seed: int, after: bool, name: str = name) -> float:
            found = [(results["base"][seed][place][name], results["trained"][row][seed][place][name]) for row, place in pairs]
            # A share of no responses is unknown, and then is left out on both sides.
            known = [pair for pair in found if None not in pair]
            return mean([pair[after] for pair in known]) if known else 0.0

        out[name] = {
            "before": over_seeds(values(seed, False) for seed in seeds),
            "change": over_seeds(values(seed, True) - values(seed, False) for seed in seeds),
        }
    return out


def _working_rates(results: Mapping[str, Any], families: Families, row: str, seeds: Sequence[int]) -> dict[str, Any]:
    """The share of responses with working on the family trained on, and how training changed it there and on the other trained families."""
    base, trained = results["base"], results["trained"][row]

    def change(seed: int, places: Sequence[str]) -> float:
        return mean([trained[seed][place]["worked"] - base[seed][place]["worked"] for place in places])

    others = [name for name in families.trained if name != row]
    return {
        "base": over_seeds(base[seed][row]["worked"] for seed in seeds),
        "own": over_seeds(change(seed, [row]) for seed in seeds),
        "others": over_seeds(change(seed, others) for seed in seeds) if others else None,
    }


def summarize_support(by_seed: Mapping[int, Mapping[str, Any]]) -> dict[str, Any]:
    """pass@k of the base and the trained model for powers of two, and how many tasks only one of them ever solves."""
    seeds = sorted(by_seed)
    samples = min(min(by_seed[seed][label]["samples"]) for seed in seeds for label in ("base", "trained"))
    powers = [2**power for power in range(samples.bit_length())]

    def curve(seed: int, label: str, k: int) -> float:
        found = by_seed[seed][label]
        return mean([pass_at(k, count, right) for count, right in zip(found["samples"], found["right"], strict=True)])

    def only(seed: int, one: str, other: str) -> float:
        pairs = zip(by_seed[seed][one]["right"], by_seed[seed][other]["right"], strict=True)
        return float(sum(mine > 0 and theirs == 0 for mine, theirs in pairs))

    return {
        "pass_at": {
            str(k): {
                "base": over_seeds(curve(seed, "base", k) for seed in seeds),
                "trained": over_seeds(curve(seed, "trained", k) for seed in seeds),
                "change": over_seeds(curve(seed, "trained", k) - curve(seed, "base", k) for seed in seeds),
            }
            for k in powers
        },
        "tasks": sum(len(by_seed[seed]["base"]["right"]) for seed in seeds),
        "only_base": sum(only(seed, "base", "trained") for seed in seeds),
        "only_trained": sum(only(seed, "trained", "base") for seed in seeds),
    }


def text(value: Mapping[str, Any], sign: bool = True) -> str:
    """An estimate as text."""
    return Estimate(**value).text(sign=sign)


def clear(value: Mapping[str, Any]) -> bool:
    """`Estimate.is_clear` of an estimate as results hold it."""
    return Estimate(**value).is_clear
