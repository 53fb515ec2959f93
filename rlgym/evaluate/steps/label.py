"""Labels the steps of the responses of an evaluation; resumable, with nothing requested twice."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import rlgym
from rlgym import RlgymError
from rlgym.core.answer import Style
from rlgym.core.errors import RowError
from rlgym.dataset.rows import task_columns, task_of_row
from rlgym.dataset.session import Session
from rlgym.evaluate.episodes.episode_log import RunLock
from rlgym.evaluate.models.base import Model, Sampling
from rlgym.evaluate.steps.folder import check_replies
from rlgym.evaluate.steps.records import SEPARATOR, SOURCES, StepRecord, StepsError, step_ends, write_records
from rlgym.evaluate.steps.sources import critiques, exact_labels, judge_labels, rate_labels
from rlgym.evaluate.strategies.problem import CallLog, Problem

STEPS = "steps.jsonl"


@dataclass(frozen=True)
class LabelOptions:
    """How steps are cut and labelled.

    continuations  continuations after each step, for the source `rates`
    verdicts       critiques of each response, for the source `judge`
    """

    sources: Sequence[str] = ("exact",)
    separator: str = SEPARATOR
    continuations: int = 4
    verdicts: int = 1

    def __post_init__(self) -> None:
        if unknown := [source for source in self.sources if source not in SOURCES]:
            raise StepsError(f"there are no labels of the source {unknown[0]!r}: the sources are {', '.join(SOURCES)}")
        if not self.sources:
            raise StepsError(f"name a source of labels: {', '.join(SOURCES)}")
        if not self.separator:
            raise StepsError("the separator of steps is empty")


@dataclass
class Labelled:
    """The records, and why responses were left out."""

    records: list[StepRecord] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)


def records_of_results(results: Iterable[Mapping[str, Any]], separator: str = SEPARATOR) -> Labelled:
    """The responses of an evaluation as steps without labels.

    Left out and counted: masked responses, tasks of many turns, other versions of an environment, empty responses, tasks whose knobs are not
    recorded, and those whose verdict is another than the recorded one.
    """
    found = Labelled()
    for row in results:
        if problem := _reason_to_skip(row):
            found.skipped[problem] += 1
            continue
        messages = json.loads(row["messages"]) if isinstance(row["messages"], str) else row["messages"]
        text = next((message.get("content") for message in reversed(messages) if message.get("role") == "assistant"), "")
        ends = step_ends(text, separator) if isinstance(text, str) else ()
        if not ends:
            found.skipped["empty"] += 1
            continue
        style: Style = row.get("answer_style") or "tag"
        try:
            session = Session(task_row(row, style))
        except RowError:
            found.skipped["of tasks whose knobs are not recorded"] += 1
            continue
        prompt = session.observation
        session.step(text)
        assert session.score is not None
        if (session.score.value == 1.0) != bool(row["right"]):
            found.skipped["with another verdict than the recorded one"] += 1
            continue
        plain = {name: row[name] for name in ("id", "sample", "env", "version", "level", "seed")}
        plain |= {"knobs": row.get("knobs") or "", "answer_style": style}
        found.records.append(StepRecord(**plain, prompt=prompt, response=text, right=bool(row["right"]), ends=ends, separator=separator))
    return found


def task_row(row: Mapping[str, Any], style: Style) -> dict[str, Any]:
    """The columns for playing the task of a result row; RowError where it cannot be made again."""
    return task_columns(rlgym.environment(str(row["env"])), task_of_row(row), style)


def label_steps(
    records: Sequence[StepRecord],
    options: LabelOptions,
    folder: Path,
    model: Model | None = None,
    judge: Model | None = None,
    sampling: Sampling | None = None,
) -> list[StepRecord]:
    """The records with the labels of the sources, which are also written to the folder. Repeat the call to resume an interrupted one.

    model  continues prefixes for the source `rates`, and gives critiques where there is no judge
    judge  another model that gives critiques for the source `judge`

    Raises RlgymError where a source needs a model that is not given, and StepsError for a folder with replies of another model.
    """
    if "rates" in options.sources and model is None:
        raise RlgymError("the source 'rates' samples continuations and needs a model: give --model with --base-url, or --transformers")
    if "judge" in options.sources and model is None and judge is None:
        raise RlgymError("the source 'judge' needs a model: give --judge-model with --judge-base-url, or --model for the model itself")
    folder.mkdir(parents=True, exist_ok=True)
    with RunLock(folder):
        check_replies(folder, {"model": model, "judge": judge}, sampling or Sampling(), options.separator)
        labelled = asyncio.run(_labelled(records, options, folder, model, judge, sampling or Sampling()))
        write_records(folder / STEPS, labelled)
    return labelled


async def _labelled(
    records: Sequence[StepRecord], options: LabelOptions, folder: Path, model: Model | None, judge: Model | None, sampling: Sampling
) -> list[StepRecord]:
    asked = model or judge
    log, slots = CallLog(folder), asyncio.Semaphore(asked.max_concurrency if asked else 1)

    async def label(record: StepRecord) -> StepRecord:
        if "exact" in options.sources:
            record = record.with_labels("exact", exact_labels(record))
        if asked is None:
            return record
        problem = Problem(task_row(record.task_row, record.answer_style), asked, sampling, log, slots, judge=judge)
        if "rates" in options.sources:
            record = record.with_labels("rates", await rate_labels(problem, record, options.continuations))
        if "judge" in options.sources:
            chains = await critiques(problem, record, options.verdicts, judge)
            record = record.with_labels("judge", judge_labels(chains, len(record.ends)), chains)
        return record

    try:
        return list(await asyncio.gather(*(label(record) for record in records)))
    finally:
        log.close()
        for each in (model, judge):
            if each is not None:
                await each.close()


def _reason_to_skip(row: Mapping[str, Any]) -> str:
    if row["masked"] or row["kind"] != "environment":
        return "masked, or of many turns"
    try:
        declared = rlgym.environment(str(row["env"]))
    except RlgymError:
        return "of unknown environments"
    return "" if declared.version == row["version"] else "of other versions"
