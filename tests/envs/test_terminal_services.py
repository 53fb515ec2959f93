"""Services under a supervisor and jobs of a week: what is right in other ways than the oracle's, what stays, and what only seems right."""

import json

import pytest
from thinning import thinned

import rlgym
from rlgym import Rng
from rlgym.core.errors import SandboxMissing
from rlgym.envs.terminal import jobs_schedule, service_chain
from rlgym.generators.terminal import daemons, schedules, trees, weeks
from rlgym.generators.terminal.daemons import SVC, TABLE
from rlgym.generators.terminal.supervisor import SUPERVISOR
from rlgym.generators.terminal.world import CLOCK, LONGEST_OUTPUT, Bash, Done
from rlgym.sandbox.terminal import run_command

BOOT = f"python3 {SVC} stop all; python3 {SVC} boot"


@pytest.fixture(autouse=True)
def confined():
    try:
        rlgym.make("service_chain")
    except SandboxMissing as why:
        pytest.skip(str(why))


def first_state(level, seed=1):
    return service_chain.start(Rng("services", seed), service_chain.Knobs.at(level))


def with_fault(kind):
    states = (first_state(1.0, seed) for seed in range(60))
    return next(state for state in states if kind in [fault.kind for fault in state.faults])


def score(state, *commands):
    state = service_chain.act(state, (Bash(command="\n".join(commands)),))
    return service_chain.outcome(service_chain.act(state, (Done(),)))


def right_files(state):
    data = {path: trees.text(state.before, path) for path in state.before if path.startswith("data/")}
    return daemons.files(state.services, {path: text for path, text in data.items() if text})


def test_programs_answer_what_the_generator_computes_by_another_route():
    for seed in range(3):
        state = first_state(1.0, seed)
        tree = trees.tree(right_files(state))
        asks = [f"python3 {SVC} ask {service.port} {' '.join(repr(request) for request, _ in service.asked)}" for service in state.services]
        ended = run_command(tree, "\n".join([f"python3 {SVC} boot", *asks]), CLOCK)
        answers = [answer for service in state.services for _, answer in service.asked]
        assert [json.loads(line) for line in ended.stdout.splitlines()[len(state.services) :]] == answers
        assert len(set(answers)) > len(answers) // 3


def test_a_service_keeps_its_settings_until_it_is_started_again():
    state = first_state(0.0)
    tree = run_command(trees.tree(right_files(state)), f"python3 {SVC} boot", CLOCK).tree
    scale = state.services[1]
    ask = f"python3 {SVC} ask {scale.port} {scale.asked[0][0]}"
    before = run_command(tree, ask, CLOCK).stdout
    changed = run_command(tree, f"sed -i 's/^times = .*/times = 100/' etc/{scale.name}.conf", CLOCK).tree
    assert run_command(changed, ask, CLOCK).stdout == before
    again = run_command(changed, BOOT, CLOCK).tree
    assert run_command(again, ask, CLOCK).stdout != before


def test_a_supervisor_refuses_with_the_reason():
    tree = trees.tree(right_files(first_state(0.0)))
    first, second = (service.name for service in first_state(0.0).services)
    for spoil, reason in [
        (f"echo 812 > run/{first}.lock", f"process 812 holds run/{first}.lock"),
        (f"echo odd >> etc/{first}.conf", "cannot read the line 'odd'"),
        (f"sed -i s/file/flie/ etc/{first}.conf", "missing or unknown: file, flie"),
        (f"rm etc/{first}.conf", f"there is no file etc/{first}.conf"),
        (f"rm units/{first}.unit", f"there is no file units/{first}.unit"),
        (f"rm -r run; python3 {SVC} start {first}", "it runs already"),
    ]:
        told = run_command(tree, f"mkdir run; {spoil}; python3 {SVC} start {first}", CLOCK)
        assert (told.exit_code, reason in told.stdout) == (1, True), told
    assert f"needs {first}, which does not run" in run_command(tree, f"python3 {SVC} start {second}", CLOCK).stdout
    assert "Usage" in run_command(tree, f"python3 {SVC} restart {second}", CLOCK).stderr


