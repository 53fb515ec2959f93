"""Scores of a judge for the samples of a recorded run."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rlgym.core.errors import RlgymError
from rlgym.core.reply_file import ReplyFile
from rlgym.dataset.labelled_solutions import task_and_response
from rlgym.evaluate.metrics.judge_gain import Judged, JudgeGain, judge_gain, pools, simulated_score
from rlgym.evaluate.metrics.resampling import Resampled, ceiling, rates, resampled
from rlgym.evaluate.models.base import Model, RequestFailed, Sampling, replace_lone_surrogates
from rlgym.evaluate.strategies.problem import JUDGE, stated_probability

JUDGE_REPLIES = "judge-replies.jsonl"
Scores = Mapping[tuple[str, int], float]
"""The judge's score of each sample, by the id of the task and the number of the sample."""


@dataclass(frozen=True)
class JudgedRun:
    """The gains of a judge over a run and its environments; `unjudged` samples have no verdict and count nowhere.

    `resampling` is what comes of sampling until the judge accepts, where a wrong response costs what a right one earns, and `ceiling` the share
    of accepted responses that are right however often one samples.
    """

    all: JudgeGain
    by_environment: dict[str, JudgeGain]
    unjudged: int
    resampling: list[Resampled]
    ceiling: float | None

    def to_dict(self) -> dict[str, Any]:
        """As JSON-able data."""
        by_environment = {name: asdict(row) for name, row in self.by_environment.items()}
        return asdict(self) | {"all": asdict(self.all), "by_environment": by_environment}


def measure(rows: Sequence[Mapping[str, Any]], scores: Scores) -> JudgedRun:
    """The accuracy and the gain of a judge; RlgymError for a run without several judged samples of a task."""
    judged = [row for row in rows if (row["id"], row["sample"]) in scores]
    by_environment = {
        name: [[Judged(bool(row["right"]), scores[row["id"], row["sample"]]) for row in samples] for samples in tasks.values()]
        for name, tasks in pools(judged).items()
    }
    if not by_environment:
        raise RlgymError("the run has no task with several samples that were judged: run it with --samples 8")
    every = [pool for found in by_environment.values() for pool in found]
    chances = [rates(pool) for pool in every]
    gains = {name: judge_gain(found) for name, found in by_environment.items()}
    return JudgedRun(judge_gain(every), gains, len(rows) - len(judged), resampled(chances), ceiling(chances))


def simulated_scores(rows: Sequence[Mapping[str, Any]], accuracy: float) -> dict[tuple[str, int], float]:
    """The verdicts of a judge with a stated accuracy whose errors are independent."""
    return {
        (row["id"], row["sample"]): simulated_score(accuracy, bool(row["right"]), str(row["id"]), int(row["sample"]))
        for row in rows
        if not row["masked"]
    }


def endpoint_scores(
    rows: Sequence[Mapping[str, Any]], base_url: str, model: str, api_key_env: str, cache: Path
) -> dict[tuple[str, int], float]:
    """The probabilities that a model behind an endpoint states. Replies are kept in a file, and are not requested again."""
    from rlgym.evaluate.models.endpoint import Endpoint

    endpoint = Endpoint(base_url, model, os.environ.get(api_key_env), stream=False)
    return asyncio.run(model_scores(rows, endpoint, ReplyFile(cache)))


async def model_scores(rows: Sequence[Mapping[str, Any]], model: Model, replies: ReplyFile) -> dict[tuple[str, int], float]:
    """The probabilities that a model states for each sample; none for a request that fails, or a reply without a number."""
    slots = asyncio.Semaphore(model.max_concurrency)

    async def score(row: Mapping[str, Any]) -> float | None:
        text = replace_lone_surrogates(JUDGE.format(**_shown(row)))
        key = hashlib.sha256(f"{model.name}\n{text}".encode()).hexdigest()
        async with slots:
            if key not in replies:
                try:
                    done = await model.generate([{"role": "user", "content": text}], [], Sampling(temperature=0.0, max_tokens=512), 0)
                except RequestFailed:
                    return None
                replies.keep(key, str(done.message.get("content") or ""))
        return stated_probability(replies[key])

    try:
        kept = [row for row in rows if not row["masked"]]
        scores = await asyncio.gather(*map(score, kept))
    finally:
        await model.close()
    return {(row["id"], row["sample"]): value for row, value in zip(kept, scores, strict=True) if value is not None}


def _shown(row: Mapping[str, Any]) -> dict[str, str]:
    """The task and the last response of a result row as JSON strings."""
    asked, given = task_and_response(row)
    return {"task": json.dumps(asked), "solution": json.dumps(given)}
