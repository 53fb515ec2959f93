"""Reproduce a crash in a shell and reduce its input until every line that is left is needed.

The program is there to be run and read; a crash needs several lines in the right order, and other lines undo them.
"""

from collections.abc import Callable, Mapping, Sequence

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.terminal import names, trees, world
from rlgym.generators.terminal.world import LIMITS, TOOLS, Step, Terminal, act, commands, make_policy, shortcuts, show

INPUT, OUTPUT, NOTE = "crash.txt", "min.txt", "error.txt"


class Knobs(Config):
    lines: int = knob(16, easy=5, hard=40, doc="lines of the input")
    needed: int = knob(3, easy=1, hard=5, doc="lines that the crash needs")
    faults: int = knob(2, easy=1, hard=3, doc="faults of the program, of which the input shows the first in the list")
    resets: int = knob(1, easy=0, hard=2, doc="kinds of lines that undo what came before them")


class State(Terminal):
    program: str
    faults: tuple[tuple[str, tuple[str, ...]], ...]  # error, the lines that cause it in this order
    resets: tuple[str, ...]


def start(rng: Rng, knobs: Knobs) -> State:
    program = f"{rng.choice(names.SERVICES)}/{rng.choice(names.PEOPLE)}.py"
    verbs, things = rng.sample(names.WORDS, 12), rng.sample(names.TOPICS, 12)
    lines = [f"{verb} {thing}" for verb, thing in zip(verbs, things, strict=True)]
    resets = tuple(f"reset {word}" for word in rng.sample(names.PEOPLE, knobs.resets))
    faults = tuple((f"E{rng.integer(100, 999)}{number}", tuple(rng.sample(lines, knobs.needed))) for number in range(knobs.faults))
    text = _input(rng, faults, resets, lines, knobs.lines)
    table = "".join(f"    ({error!r}, {list(needed)!r}),\n" for error, needed in faults)
    before = trees.tree({program: PROGRAM_TEXT.format(table=table, resets=sorted(resets)), INPUT: "".join(f"{line}\n" for line in text)})
    return State(
        task=_task(program), program=program, before=before, files=before, faults=faults, resets=resets,
    )  # fmt: skip


def outcome(state: State) -> Score | None:
    if not state.finished:
        return None
    given, mine = trees.text(state.before, INPUT).splitlines(), trees.text(state.files, OUTPUT).splitlines()
    error = _error(state, given)
    checks = {
        "crashes": _error(state, mine) == error,
        "from_input": _is_part(mine, given),
        "minimal": all(_error(state, [*mine[:at], *mine[at + 1 :]]) != error for at in range(len(mine))),
        "error": trees.text(state.files, NOTE).strip() == error,
    }
    files = {path: entry for path, entry in state.files.items() if path not in (OUTPUT, NOTE)}
    return trees.score_of_state(state.model_copy(update={"files": files}), **checks)


def plan(state: State, without: str = "") -> list[Step]:
    note = f"python3 {state.program} {INPUT} 2>&1 | grep -o 'E[0-9]*' > {NOTE}"
    look = f"cat {state.program}; python3 {state.program} {INPUT}; cat {INPUT}; {note}"
    steps = [
        Step(look, "First reproduce the crash, read the program, and note the error."),
        Step(
            _reduce(state.program, without), "Leave out lines one after the other, as long as the same error remains, until no line can go."
        ),
    ]
    return [*steps, Step(f"cat {OUTPUT}; python3 {state.program} {OUTPUT}", "The reduced input still causes the error.")]


def _reduce(program: str, without: str) -> str:
    folder, _, module = program.removesuffix(".py").partition("/")
    same = "error(lines[:i] + lines[i + 1:]) == wanted" if without != "same_error" else "error(lines[:i] + lines[i + 1:])"
    goes_on = (
        "while shorter(): pass"
        if without != "minimal"
        else "lines = lines[: len(lines) // 2] if error(lines[: len(lines) // 2]) == wanted else lines"
    )
    order = "" if without != "order" else "lines.sort()\n"
    return f"""cat > /tmp/reduce.py <<'END'
import sys
sys.path.insert(0, {folder!r})
from {module} import error
lines = open({INPUT!r}).read().splitlines()
wanted = error(lines)
def shorter():
    for i in reversed(range(len(lines))):
        if {same}:
            del lines[i]
            return True
{goes_on}
{order}open({OUTPUT!r}, 'w').write(''.join(line + '\\n' for line in lines))
END
python3 /tmp/reduce.py"""


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    found = ["minimal", *(["order"] if len(first.faults[0][1]) > 2 else [])]
    return {rule: make_policy(commands(plan(first, rule))) for rule in found}


