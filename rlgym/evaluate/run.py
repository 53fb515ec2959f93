"""Runs a model over a suite: many tasks at once, each kept as soon as it is finished, and gone on with after any stop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import rlgym
from rlgym import RlgymError
from rlgym.evaluate.episode import FAILED, Asking, Room, play
from rlgym.evaluate.estimate import most_cost
from rlgym.evaluate.journal import JOURNAL, Journal, Locked
from rlgym.evaluate.models import Model, ModelStops
from rlgym.evaluate.report import write
from rlgym.evaluate.results import FORMAT, RUN, finish, lines, read_info, write_info
from rlgym.evaluate.tally import COUNTED, Tally, Unwatched, Watch

JUDGES = 4
"""Threads that work out verdicts."""


class Suite(Protocol):
    """The tasks of a run, as `rlgym.evaluate.suites` gives them."""

    @property
    def name(self) -> str: ...

    @property
    def hash(self) -> str: ...

    @property
    def rows(self) -> Sequence[Mapping[str, Any]]: ...


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is to do.

    limits    what one asking may take; part of what makes two runs the same
    max_cost  US dollars at which no further task is begun
    in_a_row  so many tasks that cannot be asked, one after the other, end the run
    """

    suite: Suite
    model: Model
    asking: Asking
    label: str = ""
    limits: Mapping[str, Any] | None = None
    max_cost: float | None = None
    in_a_row: int = 10


@dataclass(frozen=True, slots=True)
class Done:
    """How a run ended: `stopped` says why it did before all tasks were done, and is empty otherwise."""

    folder: Path
    tally: Tally
    stopped: str = ""
    notes: tuple[str, ...] = ()


def evaluate(plan: Plan, out: str | Path, watch: Watch | None = None) -> Done:
    """Play all tasks of a plan that its folder does not hold yet, and write the results and the report once none is left.

    Stopped at any moment, in any way, it goes on where it was when it is called again. Tasks that could not be asked are asked again then.
    RlgymError where the folder holds another run, ModelStops where no task can be asked.
    """
    return asyncio.run(evaluate_within(plan, out, watch))


async def evaluate_within(plan: Plan, out: str | Path, watch: Watch | None = None) -> Done:
    """`evaluate` for an event loop that runs already, as that of a notebook."""
    folder = Path(out)
    try:
        _check(plan)
        folder.mkdir(parents=True, exist_ok=True)
        with Locked(folder):
            return await _evaluated(plan, folder, watch or Unwatched())
    finally:
        await plan.model.close()


async def _evaluated(plan: Plan, folder: Path, watch: Watch) -> Done:
    info, before = _opened(plan, folder)
    tally = Tally(len(plan.suite.rows) * plan.asking.sampling.samples, earlier=len(before))
    for row in before.values():
        tally.add(row)
    tally.in_a_row, stopped = 0, ""
    if not tally.finished:
        write_info(folder, info | {"finished": None})
        stopped = await _Run(plan, folder, tally, watch).all(set(before))
    notes = tuple(dict.fromkeys([*info.get("notes", ()), *getattr(plan.model, "notes", ())]))
    if tally.finished:
        ended = info["finished"] if tally.earlier == tally.total and info["finished"] else _now()
        write_info(folder, info | {"finished": ended} | ({"notes": list(notes)} if notes else {}))
        finish(folder)
        write(folder)
    return Done(folder, tally, stopped, notes)


class _Run:
    """A run while it goes on."""

    def __init__(self, plan: Plan, folder: Path, tally: Tally, watch: Watch) -> None:
        self.plan, self.folder, self.tally, self.watch = plan, folder, tally, watch
        self.stopped = ""
        self.playing: dict[int, float] = {}

    async def all(self, known: set[tuple[str, int]]) -> str:
        """Play what is not known yet; returns why the run stopped before its end, if it did."""
        plan = self.plan
        self.watch.tick(self.tally)
        left = _left(plan, known)
        seats, threads = asyncio.Semaphore(plan.model.at_once), ThreadPoolExecutor(JUDGES)
        room = Room(plan.model, plan.asking, threads, seats, heard=lambda: self.tally.done > self.tally.failed)
        journal = Journal(self.folder / JOURNAL)
        # More episodes than seats, so that asking goes on while others are judged.
        several = min(plan.model.at_once + JUDGES, self.tally.total)
        workers = [asyncio.create_task(self._work(left, journal, room)) for _ in range(several)]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
            threads.shutdown(wait=False, cancel_futures=True)
            journal.close()
        return self.stopped

    async def _work(self, left: Iterator[tuple[Mapping[str, Any], int]], journal: Journal, room: Room) -> None:
        me = id(asyncio.current_task())
        for row, sample in left:
            if self.stopped or self._spent(row):
                return
            self.playing[me] = most_cost(row, self.plan.asking) if self.plan.max_cost is not None else 0.0
            answered = await play(row, sample, room)
            await journal.add(answered)
            del self.playing[me]
            self.tally.add(answered)
            self.watch.tick(self.tally)
            self._watch_over(answered)

    def _watch_over(self, answered: Mapping[str, Any]) -> None:
        if self.tally.in_a_row >= self.plan.in_a_row:
            raise ModelStops(f"{self.tally.in_a_row} tasks in a row could not be asked, the last one because of this: {answered['error']}")
        if self.plan.max_cost is not None and self.tally.uncounted:
            raise ModelStops("the model gives no token counts, so that nothing can be said of the cost: leave --max-cost out")

    def _spent(self, row: Mapping[str, Any]) -> bool:
        """Whether another task might cost more than is allowed: judged by what they cost on average, or at most while none is finished."""
        allowed, each = self.plan.max_cost, self.tally.cost_each
        if allowed is None:
            return False
        coming = sum(self.playing.values()) + most_cost(row, self.plan.asking) if each is None else each * (1 + len(self.playing))
        if self.tally.cost + coming > allowed:
            self.stopped = f"the next task might cost more than is left of ${allowed:g}"
        return bool(self.stopped)


