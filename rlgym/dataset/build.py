"""Builds a dataset: units of work by any number of processes, then shards in a fixed order.

Units are files of their own until the end, so that a build that was killed goes on where it was. What depends on more
than one unit (duplicates, splits, shards) is decided afterwards, in the order of the plan, by one process.
"""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path

from rlgym.core.errors import RecipeError, RlgymError
from rlgym.dataset.files import digest_of, shard_bytes, write_whole
from rlgym.dataset.manifest import Manifest, Shard, card
from rlgym.dataset.read import read_manifest
from rlgym.dataset.recipe import Recipe, Slot, plan
from rlgym.dataset.rows import Row, content, make_row, split_of
from rlgym.registry import environment

UNIT = 100
ATTEMPTS = 200
Progress = Callable[[int, int], None]


def build(recipe: Recipe, out: str | Path, *, workers: int = 1, progress: Progress | None = None) -> Manifest:
    """Build the dataset of a recipe in the folder `out`, or go on with a build that was killed; returns its manifest.

    The bytes do not depend on `workers`. A folder that holds the finished dataset is left as it is, once its hashes
    have been checked; one that holds another dataset is refused. `progress(done, total)` is called with rows done.
    """
    if workers < 1:
        raise RecipeError(f"workers must be 1 or more, got workers={workers!r}")
    folder = Path(out)
    _claim(folder, recipe)
    if (folder / "manifest.json").exists():
        manifest = read_manifest(folder, verify=True)
        if progress:
            progress(manifest.rows, manifest.rows)
        return manifest
    slots = plan(recipe)
    units = (len(slots) + UNIT - 1) // UNIT
    for done in _units(recipe, folder, units, workers):
        if progress:
            progress(min(done * UNIT, len(slots)), len(slots))
    manifest = _assemble(recipe, folder, slots)
    write_whole(folder / "README.md", card(manifest).encode())
    write_whole(folder / "manifest.json", manifest.text().encode())
    shutil.rmtree(folder / ".work")
    return manifest


def _claim(folder: Path, recipe: Recipe) -> None:
    """Make the folder ours, or refuse it because something else is in it."""
    if folder.exists() and not folder.is_dir():
        raise RecipeError(f"{str(folder)!r} is a file: a dataset needs a folder")
    folder.mkdir(parents=True, exist_ok=True)
    mark, finished = folder / ".work" / "digest", folder / "manifest.json"
    if finished.exists():
        if read_manifest(folder).digest != recipe.digest:
            raise RecipeError(f"{str(folder)!r} holds the dataset of another recipe, or of other versions: choose another folder")
        shutil.rmtree(folder / ".work", ignore_errors=True)
        return
    if mark.exists():
        if mark.read_text() != recipe.digest:
            raise RecipeError(f"{str(folder)!r} holds an unfinished build of another recipe: remove it, or choose another folder")
        for left in folder.glob("*.unfinished"):
            left.unlink()
        return
    if any(file.name != ".work" for file in folder.iterdir()):
        raise RecipeError(f"{str(folder)!r} is not empty and holds no dataset of ours: choose another folder")
    mark.parent.mkdir(exist_ok=True)
    write_whole(mark, recipe.digest.encode())


def _units(recipe: Recipe, folder: Path, units: int, workers: int) -> Iterator[int]:
    """Make every unit that is not there yet; yields how many there are, after each."""
    missing = [unit for unit in range(units) if not _unit_file(folder, unit).exists()]
    done, given = units - len(missing), recipe.model_dump_json()
    yield done
    if workers == 1 or len(missing) < 2:
        for unit in missing:
            _make_unit(given, str(folder), unit)
            done += 1
            yield done
        return
    context = get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_end_with_parent, initargs=(os.getpid(),)) as pool:
        try:
            for _ in pool.map(_make_unit, [given] * len(missing), [str(folder)] * len(missing), missing):
                done += 1
                yield done
        except BrokenProcessPool:
            raise RlgymError(
                "a worker process ended unexpectedly: it may have run out of memory, or a script lacks the `if __name__ == '__main__':` "
                "that several workers need. What is finished is kept: run the build again to go on"
            ) from None


