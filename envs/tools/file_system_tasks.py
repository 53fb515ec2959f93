"""Tidy up a tree of small files through tools that list, read, write, move and delete: do the jobs in order and nothing else.

Judged by the files at the end alone: every path and every text must be what the jobs leave, whatever was said.
"""

from collections.abc import Callable, Mapping

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Call, Calls, Misuse, Tool, ToolCalls
from rlgym.generators.worlds.files import (
    Job,
    change,
    describe_job,
    fields,
    files_after,
    files_after_all,
    matching_paths,
    ordered_jobs,
    tree,
)

CHUNK = 6  # calls that the oracle makes in a turn
MOST_FILES = 400


class List(Tool):
    """Lists what is directly in a folder: its files, and its folders with a slash at the end."""

    folder: str = Field(max_length=200)


class Read(Tool):
    """Shows the text of a file."""

    path: str = Field(max_length=200)


class Write(Tool):
    """Writes the whole text of a file, new or not."""

    path: str = Field(max_length=200)
    text: str = Field(max_length=4000)


class Move(Tool):
    """Moves a file to a new path, which no file may have yet."""

    source: str = Field(max_length=200)
    target: str = Field(max_length=200)


class Delete(Tool):
    """Deletes a file."""

    path: str = Field(max_length=200)


class Finish(Tool):
    """Ends the work; the files are then judged."""


TOOLS = ToolCalls((List, Read, Write, Move, Delete, Finish))


class Knobs(Config):
    files: int = knob(20, easy=5, hard=60, scale="log", doc="files at the beginning")
    jobs: int = knob(3, easy=1, hard=5, doc="jobs to do, one after the other")
    conditions: int = knob(2, easy=1, hard=3, doc="conditions that say which files a job is about")
    depth: int = knob(2, easy=1, hard=4, doc="how deep the folders lie in one another")


class State(TaskData):
    jobs: tuple[Job, ...]
    before: dict[str, str]  # path -> text
    files: dict[str, str]
    seen: tuple[str, ...] = ()  # folders listed and files read
    changes: int = 0
    finished: bool = False
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    files, names = tree(rng, knobs.files, knobs.depth, knobs.jobs)
    return State(jobs=ordered_jobs(rng, files, names, knobs.conditions), before=files, files=files)


def show(state: State) -> str:
    if state.told:
        return state.told
    jobs = "\n".join(f"{k}. {describe_job(job)}" for k, job in enumerate(state.jobs, 1))
    return (
        f"{'Do this job' if jobs.count(chr(10)) == 0 else 'Do these jobs in this order'}:\n{jobs}\n\n"
        f"There are {len(state.files)} files, each of them a bill with lines `field: value` for owner, status, amount, day and note. In a folder "
        "means in it or in any folder below it. Each job is about the files as the jobs before left them. A folder appears "
        "with its first file and disappears with its last. A path opens with / and ends without one.\n"
        f"{TOOLS.manual()}\n\nChange nothing else, and finish when all jobs are done."
    )


def act(state: State, calls: Calls) -> State:
    results: list[str] = []
    for number, call in enumerate(calls, 1):
        state, result = _run(state, call)
        results.append(f"[{number}] {result}" if len(calls) > 1 else result)
        if state.finished:
            break
    return state.model_copy(update={"told": "\n".join(results)})


def outcome(state: State) -> Score | None:
    if not state.finished:
        return None
    expected = files_after_all(state.before, state.jobs)
    wrong = sum(state.files.get(path) != expected.get(path) for path in expected.keys() | state.files.keys())
    return Score.exact(wrong == 0, f"{wrong} files are missing, left over or have the wrong text")


def milestones(state: State) -> dict[str, float]:
    expected = state.before
    for job in state.jobs:
        expected = files_after(expected, job)
    paths = expected.keys() | state.files.keys() | state.before.keys()
    return {"files_right": sum(state.files.get(path) == expected.get(path) for path in paths) / len(paths)}


def best(state: State) -> Calls:
    return tuple((_look_ups(state) or _plan(state)[state.changes :] or [Finish()])[:CHUNK])


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    ordered = {"order": lambda state: best(state.model_copy(update={"jobs": state.jobs[::-1]}))} if len(first.jobs) > 1 else {}
    return {"folders_below": _stays_on_top, "nothing_else": _leaves_a_file, **ordered}


def _stays_on_top(state: State) -> Calls:
    return tuple((_look_ups(state) or _plan(state, below=False)[state.changes :] or [Finish()])[:CHUNK])


def _leaves_a_file(state: State) -> Calls:
    calls = best(state)
    return (Write(path="/done.txt", text="done"), Finish()) if isinstance(calls[0], Finish) else calls


def mistakes(state: State) -> list[Calls]:
    # One file short; one file too many; the last step wrong; nothing done at all; a call that is none.
    calls, left = best(state), len(_plan(state)) - state.changes
    stray, misuse = Write(path="/done.txt", text="done"), TOOLS.parse('{"tool": "rename", "arguments": {"path": "/"}}')
    if _look_ups(state) or not 0 < left <= CHUNK:
        return [calls, calls, calls, (Finish(),), misuse]
    match calls[-1]:
        case Move(source=source, target=target):
            wrong: Call = Move(source=source, target=f"{target}.old")
        case Write(path=path, text=text):
            wrong = Write(path=path, text=f"{text}0")
        case _:
            wrong = stray
    return [(*calls[:-1], Finish()), (*calls, stray, Finish()), (*calls[:-1], wrong, Finish()), (Finish(),), misuse]


