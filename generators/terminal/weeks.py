"""Jobs of a crontab over a week: how long they run, what they use, when they may run, and whether a table lets them collide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.terminal import names
from rlgym.generators.terminal.schedules import DAYS

DAY = 1440  # minutes
PATTERNS = ("*", "1-5", "6,0", "*", "2,4", "1-5", "3")
RESOURCES = ("the archive", "the database", "the mail queue", "the tape drive")
ATTEMPTS = 60
RULES = ("apart", "window", "after", "load")


class WeekJob(NamedTuple):
    """A job of the week.

    starts   minutes of a day at which it begins
    days     days of the week on which it runs, 0 for Sunday, as a field of a crontab
    minutes  how long it runs
    uses     what no other job may use meanwhile
    window   the first minute at which it may begin, and the last one at which it may end
    after    the job that must have ended before it on each of its days, or nothing
    """

    command: str
    starts: tuple[int, ...]
    days: str
    minutes: int
    uses: str
    window: tuple[int, int]
    after: str


Starts = Mapping[str, Sequence[int]]


def days_of(field: str) -> frozenset[int]:
    """The days of a pattern, 0 for Sunday."""
    if field == "*":
        return frozenset(range(7))
    if "-" in field:
        first, last = map(int, field.split("-"))
        return frozenset(range(first, last + 1))
    return frozenset(map(int, field.split(",")))


def sample_jobs(rng: Rng, count: int, resources: int, most: int, ordered: int, twice: int) -> tuple[WeekJob, ...]:
    """Jobs whose starts break no rule.

    most     jobs that may run at a time
    ordered  jobs that come after another one
    twice    jobs that run twice a day

    ValueError where a week has no room for them.
    """
    placed: list[WeekJob] = []
    for attempt in range(ATTEMPTS):
        longest = max(4, 18 - attempt // 2)  # of a job, in steps of five minutes; shorter ones where long ones do not fit
        placed = _place_all(rng.child(attempt), count, resources, most, twice, longest)
        if len(placed) == count:
            break
    else:
        raise ValueError(f"a week has no room for {count} jobs of which {most} may run at a time")
    for number in rng.shuffled(range(count)):
        job = placed[number]
        before = [other for other in placed if _ends_before(other, job) and not other.after and other.command != job.command]
        if ordered and before:
            ordered -= 1
            placed[number] = job._replace(after=rng.choice(before).command)
    return tuple(placed)


def _place_all(rng: Rng, count: int, resources: int, most: int, twice: int, longest: int) -> list[WeekJob]:
    """The jobs, as far as each finds a free time."""
    placed: list[WeekJob] = []
    for number, stem in enumerate(rng.sample(names.WORDS, count)):
        length, uses = 5 * rng.integer(4, longest), RESOURCES[number % resources]
        job = WeekJob(f"bin/{stem}", (), PATTERNS[number % len(PATTERNS)], length, uses, (0, DAY), "")
        found = _placed(rng, job, placed, 2 if number < twice else 1, most)
        if found is None:
            break
        placed.append(found)
    return placed


def _placed(rng: Rng, job: WeekJob, others: Sequence[WeekJob], runs: int, most: int) -> WeekJob | None:
    """The job at a free time; None where none is found."""
    for _ in range(ATTEMPTS):
        starts = tuple(sorted(5 * rng.integer(6, (DAY - job.minutes) // 5 - 6) for _ in range(runs)))
        window = (max(0, starts[0] - 5 * rng.integer(2, 12)), min(DAY - 5, starts[-1] + job.minutes + 5 * rng.integer(2, 12)))
        found = job._replace(starts=starts, window=window)
        table = [*others, found]
        if not any(broken(table, {other.command: other.starts for other in table}, most).values()):
            return found
    return None


def _ends_before(one: WeekJob, other: WeekJob) -> bool:
    return days_of(one.days) >= days_of(other.days) and max(one.starts) + one.minutes <= min(other.starts)


def broken(jobs: Sequence[WeekJob], starts: Starts, most: int) -> dict[str, list[str]]:
    """For each rule the jobs that break it when jobs begin at these minutes of their days."""
    found: dict[str, list[str]] = {rule: [] for rule in RULES}
    by_command = {job.command: job for job in jobs}
    for job in jobs:
        first, last = job.window
        if any(not first <= start <= start + job.minutes <= last for start in starts[job.command]):
            found["window"].append(job.command)
        if job.after:
            ended = max(starts[job.after]) + by_command[job.after].minutes
            if min(starts[job.command]) < ended:
                found["after"].append(job.command)
    for day in range(7):
        runs = [(start, start + job.minutes, job) for job in jobs if day in days_of(job.days) for start in starts[job.command]]
        for number, (begin, end, job) in enumerate(runs):
            meeting = [other for at, (first, last, other) in enumerate(runs) if at != number and first < end and begin < last]
            if any(other.uses == job.uses for other in meeting):
                found["apart"].append(job.command)
            at_its_begin = [other for first, last, other in runs if first <= begin < last]
            if len(at_its_begin) > most:
                found["load"].append(job.command)
    return {rule: sorted(set(commands)) for rule, commands in found.items()}


def broken_by_day(jobs: Sequence[WeekJob], days: Sequence[Starts], most: int) -> dict[str, list[str]]:
    """`broken`, where jobs may begin at other minutes on other days; `days` are the starts of each day, Sunday first."""
    found: dict[str, set[str]] = {rule: set() for rule in RULES}
    for day, starts in enumerate(days):
        of_day = [job._replace(days=str(day)) for job in jobs if day in days_of(job.days)]
        for rule, commands in broken(of_day, starts, most).items():
            found[rule] |= set(commands)
    return {rule: sorted(commands) for rule, commands in found.items()}


def sample_moves(rng: Rng, jobs: Sequence[WeekJob], count: int, most: int) -> dict[str, tuple[int, ...]]:
    """Other starts of some jobs, each of which breaks a rule, by turns different ones."""
    right = {job.command: job.starts for job in jobs}
    moved: dict[str, tuple[int, ...]] = {}
    for number, job in enumerate(rng.sample(jobs, count)):
        wanted = RULES[number % len(RULES)]
        tries: list[tuple[bool, int, tuple[int, ...]]] = []
        for attempt in range(40 * ATTEMPTS):
            if attempt >= 40 and tries:
                break
            starts = tuple(sorted(5 * rng.integer(1, (DAY - job.minutes) // 5 - 1) for _ in job.starts))
            rules = [rule for rule, commands in broken(jobs, {**right, job.command: starts}, most).items() if commands]
            if rules and len(set(starts)) == len(starts):
                tries.append((wanted not in rules, len(rules), starts))
        moved[job.command] = min(tries)[2]
    return moved


def fields(starts: Sequence[int], days: str) -> list[str]:
    """The five fields of each line that begins a job at these minutes: one line, or one for each minute of the hour that there is."""
    by_minute: dict[int, list[int]] = {}
    for start in starts:
        by_minute.setdefault(start % 60, []).append(start // 60)
    return [f"{minute} {','.join(map(str, sorted(hours)))} * * {days}" for minute, hours in sorted(by_minute.items())]


def clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


def describe(job: WeekJob) -> str:
    """What the documents say of a job."""
    chosen = sorted(days_of(job.days), key=lambda day: (day - 1) % 7)
    days = "every day" if len(chosen) == 7 else f"on {', '.join(DAYS[day] for day in chosen)}"
    runs = "once" if len(job.starts) == 1 else "twice"
    after = f" It begins when `{job.after}` has ended for the last time on that day, or later." if job.after else ""
    return (
        f"- `{job.command}` runs {runs} {days if days == 'every day' else 'a day, ' + days}, for {job.minutes} minutes, and uses {job.uses}. "
        f"It runs between {clock(job.window[0])} and {clock(job.window[1])}.{after}\n"
    )
