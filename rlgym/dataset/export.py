"""Writes rows in the columns that trainers read; the adapters make theirs of the same functions."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from rlgym.core.errors import RecipeError, RowError, suggestion
from rlgym.dataset import rows as own
from rlgym.dataset.read import load
from rlgym.dataset.rows import Row
from rlgym.dataset.score import read_responses, responses, turns_of, wrong_response
from rlgym.dataset.tickets import ticket
from rlgym.episode.scoring import Response, score

BATCH = 500
Said = Mapping[str, list[Response]]


@dataclass(frozen=True)
class Exported:
    """What was written: rows read, records made of them, and rows that gave no record."""

    rows: int
    records: int
    left_out: int


def trl(row: Row, number: int = 0) -> list[Row]:
    """For TRL's GRPO and its kin: the prompt as messages, and columns that reach the reward function."""
    return [{"prompt": row["messages"], "ticket": ticket(row), "id": row["id"], "environment": row["env"], "level": row["level"]}]


def verl(row: Row, number: int = 0) -> list[Row]:
    """For verl: the schema of its RLHFDataset; many-turn rows name the agent loop that plays them."""
    about = {"index": number, "id": row["id"], "env": row["env"], "level": row["level"], "split": row["split"]}
    return [
        {
            "data_source": f"rlgym/{row['env']}",
            "agent_name": "single_turn_agent" if row["kind"] == "environment" else "rlgym",
            "prompt": row["messages"],
            "ability": row["domain"],
            "reward_model": {"style": "rule", "ground_truth": ticket(row)},
            "extra_info": about,
        }
    ]


def openrlhf(row: Row, number: int = 0) -> list[Row]:
    """For OpenRLHF: input, label and datasource."""
    return [{"input": row["messages"], "label": ticket(row), "datasource": row["env"]}]


def verifiers(row: Row, number: int = 0) -> list[Row]:
    """For verifiers: the fields of the adapter's RlgymData."""
    return [{"id": row["id"], "name": row["env"], "prompt": row["messages"][0]["content"], "ticket": ticket(row)}]


def sft(row: Row, number: int = 0) -> list[Row]:
    """A record for each turn of the oracle: what was said before it, and the turn; explained where the row explains."""
    said = row["oracle_messages"]
    turns = [place for place, message in enumerate(said) if message["role"] == "assistant"]
    return [{"prompt": said[:place], "completion": [said[place]], "id": row["id"]} for place in turns]


def chat(row: Row, number: int = 0) -> list[Row]:
    """The oracle's whole conversation, as fine-tuning services take it."""
    return [{"messages": row["oracle_messages"]}]


def plain(row: Row, number: int = 0) -> list[Row]:
    """The row as it is."""
    return [{column: row[column] for column in own.COLUMNS}]


def dpo(row: Row, number: int = 0, wrong: Response | None = None) -> list[Row]:
    """The oracle's answer and a wrong one; none where there is no wrong one.

    Neither is explained: they must differ in the answer, not in how much is said. Of many turns it is the first that differs.
    """
    try:
        rejected = wrong_response(row) if wrong is None else wrong
        judged = score(row, rejected)
    except RowError as error:
        if "declares no real mistake" not in str(error):
            raise
        return []
    if judged.masked or judged.value == 1:
        return []
    right, rejected = _listed(responses(row)), _listed(rejected)
    differing = [place for place, (one, other) in enumerate(zip(right, rejected)) if one != other]
    if not differing:
        return []
    place = differing[0]
    chosen, worse = ([{"role": "assistant", "content": turns[place]}] for turns in (right, rejected))
    before = row["oracle_messages"][: 2 * place + 1]
    return [{"prompt": before, "chosen": chosen, "rejected": worse, "id": row["id"]}]


LAYOUTS: dict[str, Callable[..., list[Row]]] = {
    "trl": trl,
    "verl": verl,
    "openrlhf": openrlhf,
    "verifiers": verifiers,
    "sft": sft,
    "dpo": dpo,
    "chat": chat,
    "jsonl": plain,
}
# A list is one of messages.
_ABOUT = {"index": int, "id": str, "env": str, "level": float, "split": str}
_COLUMNS: dict[str, dict[str, Any]] = {
    "trl": {"prompt": list, "ticket": str, "id": str, "environment": str, "level": float},
    "verl": {
        "data_source": str,
        "agent_name": str,
        "prompt": list,
        "ability": str,
        "reward_model": {"style": str, "ground_truth": str},
        "extra_info": _ABOUT,
    },
    "openrlhf": {"input": list, "label": str, "datasource": str},
    "verifiers": {"id": str, "name": str, "prompt": str, "ticket": str},
    "sft": {"prompt": list, "completion": list, "id": str},
    "dpo": {"prompt": list, "chosen": list, "rejected": list, "id": str},
    "chat": {"messages": list},
}


