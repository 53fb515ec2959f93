"""Writes rows in the columns that trainers read. The adapters use the same functions."""

from __future__ import annotations

import json
import os
import tarfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from itertools import islice
from pathlib import Path

from rlgym.core.errors import RecipeError, RowError, suggestion
from rlgym.core.paths import local_path
from rlgym.dataset.harbor import write_tasks
from rlgym.dataset.layouts import JSON_LINES_ONLY, LAYOUTS, SINGLE_TURN, dpo, schema
from rlgym.dataset.preference_pairs import part_dpo
from rlgym.dataset.read import load
from rlgym.dataset.rows import Row
from rlgym.dataset.score import parse_turns, read_responses
from rlgym.episode.scoring import Response

BATCH = 500
ResponsesById = Mapping[str, list[Response]]


@dataclass(frozen=True)
class Exported:
    """The result of an export.

    rows        rows that were read
    records     records that were written
    left_out    rows that gave no record
    many_turns  rows of many turns that were written although the layout's usual reader asks once
    dropped     rows of many turns that were left out, as `single_turn` asks
    """

    rows: int
    records: int
    left_out: int
    many_turns: int = 0
    dropped: int = 0


def export(
    folder: str | Path,
    layout: str,
    out: str | Path,
    *,
    split: str | None = None,
    rollouts: str | Path | None = None,
    single_turn: bool = False,
    wheel: str | Path | None = None,
) -> Exported:
    """Write the rows of a built dataset (of one split, if named) with `write`.

    `rollouts` is a file of responses as in `score_responses`. The responses are scored, and the wrong ones become the rejected side of
    dpo pairs; a row without a wrong response gives no pair. For part-dpo they are compared with each other, part by part.
    """
    if rollouts is not None and layout not in ("dpo", "part-dpo"):
        raise RecipeError(f"rollouts are for the layouts dpo and part-dpo, got {layout!r}")
    responses = None if rollouts is None else _responses_by_id(rollouts)
    return write(load(folder, split), layout, out, responses=responses, single_turn=single_turn, wheel=wheel)


def write(
    rows: Iterable[Row],
    layout: str,
    out: str | Path,
    *,
    responses: ResponsesById | None = None,
    single_turn: bool = False,
    wheel: str | Path | None = None,
) -> Exported:
    """Write rows to a .parquet, .jsonl or .tar file, in the columns of a trainer. The file is written atomically.

    A .tar file is a shard of WebDataset: a member KEY.json for each record. The layout harbor writes a folder of task folders instead.

    responses    maps row ids to responses; the wrong ones become the rejected side of dpo pairs, and those of part-dpo are compared by part
    single_turn  leave out rows of many turns
    wheel        for harbor: the wheel of rlgym that the images install
    """
    if wheel is not None and layout != "harbor":
        raise RecipeError(f"a wheel is for the layout harbor, got {layout!r}")
    if layout == "harbor":
        return _write_folders(rows, out, single_turn=single_turn, wheel=wheel)
    file = local_path(out)
    if layout not in LAYOUTS:
        known = [*LAYOUTS, "harbor"]
        raise RecipeError(f"there is no layout {layout!r}.{suggestion(layout, known)} The layouts are {', '.join(known)}")
    if file.suffix not in (".parquet", ".jsonl", ".tar"):
        raise RecipeError(f"the file must end in .parquet, .jsonl or .tar, got {file.name!r}")
    if file.suffix == ".parquet" and layout in JSON_LINES_ONLY:
        raise RecipeError(f"the layout {layout!r} holds the schemas of tools and needs a .jsonl file, got {file.name!r}")
    counts = {"rows": 0, "records": 0, "left_out": 0, "many_turns": 0, "dropped": 0}
    if single_turn:
        rows = _single_turn(rows, counts)
    with _writer(file, layout) as put:
        records = _records(rows, layout, responses, counts)
        while batch := list(islice(records, BATCH)):
            put(batch)
        if not counts["records"]:
            raise RowError(f"there is no record of the layout {layout!r} to write: {counts['rows']} rows gave none")
    return Exported(**counts)


