"""Responses cut into steps, with the labels of one or several sources.

A step is the text up to a separator, a line break by default; blank pieces belong to the step before. Labels go from 0 (wrong) to 1
(right), and None where a source says nothing of a step.

    exact   the environment's own step checker: 1 or 0, and None for prose and for what depends on a wrong step
    rates   the share of continuations after the step that end in the right answer
    judge   the share of critiques of a model that call the step right
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rlgym import RlgymError
from rlgym.core.answer import Style
from rlgym.dataset.files import write_atomically
from rlgym.evaluate.step_texts import SEPARATOR, Labels, steps_of

SOURCES = ("exact", "rates", "judge")
"""Where labels come from."""

_PLAIN = ("id", "sample", "env", "version", "level", "seed", "right", "separator")
_LATER = ("knobs", "answer_style", "generator")  # fields that files of earlier versions lack


class StepsError(RlgymError, ValueError):
    """A file of labelled steps is damaged, or lacks what was asked of it."""


@dataclass(frozen=True)
class StepRecord:
    """A response to a task, cut into steps.

    ends       the number of characters of the response up to the end of each step, without the white space after it
    right      whether the verifier gives the response the full score
    separator  what ends a step
    labels     the labels of each source
    chains     critiques of all steps in words, from the source `judge`
    knobs, answer_style  of the task, as result rows have them; without knobs those of the level
    generator  the name of the model that responded
    """

    id: str
    sample: int
    env: str
    version: int
    level: float | None
    seed: int
    prompt: str
    response: str
    right: bool
    ends: tuple[int, ...]
    separator: str = SEPARATOR
    labels: Mapping[str, Labels] = field(default_factory=dict)
    chains: tuple[str, ...] = ()
    knobs: str = ""
    answer_style: Style = "tag"
    generator: str = ""

    @property
    def task_row(self) -> dict[str, Any]:
        """The columns that `rlgym.dataset.rows.task_of_row` makes the task from."""
        return {name: getattr(self, name) for name in ("id", "env", "seed", "level", "knobs")}

    @property
    def steps(self) -> list[str]:
        """The text of each step, without white space around it."""
        return steps_of(self.response, self.ends)

    def labels_of(self, source: str) -> Labels:
        """The labels of a source; StepsError where the response has none."""
        if source not in self.labels:
            known = ", ".join(self.labels) or "none"
            raise StepsError(
                f"the steps of {self.id} have no labels of the source {source!r}; they have {known}: label them with --sources"
            )
        return self.labels[source]

    def with_labels(self, source: str, labels: Sequence[float | None], chains: Sequence[str] = ()) -> StepRecord:
        """The record with the labels of a further source."""
        return replace(self, labels={**self.labels, source: tuple(labels)}, chains=(*self.chains, *chains))

    def to_dict(self) -> dict[str, Any]:
        """The record as JSON-able data. It has the columns of a result of an evaluation that `sft.rollouts` reads."""
        messages = [{"role": "user", "content": self.prompt}, {"role": "assistant", "content": self.response}]
        return {name: getattr(self, name) for name in (*_PLAIN, *_LATER)} | {
            "kind": "environment",
            "masked": False,
            "messages": messages,
            "ends": list(self.ends),
            "labels": {source: list(labels) for source, labels in self.labels.items()},
            "chains": list(self.chains),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> StepRecord:
        """The inverse of `to_dict`."""
        prompt, response = (message["content"] for message in values["messages"])
        labels = {source: tuple(given) for source, given in values["labels"].items()}
        plain = {name: values[name] for name in _PLAIN} | {name: values[name] for name in _LATER if name in values}
        return cls(**plain, prompt=prompt, response=response, ends=tuple(values["ends"]), labels=labels, chains=tuple(values["chains"]))


def first_wrong(labels: Sequence[float | None], source: str, at: float = 0.0) -> int:
    """The place of the first wrong step, counted from 0; -1 if none is wrong.

    A success rate means a wrong step if it is at most `at`; every other label if it is below a half.
    """
    return next((k for k, label in enumerate(labels) if label is not None and is_wrong(label, source, at)), -1)


def is_wrong(label: float, source: str, at: float = 0.0) -> bool:
    """Whether a label says that the step is wrong."""
    return label <= at if source == "rates" else label < 0.5


def write_records(file: Path, records: Iterable[StepRecord]) -> None:
    """Write records as JSON lines."""
    write_atomically(file, "".join(json.dumps(record.to_dict()) + "\n" for record in records).encode())


def read_records(place: Path) -> list[StepRecord]:
    """The records of a file, or of the folder that `rlgym steps label` or `rlgym steps tree` wrote. Raises StepsError."""
    file = place / "steps.jsonl" if place.is_dir() else place
    try:
        return list(_read(file))
    except OSError as error:
        raise StepsError(f"{file} cannot be read ({error}): write it with `rlgym steps label`") from None


def _read(file: Path) -> Iterator[StepRecord]:
    with open(file, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield StepRecord.from_dict(json.loads(line))
            except (ValueError, KeyError, TypeError) as error:
                raise StepsError(f"line {number} of {file} is no record of labelled steps: {error}") from None
