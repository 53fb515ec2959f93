"""Compares label sources with a reference, and keeps the responses on which sources agree.

From "The Lessons of Developing Process Reward Models in Mathematical Reasoning": labels from success rates, from a judge and exact ones differ,
and responses on which several sources put the first error at the same step make cleaner data.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rlgym.core.intervals import share
from rlgym.evaluate.metrics.step_errors import step_error_metrics
from rlgym.evaluate.steps.records import StepRecord, first_wrong, is_wrong


def agrees(record: StepRecord, sources: Sequence[str], at: float = 0.0) -> bool:
    """Whether all sources put the first wrong step at the same place, or none finds one."""
    return len({first_wrong(record.labels_of(source), source, at) for source in sources}) <= 1


def consensus(records: Iterable[StepRecord], sources: Sequence[str], at: float = 0.0) -> list[StepRecord]:
    """The records on which the sources agree. From "The Lessons of Developing Process Reward Models in Mathematical Reasoning"."""
    return [record for record in records if agrees(record, sources, at)]


def compare_sources(records: Sequence[StepRecord], reference: str = "exact", at: float = 0.0) -> list[dict[str, Any]]:
    """What each source of the records says, beside the reference.

    steps, labelled      the number of steps, and the share that has a label
    wrong                the share of the labelled steps that is called wrong
    agreement, kappa     with the reference, on the steps that both label; kappa is (agreement - chance) / (1 - chance), None without variation
    error_accuracy, sound_accuracy, f1  of the first wrong step against the reference
    right_wrong_process  the share of right responses in which the source finds a wrong step
    """
    sources = list(dict.fromkeys(source for record in records for source in record.labels))
    return [_facts([record for record in records if source in record.labels], source, reference, at) for source in sources]


def _facts(records: Sequence[StepRecord], source: str, reference: str, at: float) -> dict[str, Any]:
    labels = [label for record in records for label in record.labels[source]]
    given = [is_wrong(label, source, at) for label in labels if label is not None]
    flags = [first_wrong(record.labels[source], source, at) >= 0 for record in records if record.right]
    known = [record for record in records if reference in record.labels]
    both = [
        (is_wrong(true, reference, at), is_wrong(said, source, at))
        for record in known
        for true, said in zip(record.labels[reference], record.labels[source], strict=True)
        if true is not None and said is not None
    ]
    firsts = [
        (first_wrong(record.labels[reference], reference, at), first_wrong(record.labels[source], source, at))
        for record in known
        if any(label is not None for label in record.labels[reference])
    ]
    return {
        "source": source,
        "responses": len(records),
        "steps": len(labels),
        "labelled": share(label is not None for label in labels),
        "wrong": share(given),
        "agreement": share(true == said for true, said in both),
        "kappa": kappa(both),
        **{name: value for name, value in step_error_metrics(firsts).items() if name != "solutions"},
        "right_wrong_process": share(flags),
    }


def kappa(pairs: Sequence[tuple[bool, bool]]) -> float | None:
    """Cohen's kappa of two raters; None without pairs, or where both give one and the same verdict throughout."""
    if not pairs:
        return None
    first, second = (sum(pair[rater] for pair in pairs) / len(pairs) for rater in (0, 1))
    chance = first * second + (1 - first) * (1 - second)
    same = sum(one == other for one, other in pairs) / len(pairs)
    return None if chance == 1 else (same - chance) / (1 - chance)