def mistakes(state: State) -> list[Calls]:
    # Copies the input, changes the program so that anything crashes, or takes the lines of the last fault.
    copied = f"cp {INPUT} {OUTPUT}; echo {state.faults[-1][0]} > {NOTE}"
    changed = f"sed -i 's/return None/return \"E1\"/' {state.program}; head -n 1 {INPUT} > {OUTPUT}; echo E1 > {NOTE}"
    return shortcuts(state, [[copied], [changed], commands(plan(state, "minimal"))])


def cost(state: State) -> float:
    return float(len(trees.text(state.before, INPUT).splitlines()) * (len(state.faults[0][1]) + len(state.faults) + len(state.resets)))


PROGRAM_TEXT = """\
import sys

FAULTS = [
{table}]
RESETS = {resets}


def error(lines):
    seen = {{}}
    for line in lines:
        if line in RESETS:
            seen = {{}}
            continue
        for name, needed in FAULTS:
            place = seen.get(name, 0)
            if needed[place] == line:
                seen[name] = place + 1
                if place + 1 == len(needed):
                    return name
    return None


if __name__ == '__main__':
    found = error(open(sys.argv[1]).read().splitlines())
    if found:
        sys.exit('crashed with ' + found)
    print('ok')
"""


def _error(state: State, lines: Sequence[str]) -> str:
    """The first error that lines cause: of all ends of a fault's lines after the last reset, the earliest."""
    begin, ends = 0, list[tuple[int, int, str]]()
    blocks = list[tuple[int, list[str]]]()
    for at, line in enumerate([*lines, None]):
        if line is None or line in state.resets:
            blocks.append((begin, list(lines[begin:at])))
            begin = at + 1
    for first, block in blocks:
        for number, (name, needed) in enumerate(state.faults):
            place = 0
            for offset, line in enumerate(block):
                place += place < len(needed) and needed[place] == line
                if place == len(needed):
                    ends.append((first + offset, number, name))
                    break
    return min(ends)[2] if ends else ""


def _is_part(mine: Sequence[str], given: Sequence[str]) -> bool:
    """Whether lines are some of the given ones in the same order."""
    rest = iter(given)
    return all(any(line == other for other in rest) for line in mine)


def _input(rng: Rng, faults: Sequence[tuple[str, tuple[str, ...]]], resets: Sequence[str], lines: Sequence[str], count: int) -> list[str]:
    """An input that ends with the first fault, and in which its lines occur before a reset as well."""
    needed = faults[0][1]
    while True:
        noise = [rng.choice(lines) for _ in range(max(1, count - len(needed)))]
        places = sorted(rng.sample(range(len(noise) // 2, len(noise) + len(needed) - 1), len(needed) - 1)) if len(needed) > 1 else []
        text = list(noise)
        for place, line in zip(places, needed, strict=False):
            text.insert(place, line)
        for word in resets:
            text.insert(rng.integer(1, max(1, len(text) // 2)), word)
        text.append(needed[-1])
        if _first_error(faults, resets, text) == faults[0][0] and _first_error(faults, resets, text[:-1]) is None:
            return text
        count = max(count - 1, len(needed) + 1)


def _first_error(faults: Sequence[tuple[str, tuple[str, ...]]], resets: Sequence[str], lines: Sequence[str]) -> str | None:
    """What the program answers."""
    seen: dict[str, int] = {}
    for line in lines:
        if line in resets:
            seen = {}
            continue
        for name, needed in faults:
            if needed[seen.get(name, 0)] == line:
                seen[name] = seen.get(name, 0) + 1
                if seen[name] == len(needed):
                    return name
    return None


def _task(program: str) -> str:
    return (
        f"The program /work/{program} crashes on the input /work/{INPUT}: run `python3 {program} {INPUT}`. Reduce the input. Write to /work/{OUTPUT} some "
        f"of the lines of {INPUT}, unchanged and in the same order, so that the program crashes on it with the same error, and so that without any "
        f"one of its lines it would not crash with that error. Any such file will do. Write the name of the error, such as E1234, to /work/{NOTE}."
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=lambda state: 20 + len(state.faults[0][1]), explain=world.explain(plan),
    concept="Reproduce the crash first, then leave lines out one at a time and keep each cut after which the same error remains.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS,
    version=3,
)  # fmt: skip
