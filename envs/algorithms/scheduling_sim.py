"""Simulate how one processor shares its time between jobs, and say when each job is finished.

On the upper levels the finishing times of two jobs are given instead, and the times that two other jobs need are to be found.
Such a task is kept only if no other times up to the stated maximum give these finishing times.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
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
TRY = Step("Suppose that {needs}")
TURN = Step("From time {start} to {end} job {job} runs; it needs {left} more")


class Turn(NamedTuple):
    start: int
    end: int
    job: int
    left: int  # time that the job still needs


class Knobs(Config):
    jobs: int = knob(5, easy=3, hard=12, doc="jobs; two thirds where needed times are to be found")
    longest: int = knob(9, easy=4, hard=24, doc="longest time that a job needs; two thirds where needed times are to be found")
    policy: str = knob("robin", easy="first", hard="levels", order=tuple(POLICIES), doc="scheduling policy")
    change: int = knob(1, easy=0, hard=2, doc="maximum cost of a context switch")
    question: str = knob("ends", easy="ends", hard="needs", order=("ends", "needs"), doc="whether to find finishing times or needed times")


class Data(TaskData):
    jobs: tuple[tuple[int, int], ...]
    """Arrival and needed time of each job."""
    hidden: tuple[int, ...]
    """The jobs whose needed times are to be found, if any, from 0."""
    finished: tuple[int, ...]
    """The jobs whose finishing times are then given."""
    longest: int
    policy: str
    slice: int
    change: int
    right: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    def sample_arrivals(jobs: int, longest: int) -> list[int]:
        gaps = [0, *(rng.integer(0, longest // 2) for _ in range(jobs - 1))]
        return rng.shuffled([sum(gaps[: i + 1]) for i in range(jobs)])

    return _sample_task(rng, knobs, sample_arrivals)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Jobs arrive in bursts, with pauses in which the processor may be idle."""

    def sample_arrivals(jobs: int, longest: int) -> list[int]:
        bursts = [rng.integer(0, 2)]
        while len(bursts) < 1 + jobs // 3:
            bursts.append(bursts[-1] + rng.integer(longest, 3 * longest))
        return [rng.choice(bursts) for _ in range(jobs)]

    return _sample_task(rng, knobs, sample_arrivals)


def solve(task: Task[Data]) -> tuple[int, ...]:
    """Unit by unit of time, instead of turn by turn; hidden times by trying all."""
    data = task.data
    if not data.hidden:
        return _finish_by_units(data)
    ends = _finish_by_units(data)
    goals = [ends[job] for job in data.finished]
    for needs in product(range(1, data.longest + 1), repeat=len(data.hidden)):
        ends = _finish_by_units(_with_needs(data, needs))
        if [ends[job] for job in data.finished] == goals:
            return needs
    raise ValueError("no times fit")


def _finish_by_units(data: Data) -> tuple[int, ...]:
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
    return Score.exact(tuple(answer) == task.data.right, "at least one time is wrong")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    if data.hidden:
        first, second = right
        return [(second, first), (first + 1, second - 1), (first - 1, second + 1), (first, second + 1), (first, second, *right)]
    others = [_finishing_times(data.model_copy(update={"policy": policy})) for policy in POLICIES]
    free = _finishing_times(data.model_copy(update={"change": 0}))
    together = _finishing_times(data.model_copy(update={"jobs": tuple((0, need) for _, need in data.jobs)}))
    return [*others, free, together, tuple(time - 1 for time in right), tuple(sorted(right))]


def cost(task: Task[Data]) -> float:
    data = task.data
    simulation = len(_turns(data)) * (2 + list(POLICIES).index(data.policy)) * (1 + 0.3 * data.change)
    return simulation * data.longest if data.hidden else simulation


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    if data.hidden:
        yield TRY(needs=" and ".join(f"job {job + 1} needs {data.jobs[job][1]}" for job in data.hidden))
    for turn in _turns(data):
        yield TURN(start=turn.start, end=turn.end, job=turn.job + 1, left=turn.left)


