"""Schedule jobs on machines, step after step, so that all is done by a deadline.

Any schedule within the deadline is accepted. Where the limit is tight, no earlier end is possible: that was proved while generating. On the upper
levels a search that cuts off what cannot end in time meets many dead ends, whichever of the waiting jobs it prefers.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.arrangements import job_shops
from rlgym.generators.arrangements.job_shops import Jobs, Starts
from rlgym.generators.draws import sample_hard
from rlgym.solutions import Checks, Derivation, Solution, Step

Pairs = tuple[tuple[str, str], ...]
JOB, MACHINE = Step("Job {job}: {steps:words}"), Step("Machine {machine:int} does one thing at a time: {uses}")
LAST = Step("The last step ends in minute {end:int}, and {most:int} is allowed")
TRIES = 6
MOST_POSITIONS = 2000
LETTERS = "abcdefghijklmnop"
ANSWER = Mapping("one line `step: minute` for each step, such as A1: 0", max_items=80)
CONCEPT = "On the machine that could be done first, decide which of the waiting steps goes next; cut off what cannot end in time."


class Use(NamedTuple):
    """A machine works on a step of a job."""

    start: int
    end: int
    step: str


class Knobs(Config):
    jobs: int = knob(3, easy=2, hard=6, doc="jobs")
    machines: int = knob(3, easy=2, hard=4, beyond=5, doc="machines, and steps of each job")
    routes: str = knob("own", easy="same", hard="own", order=("same", "own"), doc="whether all jobs use the machines in the same order")
    limit: str = knob(
        "near",
        easy="simple",
        hard="tight",
        order=("simple", "near", "tight"),
        doc="the deadline: what doing the jobs as they come needs, a little more than the earliest end, or the earliest end",
    )
    positions: int = knob(
        15,
        easy=1,
        hard=250,
        beyond=2000,
        scale="log",
        doc="positions that a search looks at before it meets the deadline, at least, if one of 6 draws has as many",
    )


class Data(TaskData):
    jobs: Jobs
    most: int
    earliest: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_hard(rng, knobs, opposite=False)


def _sample_hard(rng: Rng, knobs: Knobs, opposite: bool) -> Task[Data]:
    tries = TRIES if knobs.limit == "tight" else 1
    return sample_hard(lambda: _sample_task(rng, knobs, opposite), lambda task: _count_positions(task.data), knobs.positions, tries)


def _count_positions(data: Data) -> int:
    """The positions before the first schedule within the deadline, for the better of two preferences among waiting jobs."""

    def count(turned: bool) -> int:
        budget = [MOST_POSITIONS]
        next(job_shops.schedules(data.jobs, data.most, budget, turned), None)
        return MOST_POSITIONS - budget[0]

    return min(count(False), count(True))


def _sample_task(rng: Rng, knobs: Knobs, opposite: bool) -> Task[Data]:
    machines = list(range(1, knobs.machines + 1))
    while True:
        same = rng.shuffled(machines)
        routes = [same if knobs.routes == "same" else rng.shuffled(machines) for _ in range(knobs.jobs)]
        if opposite:
            routes = [same[:: 1 if rng.chance(0.5) else -1] for _ in range(knobs.jobs)]
        jobs = tuple(tuple((machine, rng.integer(2, 30)) for machine in route) for route in routes)
        earliest = job_shops.earliest_end(jobs, 4000)
        if earliest:
            break
    most = {
        "simple": job_shops.makespan(jobs, job_shops.greedy_starts(jobs)),
        "near": earliest + max(1, earliest // 12),
        "tight": earliest,
    }[knobs.limit]
    data = Data(jobs=jobs, most=most, earliest=earliest)
    return Task(_render_prompt(data), data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Jobs, at most five, that all pass the machines in one order, some of them in the opposite direction."""
    return _sample_hard(rng, knobs.model_copy(update={"jobs": min(5, knobs.jobs)}), opposite=True)


def solve(task: Task[Data]) -> Pairs:
    return _to_pairs(next(job_shops.schedules(task.data.jobs, task.data.most, [10**9], False)))


def verify(task: Task[Data], answer: Pairs) -> Score:
    data, given = task.data, dict(answer)
    if set(given) != {f"{LETTERS[job]}{step}" for job, steps in enumerate(data.jobs) for step in range(1, len(steps) + 1)}:
        return Score.wrong("exactly the steps of the jobs must each get a start")
    busy: dict[int, list[tuple[int, int]]] = {}
    for job, steps in enumerate(data.jobs):
        free = 0
        for step, (machine, minutes) in enumerate(steps, 1):
            word = given[f"{LETTERS[job]}{step}"]
            if not (word.isascii() and word.isdigit() and len(word) < 6):
                return Score.wrong("a start is a whole number of minutes")
            start = int(word)
            if start < free:
                return Score.wrong(f"step {step} of job {LETTERS[job].upper()} starts before the step before it has ended")
            free = start + minutes
            busy.setdefault(machine, []).append((start, free))
        if free > data.most:
            return Score.wrong(f"job {LETTERS[job].upper()} ends after minute {data.most}")
    for machine, times in busy.items():
        times.sort()
        if any(end > start for (_, end), (start, _) in pairwise(times)):
            return Score.wrong(f"machine {machine} works on two jobs at once")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    # Each job as if it were alone, all jobs one after the other, everything a minute early, one step left out, all at once.
    alone, after, clock = [], [], 0
    for job, steps in enumerate(task.data.jobs):
        own = 0
        for step, (_, minutes) in enumerate(steps, 1):
            alone.append((f"{LETTERS[job]}{step}", str(own)))
            after.append((f"{LETTERS[job]}{step}", str(clock)))
            own, clock = own + minutes, clock + minutes
    early = tuple((name, str(max(0, int(start) - 1))) for name, start in right)
    return [tuple(alone), tuple(after), early, right[1:], tuple((name, "0") for name, _ in right)]