def cost(state: State) -> float:
    folders, paths = _paths_at_start(state)
    return len(folders) + len(paths) + len(_plan(state)) + 1


def turns(state: State) -> int:
    return round(cost(state)) + 4


def explain(state: State) -> list[str]:
    calls = best(state)
    match calls[0]:
        case List() | Read():
            step = f"{len(state.seen)} folders and files have been seen; which bills a job is about is only known once all in its folder are read."
        case Finish():
            step = "Every job is done, and nothing else was touched."
        case _:
            step = f"All bills that matter are known; {state.changes} changes are made, and the next ones follow in the order of the jobs."
    return [step, TOOLS.render(calls)]


def _run(state: State, call: Call) -> tuple[State, str]:
    files = state.files
    match call:
        case List(folder=folder):
            inside = _list_folder(files, folder.rstrip("/"))
            return _record_seen(state, folder, "\n".join(inside)) if inside else (state, f"there is no folder {folder!r}")
        case Read(path=path):
            return _record_seen(state, path, files[path]) if path in files else (state, f"there is no file {path!r}")
        case Write(path=path, text=text):
            if problem := _invalid_path(files, path):
                return state, problem
            lines = "\n".join(line.rstrip() for line in text.strip().splitlines())
            return _record_change(state, {**files, path: lines}, f"wrote {path}")
        case Move(source=source, target=target):
            if source not in files or target in files:
                return state, f"there is no file {source!r}" if source not in files else f"there is a file {target!r} already"
            if problem := _invalid_path(files, target):
                return state, problem
            return _record_change(state, {**_without(files, source), target: files[source]}, f"moved {source} to {target}")
        case Delete(path=path):
            return (
                _record_change(state, _without(files, path), f"deleted {path}") if path in files else (state, f"there is no file {path!r}")
            )
        case Misuse(problem=problem):
            return state, problem
    return state.model_copy(update={"finished": True}), ""


def _record_seen(state: State, path: str, result: str) -> tuple[State, str]:
    return state.model_copy(update={"seen": (*state.seen, path)}), result


def _record_change(state: State, files: dict[str, str], result: str) -> tuple[State, str]:
    return state.model_copy(update={"files": files, "changes": state.changes + 1}), result


def _without(files: dict[str, str], path: str) -> dict[str, str]:
    return {other: text for other, text in files.items() if other != path}


def _invalid_path(files: dict[str, str], path: str) -> str:
    """Why no file can have this path, if so."""
    parts = path.split("/")
    if parts[0] or len(parts) < 2 or any(part.strip(". ") == "" or part != part.strip() for part in parts[1:]):
        return f"{path!r} is no path of a file, such as /folder/name.txt"
    if any("/".join(parts[:k]) in files for k in range(2, len(parts))) or any(other.startswith(f"{path}/") for other in files):
        return f"nothing was done: {path!r} would be a file and a folder at once"
    return "" if len(files) < MOST_FILES or path in files else "nothing was done: the disk is full"


def _list_folder(files: dict[str, str], folder: str) -> list[str]:
    below = [path[len(folder) + 1 :] for path in files if path.startswith(f"{folder}/")]
    return sorted(dict.fromkeys(f"{name}{slash}" for name, slash, _ in (path.partition("/") for path in below)))


def _paths_at_start(state: State) -> tuple[list[str], list[str]]:
    """The folders and the bills that lie in the folders of the jobs, at the beginning."""
    tops = dict.fromkeys(job.folder for job in state.jobs)
    paths = [path for path in sorted(state.before) if any(path.startswith(f"{top}/") for top in tops)]
    folders = dict.fromkeys("/".join(path.split("/")[:k]) for path in paths for k in range(2, path.count("/") + 1))
    return sorted(folders, key=lambda folder: folder.count("/")), paths


def _look_ups(state: State) -> list[Call]:
    """What is to be looked at next, by one who only knows the folders and files seen; nothing once changes have begun."""
    if state.changes:
        return []
    folders, paths = _paths_at_start(state)
    unseen = [folder for folder in folders if folder not in state.seen]
    known = [folder for folder in unseen if folder.count("/") == unseen[0].count("/")]
    return [List(folder=folder) for folder in known] or [Read(path=path) for path in paths if path not in state.seen]


def _plan(state: State, below: bool = True) -> list[Call]:
    """All changes that the jobs ask for, in order."""
    files, out = dict(state.before), list[Call]()
    for job in state.jobs:
        found = [path for path in matching_paths(files, job) if below or path.rpartition("/")[0] == job.folder]
        for path in found if job.kind in ("move", "delete", "change") else ():
            text = files[path]
            if job.kind == "delete":
                out.append(Delete(path=path))
            elif job.kind == "move":
                out.append(Move(source=path, target=f"{job.target}/{path.rpartition('/')[2]}"))
            elif (new := change(text, job.word)) != text:
                out.append(Write(path=path, text=new))
        if job.kind == "total":
            out.append(Write(path=job.target, text=str(sum(int(fields(files[path])["amount"]) for path in found))))
        if job.kind == "names":
            out.append(Write(path=job.target, text="\n".join(sorted(path.rpartition("/")[2] for path in found))))
        files = files_after(files, job)
    return out


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain,
    concept="Look at everything in the folders of the jobs first, then make exactly the changes asked for, in order.",
    milestones=milestones,
    version=4,
    rules=rules,
)  # fmt: skip
