"""Runs a model over a suite: many episodes at once, each saved as soon as it finishes, resumable after any interruption."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rlgym import RlgymError
from rlgym.evaluate.episodes.cost_estimate import max_episode_cost
from rlgym.evaluate.episodes.episode import RunContext, play_episode
from rlgym.evaluate.episodes.episode_log import EPISODE_LOG, EpisodeLog, RunLock
from rlgym.evaluate.episodes.progress import NoProgress, ProgressCallback, RunProgress
from rlgym.evaluate.episodes.results import write_results, write_run_info
from rlgym.evaluate.episodes.resume import now, open_run
from rlgym.evaluate.episodes.turn_log import TurnLog
from rlgym.evaluate.models.base import ModelUnavailable
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.report.html_report import write_report

SCORING_THREADS = 4
USER_REPLIES = "user_replies.jsonl"
"""The file of the replies of the model that plays people, so that a resumed run asks for none of them again."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """How a run ended. `stopped` is the reason it stopped early, or empty if all episodes are done."""

    folder: Path
    progress: RunProgress
    stopped: str = ""
    notes: tuple[str, ...] = ()


def evaluate(plan: EvaluationPlan, out: str | Path, callback: ProgressCallback | None = None) -> RunResult:
    """Play all episodes of a plan that the folder `out` does not hold yet, then write the results table and the report.

    Call it again with the same arguments to resume an interrupted run. Failed episodes are then retried.
    Raises RlgymError if the folder holds a different run, and ModelUnavailable if no request can succeed.
    """
    return asyncio.run(evaluate_async(plan, out, callback))


async def evaluate_async(plan: EvaluationPlan, out: str | Path, callback: ProgressCallback | None = None) -> RunResult:
    """`evaluate` for an event loop that is already running, for instance in a notebook."""
    folder = Path(out)
    try:
        _check(plan)
        folder.mkdir(parents=True, exist_ok=True)
        with RunLock(folder):
            return await _evaluate_locked(plan, folder, callback or NoProgress())
    finally:
        await plan.model.close()


async def _evaluate_locked(plan: EvaluationPlan, folder: Path, callback: ProgressCallback) -> RunResult:
    info, finished = open_run(plan, folder)
    progress = RunProgress(len(plan.suite.rows) * plan.config.sampling.samples, resumed=len(finished))
    for row in finished.values():
        progress.add(row)
    progress.consecutive_failures, stopped = 0, ""
    if not progress.finished:
        write_run_info(folder, info | {"finished": None})
        stopped = await _EpisodePool(plan, folder, progress, callback).run(set(finished))
    notes = tuple(dict.fromkeys([*info.get("notes", ()), *getattr(plan.model, "notes", ())]))
    if progress.finished:
        ended = info["finished"] if progress.resumed == progress.total and info["finished"] else now()
        write_run_info(folder, info | {"finished": ended} | ({"notes": list(notes)} if notes else {}))
        write_results(folder)
        write_report(folder)
    return RunResult(folder, progress, stopped, notes)


class _EpisodePool:
    """Plays the remaining episodes with concurrent workers."""

    def __init__(self, plan: EvaluationPlan, folder: Path, progress: RunProgress, callback: ProgressCallback) -> None:
        self.plan, self.folder, self.progress, self.callback = plan, folder, progress, callback
        self.stopped = ""
        self.max_cost_in_flight: dict[int, float] = {}

    async def run(self, finished: set[tuple[str, int]]) -> str:
        """Play every episode that is not finished; returns why the run stopped early, or an empty string."""
        plan = self.plan
        self.callback.update(self.progress)
        remaining = remaining_episodes(plan, finished)
        model_slots, threads = asyncio.Semaphore(plan.model.max_concurrency), ThreadPoolExecutor(SCORING_THREADS)
        turn_log = TurnLog(self.folder, finished)
        has_responses = lambda: self.progress.done > self.progress.failed  # noqa: E731
        user = plan.user.cached_in(self.folder / USER_REPLIES) if plan.user else None
        context = RunContext(plan.model, plan.config, threads, model_slots, has_responses, turn_log, user)
        log = EpisodeLog(self.folder / EPISODE_LOG)
        # More episodes than model slots, so that requests continue while other episodes are scored.
        count = min(plan.model.max_concurrency + SCORING_THREADS, self.progress.total)
        workers = [asyncio.create_task(self._work(remaining, log, context)) for _ in range(count)]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
            threads.shutdown(wait=False, cancel_futures=True)
            log.close()
            turn_log.close(remove=self.progress.finished and not self.progress.failed)
        return self.stopped

    async def _work(self, remaining: Iterator[tuple[Mapping[str, Any], int]], log: EpisodeLog, context: RunContext) -> None:
        worker = id(asyncio.current_task())
        for row, sample in remaining:
            if self.stopped or self._budget_exhausted(row):
                return
            self.max_cost_in_flight[worker] = max_episode_cost(row, self.plan.config) if self.plan.max_cost is not None else 0.0
            result = await play_episode(row, sample, context)
            await log.append(result)
            del self.max_cost_in_flight[worker]
            self.progress.add(result)
            self.callback.update(self.progress)
            self._check_health(result)

    def _check_health(self, result: Mapping[str, Any]) -> None:
        if self.progress.consecutive_failures >= self.plan.max_consecutive_failures:
            raise ModelUnavailable(f"{self.progress.consecutive_failures} episodes in a row failed; the last error: {result['error']}")
        if self.plan.max_cost is not None and self.progress.without_token_counts:
            raise ModelUnavailable("the model returns no token counts, so the cost is unknown: leave --max-cost out")

    def _budget_exhausted(self, row: Mapping[str, Any]) -> bool:
        """Whether another episode might exceed `max_cost`, by the mean cost so far, or by the maximum cost until one episode is done."""
        budget, mean_cost = self.plan.max_cost, self.progress.mean_cost
        if budget is None:
            return False
        if mean_cost is None:
            expected = sum(self.max_cost_in_flight.values()) + max_episode_cost(row, self.plan.config)
        else:
            expected = mean_cost * (1 + len(self.max_cost_in_flight))
        if self.progress.cost + expected > budget:
            self.stopped = f"the next episode might exceed the remaining budget of ${budget:g}"
        return bool(self.stopped)


def remaining_episodes(plan: EvaluationPlan, finished: set[tuple[str, int]]) -> Iterator[tuple[Mapping[str, Any], int]]:
    """Episodes still to play. All first samples come before any second one, so half a run covers every task."""
    for sample in range(plan.config.sampling.samples):
        for row in plan.suite.rows:
            if (row["id"], sample) not in finished:
                yield row, sample


def _check(plan: EvaluationPlan) -> None:
    sampling, prices = plan.config.sampling, plan.config.prices
    if not plan.suite.rows:
        raise RlgymError(f"the suite {plan.suite.name!r} holds no tasks")
    if len({row["id"] for row in plan.suite.rows}) < len(plan.suite.rows):
        raise RlgymError(f"the suite {plan.suite.name!r} holds a task twice, so the samples of the two would be indistinguishable")
    if sampling.samples < 1:
        raise RlgymError(f"samples must be at least 1, got {sampling.samples!r}")
    if (prices.prompt is None) != (prices.completion is None) or min(prices.prompt or 0, prices.completion or 0) < 0:
        raise RlgymError(f"set both prices, each 0 or more; got prompt={prices.prompt!r} and completion={prices.completion!r}")
    if plan.max_cost is not None and prices.prompt is None:
        raise RlgymError("a cost limit needs prices per million tokens: set --price-prompt and --price-completion")
