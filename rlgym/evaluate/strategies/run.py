"""Runs strategies over a suite and reports their accuracy and cost; resumable, with nothing requested twice."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rlgym import RlgymError
from rlgym.dataset.files import write_atomically
from rlgym.evaluate.episodes.episode_log import RunLock
from rlgym.evaluate.episodes.resume import run_info
from rlgym.evaluate.models.base import ModelUnavailable, RequestFailed
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.strategies.page import render
from rlgym.evaluate.strategies.problem import CallLog, Candidate, Problem
from rlgym.evaluate.strategies.registry import STRATEGIES, Strategy, StrategyOptions
from rlgym.evaluate.strategies.summary import summarize

INFO, ROWS, SUMMARY, REPORT = "strategies.json", "strategies.jsonl", "strategy_summary.json", "report.html"
Chosen = dict[str, tuple[Strategy, StrategyOptions]]


def run_strategies(plan: EvaluationPlan, names: Sequence[str], options: Mapping[str, Any], out: str | Path) -> dict[str, Any]:
    """Run strategies over the tasks of a plan, of one turn or of many as each of them needs; returns the summary, which is also written to the folder.

    An option goes to every chosen strategy that has it; RlgymError for one that none has. Repeat the call to resume an interrupted run:
    completions are on disk before they are used. Raises RlgymError if the folder holds a run of other strategies, tasks or sampling parameters.
    """
    return asyncio.run(_run(plan, names, options, Path(out)))


def choose(names: Sequence[str], options: Mapping[str, Any]) -> Chosen:
    """The strategies with their options."""
    chosen = {name: STRATEGIES[name] for name in names}
    if not chosen:
        raise RlgymError(f"name a strategy: {', '.join(STRATEGIES)}")
    known = {field for found in chosen.values() for field in found.options.model_fields}
    if unknown := sorted(options.keys() - known):
        raise RlgymError(f"none of the strategies {', '.join(chosen)} has an option {unknown[0]!r}; there are {', '.join(sorted(known))}")
    return {
        name: (found, found.options.from_dict({key: value for key, value in options.items() if key in found.options.model_fields}))
        for name, found in chosen.items()
    }


async def _run(plan: EvaluationPlan, names: Sequence[str], options: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    try:
        chosen = choose(names, options)
        single = [row for row in plan.suite.rows if row["kind"] == "environment"]
        several = [row for row in plan.suite.rows if row["kind"] != "environment"]
        judging = [name for name, (_, options) in chosen.items() if getattr(options, "select", None) == "judge"]
        if judging and plan.judge is None:
            raise RlgymError(f'the strategy {judging[0]!r} with select="judge" needs a judge: give --judge-model and --judge-base-url')
        scoring = [name for name, (_, options) in chosen.items() if options.needs_scorer]
        if scoring and plan.scorer is None:
            raise RlgymError(f"the strategy {scoring[0]!r} needs a trained scorer of steps: give its folder with --scorer")
        rows = {name: several if options.many_turns else single for name, (_, options) in chosen.items()}
        if empty := next((name for name in rows if not rows[name]), None):
            turns = "many turns" if chosen[empty][1].many_turns else "one turn"
            raise RlgymError(f"the strategy {empty!r} needs tasks of {turns}, and the suite {plan.suite.name!r} has none")
        folder.mkdir(parents=True, exist_ok=True)
        with RunLock(folder):
            return await _run_locked(plan, chosen, rows, folder)
    finally:
        await plan.model.close()
        for second in (plan.judge, plan.scorer):
            if second is not None:
                await second.close()


async def _run_locked(
    plan: EvaluationPlan, chosen: Chosen, rows: Mapping[str, Sequence[Mapping[str, Any]]], folder: Path
) -> dict[str, Any]:
    info = _checked_info(plan, chosen, folder)
    log, slots = CallLog(folder), asyncio.Semaphore(plan.model.max_concurrency)
    limit = asyncio.Semaphore(2 * plan.model.max_concurrency)
    logprobs = any(options.logprobs for _, options in chosen.values())

    async def play(row: Mapping[str, Any], name: str) -> dict[str, Any]:
        async with limit:
            return await _play(
                Problem(row, plan.model, plan.config.sampling, log, slots, logprobs, plan.judge, plan.scorer), name, *chosen[name]
            )

    pairs = [(row, name) for name in chosen for row in rows[name]]
    tasks = [asyncio.create_task(play(row, name)) for row, name in pairs]
    try:
        results = await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        log.close()
    if all(result["error"] for result in results):
        raise ModelUnavailable(f"no strategy finished any task; the first error: {results[0]['error']}")
    # A judge or a scorer is another model, whose size is not known.
    parameters = None if plan.judge is not None or plan.scorer is not None else plan.parameters or plan.model.metadata().get("parameters")
    summary = summarize(results, parameters) | {"run": info, "tasks_left_out": len(plan.suite.rows) - len({row["id"] for row, _ in pairs})}
    write_atomically(folder / ROWS, "".join(json.dumps(result) + "\n" for result in results).encode())
    write_atomically(folder / SUMMARY, (json.dumps(summary, indent=1) + "\n").encode())
    write_atomically(folder / REPORT, render(summary).encode("utf-8", "replace"))
    return summary


def _checked_info(plan: EvaluationPlan, chosen: Chosen, folder: Path) -> dict[str, Any]:
    """What identifies the run; RlgymError if the folder holds another one."""
    kept = {key: value for key, value in run_info(plan).items() if key in ("suite", "sampling", "limits", "rlgym")}
    info = kept | {
        "model": {"kind": plan.model.kind, "name": plan.model.name},
        "strategies": {name: options.model_dump() for name, (_, options) in chosen.items()},
        "versions": {row["env"]: row["version"] for row in plan.suite.rows},
    }
    if plan.judge is not None:
        info["judge"] = plan.judge.name
    if plan.scorer is not None:
        info["scorer"] = plan.scorer.name
    info = json.loads(json.dumps(info))
    file = folder / INFO
    if file.exists():
        stored = json.loads(file.read_text(encoding="utf-8"))
        if differences := [key for key in info if stored.get(key) != info[key]]:
            raise RlgymError(f"{folder} holds a run with another {differences[0]}: choose another folder with --out")
    else:
        write_atomically(file, (json.dumps(info, indent=1) + "\n").encode())
    return dict(info)


def _parents(problem: Problem, candidates: Sequence[Candidate]) -> list[list[int]]:
    """For each attempt the places of those from which it was made; equal texts have the place of the first."""
    places: dict[str, int] = {}
    for place, candidate in enumerate(candidates):
        places.setdefault(candidate.text, place)
    return [sorted(places[text] for text in problem.parents.get(each.text, ()) if text in places) for each in candidates]


async def _play(problem: Problem, name: str, found: Strategy, options: StrategyOptions) -> dict[str, Any]:
    columns: dict[str, Any] = {key: problem.row[key] for key in ("id", "env", "version", "domain", "level")} | {"strategy": name}
    error, selected = "", None
    try:
        selected = await found.run(problem, options)
    except RequestFailed as failure:
        error = str(failure)
    counted = [candidate for candidate in problem.candidates if not candidate.score.masked]
    samples = [[candidate.answer, candidate.right] for candidate in counted]
    return columns | {
        "error": error,
        "masked": selected is None or selected.score.masked,
        "right": selected is not None and selected.right,
        "answer": None if selected is None else selected.answer,
        "ceiling": any(candidate.right for candidate in counted),
        "candidates": samples,
        "settings": [candidate.setting for candidate in counted],
        "tokens": [candidate.tokens for candidate in counted],
        "parents": _parents(problem, counted),
        "calls": problem.calls,
        "prompt_tokens": problem.prompt_tokens,
        "completion_tokens": None if problem.unknown_tokens else problem.completion_tokens,
        "seconds": None if math.isnan(problem.seconds) else problem.seconds,
    }
