"""Lines of a crontab: what they mean, descriptions of their times in words, and faults."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.terminal import names

BOUNDS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")
Times = tuple[frozenset[int], frozenset[int], frozenset[int], frozenset[int], frozenset[int], bool]
_PART = re.compile(r"(\*|\d{1,2}(?:-\d{1,2})?)(?:/(\d{1,2}))?")
_WORDS = re.compile(r"[\t\r -~]+")


class Job(NamedTuple):
    """A command, the five fields of its line, and when it runs, in words."""

    command: str
    fields: str
    when: str


def jobs(rng: Rng, count: int, kinds: int) -> tuple[Job, ...]:
    """Jobs with different commands; the kinds of times, plain ones first, take turns."""
    stems = rng.sample(names.WORDS, count)
    found = []
    for number, stem in enumerate(stems):
        fields, when = _time(rng, number % kinds)
        found.append(Job(f"bin/{stem}", fields, when))
    return tuple(found)


def _time(rng: Rng, kind: int) -> tuple[str, str]:
    minute, hour = rng.integer(0, 59), rng.integer(0, 23)
    clock = f"{hour:02}:{minute:02}"
    match kind:
        case 0:
            return f"{minute} {hour} * * *", f"every day at {clock}"
        case 1:
            day = rng.integer(0, 6)
            return f"{minute} {hour} * * {day}", f"every {DAYS[day]} at {clock}"
        case 2:
            return f"{minute} {hour} * * 1-5", f"from Monday to Friday at {clock}"
        case 3:
            step = rng.choice((5, 10, 15, 20))
            first = rng.integer(6, 11)
            last = first + rng.integer(3, 8)
            return (
                f"*/{step} {first}-{last} * * *",
                f"every {step} minutes from {first:02}:00 to {last:02}:{60 - step} on every day, both included",
            )
        case 4:
            date = rng.integer(1, 28)
            return f"{minute} {hour} {date} * *", f"at {clock} on day {date} of every month"
        case 5:
            months = sorted(rng.sample(range(1, 13), 2))
            date = rng.integer(1, 28)
            named = " and ".join(MONTHS[month - 1] for month in months)
            return f"{minute} {hour} {date} {months[0]},{months[1]} *", f"at {clock} on day {date} of {named} only"
    hours = sorted(rng.sample(range(24), 3))
    written = f"{hours[0]:02}:{minute:02}, {hours[1]:02}:{minute:02} and {hours[2]:02}:{minute:02}"
    return f"{minute} {','.join(map(str, hours))} * * 6,0", f"at {written} on every Saturday and Sunday"


def faulty(rng: Rng, job: Job) -> str:
    """Fields that run at other times: the first two exchanged, a field moved, or one that is wrong by a little."""
    parts = job.fields.split()
    for _ in range(20):
        changed = _with_other_last_number(rng, parts)
        if times(" ".join(changed)) != times(job.fields):
            return " ".join(changed)
    return " ".join([*parts[:2], *parts[2:4], "3"])


def _with_other_last_number(rng: Rng, parts: Sequence[str]) -> list[str]:
    match rng.integer(0, 3):
        case 0:
            return [parts[1], parts[0], *parts[2:]]
        case 1:
            return [*parts[:2], parts[4], parts[3], parts[2]]
        case 2:
            return ["*", *parts[1:]]
    at = rng.choice([place for place, part in enumerate(parts) if part != "*"])
    numbers = re.findall(r"\d+", parts[at])
    last = str(int(numbers[-1]) + 1)
    return [*parts[:at], re.sub(r"\d+$", last, parts[at]), *parts[at + 1 :]]


def times(fields: str) -> Times | None:
    """The sets of the five fields, and whether days match either field; None where they cannot be read."""
    parts = fields.split()
    if len(parts) != 5:
        return None
    sets = [_set(part, *bounds) for part, bounds in zip(parts, BOUNDS, strict=True)]
    if any(values is None for values in sets):
        return None
    minutes, hours, dates, months, days = (frozenset(values or ()) for values in sets)
    either = not parts[2].startswith("*") and not parts[4].startswith("*")
    days = frozenset(day % 7 for day in days)
    if either and (len(dates) == 31 or len(days) == 7):
        dates, days, either = frozenset(range(1, 32)), frozenset(range(7)), False
    return minutes, hours, dates, months, days, either


def _set(part: str, low: int, high: int) -> set[int] | None:
    found: set[int] = set()
    for piece in part.split(","):
        match = _PART.fullmatch(piece)
        if match is None or (match[2] and match[1] != "*" and "-" not in match[1]):
            return None
        first, _, last = match[1].partition("-")
        begin, end = (low, high) if first == "*" else (int(first), int(last or first))
        step = int(match[2] or 1)
        if not low <= begin <= end <= high or step < 1:
            return None
        found |= set(range(begin, end + 1, step))
    return found


def parse_table(table: str) -> dict[str, list[Times]] | None:
    """The times of the lines of each command; None where a line cannot be read."""
    found: dict[str, list[Times]] = {}
    for line in table.split("\n"):
        words = line.split()
        if not words or words[0].startswith("#") or "=" in words[0]:
            continue
        moments = times(" ".join(words[:5]))
        if moments is None or len(words) < 6 or not _WORDS.fullmatch(line):
            return None
        found.setdefault(" ".join(words[5:]), []).append(moments)
    return found


def keeps_lines(table: str, kept: Sequence[str]) -> bool:
    """Whether a table has these comments and variables in their order and no other variables; further comments may stand anywhere."""
    lines = [line.strip() for line in table.split("\n")]
    variables = [line for line in lines if line and "=" in line.split()[0] and not line.startswith("#")]
    left = iter(lines)
    return variables == [line for line in kept if not line.startswith("#")] and all(line in left for line in kept)
