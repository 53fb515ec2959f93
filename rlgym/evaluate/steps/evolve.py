"""Grows the trees of a suite and writes what is learned from them; resumable, with nothing requested twice."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rlgym import RlgymError
from rlgym.dataset.files import write_atomically
from rlgym.evaluate.episodes.episode_log import RunLock
from rlgym.evaluate.models.base import ModelUnavailable, RequestFailed
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.steps.folder import check_replies
from rlgym.evaluate.steps.label import STEPS
from rlgym.evaluate.steps.records import StepRecord, write_records
from rlgym.evaluate.steps.sources import exact_labels
from rlgym.evaluate.steps.tree import (
    Growth,
    TextGrowth,
    TreeNode,
    TreeOptions,
    TurnGrowth,
    grow_tree,
    node_rows,
    preference_rows,
    refinement_row,
    tree_records,
)
from rlgym.evaluate.strategies.problem import CallLog, Problem

NODES, PAIRS, REFINEMENTS = "nodes.jsonl", "pairs.jsonl", "refinements.jsonl"


def grow_trees(plan: EvaluationPlan, options: TreeOptions, folder: Path) -> dict[str, Any]:
    """Grow a tree for each task of the plan and write four files; returns the counts. Repeat the call to resume an interrupted one.

    steps.jsonl        the ended texts with success rates and exact labels (tasks of one turn): for `rlgym steps train`, and `sft.rollouts`
    nodes.jsonl        every node with its success rate
    pairs.jsonl        preferences between siblings, with a critique of the rejected step
    refinements.jsonl  messages for SFT: a rejected step, its critique, and the chosen step

    Tasks whose requests fail for good are counted. Raises ModelUnavailable if all of them do.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with RunLock(folder):
        check_replies(folder, {"model": plan.model}, plan.config.sampling, options.separator)
        found = asyncio.run(_grow(plan, options, folder))
        trees = [(row, tree) for row, tree in found if isinstance(tree, TreeNode)]
        if not trees:
            raise ModelUnavailable(f"no tree could be grown; the first error: {found[0][1] if found else 'the suite is empty'}")
        return _write(trees, options, folder, plan.model.name) | {"failed": len(found) - len(trees)}


async def _grow(plan: EvaluationPlan, options: TreeOptions, folder: Path) -> list[tuple[Mapping[str, Any], TreeNode | str]]:
    log, slots = CallLog(folder), asyncio.Semaphore(plan.model.max_concurrency)
    limit = asyncio.Semaphore(2 * plan.model.max_concurrency)

    async def tree(row: Mapping[str, Any]) -> tuple[Mapping[str, Any], TreeNode | str]:
        async with limit:
            problem = Problem(row, plan.model, plan.config.sampling, log, slots)
            single = row["kind"] == "environment"
            growth: Growth = TextGrowth(problem, options.separator) if single else TurnGrowth(problem)
            try:
                return row, await grow_tree(growth, options)
            except RequestFailed as failure:
                return row, str(failure)

    try:
        return list(await asyncio.gather(*(tree(row) for row in plan.suite.rows)))
    finally:
        log.close()
        await plan.model.close()


def _write(trees: Sequence[tuple[Mapping[str, Any], TreeNode]], options: TreeOptions, folder: Path, generator: str) -> dict[str, Any]:
    records, nodes, pairs = list[StepRecord](), list[dict[str, Any]](), list[dict[str, Any]]()
    for given, root in trees:
        row = dict(given)
        nodes += node_rows(row, root)
        pairs += preference_rows(row, root, options.margin)
        if row["kind"] == "environment":
            records += [_with_exact_labels(record) for record in tree_records(row, root, options.separator, generator)]
    write_records(folder / STEPS, records)
    for name, rows in ((NODES, nodes), (PAIRS, pairs), (REFINEMENTS, [refinement_row(pair) for pair in pairs])):
        write_atomically(folder / name, "".join(json.dumps(row) + "\n" for row in rows).encode())
    solved = sum(any(node.solved for node in root.walk()) for _, root in trees)
    right = sum(record.right for record in records)
    return {"trees": len(trees), "solved": solved, "nodes": len(nodes), "responses": len(records), "right": right, "pairs": len(pairs)}


def _with_exact_labels(record: StepRecord) -> StepRecord:
    """The record with exact labels too, where the task has a step checker."""
    try:
        labels = exact_labels(record)
    except RlgymError:
        return record
    return record if all(label is None for label in labels) else record.with_labels("exact", labels)