@pytest.mark.parametrize("kind", thinned(daemons.KINDS))
def test_each_fault_counts_and_its_repair_is_enough(kind):
    state = with_fault(kind)
    commands = [step.command for step in service_chain.plan(state)]
    assert score(state, *commands).value == 1.0
    skipped = [step.command for step in service_chain.plan(state, kind)]
    failed = {part for part, share in score(state, *skipped).parts.items() if share < 1}
    assert failed
    assert failed <= {"settings", "running", "after_boot"}
    if kind in ("lock", "restart"):
        assert failed == {"running"}


def test_other_ways_to_the_same_end_are_right():
    state = with_fault("retired")
    written = [f"cat > {path} <<'END'\n{text}END" for path, text in right_files(state).items() if path.startswith(("etc/", "units/"))]
    others = [fault.path for fault in state.faults if fault.kind == "retired"]
    noted = [f"sed -i 's/boot = yes/boot = no/' {path}" for path in others]
    comments = f"for f in etc/*; do echo '# seen' >> $f; done; rm -f run/*.lock; {BOOT}; mkdir -p scratch; {BOOT}"
    private = "chmod 600 etc/* units/*"
    whole = f"sed -i 's| srv/| /work/srv/|' units/*; sed -i 's| data/| ./data/|' etc/*; sed -i '0,/ data/s| ./data/| /work/data/|' etc/*; {BOOT}"
    assert score(state, *written, *noted, comments, private, whole).value == 1.0


@pytest.mark.parametrize(
    ("last", "part"),
    [
        ("rm run/table.json", "running"),
        ("echo '[' > run/table.json", "running"),
        ("printf '[%.0s' $(seq 20000) > run/table.json", "running"),
        ("ln -sf /dev/null run/table.json", "running"),
        (f"python3 {SVC} stop {{name}}", "running"),
        ("echo 'print(1)' >> bin/svc.py", "unchanged"),
        ("sed -i 's/^def answer/def answer/;s/unknown/none/' srv/lookup.py", "unchanged"),
        ("cp srv/lookup.py srv/other.py", "unchanged"),
        ("cp srv/lookup.py scratch.py; sed -i 's|srv/lookup.py|scratch.py|' units/{name}.unit", "unchanged"),
        ("mkdir scratch; cp srv/lookup.py scratch; sed -i 's|srv/lookup.py|scratch/lookup.py|' units/{name}.unit", "after_boot"),
        ("sed -i 's/^port = .*/port = 1/' units/{name}.unit", "after_boot"),
        ("cp units/{name}.unit units/zz.unit", "after_boot"),
        ("rm units/{name}.unit", "after_boot"),
        ("rm etc/{name}.conf", "settings"),
        ("cp srv/lookup.py units/lookup.py; sed -i 's|srv/lookup|units/lookup|' units/{name}.unit; " + BOOT, "running"),
        ("cp srv/lookup.py units/lookup.py; sed -i 's|srv/lookup|units/lookup|' units/{name}.unit", "after_boot"),
        ("cp srv/lookup.py run; sed -i 's|srv/lookup|run/lookup|' run/table.json", "running"),
        ("cp units/{name}.unit units/{name}.bak", "unchanged"),
        ("echo 500 > run/{name}.lock", "running"),
    ],
)  # fmt: skip
def test_what_spoils_right_work(last, part):
    state = first_state(0.5)
    commands = [step.command for step in service_chain.plan(state)]
    name = next(service.name for service in state.services if service.program == "lookup")
    spoilt = score(state, *commands, last.format(name=name))
    assert (spoilt.value, spoilt.parts[part]) == (0.0, 0.0)


