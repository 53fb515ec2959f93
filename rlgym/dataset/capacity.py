"""Whether the environments of a recipe have as many different tasks as it asks of them, found out before any row is made.

A few tasks of each environment at its lowest level are sampled, without oracle or verifier. As in the birthday problem, 4 * sqrt(n) samples
of a pool that is too small for n tasks almost surely hold a repetition. Where one occurs, the build's own search for different tasks is
run through, at all levels. A pool that is too small at a higher level only is found at the end of the build, which keeps its units.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from multiprocessing import get_context

from rlgym.core.errors import RecipeError
from rlgym.dataset.recipe import Recipe, Slot, in_order, shares_of, slots_of
from rlgym.dataset.rows import identity, prompt_of
from rlgym.dataset.workers import end_with_parent

ATTEMPTS = 200
"""Seeds that a build tries for a slot before it gives up."""


def fitting_shares(recipe: Recipe, *, workers: int = 1) -> dict[str, int]:
    """The number of tasks per environment, which every environment can give.

    Without `cap`, RecipeError names all environments that have too few different tasks. With it they give what they have, and the
    others give the rest.
    """
    most: dict[str, int] = {}
    enough: dict[str, int] = {}
    while True:
        shares = shares_of(recipe, most)
        oversized = {name: count for name, count in shares.items() if count > enough.get(name, 0)}
        short = _levels_short_of_tasks(recipe, oversized, workers)
        if not short:
            return shares
        if not recipe.cap:
            raise RecipeError(_report(short, shares))
        enough |= {name: count for name, count in oversized.items() if name not in short}
        # Every level gives as many tasks as the thinnest one has.
        fewer = {name: len(levels) * min(levels.values()) for name, levels in short.items()}
        most |= {name: max(1, min(count, shares[name] - 1)) for name, count in fewer.items()}


def _levels_short_of_tasks(recipe: Recipe, shares: Mapping[str, int], workers: int) -> dict[str, dict[float, int]]:
    """The environments with too few different tasks, and how many each level has at least."""
    recipe_json, names = recipe.model_dump_json(), list(shares)
    counts = [shares[name] for name in names]
    if workers == 1 or len(names) < 2:
        available = [_count_available(recipe_json, name, count) for name, count in zip(names, counts, strict=True)]
    else:
        context = get_context("spawn")
        with ProcessPoolExecutor(workers, mp_context=context, initializer=end_with_parent, initargs=(os.getpid(),)) as pool:
            available = list(pool.map(_count_available, [recipe_json] * len(names), names, counts, chunksize=4))
    return {name: levels for name, levels in zip(names, available, strict=True) if levels}


def _count_available(recipe_json: str, name: str, count: int) -> dict[float, int]:
    """The number of different tasks at each level, if a level has too few; otherwise empty."""
    recipe = _recipe(recipe_json)
    slots = in_order(recipe, slots_of(recipe, name, count))
    if not _repeats(recipe, slots):
        return {}
    seen: set[str] = set()
    distinct, missing = dict.fromkeys(recipe.levels_for(name), 0), set[float]()
    for slot in slots:
        if slot.level in missing:
            continue
        for attempt in range(ATTEMPTS):
            place = identity(recipe, prompt_of(recipe, slot, attempt))
            if place not in seen:
                seen.add(place)
                distinct[slot.level] += 1
                break
        else:
            missing.add(slot.level)
    return distinct if missing else {}


def _repeats(recipe: Recipe, slots: list[Slot]) -> bool:
    """Whether a few first tasks of the lowest level are the same; pools are smallest there, and tasks are sampled fastest."""
    lowest_level = min((slot.level for slot in slots), default=0.0)
    lowest = [slot for slot in slots if slot.level == lowest_level]
    seen: set[str] = set()
    for slot in lowest[: math.ceil(4 * math.sqrt(len(lowest)))]:
        place = identity(recipe, prompt_of(recipe, slot, 0))
        if place in seen:
            return True
        seen.add(place)
    return False


@lru_cache(maxsize=2)
def _recipe(recipe_json: str) -> Recipe:
    return Recipe(**json.loads(recipe_json))


def _report(short: Mapping[str, Mapping[float, int]], shares: Mapping[str, int]) -> str:
    lines = []
    for name, levels in sorted(short.items()):
        thinnest = min(levels, key=lambda level: levels[level])
        lines.append(f"{name} ({shares[name]} tasks asked for; {levels[thinnest]} different ones at level {thinnest:g})")
    return (
        f"{len(short)} of {len(shares)} environments have too few different tasks for their shares: {'; '.join(lines)}. "
        "Cap them (`cap: true` or `--cap`; the others then give the rest), exclude them, lower their weights or the count, or use more levels"
    )
