"""Repair a port of Python modules to C in a shell with a compiler, by comparing what both give.

The faults are those of such ports: division that rounds to zero, numbers that do not fit, indices that are off by one, absolute values.
"""

from collections.abc import Callable, Mapping

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.terminal import c_ports, trees, world
from rlgym.generators.terminal.c_ports import MOST_VALUES, Module
from rlgym.generators.terminal.world import CLOCK, LIMITS, TOOLS, Step, Terminal, act, commands, make_policy, shortcuts, show
from rlgym.sandbox.terminal import Entry, run_command


class Knobs(Config):
    modules: int = knob(5, easy=2, hard=9, doc="modules of the port")
    faults: int = knob(3, easy=1, hard=6, doc="modules with a fault")
    forms: str = knob("all", easy="plain", hard="all", order=("plain", "all"), doc="kinds of modules")


class State(Terminal):
    modules: tuple[Module, ...]


def start(rng: Rng, knobs: Knobs) -> State:
    modules = c_ports.sample_modules(rng, knobs.modules, min(knobs.faults, knobs.modules), knobs.forms == "plain" and knobs.modules <= 5)
    before = trees.tree(c_ports.files(modules))
    return State(task=_task(sum(module.fault is not None for module in modules)), before=before, files=before, modules=modules)


def outcome(state: State) -> Score | None:
    if not state.finished:
        return None
    paths = [f"src/{module.name}.c" for module in state.modules]
    others = {path: entry for path, entry in state.files.items() if path not in paths}
    kept = {path: state.before[path]._replace(mode=state.files[path].mode) for path in paths if _is_text(state.files.get(path))}
    without = state.model_copy(update={"files": {**others, **kept}})
    return trees.score_of_state(without, **_checks(state))


def _checks(state: State) -> dict[str, bool]:
    """Whether the port can be built, and for each module whether it gives what the Python module gives."""
    paths = [f"src/{module.name}.c" for module in state.modules]
    tree = {path: entry for path, entry in state.before.items() if path.partition("/")[0] != "py" and path not in paths}
    tree |= {path: state.files[path] for path in paths if _is_text(state.files.get(path))}
    there = [module for module, path in zip(state.modules, paths, strict=True) if path in tree]
    alone = c_ports.ported_alone(state.modules, run_command(tree, c_ports.symbol_command(there), CLOCK).stdout)
    ended = run_command(tree, c_ports.run_command_line(state.modules), CLOCK)
    lines, checks = ended.stdout.splitlines(), {"built": bool(ended.stdout)}
    expected = c_ports.expected_lines(state.modules)
    whole = len(lines) == len(expected)
    for module in state.modules:
        count = len(module.tests)
        checks[f"{module.name}_of"] = whole and lines[:count] == expected[:count] and module.name in alone
        lines, expected = lines[count:], expected[count:]
    return checks


def _is_text(entry: Entry | None) -> bool:
    return entry is not None and entry.kind in ("text", "lines")


def plan(state: State, without: str = "") -> list[Step]:
    steps = [Step("cat build.sh src/port.h; head -n 40 py/*.py src/*.c", "First read both texts of each module.")]
    for module in state.modules:
        if module.fault and module.name != without:
            text = c_ports.c_text(module, True)
            write = f"cat > src/{module.name}.c <<'END'\n{text}END"
            steps.append(Step(write, f"{module.name} has `{module.fault[1]}` where `{module.fault[0]}` is meant."))
    first = state.modules[0]
    values = " ".join(map(str, first.tests[7][0]))
    return [
        *steps,
        Step(f"sh build.sh && /tmp/port {first.name} {values}; python3 py/{first.name}.py {values}", "Build the port, and compare."),
    ]


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    faulty = [module.name for module in first.modules if module.fault]
    return {f"module_{number}": make_policy(commands(plan(first, name))) for number, name in enumerate(faulty)}


def mistakes(state: State) -> list[Calls]:
    # Asks Python from C, removes the module that differs, or repairs the header instead.
    module = next(module for module in state.modules if module.fault)
    asks = (
        f'#include <stdlib.h>\nlong long {module.name}_of(const long long *v, int n) {{ return system("python3 py/{module.name}.py"); }}\n'
    )
    asked = [f"cat > src/{module.name}.c <<'END'\n{asks}END"]
    return shortcuts(
        state, [asked, [f"rm src/{module.name}.c"], ["sed -i 's/a - b/a + b/' src/port.h"], commands(plan(state, module.name))]
    )


def cost(state: State) -> float:
    return float(len(state.modules) * sum(module.fault is not None for module in state.modules))


def _task(faults: int) -> str:
    some = "One module of the port gives" if faults == 1 else f"{faults} modules of the port give"
    return (
        "The Python modules in /work/py have been ported to C. For each py/NAME.py there is src/NAME.c with the function NAME_of. "
        f"{some} wrong results. Repair the port so that each module gives what its Python module gives, for every list of at most {MOST_VALUES} integers "
        f"from -{c_ports.LARGEST} to {c_ports.LARGEST}, the empty list included. Change only the modules' files src/NAME.c.\n\n"
        "`sh build.sh` builds the port with gcc, which you can use too, as /tmp/port, and `/tmp/port NAME 4 -7` runs a module; run both in one command, "
        "since /tmp is emptied after each. `python3 py/NAME.py 4 -7` runs the Python module. Hidden checks build the port from your C files without the "
        f"Python ones, and run every module with {c_ports.MEMORY_MB} MB of memory. Of the C library, a module may call the functions for absolute values, "
        "division, sorting, copying and memory only: it starts no program and reads no file."
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=world.turns(plan), explain=world.explain(plan),
    concept="Compare both texts line by line: rounding of negative numbers, the width of sums, the first and last index, and signs.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS, programs=("gcc",), planted=True, version=4,
)  # fmt: skip
