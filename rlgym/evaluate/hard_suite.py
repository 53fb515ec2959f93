"""A suite of the environments that models solve least, by a pass-rate store: fresh held-out tasks, so that no task is chosen for its bad luck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import rlgym
from rlgym.core.errors import suggestion
from rlgym.dataset import missing_requirement
from rlgym.dataset.files import write_atomically
from rlgym.dataset.pass_rates import PassRates
from rlgym.evaluate.pinning import Part, draft, drawn, text_of, with_hashes
from rlgym.evaluate.suites import Pinned, SuiteError, base


@dataclass(frozen=True, slots=True)
class Measured:
    """How often models solve an environment at the levels of the suite: the mean over models of their mean over tasks."""

    name: str
    rate: float
    tasks: int


def solve_rates(store: PassRates, models: Sequence[str], levels: Sequence[float], min_tasks: int) -> tuple[list[Measured], dict[str, str]]:
    """The environments that every model has met often enough, least solved first, and why others are left out.

    SuiteError for a model without records.
    """
    if unknown := [model for model in models if model not in store.models()]:
        raise SuiteError(f"the store {str(store.file)!r} has no model {unknown[0]!r}.{suggestion(unknown[0], store.models())}")
    rates: dict[str, dict[str, list[float]]] = {}
    for model in models:
        for entry in store.entries(model, current=True):
            if entry.key.level in levels:
                rates.setdefault(entry.key.env, {}).setdefault(model, []).append(entry.rate)
    found, left_out = list[Measured](), dict[str, str]()
    for name, by_model in sorted(rates.items()):
        fewest = min(len(by_model.get(model, ())) for model in models)
        if fewest < min_tasks:
            left_out[name] = f"{fewest} tasks of a model at these levels, fewer than {min_tasks}"
        elif rlgym.spec(name)["guessable"]:
            left_out[name] = "its answers can be guessed"
        elif why := missing_requirement(name):
            left_out[name] = why
        else:
            means = [sum(by_model[model]) / len(by_model[model]) for model in models]
            found.append(Measured(name, sum(means) / len(means), sum(map(len, by_model.values()))))
    return sorted(found, key=lambda each: (each.rate, each.name)), left_out


def hardest(found: Sequence[Measured], per_domain: int) -> list[Measured]:
    """The least solved environments of each domain, domains in order of their names."""
    by_domain: dict[str, list[Measured]] = {}
    for each in found:
        by_domain.setdefault(str(rlgym.spec(base(each.name))["domain"]), []).append(each)
    return [each for domain in sorted(by_domain) for each in by_domain[domain][:per_domain]]


def pin_hard_suite(
    store: PassRates,
    models: Sequence[str],
    file: Path,
    *,
    per_domain: int = 5,
    levels: Sequence[float] = (0.75, 1.0),
    seeds: int = 2,
    min_tasks: int = 4,
) -> tuple[Pinned, list[Measured], dict[str, str]]:
    """Write the suite file; returns the suite, its environments with the rates that chose them, and why others were left out.

    The tasks are drawn anew and held out from training and from datasets with the default shares. SuiteError if the file exists, because a
    suite never changes, or if no environment was measured often enough.
    """
    if file.suffix != ".json":
        raise SuiteError(f"a suite is a .json file, got {str(file)!r}")
    if file.exists():
        raise SuiteError(f"{str(file)!r} exists, and a suite never changes: choose another name")
    measured, left_out = solve_rates(store, models, levels, min_tasks)
    chosen = hardest(measured, per_domain)
    if not chosen:
        shown = "; ".join(f"{name}: {why}" for name, why in list(left_out.items())[:3])
        raise SuiteError(
            f"no environment has {min_tasks} tasks of every model at the levels {', '.join(map(str, levels))}. {shown}".strip()
        )
    description = (
        f"The environments of each domain that {', '.join(models)} solve least at the levels {', '.join(f'{level:g}' for level in levels)}"
    )
    drawn_seeds = {each.name: drawn(file.stem, Part(each.name, tuple(levels), seeds)) for each in chosen}
    pinned = with_hashes(*draft(file.stem, description, drawn_seeds))
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, text_of(pinned).encode())
    return pinned, chosen, left_out
