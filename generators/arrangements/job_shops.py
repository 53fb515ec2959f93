"""Job shops: when each step of a job starts on its machine, and a search for schedules that meet a deadline."""

from __future__ import annotations

from collections.abc import Iterator

Jobs = tuple[tuple[tuple[int, int], ...], ...]
"""The steps of each job: machine, minutes."""
Starts = tuple[tuple[int, ...], ...]


def makespan(jobs: Jobs, starts: Starts) -> int:
    return max(times[-1] + steps[-1][1] for times, steps in zip(starts, jobs, strict=True))


def greedy_starts(jobs: Jobs) -> Starts:
    """Always the first job with the fewest steps done, as soon as it can."""
    machines: dict[int, int] = {}
    ready, starts = [0] * len(jobs), [list[int]() for _ in jobs]
    for step in range(len(jobs[0])):
        for job, steps in enumerate(jobs):
            machine, minutes = steps[step]
            start = max(ready[job], machines.get(machine, 0))
            starts[job].append(start)
            ready[job] = machines[machine] = start + minutes
    return tuple(map(tuple, starts))


def schedules(jobs: Jobs, most: int, budget: list[int], turned: bool) -> Iterator[Starts]:
    """Every schedule within the deadline in which nothing could start sooner without delaying something; `budget` counts positions."""
    count, machines = len(jobs), max(machine for steps in jobs for machine, _ in steps) + 1
    rest = [[sum(minutes for _, minutes in steps[i:]) for i in range(len(steps) + 1)] for steps in jobs]
    load = [sum(minutes for steps in jobs for other, minutes in steps if other == machine) for machine in range(machines)]
    stack: list[tuple[Starts, tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = [
        (((),) * count, (0,) * count, (0,) * machines, tuple(load))
    ]
    while stack:
        starts, ready, free, work_left = stack.pop()
        budget[0] -= 1
        if budget[0] < 0:
            return
        waiting = [job for job in range(count) if len(starts[job]) < len(jobs[job])]
        if not waiting:
            yield starts
            continue
        begins = {job: max(ready[job], free[jobs[job][len(starts[job])][0]]) for job in waiting}
        # Some step must start on the machine that could be done first, before it could be done.
        first = min(waiting, key=lambda job: (begins[job] + jobs[job][len(starts[job])][1], job))
        machine, minutes = jobs[first][len(starts[first])]
        end = begins[first] + minutes
        rivals = [job for job in waiting if jobs[job][len(starts[job])][0] == machine and begins[job] < end]
        choices = []
        for job in rivals:
            begin, minutes = begins[job], jobs[job][len(starts[job])][1]
            now = begin + minutes
            if now + rest[job][len(starts[job]) + 1] > most or now + work_left[machine] - minutes > most:
                continue
            after = (*ready[:job], now, *ready[job + 1 :])
            if any(max(after[i], now if i != job and i in rivals else 0) + rest[i][len(starts[i])] > most for i in waiting if i != job):
                continue
            placed = (*starts[:job], (*starts[job], begin), *starts[job + 1 :])
            frees = (*free[:machine], now, *free[machine + 1 :])
            lefts = (*work_left[:machine], work_left[machine] - minutes, *work_left[machine + 1 :])
            choices.append((rest[job][len(starts[job])], job, (placed, after, frees, lefts)))
        stack += [position for *_, position in sorted(choices, key=lambda choice: (choice[0], choice[1]), reverse=turned)]


def earliest_end(jobs: Jobs, positions: int) -> int:
    """The earliest end, proved by a search that finds nothing earlier; 0 if that takes too much work."""
    budget = [positions]
    best = makespan(jobs, greedy_starts(jobs))
    while True:
        schedule = next(schedules(jobs, best - 1, budget, False), None)
        if budget[0] < 0:
            return 0
        if schedule is None:
            return best
        best = makespan(jobs, schedule)
