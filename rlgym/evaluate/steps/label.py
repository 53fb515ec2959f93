"""Labels the steps of the responses of an evaluation; resumable, with nothing requested twice."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import rlgym
from rlgym import RlgymError
from rlgym.core.answer import Style
from rlgym.core.errors import RowError
from rlgym.dataset.rows import messages_of, task_columns, task_of_row
from rlgym.dataset.session import Session
from rlgym.evaluate.episodes.episode_log import RunLock
from rlgym.evaluate.models.base import Model, ModelUnavailable, RequestFailed, Sampling
from rlgym.evaluate.step_texts import SEPARATOR, step_ends
from rlgym.evaluate.steps.folder import check_replies
from rlgym.evaluate.steps.records import SOURCES, StepRecord, StepsError, write_records
from rlgym.evaluate.steps.sources import critiques, exact_labels, judge_labels, rate_labels
from rlgym.evaluate.strategies.critiques import gather_or_cancel
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


def records_of_results(results: Iterable[Mapping[str, Any]], separator: str = SEPARATOR, generator: str = "") -> Labelled:
    """The responses of an evaluation as steps without labels; `generator` is the name of the model that gave them.

    Left out and counted: masked responses, tasks of many turns, other versions of an environment, empty responses, tasks whose knobs are not
    recorded, and those whose verdict is another than the recorded one.
    """
    found = Labelled()
    for row in results:
        if problem := _reason_to_skip(row):
            found.skipped[problem] += 1
            continue
        messages = messages_of(row)
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
        plain |= {"knobs": row.get("knobs") or "", "answer_style": style, "generator": generator}
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
    failures: Counter[str] | None = None,
) -> list[StepRecord]:
    """The records with the labels of the sources, which are also written to the folder. Repeat the call to resume an interrupted one.

    model  continues prefixes for the source `rates`, and gives critiques where there is no judge
    judge  another model that gives critiques for the source `judge`
    failures  counts, by source, the responses of which a request failed; the source says nothing of their steps until the call is repeated

    Raises RlgymError where a source needs a model that is not given, ModelUnavailable where every response failed, and StepsError for a folder
    with replies of another model.
    """
    if "rates" in options.sources and model is None:
        raise RlgymError("the source 'rates' samples continuations and needs a model: give --model with --base-url, or --transformers")
    if "judge" in options.sources and model is None and judge is None:
        raise RlgymError("the source 'judge' needs a model: give --judge-model with --judge-base-url, or --model for the model itself")
    folder.mkdir(parents=True, exist_ok=True)
    with RunLock(folder):
        check_replies(folder, {"model": model, "judge": judge}, sampling or Sampling(), options.separator)
        failed: Counter[str] = Counter() if failures is None else failures
        labelled = asyncio.run(_labelled(records, options, folder, model, judge, sampling or Sampling(), failed))
        if any(count == len(records) for count in failed.values()):
            raise ModelUnavailable(f"of every response a request for the source {max(failed, key=lambda name: failed[name])!r} failed")
        write_records(folder / STEPS, labelled)
    return labelled


async def _labelled(
    records: Sequence[StepRecord],
    options: LabelOptions,
    folder: Path,
    model: Model | None,
    judge: Model | None,
    sampling: Sampling,
    failures: Counter[str],
) -> list[StepRecord]:
    asked = model or judge
    log, slots = CallLog(folder), asyncio.Semaphore(asked.max_concurrency if asked else 1)

    async def label(record: StepRecord) -> StepRecord:
        if "exact" in options.sources:
            record = record.with_labels("exact", exact_labels(record))
        if asked is None:
            return record
        problem = Problem(task_row(record.task_row, record.answer_style), asked, sampling, log, slots, judge=judge)
        for source in (each for each in ("rates", "judge") if each in options.sources):
            try:
                record = await _asked(problem, record, source, options)
            except RequestFailed:
                failures[source] += 1
                record = record.with_labels(source, (None,) * len(record.ends))
        return record

    try:
        return await gather_or_cancel(label(record) for record in records)
    finally:
        log.close()
        for each in (model, judge):
            if each is not None:
                await each.close()


async def _asked(problem: Problem, record: StepRecord, source: str, options: LabelOptions) -> StepRecord:
    """The record with the labels of a source that asks a model."""
    if source == "rates":
        return record.with_labels(source, await rate_labels(problem, record, options.continuations))
    chains = await critiques(problem, record, options.verdicts, problem.judge)
    return record.with_labels(source, judge_labels(chains, len(record.ends)), chains)


def _reason_to_skip(row: Mapping[str, Any]) -> str:
    if row["masked"] or row["kind"] != "environment":
        return "masked, or of many turns"
    try:
        declared = rlgym.environment(str(row["env"]))
    except RlgymError:
        return "of unknown environments"
    return "" if declared.version == row["version"] else "of other versions"
