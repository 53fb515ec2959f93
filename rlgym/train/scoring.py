"""Drawing and judging tasks in processes of their own, beside generation.

A job names all that it needs, so that any worker can do any job and nothing is lost with a worker. A worker that dies, or
that outlasts its time, is the machine's fault: its jobs come back with Outcome.ERROR, which trainers mask.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

import rlgym
from rlgym import Outcome, Score
from rlgym.core.answer import Style
from rlgym.core.errors import RlgymError
from rlgym.dataset.rows import content, split_of
from rlgym.rewards import ASK_CONFIDENCE

ATTEMPTS = 200
Knobs = Mapping[str, int | float | str]


@dataclass(frozen=True, slots=True)
class Pick:
    """Which task to draw: the next one of an environment and level that lies in a split, counted from `index`.

    `hint` is the share of the explanation that the prompt holds.
    """

    name: str
    level: float
    index: int
    split: str
    knobs: Knobs = field(default_factory=dict)
    hint: float = 0.0

    @property
    def place(self) -> str:
        """The environment and level, with the knobs that go over it, as metrics name them."""
        return f"{self.name}@{self.level:g}" + "".join(f",{knob}={value}" for knob, value in sorted(self.knobs.items()))


@dataclass(frozen=True, slots=True)
class Rules:
    """What all tasks of a run share: the seed, the share held out, the answer's style and the shaping of rewards."""

    seed: int
    held_out: float
    style: Style = "tag"
    shaping: tuple[tuple[str, tuple[tuple[str, float | int], ...]], ...] = ()

    @property
    def asks_confidence(self) -> bool:
        """Whether answers are to come with how likely they are to be right."""
        return any(name == "with_confidence" for name, _ in self.shaping)


@dataclass(frozen=True, slots=True)
class Stand:
    """Where an episode stands after a job: what the model reads now, or the score and the reward when it is over.

    `plain` is what it would read at first without the hint.
    """

    observation: str
    snapshot: Any
    score: Score | None = None
    reward: float = 0.0
    content: str = ""
    turns: int = 1
    plain: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """Open the episode of a pick, or (with `snapshot`) go on with one by giving the model's response."""

    key: int
    pick: Pick
    rules: Rules
    snapshot: Any = None
    response: str = ""


def do(job: Job) -> tuple[int, Stand]:
    """Do one job, here. A verifier that raises gives a score that is masked; an environment that cannot be drawn raises."""
    env = _env(job.pick.name, job.rules)
    if job.snapshot is None:
        return job.key, _opened(env, job.pick, job.rules)
    env.restore(job.snapshot)
    observation, reward, over, _, info = env.step(job.response)
    return job.key, Stand(observation, None if over else env.snapshot(), info.get("score"), reward)


