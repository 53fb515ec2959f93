"""Units of work of a build: up to fifty rows of one environment, each unit a file until the dataset is finished.

The name of a unit's file has a hash of everything that decides its rows. So a unit stays valid for another recipe under which its rows are
the same, for example one that excludes further environments.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from rlgym.dataset.files import write_atomically
from rlgym.dataset.recipe import Recipe, Slot, slots_of
from rlgym.dataset.rows import make_row
from rlgym.registry import environment

UNIT = 50


@dataclass(frozen=True, slots=True)
class Unit:
    """The rows of one environment from index `start` up to but without `stop`."""

    name: str
    start: int
    stop: int
    file: Path

    @property
    def rows(self) -> int:
        return self.stop - self.start

    def rows_made(self) -> int:
        """How many of its rows are in its file."""
        if not self.file.exists():
            return 0
        with open(self.file, "rb") as lines:
            return sum(1 for _ in lines)


def units_of(recipe: Recipe, folder: Path, shares: Mapping[str, int]) -> list[Unit]:
    """All units of a build."""
    units = []
    for name, count in shares.items():
        key = _key(recipe, name, count)
        for start in range(0, count, UNIT):
            file = folder / ".work" / f"unit-{name.replace(':', '+')}-{key}-{start:08d}.jsonl"
            units.append(Unit(name, start, min(start + UNIT, count), file))
    return units


def _key(recipe: Recipe, name: str, count: int) -> str:
    from rlgym import __version__

    levels = [slot.level for slot in slots_of(recipe, name, min(count, len(recipe.levels_for(name))))]
    decides = [
        __version__,
        environment(name).version,
        recipe.seed,
        recipe.answer_style,
        recipe.knobs.get(name, {}),
        levels,
        len(recipe.levels_for(name)),
    ]
    return hashlib.sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()[:12]


def make_unit(recipe_json: str, unit: Unit) -> int:
    """Make the rows that a unit lacks, and write its file; returns the number of its rows. `given` is the recipe as JSON."""
    recipe = _recipe(recipe_json)
    lines = unit.file.read_bytes().splitlines(keepends=True) if unit.file.exists() else []
    slots = slots_of(recipe, unit.name, unit.stop, unit.start + len(lines))
    lines += [json.dumps(make_row(recipe, slot, 0)).encode() + b"\n" for slot in slots]
    write_atomically(unit.file, b"".join(lines))
    return unit.rows


@lru_cache(maxsize=2)
def _recipe(recipe_json: str) -> Recipe:
    return Recipe(**json.loads(recipe_json))


class UnitReader:
    """Rows of finished units in any order. Only the places of their lines are kept in memory."""

    def __init__(self, units: list[Unit]) -> None:
        self._units = {(unit.name, unit.start // UNIT): unit for unit in units}
        self._lines: dict[tuple[str, int], array[int]] = {}

    def row(self, slot: Slot) -> dict[str, Any]:
        """The row of a slot, as its first attempt made it."""
        key = (slot.name, slot.index // UNIT)
        unit = self._units[key]
        if key not in self._lines:
            places = array("q", [0])
            with open(unit.file, "rb") as lines:
                for line in islice(lines, unit.rows):
                    places.append(places[-1] + len(line))
            self._lines[key] = places
        with open(unit.file, "rb") as file:
            file.seek(self._lines[key][slot.index - unit.start])
            row: dict[str, Any] = json.loads(file.readline())
        return row