def _sample_task(rng: Rng, knobs: Knobs, sample_arrivals: Callable[[int, int], list[int]]) -> Task[Data]:
    inverse = knobs.question == "needs"
    longest = max(4, knobs.longest * 2 // 3) if inverse else knobs.longest
    count = max(4, knobs.jobs * 2 // 3) if inverse else knobs.jobs
    while True:
        jobs = tuple((arrival, rng.integer(1, longest)) for arrival in sample_arrivals(count, longest))
        change = rng.integer(min(1, knobs.change), knobs.change)
        share = rng.integer(2, max(2, longest // 4))
        data = Data(jobs=jobs, hidden=(), finished=(), longest=longest, policy=knobs.policy, slice=share, change=change, right=())
        if inverse:
            chosen = rng.sample(range(count), 4)
            right = tuple(jobs[job][1] for job in sorted(chosen[:2]))
            data = data.model_copy(update={"hidden": tuple(sorted(chosen[:2])), "finished": tuple(sorted(chosen[2:])), "right": right})
        else:
            data = data.model_copy(update={"right": _finishing_times(data)})
        if not inverse or _has_one_solution(data):
            return Task(_render_prompt(data), data)


def _has_one_solution(data: Data) -> bool:
    """Whether no other needed times up to the maximum give the same finishing times, by trying all."""
    ends = _finishing_times(data)
    goals = {job: ends[job] for job in data.finished}
    fitting = 0
    for needs in product(range(1, data.longest + 1), repeat=len(data.hidden)):
        fitting += _reaches(_with_needs(data, needs), goals)
        if fitting > 1:
            return False
    return True


def _reaches(data: Data, goals: Mapping[int, int]) -> bool:
    ends = {turn.job: turn.end for turn in _turns(data) if not turn.left}
    return all(ends[job] == goal for job, goal in goals.items())


def _with_needs(data: Data, needs: Sequence[int]) -> Data:
    changed = dict(zip(data.hidden, needs, strict=True))
    return data.model_copy(update={"jobs": tuple((arrival, changed.get(job, need)) for job, (arrival, need) in enumerate(data.jobs))})


def _render_prompt(data: Data) -> str:
    change = data.change
    listing = "\n".join(
        f"job {i + 1}: arrives at {arrival}, needs {'?' if i in data.hidden else need}" for i, (arrival, need) in enumerate(data.jobs)
    )
    units = "1 time unit is" if change == 1 else f"{change} time units are"
    changing = (
        f" Before a job runs, {units} lost if the job that ran last was another one (however long ago that was); jobs that arrive "
        "meanwhile join the queue as always, but which job runs next is already settled. Nothing is lost before the very first job."
        if change
        else ""
    )
    question = "At what time is each job finished?"
    if data.hidden:
        ends = _finishing_times(data)
        first, second = (job + 1 for job in data.hidden)
        given = " and ".join(f"job {job + 1} is finished at time {ends[job]}" for job in data.finished)
        question = (
            f"The times that job {first} and job {second} need are unknown; each is a whole number from 1 to {data.longest}. "
            f"In the end {given}. Only one pair of needed times leads to this. How long does job {first} need, and how long job {second}?"
        )
    return (
        "One processor runs these jobs, one at a time, starting at time 0:\n"
        f"{listing}\n\n{POLICIES[data.policy].format(slice=data.slice, double=2 * data.slice)} "
        f"When no job is waiting, the processor waits for the next arrival.{changing}\n\n{question}"
    )


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
    Knobs, Numbers("the times in the order of the jobs, separated by commas", max_items=100),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The times, in the order of the jobs, are {answer}", whole=True),
    shift=shift,
    concept="Write down turn by turn who runs from when to when, what it still needs, and who stands in the queue after it.", version=4,
)  # fmt: skip