def _opened(env: rlgym.Env, pick: Pick, rules: Rules) -> Stand:
    splits = {"train": 1 - rules.held_out, "test": rules.held_out}
    options = {"level": pick.level, "knobs": dict(pick.knobs)}
    for attempt in range(ATTEMPTS):
        key = json.dumps([rules.seed, pick.name, pick.level, dict(pick.knobs), pick.split, pick.index, attempt], sort_keys=True)
        observation, info = env.reset(seed=int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") >> 1, options=options)
        hashed = content({"env": pick.name, "prompt": info["task"].prompt})
        if split_of(hashed, splits) == pick.split:
            snapshot = env.snapshot()
            if rules.asks_confidence:
                observation = f"{observation}\n\n{ASK_CONFIDENCE}"
            said = f"{observation}\n\nA hint:\n{_hint(env, pick.hint)}" if pick.hint else observation
            return Stand(said, snapshot, content=hashed, turns=snapshot.limit, plain=observation)
    raise RlgymError(
        f"{pick.name} has no task of the split {pick.split!r} among {ATTEMPTS} seeds at level {pick.level:g}: "
        "it has too few different tasks there; use another level, or a larger share held out"
    )


def _hint(env: rlgym.Env, share: float) -> str:
    # Workers that need no hints start sooner without it.
    from rlgym.train.hinted import hint_text

    return hint_text(env, share)


@lru_cache(maxsize=256)
def _env(name: str, rules: Rules) -> rlgym.Env:
    from rlgym import rewards

    shapes = [getattr(rewards, shape)(**dict(options)) for shape, options in rules.shaping]
    return rlgym.make(name, answer_style=rules.style, rewards=shapes)


class Pool(Protocol):
    """Does jobs, sooner or later."""

    def submit(self, jobs: Sequence[Job]) -> None:
        """Queue jobs."""
        ...

    def done(self, wait: bool) -> list[tuple[int, Stand]]:
        """Those that are done, with their keys; with `wait`, at least one, unless there is none."""
        ...

    @property
    def pending(self) -> int:
        """Jobs that have not been handed back."""
        ...

    @property
    def seconds(self) -> float:
        """Time spent on jobs so far, all workers together."""
        ...

    def close(self) -> None:
        """End the workers."""
        ...


class Here:
    """A pool without workers: jobs are done when they are asked for."""

    def __init__(self) -> None:
        self._waiting: deque[Job] = deque()
        self.seconds = 0.0

    def submit(self, jobs: Sequence[Job]) -> None:
        self._waiting.extend(jobs)

    def done(self, wait: bool) -> list[tuple[int, Stand]]:
        begun = time.perf_counter()
        out = [do(self._waiting.popleft()) for _ in range(len(self._waiting))]
        self.seconds += time.perf_counter() - begun
        return out

    @property
    def pending(self) -> int:
        return len(self._waiting)

    def close(self) -> None:
        self._waiting.clear()


class Workers:
    """A pool of processes. They are started anew when one of them dies or outlasts `seconds` on one job."""

    def __init__(self, workers: int, seconds: float) -> None:
        self.workers, self.limit, self.seconds = workers, seconds, 0.0
        self.restarts = 0
        self._lost: list[tuple[int, Stand]] = []
        self._start()

    def _start(self) -> None:
        from concurrent.futures import Future, ProcessPoolExecutor
        from multiprocessing import get_context

        self._pool = ProcessPoolExecutor(
            self.workers, mp_context=get_context("spawn"), initializer=_end_with_parent, initargs=(os.getpid(),)
        )
        self._running: dict[Future[tuple[float, list[tuple[int, Stand]]]], tuple[list[Job], float]] = {}

    def submit(self, jobs: Sequence[Job]) -> None:
        share = max(1, -(-len(jobs) // (2 * self.workers)))
        for first in range(0, len(jobs), share):
            self._queue(list(jobs[first : first + share]))

    def _queue(self, part: list[Job]) -> None:
        from concurrent.futures import BrokenExecutor

        try:
            future = self._pool.submit(_do_all, part)
        except BrokenExecutor as error:
            # It died before these jobs came, which have no part in it.
            self._lost += self._again(f"a scoring process died: {error}")
            future = self._pool.submit(_do_all, part)
        self._running[future] = part, time.monotonic()

    def done(self, wait: bool) -> list[tuple[int, Stand]]:
        from concurrent.futures import FIRST_COMPLETED
        from concurrent.futures import wait as wait_for

        out, self._lost = self._lost, []
        if not self._running:
            return out
        ready, _ = wait_for(self._running, timeout=self.limit / 4 if wait and not out else 0, return_when=FIRST_COMPLETED)
        for future in ready:
            if broken := future.exception():
                if isinstance(broken, RlgymError):
                    raise broken
                return out + self._again(f"a scoring process died: {broken}")
            spent, stands = future.result()
            del self._running[future]
            self.seconds += spent
            out += stands
        if not ready and any(time.monotonic() - begun > self.limit * len(jobs) for jobs, begun in self._running.values()):
            return out + self._again(f"a verdict took more than {self.limit:g} s")
        return out if out or not wait else self.done(wait)

    def _again(self, why: str) -> list[tuple[int, Stand]]:
        """Start the processes anew. What was waiting waits again; of what may have been at fault, each is given up."""
        waiting = sorted(self._running.values(), key=lambda item: item[1])
        for process in list((self._pool._processes or {}).values()):
            process.kill()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self.restarts += 1
        self._start()
        given_up = [job for jobs, _ in waiting[: self.workers] for job in jobs]
        for jobs, _ in waiting[self.workers :]:
            self.submit(jobs)
        return [(job.key, Stand("", None, Score.nothing(Outcome.ERROR, why))) for job in given_up]

    @property
    def pending(self) -> int:
        return len(self._lost) + sum(len(jobs) for jobs, _ in self._running.values())

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)


def _do_all(jobs: list[Job]) -> tuple[float, list[tuple[int, Stand]]]:
    begun = time.perf_counter()
    out = [do(job) for job in jobs]
    return time.perf_counter() - begun, out


def _end_with_parent(parent: int) -> None:
    """A worker whose parent was killed must not live on."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def pool(workers: int, seconds: float) -> Pool:
    """A pool with that many processes, or one that works here for 0."""
    return Workers(workers, seconds) if workers else Here()
