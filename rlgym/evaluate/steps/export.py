"""Labelled steps in the columns of trainers and benchmarks, with merged steps.

trl           stepwise supervision for TRL's PRMTrainer: prompt, completions, labels
processbench  the columns of ProcessBench: problem, steps, label (the first wrong step from 0 on, -1 for none)
chains        messages for SFT of a model that judges steps in words: the critiques that agree with the labels
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from rlgym.evaluate.step_texts import Labels, critique_prompt, read_critique
from rlgym.evaluate.steps.records import StepRecord, StepsError, first_wrong, is_wrong

LAYOUTS = ("trl", "processbench", "chains")


def export_steps(records: Iterable[StepRecord], layout: str, source: str, at: float = 0.0, merge: bool = False) -> list[dict[str, Any]]:
    """Records in a layout, by the labels of a source; responses of which the source labels no step are left out.

    at     a success rate up to which a step counts as wrong
    merge  of `trl`: add for each pair of consecutive steps the response in which they are one step

    Raises StepsError for an unknown layout.
    """
    if layout not in LAYOUTS:
        raise StepsError(f"there is no layout {layout!r} of steps: use one of {', '.join(LAYOUTS)}")
    if merge and layout != "trl":
        raise StepsError(f"merged steps are for --for trl, not for {layout!r}")
    out: list[dict[str, Any]] = []
    for record in records:
        if all(label is None for label in record.labels_of(source)):
            continue
        if layout == "trl":
            out += [row for each in [record, *(merged(record) if merge else [])] if (row := _stepwise(each, source, at)) is not None]
        elif layout == "processbench":
            out.append(_processbench(record, source, at))
        else:
            out += [_chain_row(record, chain) for chain in agreeing_chains(record, source, at)]
    return out


def merged(record: StepRecord) -> list[StepRecord]:
    """For each pair of consecutive steps the response in which they are one, with the label of the second: a step that repairs an error is right.

    From "Towards Hierarchical Multi-Step Reward Models for Enhanced Reasoning in Large Language Models" (hierarchical node compression).
    The white space between the two steps becomes one space. Only the labels `rates` can have a repair: exact labels and critiques say nothing of the
    steps after a wrong one, so of them no merged step is right whose first step is wrong.
    """
    return [merge_at(record, place) for place in range(len(record.ends) - 1)]


def merge_at(record: StepRecord, place: int) -> StepRecord:
    """The response in which the step at a place, counted from 0, and the next one are one step."""
    end, text = record.ends[place], record.response
    after = text[end:].lstrip()
    gap = len(text) - end - len(after) - 1
    ends = (*record.ends[:place], *(later - gap for later in record.ends[place + 1 :]))
    labels: dict[str, Labels] = {source: (*given[:place], *given[place + 1 :]) for source, given in record.labels.items()}
    return replace(record, response=f"{text[:end]} {after}", ends=ends, labels=labels, chains=())


def agreeing_chains(record: StepRecord, source: str, at: float = 0.0) -> list[str]:
    """The critiques that name the same first wrong step as the labels of a source. From "Process Reward Models That Think"."""
    true = first_wrong(record.labels_of(source), source, at)
    read = [(chain, read_critique(chain, len(record.ends))) for chain in record.chains]
    return [chain for chain, labels in read if labels is not None and first_wrong(labels, "judge") == true]


def _stepwise(record: StepRecord, source: str, at: float) -> dict[str, Any] | None:
    """The labelled steps; an unlabelled one belongs to the labelled step after it, and what follows the last of them is left out."""
    completions, labels, waiting = list[str](), list[bool](), list[str]()
    for step, label in zip(record.steps, record.labels_of(source), strict=True):
        waiting.append(step)
        if label is not None:
            completions.append(record.separator.join(waiting))
            labels.append(not is_wrong(label, source, at))
            waiting = []
    return {"prompt": record.prompt, "completions": completions, "labels": labels} if completions else None


def _processbench(record: StepRecord, source: str, at: float) -> dict[str, Any]:
    return {
        "id": f"{record.id}-{record.sample}",
        "generator": record.generator,
        "problem": record.prompt,
        "steps": record.steps,
        "final_answer_correct": record.right,
        "label": first_wrong(record.labels_of(source), source, at),
    }


def _chain_row(record: StepRecord, chain: str) -> dict[str, Any]:
    """The critique with the columns of its task, by which `sft.rollouts` leaves out tasks that a run holds out."""
    question = critique_prompt(record.prompt, record.steps)
    messages = [{"role": "user", "content": question}, {"role": "assistant", "content": chain}]
    return {"messages": messages, **record.task_row, "version": record.version, "masked": False, "right": True}
