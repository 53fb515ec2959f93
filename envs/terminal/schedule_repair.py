"""Repair a crontab in a shell so that every job runs exactly when its description says.

The fields have their usual meaning; a job is judged by the minutes at which it runs, not by how its line is written.
"""

from collections.abc import Callable, Mapping

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.terminal import names, schedules, trees, world
from rlgym.generators.terminal.schedules import Job
from rlgym.generators.terminal.world import LIMITS, TOOLS, Step, Terminal, act, commands, make_policy, shortcuts, show

TABLE, LIST = "etc/crontab", "etc/jobs.md"


class Knobs(Config):
    jobs: int = knob(6, easy=2, hard=12, doc="jobs of the table")
    kinds: int = knob(5, easy=2, hard=7, doc="kinds of times, plain ones first")
    wrong: int = knob(3, easy=1, hard=8, doc="lines with a fault")
    changes: int = knob(1, easy=0, hard=2, doc="jobs to add, and jobs to remove")


class State(Terminal):
    jobs: tuple[Job, ...]
    comments: tuple[str, ...]


def start(rng: Rng, knobs: Knobs) -> State:
    jobs = schedules.jobs(rng, knobs.jobs, knobs.kinds)
    broken = {job.command for job in rng.sample(jobs, min(knobs.wrong, knobs.jobs))}
    absent = {job.command for job in rng.sample(jobs, knobs.changes if knobs.jobs > knobs.changes + 1 else 0)}
    lines = [
        f"{schedules.faulty(rng, job) if job.command in broken else job.fields} {job.command}"
        for job in rng.shuffled(jobs)
        if job.command not in absent
    ]
    extra = [f"{schedules.jobs(rng.child(n), 1, knobs.kinds)[0].fields} bin/old-{rng.choice(names.TOPICS)}" for n in range(knobs.changes)]
    comments = tuple(f"# {names.sentence(rng, 3)}" for _ in range(2))
    table = "".join(f"{line}\n" for line in [comments[0], "SHELL=/bin/sh", "", *rng.shuffled([*lines, *extra]), comments[1]])
    listed = "".join(f"- `{job.command}` runs {job.when}.\n" for job in jobs)
    programs = {job.command: f"#!/bin/sh\n# {names.sentence(rng, 4)}\n" for job in jobs}
    before = trees.tree({TABLE: table, LIST: f"# Jobs\n\n{listed}", **programs})
    return State(task=_task(knobs.changes), before=before, files=before, jobs=jobs, comments=comments)


def outcome(state: State) -> Score | None:
    if not state.finished:
        return None
    text = trees.text(state.files, TABLE)
    table = schedules.parse_table(text)
    right = {job.command: schedules.times(job.fields) for job in state.jobs}
    kept = schedules.keeps_lines(text, (state.comments[0], "SHELL=/bin/sh", state.comments[1]))
    checks = {"table": table is not None, "other_lines": kept}
    checks |= {command: (table or {}).get(command) == [times] for command, times in right.items()}
    checks["no_other_job"] = table is not None and set(table) <= set(right)
    files = {**state.files, TABLE: state.before[TABLE]} if TABLE in state.files else dict(state.files)
    return trees.score_of_state(state.model_copy(update={"files": files}), **checks)


def plan(state: State, without: str = "") -> list[Step]:
    steps = [Step(f"cat {TABLE} {LIST}", "First read the table and the descriptions.")]
    old = trees.text(state.before, TABLE).splitlines()
    for job in state.jobs if without != "repair" else ():
        line = next((line for line in old if line.endswith(f" {job.command}")), None)
        if line is None and without != "missing":
            steps.append(Step(f"sed -i '/^SHELL/a {job.fields} {job.command}' {TABLE}", f"{job.command} has no line and gets one."))
        elif line is not None and schedules.times(line.rpartition(" ")[0]) != schedules.times(job.fields):
            steps.append(
                Step(
                    f"sed -i 's|^.* {job.command}$|{job.fields} {job.command}|' {TABLE}",
                    f"{job.command} runs {job.when}; its line says another time.",
                )
            )
    if "bin/old-" in trees.text(state.before, TABLE) and without != "obsolete":
        steps.append(Step(f"sed -i '/ bin[/]old-/d' {TABLE}", "Lines of programs without a description go."))
    return [*steps, Step(f"cat {TABLE}", "A last look at the table.")]


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    text = trees.text(first.before, TABLE)
    found = ["repair", *(["obsolete"] if "bin/old-" in text else [])]
    if any(f" {job.command}\n" not in text for job in first.jobs):
        found.append("missing")
    return {rule: make_policy(commands(plan(first, rule))) for rule in found}


def mistakes(state: State) -> list[Calls]:
    # Writes the table anew without its other lines, repairs all lines but the last one, or adds right lines beside the wrong ones.
    anew = f"cat > {TABLE} <<'END'\n{''.join(f'{job.fields} {job.command}{chr(10)}' for job in state.jobs)}END"
    repairs = commands(plan(state))[1:-1]
    beside = [f"cat >> {TABLE} <<'END'\n{''.join(f'{job.fields} {job.command}{chr(10)}' for job in state.jobs)}END"]
    return shortcuts(state, [[anew], repairs[:-1], beside])


def cost(state: State) -> float:
    return float(sum(len(job.when.split()) for job in state.jobs) * len(plan(state)))


def _task(changes: int) -> str:
    more = " A job that has no line gets one, and the line of a program that is not described there is removed." if changes else ""
    return (
        f"Repair the crontab /work/{TABLE} so that each job that /work/{LIST} describes runs exactly at the times given there, at no other minute, "
        "and has one line. "
        f"A line has the five fields minute, hour, day of the month, month and day of the week (0 or 7 for Sunday to 6 for Saturday), and then "
        "the command. Fields may be `*`, numbers, ranges `a-b`, steps `*/n` or `a-b/n`, and lists of these separated by commas; names of months or "
        "days are "
        "not allowed. As in cron, if neither the day of the month nor the day of the week begins with `*`, a job runs on days that match either "
        f"one.{more} Comments "
        "and the line SHELL=/bin/sh stay as they are and in their order; empty lines and further comments do not matter."
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=lambda state: 2 * len(state.jobs) + 12, explain=world.explain(plan),
    concept="Read each description as a set of minutes, hours, days, months and weekdays, and compare each line of the table with it.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS, planted=True,
    version=4,
)  # fmt: skip
