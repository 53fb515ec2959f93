"""Bring services up under a supervisor until each answers on its port as its description says, now and after the next boot.

Services read their settings when they start and ask each other over ports. Faults are in units, in configurations, in locks that
a crash left, and in services that run with settings of an earlier time.
"""

import json
from collections.abc import Callable, Mapping, Sequence

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.terminal import daemons, trees, world
from rlgym.generators.terminal.daemons import SPEC, SVC, TABLE, Fault, Service
from rlgym.generators.terminal.services import parse_configuration
from rlgym.generators.terminal.world import CLOCK, LIMITS, TOOLS, Step, Terminal, act, commands, make_policy, shortcuts, show
from rlgym.sandbox.terminal import Entry, run_command

BOOTED = CLOCK + 86_400
REASONS = {
    "name": "An option of {service} is misspelled.",
    "port": "The unit of {service} names another port than the description.",
    "file": "The configuration of {service} names a file that is not there.",
    "value": "The configuration of {service} says another value than the description.",
    "boot": "{service} must start at boot.",
    "lock": "No process that runs holds the lock of {service}; a crash left it.",
    "restart": "{service} runs with settings that it read before its configuration was changed, so it is started again.",
    "needs": "The unit of {service} does not name what it needs, so it would start too early.",
    "upstream": "{service} asks a wrong port.",
    "retired": "A unit that the description does not have takes the port of {service} at boot.",
}


class Knobs(Config):
    services: int = knob(4, easy=2, hard=7, doc="services")
    faults: int = knob(3, easy=1, hard=6, doc="faults")
    kinds: int = knob(7, easy=4, hard=10, doc="kinds of faults, plain ones first")
    entries: int = knob(6, easy=4, hard=9, doc="keys that the services know")


class State(Terminal):
    services: tuple[Service, ...]
    faults: tuple[Fault, ...]


def start(rng: Rng, knobs: Knobs) -> State:
    services, data = daemons.sample_services(rng, knobs.services, knobs.entries)
    faults = daemons.sample_faults(rng, services, knobs.faults, knobs.kinds)
    files = daemons.insert_faults(daemons.files(services, data), faults)
    before = trees.tree({**files, TABLE: daemons.running(services, faults)})
    return State(task=_task(faults), before=before, files=before, services=services, faults=faults)


def outcome(state: State) -> Score | None:
    if not state.finished:
        return None
    retired = [fault.path for fault in state.faults if fault.kind == "retired"]
    kept = state.model_copy(update={"before": _others(state.before, retired), "files": _others(state.files, retired)})
    return trees.score_of_state(kept, **_checks(state))


def _checks(state: State) -> dict[str, bool]:
    """Whether the settings are right, and whether the services and no others run, now and after a boot, and answer rightly."""
    settings = {service.name: parse_configuration(trees.text(state.files, f"etc/{service.name}.conf")) for service in state.services}
    checks = {"settings": all(daemons.agrees(service, settings[service.name]) for service in state.services)}
    tree = {path: entry for path, entry in state.files.items() if path.partition("/")[0] != "scratch"}
    tree |= {path: entry for path, entry in state.before.items() if path.partition("/")[0] in ("bin", "srv", "data")}
    locked = any(f"run/{service.name}.lock" in tree for service in state.services)
    checks["running"] = not locked and _runs(state, tree.get(TABLE)) and _answers(state, tree)
    ended = run_command({path: entry for path, entry in tree.items() if path.partition("/")[0] != "run"}, f"python3 -I {SVC} boot", BOOTED)
    checks["after_boot"] = ended.exit_code == 0 and _runs(state, ended.tree.get(TABLE)) and _answers(state, ended.tree)
    return checks


def _runs(state: State, table: Entry | None) -> bool:
    """Whether a table holds just the services, on their ports, with their programs and with the right settings."""
    try:
        entries = json.loads(trees.text({TABLE: table}, TABLE)) if table else None
    except (ValueError, RecursionError):
        return False
    if not isinstance(entries, dict) or set(entries) != {service.name for service in state.services}:
        return False
    found = [(service, entries[service.name]) for service in state.services]
    return all(
        isinstance(entry, dict)
        and entry.get("port") == service.port
        and daemons.agrees(service, entry.get("settings"), entry.get("program"))
        for service, entry in found
    )


