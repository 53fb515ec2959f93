"""Migrate configuration files from an old format to JSON in a shell, by the rules of a migration guide.

Keys are renamed, units and types change, defaults are inherited, and obsolete keys go; the values follow from the guide alone.
"""

import json
from collections.abc import Callable, Mapping

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.terminal import names, trees, world
from rlgym.generators.terminal.world import LIMITS, TOOLS, Step, Terminal, act, commands, make_policy, shortcuts, show

KINDS = ("text", "integer", "boolean", "seconds", "list", "size")
GUIDE = {
    "text": "is a string",
    "integer": "becomes a JSON integer",
    "boolean": "becomes true (for yes or on) or false (for no or off)",
    "seconds": "was in seconds and becomes an integer in milliseconds",
    "list": "was separated by commas and spaces, and becomes an array of strings in the same order",
    "size": "was a number with the suffix k (1024 bytes) or m (1048576 bytes) and becomes an integer in bytes",
}


class Knobs(Config):
    files: int = knob(3, easy=1, hard=7, doc="files to migrate")
    settings: int = knob(6, easy=3, hard=11, doc="keys of the old format")
    kinds: int = knob(4, easy=2, hard=6, doc="kinds of values, plain ones first")
    features: int = knob(2, easy=0, hard=3, doc="obsolete keys, inherited defaults, and overrides of a host")


class State(Terminal):
    app: str
    services: tuple[str, ...]
    keys: dict[str, tuple[str, str]]  # old key -> new key, kind
    features: int


def start(rng: Rng, knobs: Knobs) -> State:
    app, services = rng.choice(names.TOPICS), tuple(sorted(rng.sample(names.SERVICES, knobs.files)))
    words = rng.sample(names.WORDS, 2 * knobs.settings + 2)
    keys = {
        words.pop(): (f"{words.pop()}.{words[-1]}" if rng.chance(0.4) else words[-1], KINDS[place % knobs.kinds])
        for place in range(knobs.settings)
    }
    keys = {
        old: (new if [other for other, _ in keys.values()].count(new) == 1 else f"{old}_value", kind) for old, (new, kind) in keys.items()
    }
    files: dict[str, str] = {}
    defaults = {old: _value(rng, kind) for old, (_, kind) in keys.items() if rng.chance(0.5)} if knobs.features > 1 else {}
    if knobs.features > 1:
        files[f"{app}/old/default.ini"] = _ini(rng, "service", defaults, "")
    expected = {}
    for service in services:
        own = {old: _value(rng, kind) for old, (_, kind) in keys.items() if rng.chance(0.8) or not knobs.features}
        obsolete = f"legacy_{words[0]} = {rng.integer(1, 9)}\n" if knobs.features else ""
        host = {old: _value(rng, keys[old][1]) for old in rng.sample(list(keys), 2)} if knobs.features > 2 else {}
        files[f"{app}/old/{service}.ini"] = _ini(rng, "service", own, obsolete) + (_ini(rng, "host", host, "") if host else "")
        values = {keys[old][0]: _migrate_value(raw, keys[old][1]) for old, raw in {**defaults, **own, **host}.items()}
        expected[f"{app}/new/{service}.json"] = trees.entry(json.dumps(values, sort_keys=True))
    files[f"{app}/MIGRATION.md"] = _guide(rng, keys, knobs.features)
    before = trees.tree(files)
    return State(
        task=_task(app, services), before=before, files=before, expected={**expected},
        app=app, services=services, keys=keys, features=knobs.features,
    )  # fmt: skip


def outcome(state: State) -> Score | None:
    if not state.finished:
        return None
    # What is judged of a JSON file is its value.
    files = {**state.files}
    for path in state.expected:
        if path in files and _normalize_json(trees.text(files, path)) == _normalize_json(
            trees.text({path: state.expected[path] or files[path]}, path)
        ):
            files[path] = state.expected[path] or files[path]
    return trees.score_of_state(state.model_copy(update={"files": files}))


def plan(state: State, without: str = "") -> list[Step]:
    looks = Step(f"cat {state.app}/MIGRATION.md; head -n 40 {state.app}/old/*", "First read the guide and the old files.")
    steps = [Step(_migrate(state, service, without), f"{service} is migrated by the guide.") for service in state.services]
    return [looks, *steps]


CONVERT = {
    "text": "v",
    "integer": "int(v)",
    "boolean": "v in ('yes', 'on')",
    "seconds": "int(v) * 1000",
    "list": "[w for w in v.replace(',', ' ').split()]",
    "size": "int(v[:-1]) * {'k': 1024, 'm': 1048576}[v[-1]]",
}


