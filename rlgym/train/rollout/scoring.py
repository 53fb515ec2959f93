"""Creates tasks and scores answers in worker processes, during generation.

A job holds all that it needs, so any worker can run any job and nothing is lost with a worker. If a worker dies or exceeds its
time limit, its jobs come back with Outcome.ERROR, which the trainer masks.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections import deque
from collections.abc import Sequence
from concurrent import futures
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import rlgym
from rlgym import Outcome, Rng, Score
from rlgym.core.errors import RlgymError
from rlgym.core.paraphrase import paraphrase
from rlgym.dataset.rows import content_hash, split_of
from rlgym.dataset.workers import end_with_parent
from rlgym.rewards import CONFIDENCE_INSTRUCTIONS
from rlgym.train.config.sections import TrainError
from rlgym.train.registry import OptionError, describe_error, import_plugins
from rlgym.train.rewards.scored import OF_STATES, REFERENCED
from rlgym.train.rewards.shaping import ScoredResponse, shaped_reward
from rlgym.train.rewards.token_rewards import RewardSpan, is_valid, reward_spans
from rlgym.train.tasks.spec import TaskSettings, TaskSpec

MAX_ATTEMPTS = 200


@dataclass(frozen=True, slots=True)
class StepResult:
    """The state of an episode after a job: the next observation, or the score and the reward once it has ended.

    `observation_without_hint` is the first observation without the hint, `seed` that of the task, `spans` the rewarded parts of the response,
    `feedback` what the environment says about it, `valid` whether the environment could read and allow it.
    """

    observation: str
    snapshot: Any
    score: Score | None = None
    reward: float = 0.0
    content: str = ""
    observation_without_hint: str = ""
    spans: tuple[RewardSpan, ...] = ()
    seed: int | None = None
    feedback: str = ""
    valid: bool = True


@dataclass(frozen=True, slots=True)
class ScoringJob:
    """Create the task of a specification, or (with `snapshot`) continue an episode with the model's response.

    `seed` is that of the rollout, from which random rewards are drawn.
    """

    key: int
    task: TaskSpec
    settings: TaskSettings
    snapshot: Any = None
    response: str = ""
    seed: int = 0


def run_job(job: ScoringJob) -> tuple[int, StepResult]:
    """Run one job in this process. A verifier that raises gives a masked score; a task that cannot be created raises."""
    env = _env(job.task.name, job.settings)
    if job.snapshot is None:
        return job.key, _reset(env, job.task, job.settings)
    env.restore(job.snapshot)
    reference = env.oracle() if any(name in REFERENCED for name, _ in job.settings.reward_shaping) else ""
    observation, _, over, _, info = env.step(job.response)
    try:
        spans = _spans(env, job) if job.settings.token_rewards and not info.get("masked") else ()
    except OptionError:
        raise
    except Exception as error:
        broken = Score.nothing(Outcome.ERROR, f"the step checker raised {type(error).__name__}: {error}")
        return job.key, StepResult("", None, broken)
    valid = is_valid(env)
    if not over:
        return job.key, StepResult(observation, env.snapshot(), spans=spans, valid=valid)
    snapshots = (job.snapshot, env.snapshot()) if any(name in OF_STATES for name, _ in job.settings.reward_shaping) else None
    scored = ScoredResponse(info["score"], job.response, job.task, Rng("reward", job.seed), spans, env.task.prompt, reference, snapshots)
    return job.key, StepResult(
        observation,
        None,
        scored.score,
        shaped_reward(scored, job.settings.reward_shaping),
        spans=spans,
        feedback=info["feedback"],
        valid=valid,
    )


def _spans(env: rlgym.Env, job: ScoringJob) -> tuple[RewardSpan, ...]:
    assert job.settings.token_rewards is not None
    return reward_spans(env, job.snapshot, job.response, job.settings.token_rewards)


def start_of(task: TaskSpec, settings: TaskSettings) -> rlgym.Env:
    """An environment in the first state of a task."""
    env = rlgym.make(task.name, answer_style=settings.answer_style)
    env.restore(run_job(ScoringJob(0, task, settings))[1].snapshot)
    return env


def _reset(env: rlgym.Env, task: TaskSpec, settings: TaskSettings) -> StepResult:
    splits = {"train": 1 - settings.held_out_fraction, "test": settings.held_out_fraction}
    options = {"level": task.level, "knobs": dict(task.knobs)}
    for attempt in range(MAX_ATTEMPTS):
        retry = [task.retry] if task.retry else []
        key = json.dumps([settings.seed, task.name, task.level, dict(task.knobs), task.split, task.index, attempt, *retry], sort_keys=True)
        seed = int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") >> 1
        if task.seed is not None and not task.retry and not attempt:
            seed = task.seed
        try:
            observation, info = env.reset(seed=seed, options=options)
        except RlgymError:
            raise
        except Exception as error:
            raise TrainError(
                f"{task.name} cannot create the task of seed {seed} at level {task.level:g}, because it raised {describe_error(error)}: mend it, or leave "
                "it out of tasks.names"
            ) from error
        hashed = content_hash({"env": task.name, "prompt": info["task"].prompt})
        if not task.split or split_of(hashed, splits) == task.split:
            snapshot = env.snapshot()
            if task.paraphrase:
                prompt = info["task"].prompt
                observation = observation.replace(prompt, paraphrase(Rng("paraphrase", seed), prompt), 1)
            if settings.asks_confidence:
                observation = f"{observation}\n\n{CONFIDENCE_INSTRUCTIONS}"
            if task.instruction:
                observation = f"{observation}\n\n{task.instruction}"
            with_hint = f"{observation}\n\nA hint:\n{_hint(env, task)}" if task.hint_fraction else observation
            return StepResult(with_hint, snapshot, content=hashed, observation_without_hint=observation, seed=seed)
    raise RlgymError(
        f"{task.name} has no task of the split {task.split!r} in {MAX_ATTEMPTS} seeds at level {task.level:g}, "
        "because it has too few different tasks there: use another level, or a larger held_out_fraction"
    )


def _hint(env: rlgym.Env, task: TaskSpec) -> str:
    if task.hint_tier and task.hint_tier != "feedback":
        return env.hint(task.hint_tier)
    # Imported here so that workers without hints start faster.
    from rlgym.train.tasks.hints import feedback_text, hint_text

    return feedback_text(env, task.feedback) if task.hint_tier else hint_text(env, task.hint_fraction)


@lru_cache(maxsize=256)
def _env(name: str, settings: TaskSettings) -> rlgym.Env:
    import_plugins(settings.plugins)
    return rlgym.make(name, answer_style=settings.answer_style)


class ScoringPool(Protocol):
    """Runs jobs, possibly in other processes."""

    def submit(self, jobs: Sequence[ScoringJob]) -> None:
        """Queue jobs."""
        ...

    def done(self, wait: bool) -> list[tuple[int, StepResult]]:
        """Finished jobs with their keys. With `wait`, at least one, unless none is pending."""
        ...

    @property
    def pending(self) -> int:
        """Number of jobs that have not been returned."""
        ...

    @property
    def seconds(self) -> float:
        """Time spent on jobs so far, summed over the workers."""
        ...

    def close(self) -> None:
        """Stop the workers."""
        ...


class InProcessPool:
    """A pool without workers: jobs run in this process when their results are requested."""

    def __init__(self) -> None:
        self._waiting: deque[ScoringJob] = deque()
        self.seconds = 0.0

    def submit(self, jobs: Sequence[ScoringJob]) -> None:
        self._waiting.extend(jobs)

    def done(self, wait: bool) -> list[tuple[int, StepResult]]:
        start = time.perf_counter()
        out = [run_job(self._waiting.popleft()) for _ in range(len(self._waiting))]
        self.seconds += time.perf_counter() - start
        return out

    @property
    def pending(self) -> int:
        return len(self._waiting)

    def close(self) -> None:
        self._waiting.clear()


class _RunningJobs(NamedTuple):
    jobs: list[ScoringJob]
    started_at: float


class ProcessPool:
    """A pool of worker processes, restarted when one dies or exceeds the time limit of a job."""

    def __init__(self, num_workers: int, timeout_seconds: float) -> None:
        self.num_workers, self.timeout_seconds, self.seconds = num_workers, timeout_seconds, 0.0
        self.restarts = 0
        self._lost: list[tuple[int, StepResult]] = []
        self._start()

    def _start(self) -> None:
        from multiprocessing import get_context

        self._pool = futures.ProcessPoolExecutor(
            self.num_workers, mp_context=get_context("spawn"), initializer=end_with_parent, initargs=(os.getpid(),)
        )
        self._running: dict[futures.Future[tuple[float, list[tuple[int, StepResult]]]], _RunningJobs] = {}

    def submit(self, jobs: Sequence[ScoringJob]) -> None:
        size = max(1, -(-len(jobs) // (2 * self.num_workers)))
        for first in range(0, len(jobs), size):
            self._queue(list(jobs[first : first + size]))

    def _queue(self, part: list[ScoringJob]) -> None:
        try:
            future = self._pool.submit(_run_jobs, part)
        except futures.BrokenExecutor as error:
            # The pool broke before these jobs arrived, so they are not at fault.
            self._lost += self._restart(f"a scoring process died: {error}")
            future = self._pool.submit(_run_jobs, part)
        self._running[future] = _RunningJobs(part, time.monotonic())

    def done(self, wait: bool) -> list[tuple[int, StepResult]]:
        out, self._lost = self._lost, []
        if not self._running:
            return out
        timeout = self.timeout_seconds / 4 if wait and not out else 0
        ready, _ = futures.wait(self._running, timeout=timeout, return_when=futures.FIRST_COMPLETED)
        for future in ready:
            if broken := future.exception():
                if isinstance(broken, RlgymError):
                    raise broken
                return out + self._restart(f"a scoring process died: {broken}")
            spent, results = future.result()
            del self._running[future]
            self.seconds += spent
            out += results
        if not ready and any(time.monotonic() - part.started_at > self.timeout_seconds * len(part.jobs) for part in self._running.values()):
            return out + self._restart(f"a verdict took more than {self.timeout_seconds:g} s")
        return out if out or not wait else self.done(wait)

    def _restart(self, why: str) -> list[tuple[int, StepResult]]:
        """Restart the processes. Jobs that may be at fault are given up and returned as errors; the others are queued again."""
        waiting = sorted(self._running.values(), key=lambda part: part.started_at)
        for process in list((self._pool._processes or {}).values()):
            process.kill()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self.restarts += 1
        self._start()
        given_up = [job for part in waiting[: self.num_workers] for job in part.jobs]
        for part in waiting[self.num_workers :]:
            self.submit(part.jobs)
        return [(job.key, StepResult("", None, Score.nothing(Outcome.ERROR, why))) for job in given_up]

    @property
    def pending(self) -> int:
        return len(self._lost) + sum(len(part.jobs) for part in self._running.values())

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)


def _run_jobs(jobs: list[ScoringJob]) -> tuple[float, list[tuple[int, StepResult]]]:
    start = time.perf_counter()
    out = [run_job(job) for job in jobs]
    return time.perf_counter() - start, out


def make_pool(num_workers: int, timeout_seconds: float) -> ScoringPool:
    """A pool of worker processes, or an in-process pool for 0 workers."""
    return ProcessPool(num_workers, timeout_seconds) if num_workers else InProcessPool()
