"""Answer questions about log files with a small shell of pipes, and tidy up, changing nothing else.

Judged by the files at the end alone: every path and every text must be what the jobs leave.
"""

from collections.abc import Callable, Mapping
from functools import partial

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Calls, Tool, ToolCalls
from rlgym.generators.simulations import shell
from rlgym.generators.simulations.calls import run_turn
from rlgym.generators.simulations.shell_jobs import PIPES, TOLD, Job, expected_content, jobs, logs, place

SHOWN = 12  # lines of output that are shown


class Shell(Tool):
    """Runs one command line and shows the first lines of its output."""

    command: str = Field(max_length=400)


class Finish(Tool):
    """Ends the work; the files are then judged."""


TOOLS = ToolCalls((Shell, Finish))


class Knobs(Config):
    services: int = knob(3, easy=2, hard=5, doc="services with logs")
    days: int = knob(3, easy=1, hard=5, doc="files of each service")
    lines: int = knob(18, easy=10, hard=30, doc="most lines of a file")
    jobs: int = knob(3, easy=1, hard=5, doc="files to write")
    kinds: int = knob(4, easy=2, hard=6, doc="kinds of questions, the later ones take longer pipes")
    notes: str = knob("yes", easy="no", hard="yes", order=("no", "yes"), doc="whether what to look for may stand in other files")


class State(TaskData):
    jobs: tuple[Job, ...]
    before: dict[str, str]  # path -> text
    files: dict[str, str]
    trash: str  # what the file ends in that must go
    ran: tuple[str, ...] = ()
    finished: bool = False
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    requested: tuple[Job, ...] = ()
    while not requested:
        files, requested = jobs(rng, logs(rng, knobs.services, knobs.days, knobs.lines), knobs.jobs, knobs.kinds, knobs.notes == "yes")
    folders, trash = sorted({job.service for job in requested}), rng.choice(("tmp", "bak", "old"))
    files |= {
        f"/logs/{rng.choice(folders)}/{name}.{trash}": "left over" for name in rng.sample(("a", "b", "c", "d", "core"), rng.integer(1, 3))
    }
    return State(jobs=requested, before=files, files=files, trash=trash)


def show(state: State) -> str:
    if state.ran or state.told:
        return state.told
    lines = "\n".join(
        f"{k}. Write to {job.target}: {TOLD[job.kind].format(place=f'the logs of {job.service}', word=_word(job))}."
        for k, job in enumerate(state.jobs, 1)
    )
    return (
        f"Do these jobs with a shell:\n{lines}\n{len(state.jobs) + 1}. Remove every file below /logs whose name ends in .{state.trash}.\n\n"
        "The logs of a service are all files /logs/SERVICE/DAY.log together; their lines are `clock level user milliseconds`, separated by "
        "single spaces. A file that you write holds exactly what is asked for, and no other line; its folder is made when it is written. Change nothing "
        "else.\n\n"
        f"{TOOLS.manual()}\n\nThe shell knows:\n{shell.MANUAL}\nAt most {SHOWN} lines of an output are shown. Finish when all is done."
    )


def act(state: State, calls: Calls) -> State:
    return run_turn(state, calls, _step, lambda now: now.finished)


def outcome(state: State) -> Score | None:
    if not state.finished:
        return None
    right = {path: text for path, text in state.before.items() if not path.endswith(f".{state.trash}")}
    right |= {job.target: expected_content(state.before, job) for job in state.jobs}
    wrong = sum(state.files.get(path) != right.get(path) for path in right.keys() | state.files.keys())
    return Score.exact(wrong == 0, f"{wrong} files are missing, left over or have the wrong text")


def milestones(state: State) -> dict[str, float]:
    right = {path: text for path, text in state.before.items() if not path.endswith(f".{state.trash}")}
    right |= {job.target: expected_content(state.before, job) for job in state.jobs}
    paths = right.keys() | state.files.keys() | state.before.keys()
    return {"files_right": sum(state.files.get(path) == right.get(path) for path in paths) / len(paths)}