def test_what_runs_is_part_of_the_state():
    env = rlgym.make("service_chain", level=0.0)
    env.reset(seed=1)
    env.step(env.oracle())
    env.step(env.oracle())
    saved = env.unwrapped.snapshot()
    env.step(f"<answer>{json.dumps({'tool': 'bash', 'arguments': {'command': BOOT}})}</answer>")
    env.unwrapped.restore(saved)
    status = f"<answer>{json.dumps({'tool': 'bash', 'arguments': {'command': f'python3 {SVC} status; ls {TABLE}'}})}</answer>"
    text, *_ = env.step(status)
    env.unwrapped.restore(saved)
    assert env.step(status)[0] == text


def week(level, seed=1):
    return jobs_schedule.start(Rng("week", seed), jobs_schedule.Knobs.at(level))


def week_score(state, *commands):
    state = jobs_schedule.act(state, (Bash(command="\n".join(commands)),))
    return jobs_schedule.outcome(jobs_schedule.act(state, (Done(),)))


def simulated(jobs, starts, most):
    """The rules that a week breaks, minute by minute: another route than that of the generator."""
    found = set()
    for day in range(7):
        active = [(job, begin) for job in jobs if day in weeks.days_of(job.days) for begin in starts[job.command]]
        for minute in range(2 * weeks.DAY):
            now = [job for job, begin in active if begin <= minute < begin + job.minutes]
            if len(now) > most:
                found.add("load")
            if len({job.uses for job in now}) < len(now):
                found.add("apart")
            if any(not job.window[0] <= minute < job.window[1] for job in now):
                found.add("window")
        for job, begin in active:
            if any(begin < other + before.minutes for before, other in active if before.command == job.after):
                found.add("after")
    return found


def test_a_week_is_judged_as_by_a_simulation_minute_by_minute():
    seen = set()
    for seed in range(12):
        state = week(1.0, seed)
        for moved in ({}, state.moved, dict([*state.moved.items()][:1])):
            starts = {job.command: moved.get(job.command, job.starts) for job in state.jobs}
            broken = {rule for rule, commands in weeks.broken(state.jobs, starts, state.together).items() if commands}
            assert broken == simulated(state.jobs, starts, state.together)
            assert bool(broken) == bool(moved)
            seen |= broken
    assert seen == {*weeks.RULES}


def test_another_table_that_keeps_all_rules_is_right():
    state = week(0.0)
    [command] = state.moved
    job = next(job for job in state.jobs if job.command == command)
    others = {other.command: other.starts for other in state.jobs}
    free = [
        minute
        for minute in range(weeks.DAY - job.minutes)
        if minute not in job.starts and not any(weeks.broken(state.jobs, {**others, command: (minute,)}, 4).values())
    ]
    [minute] = free[:1]
    days = ",".join(str(day or 7) for day in weeks.days_of(job.days))
    line = f"{minute % 60},{minute % 60} {minute // 60} * */1 {days} {command}"
    assert week_score(state, f"sed -i '/{command[4:]}$/d' etc/crontab; echo >> etc/crontab; echo '{line}' >> etc/crontab").value == 1.0


def test_a_table_may_have_more_comments_but_no_more_variables():
    state = week(0.0)
    commands = [step.command for step in jobs_schedule.plan(state)]
    noted = "sed -i '2a # moved' etc/crontab; echo '  # the end' >> etc/crontab"
    assert week_score(state, *commands, noted).value == 1.0
    for more in (
        "printf ' CRON_TZ=Asia/Tokyo\\n' >> etc/crontab",
        "printf '\\tA=1\\n' >> etc/crontab",
        "sed -i 's/^SHELL/ # SHELL/' etc/crontab",
    ):
        assert week_score(state, *commands, more).parts["table"] == 0.0, more


@pytest.mark.parametrize("end", ["\x0b", "\x85", "\u2028"])
def test_a_line_of_a_table_ends_as_cron_ends_it(end):
    assert schedules.parse_table(f"# note{end}5 1 * * * bin/x\n0 2 * * * bin/y\n") == {"bin/y": [schedules.times("0 2 * * *")]}
    assert schedules.parse_table(f"0 2 * * *{end}bin/y\n") is None
    assert schedules.parse_table(f"0 2 * * * bin/y{end}\n") is None


