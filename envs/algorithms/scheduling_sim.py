"""Simulate how one processor shares its time between jobs, and say when each job is finished."""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.steps import Line, first_wrong

POLICIES = {
    "first": "Jobs run in the order of their arrival, each to its end; of jobs that arrive at the same time, the one with the smaller number is first.",
    "robin": (
        "Waiting jobs stand in a queue. The first job of the queue runs for {slice} time units, or to its end if that comes sooner; if it is not finished, it "
        "then goes to the end of the queue. A job joins the end of the queue when it arrives; of jobs that arrive at the same time, the one "
        "with the smaller number "
        "joins first, and a job that arrives just when another one's turn ends joins before that one."
    ),
    "levels": (
        "Waiting jobs stand in two queues. Jobs of queue 1 go before jobs of queue 2. The first job of queue 1 runs for {slice} time units, or to its end if "
        "that comes sooner; if it is not finished, it then goes to the end of queue 2. The first job of queue 2, which runs only when queue "
        "1 is empty, runs for "
        "{double} time units or to its end; if it is not finished, it goes to the end of queue 2. A turn that has begun is never cut short. "
        "A job joins the end of "
        "queue 1 when it arrives; of jobs that arrive at the same time, the one with the smaller number joins first."
    ),
}
TURN = Line("From time {start} to {end} job {job} runs; it needs {left} more")
DONE = Line("The jobs are finished at the times {times}")


