"""Builds a dataset: plan, tasks, shards, card and, last, the manifest. Killed at any moment, it goes on where it was."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rlgym.core.errors import RecipeError, RlgymError
from rlgym.dataset.card import card
from rlgym.dataset.files import WORK, clear_scratch, locked, write_whole
from rlgym.dataset.making import Making
from rlgym.dataset.manifest import MANIFEST, Manifest, Part, Shard, read_manifest, verify
from rlgym.dataset.plan import difference, identity, plan, split_of
from rlgym.dataset.pool import Pool
from rlgym.dataset.recipe import SPLITS, Recipe
from rlgym.dataset.shards import write_shards
from rlgym.dataset.unit import Maker
from rlgym.registry import place

Progress = Callable[[int, int], object]
"""Called with (tasks done, tasks in all)."""

CARD = "README.md"
_RECIPE = "recipe.json"


def build(recipe: Recipe, out: str | Path, workers: int = 1, progress: Progress | None = None) -> Manifest:
    """Build the dataset of a recipe in the folder `out`, and return its manifest.

    A folder that holds an unfinished build of the same recipe is finished, with the same bytes. One that holds the
    finished dataset is checked and left as it is. One that holds anything else is refused with a RecipeError.
    """
    folder = Path(out)
    shares = [share for share in plan(recipe) if share.count]
    wanted = identity(recipe, shares)
    pool = Pool(workers)
    if (folder / MANIFEST).exists():
        return _finished(folder, wanted)
    new = _fit(folder)
    with pool, locked(folder):
        if (folder / MANIFEST).exists():
            return _finished(folder, wanted)
        try:
            _claim(folder, wanted)
            makings = [Making(share, recipe.levels) for share in shares]
            maker = Maker(recipe, folder)
            _make(makings, maker, pool, progress or (lambda done, total: None))
            shards = write_shards(makings, recipe, maker.table, folder)
            manifest = _manifest(recipe, makings, shards, wanted["rlgym"])
            write_whole(folder / CARD, card(manifest).encode())
            write_whole(folder / MANIFEST, manifest.to_json().encode())
        except _OtherBuild as error:
            raise RecipeError(str(error)) from None
        except RlgymError:
            # What was made so far would only stand in the way of a mended recipe or environment.
            _forget(folder, new)
            raise
        shutil.rmtree(folder / WORK)
    return manifest


class _OtherBuild(RlgymError):
    """The folder holds an unfinished build of something else."""


def _finished(folder: Path, wanted: dict[str, Any]) -> Manifest:
    manifest = read_manifest(folder)
    if other := difference(wanted, manifest.identity):
        raise RecipeError(f"{folder} holds another dataset ({other}); choose another folder, or delete it")
    verify(folder)
    shutil.rmtree(folder / WORK, ignore_errors=True)
    return manifest


def _fit(folder: Path) -> bool:
    """Whether the folder is new. RecipeError where it holds files of others that a dataset would overwrite."""
    if not folder.exists():
        return True
    if not folder.is_dir():
        raise RecipeError(f"{folder} is a file; a dataset needs a folder")
    taken = [path.name for split in SPLITS for path in folder.glob(f"{split}-*")] + [CARD] * (folder / CARD).exists()
    if taken and not (folder / WORK / _RECIPE).exists():
        raise RecipeError(f"{folder} holds {taken[0]}, which no unfinished build has left there; choose another folder")
    return not any(folder.iterdir())


def _claim(folder: Path, wanted: dict[str, Any]) -> None:
    """Take the folder for this recipe, or go on with it."""
    claimed = folder / WORK / _RECIPE
    try:
        there = json.loads(claimed.read_bytes())
    except FileNotFoundError:
        there = None
    except ValueError:
        raise _OtherBuild(f"{claimed} is damaged; delete {folder / WORK} to build from the start") from None
    if there is None:
        write_whole(claimed, json.dumps(wanted, indent=2).encode())
    elif other := difference(wanted, there):
        raise _OtherBuild(f"{folder} holds an unfinished build of another recipe ({other}); delete {folder / WORK} or choose another folder")
    clear_scratch(folder)
    clear_scratch(folder / WORK)


def _forget(folder: Path, new: bool) -> None:
    shutil.rmtree(folder / WORK, ignore_errors=True)
    for path in [path for split in SPLITS for path in folder.glob(f"{split}-?????.*")] + [folder / CARD]:
        path.unlink(missing_ok=True)
    if new:
        with contextlib.suppress(OSError):
            folder.rmdir()


def _make(makings: Sequence[Making], maker: Maker, pool: Pool, progress: Progress) -> None:
    """Make waves of units until every share is whole."""
    total, done = maker.recipe.count, 0
    progress(0, total)
    waiting = list(makings)
    while waiting:
        wave = [(making, unit) for making in waiting for unit in making.wave()]
        for (making, unit), made in zip(wave, pool.run(maker, [unit for _, unit in wave]), strict=True):
            before = len(making.taken)
            making.take(unit, made)
            done += len(making.taken) - before
            progress(done, total)
        waiting = [making for making in waiting if len(making.taken) < making.share.count]


def _manifest(recipe: Recipe, makings: Sequence[Making], shards: list[Shard], version: str) -> Manifest:
    parts = {}
    for making in makings:
        splits = [split_of(taken.content, recipe.splits) for taken in making.taken]
        counts = {split: splits.count(split) for split in SPLITS}
        share = making.share
        parts[share.name] = Part(domain=place(share.name).domain, version=share.version, splits=counts, **making.report())
    return Manifest(
        made_by="rlgym dataset",
        layout=1,
        name=recipe.name,
        licence=recipe.licence,
        rlgym=version,
        count=recipe.count,
        duplicates=sum(part.duplicates for part in parts.values()),
        splits={split: sum(part.splits[split] for part in parts.values()) for split in SPLITS},
        levels={f"{level:g}": sum(part.levels[f"{level:g}"] for part in parts.values()) for level in recipe.levels},
        environments=parts,
        shards=shards,
        recipe=recipe.model_dump(mode="json"),
    )