def _end_with_parent(parent: int) -> None:
    """A worker whose parent was killed must not live on."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _make_unit(given: str, folder: str, unit: int) -> None:
    recipe, slots = _planned(given)
    rows = [make_row(recipe, slot, 0) for slot in slots[unit * UNIT : (unit + 1) * UNIT]]
    write_whole(_unit_file(Path(folder), unit), json.dumps(rows).encode())


@lru_cache(maxsize=1)
def _planned(given: str) -> tuple[Recipe, list[Slot]]:
    recipe = Recipe(**json.loads(given))
    return recipe, plan(recipe)


def _unit_file(folder: Path, unit: int) -> Path:
    return folder / ".work" / f"unit-{unit:06d}.json"


class _Shards:
    """Collects rows and writes each file when it is full."""

    def __init__(self, recipe: Recipe, folder: Path) -> None:
        self.recipe, self.folder = recipe, folder
        self.written: list[Shard] = []
        self.waiting: dict[str, list[Row]] = {split: [] for split in recipe.splits}

    def add(self, row: Row) -> None:
        self.waiting[row["split"]].append(row)
        if len(self.waiting[row["split"]]) == self.recipe.shard_rows:
            self.flush(row["split"])

    def flush(self, split: str) -> None:
        rows, self.waiting[split] = self.waiting[split], []
        if not rows:
            return
        number = sum(shard.split == split for shard in self.written)
        file = self.folder / f"{split}-{number:05d}.{self.recipe.format}"
        write_whole(file, shard_bytes(rows, self.recipe.format))
        self.written.append(Shard(file=file.name, split=split, rows=len(rows), bytes=file.stat().st_size, sha256=digest_of(file)))


def _assemble(recipe: Recipe, folder: Path, slots: list[Slot]) -> Manifest:
    """Turn units into shards: refuse duplicates, give each row its split, and write the files in order."""
    import rlgym

    counts: dict[str, Counter[str]] = {key: Counter() for key in ("split", "env", "domain", "level")}
    shards, refused = _Shards(recipe, folder), 0
    for row, met in _different(recipe, folder, slots):
        refused += met
        for key, counter in counts.items():
            counter[str(row[key])] += 1
        shards.add(row)
    for split in recipe.splits:
        shards.flush(split)
    chosen = recipe.environments()
    return Manifest(
        name=recipe.name,
        made_by=f"rlgym {rlgym.__version__}",
        licence=recipe.licence,
        digest=recipe.digest,
        recipe=recipe.model_dump(),
        versions={name: environment(name).version for name in chosen},
        rows=len(slots),
        duplicates=refused,
        splits={split: counts["split"][split] for split in recipe.splits},
        environments={name: counts["env"][name] for name in chosen},
        domains=dict(sorted(counts["domain"].items())),
        levels={str(level): counts["level"][str(level)] for level in dict.fromkeys(recipe.levels)},
        shards=sorted(shards.written, key=lambda shard: shard.file),
    )


def _different(recipe: Recipe, folder: Path, slots: list[Slot]) -> Iterator[tuple[Row, int]]:
    """The rows in order with their splits, none like an earlier one, each with how many duplicates were met for it."""
    seen: set[str] = set()
    for first in range(0, len(slots), UNIT):
        rows = json.loads(_unit_file(folder, first // UNIT).read_bytes())
        for slot, row in zip(slots[first : first + UNIT], rows, strict=True):
            met = 0
            while (hashed := content(row)) in seen:
                met += 1
                if met == ATTEMPTS:
                    known = sum(1 for other in slots if other.name == slot.name)
                    raise RecipeError(
                        f"{slot.name} has too few different tasks at level {slot.level:g} for its share of {known} rows: {ATTEMPTS} seeds gave "
                        f"only duplicates. Lower its weight or the count, or use more levels."
                    )
                row = make_row(recipe, slot, met)
            seen.add(hashed)
            row["split"] = split_of(hashed, recipe.splits)
            yield row, met
