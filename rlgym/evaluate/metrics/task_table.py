"""The tasks of a run as arrays, with the counts of their samples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Row = Mapping[str, Any]
Array = Any  # numpy's arrays; one name for them where numpy's own types are not checked

FEW_LEVELS = 11
"""Up to this many different levels are kept as they are; more are rounded to tenths."""


@dataclass(frozen=True)
class Tasks:
    """Tasks in the order of environment, split, level and id; every array has one element per task.

    samples   the unmasked rows of each task, by sample number
    n, right  the number of these rows, and how many of them are right
    """

    ids: Sequence[str]
    samples: Sequence[Sequence[Row]]
    env: Array
    domain: Array
    kind: Array
    split: Array
    level: Array
    n: Array = field(repr=False)
    right: Array = field(repr=False)

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def accuracy(self) -> Array:
        """The share of right samples of each task."""
        return self.right / self.n

    def subset(self, mask: Array) -> Tasks:
        """The tasks where `kept` is true."""
        at: list[int] = np.flatnonzero(mask).tolist()
        arrays = {name: getattr(self, name)[at] for name in ("env", "domain", "kind", "split", "level", "n", "right")}
        return Tasks([self.ids[i] for i in at], [self.samples[i] for i in at], **arrays)

    def sums(self, measure: Callable[[Row], float | None], only: Callable[[Row], bool] | None = None) -> tuple[Array, Array]:
        """Per task the sum of a measure over its samples, and the number of samples that have it."""
        totals, counts = np.zeros(len(self)), np.zeros(len(self))
        for place, rows in enumerate(self.samples):
            values = [value for row in rows if (only is None or only(row)) and (value := measure(row)) is not None]
            totals[place], counts[place] = sum(values), len(values)
        return totals, counts

    def means(self, measure: Callable[[Row], float | None]) -> Array:
        """Per task the mean of a measure over its samples; NaN if no sample has it."""
        totals, counts = self.sums(measure)
        return np.divide(totals, counts, out=np.full(len(self), np.nan), where=counts > 0)


def rows_as_dicts(rows: Any) -> list[dict[str, Any]]:
    """Rows as dictionaries, from a list of them or an Arrow table."""
    return rows.to_pylist() if hasattr(rows, "to_pylist") else list(rows)


def task_table(rows: Iterable[Row]) -> Tasks:
    """The tasks with at least one unmasked sample."""
    by_task: dict[str, dict[int, Row]] = {}
    for row in rows:
        if not row["masked"]:
            by_task.setdefault(row["id"], {})[row["sample"]] = row
    shown = _shown_levels({float(row["level"]) for samples in by_task.values() for row in samples.values()})
    samples_by_task = [[samples[number] for number in sorted(samples)] for samples in by_task.values()]
    samples_by_task.sort(key=lambda samples: (environment_of(samples[0]), samples[0]["split"], samples[0]["level"], samples[0]["id"]))
    first = [samples[0] for samples in samples_by_task]
    return Tasks(
        [row["id"] for row in first],
        samples_by_task,
        env=_texts(map(environment_of, first)),
        domain=_texts(row["domain"] for row in first),
        kind=_texts(row["kind"] for row in first),
        split=_texts(row["split"] for row in first),
        level=np.array([shown(float(row["level"])) for row in first], dtype=float),
        n=np.array([len(samples) for samples in samples_by_task], dtype=int),
        right=np.array([sum(bool(row["right"]) for row in samples) for samples in samples_by_task], dtype=int),
    )


def environment_of(row: Row) -> str:
    """The environment of a row; NAME:shift counts as NAME, since `split` holds the difference."""
    return str(row["env"]).removesuffix(":shift")


def _shown_levels(levels: set[float]) -> Callable[[float], float]:
    return (lambda level: round(level, 6)) if len(levels) <= FEW_LEVELS else (lambda level: round(level, 1))


def _texts(values: Iterable[str]) -> Array:
    return np.array(list(values), dtype=object)


def group_codes(*columns: Array) -> tuple[Array, list[Any]]:
    """The group index of each task, grouped by the columns together, and the sorted group names."""
    keys = list(zip(*(column.tolist() for column in columns)))
    names = sorted(set(keys))
    place = {name: number for number, name in enumerate(names)}
    return np.array([place[key] for key in keys], dtype=int), [name if len(columns) > 1 else name[0] for name in names]
