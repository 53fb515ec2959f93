"""The tasks of a run, with what their counted samples add up to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Row = Mapping[str, Any]
Array = Any  # numpy's arrays; one name for them where numpy's own types are not checked

FEW_LEVELS = 11
"""Up to so many different levels are told apart as they are; more are taken together by tenths."""


@dataclass(frozen=True)
class Tasks:
    """Tasks in the order of environment, split, level and id; every array has one element per task.

    samples   the rows of each task that count, by sample number; masked rows are left out
    n, right  how many those are, and how many of them are right
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

    def of(self, kept: Array) -> Tasks:
        """The tasks where `kept` is true."""
        at: list[int] = np.flatnonzero(kept).tolist()
        arrays = {name: getattr(self, name)[at] for name in ("env", "domain", "kind", "split", "level", "n", "right")}
        return Tasks([self.ids[i] for i in at], [self.samples[i] for i in at], **arrays)

    def sums(self, measure: Callable[[Row], float | None], only: Callable[[Row], bool] | None = None) -> tuple[Array, Array]:
        """Per task the sum of a measure over its samples, and over how many samples it runs; samples without the measure are passed over."""
        totals, counts = np.zeros(len(self)), np.zeros(len(self))
        for place, rows in enumerate(self.samples):
            found = [value for row in rows if (only is None or only(row)) and (value := measure(row)) is not None]
            totals[place], counts[place] = sum(found), len(found)
        return totals, counts

    def means(self, measure: Callable[[Row], float | None]) -> Array:
        """Per task the mean of a measure over its samples; NaN where no sample has it."""
        totals, counts = self.sums(measure)
        return np.divide(totals, counts, out=np.full(len(self), np.nan), where=counts > 0)


def as_rows(rows: Any) -> list[dict[str, Any]]:
    """Rows as dictionaries, from a list of them or an Arrow table."""
    return rows.to_pylist() if hasattr(rows, "to_pylist") else list(rows)


def gather(rows: Iterable[Row]) -> Tasks:
    """The tasks of which at least one sample counts."""
    by_task: dict[str, dict[int, Row]] = {}
    for row in rows:
        if not row["masked"]:
            by_task.setdefault(row["id"], {})[row["sample"]] = row
    shown = _shown_levels({float(row["level"]) for samples in by_task.values() for row in samples.values()})
    made = [[samples[number] for number in sorted(samples)] for samples in by_task.values()]
    made.sort(key=lambda samples: (environment_of(samples[0]), samples[0]["split"], samples[0]["level"], samples[0]["id"]))
    first = [samples[0] for samples in made]
    return Tasks(
        [row["id"] for row in first],
        made,
        env=_texts(map(environment_of, first)),
        domain=_texts(row["domain"] for row in first),
        kind=_texts(row["kind"] for row in first),
        split=_texts(row["split"] for row in first),
        level=np.array([shown(float(row["level"])) for row in first], dtype=float),
        n=np.array([len(samples) for samples in made], dtype=int),
        right=np.array([sum(bool(row["right"]) for row in samples) for samples in made], dtype=int),
    )


def environment_of(row: Row) -> str:
    """The environment of a row; that of NAME:shift is NAME, since `split` says the rest."""
    return str(row["env"]).removesuffix(":shift")


def _shown_levels(levels: set[float]) -> Callable[[float], float]:
    return (lambda level: round(level, 6)) if len(levels) <= FEW_LEVELS else (lambda level: round(level, 1))


def _texts(values: Iterable[str]) -> Array:
    return np.array(list(values), dtype=object)


def codes(*columns: Array) -> tuple[Array, list[Any]]:
    """The number of each task's group where the columns together name the group, and the names in order."""
    keys = list(zip(*(column.tolist() for column in columns)))
    names = sorted(set(keys))
    place = {name: number for number, name in enumerate(names)}
    return np.array([place[key] for key in keys], dtype=int), [name if len(columns) > 1 else name[0] for name in names]
