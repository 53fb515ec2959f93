"""Simulate how one processor shares its time between jobs, and say when each job is finished."""

from collections.abc import Sequence
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.solutions import Derivation, Solution, Step

POLICIES = {
    "first": "Jobs run in the order of their arrival, each to its end; of jobs that arrive at the same time, the one with the smaller number is first.",
    "robin": (
        "Waiting jobs stand in a queue. The first job of the queue runs for {slice} time units, or to its end if that comes sooner; if it is not "
        "finished, it then goes to the end of the queue. A job joins the end of the queue when it arrives; of jobs that arrive at the same time, the one "
        "with the smaller number joins first, and a job that arrives just when another one's turn ends joins before that one."
    ),
    "levels": (
        "Waiting jobs stand in two queues. Jobs of queue 1 take precedence over jobs of queue 2. The first job of queue 1 runs for {slice} time units, or "
        "to its end if "
        "that comes sooner; if it is not finished, it then goes to the end of queue 2. "
        "The first job of queue 2, which runs only when queue 1 is empty, runs for "
        "{double} time units or to its end; if it is not finished, it goes to the end of queue 2. A turn that has begun is never cut short. "
        "A job joins the end of queue 1 when it arrives; of jobs that arrive at the same time, the one with the smaller number joins first."
    ),
}
TURN = Step("From time {start} to {end} job {job} runs; it needs {left} more")


class Turn(NamedTuple):
    start: int
    end: int
    job: int
    left: int  # time that the job still needs


class Knobs(Config):
    jobs: int = knob(5, easy=3, hard=12, doc="jobs")
    longest: int = knob(9, easy=4, hard=24, doc="longest time that a job needs")
    policy: str = knob("robin", easy="first", hard="levels", order=tuple(POLICIES), doc="scheduling policy")
    change: int = knob(1, easy=0, hard=2, doc="maximum cost of a context switch")


class Data(TaskData):
    jobs: tuple[tuple[int, int], ...]
    """Arrival and needed time of each job."""
    policy: str
    slice: int
    change: int
    right: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    gaps = [0, *(rng.integer(0, knobs.longest // 2) for _ in range(knobs.jobs - 1))]
    arrivals = [sum(gaps[: i + 1]) for i in range(knobs.jobs)]
    return _sample_task(rng, knobs, rng.shuffled(arrivals))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Jobs arrive in bursts, with pauses in which the processor may be idle."""
    bursts = [rng.integer(0, 2)]
    while len(bursts) < 1 + knobs.jobs // 3:
        bursts.append(bursts[-1] + rng.integer(knobs.longest, 3 * knobs.longest))
    return _sample_task(rng, knobs, [rng.choice(bursts) for _ in range(knobs.jobs)])


def solve(task: Task[Data]) -> tuple[int, ...]:
    """Unit by unit of time, instead of turn by turn."""
    data = task.data
    remaining, finished = [need for _, need in data.jobs], [0] * len(data.jobs)
    queues: tuple[list[int], list[int]] = ([], [])
    running, last, quantum, pause, now = -1, -1, 0, 0, 0
    while any(remaining):
        queues[0].extend(i for i, (arrival, _) in enumerate(data.jobs) if arrival == now)
        if running >= 0 and (not remaining[running] or not quantum):
            if remaining[running]:
                queues[data.policy == "levels"].append(running)
            running = -1
        if running < 0 and (queues[0] or queues[1]):
            low_queue = not queues[0]
            running = queues[low_queue].pop(0)
            quantum = remaining[running] if data.policy == "first" else data.slice * (1 + low_queue)
            pause = data.change if last not in (-1, running) else 0
            last = running
        now += 1
        if running >= 0 and pause:
            pause -= 1
        elif running >= 0:
            remaining[running], quantum = remaining[running] - 1, quantum - 1
            if not remaining[running]:
                finished[running] = now
    return tuple(finished)


def verify(task: Task[Data], answer: Sequence[int]) -> Score:
    return Score.exact(tuple(answer) == task.data.right, "at least one job is finished at a different time")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    others = [_finishing_times(data.model_copy(update={"policy": policy})) for policy in POLICIES]
    free = _finishing_times(data.model_copy(update={"change": 0}))
    together = _finishing_times(data.model_copy(update={"jobs": tuple((0, need) for _, need in data.jobs)}))
    return [*others, free, together, tuple(time - 1 for time in right), tuple(sorted(right))]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(_turns(data)) * (2 + list(POLICIES).index(data.policy)) * (1 + 0.3 * data.change))


def derive(task: Task[Data]) -> Derivation:
    for turn in _turns(task.data):
        yield TURN(start=turn.start, end=turn.end, job=turn.job + 1, left=turn.left)


def _sample_task(rng: Rng, knobs: Knobs, arrivals: Sequence[int]) -> Task[Data]:
    jobs = tuple((arrival, rng.integer(1, knobs.longest)) for arrival in arrivals)
    change = rng.integer(min(1, knobs.change), knobs.change)
    data = Data(jobs=jobs, policy=knobs.policy, slice=rng.integer(2, max(2, knobs.longest // 4)), change=change, right=())
    listing = "\n".join(f"job {i}: arrives at {arrival}, needs {need}" for i, (arrival, need) in enumerate(jobs, 1))
    units = "1 time unit is" if change == 1 else f"{change} time units are"
    changing = (
        f" Before a job runs, {units} lost if the job that ran last was another one (however long ago that was); jobs that arrive "
        "meanwhile join the queue as always, but which job runs next is already settled. Nothing is lost before the very first job."
        if change
        else ""
    )
    prompt = (
        "One processor runs these jobs, one at a time, starting at time 0:\n"
        f"{listing}\n\n{POLICIES[knobs.policy].format(slice=data.slice, double=2 * data.slice)} "
        f"When no job is waiting, the processor waits for the next arrival.{changing}\n\nAt what time is each job finished?"
    )
    return Task(prompt, data.model_copy(update={"right": _finishing_times(data)}))


def _turns(data: Data) -> list[Turn]:
    arrivals_left = sorted((arrival, i) for i, (arrival, _) in enumerate(data.jobs))
    remaining = [need for _, need in data.jobs]
    high_queue, low_queue, now, last = list[int](), list[int](), 0, -1
    turns: list[Turn] = []
    while any(remaining):
        while arrivals_left and arrivals_left[0][0] <= now:
            high_queue.append(arrivals_left.pop(0)[1])
        if not high_queue and not low_queue:
            now = arrivals_left[0][0]
            continue
        from_low_queue = not high_queue
        job = (high_queue or low_queue).pop(0)
        now += data.change if last not in (-1, job) else 0
        length = remaining[job] if data.policy == "first" else min(remaining[job], data.slice * (1 + from_low_queue))
        remaining[job] -= length
        turns.append(Turn(now, now + length, job, remaining[job]))
        now, last = now + length, job
        while arrivals_left and arrivals_left[0][0] <= now:
            high_queue.append(arrivals_left.pop(0)[1])
        if remaining[job]:
            (low_queue if data.policy == "levels" else high_queue).append(job)
    return turns


def _finishing_times(data: Data) -> tuple[int, ...]:
    ends = {turn.job: turn.end for turn in _turns(data) if not turn.left}
    return tuple(ends[job] for job in range(len(data.jobs)))


environment = Environment(
    Knobs, Numbers("the finishing times of jobs 1, 2, ... in order, separated by commas", max_items=100),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The jobs are finished at the times {answer}", whole=True),
    shift=shift,
    concept="Write down turn by turn who runs from when to when, what it still needs, and who stands in the queue after it.", version=3,
)  # fmt: skip
