"""Predict hidden rows from training rows in which a column leaks the target, in a Python notebook.

The leaking columns look like the best ones, and mean nothing in the rows to predict. Leaving out the best honest column as well fails too. Judged by the
error on the hidden values alone.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.notebooks import judging, regression, tables, world
from rlgym.generators.notebooks.world import LIMITS, TOOLS, Notebook, Step, act, codes, select, show, skipping, tempted
from rlgym.generators.text.english import count_noun

FILE = "predictions.csv"
KINDS = ("north", "south", "west")
NOISE, ROOM = 4.0, 1.2  # the spread of what cannot be predicted, and how much more the error may be than that of the right model


class Knobs(Config):
    rows: int = knob(140, easy=24, hard=260, doc="rows with the target")
    columns: int = knob(4, easy=2, hard=6, doc="columns on which the target depends")
    shapes: int = knob(1, easy=0, hard=2, doc="terms that are no multiple of a number: kinds, and a square")
    leaks: int = knob(1, easy=1, hard=2, doc="columns that leak the target")
    cells: int = knob(8, easy=8, hard=7, doc="cells that may be run")
    characters: int = knob(1800, easy=3000, hard=1600, doc="characters of output that are shown in all")


class Table(NamedTuple):
    """The numbers of each row, its kind, and its target."""

    numbers: list[list[float]]
    kinds: list[str]
    targets: list[float]


class State(Notebook):
    names: list[str]
    leaking: list[int]
    documented: bool
    rules: tuple[str, ...]
    wanted: dict[str, float]
    bar: float


def start(rng: Rng, knobs: Knobs) -> State:
    rules = ("leaks", "kinds", "square")[: 1 + knobs.shapes]
    documented, hidden = knobs.columns < 4, max(12, knobs.rows // 3)
    while True:
        width = knobs.columns + knobs.leaks
        leaking = sorted(rng.sample(range(width), knobs.leaks))
        train, test = _sample(rng, knobs.rows, hidden, width, leaking, rules)
        best = _error(train, test, leaking, rules)
        honest = [place for place in range(width) if place not in leaking]
        strongest = max(honest, key=lambda i: abs(regression.correlation([row[i] for row in train.numbers], train.targets)))
        bar = math.ceil(best * ROOM * 10) / 10
        others = [_error(train, test, [] if rule == "leaks" else leaking, [each for each in rules if each != rule]) for rule in rules]
        others += [_error(train, test, [*leaking, strongest], rules)]
        others += [_error(train, test, [place for place in leaking if place != one], rules) for one in leaking]
        found = regression.changed_columns(train.numbers, test.numbers, knobs.leaks)
        if best < 1.3 * NOISE and all(other > 1.25 * bar for other in others) and (documented or found == leaking):
            break
    names = rng.sample(tables.TEAMS, width)
    jobs = rng.shuffled(list(range(1000, 1000 + knobs.rows + hidden)))
    files: dict[str, str | bytes] = {
        "train.csv": _text(names, jobs[: knobs.rows], train, rules, True), "test.csv": _text(names, jobs[knobs.rows :], test, rules, False),
    }  # fmt: skip
    if documented:
        when = [f"{name}: filled in when the job is {'finished' if place in leaking else 'taken on'}\n" for place, name in enumerate(names)]
        files["columns.txt"] = "".join(when)
    return State(
        task=_task(rules, documented, knobs.leaks, bar), before=world.files(files), most_cells=knobs.cells, characters=knobs.characters,
        names=names, leaking=leaking, documented=documented, rules=rules, bar=bar,
        wanted={str(job): target for job, target in zip(jobs[knobs.rows :], test.targets, strict=True)},
    )  # fmt: skip


def _sample(rng: Rng, rows: int, hidden: int, width: int, leaking: Sequence[int], rules: Sequence[str]) -> tuple[Table, Table]:
    """The rows with the target and those without; what leaks in the former is exchanged between rows in the latter."""
    weights = [rng.choice((-1, 1)) * (rng.real(5, 8) if place else 12.0) for place in range(width)]
    honest = rng.shuffled([place for place in range(width) if place not in leaking])
    strength, curved = dict(zip(honest, weights)), honest[-1]
    shifts = dict(zip(KINDS, rng.shuffled([-14.0, 0.0, 14.0])))
    numbers, kinds, targets = list[list[float]](), list[str](), list[float]()
    for _ in range(rows + hidden):
        row = [round(50 + 10 * tables.noise(rng), 1) for _ in range(width)]
        kind = rng.choice(KINDS)
        target = 200 + sum(strength[place] * (row[place] - 50) / 10 for place in honest) + NOISE * tables.noise(rng)
        target += shifts[kind] if "kinds" in rules else 0.0
        target += 8 * ((row[curved] - 50) / 10) ** 2 if "square" in rules else 0.0
        numbers.append(row)
        kinds.append(kind)
        targets.append(round(target, 1))
    for place in leaking:
        leaked = [round(30 + target / 10 + 0.15 * tables.noise(rng), 1) for target in targets]
        leaked = leaked[:rows] + rng.shuffled(leaked[rows:])
        for row, value in zip(numbers, leaked, strict=True):
            row[place] = value
    return Table(numbers[:rows], kinds[:rows], targets[:rows]), Table(numbers[rows:], kinds[rows:], targets[rows:])


def _terms(table: Table, left_out: Sequence[int], rules: Sequence[str]) -> list[list[float]]:
    """The terms of the model for each row."""
    rows = []
    for row, kind in zip(table.numbers, table.kinds, strict=True):
        kept = [(value - 50) / 10 for place, value in enumerate(row) if place not in left_out]
        squares = [value * value for value in kept] if "square" in rules else []
        rows.append([1.0, *kept, *squares, *([float(kind == name) for name in KINDS[1:]] if "kinds" in rules else [])])
    return rows


def _error(train: Table, test: Table, left_out: Sequence[int], rules: Sequence[str]) -> float:
    """The error on the hidden rows of the model that leaves out these columns."""
    fitted = regression.least_squares(_terms(train, left_out, rules), train.targets)
    return (
        math.inf
        if fitted is None
        else regression.root_mean_squared_error(regression.predict(_terms(test, left_out, rules), fitted), test.targets)
    )


def outcome(state: State) -> Score | None:
    if not state.finished:
        return None
    rows = judging.written_rows(state, FILE)
    if not rows or rows[0] != ["job", "minutes"]:
        return Score.wrong(f"there is no {FILE} with the header that the task names", readable=0.0, accuracy=0.0)
    given = {row[0]: _number(row[1]) for row in rows[1:] if len(row) == 2}
    if len(rows) - 1 != len(given) or given.keys() != state.wanted.keys() or not all(map(math.isfinite, given.values())):
        return Score.wrong(f"{FILE} does not hold a number for every job of test.csv, once each", readable=0.0, accuracy=0.0)
    error = regression.root_mean_squared_error([given[job] for job in state.wanted], list(state.wanted.values()))
    return Score.exact(error <= state.bar, "the error is above the bar", readable=1.0, accuracy=min(1.0, state.bar / max(error, state.bar)))


def _number(text: str) -> float:
    try:
        return max(-1e9, min(1e9, float(text)))
    except ValueError:
        return math.nan


CODE = """
import csv, statistics
train, test = (list(csv.DictReader(open(name))) for name in ('train.csv', 'test.csv'))
names = [name for name in test[0] if name not in ('job', 'kind')]
def correlations(rows, one):
    return [statistics.correlation([float(r[one]) for r in rows], [float(r[n]) for r in rows]) for n in names if n != one]