def _migrate(state: State, service: str, without: str) -> str:
    kinds = {old: kind for old, (_, kind) in state.keys.items()}
    sections = ["own.items('service')"]
    if state.features > 1 and without != "defaults":
        sections.insert(0, "default.items('service')")
    if state.features > 2 and without != "host":
        sections.append("own.items('host')")
    rows = "\n".join(
        f"    if old == {old!r}: new[{name!r}] = {CONVERT[kinds[old]] if without != kinds[old] else 'v'}"
        for old, (name, _) in state.keys.items()
    )
    rest = "    if old.startswith('legacy'): new[old] = v\n" if without == "obsolete" else ""
    return f"""mkdir -p {state.app}/new; python3 - <<'END'
import configparser, json
own, default = configparser.ConfigParser(), configparser.ConfigParser()
own.read('{state.app}/old/{service}.ini')
default.read('{state.app}/old/default.ini')
new = {{}}
for old, v in [{", ".join(f"*{section}" for section in sections)}]:
{rows}
{rest}json.dump(new, open('{state.app}/new/{service}.json', 'w'), indent=2)
END"""


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    kinds = {kind for _, kind in first.keys.values()} - {"text"}
    found = [*(kind for kind in KINDS if kind in kinds), *["obsolete", "defaults", "host"][: first.features]]
    return {rule: make_policy(commands(plan(first, rule))) for rule in found}


def mistakes(state: State) -> list[Calls]:
    # Keeps every value as a string, forgets the last file, moves the files as they are, or deletes the old ones.
    strings = [commands(plan(state, kind))[-1] for kind in ("integer", "boolean")]
    moved = f"mkdir -p {state.app}/new; for f in {state.app}/old/*.ini; do cp $f {state.app}/new/$(basename $f .ini).json; done"
    return shortcuts(state, [strings, commands(plan(state))[:-1], [moved], [*commands(plan(state)), f"rm -r {state.app}/old"]])


def cost(state: State) -> float:
    return float(len(state.services) * len(state.keys) * (1 + state.features))


def _value(rng: Rng, kind: str) -> str:
    match kind:
        case "integer":
            return str(rng.integer(1, 9999))
        case "boolean":
            return rng.choice(("yes", "no", "on", "off"))
        case "seconds":
            return str(rng.integer(1, 90))
        case "list":
            return ", ".join(rng.sample(names.PEOPLE, rng.integer(2, 4)))
        case "size":
            return f"{rng.integer(1, 64)}{rng.choice('km')}"
    return names.sentence(rng, rng.integer(1, 2))


def _migrate_value(raw: str, kind: str) -> object:
    match kind:
        case "integer":
            return int(raw)
        case "boolean":
            return raw in ("yes", "on")
        case "seconds":
            return 1000 * int(raw)
        case "list":
            return raw.split(", ")
        case "size":
            return int(raw[:-1]) << {"k": 10, "m": 20}[raw[-1]]
    return raw


def _ini(rng: Rng, section: str, values: Mapping[str, str], more: str) -> str:
    lines = [f"{key} = {value}\n" for key, value in values.items()]
    return f"[{section}]\n" + "".join(rng.shuffled([*lines, *([more] if more else []), f"# {names.sentence(rng, 2)}\n"]))


def _guide(rng: Rng, keys: Mapping[str, tuple[str, str]], features: int) -> str:
    rows = [f"- `{old}` is now `{new}`; it {GUIDE[kind]}.\n" for old, (new, kind) in keys.items()]
    more = (
        ["A key that is not listed above is obsolete and is left out.\n"],
        ["A key of default.ini that a service does not set itself holds for the service as well. There is no new file for default.ini.\n"],
        ["Where a file has a section [host], its keys override those of [service].\n"],
    )
    body = "".join(rng.shuffled(rows)) + "".join(f"\n{line}" for lines in more[:features] for line in lines)
    return (
        f"# From INI to JSON\n\nEach new file is one flat JSON object with the new keys; a dot in a key has no special meaning.\n\n{body}"
    )


def _normalize_json(text: str) -> str:
    """The value of a JSON text in one spelling, so that 1, 1.0 and true differ; the text itself where it is none."""
    try:
        return json.dumps(json.loads(text), sort_keys=True)
    except (ValueError, RecursionError):
        return text


def _task(app: str, services: tuple[str, ...]) -> str:
    several = "each of the files" if len(services) > 1 else "the file"
    listed = ", ".join(f"{service}.ini" for service in services)
    return (
        f"The program {app} no longer reads INI files. Migrate {several} {listed} in /work/{app}/old to a JSON file of the same name, with the "
        f"ending .json, in the new folder /work/{app}/new, as the guide /work/{app}/MIGRATION.md says. The old files stay as they are. A setting "
        "without a value for a service gets no key."
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=world.turns(plan), explain=world.explain(plan),
    concept="Read the guide, then convert with a JSON library: defaults first, the service's own keys over them, and each value by its rule.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS, planted=True,
    version=3,
)  # fmt: skip
