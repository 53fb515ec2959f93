"""Give each worker one job at the smallest total cost, or so that the dearest job is as cheap as can be.

Every best assignment is accepted; the optimal cost is computed exactly during generation.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.text.names import PEOPLE
from rlgym.generators.text.words import JOBS as WORK
from rlgym.solutions import Checks, Derivation, Solution, Step

Pairs = tuple[tuple[str, str], ...]
DEAREST = Step("With costs below {cap:int} only, the workers cannot all get jobs of their own; with costs up to {cap:int} they can")
JOBS = Step("Take an amount off all costs of each job: {amounts:words}; together {total:int}")
WORKER = Step("{worker}, with {amount:int} taken off as well: {left:words}")
BOUND = Step("No cost falls below 0, so no total is below the sum of all amounts, {total:int}")
Costs = tuple[tuple[int, ...], ...]  # worker by job; 0 where the worker cannot do the job
NEVER = 10**6
ANSWER = Mapping("one line `worker: job` for each worker", max_items=40)
CONCEPT = "Taking an amount off a whole row or column changes every assignment alike: take off until each row and column can use a zero of its own."


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
    return _sample_task(rng, knobs, products=False)


def _sample_task(rng: Rng, knobs: Knobs, products: bool) -> Task[Data]:
    count = knobs.workers
    planted = rng.shuffled(range(count))
    base = [rng.integer(0, 30) for _ in range(count)]
    rates, lengths = ([rng.integer(3, 12) for _ in range(count)] if products else [] for _ in range(2))

    def cost_of(i: int, j: int) -> int:
        if planted[i] != j and rng.integer(1, 100) <= knobs.barred:
            return 0
        return rates[i] * lengths[j] + rng.integer(1, 6) if products else base[i] + rng.integer(5, 60)

    costs = tuple(tuple(cost_of(i, j) for j in range(count)) for i in range(count))
    worst = knobs.goal == "worst"
    cap = _bottleneck_cost(costs) if worst else NEVER - 1
    workers, jobs = tuple(rng.sample(PEOPLE, count)), tuple(rng.sample(WORK, count))
    data = Data(workers=workers, jobs=jobs, costs=costs, worst=worst, cap=cap, best=_least_total(_cap_costs(costs, cap)))
    return Task(_render_prompt(data), data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Costs that are nearly products of a worker's rate and a job's length, so that rows and columns look alike."""
    return _sample_task(rng, knobs, products=True)


def solve(task: Task[Data]) -> Pairs:
    data = task.data
    assignment, _, _ = _hungarian_algorithm(_cap_costs(data.costs, data.cap))
    return _to_pairs(data, assignment)


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
    dearest, _, _ = _hungarian_algorithm(tuple(tuple(100 - cost if cost else NEVER for cost in row) for row in data.costs))
    other, _, _ = _hungarian_algorithm(_cap_costs(data.costs, NEVER - 1))
    answers = [[greedy[i] for i in range(count)], [cheapest[i] for i in range(count)], dearest, other, [(j + 1) % count for j in dearest]]
    return [*(_to_pairs(data, answer) for answer in answers), right[1:]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.workers) ** 3 * (1.5 if data.worst else 1) / 3 + sum(row.count(0) for row in data.costs) / 2


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    if data.worst:
        yield DEAREST(cap=data.cap)
    _, rows, columns = _hungarian_algorithm(_cap_costs(data.costs, data.cap))
    yield JOBS(amounts=[f"{job} {columns[j]}" for j, job in enumerate(data.jobs)], total=sum(columns))
    for i, worker in enumerate(data.workers):
        yield WORKER(worker=worker, amount=rows[i], left=[f"{job} {rest}" for job, rest in _reduced_costs(data, i, rows[i], columns)])
    yield BOUND(total=sum(rows) + sum(columns))


