"""Write a shell script that turns CSV files into a report; it is run on the files shown, and on files that nobody has seen.

The hidden files hold what a careful author expects: empty fields, quoted commas, files with a header only, and ties.
"""

from collections.abc import Callable, Mapping

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.terminal import names, trees, world
from rlgym.generators.terminal.world import CLOCK, LIMITS, TOOLS, Step, Terminal, act, commands, make_policy, shortcuts, show
from rlgym.sandbox.terminal import Entry, run_command

MEASURES = ("count", "sum", "largest", "mean")
SCRIPT, HIDDEN = "report.sh", 3
WORDING = {
    "count": "the number of rows",
    "sum": "the sum of {value}",
    "largest": "the largest {value}",
    "mean": "the mean of {value}, rounded down to an integer",
}


class Knobs(Config):
    files: int = knob(2, easy=1, hard=4, doc="CSV files shown")
    rows: int = knob(8, easy=4, hard=14, doc="most rows of a file")
    measures: int = knob(2, easy=1, hard=4, doc="columns of the report")
    traps: int = knob(2, easy=0, hard=4, doc="a filter, empty values, quoted commas, and an order by value")


class State(Terminal):
    columns: tuple[str, ...]
    group: str
    value: str
    measures: tuple[str, ...]
    status: str  # the value that rows must have; empty without a filter
    traps: int
    hidden: tuple[dict[str, Entry], ...]


def start(rng: Rng, knobs: Knobs) -> State:
    group, value = rng.choice(("customer", "city", "vendor", "team")), rng.choice(("amount", "weight", "minutes", "points"))
    columns = tuple(rng.shuffled(["id", group, value, "status", "note"]))
    measures, status = MEASURES[: knobs.measures], rng.choice(("paid", "open", "done")) if knobs.traps else ""
    groups = rng.sample(names.PEOPLE, 5)
    if knobs.traps > 2:
        groups[0], groups[1] = f"{groups[0]}, {groups[2]}", f'{groups[1]} "{groups[3][:2]}"'
    shown = _folder(rng, columns, group, value, groups, knobs, "shown")
    hidden = tuple(_folder(rng.child(n), columns, group, value, groups, knobs, "hidden") for n in range(HIDDEN))
    before = trees.tree({f"data/{name}": text for name, text in shown.items()})
    return State(
        task=_task(columns, group, value, measures, status, knobs.traps), before=before, files=before,
        columns=columns, group=group, value=value, measures=measures, status=status, traps=knobs.traps,
        hidden=tuple(trees.tree({f"in/{name}": text for name, text in files.items()}) for files in hidden),
    )  # fmt: skip


def outcome(state: State) -> Score | None:
    if not state.finished:
        return None
    script = {path: entry for path, entry in state.files.items() if path == SCRIPT}
    checks = {"script": SCRIPT in script}
    folders = [
        {f"in/{path.removeprefix('data/')}": entry for path, entry in state.before.items() if path.startswith("data/")},
        *state.hidden,
    ]
    for number, folder in enumerate(folders):
        report = run_command({**trees.tree(folder), **script}, f"bash {SCRIPT} in", CLOCK).stdout if script else ""
        checks["shown" if not number else f"hidden_{number}"] = bool(script) and report.rstrip("\n") == _report(state, folder)
    files = {path: entry for path, entry in state.files.items() if path != SCRIPT}
    return trees.score_of_state(state.model_copy(update={"files": files}), **checks)


def plan(state: State, without: str = "") -> list[Step]:
    return [
        Step("ls data; head -n 5 data/*", "First see the files."),
        Step(
            f"cat > {SCRIPT} <<'END'\n{_script(state, without)}\nEND", "A CSV reader copes with quotes; the rest follows the description."
        ),
        Step(f"bash {SCRIPT} data", "A run on the files shown tells whether the script works."),
    ]


def _script(state: State, without: str = "") -> str:
    tests = [
        *([f"row['status'] == {state.status!r}"] if state.status and without != "filter" else []),
        *(["row[VALUE]"] if state.traps > 1 and without != "empty" else []),
    ]
    measures = {"count": "len(v)", "sum": "sum(v)", "largest": "max(v)", "mean": "sum(v) // len(v)"}
    order = (
        f"key=lambda kv: (-{measures[state.measures[-1]].replace('v', 'kv[1]')}, kv[0])" if state.traps > 3 and without != "order" else ""
    )
    return f"""python3 - "$1" <<'PY'
import csv, glob, sys
VALUE = {state.value!r}
groups = {{}}
for path in sorted(glob.glob(sys.argv[1] + '/*.csv')):
    for row in csv.DictReader(open(path, newline='')):
        if {" and ".join(tests) or "True"}:
            groups.setdefault(row[{state.group!r}], []).append(int(row[VALUE] or 0))
for name, v in sorted(groups.items(){", " * bool(order)}{order}):
    print('\\t'.join(map(str, [name, {", ".join(measures[measure] for measure in state.measures)}])))
PY"""


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    return {rule: make_policy(commands(plan(first, rule))) for rule in ("filter", "empty", "", "order")[: first.traps] if rule}


