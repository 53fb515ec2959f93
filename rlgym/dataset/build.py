"""Builds a dataset: any number of processes make units of work, then one process writes shards in a fixed order.

Each unit is a file until the end, so a killed build can resume. One process decides afterwards, in the order of the plan, everything
that depends on more than one unit: duplicates, splits and shards.
"""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path

from rlgym.core.errors import RecipeError, RlgymError
from rlgym.core.paths import local_path
from rlgym.dataset.capacity import ATTEMPTS, fitting_shares
from rlgym.dataset.card import dataset_card
from rlgym.dataset.files import sha256_of, shard_bytes, write_atomically
from rlgym.dataset.manifest import Manifest, Shard
from rlgym.dataset.read import read_manifest
from rlgym.dataset.recipe import Recipe, plan, shares_of
from rlgym.dataset.rows import Row, content_hash, identity, make_row, masked_hash, split_of
from rlgym.dataset.units import Unit, UnitReader, make_unit, units_of
from rlgym.dataset.workers import end_with_parent
from rlgym.registry import environment

Progress = Callable[[int, int], None]
# A build may continue an unfinished one whose recipe differs in these fields only: they leave the rows of an environment as they are.
MAY_CHANGE = {"exclude", "cap", "near_duplicates", "weights"}


def build(recipe: Recipe, out: str | Path, *, workers: int = 1, progress: Progress | None = None) -> Manifest:
    """Build the dataset of a recipe in the folder `out`, or resume a killed build; returns the manifest.

    The bytes do not depend on `workers`. Before any work, RecipeError names all environments that have too few different tasks. A folder
    with the finished dataset is left unchanged after its hashes were verified; a folder with another dataset raises RecipeError. An
    unfinished build continues with what it has if the recipe excludes more, caps, removes near-duplicates, or has other weights; one that
    made no row yet may be followed by any recipe.
    `progress(done, total)` is called with numbers of rows.
    """
    if workers < 1:
        raise RecipeError(f"workers must be 1 or more, got workers={workers!r}")
    folder = local_path(out)
    _claim(folder, recipe)
    if (folder / "manifest.json").exists():
        manifest = read_manifest(folder, verify=True)
        if progress:
            progress(manifest.rows, manifest.rows)
        return manifest
    shares = _shares(recipe, folder, workers)
    units = units_of(recipe, folder, shares)
    for done in _make_units(recipe, units, workers):
        if progress:
            progress(done, recipe.count)
    manifest = _assemble(recipe, folder, shares, UnitReader(units))
    write_atomically(folder / "README.md", dataset_card(manifest).encode())
    write_atomically(folder / "manifest.json", manifest.text().encode())
    shutil.rmtree(folder / ".work")
    return manifest


def _claim(folder: Path, recipe: Recipe) -> None:
    """Mark the folder as this build's; RecipeError where it holds anything else."""
    if folder.exists() and not folder.is_dir():
        raise RecipeError(f"{str(folder)!r} is a file: a dataset needs a folder")
    folder.mkdir(parents=True, exist_ok=True)
    mark, finished = folder / ".work" / "recipe.json", folder / "manifest.json"
    if finished.exists():
        if read_manifest(folder).digest != recipe.digest:
            raise RecipeError(f"{str(folder)!r} holds the dataset of another recipe, or of other versions: choose another folder")
        shutil.rmtree(folder / ".work", ignore_errors=True)
        return
    # A build that ended before its first row, such as one with too few different tasks, leaves the folder free for another recipe.
    if mark.exists() and any(mark.parent.glob("unit-*")):
        before, now = json.loads(mark.read_bytes()), recipe.model_dump(mode="json")
        if changed := sorted(field for field in {*before, *now} - MAY_CHANGE if before.get(field) != now.get(field)):
            raise RecipeError(
                f"{str(folder)!r} holds an unfinished build of another recipe ({', '.join(changed)} changed): remove it, or choose another folder"
            )
        for unfinished_file in folder.glob("*.unfinished"):
            unfinished_file.unlink()
    elif any(file.name != ".work" for file in folder.iterdir()):
        raise RecipeError(f"{str(folder)!r} is not empty and holds no dataset: choose another folder")
    mark.parent.mkdir(exist_ok=True)
    write_atomically(mark, recipe.model_dump_json().encode())


def _shares(recipe: Recipe, folder: Path, workers: int) -> dict[str, int]:
    """The number of tasks per environment. They are kept, so that a resumed build does not check the capacity again."""
    shares_file = folder / ".work" / f"shares-{recipe.digest[:16]}.json"
    if not shares_file.exists():
        write_atomically(shares_file, json.dumps(fitting_shares(recipe, workers=workers)).encode())
    shares: dict[str, int] = json.loads(shares_file.read_bytes())
    return shares


