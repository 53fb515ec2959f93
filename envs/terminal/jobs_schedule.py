"""Repair a crontab whose jobs collide: move few jobs so that a simulated week breaks no rule.

Jobs have a duration, something that they use alone, a window, and perhaps a job that must have ended before. Many tables are right.
"""

from collections.abc import Callable, Mapping

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.terminal import names, schedules, trees, weeks, world
from rlgym.generators.terminal.weeks import WeekJob
from rlgym.generators.terminal.world import LIMITS, TOOLS, Step, Terminal, act, commands, make_policy, shortcuts, show
from rlgym.generators.text.english import count_noun

TABLE, LIST = "etc/crontab", "etc/jobs.md"


class Knobs(Config):
    jobs: int = knob(8, easy=4, hard=14, beyond=20, doc="jobs of the table")
    moved: int = knob(3, easy=1, hard=5, beyond=9, doc="jobs that begin at a wrong time, and lines that may change")
    resources: int = knob(3, easy=2, hard=4, doc="things that only one job may use at a time")
    ordered: int = knob(2, easy=0, hard=5, beyond=8, doc="jobs that must come after another one")
    twice: int = knob(1, easy=0, hard=3, doc="jobs that run twice a day")
    together: int = knob(4, easy=4, hard=2, doc="jobs that may run at a time")


class State(Terminal):
    jobs: tuple[WeekJob, ...]
    moved: dict[str, tuple[int, ...]]
    together: int
    comment: str


def start(rng: Rng, knobs: Knobs) -> State:
    jobs = weeks.sample_jobs(rng, knobs.jobs, knobs.resources, knobs.together, knobs.ordered, knobs.twice)
    moved = weeks.sample_moves(rng, jobs, min(knobs.moved, knobs.jobs), knobs.together)
    comment = f"# {names.sentence(rng, 3)}"
    table = _table(rng.shuffled(jobs), moved, comment)
    listed = "".join(weeks.describe(job) for job in jobs)
    rules = f"No two jobs that use the same thing run at the same time, and no more than {knobs.together} jobs run at a time.\n"
    before = trees.tree({TABLE: table, LIST: f"# Jobs\n\n{rules}\n{listed}"})
    return State(
        task=_task(len(moved), any(job.after for job in jobs)),
        before=before,
        files=before,
        jobs=jobs,
        moved=moved,
        together=knobs.together,
        comment=comment,
    )


def _table(jobs: list[WeekJob], moved: Mapping[str, tuple[int, ...]], comment: str) -> str:
    lines = [f"{line} {job.command}" for job in jobs for line in weeks.fields(moved.get(job.command, job.starts), job.days)]
    return "".join(f"{line}\n" for line in [comment, "SHELL=/bin/sh", *lines])


def outcome(state: State) -> Score | None:
    if not state.finished:
        return None
    files = {**state.files, TABLE: state.before[TABLE]} if TABLE in state.files else dict(state.files)
    return trees.score_of_state(state.model_copy(update={"files": files}), **_checks(state))


def _checks(state: State) -> dict[str, bool]:
    """Whether the table can be read and keeps what must stay, and for each rule whether a week keeps it."""
    text = trees.text(state.files, TABLE)
    checks = dict.fromkeys(("table", "days", "runs", "few_moves", *weeks.RULES), False)
    table = schedules.parse_table(text)
    if (
        table is None
        or set(table) != {job.command for job in state.jobs}
        or not schedules.keeps_lines(text, (state.comment, "SHELL=/bin/sh"))
    ):
        return checks
    lines = [times for job in state.jobs for times in table[job.command]]
    days = [{job.command: _starts(table[job.command], day) for job in state.jobs} for day in range(7)]
    checks["table"] = True
    checks["days"] = all(map(_is_weekly, lines)) and all(
        bool(starts[job.command]) == (day in weeks.days_of(job.days)) for day, starts in enumerate(days) for job in state.jobs
    )
    # The starts of each job on its days.
    begins = {job.command: [days[day][job.command] for day in sorted(weeks.days_of(job.days))] for job in state.jobs}
    checks["runs"] = all(len(starts) == len(job.starts) == len(set(starts)) for job in state.jobs for starts in begins[job.command])
    given = {job.command: [*state.moved.get(job.command, job.starts)] for job in state.jobs}
    checks["few_moves"] = sum(any(starts != given[command] for starts in found) for command, found in begins.items()) <= len(state.moved)
    if checks["runs"]:
        checks |= {rule: not found for rule, found in weeks.broken_by_day(state.jobs, days, state.together).items()}
    return checks


