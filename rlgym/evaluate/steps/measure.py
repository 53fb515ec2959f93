"""How good a scorer of steps is on labelled steps: step by step, on the first wrong step, and as a choice among samples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rlgym.core.intervals import share
from rlgym.evaluate.metrics.judge_gain import Judged, judge_gain
from rlgym.evaluate.metrics.step_errors import step_error_metrics
from rlgym.evaluate.models.step_scorer import StepScorer
from rlgym.evaluate.steps.ablation import without
from rlgym.evaluate.steps.records import StepRecord, first_wrong, is_wrong
from rlgym.evaluate.strategies.scored import Reduce, reduce_scores

Scores = Sequence[Sequence[float]]


def score_records(records: Sequence[StepRecord], scorer: StepScorer) -> list[list[float]]:
    """The score of each step of each response."""
    return [scorer.scores([{"role": "user", "content": record.prompt}], record.response, record.ends)[0] for record in records]


def measure_scorer(
    records: Sequence[StepRecord], scorer: StepScorer, source: str, at: float = 0.0, reduce: Reduce = "min", left_out: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """The measures of a scorer on whole responses, and on those without the parts that are left out: `prose` or `formulas`."""
    variants = [("whole", list(records)), *((f"without {part}", [without(record, part) for record in records]) for part in left_out)]
    return [{"steps": name} | measures(given, score_records(given, scorer), source, at, reduce) for name, given in variants]


def measures(records: Sequence[StepRecord], scores: Scores, source: str, at: float = 0.0, reduce: Reduce = "min") -> dict[str, Any]:
    """What scores say beside the labels of a source; a step is called wrong below a score of a half.

    step_accuracy        the share of the labelled steps that are judged rightly
    error_accuracy, sound_accuracy, f1  of the first wrong step
    right_wrong_process  the share of right responses in which a step is called wrong
    min_last             the share of responses of several steps whose lowest score is that of the last step alone: a sign that the scorer judges outcomes
    solve_rate, best_of, pass_at  of one sample, of the best of n samples of a task by their reduced scores, and of a perfect choice
    """
    steps = [
        (is_wrong(label, source, at), score < 0.5)
        for record, given in zip(records, scores, strict=True)
        for label, score in zip(record.labels_of(source), given, strict=True)
        if label is not None
    ]
    labelled = [
        (first_wrong(record.labels_of(source), source, at), first_wrong(given, "scorer"))
        for record, given in zip(records, scores, strict=True)
        if any(label is not None for label in record.labels_of(source))
    ]
    flagged = [first_wrong(given, "scorer") >= 0 for record, given in zip(records, scores, strict=True) if record.right]
    several = [given for given in scores if len(given) > 1]
    tasks: dict[str, list[Judged]] = {}
    for record, given in zip(records, scores, strict=True):
        tasks.setdefault(record.id, []).append(Judged(record.right, reduce_scores(given, reduce)))
    gain = judge_gain(tasks.values())
    return {
        "step_accuracy": share([true == said for true, said in steps]),
        **{name: value for name, value in step_error_metrics(labelled).items() if name != "solutions"},
        "right_wrong_process": share(flagged),
        "min_last": share([given[-1] < min(given[:-1]) for given in several]),
        "solve_rate": gain.solve_rate,
        "best_of": {n: value for n, value in gain.best_of.items() if n > 1},
        "pass_at": {n: value for n, value in gain.pass_at.items() if n > 1},
    }
