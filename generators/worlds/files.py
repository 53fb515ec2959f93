"""Trees of small text files, and jobs that are to be done on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.text.names import PEOPLE
from rlgym.generators.text.words import WORDS

STATES = ("open", "paid", "late", "held")
NAMES = tuple(word for word in WORDS if 4 <= len(word) <= 6)
Files = Mapping[str, str]  # path -> text


class Condition(NamedTuple):
    """`owner` or `status` is `word`, `day` is below `number`, or `amount` is above it."""

    field: str
    word: str = ""
    number: int = 0


class Job(NamedTuple):
    """What is to be done with the files of a folder, and of those below it, that meet all the conditions."""

    kind: str  # "move", "delete", "change", "total" or "names"
    folder: str
    conditions: tuple[Condition, ...]
    target: str = ""  # the folder to move to, or the file to write
    word: str = ""  # the new status


def tree(rng: Rng, count: int, depth: int, spare: int) -> tuple[dict[str, str], list[str]]:
    """`count` files in folders up to `depth` deep, and `spare` names that none has. No two files have the same name."""
    words = rng.sample(NAMES, count + 3 + 2 * depth + spare)
    folders = [f"/{words.pop()}" for _ in range(3)]
    for _ in range(2 * depth):
        parents = [folder for folder in folders if folder.count("/") < depth]
        folders += [f"{rng.choice(parents)}/{words.pop()}"] if parents else []
    people = rng.sample(PEOPLE, 4)
    return {f"{rng.choice(folders)}/{words.pop()}.txt": _text(rng, people) for _ in range(count)}, words[:spare]


def jobs(rng: Rng, files: Files, names: Sequence[str], conditions: int) -> tuple[Job, ...]:
    """A job for each name, which it may use for what is new; fewer where no file is left.

    Each finds something to do in the files as those before leave them, and as no kind comes twice, none undoes another.
    """
    out: list[Job] = []
    for kind, name in zip(rng.sample(("move", "delete", "change", "total", "names"), len(names)), names):
        bills = [path for path in files if fields(files[path])]
        if not bills:
            break
        chosen = rng.choice(bills)
        parts, known = chosen.split("/"), fields(files[chosen])
        folder = "/".join(parts[: rng.integer(2, len(parts) - 1)])
        met = tuple(_condition(rng, field, known) for field in rng.sample(("owner", "status", "day", "amount"), conditions))
        word = rng.choice([state for state in STATES if state != known["status"]]) if kind == "change" else ""
        home = rng.choice(bills).rpartition("/")[0]
        target = {"move": f"{home}/{name}", "total": f"/{name}.txt", "names": f"/{name}.txt"}.get(kind, "")
        out.append(Job(kind, folder, met, target, word))
        files = files_after(files, out[-1])
    return tuple(out)


def ordered_jobs(rng: Rng, files: Files, names: Sequence[str], conditions: int) -> tuple[Job, ...]:
    """`jobs` of which the order matters: done in the opposite order they leave other files, where forty draws find such jobs."""
    drawn = jobs(rng, files, names, conditions)
    for _ in range(40):
        if len(drawn) < 2 or files_after_all(files, drawn) != files_after_all(files, drawn[::-1]):
            break
        drawn = jobs(rng, files, names, conditions)
    return drawn


def files_after_all(files: Files, done: Sequence[Job]) -> Files:
    """The files once all jobs are done, in this order."""
    for job in done:
        files = files_after(files, job)
    return files


def files_after(files: Files, job: Job) -> dict[str, str]:
    """The files once a job is done."""
    matches = matching_paths(files, job)
    rest = {path: text for path, text in files.items() if path not in matches}
    match job.kind:
        case "delete":
            return rest
        case "move":
            return rest | {f"{job.target}/{path.rpartition('/')[2]}": files[path] for path in matches}
        case "change":
            return dict(files) | {path: change(files[path], job.word) for path in matches}
        case "total":
            return dict(files) | {job.target: str(sum(int(fields(files[path])["amount"]) for path in matches))}
    return dict(files) | {job.target: "\n".join(sorted(path.rpartition("/")[2] for path in matches))}


def matching_paths(files: Files, job: Job) -> list[str]:
    """The paths that a job is about."""
    return [path for path in files if path.startswith(f"{job.folder}/") and _meets(fields(files[path]), job.conditions)]


def change(text: str, status: str) -> str:
    """A file's text with another status."""
    return "\n".join(f"status: {status}" if line.startswith("status: ") else line for line in text.split("\n"))


def fields(text: str) -> dict[str, str]:
    """What a bill says, by field; nothing where the file is no bill."""
    pairs = dict(line.split(": ", 1) for line in text.split("\n") if ": " in line)
    return pairs if {"owner", "status", "day", "amount"} <= pairs.keys() else {}


def describe_job(job: Job) -> str:
    """A job in words."""
    which = " and ".join(_phrase(condition) for condition in job.conditions)
    match job.kind:
        case "move":
            return f"Move every bill in {job.folder} {which} into the folder {job.target}, under the same file name."
        case "delete":
            return f"Delete every bill in {job.folder} {which}."
        case "change":
            return f"Set the status of every bill in {job.folder} {which} to {job.word}, and leave its other lines as they are."
        case "total":
            return f"Write the file {job.target}: one line with the sum of the amounts of all bills in {job.folder} {which}."
    return (
        f"Write the file {job.target}: the file names (with .txt, without folders) of all bills in {job.folder} {which}, "
        "one per line, in alphabetical order."
    )


def _text(rng: Rng, people: list[str]) -> str:
    owner, other = rng.sample(people, 2)
    status, old = rng.sample(STATES, 2)
    note = rng.choice((f"sent to {other} by mistake", f"was {old} last year", "copy in the cellar", f"{other} pays half of it"))
    return f"owner: {owner}\nstatus: {status}\namount: {rng.integer(10, 990)}\nday: {rng.integer(1, 365)}\nnote: {note}"


def _condition(rng: Rng, field: str, known: Mapping[str, str]) -> Condition:
    if field == "day":
        return Condition(field, number=int(known["day"]) + rng.integer(1, 120))
    if field == "amount":
        return Condition(field, number=max(0, int(known["amount"]) - rng.integer(1, 300)))
    return Condition(field, known[field])


def _meets(known: Mapping[str, str], conditions: tuple[Condition, ...]) -> bool:
    return bool(known) and all(
        int(known["day"]) < number if field == "day" else int(known["amount"]) > number if field == "amount" else known[field] == word
        for field, word, number in conditions
    )


def _phrase(condition: Condition) -> str:
    field, word, number = condition
    if field in ("day", "amount"):
        return f"with {'a day below' if field == 'day' else 'an amount above'} {number}"
    return f"whose {field} is {word}"