def _answers(state: State, tree: Mapping[str, Entry]) -> bool:
    """Whether all services answer rightly in this tree."""
    asks = [
        f"python3 -I {SVC} ask {service.port} {' '.join(repr(request) for request, _ in service.asked)}"
        for service in state.services
    ]  # fmt: skip
    right = [json.dumps(answer) for service in state.services for _, answer in service.asked]
    return run_command(tree, "; ".join(asks), BOOTED).stdout.splitlines() == right


def _others(tree: Mapping[str, Entry], retired: Sequence[str]) -> dict[str, Entry]:
    """The tree without what runs and without units that may go, and with the other units and configurations only as names."""
    kept = {path: entry for path, entry in tree.items() if path.partition("/")[0] != "run" and path not in retired}
    named = [path for path in kept if path.startswith(("units/", "etc/"))]
    return kept | {path: kept[path]._replace(kind="text", mode=0o644, content="") for path in named}


def plan(state: State, without: str = "") -> list[Step]:
    looks = f"cat {SPEC}; head -v -n 20 units/* etc/*; python3 {SVC} status; cat {TABLE}; ls run; python3 {SVC} boot"
    steps = [Step(looks, "First read what the services must do, how they are configured, and what runs; then boot.")]
    repaired = [fault for fault in state.faults if fault.kind not in (without, "restart")]
    steps += [Step(_repair(fault), REASONS[fault.kind].format(service=fault.service)) for fault in repaired]
    again = [fault for fault in state.faults if fault.kind == "restart"]
    why = REASONS["restart"].format(service=again[0].service) if again else "Services read their settings when they start."
    stopped = "" if without in ("restart", "stopped") else f"python3 {SVC} stop all; "
    if without != "started":
        steps.append(Step(f"{stopped}python3 {SVC} boot; {_examples(state)}", f"{why} After a boot of all of them, each must answer."))
    return steps


def _repair(fault: Fault) -> str:
    return f"sed -i 's|^{fault.wrong}$|{fault.right}|' {fault.path}" if fault.right else f"rm {fault.path}"


def _examples(state: State) -> str:
    return "; ".join(f"python3 {SVC} ask {service.port} '{service.asked[0][0]}'" for service in state.services)


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    found = ["started", *dict.fromkeys(fault.kind for fault in first.faults)]
    return {rule: make_policy(commands(plan(first, rule))) for rule in found}


def mistakes(state: State) -> list[Calls]:
    # Boots only; repairs all but the last fault; writes the wanted answers into a program; makes the table by hand.
    boots = f"python3 {SVC} stop all; python3 {SVC} boot"
    partly = commands(plan(state, state.faults[-1].kind))
    service = state.services[0]
    answers = f"echo 'def answer(settings, request, ask): return {service.asked[0][1]!r}' >> srv/{service.program}.py".replace("'", '"')
    table = daemons.running(state.services, ())
    return shortcuts(state, [[boots], partly, [answers, boots], [f"cat > {TABLE} <<'END'\n{table}END"]])


def cost(state: State) -> float:
    return float(len(state.services) * len(state.faults))


def _task(faults: tuple[Fault, ...]) -> str:
    lock = (
        " A file run/NAME.lock keeps the service NAME from starting; if `status` lists no process with the number "
        "in it, a crash left the file, and it may be removed."
        if any(fault.kind == "lock" for fault in faults)
        else ""
    )
    retired = (
        " A unit of a service that is not described must not be started at boot."
        if any(fault.kind == "retired" for fault in faults)
        else ""
    )
    return (
        f"The supervisor {SVC} in /work runs services. A unit in /work/units says which program a service is, which configuration in /work/etc it "
        f"reads when it starts, its port, what it needs, and whether it starts at boot. /work/{SPEC} says what each service must do. The units and "
        f"configurations have faults. Repair them.{lock}{retired} When you are done, the following must hold.\n"
        f"- All services that {SPEC} describes run, and no others, and each has the settings and gives the answers that are described there.\n"
        f"- The same holds after `python3 {SVC} boot` on a machine on which nothing runs (without the folder run), and the supervisor refuses nothing "
        "there.\n\n"
        f"`python3 {SVC} status` lists what runs, and `python3 {SVC} ask PORT REQUEST` asks a service; the beginning of {SVC} names the other "
        "commands. The supervisor keeps its list of running services in the folder run, so they run on from one command to the next. "
        "Each unit and configuration keeps its file and each service its program; files in bin, srv, data and docs stay as they are."
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=world.turns(plan), explain=world.explain(plan),
    concept="Compare each unit and configuration with the description, remove what a crash left, and start again whatever read old settings.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS, planted=True, version=3,
)  # fmt: skip