class Knobs(Config):
    jobs: int = knob(5, easy=3, hard=12, doc="jobs")
    longest: int = knob(9, easy=4, hard=24, doc="longest time that a job needs")
    policy: str = knob("robin", easy="first", hard="levels", order=tuple(POLICIES), doc="who runs when")
    change: int = knob(1, easy=0, hard=2, doc="most time that changing to another job costs")


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
    return _made(rng, knobs, rng.shuffled(arrivals))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Jobs come in bursts, several at the same time, with pauses in which the processor may be idle."""
    bursts = [rng.integer(0, 2)]
    while len(bursts) < 1 + knobs.jobs // 3:
        bursts.append(bursts[-1] + rng.integer(knobs.longest, 3 * knobs.longest))
    return _made(rng, knobs, [rng.choice(bursts) for _ in range(knobs.jobs)])


def solve(task: Task[Data]) -> tuple[int, ...]:
    """Unit by unit of time, instead of turn by turn."""
    data = task.data
    left, finished = [need for _, need in data.jobs], [0] * len(data.jobs)
    queues: tuple[list[int], list[int]] = ([], [])
    running, last, quantum, pause, now = -1, -1, 0, 0, 0
    while any(left):
        queues[0].extend(i for i, (arrival, _) in enumerate(data.jobs) if arrival == now)
        if running >= 0 and (not left[running] or not quantum):
            if left[running]:
                queues[data.policy == "levels"].append(running)
            running = -1
        if running < 0 and (queues[0] or queues[1]):
            low = not queues[0]
            running = queues[low].pop(0)
            quantum = left[running] if data.policy == "first" else data.slice * (1 + low)
            pause = data.change if last not in (-1, running) else 0
            last = running
        now += 1
        if running >= 0 and pause:
            pause -= 1
        elif running >= 0:
            left[running], quantum = left[running] - 1, quantum - 1
            if not left[running]:
                finished[running] = now
    return tuple(finished)


def verify(task: Task[Data], answer: Sequence[int]) -> Score:
    return Score.exact(tuple(answer) == task.data.right, "some job is finished at another time")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    others = [_finished(data.model_copy(update={"policy": policy})) for policy in POLICIES]
    free = _finished(data.model_copy(update={"change": 0}))
    together = _finished(data.model_copy(update={"jobs": tuple((0, need) for _, need in data.jobs)}))
    return [*others, free, together, tuple(time - 1 for time in right), tuple(sorted(right))]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(_turns(data)) * (2 + list(POLICIES).index(data.policy)) * (1 + 0.3 * data.change))


def explain(task: Task[Data]) -> list[str]:
    steps = [TURN.write(start=start, end=end, job=job + 1, left=left) for start, end, job, left in _turns(task.data)]
    return [*steps, DONE.write(times=", ".join(map(str, solve(task))))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    turns, done = _turns(data), 0
    needs = {job: need for job, (_, need) in enumerate(data.jobs)}
    ended: dict[int, int] = {}

    def follows(step: str) -> bool:
        nonlocal done
        said = {name: int(value) for name, value in (TURN.read(step) or {}).items()}
        job = said["job"] - 1
        needs[job] -= said["end"] - said["start"]
        done += 1
        if not needs[job]:
            ended[job] = said["end"]
        return needs[job] == said["left"] and turns[done - 1] == (said["start"], said["end"], job, said["left"])

    def ends(step: str) -> bool:
        times = tuple(map(int, (DONE.read(step) or {})["times"].split(", ")))
        return not any(needs.values()) and times == tuple(ended[job] for job in range(len(data.jobs))) and verify(task, times).value == 1

    return first_wrong(steps, follows, ends)


def _made(rng: Rng, knobs: Knobs, arrivals: Sequence[int]) -> Task[Data]:
    jobs = tuple((arrival, rng.integer(1, knobs.longest)) for arrival in arrivals)
    change = rng.integer(min(1, knobs.change), knobs.change)
    data = Data(jobs=jobs, policy=knobs.policy, slice=rng.integer(2, max(2, knobs.longest // 4)), change=change, right=())
    listing = "\n".join(f"job {i}: arrives at {arrival}, needs {need}" for i, (arrival, need) in enumerate(jobs, 1))
    units = "1 time unit is" if change == 1 else f"{change} time units are"
    changing = (
        f" Before a job runs, {units} lost if the job that ran last was another one (however long ago that was); jobs that arrive "
        "meanwhile join the queue as "
        "always, but which job runs next is already settled. Nothing is lost before the very first job."
        if change
        else ""
    )
    prompt = (
        "One processor runs these jobs, one at a time, starting at time "
        f"0:\n{listing}\n\n{POLICIES[knobs.policy].format(slice=data.slice, double=2 * data.slice)} "
        f"When no job is waiting, the processor waits for the next arrival.{changing}\n\nAt what time is each job finished?"
    )
    return Task(prompt, data.model_copy(update={"right": _finished(data)}))


def _turns(data: Data) -> list[tuple[int, int, int, int]]:
    """Start, end, job and time still needed of every turn."""
    coming = sorted((arrival, i) for i, (arrival, _) in enumerate(data.jobs))
    left = [need for _, need in data.jobs]
    high, low, now, last = list[int](), list[int](), 0, -1
    turns = []
    while any(left):
        while coming and coming[0][0] <= now:
            high.append(coming.pop(0)[1])
        if not high and not low:
            now = coming[0][0]
            continue
        longer = not high
        job = (high or low).pop(0)
        now += data.change if last not in (-1, job) else 0
        length = left[job] if data.policy == "first" else min(left[job], data.slice * (1 + longer))
        left[job] -= length
        turns.append((now, now + length, job, left[job]))
        now, last = now + length, job
        while coming and coming[0][0] <= now:
            high.append(coming.pop(0)[1])
        if left[job]:
            (low if data.policy == "levels" else high).append(job)
    return turns


def _finished(data: Data) -> tuple[int, ...]:
    ends = {job: end for _, end, job, left in _turns(data) if not left}
    return tuple(ends[job] for job in range(len(data.jobs)))


environment = Environment(
    Knobs,
    Numbers("the finishing times of jobs 1, 2, ... in order, separated by commas", most=100),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="Write down turn by turn who runs from when to when, what it still needs, and who stands in the queue after it.",
    version=2,
)