shift = {n: sum((a - b) ** 2 for a, b in zip(correlations(train, n), correlations(test, n))) for n in names}
leaks = []
leaks = sorted(names, key=shift.get)[-<<count>>:]  #[data]
leaks = [line.split(':')[0] for line in open('columns.txt') if 'finished' in line]  #[columns]
leaks = []  #[!leaks]
leaks += [max(set(names) - set(leaks), key=lambda n: abs(statistics.correlation([float(r[n]) for r in train], [float(r['minutes']) for r in train])))]  #[bold]
def terms(row):
    kept = [float(row[n]) / 10 - 5 for n in names if n not in leaks]
    found = [1.0] + kept
    found += [value * value for value in kept]  #[square]
    found += [float(row['kind'] == kind) for kind in ('south', 'west')]  #[kinds]
    return found
rows, wanted = [terms(r) for r in train], [float(r['minutes']) for r in train]
size = len(rows[0])
m = [[sum(r[i] * r[j] for r in rows) for j in range(size)] + [sum(r[i] * y for r, y in zip(rows, wanted))] for i in range(size)]
for i in range(size):
    p = max(range(i, size), key=lambda k: abs(m[k][i]))
    m[i], m[p] = m[p], m[i]
    for k in range(size):
        if k != i:
            f = m[k][i] / m[i][i]
            m[k] = [a - f * b for a, b in zip(m[k], m[i])]
