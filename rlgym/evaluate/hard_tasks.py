"""A suite of the recorded tasks that models solve least, by a pass-rate store: mined seeds, with the rate of models that did not choose them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import rlgym
from rlgym.core.errors import suggestion
from rlgym.dataset import missing_requirement
from rlgym.dataset.files import write_atomically
from rlgym.dataset.pass_rates import PassRates, TaskKey
from rlgym.dataset.rows import content_hash, knobs_at, split_of
from rlgym.evaluate.pinning import HELD_OUT, draft, text_of, with_hashes
from rlgym.evaluate.suites import Pinned, SuiteError, base


class Place(NamedTuple):
    """Where a task comes from."""

    env: str
    level: float
    seed: int


@dataclass(frozen=True, slots=True)
class Mined:
    """What was pinned and what it tells.

    places      the tasks, the least solved first
    error_rate  1 - the mean solve rate of the models that chose, on the chosen tasks and on all tasks they could choose from
    witnesses   the same two error rates of each model that did not choose; the first is not biased by the choice of tasks
    left_out    how many recorded tasks could not be chosen, by reason
    """

    suite: Pinned
    places: list[Place]
    error_rate: tuple[float, float]
    witnesses: dict[str, tuple[float, float]]
    left_out: dict[str, int]


def pin_hard_tasks(
    store: PassRates,
    models: Sequence[str],
    file: Path,
    *,
    count: int,
    levels: Sequence[float] | None = None,
    witnesses: Sequence[str] = (),
    min_samples: int = 1,
) -> Mined:
    """Write a suite file of the `count` recorded tasks with the highest error rate, the mean over `models`.

    Only tasks that every one of the models and witnesses met with `min_samples` samples, of the present version, with the knobs of their
    level and held out from training with the default shares can be chosen. Rates are smoothed by half a success and half a failure, so that
    a task failed often counts before one failed once. After FactBench, whose hard prompts are those that models fail most.

    SuiteError if the file exists, for a model without records, or if no task can be chosen.
    """
    if file.suffix != ".json":
        raise SuiteError(f"a suite is a .json file, got {str(file)!r}")
    if file.exists():
        raise SuiteError(f"{str(file)!r} exists, and a suite never changes: choose another name")
    every = list(dict.fromkeys((*models, *witnesses)))
    if unknown := [model for model in every if model not in store.models()]:
        raise SuiteError(f"the store {str(store.file)!r} has no model {unknown[0]!r}.{suggestion(unknown[0], store.models())}")
    if both := set(models) & set(witnesses):
        raise SuiteError(f"a witness must not choose, got {sorted(both)[0]!r} as model and as witness")
    rates, left_out = _common_rates(store, every, levels, min_samples)
    ordered = sorted(rates, key=lambda place: (_mean(rates[place][model].smoothed for model in models), place))
    places, prompts = list[Place](), set[str]()
    for place in ordered:
        prompt = rlgym.task(place.env, place.seed, level=place.level).prompt
        if prompt not in prompts:
            prompts.add(prompt)
            places.append(place)
        if len(places) == count:
            break
    if not places:
        why = "; ".join(f"{number} tasks: {reason}" for reason, number in left_out.items()) or "the models have no task in common"
        raise SuiteError(f"no recorded task of {', '.join(every)} can be chosen. {why}")
    seeds: dict[str, dict[float, list[int]]] = {}
    for place in places:
        seeds.setdefault(place.env, {}).setdefault(place.level, []).append(place.seed)
    description = f"The {len(places)} recorded tasks that {', '.join(models)} solve least"
    pinned = with_hashes(*draft(file.stem, description, seeds))
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, text_of(pinned).encode())

    def errors(names: Sequence[str]) -> tuple[float, float]:
        chosen, everything = ([1 - _mean(rates[place][name].rate for name in names) for place in some] for some in (places, ordered))
        return _mean(chosen), _mean(everything)

    return Mined(pinned, places, errors(models), {name: errors([name]) for name in witnesses}, left_out)


class _Rates(NamedTuple):
    rate: float
    smoothed: float


def _common_rates(
    store: PassRates, models: Sequence[str], levels: Sequence[float] | None, min_samples: int
) -> tuple[dict[Place, dict[str, _Rates]], dict[str, int]]:
    """The tasks that all models met and that can be chosen, with their rates, and why others are left out."""
    found: dict[Place, dict[str, _Rates]] = {}
    reasons: dict[Place | TaskKey, str] = {}
    for model in models:
        for entry in store.entries(model, min_samples=min_samples, current=True):
            place = Place(entry.key.env, entry.key.level, entry.key.seed)
            if levels is not None and place.level not in levels:
                continue
            if place.level < 0 or entry.key.knobs not in ("{}", _knobs_text(place)):
                reasons[entry.key] = "its knobs are not those of its level"
                continue
            if place not in found and place not in reasons:
                reasons[place] = _why_not(place)
            if not reasons.get(place):
                found.setdefault(place, {})[model] = _Rates(entry.rate, (entry.right + 0.5) / (entry.samples + 1))
    common = {place: rates for place, rates in found.items() if len(rates) == len(models)}
    left_out = Counter(filter(None, reasons.values()))
    if len(found) > len(common):
        left_out[f"not met by every model with {min_samples} samples"] = len(found) - len(common)
    return common, dict(left_out)


def _why_not(place: Place) -> str:
    """Why a recorded task cannot be in a suite; empty where it can."""
    if why := missing_requirement(place.env):
        return why
    if rlgym.spec(base(place.env))["guessable"]:
        return "its answers can be guessed"
    prompt = rlgym.task(place.env, place.seed, level=place.level).prompt
    own = {"env": place.env.removesuffix(":with_confidence"), "prompt": prompt}
    return "" if split_of(content_hash(own), HELD_OUT) == "test" else "it belongs to the train split"


def _knobs_text(place: Place) -> str:
    return json.dumps(knobs_at(place.env, place.level), sort_keys=True)


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed)