def _write_folders(rows: Iterable[Row], out: str | Path, *, single_turn: bool, wheel: str | Path | None) -> Exported:
    counts = {"dropped": 0, "many_turns": 0}

    def counted() -> Iterator[Row]:
        for row in _single_turn(rows, counts) if single_turn else rows:
            counts["many_turns"] += row["kind"] != "environment"
            yield row

    records = write_tasks(counted(), out, wheel=wheel)
    return Exported(rows=records, records=records, left_out=0, **counts)


def _single_turn(rows: Iterable[Row], counts: dict[str, int]) -> Iterator[Row]:
    for row in rows:
        if row["kind"] == "environment":
            yield row
        else:
            counts["dropped"] += 1


def _records(rows: Iterable[Row], layout: str, responses: ResponsesById | None, counts: dict[str, int]) -> Iterator[Row]:
    for number, row in enumerate(rows):
        if responses is None:
            records = LAYOUTS[layout](row, number)
        elif layout == "part-dpo":
            records = part_dpo(row, number, [text for text in responses.get(row["id"], ()) if isinstance(text, str)])
        else:
            many = row["kind"] != "environment"
            wrong_answers = [parse_turns(wrong) if many and isinstance(wrong, str) else wrong for wrong in responses.get(row["id"], ())]
            records = [pair for wrong in wrong_answers for pair in dpo(row, number, wrong)]
        counts["rows"] += 1
        counts["many_turns"] += layout in SINGLE_TURN and row["kind"] != "environment"
        counts["records"] += len(records)
        counts["left_out"] += not records
        yield from records


@contextmanager
def _writer(file: Path, layout: str) -> Iterator[Callable[[list[Row]], None]]:
    """A function that writes records to a file, which appears once all are written."""
    unfinished = file.with_name(f"{file.name}.{os.getpid()}.unfinished")
    try:
        if file.suffix == ".tar":
            with tarfile.open(unfinished, "w") as shard:
                yield partial(_add_members, shard, layout)
        elif file.suffix == ".jsonl":
            with open(unfinished, "w", encoding="utf-8") as lines:
                yield lambda batch: lines.writelines(json.dumps(record, ensure_ascii=True) + "\n" for record in batch)
        else:
            import pyarrow as pa
            import pyarrow.parquet as pq

            shape = schema(layout)
            with pq.ParquetWriter(unfinished, shape, compression="zstd") as table:
                yield lambda batch: table.write_table(pa.Table.from_pylist(batch, schema=shape))
        os.replace(unfinished, file)
    finally:
        unfinished.unlink(missing_ok=True)


def _add_members(shard: tarfile.TarFile, layout: str, batch: list[Row]) -> None:
    """Add records to a WebDataset shard. A key has no dot and is unique, since WebDataset reads it up to the first dot."""
    for record in batch:
        number = len(shard.getmembers())
        data = json.dumps(record, ensure_ascii=True).encode()
        member = tarfile.TarInfo(f"{layout}-{number:08d}.json")
        member.size = len(data)
        shard.addfile(member, BytesIO(data))


def _responses_by_id(rollouts: str | Path) -> ResponsesById:
    responses_of: dict[str, list[Response]] = defaultdict(list)
    for number, line in enumerate(read_responses(Path(rollouts)), 1):
        identity, response = line.get("id"), line.get("response")
        turns = isinstance(response, list) and all(isinstance(turn, str) for turn in response)
        if not isinstance(identity, str) or not (isinstance(response, str) or turns):
            raise RowError(f"response {number} of {str(rollouts)!r} needs `id` (a string) and `response` (a string, or a list of turns)")
        read = response if isinstance(response, str) else list(map(str, response or ()))
        if read not in responses_of[identity]:
            responses_of[identity].append(read)
    return responses_of
