"""Logs of services in files, and jobs about them that a pipe of commands does."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.simulations.shell import Files

SERVICES = ("auth", "billing", "cart", "mail", "search", "stock", "video", "web")
LEVELS = ("INFO", "WARN", "ERROR", "DEBUG")
USERS = tuple("ada ben cleo dan eva finn gia hugo ines jack kira leo mia nils olga paul quinn rosa sam tara".split())
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class Job(NamedTuple):
    """`note` is the file that names the word the job is about; empty where the job names it itself."""

    kind: str
    service: str
    word: str
    note: str
    target: str


TOLD = {
    "count": "the number of lines of {place} that hold {word}",
    "total": "the sum of the milliseconds of the lines of {place} that hold {word}",
    "users": "the different users in the lines of {place} that hold {word}, one per line in alphabetical order",
    "slowest": "the largest number of milliseconds in the lines of {place} that hold {word}",
    "busiest": "the user with the most lines of {place} that hold {word}",
    "rare": "the users with exactly one line of {place} that holds {word}, one per line in alphabetical order",
}
PIPES = {
    "count": "grep -c '{word}' {place}",
    "total": "grep '{word}' {place} | cut -f 4 | sum",
    "users": "grep '{word}' {place} | cut -f 3 | sort | uniq",
    "slowest": "grep '{word}' {place} | cut -f 4 | sort -n -r | head -n 1",
    "busiest": "grep '{word}' {place} | cut -f 3 | sort | uniq -c | sort -n -r | head -n 1 | cut -f 2",
    "rare": "grep '{word}' {place} | cut -f 3 | sort | uniq -c | grep '1 ' | grep -v '11 ' | cut -f 2",
}
KINDS = tuple(TOLD)


def logs(rng: Rng, services: int, days: int, lines: int) -> Files:
    """For each service a file a day, with lines `clock level user milliseconds`."""
    files: Files = {}
    for service in sorted(rng.sample(SERVICES, services)):
        people = rng.sample(USERS, 8)
        for day in DAYS[:days]:
            rows = []
            for clock in sorted(rng.sample(range(1440), rng.integer(lines // 2 + 2, lines))):
                level = rng.weighted(LEVELS, (5, 2, 3, 2))
                rows.append(f"{clock // 60:02}:{clock % 60:02} {level} {rng.choice(people)} {rng.integer(3, 999)}")
            files[f"/logs/{service}/{day}.log"] = "\n".join(rows)
    return files


def place(job: Job) -> str:
    return f"/logs/{job.service}/*.log"


def expected_content(files: Files, job: Job) -> str:
    """What a job's file must hold, computed from the lines."""
    texts = [text for path, text in files.items() if path.startswith(f"/logs/{job.service}/")]
    rows = [line.split(" ") for text in texts for line in text.split("\n") if job.word in line]
    people = Counter(row[2] for row in rows)
    match job.kind:
        case "count":
            return str(len(rows))
        case "total":
            return str(sum(int(row[3]) for row in rows))
        case "slowest":
            return str(max(int(row[3]) for row in rows))
        case "users":
            return "\n".join(sorted(people))
        case "busiest":
            return people.most_common(1)[0][0]
    return "\n".join(sorted(user for user, count in people.items() if count == 1))


def clear(files: Files, job: Job) -> bool:
    """Whether the job has one answer, and one that its pipe finds."""
    texts = [text for path, text in files.items() if path.startswith(f"/logs/{job.service}/")]
    rows = [line.split(" ") for text in texts for line in text.split("\n") if job.word in line]
    counts = sorted(Counter(row[2] for row in rows).values(), reverse=True)
    if len(counts) < 2 or (job.kind == "rare" and not counts[-1] == 1 < counts[0] < 21):
        return False
    return job.kind != "busiest" or counts[0] > counts[1]


def jobs(rng: Rng, files: Files, count: int, kinds: int, notes: bool) -> tuple[Files, tuple[Job, ...]]:
    """Jobs about the logs, as many of them as are soon found, and the files with the notes that name their words."""
    out: list[Job] = []
    services = sorted({path.split("/")[2] for path in files})
    places = rng.shuffled(range(count))
    for _ in range(40 * count):
        number = len(out) + 1
        note = f"/notes/{rng.choice(services)}-{places[number - 1] + 1}.txt" if notes and rng.chance(0.7) else ""
        kind = KINDS[rng.integer(max(0, kinds - 4), kinds - 1)]
        job = Job(kind, rng.choice(services), rng.choice(("INFO", "WARN", "ERROR", "DEBUG")), note, f"/out/{number}.txt")
        if clear(files, job) and all((job.kind, job.service, job.word) != (other.kind, other.service, other.word) for other in out):
            out.append(job)
        if len(out) == count:
            break
    named = {job.note: job.word for job in out if job.note}
    stray = {f"/notes/{services[0]}-9.txt": "nothing yet"} if notes else {}
    return {**files, **named, **stray}, tuple(out)