def _left(plan: Plan, known: set[tuple[str, int]]) -> Iterator[tuple[Mapping[str, Any], int]]:
    """Tasks still to play: all of the first sample before any of the second, so that half a run is half of them."""
    for sample in range(plan.asking.sampling.samples):
        for row in plan.suite.rows:
            if (row["id"], sample) not in known:
                yield row, sample


def _check(plan: Plan) -> None:
    sampling, prices = plan.asking.sampling, plan.asking.prices
    if not plan.suite.rows:
        raise RlgymError(f"the suite {plan.suite.name!r} holds no tasks")
    if len({row["id"] for row in plan.suite.rows}) < len(plan.suite.rows):
        raise RlgymError(
            f"the suite {plan.suite.name!r} holds a task twice: the samples of one task could not be told from those of the other"
        )
    if sampling.samples < 1:
        raise RlgymError(f"each task is played at least once, got samples={sampling.samples}")
    if (prices.prompt is None) != (prices.completion is None) or min(prices.prompt or 0, prices.completion or 0) < 0:
        raise RlgymError(f"prices are given for prompts and for completions, from 0 up, got {prices.prompt!r} and {prices.completion!r}")
    if plan.max_cost is not None and prices.prompt is None:
        raise RlgymError("a limit of the cost needs the prices of a million tokens: give --price-prompt and --price-completion")


def _opened(plan: Plan, folder: Path) -> tuple[dict[str, Any], dict[tuple[str, int], dict[str, Any]]]:
    """What run.json is to say, and the episodes that are finished; RlgymError where the folder holds something else."""
    wanted = described(plan)
    if not (folder / RUN).exists():
        others = sorted(file.name for file in folder.iterdir() if not file.name.startswith("."))
        if others := [name for name in others if not name.endswith(".unfinished")]:
            raise RlgymError(f"{folder} holds {', '.join(others[:3])} but no run: choose another folder with --out")
        return wanted, {}
    found = read_info(folder)
    if differences := list(_differing(found, wanted)):
        raise RlgymError(f"{folder} holds another run ({'; '.join(differences)}): choose another folder with --out, or ask for the same")
    info = wanted | {"started": found.get("started"), "finished": found["finished"], "label": plan.label or found.get("label", "")}
    info |= {"notes": found["notes"]} if "notes" in found else {}
    rows: dict[tuple[str, int], dict[str, Any]] = {}
    for row in lines(folder):
        rows[row["id"], row["sample"]] = {column: row[column] for column in COUNTED}
    rows = {key: row for key, row in rows.items() if row["outcome"] != FAILED}
    asked = set(_every(plan))
    if strange := set(rows) - asked:
        raise RlgymError(
            f"{folder / JOURNAL} holds the task {min(strange)[0]!r}, which is not in the suite: choose another folder with --out"
        )
    return info, rows


def _every(plan: Plan) -> Iterator[tuple[str, int]]:
    return ((row["id"], sample) for row, sample in _left(plan, set()))


def described(plan: Plan) -> dict[str, Any]:
    """What run.json says of a plan that has not begun."""
    model, sampling = plan.model, asdict(plan.asking.sampling)
    return {
        "format": FORMAT,
        "label": plan.label or model.name,
        "suite": {"name": plan.suite.name, "hash": plan.suite.hash, "tasks": len(plan.suite.rows)},
        "model": {**model.about(), "kind": model.kind, "name": model.name},
        "sampling": sampling | {"extra": dict(sampling["extra"])},
        "tools": "native" if plan.asking.native else "text",
        "limits": dict(plan.limits or {}),
        "prices": asdict(plan.asking.prices),
        "rlgym": rlgym.__version__,
        "started": _now(),
        "finished": None,
    }


def _differing(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> Iterator[str]:
    """What makes the run of a folder another one, in words. Where a model is reached, and what it costs, does not."""
    for name, read in _SAME.items():
        there, here = read(found), read(wanted)
        if there != here:
            yield f"{name}: {there!r} there, {here!r} asked for"
    there, here = found["sampling"], wanted["sampling"]
    for name in dict.fromkeys([*here, *there]):
        if there.get(name) != here.get(name):
            yield f"{name}: {there.get(name)!r} there, {here.get(name)!r} asked for"


_SAME: dict[str, Callable[[Mapping[str, Any]], Any]] = {
    "suite": lambda info: info["suite"].get("name"),
    "the suite's tasks": lambda info: str(info["suite"].get("hash"))[:12],
    "kind of model": lambda info: info["model"].get("kind"),
    "model": lambda info: info["model"].get("name"),
    "tools": lambda info: info.get("tools"),
    "limits": lambda info: info.get("limits"),
}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
