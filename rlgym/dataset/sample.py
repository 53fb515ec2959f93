"""Rows without a file: tasks drawn on the spot, as those of a dataset that is never written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rlgym.core.errors import RecipeError
from rlgym.dataset.recipe import Recipe, plan
from rlgym.dataset.rows import Row, content, make_row, split_of

ATTEMPTS = 200


def sample(names: str | list[str], count: int, *, split: str | None = None, solved: bool = True, **recipe: Any) -> Iterator[Row]:
    """`count` rows over environments, domains or patterns; the rest of a Recipe's fields may be given by name.

    Equal arguments give equal rows, in the same order, and no task twice. With `split`, only tasks that belong to it by their
    content: the same rule as that of datasets on disk, so that a task never is in the train split of one and the test split of
    the other. Without `solved` the rows lack the columns that come from the oracle. RecipeError where an environment has no more
    tasks of its own to give.
    """
    made = Recipe(names=names, count=count, **recipe)
    if split is not None and made.splits.get(split, 0) <= 0:
        raise RecipeError(f"there is no split {split!r} with a share of its own; the splits are {', '.join(made.splits)}")
    seen: set[str] = set()
    for slot in plan(made):
        for attempt in range(ATTEMPTS):
            row = make_row(made, slot, attempt, solved=solved)
            place = content(row)
            row["split"] = split_of(place, made.splits)
            if place not in seen and split in (None, row["split"]):
                seen.add(place)
                yield row
                break
        else:
            raise RecipeError(
                f"{slot.name} at level {slot.level:g} has too few different tasks for this many: ask for fewer, or other levels"
            )