def cost(task: Task[Data]) -> float:
    data = task.data
    steps = sum(map(len, data.jobs))
    spare = data.most - data.earliest
    same = len({tuple(machine for machine, _ in job) for job in data.jobs}) == 1
    ways = steps**2 * (1 if spare > data.earliest // 12 + 1 else 2 if spare else 3) * (1 if same else 1.5)
    return ways * (1 + _count_positions(data) / 50)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    starts = next(job_shops.schedules(data.jobs, data.most, [10**9], False))
    uses: dict[int, list[Use]] = {}
    for job, times in enumerate(starts):
        yield JOB(job=LETTERS[job].upper(), steps=_time(data.jobs[job], times))
        for machine, use in _uses_of(data, job, times):
            uses.setdefault(machine, []).append(use)
    for machine in sorted(uses):
        yield MACHINE(machine=machine, uses=_shown_uses(uses[machine]))
    yield LAST(end=job_shops.makespan(data.jobs, starts), most=data.most)


def checks(task: Task[Data]) -> Checks:
    data = task.data
    uses: dict[int, list[Use]] = {}
    done, machines = list[str](), list[int]()

    def job_runs(job: str, steps: tuple[str, ...]) -> bool:
        number = len(done)
        times = [int(step.partition(" from ")[2].partition(" to ")[0]) for step in steps]
        ends = [start + minutes for start, (_, minutes) in zip(times, data.jobs[number], strict=True)]
        if any(start < free for start, free in zip(times, [0, *ends], strict=False)) or ends[-1] > data.most:
            return False
        if job != LETTERS[number].upper() or steps != tuple(_time(data.jobs[number], times)):
            return False
        done.append(job)
        for machine, use in _uses_of(data, number, times):
            uses.setdefault(machine, []).append(use)
        return True

    def machine_runs(machine: int, uses_shown: str) -> bool:
        disjoint = all(first.end <= second.start for first, second in pairwise(sorted(uses[machine])))
        if not disjoint or len(done) != len(data.jobs) or uses_shown != _shown_uses(uses[machine]):
            return False
        machines.append(machine)
        return True

    def last(end: int, most: int) -> bool:
        return machines == sorted(uses) and (end, most) == (max(use.end for used in uses.values() for use in used), data.most)

    return {JOB: job_runs, MACHINE: lambda machine, uses: machine_runs(machine, uses), LAST: last}


def _time(job: Sequence[tuple[int, int]], starts: Sequence[int]) -> list[str]:
    """The steps of a job with their times."""
    steps = enumerate(zip(starts, job, strict=True), 1)
    return [f"step {number} on machine {machine} from {start} to {start + minutes}" for number, (start, (machine, minutes)) in steps]


def _uses_of(data: Data, job: int, starts: Sequence[int]) -> Iterator[tuple[int, Use]]:
    """Which machines a job uses, and when."""
    for number, (start, (machine, minutes)) in enumerate(zip(starts, data.jobs[job], strict=True), 1):
        yield machine, Use(start, start + minutes, f"{LETTERS[job].upper()}{number}")


def _shown_uses(uses: Sequence[Use]) -> str:
    return ", ".join(f"{use.step} {use.start}-{use.end}" for use in sorted(uses))


def _render_prompt(data: Data) -> str:
    lines = []
    for letter, steps in zip(LETTERS.upper(), data.jobs, strict=False):
        lines.append(f"Job {letter}: " + ", ".join(f"{letter}{i} on machine {m} for {t} minutes" for i, (m, t) in enumerate(steps, 1)))
    listing = "\n".join(lines)
    return (
        f"Jobs are made of steps, each done on one machine:\n{listing}\n\nThe steps of a job are done in the order listed, each after the one before it has "
        "ended. A machine works on one step at a time and does not interrupt it; it can begin the next step in the minute in which one ends. Work starts at "
        f"minute 0. Find a schedule in which everything has ended by minute {data.most}, and give the minute in which each step starts."
    )


def _to_pairs(starts: Starts) -> Pairs:
    return tuple(sorted((f"{LETTERS[job]}{step}", str(start)) for job, times in enumerate(starts) for step, start in enumerate(times, 1)))


def solutions(task: Task[Data]) -> Iterator[Pairs]:
    yield from (_to_pairs(starts) for starts in job_shops.schedules(task.data.jobs, task.data.most, [20_000], True))


SOLUTION = Solution(derive, "The starts are\n{answer}", checks)
environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=SOLUTION,
    shift=shift,
    answers="many",
    solutions=solutions,
    concept=CONCEPT,
    version=2,
)
