"""A SQLite file of (model, environment, version, level, knobs, seed) with samples, right ones and tokens."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from rlgym.core.errors import RlgymError, RowError
from rlgym.core.paths import local_path

FORMAT = 1
_TABLES = """
CREATE TABLE IF NOT EXISTS counts (
    source TEXT NOT NULL, model TEXT NOT NULL, env TEXT NOT NULL, version INTEGER NOT NULL, level REAL NOT NULL, knobs TEXT NOT NULL,
    seed INTEGER NOT NULL, samples INTEGER NOT NULL, right INTEGER NOT NULL, tokens INTEGER,
    PRIMARY KEY (source, model, env, version, level, knobs, seed)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_model ON counts (model, env, version, level);
"""
_KEY = ("model", "env", "version", "level", "knobs", "seed")
COLUMNS = (*_KEY, "samples", "right", "tokens")
"""The columns of the exported table."""


class StoreError(RlgymError, ValueError):
    """The file is no pass-rate store, or belongs to another version of the library, or what is recorded is impossible."""


@dataclass(frozen=True, slots=True)
class TaskKey:
    """One task as a model met it. `level` is -1 where only the knobs are known; `knobs` is their JSON with sorted keys."""

    model: str
    env: str
    version: int
    level: float
    knobs: str
    seed: int

    @classmethod
    def of_row(cls, model: str, row: Mapping[str, Any]) -> Self:
        """The key of a row of a dataset, a suite or a run."""
        knobs = row.get("knobs") or "{}"
        text = knobs if isinstance(knobs, str) else json.dumps(dict(knobs), sort_keys=True)
        level = row.get("level")
        return cls(model, str(row["env"]), int(row["version"]), -1.0 if level is None else float(level), text, int(row["seed"]))


@dataclass(frozen=True, slots=True)
class Entry:
    """The counts of one task: samples, right ones, and all their completion tokens (None if unknown)."""

    key: TaskKey
    samples: int
    right: int
    tokens: int | None = None

    @property
    def rate(self) -> float:
        """The share of right samples."""
        return self.right / self.samples


class PassRates:
    """A pass-rate store on disk.

    What is recorded belongs to a source, such as the folder of a run. Recording a source again replaces its counts of a task, so that nothing
    is counted twice after an interruption. Several processes may read and write one file.
    """

    def __init__(self, file: str | Path) -> None:
        self.file = local_path(file)
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(self.file, timeout=60, isolation_level=None)
            self._create_tables()
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"{str(self.file)!r} is no pass-rate store: {error}") from None

    def _create_tables(self) -> None:
        (found,) = self._connection.execute("PRAGMA user_version").fetchone()
        (tables,) = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if found not in (0, FORMAT) or (found == 0 and tables):
            raise StoreError(f"{str(self.file)!r} must have format {FORMAT}, got {found}: it was written by something else")
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.executescript(f"BEGIN IMMEDIATE;{_TABLES}PRAGMA user_version = {FORMAT};COMMIT;")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def record(self, source: str, entries: Iterable[Entry], *, replace: bool = False) -> int:
        """Set the counts of a source, all or none of them; returns how many tasks were recorded.

        `replace` removes what the source recorded before, also of tasks that are not in `entries`.
        """
        rows = [_entry_row(source, entry) for entry in entries]
        with closing(self._connection.cursor()) as cursor:
            cursor.execute("BEGIN IMMEDIATE")
            try:
                if replace:
                    cursor.execute("DELETE FROM counts WHERE source = ?", (source,))
                cursor.executemany(f"INSERT OR REPLACE INTO counts VALUES ({', '.join('?' * 10)})", rows)
            except sqlite3.Error:
                cursor.execute("ROLLBACK")
                raise
            cursor.execute("COMMIT")
        return len(rows)

    def add_run(self, rows: Iterable[Mapping[str, Any]], model: str, source: str) -> int:
        """Record the rows of an evaluation, or of scored responses: `right`, `masked`, and `completion_tokens` if known. Masked ones do not count."""
        counts: dict[TaskKey, list[int]] = {}
        unknown: set[TaskKey] = set()
        for row in rows:
            if row.get("masked"):
                continue
            key, tokens = TaskKey.of_row(model, row), row.get("completion_tokens")
            count = counts.setdefault(key, [0, 0, 0])
            count[0] += 1
            count[1] += bool(row["right"])
            count[2] += tokens or 0
            if tokens is None:
                unknown.add(key)
        entries = (Entry(key, samples, right, None if key in unknown else tokens) for key, (samples, right, tokens) in counts.items())
        return self.record(source, entries)

    def models(self) -> list[str]:
        """The models with any record, sorted."""
        return [name for (name,) in self._connection.execute("SELECT DISTINCT model FROM counts ORDER BY model")]

    def entries(
        self,
        model: str,
        env: str | None = None,
        *,
        low: float = 0.0,
        high: float = 1.0,
        min_samples: int = 1,
        current: bool = False,
        without: str = "",
    ) -> Iterator[Entry]:
        """The tasks that a model solved at a rate from `low` to `high` with at least so many samples, in a fixed order.

        Counts of several sources are added. `current`: only tasks of the version that the environment has now. `without`: leave out the
        sources whose names begin so, such as those of a run that reads its own store.
        """
        where, values = _condition(model, env, without)
        query = f"""SELECT model, env, version, level, knobs, seed, SUM(samples), SUM(right),
            CASE WHEN COUNT(tokens) = COUNT(*) THEN SUM(tokens) END
            FROM counts WHERE {where} GROUP BY model, env, version, level, knobs, seed ORDER BY env, version, level, knobs, seed"""
        for *key, samples, right, tokens in self._connection.execute(query, values):
            entry = Entry(TaskKey(*key), samples, right, tokens)
            if samples >= min_samples and low <= entry.rate <= high and not (current and _is_outdated(entry.key)):
                yield entry

    def variances(self, model: str, env: str, *, without: str = "") -> dict[TaskKey, float]:
        """The variance of each task's solve rate over its sources, such as the steps of a run that repeats its tasks; 0 for one source."""
        where, values = _condition(model, env, without)
        query = f"""SELECT model, env, version, level, knobs, seed, AVG(rate * rate) - AVG(rate) * AVG(rate)
            FROM (SELECT *, 1.0 * right / samples AS rate FROM counts WHERE {where}) GROUP BY model, env, version, level, knobs, seed"""
        return {TaskKey(*key): max(0.0, variance) for *key, variance in self._connection.execute(query, values)}

    def rates(self, model: str) -> dict[str, float]:
        """Each environment's mean solve rate over its tasks of the current version; each task counts once."""
        sums: dict[str, list[float]] = {}
        for entry in self.entries(model, current=True):
            sums.setdefault(entry.key.env, []).append(entry.rate)
        return {env: sum(rates) / len(rates) for env, rates in sums.items()}

    def export(self, file: str | Path) -> int:
        """Write all counts, summed over sources, as Parquet; returns the number of rows."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        rows = [asdict(entry.key) | {"samples": entry.samples, "right": entry.right, "tokens": entry.tokens} for entry in self._all()]
        types = (pa.string(), pa.string(), pa.int32(), pa.float64(), pa.string(), pa.int64(), pa.int64(), pa.int64(), pa.int64())
        pq.write_table(
            pa.Table.from_pylist(rows, schema=pa.schema(list(zip(COLUMNS, types, strict=True)))), local_path(file), compression="zstd"
        )
        return len(rows)

    def import_(self, file: str | Path, source: str = "") -> int:
        """Record the rows of an exported table under a source, by default the file's name."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            rows = pq.read_table(local_path(file)).to_pylist()
        except (OSError, pa.ArrowException) as error:
            raise RowError(f"{str(file)!r} cannot be read: {str(error).splitlines()[0]}") from None
        if rows and (missing := set(COLUMNS) - rows[0].keys()):
            raise RowError(f"{str(file)!r} is no table of pass rates: it has no column {sorted(missing)[0]!r}")
        entries = (Entry(TaskKey(*(row[name] for name in _KEY)), row["samples"], row["right"], row["tokens"]) for row in rows)
        return self.record(source or Path(file).name, entries)

    def _all(self) -> Iterator[Entry]:
        for model in self.models():
            yield from self.entries(model)


def _condition(model: str, env: str | None, without: str) -> tuple[str, list[str | int]]:
    """The condition of a query, and its values."""
    where, values = "model = ?", list[str | int]([model])
    if env is not None:
        where, values = where + " AND env = ?", [*values, env]
    if without:
        where, values = where + " AND substr(source, 1, ?) != ?", [*values, len(without), without]
    return where, values


def _entry_row(source: str, entry: Entry) -> tuple[Any, ...]:
    if not source or not entry.key.model:
        raise StoreError("the source and the model of pass rates need names")
    if entry.samples < 1 or not 0 <= entry.right <= entry.samples or (entry.tokens is not None and entry.tokens < 0):
        raise StoreError(f"{entry.right} right of {entry.samples} samples of {entry.key.env} is impossible")
    key = entry.key
    return (source, key.model, key.env, key.version, key.level, key.knobs, key.seed, entry.samples, entry.right, entry.tokens)


def _is_outdated(key: TaskKey) -> bool:
    from rlgym.registry import environment

    try:
        return environment(key.env).version != key.version
    except RlgymError:
        return True