def schema(layout: str) -> Any:
    """The Arrow schema of a layout."""
    import pyarrow as pa

    if layout == "jsonl":
        return own.schema()
    kinds = {list: pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())])), float: pa.float64(), int: pa.int64()}

    def of(kind: Any) -> Any:
        return pa.struct([(field, of(one)) for field, one in kind.items()]) if isinstance(kind, dict) else kinds.get(kind, pa.string())

    return pa.schema([(column, of(kind)) for column, kind in _COLUMNS[layout].items()])


def export(folder: str | Path, layout: str, out: str | Path, *, split: str | None = None, rollouts: str | Path | None = None) -> Exported:
    """Write a built dataset's rows (of one split, if named) with `write`.

    With `rollouts`, a file of responses as `score_responses` takes it, those of them that are wrong are what dpo rejects; they
    are scored here, and a row without a wrong one gives no pair.
    """
    if rollouts is not None and layout != "dpo":
        raise RecipeError(f"rollouts are for the layout dpo, got {layout!r}")
    return write(load(folder, split), layout, out, said=None if rollouts is None else _by_row(rollouts))


def write(rows: Iterable[Row], layout: str, out: str | Path, *, said: Said | None = None) -> Exported:
    """Write rows to a .parquet or .jsonl file, in the columns of a trainer. The file is there whole, or not at all.

    `said` may hold responses by the row's id, of which the wrong ones are what dpo rejects.
    """
    file = Path(out)
    if layout not in LAYOUTS:
        raise RecipeError(f"there is no layout {layout!r};{suggestion(layout, LAYOUTS)} the layouts are {', '.join(LAYOUTS)}")
    if file.suffix not in (".parquet", ".jsonl"):
        raise RecipeError(f"the file must end in .parquet or .jsonl, got {file.name!r}")
    counts = {"rows": 0, "records": 0, "left_out": 0}
    with _writer(file, layout) as put:
        made = _records(rows, layout, said, counts)
        while batch := list(islice(made, BATCH)):
            put(batch)
        if not counts["records"]:
            raise RowError(f"there is no record of the layout {layout!r} to write: {counts['rows']} rows gave none")
    return Exported(**counts)


def _records(rows: Iterable[Row], layout: str, said: Said | None, counts: dict[str, int]) -> Iterator[Row]:
    for number, row in enumerate(rows):
        if said is None:
            made = LAYOUTS[layout](row, number)
        else:
            many = row["kind"] != "environment"
            given = [turns_of(wrong) if many and isinstance(wrong, str) else wrong for wrong in said.get(row["id"], ())]
            made = [pair for wrong in given for pair in dpo(row, number, wrong)]
        counts["rows"] += 1
        counts["records"] += len(made)
        counts["left_out"] += not made
        yield from made


@contextmanager
def _writer(file: Path, layout: str) -> Iterator[Callable[[list[Row]], None]]:
    """What writes records to a file that appears once all are written."""
    unfinished = file.with_name(f"{file.name}.{os.getpid()}.unfinished")
    try:
        if file.suffix == ".jsonl":
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


def _by_row(rollouts: str | Path) -> Said:
    said: dict[str, list[Response]] = defaultdict(list)
    for number, line in enumerate(read_responses(Path(rollouts)), 1):
        identity, response = line.get("id"), line.get("response")
        turns = isinstance(response, list) and all(isinstance(turn, str) for turn in response)
        if not isinstance(identity, str) or not (isinstance(response, str) or turns):
            raise RowError(f"response {number} of {str(rollouts)!r} needs `id` (a string) and `response` (a string, or a list of turns)")
        read = response if isinstance(response, str) else list(map(str, response or ()))
        if read not in said[identity]:
            said[identity].append(read)
    return said


def _listed(response: Response) -> list[str]:
    return [response] if isinstance(response, str) else list(response)