def mistakes(state: State) -> list[Calls]:
    # Writes the report of the files shown into the script, splits at commas, or reads the first file alone.
    fixed = [
        f"cat > {SCRIPT} <<'END'\ncat <<'X'\n{_report(state, {'in' + path[4:]: entry for path, entry in state.before.items()})}\nX\nEND"
    ]
    field = state.columns.index(state.group) + 1
    split = [f"echo 'cat $1/*.csv | grep -v ^id | cut -d , -f {field} | sort | uniq -c' > {SCRIPT}"]
    first = [commands(plan(state))[1].replace("sorted(glob.glob(sys.argv[1] + '/*.csv'))", "sorted(glob.glob(sys.argv[1] + '/*.csv'))[:1]")]
    return shortcuts(state, [fixed, split, first])


def cost(state: State) -> float:
    return float(sum(entry.content.count("\n") for entry in state.before.values()) * (len(state.measures) + state.traps))


def _folder(rng: Rng, columns: tuple[str, ...], group: str, value: str, groups: list[str], knobs: Knobs, kind: str) -> dict[str, str]:
    """CSV files by name. Hidden folders always hold two files or more, and what the rules are about."""
    files = {}
    count = knobs.files if kind == "shown" else rng.integer(2, 4)
    for number, stem in enumerate(rng.sample(names.WORDS, count)):
        rows = []
        for place in range(0 if number == 3 else rng.integer(3, knobs.rows)):
            empty = knobs.traps > 1 and (rng.chance(0.2) or (kind == "hidden" and place == 1))
            row = {
                "id": str(rng.integer(1000, 9999)),
                group: rng.choice(groups),
                value: "" if empty else str(rng.integer(1, 300)),
                "status": rng.choice(("paid", "open", "done")) if knobs.traps else "paid",
                "note": rng.choice(names.WORDS),
            }
            rows.append(",".join(_quote_field(row[column]) for column in columns))
        files[f"{stem}.csv"] = "".join(f"{line}\n" for line in [",".join(columns), *rows])
    return files


def _quote_field(text: str) -> str:
    doubled = text.replace('"', '""')
    return f'"{doubled}"' if "," in text or '"' in text else text


def _cells(line: str) -> list[str]:
    """The fields of a line of CSV."""
    cells, at, quoted = [""], 0, False
    while at < len(line):
        sign = line[at]
        if sign == '"':
            if quoted and line[at + 1 : at + 2] == '"':
                cells[-1] += '"'
                at += 1
            else:
                quoted = not quoted
        elif sign == "," and not quoted:
            cells.append("")
        else:
            cells[-1] += sign
        at += 1
    return cells


def _report(state: State, folder: Mapping[str, Entry]) -> str:
    found: dict[str, list[int]] = {}
    for path in sorted(path for path in folder if path.endswith(".csv")):
        for line in trees.text(folder, path).splitlines()[1:]:
            row = dict(zip(state.columns, _cells(line), strict=True))
            if (not state.status or row["status"] == state.status) and row[state.value]:
                found.setdefault(row[state.group], []).append(int(row[state.value]))
    rows = []
    for name in sorted(found):
        values = found[name]
        measured = {"count": len(values), "sum": sum(values), "largest": max(values), "mean": sum(values) // len(values)}
        rows.append((name, [measured[measure] for measure in state.measures]))
    if state.traps > 3:
        rows.sort(key=lambda row: -row[1][-1])
    return "\n".join("\t".join(map(str, [name, *numbers])) for name, numbers in rows)


def _task(columns: tuple[str, ...], group: str, value: str, measures: tuple[str, ...], status: str, traps: int) -> str:
    tests = [*([f"whose status is `{status}`"] if status else []), *([f"whose {value} is not empty"] if traps > 1 else [])]
    quoted = (
        " A field that holds a comma or a quotation mark is quoted as usual in CSV, with its quotation marks doubled." if traps > 2 else ""
    )
    order = (
        f"in descending order of the last column, and by {group} in the order of the bytes where that is equal"
        if traps > 3
        else f"by {group} in the order of the bytes"
    )
    listed = "; ".join(WORDING[measure].format(value=value) for measure in measures)
    return (
        f"Write the script /work/{SCRIPT}. `bash {SCRIPT} FOLDER` reads all files of FOLDER whose names end in .csv and prints a report. Each file "
        "begins with the "
        f"header `{','.join(columns)}` and may have no rows; {value} is a positive integer{', or empty' if traps > 1 else ''}.{quoted}\n\nThe report "
        "covers all rows of all files"
        f"{' ' + ' and '.join(tests) if tests else ''}. It has one line for each {group} that has such a row, {order}. The fields of a line are "
        f"separated by tabs: the {group}, then, over those of its rows that the report covers, "
        f"{listed}. The folder /work/data holds examples; the script is tested on other folders as well, without the other files of /work. "
        "It may use Python."
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=world.turns(plan), explain=world.explain(plan),
    concept="Read CSV with a CSV reader, filter first, group, and think of files that look different from the examples.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS,
    version=4,
)  # fmt: skip
