"""Give each worker one job at the smallest total cost, or so that the dearest job is as cheap as can be.

Every best assignment is accepted; how good the best is, is worked out exactly while generating.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.names import PEOPLE
from rlgym.generators.steps import Line, ended, first_wrong
from rlgym.generators.words import WORDS

Pairs = tuple[tuple[str, str], ...]
DEAREST = Line("With costs below {cap} only, the workers cannot all get jobs of their own; with costs up to {again} they can")
JOBS = Line("Take an amount off all costs of each job: {amounts}; together {sum}")
WORKER = Line("{worker}, with {amount} taken off as well: {left}")
BOUND = Line("No cost falls below 0, so no total is below the sum of all amounts, {sum}")
Costs = tuple[tuple[int, ...], ...]  # worker by job; 0 where the worker cannot do the job
NEVER = 10**6


class Knobs(Config):
    workers: int = knob(5, easy=3, hard=11, doc="workers, and as many jobs")
    goal: str = knob(
        "total",
        easy="total",
        hard="worst",
        order=("total", "worst"),
        doc="what must be small: the total cost, or first the dearest job and then the total",
    )
    barred: int = knob(10, easy=0, hard=35, doc="percent of pairs of a worker and a job that are not possible")


class Data(TaskData):
    workers: tuple[str, ...]
    jobs: tuple[str, ...]
    costs: Costs
    worst: bool
    cap: int  # the cost of the dearest job, where it must be smallest
    best: int  # the total cost


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    count = knobs.workers
    planted = rng.shuffled(range(count))
    base = [rng.integer(0, 30) for _ in range(count)]
    costs = tuple(
        tuple(0 if planted[i] != j and rng.integer(1, 100) <= knobs.barred else base[i] + rng.integer(5, 60) for j in range(count))
        for i in range(count)
    )
    worst = knobs.goal == "worst"
    cap = _least_cap(costs) if worst else NEVER - 1
    workers, jobs = tuple(rng.sample(PEOPLE, count)), tuple(rng.sample(WORDS, count))
    data = Data(workers=workers, jobs=jobs, costs=costs, worst=worst, cap=cap, best=_least_total(_capped(costs, cap)))
    return Task(_prompt(data), data)


def solve(task: Task[Data]) -> Pairs:
    data = task.data
    found, _, _ = _augmented(_capped(data.costs, data.cap))
    return _named(data, found)


def verify(task: Task[Data], answer: Pairs) -> Score:
    data = task.data
    given = dict(answer)
    if set(given) != {worker.lower() for worker in data.workers} or set(given.values()) != set(data.jobs):
        return Score.wrong("each worker must get one job, and each job one worker")
    costs = [data.costs[i][data.jobs.index(given[worker.lower()])] for i, worker in enumerate(data.workers)]
    if not all(costs):
        return Score.wrong("a worker got a job that he or she cannot do")
    if data.worst and max(costs) > data.cap:
        return Score.wrong("the dearest job can be cheaper")
    return Score.exact(sum(costs) == data.best, "the total cost can be smaller")


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    data = task.data
    count = len(data.workers)
    free, greedy = set(range(count)), dict[int, int]()
    for i in range(count):
        j = min(sorted(free), key=lambda j: data.costs[i][j] or NEVER)
        greedy[i] = j
        free.discard(j)
    cheapest = {i: min(range(count), key=lambda j: data.costs[i][j] or NEVER) for i in range(count)}
    dearest, _, _ = _augmented(tuple(tuple(100 - cost if cost else NEVER for cost in row) for row in data.costs))
    other, _, _ = _augmented(_capped(data.costs, NEVER - 1))
    answers = [[greedy[i] for i in range(count)], [cheapest[i] for i in range(count)], dearest, other, [(j + 1) % count for j in dearest]]
    return [*(_named(data, found) for found in answers), right[1:]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.workers) ** 3 * (1.5 if data.worst else 1) / 3 + sum(row.count(0) for row in data.costs) / 2


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, []
    if data.worst:
        steps.append(DEAREST.write(cap=data.cap, again=data.cap))
    found, rows, columns = _augmented(_capped(data.costs, data.cap))
    amounts = ", ".join(f"{job} {columns[j]}" for j, job in enumerate(data.jobs))
    steps.append(JOBS.write(amounts=amounts, sum=sum(columns)))
    for i, worker in enumerate(data.workers):
        left = [
            f"{job} {cost - rows[i] - columns[j]}"
            for j, (job, cost) in enumerate(zip(data.jobs, data.costs[i], strict=True))
            if 0 < cost <= data.cap
        ]
        steps.append(WORKER.write(worker=worker, amount=rows[i], left=", ".join(left)))
    steps.append(BOUND.write(sum=sum(rows) + sum(columns)))
    return [*steps, "An assignment with only zeros reaches it:\n" + environment.answer.render(_named(data, found))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    columns, rows = list[int](), list[int]()

    def follows(step: str) -> bool:
        if read := DEAREST.read(step):
            return data.worst and int(read["cap"]) == int(read["again"]) == data.cap == _least_cap(data.costs)
        if read := JOBS.read(step):
            pairs = [pair.rpartition(" ") for pair in read["amounts"].split(", ")]
            columns.extend(int(amount) for _, _, amount in pairs)
            return [job for job, _, _ in pairs] == list(data.jobs) and sum(columns) == int(read["sum"])
        if read := WORKER.read(step):
            i, amount = len(rows), int(read["amount"])
            rows.append(amount)
            left = [
                (job, cost - amount - columns[j])
                for j, (job, cost) in enumerate(zip(data.jobs, data.costs[i], strict=True))
                if 0 < cost <= data.cap
            ]
            told = ", ".join(f"{job} {rest}" for job, rest in left)
            return read["worker"] == data.workers[i] and read["left"] == told and all(rest >= 0 for _, rest in left)
        read = BOUND.read(step)
        return read is not None and len(rows) == len(data.workers) and int(read["sum"]) == sum(rows) + sum(columns)

    return first_wrong(steps, follows, ended("An assignment with only zeros reaches it:\n", task, environment.answer, verify))


def _prompt(data: Data) -> str:
    rows = []
    for worker, row in zip(data.workers, data.costs, strict=True):
        told = [f"{job} {cost}" if cost else f"{job} not possible" for job, cost in zip(data.jobs, row, strict=True)]
        rows.append(f"{worker}: {', '.join(told)}")
    listing = "\n".join(rows)
    goal = (
        "so that the cost of the dearest job is as small as possible, and among such assignments the total cost as small as possible"
        if data.worst
        else "so that the total cost is as small as possible"
    )
    return f"This is what each worker would charge for each job:\n{listing}\n\nGive every worker exactly one job and every job to exactly one worker, {goal}."


def _named(data: Data, found: list[int]) -> Pairs:
    return tuple(sorted((worker.lower(), data.jobs[j]) for worker, j in zip(data.workers, found, strict=True)))


def _capped(costs: Costs, cap: int) -> Costs:
    return tuple(tuple(cost if 0 < cost <= cap else NEVER for cost in row) for row in costs)


def _least_total(costs: Costs) -> int:
    """Worker by worker over sets of jobs that are taken."""
    totals = {0: 0}
    for row in costs:
        after: dict[int, int] = {}
        for taken, total in totals.items():
            for j, cost in enumerate(row):
                if not taken >> j & 1 and cost < NEVER and after.get(taken | 1 << j, NEVER) > total + cost:
                    after[taken | 1 << j] = total + cost
        totals = after
    return min(totals.values())


def _least_cap(costs: Costs) -> int:
    """The smallest dearest cost, worker by worker over sets of jobs that are taken."""
    caps = {0: 0}
    for row in costs:
        after: dict[int, int] = {}
        for taken, cap in caps.items():
            for j, cost in enumerate(row):
                if not taken >> j & 1 and cost and after.get(taken | 1 << j, NEVER) > max(cap, cost):
                    after[taken | 1 << j] = max(cap, cost)
        caps = after
    return min(caps.values())


def _augmented(costs: Costs) -> tuple[list[int], list[int], list[int]]:
    """The Hungarian method: the job of each worker, and the amounts of workers and jobs that prove it best."""
    count = len(costs)
    rows, columns = [0] * count, [0] * (count + 1)
    owner = [-1] * (count + 1)  # of each job; the last is where a new worker waits
    for worker in range(count):
        owner[count], here = worker, count
        least, came, seen = [NEVER * 10] * count, [count] * count, [False] * (count + 1)
        while owner[here] >= 0:
            seen[here], who = True, owner[here]
            for j in range(count):
                if not seen[j] and (spare := costs[who][j] - rows[who] - columns[j]) < least[j]:
                    least[j], came[j] = spare, here
            there = min((j for j in range(count) if not seen[j]), key=lambda j: (least[j], j))
            step = least[there]
            for j in range(count + 1):
                if seen[j]:
                    rows[owner[j]] += step
                    columns[j] -= step
                elif j < count:
                    least[j] -= step
            here = there
        while here != count:
            owner[here], here = owner[came[here]], came[here]
        owner[count] = -1
    found = [0] * count
    for job in range(count):
        found[owner[job]] = job
    return found, rows, columns[:count]


def _assignments(task: Task[Data]) -> Iterator[Pairs]:
    """Every best assignment, cutting off what cannot stay within the best total."""
    data = task.data
    costs = _capped(data.costs, data.cap)
    cheapest = [min(row) for row in costs]
    stack: list[tuple[list[int], int]] = [([], 0)]
    while stack:
        found, total = stack.pop()
        if len(found) == len(costs):
            if total == data.best:
                yield _named(data, found)
            continue
        room = data.best - total - sum(cheapest[len(found) + 1 :])
        stack += [([*found, j], total + cost) for j, cost in enumerate(costs[len(found)]) if cost <= room and j not in found]


environment = Environment(
    Knobs,
    Mapping("one line `worker: job` for each worker", most=40),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    answers="many",
    solutions=_assignments,
    concept="Taking an amount off a whole row or column changes every assignment alike: take off until each row and column can use a zero of its own.",
)