def _make_units(recipe: Recipe, units: list[Unit], workers: int) -> Iterator[int]:
    """Make every missing row; yields the number of finished rows after each unit."""
    missing = [unit for unit in units if unit.rows_made() < unit.rows]
    done, recipe_json = sum(unit.rows for unit in units) - sum(unit.rows for unit in missing), recipe.model_dump_json()
    yield done
    if workers == 1 or len(missing) < 2:
        for unit in missing:
            done += make_unit(recipe_json, unit)
            yield done
        return
    context = get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=end_with_parent, initargs=(os.getpid(),)) as pool:
        try:
            for rows in pool.map(make_unit, [recipe_json] * len(missing), missing):
                done += rows
                yield done
        except BrokenProcessPool:
            raise RlgymError(
                "a worker process ended unexpectedly: it may have run out of memory, or a script lacks the `if __name__ == '__main__':` "
                "that several workers need. Finished units are kept: run the build again to resume"
            ) from None


class _Shards:
    """Collects rows and writes each shard when it is full."""

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
        write_atomically(file, shard_bytes(rows, self.recipe.format))
        self.written.append(Shard(file=file.name, split=split, rows=len(rows), bytes=file.stat().st_size, sha256=sha256_of(file)))


def _assemble(recipe: Recipe, folder: Path, shares: dict[str, int], units: UnitReader) -> Manifest:
    """Turn units into shards: discard duplicates, assign splits, and write the files in order."""
    import rlgym

    counts: dict[str, Counter[str]] = {key: Counter() for key in ("split", "env", "domain", "level", "kind")}
    shards, discarded, near = _Shards(recipe, folder), 0, NearDuplicates()
    for row, repeats in _different(recipe, shares, units):
        discarded += repeats
        near.add(row)
        for key, counter in counts.items():
            counter[str(row[key])] += 1
        shards.add(row)
    for split in recipe.splits:
        shards.flush(split)
    chosen = recipe.environments()
    even = shares_of(recipe)
    return Manifest(
        name=recipe.name,
        made_by=f"rlgym {rlgym.__version__}",
        licence=recipe.licence,
        digest=recipe.digest,
        recipe=recipe.model_dump(),
        versions={name: environment(name).version for name in chosen},
        rows=sum(shares.values()),
        duplicates=discarded,
        near_duplicates=near.repeated,
        near_duplicates_of_train=near.like_train(),
        capped={name: shares[name] for name in chosen if shares[name] < even[name]},
        splits={split: counts["split"][split] for split in recipe.splits},
        environments={name: counts["env"][name] for name in chosen},
        domains=dict(sorted(counts["domain"].items())),
        kinds=dict(sorted(counts["kind"].items())),
        levels={
            str(level): counts["level"][str(level)]
            for level in dict.fromkeys(level for name in chosen for level in recipe.levels_for(name))
        },
        shards=sorted(shards.written, key=lambda shard: shard.file),
    )


class NearDuplicates:
    """Counts rows whose masked prompts are equal."""

    def __init__(self) -> None:
        self.repeated = 0
        self._seen: set[bytes] = set()
        self._by_split: dict[str, list[bytes]] = {}

    def add(self, row: Row) -> None:
        mask = bytes.fromhex(masked_hash(row)[:24])
        self.repeated += mask in self._seen
        self._seen.add(mask)
        self._by_split.setdefault(row["split"], []).append(mask)

    def like_train(self) -> dict[str, int]:
        """For each other split, the rows that have a near-duplicate in the train split."""
        train = set(self._by_split.get("train", ()))
        return {
            split: sum(mask in train for mask in masks) for split, masks in sorted(self._by_split.items()) if split != "train" and train
        }


def _different(recipe: Recipe, shares: dict[str, int], units: UnitReader) -> Iterator[tuple[Row, int]]:
    """The rows in order with their splits and without duplicates, each with the number of duplicates discarded for it."""
    seen: set[str] = set()
    for slot in plan(recipe, shares):
        row, repeats = units.row(slot), 0
        while (place := identity(recipe, row)) in seen:
            repeats += 1
            if repeats == ATTEMPTS:
                raise RecipeError(
                    f"{slot.name} has too few different tasks at level {slot.level:g} for its share of {shares[slot.name]} rows: {ATTEMPTS} "
                    f"seeds gave only duplicates. Lower its weight or the count, or use more levels. Finished units are kept"
                )
            row = make_row(recipe, slot, repeats)
        seen.add(place)
        row["split"] = split_of(content_hash(row), recipe.splits)
        yield row, repeats