def _starts(lines: list[schedules.Times], day: int) -> list[int]:
    """The minutes of a day of the week at which the lines of a job begin it."""
    return sorted(60 * hour + minute for minutes, hours, _, _, days, _ in lines if day in days for hour in hours for minute in minutes)


def _is_weekly(times: schedules.Times) -> bool:
    """Whether a line means the same in every week."""
    _, _, dates, months, _, either = times
    return not either and len(dates) == 31 and len(months) == 12


def plan(state: State, without: str = "") -> list[Step]:
    steps = [Step(f"cat {TABLE} {LIST}", "First read the table and the rules.")]
    repaired = [job for job in state.jobs if job.command in state.moved]
    for job in repaired[: -1 if without == "last" else None]:
        days = "4" if without == "days" else job.days
        text = "\\n".join(f"{line} {job.command}" for line in weeks.fields(job.starts, days))
        when = " and ".join(map(weeks.clock, job.starts))
        steps.append(
            Step(f"sed -i '/ bin[/]{job.command[4:]}$/d' {TABLE}; printf '{text}\\n' >> {TABLE}", f"{job.command} moves to {when}.")
        )
    if without == "few_moves":
        other = next(job for job in state.jobs if job.command not in state.moved)
        starts = [minute - 5 if minute % 60 else minute + 5 for minute in other.starts]
        text = "\\n".join(f"{line} {other.command}" for line in weeks.fields(starts, other.days))
        steps.append(Step(f"sed -i '/ bin[/]{other.command[4:]}$/d' {TABLE}; printf '{text}\\n' >> {TABLE}", "Another job moves a little."))
    return [*steps, Step(f"cat {TABLE}", "A last look at the table.")]


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    found = ["last", "few_moves"] if len(first.moved) < len(first.jobs) else ["last"]
    if any(job.days != "4" and job.command in first.moved for job in first.jobs):
        found.append("days")
    return {rule: make_policy(commands(plan(first, rule))) for rule in found}


def mistakes(state: State) -> list[Calls]:
    # Removes a job that collides, lets all jobs run one after the other, or makes the jobs shorter in the document.
    job = next(job for job in state.jobs if job.command in state.moved)
    removed = [f"sed -i '/ bin[/]{job.command[4:]}$/d' {TABLE}"]
    spread = {other.command: (60 * number + 30,) * len(other.starts) for number, other in enumerate(state.jobs)}
    rewritten = [f"cat > {TABLE} <<'END'\n{_table([*state.jobs], spread, state.comment)}END"]
    shorter = [f"sed -i 's/for [0-9]* minutes/for 1 minutes/' {LIST}", *commands(plan(state, "last"))]
    return shortcuts(state, [removed, rewritten, shorter])


def cost(state: State) -> float:
    return float(len(state.jobs) * len(state.moved))


def _task(moved: int, ordered: bool) -> str:
    after = ", and which job it must follow" if ordered else ""
    return (
        f"The jobs of the crontab /work/{TABLE} collide. /work/{LIST} says how long each job runs, what it uses, and within which window of "
        f"the day each of its runs begins and ends{after}. Repair the table so that a whole week keeps all of this. "
        f"At most {count_noun(moved, 'job')} may get other times; all others must still begin when they do now. Each job keeps its days and the number of its "
        "runs a day.\n\n"
        "A line has the five fields minute, hour, day of the month, month and day of the week (0 or 7 for Sunday to 6 for Saturday), and then "
        "the command; a job may have several lines. Fields may be `*`, numbers, ranges `a-b`, steps `*/n` or `a-b/n`, and lists of these separated by "
        "commas. The comment and the line SHELL=/bin/sh stay as they are and in their order; empty lines and further comments do not matter. A job "
        "that ends at a minute does not collide with one that begins at that minute. Hidden checks simulate the week from Monday to Sunday by the "
        "table; the programs themselves are not here."
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=lambda state: 2 * len(plan(state)) + 12, explain=world.explain(plan),
    concept="Write down when each job begins and ends on each day, find the jobs that break a rule, and search free times for as few of them as allowed.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS, planted=True, version=3,
)  # fmt: skip