def checks(task: Task[Data]) -> Checks:
    """By the bound alone: any amounts that leave no cost below 0 are right."""
    data = task.data
    columns, rows = list[int](), list[int]()

    def off_jobs(amounts: tuple[str, ...], total: int) -> bool:
        pairs = [pair.rpartition(" ") for pair in amounts]
        columns[:] = [int(amount) for _, _, amount in pairs]
        return [job for job, _, _ in pairs] == list(data.jobs) and sum(columns) == total

    def off_worker(worker: str, amount: int, left: tuple[str, ...]) -> bool:
        reduced = _reduced_costs(data, len(rows), amount, columns)
        reduced_text = tuple(f"{job} {rest}" for job, rest in reduced)
        if worker != data.workers[len(rows)] or left != reduced_text or any(rest < 0 for _, rest in reduced):
            return False
        rows.append(amount)
        return True

    return {
        DEAREST: lambda cap: data.worst and cap == data.cap == _bottleneck_cost(data.costs),
        JOBS: off_jobs,
        WORKER: off_worker,
        BOUND: lambda total: len(rows) == len(data.workers) and total == sum(rows) + sum(columns),
    }


def _reduced_costs(data: Data, worker: int, amount: int, columns: Sequence[int]) -> list[tuple[str, int]]:
    """What is left of a worker's costs after the amounts of the worker and of each job are taken off."""
    costs = enumerate(zip(data.jobs, data.costs[worker], strict=True))
    return [(job, cost - amount - columns[j]) for j, (job, cost) in costs if 0 < cost <= data.cap]


def _render_prompt(data: Data) -> str:
    rows = []
    for worker, row in zip(data.workers, data.costs, strict=True):
        cost_texts = [f"{job} {cost}" if cost else f"{job} not possible" for job, cost in zip(data.jobs, row, strict=True)]
        rows.append(f"{worker}: {', '.join(cost_texts)}")
    listing = "\n".join(rows)
    goal = (
        "so that the cost of the dearest job is as small as possible, and among such assignments the total cost as small as possible"
        if data.worst
        else "so that the total cost is as small as possible"
    )
    return f"This is what each worker would charge for each job:\n{listing}\n\nGive every worker exactly one job and every job to exactly one worker, {goal}."


def _to_pairs(data: Data, assignment: list[int]) -> Pairs:
    return tuple(sorted((worker.lower(), data.jobs[j]) for worker, j in zip(data.workers, assignment, strict=True)))


def _cap_costs(costs: Costs, cap: int) -> Costs:
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


def _bottleneck_cost(costs: Costs) -> int:
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


def _hungarian_algorithm(costs: Costs) -> tuple[list[int], list[int], list[int]]:
    """The Hungarian method: the job of each worker, and the amounts of workers and jobs that prove it best."""
    count = len(costs)
    rows, columns = [0] * count, [0] * (count + 1)
    owner = [-1] * (count + 1)  # of each job; the last is where a new worker waits
    for worker in range(count):
        owner[count], column = worker, count
        least, predecessors, seen = [NEVER * 10] * count, [count] * count, [False] * (count + 1)
        while owner[column] >= 0:
            seen[column], who = True, owner[column]
            for j in range(count):
                if not seen[j] and (spare := costs[who][j] - rows[who] - columns[j]) < least[j]:
                    least[j], predecessors[j] = spare, column
            nearest = min((j for j in range(count) if not seen[j]), key=lambda j: (least[j], j))
            step = least[nearest]
            for j in range(count + 1):
                if seen[j]:
                    rows[owner[j]] += step
                    columns[j] -= step
                elif j < count:
                    least[j] -= step
            column = nearest
        while column != count:
            owner[column], column = owner[predecessors[column]], predecessors[column]
        owner[count] = -1
    assigned = [0] * count
    for job in range(count):
        assigned[owner[job]] = job
    return assigned, rows, columns[:count]


def _assignments(task: Task[Data]) -> Iterator[Pairs]:
    """Every best assignment, cutting off what cannot stay within the best total."""
    data = task.data
    costs = _cap_costs(data.costs, data.cap)
    cheapest = [min(row) for row in costs]
    stack: list[tuple[list[int], int]] = [([], 0)]
    while stack:
        assigned, total = stack.pop()
        if len(assigned) == len(costs):
            if total == data.best:
                yield _to_pairs(data, assigned)
            continue
        room = data.best - total - sum(cheapest[len(assigned) + 1 :])
        stack += [([*assigned, j], total + cost) for j, cost in enumerate(costs[len(assigned)]) if cost <= room and j not in assigned]


SOLUTION = Solution(derive, "An assignment with only zeros reaches it:\n{answer}", checks)
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
    solutions=_assignments,
    concept=CONCEPT,
    version=2,
)