def best(state: State) -> Calls:
    reads = [f"cat {job.note}" for job in state.jobs if job.note]
    if unread := [command for command in reads if command not in state.ran]:
        return tuple(Shell(command=command) for command in unread)
    left = [command for command in _commands(state) if command not in state.ran]
    return tuple(Shell(command=command) for command in left)[: TOOLS.max_calls] or (Finish(),)


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    target = first.jobs[0].target
    extra = {"nothing_else": "echo done > /out/done.txt", "no_other_line": f"echo done >> {target}"}
    days = len([path for path in first.before if path.startswith(f"/logs/{first.jobs[0].service}/") and path.endswith(".log")])
    return {rule: partial(_add_command, command) for rule, command in extra.items()} | ({"every_day": _reads_one_day} if days > 1 else {})


def _add_command(command: str, state: State) -> Calls:
    calls = best(state)
    return (Shell(command=command), Finish()) if isinstance(calls[0], Finish) else calls


def _reads_one_day(state: State) -> Calls:
    """Takes the first file for all the logs of a service."""
    if any(job.note and f"cat {job.note}" not in state.ran for job in state.jobs):
        return best(state)
    days = {job.service: min(path for path in state.before if path.startswith(place(job)[:-5])) for job in state.jobs}
    commands = _commands(state)
    for job in state.jobs:
        commands = [command.replace(place(job), days[job.service]) for command in commands]
    left = [Shell(command=command) for command in commands if command not in state.ran]
    return tuple(left)[: TOOLS.max_calls] or (Finish(),)


def mistakes(state: State) -> list[Calls]:
    # Stops at once; writes a guess; adds a line to what it wrote; removes the logs too; looks on for ever.
    job, calls = state.jobs[0], best(state)
    guess = Shell(command=f"echo 0 0 > {job.target}")
    spoilt = Shell(command=f"{PIPES[job.kind].format(word='A', place=place(job))} | tail -n 1 | wc -l >> {job.target}")
    removal = Shell(command=f"rm /logs/{job.service}/*")
    done = calls == (Finish(),)
    last = [(guess, Finish()), (spoilt, Finish()), (removal, Finish())] if done else [calls] * 3
    return [(Finish(),) if not done else (guess, Finish()), *last, (Shell(command="find /logs"),)]


def cost(state: State) -> float:
    lines = sum(text.count("\n") + 1 for text in state.before.values())
    return lines * sum(1 + PIPES[job.kind].count("|") + 2 * bool(job.note) for job in state.jobs)


def turns(state: State) -> int:
    return 3 * len(state.jobs) + 8


def explain(state: State) -> list[str]:
    calls = best(state)
    if calls == (Finish(),):
        step = "All files are written and the left over ones removed."
    elif isinstance(calls[0], Shell) and calls[0].command.startswith("cat /notes/"):
        step = "What to look for stands in other files, which are read first."
    else:
        step = "Each job is one pipe: choose the lines, cut out the field, sort, count or add up, and write the result to its file."
    return [step, TOOLS.render(calls)]


def _step(state: State, call: Tool) -> tuple[State, str]:
    if not isinstance(call, Shell):
        return state.model_copy(update={"finished": True}), ""
    files, output = shell.run(state.files, call.command)
    lines = output.split("\n")
    cut = f"\n... {len(lines) - SHOWN} more lines" if len(lines) > SHOWN else ""
    shown = "\n".join(line[:200] for line in lines[:SHOWN]) + cut
    return state.model_copy(update={"files": files, "ran": (*state.ran, call.command)}), shown or "(no output)"


def _commands(state: State) -> list[str]:
    pipes = [f"{PIPES[job.kind].format(word=job.word, place=place(job))} > {job.target}" for job in state.jobs]
    return [*pipes, f"rm /logs/*/*.{state.trash}"]


def _word(job: Job) -> str:
    return f"the word in {job.note}" if job.note else job.word


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain,
    concept="Find out what to look for, then build each answer as a pipe that chooses lines, cuts a field, and sorts, counts or adds up.",
    version=4,
    milestones=milestones,
    rules=rules,
)  # fmt: skip
