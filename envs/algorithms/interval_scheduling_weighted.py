"""Choose jobs that do not overlap so that they pay as much as possible."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.solutions import Checks, Derivation, Solution, Step

RULES = {
    "touch": "Chosen jobs must not overlap; one may start just when another one ends.",
    "gap": "Between the end of a chosen job and the start of the next one there must be at least {gap}.",
    "count": (
        "Between the end of a chosen job and the start of the next one there must be at least {gap}, and at most {most} jobs may be chosen."
    ),
}
BEST = Step(
    "Of the jobs that start at {start:int} or later, at most {count:int}, {name} first or not at all: at best {pay:int}, by {way} it"
)
DONE = Step("The best of all is {pay:int}: {answer}")


class Job(NamedTuple):
    name: str
    start: int
    end: int
    pay: int


class Knobs(Config):
    jobs: int = knob(9, easy=5, hard=26, doc="jobs to choose from")
    pay: int = knob(20, easy=9, hard=90, doc="largest pay of a job")
    rule: str = knob("gap", easy="touch", hard="count", order=tuple(RULES), doc="what keeps chosen jobs apart, and how many they may be")


class Data(TaskData):
    jobs: tuple[Job, ...]
    gap: int
    most: int
    best: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    day = 3 * knobs.jobs
    starts = [rng.integer(0, day) for _ in range(knobs.jobs)]
    return _sample_task(rng, knobs, [(start, start + rng.integer(2, 2 + day // 3), rng.integer(1, knobs.pay)) for start in starts])


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Long jobs that pay well overlap rows of short ones that pay less."""
    jobs: list[tuple[int, int, int]] = []
    at = rng.integer(0, 4)
    count = max(7, knobs.jobs)
    while len(jobs) < count:
        parts, start = rng.integer(2, 4), at
        for _ in range(parts):
            length = rng.integer(2, 5)
            jobs.append((at, at + length, rng.integer(1, max(2, knobs.pay // 2))))
            at += length + rng.integer(0, 3)
        jobs.append((start - rng.integer(0, 2), at + rng.integer(-1, 2), rng.integer(knobs.pay // 2, knobs.pay)))
    return _sample_task(rng, knobs, [(start + 2, end + 2, pay) for start, end, pay in jobs[:count]])


def solve(task: Task[Data]) -> tuple[str, ...]:
    """Dynamic programming over jobs by end; the worked solution goes over jobs by start, from the last."""
    data = task.data
    jobs = sorted(data.jobs, key=lambda job: job.end)
    ends = [job.end for job in jobs]
    table: list[list[tuple[int, tuple[str, ...]]]] = [[(0, ())] * (data.most + 1)]
    for i, (name, start, _, pay) in enumerate(jobs):
        unlimited = min(bisect_right(ends, start - data.gap), i)
        row = [table[i][0]]
        for count in range(1, data.most + 1):
            worth, names = table[unlimited][count - 1]
            row.append(max(table[i][count], (worth + pay, (*names, name)), key=lambda option: option[0]))
        table.append(row)
    return table[-1][-1][1]


def verify(task: Task[Data], answer: Sequence[str]) -> Score:
    data = task.data
    known = {job.name: job for job in data.jobs}
    chosen = [name.upper() for name in answer]
    if len(set(chosen)) < len(chosen) or not all(name in known for name in chosen):
        return Score.wrong("each chosen job must be one of the list, named once")
    if len(chosen) > data.most:
        return Score.wrong("too many jobs are chosen")
    jobs = sorted((known[name] for name in chosen), key=lambda job: job.start)
    for i in range(1, len(jobs)):
        if jobs[i].start < jobs[i - 1].end + data.gap:
            return Score.wrong(f"{jobs[i - 1].name} and {jobs[i].name} are too close together")
    return Score.exact(sum(job.pay for job in jobs) == data.best, "there is a choice that pays more")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    greedy = []
    for order in (lambda job: -job.pay, lambda job: job.end, lambda job: job.end - job.start):
        chosen: list[Job] = []
        for job in sorted(data.jobs, key=order):
            if len(chosen) < data.most and all(job.start >= other.end + data.gap or other.start >= job.end + data.gap for other in chosen):
                chosen.append(job)
        greedy.append(tuple(job.name for job in chosen))
    everything = tuple(job.name for job in data.jobs)
    return [answer for answer in (*greedy, right[:-1], right[1:], everything) if answer and verify(task, answer).value == 0]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.jobs) ** 2 * (1 + (data.gap > 0) + (data.most < len(data.jobs))))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    jobs, table = _best_pays(data)
    counts = range(1, data.most + 1) if data.most < len(jobs) else [data.most]
    for i in range(len(jobs) - 1, -1, -1):
        for count in counts:
            decision = "taking" if table[i][count] > table[i + 1][count] else "leaving"
            yield BEST(count=count, start=jobs[i].start, name=jobs[i].name, pay=table[i][count], way=decision)
    yield DONE(pay=data.best, answer=" ".join(solve(task)))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    jobs = sorted(data.jobs, key=lambda job: (job.start, job.name))
    limited = data.most < len(jobs)
    claimed: dict[tuple[int, int], int] = {}

    def best(i: int, count: int) -> int:
        return 0 if i >= len(jobs) or count <= 0 else claimed[i, count if limited else data.most]

    def is_best(count: int, start: int, name: str, pay: int, way: str) -> bool:
        i = next(k for k, job in enumerate(jobs) if job.name == name)
        after = next((k for k, job in enumerate(jobs) if job.start >= jobs[i].end + data.gap), len(jobs))
        taking, leaving = jobs[i].pay + best(after, count - 1), best(i + 1, count)
        new = (i, count) not in claimed and 1 <= count <= data.most and start == jobs[i].start
        claimed[i, count] = pay
        return new and pay == max(taking, leaving) and way == ("taking" if taking > leaving else "leaving")

    return {BEST: is_best, DONE: lambda pay, answer: pay == claimed[0, data.most]}


def _sample_task(rng: Rng, knobs: Knobs, spans: list[tuple[int, int, int]]) -> Task[Data]:
    jobs = tuple(Job(f"J{i}", *job) for i, job in enumerate(rng.shuffled(spans), 1))
    gap = 0 if knobs.rule == "touch" else rng.integer(1, 3)
    data = Data(jobs=jobs, gap=gap, most=len(jobs), best=0)
    if knobs.rule == "count":
        unlimited = len(solve(Task("", data)))
        data = data.model_copy(update={"most": max(1, unlimited - rng.integer(1, 2))})
    data = data.model_copy(update={"best": _best_pays(data)[1][0][data.most]})
    listing = "\n".join(f"{name}: from {start} to {end}, pays {pay}" for name, start, end, pay in jobs)
    rule = RULES[knobs.rule].format(gap=f"{gap} time unit{'s' * (gap > 1)}", most=data.most)
    prompt = f"These jobs are on offer:\n{listing}\n\n{rule} Choose jobs so that their total pay is as large as possible."
    return Task(prompt, data)


def _best_pays(data: Data) -> tuple[list[Job], list[list[int]]]:
    """The jobs by start, and the best pay from each job on with each number of jobs."""
    jobs = sorted(data.jobs, key=lambda job: (job.start, job.name))
    starts = [job.start for job in jobs]
    table = [[0] * (data.most + 1) for _ in range(len(jobs) + 1)]
    for i in range(len(jobs) - 1, -1, -1):
        after = next((k for k in range(len(jobs)) if starts[k] >= jobs[i].end + data.gap), len(jobs))
        for count in range(1, data.most + 1):
            table[i][count] = max(table[i + 1][count], jobs[i].pay + table[after][count - 1])
    return jobs, table


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """All best choices, read from the table, last job first."""
    data = task.data
    jobs, table = _best_pays(data)

    def choices(i: int, count: int) -> Iterator[tuple[str, ...]]:
        if i == len(jobs) or not count:
            yield ()
            return
        if table[i + 1][count] == table[i][count]:
            yield from choices(i + 1, count)
        after = next((k for k in range(len(jobs)) if jobs[k].start >= jobs[i].end + data.gap), len(jobs))
        if jobs[i].pay + table[after][count - 1] == table[i][count]:
            yield from ((*rest, jobs[i].name) for rest in choices(after, count - 1))

    return choices(0, data.most)


environment = Environment(
    Knobs, Words("the names of the chosen jobs in any order, separated by spaces", max_items=100), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, DONE, checks), shift=shift, answers="many", solutions=_other_answers,
    concept="Go through the jobs by their start from the last: each is taken with the best that can follow it, or left for the best without it.",
    version=4,
)  # fmt: skip