fitted = [m[i][size] / m[i][i] for i in range(size)]
with open('predictions.csv', 'w') as file:
    print('job,minutes', file=file)
    for row in test:
        print(row['job'], round(sum(a * b for a, b in zip(terms(row), fitted)), 3), sep=',', file=file)
leaks
"""


def plan(state: State, without: str = "", bold: str = "") -> list[Step]:
    why = "Find the columns whose relation to the others is not the same in both files, leave them out, and fit the rest by least squares."
    followed = [rule for rule in state.rules if rule != without] + ["columns" if state.documented else "data", bold]
    return [Step(select(CODE, followed, count=len(state.leaking)), why)]


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    return {rule: skipping(plan(first, rule)) for rule in first.rules}


def mistakes(state: State) -> list[Calls]:
    """Players who also leave out the best honest column, or who predict the mean."""
    mean = (
        "import csv, statistics\nm = statistics.mean(float(r['minutes']) for r in csv.DictReader(open('train.csv')))\n"
        "print('job,minutes', *(f\"{r['job']},{m}\" for r in csv.DictReader(open('test.csv'))), sep='\\n', file=open('predictions.csv', 'w'))"
    )
    return tempted(state, [codes(plan(state, bold="bold")), [mean]])


def cost(state: State) -> float:
    return sum(len(entry.content) for entry in state.before.values()) * (len(state.names) + len(state.rules)) / 1000


def _text(names: Sequence[str], jobs: Sequence[int], table: Table, rules: Sequence[str], known: bool) -> str:
    columns = ("job", *names, *(("kind",) if "kinds" in rules else ()), *(("minutes",) if known else ()))
    rows = [
        (job, *row, *((kind,) if "kinds" in rules else ()), *((target,) if known else ()))
        for job, row, kind, target in zip(jobs, table.numbers, table.kinds, table.targets, strict=True)
    ]
    return tables.csv_text(columns, rows)


def _task(rules: Sequence[str], documented: bool, leaks: int, bar: float) -> str:
    terms = ", plus a multiple of each number that matters"
    terms += ", plus a constant for each kind" if "kinds" in rules else ""
    terms += ", plus, for one column, a multiple of its square" if "square" in rules else ""
    known = (
        "columns.txt says when each column is filled in; what is filled in when a job is finished has no meaning in test.csv"
        if documented
        else f"{count_noun(leaks, 'column').capitalize()} of train.csv {'was' if leaks == 1 else 'were'} filled in when the minutes were already known, and "
        f"{'has' if leaks == 1 else 'have'} no meaning in test.csv; every other column is of the same kind in both files"
    )
    return (
        "train.csv holds finished jobs with the minutes that they took, test.csv jobs that were just taken on. Predict the minutes of each job in test.csv. "
        f"Columns have code names. {known}.\n\nThe minutes are about a constant{terms}; the rest is noise.\n\nWrite {FILE} with the "
        "header job,minutes and one row for each job of test.csv. It is right if the root mean squared error of the minutes is at most "
        f"{bar}."
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=world.turns, explain=world.explain(plan),
    concept="A column that knows the target in one file and nothing in the other relates to the other columns differently in the two files.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS,
    version=3,
)  # fmt: skip
