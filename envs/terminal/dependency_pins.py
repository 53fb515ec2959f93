"""Repair the pinned versions of a project in a shell, with a local index, changing as few pins as possible.

Every dependency of every pinned version must be met; the index says what each version needs, and some versions are withdrawn.
"""

import json
from collections.abc import Callable, Mapping

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.terminal import pins, trees, world
from rlgym.generators.terminal.pins import Index
from rlgym.generators.terminal.world import LIMITS, TOOLS, Step, Terminal, act, commands, make_policy, shortcuts, show

PINS, NOTE = "requirements.txt", "changed.txt"


class Knobs(Config):
    packages: int = knob(5, easy=2, hard=9, beyond=12, doc="packages of the project")
    versions: int = knob(4, easy=2, hard=5, beyond=6, doc="versions of each package")
    changes: int = knob(2, easy=1, hard=4, doc="fewest pins that must change")
    withdrawn: int = knob(1, easy=0, hard=3, beyond=5, doc="withdrawn versions in the index")


class State(Terminal):
    index: Index
    pinned: dict[str, int]
    least: int


def start(rng: Rng, knobs: Knobs) -> State:
    index, pinned, least = pins.problem(rng, knobs.packages, knobs.versions, min(knobs.changes, knobs.packages - 1), knobs.withdrawn)
    files = {f"index/{name}.json": json.dumps({"versions": _index_entry(index, name)}, indent=1) + "\n" for name in index}
    files[PINS] = "# pinned for the release\n" + "".join(f"{name}=={version}.0\n" for name, version in pinned.items())
    files["app/main.py"] = "".join(f"import {name}\n" for name in pinned)
    before = trees.tree(files)
    return State(task=_task(knobs.withdrawn > 0), before=before, files=before, index=index, pinned=pinned, least=least)


def outcome(state: State) -> Score | None:
    if not state.finished:
        return None
    chosen = _read(trees.text(state.files, PINS))
    changed = {name for name in state.pinned if chosen.get(name) != state.pinned[name]}
    noted = [line.strip() for line in trees.text(state.files, NOTE).splitlines() if line.strip()]
    checks = {
        "same_packages": list(chosen) == list(state.pinned),
        "consistent": set(chosen) == set(state.pinned) and not pins.is_broken(state.index, chosen),
        "fewest_changes": len(changed) == state.least,
        "comment": trees.text(state.files, PINS).startswith("# pinned for the release\n"),
        "note": noted == sorted(changed) and len(changed) > 0,
    }
    files = {path: entry for path, entry in {**state.files, PINS: state.before[PINS]}.items() if path != NOTE}
    return trees.score_of_state(state.model_copy(update={"files": files}), **checks)


def plan(state: State, without: str = "") -> list[Step]:
    return [
        Step(f"cat {PINS}; head -n 40 index/*", "First read the pins and the index."),
        Step(
            _search(state.least, without),
            "Try all sets of pins with one change, then with two, and so on, until one meets every dependency.",
        ),
        Step(f"cat {PINS} {NOTE}", "A last look."),
    ]


def _search(least: int, without: str) -> str:
    usable = "[v for v, d in index[n].items() if not d['withdrawn']]" if without != "withdrawn" else "list(index[n])"
    sizes = "range(1, len(old) + 1)" if without != "fewest" else f"range({least + 1}, len(old) + 1)"
    needs = "d['needs'].items()" if without != "needs" else "()"
    return f"""python3 - <<'END'
import itertools, json, pathlib, re
lines = pathlib.Path({PINS!r}).read_text().splitlines()
old = dict(line.split('==') for line in lines if '==' in line)
index = {{n: json.loads(pathlib.Path(f'index/{{n}}.json').read_text())['versions'] for n in old}}
def major(v): return int(v.split('.')[0])
def good(new):
    for n, v in new.items():
        d = index[n][v]
        if {"d['withdrawn']" if without != "withdrawn" else "False"} or any(not low <= major(new[m]) <= high for m, (low, high) in {needs}):
            return False
    return True
def solutions():
    for size in {sizes}:
        for names in itertools.combinations(old, size):
            for versions in itertools.product(*[[v for v in {usable} if v != old[n]] for n in names]):
                new = old | dict(zip(names, versions))
                if good(new):
                    yield new
new = next(solutions())
pathlib.Path({PINS!r}).write_text(lines[0] + '\\n' + ''.join(f'{{n}}=={{v}}\\n' for n, v in new.items()))
pathlib.Path({NOTE!r}).write_text(''.join(f'{{n}}\\n' for n in sorted(new) if new[n] != old[n]))
END"""


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    return {rule: make_policy(commands(plan(first, rule))) for rule in ("fewest", "needs")} | {
        "note": make_policy([*commands(plan(first)), f"rm {NOTE}"])
    }


def mistakes(state: State) -> list[Calls]:
    # Takes the newest version of everything, removes the pins, or edits the index.
    newest = "".join(f"{name}=={max(state.index[name])}.0\n" for name in state.pinned)
    write = f"printf '# pinned for the release\\n{newest.encode('unicode_escape').decode()}' > {PINS}; cut -d = -f 1 {PINS} | tail -n +2 | sort > {NOTE}"
    index = 'sed -i \'s/"needs": {.*/"needs": {/\' index/*.json; touch changed.txt'
    return shortcuts(state, [[write], [f"sed -i 's/==.*//' {PINS}; touch {NOTE}"], [index]])


def cost(state: State) -> float:
    return float(sum(len(versions) for versions in state.index.values()) ** min(state.least, 3))


def _index_entry(index: Index, name: str) -> dict[str, object]:
    return {
        f"{version}.0": {"withdrawn": release.withdrawn, "needs": {other: [low, high] for other, low, high in release.needs}}
        for version, release in index[name].items()
    }


def _read(text: str) -> dict[str, int]:
    """The pins of a file; versions that cannot be read are left out."""
    found = {}
    for line in text.splitlines():
        name, _, version = line.strip().partition("==")
        number = version.removesuffix(".0")
        if not line.startswith("#") and number.isascii() and number.isdigit() and len(number) < 4:
            found[name] = int(number)
    return found


def _task(withdrawn: bool) -> str:
    usable = " A version whose `withdrawn` is true must not be used." if withdrawn else ""
    return (
        f"The project in /work pins the versions of its packages in /work/{PINS}, but the pins do not fit together. For each package, "
        "/work/index/NAME.json lists "
        "its versions. The `needs` of a version give, for other packages, the lowest and the highest major version (the number before the dot) "
        f"that it works with, both included.{usable} Change as few pins as possible so that every pinned version is in the index and all its needs "
        "are met by the "
        f"other pins; any such change will do. Keep the packages, their order, and the form of {PINS}, with its comment. Then write the names of "
        f"the packages whose pins you have changed to /work/{NOTE}, one per line in alphabetical order."
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=lambda state: 2 * len(state.pinned) + 12, explain=world.explain(plan),
    concept="Treat it as a search: try changes of one pin, then of two, and test every need of every pinned version.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS,
    version=3,
)  # fmt: skip
