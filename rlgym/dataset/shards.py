"""Puts the finished units of a build into shards, in an order that mixes environments and levels."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rlgym.dataset.files import write_whole
from rlgym.dataset.making import Making, Taken
from rlgym.dataset.manifest import Shard
from rlgym.dataset.plan import split_of
from rlgym.dataset.recipe import SPLITS, Recipe
from rlgym.dataset.unit import Unit

ROW_GROUP = 1000
Load = Callable[[Unit], Any]


def ordered(makings: Sequence[Making], recipe: Recipe) -> list[Taken]:
    """All tasks in the order of the dataset.

    It is cut into blocks of about a shard each, and every block holds the same part of each environment's share. Within
    a block the content hash decides, which is as good as a shuffle; so a few units at a time are enough to write a shard.
    """
    blocks = -(-recipe.count // recipe.shard_rows)
    keyed = [
        (place * blocks // making.share.count, taken.content, making.share.number, taken)
        for making in makings
        for place, taken in enumerate(making.taken)
    ]
    return [taken for *_, taken in sorted(keyed, key=lambda one: one[:3])]


def write_shards(makings: Sequence[Making], recipe: Recipe, load: Load, folder: Path) -> list[Shard]:
    """Write every shard, and say what was written."""
    everything = ordered(makings, recipe)
    shards = []
    for split in SPLITS:
        tasks = [taken for taken in everything if split_of(taken.content, recipe.splits) == split]
        for number, begin in enumerate(range(0, len(tasks), recipe.shard_rows)):
            some = tasks[begin : begin + recipe.shard_rows]
            file = f"{split}-{number:05d}.{recipe.format}"
            data = _bytes(_gathered(some, load), recipe.format)
            write_whole(folder / file, data)
            shards.append(Shard(file=file, split=split, rows=len(some), bytes=len(data), sha256=hashlib.sha256(data).hexdigest()))
    return shards


def _gathered(tasks: list[Taken], load: Load) -> Any:
    """One table of the tasks' rows, in their order. Each unit is read once."""
    import pyarrow as pa

    wanted: dict[Unit, list[int]] = {}
    for place, taken in enumerate(tasks):
        wanted.setdefault(taken.unit, []).append(place)
    parts, at, position = [], 0, [0] * len(tasks)
    for unit, places in wanted.items():
        parts.append(load(unit).take([tasks[place].row for place in places]))
        for place in places:
            position[place] = at
            at += 1
    return pa.concat_tables(parts).take(position).combine_chunks()


def _bytes(table: Any, form: str) -> bytes:
    if form == "jsonl":
        lines = (json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in table.to_pylist())
        return "".join(f"{line}\n" for line in lines).encode()
    import pyarrow.parquet as pq

    file = io.BytesIO()
    pq.write_table(table, file, compression="zstd", row_group_size=ROW_GROUP, version="2.6", data_page_version="1.0", store_schema=True)
    return file.getvalue()
