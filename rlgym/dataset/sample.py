"""Rows without files: the rows of a dataset that is never written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rlgym.core.errors import RecipeError
from rlgym.dataset.recipe import Recipe, plan
from rlgym.dataset.rows import Row, content_hash, make_row, split_of

ATTEMPTS = 200


def sample(names: str | list[str], count: int, *, split: str | None = None, solved: bool = True, **recipe: Any) -> Iterator[Row]:
    """`count` rows of environments, domains or patterns; the other fields of a Recipe may be passed by name.

    Equal arguments give equal rows in the same order, without duplicates. `split` keeps only tasks that belong to this split by their
    content hash. Datasets on disk use the same rule, so a task is never in the train split of one and the test split of the other.
    `solved=False` leaves out the columns that come from the oracle. RecipeError if an environment has too few different tasks.
    """
    task_recipe = Recipe(names=names, count=count, **recipe)
    if split is not None and task_recipe.splits.get(split, 0) <= 0:
        raise RecipeError(f"there is no split {split!r} with a share of its own; the splits are {', '.join(task_recipe.splits)}")
    seen: set[str] = set()
    for slot in plan(task_recipe):
        for attempt in range(ATTEMPTS):
            row = make_row(task_recipe, slot, attempt, solved=solved)
            place = content_hash(row)
            row["split"] = split_of(place, task_recipe.splits)
            if place not in seen and split in (None, row["split"]):
                seen.add(place)
                yield row
                break
        else:
            raise RecipeError(
                f"{slot.name} at level {slot.level:g} has too few different tasks for this many: ask for fewer, or other levels"
            )
