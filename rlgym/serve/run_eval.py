"""What an evaluation run has to show: its summary, its answers by environment and level, and its transcripts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rlgym.serve.folders import RunDamaged, RunFolder

ANSWERS, RESULTS = "answers.jsonl", "results.parquet"
LIGHT = "id env version domain kind split level seed sample value outcome reason right masked turns finish error".split()
"""The columns that are small, and enough for counting and choosing."""
HEAVY = "parts answer confidence requests prompt_tokens completion_tokens seconds cost messages difficulty".split()


def listed(run: RunFolder) -> dict[str, Any]:
    """A line of the list."""
    facts = run.read_json("run.json")
    suite, model = _part(facts, "suite"), _part(facts, "model")
    tasks, samples = suite.get("tasks"), _part(facts, "sampling").get("samples", 1)
    return {
        "title": str(facts.get("label") or run.title),
        "finished": bool(facts.get("finished")) and run.has(RESULTS),
        "model": model.get("name"),
        "suite": suite.get("name"),
        "episodes": tasks * samples if isinstance(tasks, int) and isinstance(samples, int) else None,
        "started": facts.get("started"),
    }


def summary(run: RunFolder) -> dict[str, Any]:
    """All but the transcripts."""
    answers = list(rows(run, LIGHT))
    return listed(run) | {
        "run": run.read_json("run.json"),
        "summary": run.read_json("summary.json") if run.has("summary.json") else None,
        "report": run.has("report.html"),
        "answers": len(answers),
        "outcomes": dict(Counter(str(row.get("outcome")) for row in answers).most_common()),
        "places": places(answers),
    }


def places(answers: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """How the answers of each environment and level were judged; masked ones are counted apart."""
    found: dict[tuple[str, str, float], list[Mapping[str, Any]]] = {}
    for row in answers:
        found.setdefault((str(row.get("env")), str(row.get("split") or "main"), float(row.get("level") or 0.0)), []).append(row)
    out = []
    for (env, split, level), those in sorted(found.items()):
        counted = [row for row in those if not row.get("masked")]
        tasks: dict[Any, list[bool]] = {}
        for row in counted:
            tasks.setdefault(row.get("id"), []).append(bool(row.get("right")))
        shares = [sum(right) / len(right) for right in tasks.values()]
        facts: dict[str, Any] = {"env": env, "split": split, "level": level, "domain": those[0].get("domain"), "kind": those[0].get("kind")}
        facts |= {"tasks": len(tasks), "answers": len(counted), "masked": len(those) - len(counted)}
        out.append(facts | {"right": sum(shares) / len(shares) if shares else None, "value": _mean([row.get("value") for row in counted])})
    return out


def transcripts(run: RunFolder, offset: int, limit: int, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """A page of the answers that are wanted: all that is known of each, its messages included."""
    chosen = [number for number, row in enumerate(rows(run, LIGHT)) if _fits(row, wanted)]
    page = chosen[offset : offset + limit]
    return {"total": len(chosen), "offset": offset, "transcripts": [_shown(number, row) for number, row in _at(run, page)]}


def rows(run: RunFolder, columns: list[str]) -> Iterator[dict[str, Any]]:
    """The answers with these columns: of a finished run from its table, of a half one from its journal."""
    if not run.has(RESULTS):
        for line in run.lines(ANSWERS) if run.has(ANSWERS) else ():
            yield {column: line.get(column) for column in columns}
        return
    for group, there in _groups(run, columns):
        yield from group.to_pylist() if there else ()


def _groups(run: RunFolder, columns: list[str], wanted: set[int] | None = None) -> Iterator[tuple[Any, bool]]:
    """The table of results a group of rows at a time; groups without a wanted row are counted and not read."""
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    with run.open(RESULTS) as file:
        try:
            table = ParquetFile(file)
            there = [column for column in columns if column in table.schema_arrow.names]
            first = 0
            for number in range(table.num_row_groups):
                length = table.metadata.row_group(number).num_rows
                needed = wanted is None or not wanted.isdisjoint(range(first, first + length))
                yield (table.read_row_group(number, columns=there), True) if needed else (range(length), False)
                first += length
        except (pa.ArrowException, OSError) as error:
            raise RunDamaged(f"{RESULTS} cannot be read: {str(error).splitlines()[0]:.200}") from None


def _at(run: RunFolder, numbers: list[int]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The whole rows at these places."""
    wanted = set(numbers)
    if not run.has(RESULTS):
        for number, line in enumerate(run.lines(ANSWERS) if wanted else ()):
            if number in wanted:
                yield number, line
        return
    first = 0
    for group, there in _groups(run, LIGHT + HEAVY, wanted) if wanted else ():
        inside = [number for number in numbers if first <= number < first + len(group)]
        if there and inside:
            yield from zip(inside, group.take([number - first for number in inside]).to_pylist(), strict=True)
        first += len(group)


def _fits(row: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return all(row.get(column) == value for column, value in wanted.items() if value is not None)


def _shown(number: int, row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with its JSON columns read."""
    out: dict[str, Any] = {"number": number, **{column: row.get(column) for column in LIGHT + HEAVY}}
    for column, empty in (("messages", []), ("parts", {})):
        found = out[column]
        try:
            out[column] = (json.loads(found) if isinstance(found, str) else found) or empty
        except ValueError:
            raise RunDamaged(f"the column {column} of the answer {number} is not JSON") from None
    return out


def _part(facts: Mapping[str, Any], name: str) -> dict[str, Any]:
    found = facts.get(name)
    return found if isinstance(found, dict) else {}


def _mean(values: list[Any]) -> float | None:
    numbers = [float(value) for value in values if isinstance(value, int | float)]
    return sum(numbers) / len(numbers) if numbers else None
