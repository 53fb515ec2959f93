"""Configure a service in a shell from its documentation, and prove the configuration with the service's own checker.

The request is in words; names, units, defaults and dependencies of options are in the documents, next to outdated ones.
"""

from collections.abc import Callable, Mapping

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.terminal import services, trees, world
from rlgym.generators.terminal.services import Option
from rlgym.generators.terminal.world import LIMITS, TOOLS, Step, Terminal, act, commands, make_policy, shortcuts, show

CHECKER, PROOF = "bin/check.py", "proof.txt"


class Knobs(Config):
    options: int = knob(5, easy=2, hard=10, doc="options of the service")
    requests: int = knob(3, easy=1, hard=7, doc="settings that are requested")
    units: int = knob(3, easy=1, hard=5, doc="kinds of values, with units that differ from those of the request")
    implied: int = knob(1, easy=0, hard=3, doc="options that an option needs besides itself")
    renamed: int = knob(1, easy=0, hard=2, doc="options whose old name is in the configuration")


class State(Terminal):
    app: str
    options: tuple[Option, ...]
    wanted: dict[str, str]
    renamed: dict[str, str]


def start(rng: Rng, knobs: Knobs) -> State:
    app, options = services.options(rng, knobs.options, knobs.units)
    requested = rng.sample(options, min(knobs.requests, knobs.options))
    others = [option for option in options if option not in requested]
    values = {option.name: services.value(rng, option) for option in options}
    implied = {}
    for option, other in zip(requested, others[: knobs.implied], strict=False):
        implied[option.name] = (other.name, services.value(rng, other))
    old = {option.name: f"{option.name.replace('_', '-')}-v1" for option in rng.sample(options, knobs.renamed)}
    current = {
        option.name: services.other_value(rng, option, values[option.name]) if option in requested else values[option.name]
        for option in options
    }
    current |= {
        name: services.other_value(rng, option, implied_value)
        for name, implied_value in implied.values()
        for option in options
        if option.name == name
    }
    wanted = {**values, **dict(implied.values())}
    files = services.files(rng, app, options, implied, old)
    lines = [f"{old.get(name, name)} = {value}" for name, value in current.items()]
    files[f"etc/{app}.conf"] = "".join(f"{line}\n" for line in [f"# configuration of {app}", *rng.shuffled(lines)])
    files[CHECKER] = services.CHECKER.format(options={option.name: option.pattern for option in options})
    before = trees.tree(files)
    return State(
        task=_task(app, [services.request(option, values[option.name]) for option in requested]), before=before, files=before,
        app=app, options=options, wanted=wanted, renamed=old,
    )  # fmt: skip


def outcome(state: State) -> Score | None:
    if not state.finished:
        return None
    path = f"etc/{state.app}.conf"
    read = services.parse_configuration(trees.text(state.files, path))
    checks = {"readable": read is not None, "proof": trees.text(state.files, PROOF).strip() == services.proof(state.wanted)}
    checks |= {name: (read or {}).get(name) == value for name, value in state.wanted.items()}
    checks["no_other_option"] = set(read or {}) <= set(state.wanted)
    files = {name: entry for name, entry in {**state.files, path: state.before[path]}.items() if name != PROOF}
    return trees.score_of_state(state.model_copy(update={"files": files}), **checks)


def plan(state: State, without: str = "") -> list[Step]:
    path = f"etc/{state.app}.conf"
    current = services.parse_configuration(trees.text(state.before, path)) or {}
    steps = [Step(f"cat {path}; cat docs/*.md", "First read the configuration and the documents.")]
    for name, old in state.renamed.items():
        if without != "renamed":
            steps.append(Step(f"sed -i 's/^{old} /{name} /' {path}", f"{old} has been renamed to {name}."))
    for name, value in state.wanted.items():
        now = current.get(name, current.get(state.renamed.get(name, ""), ""))
        if now != value:
            steps.append(Step(f"sed -i 's|^{name} = .*|{name} = {value}|' {path}", f"By the request and the documents, {name} is {value}."))
    if without == "last":
        steps.pop()
    return [*steps, Step(f"python3 {CHECKER} {path} | tee {PROOF}", "The checker proves the configuration.")]


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    found = {"proof": commands(plan(first))[:-1], "last_setting": commands(plan(first, "last"))}
    if first.renamed:
        found["renamed"] = commands(plan(first, "renamed"))
    return {rule: make_policy(skipped) for rule, skipped in found.items()}


def mistakes(state: State) -> list[Calls]:
    # Runs the checker alone, invents the proof, or adds the settings at the end beside the old ones.
    path = f"etc/{state.app}.conf"
    beside = "".join(f"echo '{name} = {value}' >> {path}; " for name, value in state.wanted.items())
    checked = f"python3 {CHECKER} {path} > {PROOF}"
    return shortcuts(state, [[checked], [f"echo ok > {PROOF}"], [f"{beside}{checked}"]])


def cost(state: State) -> float:
    return float(sum(len(entry.content) for entry in state.before.values()) * len(plan(state)))


def _task(app: str, requests: list[str]) -> str:
    return (
        f"Configure the service {app}. Its configuration is /work/etc/{app}.conf, with one line `option = value` for each option and no option "
        "twice; lines that "
        "begin with # are comments. The documents in /work/docs say what the options are called, which units they have, and what else an option "
        f"needs. These settings are requested:\n{''.join(f'- {request}{chr(10)}' for request in requests)}Options that neither the request nor the "
        "documents change keep their values; an option with an outdated name gets its new name, and keeps its value unless the request or the "
        "documents change it. Then run "
        f"`python3 {CHECKER} etc/{app}.conf`, and write what it prints for the right configuration to /work/{PROOF}."
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=lambda state: 2 * len(plan(state)) + 12, explain=world.explain(plan),
    concept="Translate each request with the documents: the option's name, its unit, and the options that it needs; then run the checker.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS, planted=True,
    version=3,
)  # fmt: skip