def with_lines_for_days(state, change):
    """A right table with a line for each job, start and day, of which `change` may make another one."""
    lines = [
        change(job, day, line)
        for job in state.jobs
        for day in sorted(weeks.days_of(job.days))
        for line in weeks.fields(job.starts, str(day))
    ]
    return "".join(f"{line}\n" for line in [state.comment, "SHELL=/bin/sh", *lines])


def test_a_job_may_have_a_line_for_each_of_its_days():
    state = week(0.5)
    table = with_lines_for_days(state, lambda job, day, line: f"{line} {job.command}")
    assert week_score(state, f"cat > etc/crontab <<'END'\n{table}END").value == 1.0
    job = next(job for job in state.jobs if job.command not in state.moved and len(weeks.days_of(job.days)) > 1)
    first = min(weeks.days_of(job.days))

    def earlier(other, day, line):
        minute, rest = line.split(" ", 1)
        return f"{(int(minute) + 1) % 60 if (other, day) == (job, first) else minute} {rest} {other.command}"

    spoilt = week_score(state, f"cat > etc/crontab <<'END'\n{with_lines_for_days(state, earlier)}END")
    assert (spoilt.value, spoilt.parts["few_moves"]) == (0.0, 0.0)

    def elsewhere(other, day, line):
        return f"{line[:-1] + str((first + 6) % 7) if (other, day) == (job, first) else line} {other.command}"

    spoilt = week_score(state, f"cat > etc/crontab <<'END'\n{with_lines_for_days(state, elsewhere)}END")
    assert (spoilt.value, spoilt.parts["days"]) == (0.0, 0.0)


def test_a_week_finds_what_collides_on_one_day_alone():
    state = week(1.0)
    job = next(job for job in state.jobs if len(weeks.days_of(job.days)) > 1)
    right = [{other.command: other.starts for other in state.jobs} for _ in range(7)]
    assert not any(weeks.broken_by_day(state.jobs, right, state.together).values())
    day = max(weeks.days_of(job.days))
    late = [starts | {job.command: (weeks.DAY - 1,)} if place == day else starts for place, starts in enumerate(right)]
    assert weeks.broken_by_day(state.jobs, late, state.together)["window"] == [job.command]


@pytest.mark.parametrize(
    ("last", "part"),
    [
        ("sed -i '/^#/d' etc/crontab", "table"),
        ("echo '0 0 * * * bin/more' >> etc/crontab", "table"),
        ("sed -i '$d' etc/crontab", "table"),
        ("sed -i '$s/[*] [*] [^ ]*/1 * 3/' etc/crontab", "days"),
        ("sed -i '$s/^[0-9]*/0,30/' etc/crontab", "runs"),
        ("tail -n 1 etc/crontab > last; cat last >> etc/crontab; rm last", "runs"),
        ("sed -i 's/for [0-9]* minutes/for 5 minutes/' etc/jobs.md", "unchanged"),
    ],
)
def test_what_spoils_a_right_table(last, part):
    state = week(0.5)
    commands = [step.command for step in jobs_schedule.plan(state)]
    assert week_score(state, *commands).value == 1.0
    spoilt = week_score(state, *commands, last)
    assert (spoilt.value, spoilt.parts[part]) == (0.0, 0.0)


def test_a_week_without_room_is_refused(monkeypatch):
    monkeypatch.setattr(weeks, "ATTEMPTS", 5)
    with pytest.raises(ValueError, match="no room for 90 jobs"):
        weeks.sample_jobs(Rng("full", 1), 90, 1, 1, 0, 0)


def test_the_supervisor_is_shown_whole():
    assert len(SUPERVISOR.rstrip("\n")) <= LONGEST_OUTPUT
