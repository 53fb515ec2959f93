"""Reconcile two databases in a shell with SQLite: say what differs by the rules, and write the reconciled one.

The databases come as SQL dumps with later changes, so that only a database engine knows what they hold.
"""

from collections.abc import Callable, Mapping

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.terminal import names, trees, world
from rlgym.generators.terminal.world import CLOCK, LIMITS, TOOLS, Step, Terminal, act, commands, make_policy, shortcuts, show
from rlgym.sandbox.terminal import run_command

FEATURES = ("tolerance", "cancelled", "newer")
REPORT, MERGED = "differences.csv", "merged.db"
READ = f"""python3 - <<'END'
import sqlite3
rows = sqlite3.connect('file:{MERGED}?mode=ro', uri=True).execute('select id, customer, cents, day from payments order by id').fetchall()
print('\\n'.join('|'.join(map(str, row)) for row in rows))
END"""
Row = tuple[str, int, str, bool]  # customer, cents, day, cancelled


class Knobs(Config):
    rows: int = knob(14, easy=5, hard=36, doc="payments")
    differences: int = knob(5, easy=2, hard=12, doc="payments that differ")
    changes: int = knob(4, easy=0, hard=10, doc="updates and deletions in each dump")
    features: int = knob(2, easy=0, hard=3, doc="a tolerance, cancelled payments, and which side counts")


class State(Terminal):
    folder: str
    tolerance: int
    features: tuple[str, ...]
    merged: str


def start(rng: Rng, knobs: Knobs) -> State:
    folder, features, tolerance = f"{rng.choice(names.TOPICS)}/{rng.choice(names.SERVICES)}", FEATURES[: knobs.features], rng.integer(2, 5)
    shop: dict[int, Row] = {number: _row(rng, False) for number in sorted(rng.sample(range(100, 999), knobs.rows))}
    bank = dict(shop)
    for place, number in enumerate(rng.sample(list(shop), min(knobs.differences, knobs.rows - 1))):
        customer, cents, day, _ = shop[number]
        match place % 5:
            case 0:
                bank[number] = (customer, cents + rng.integer(tolerance + 1, 60), _day(rng), False)
            case 1 if "tolerance" in features:
                bank[number] = (customer, cents + rng.integer(1, tolerance), day, False)
            case 2 if "cancelled" in features:
                shop[number] = (customer, cents, day, True)
                bank.pop(number)
            case 3:
                bank.pop(number)
            case _:
                bank[number] = (customer, cents - rng.integer(tolerance + 1, 40), _day(rng), False)
    extra = {number: _row(rng, False) for number in rng.sample(range(1000, 1999), max(1, knobs.differences // 4))}
    bank |= extra
    report, merged = _report_and_merged(shop, bank, tolerance, features)
    files = {
        f"{folder}/shop.sql": _dump(rng.child("shop"), shop, knobs.changes),
        f"{folder}/bank.sql": _dump(rng.child("bank"), bank, knobs.changes),
    }
    before = trees.tree(files)
    return State(
        task=_task(folder, tolerance, features), folder=folder, before=before, files=before, expected={REPORT: trees.entry(report)},
        tolerance=tolerance, features=features, merged=merged,
    )  # fmt: skip


def outcome(state: State) -> Score | None:
    if not state.finished:
        return None
    written = run_command({path: state.files[path] for path in (MERGED,) if path in state.files}, READ, CLOCK)
    files = {path: entry for path, entry in state.files.items() if path != MERGED}
    return trees.score_of_state(
        state.model_copy(update={"files": files}), merged=written.exit_code == 0 and written.stdout.strip() == state.merged
    )


def plan(state: State, without: str = "") -> list[Step]:
    return [
        Step(f"head -n 20 {state.folder}/*.sql; grep -c . {state.folder}/*.sql", "First see what the dumps look like."),
        Step("mkdir -p scratch; for d in shop bank; do python3 -c 'import sqlite3, sys; sqlite3.connect(sys.argv[2]).executescript(open(sys.argv[1]).read())' "
             f"{state.folder}/$d.sql scratch/$d.db; done; ls -l scratch", "Let SQLite run both dumps."),
        Step(f"{_reconcile(state, without)}\ncat {REPORT}", "Compare the two by id, and write what differs and the reconciled table."),
    ]  # fmt: skip


def _reconcile(state: State, without: str) -> str:
    tolerance = state.tolerance if "tolerance" in state.features and without != "tolerance" else 0
    where = " where not cancelled" if "cancelled" in state.features and without != "cancelled" else ""
    side = "max(a, b, key=lambda row: row[3])" if "newer" in state.features and without != "newer" else "a"
    return f"""python3 - <<'END'
import sqlite3
def read(name):
    rows = sqlite3.connect('scratch/' + name + '.db').execute('select id, customer, cents, day from payments{where}')
    return {{row[0]: row for row in rows}}
shop, bank = read('shop'), read('bank')
merged = sqlite3.connect({MERGED!r})
merged.execute('create table payments (id integer primary key, customer text, cents integer, day text)')
lines = []
for number in sorted(set(shop) | set(bank)):
    a, b = shop.get(number), bank.get(number)
    if not a or not b:
        lines.append(f'{{number}},only in {{"shop" if a else "bank"}}')
    elif abs(a[2] - b[2]) > {tolerance}:
        lines.append(f'{{number}},{{a[2] - b[2]}}')
        a = {side}
    merged.execute('insert into payments values (?, ?, ?, ?)', a or b)
merged.commit()
open({REPORT!r}, 'w').write(''.join(line + '\\n' for line in lines))
END"""


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    skipped = {feature: commands(plan(first, feature)) for feature in first.features}
    return {rule: make_policy(wrong) for rule, wrong in {**skipped, "merged": [*commands(plan(first)), f"rm {MERGED}"]}.items()}


def mistakes(state: State) -> list[Calls]:
    # Reads the INSERT lines without the later changes, copies one side, or leaves the table out.
    lines = f"grep -h -o 'VALUES ([0-9]*' {state.folder}/*.sql | sort | uniq -u > {REPORT}; cp {state.folder}/shop.sql {MERGED}"
    changed = commands(plan(state))
    copied = [*changed, f"rm {MERGED}; cp scratch/shop.db {MERGED}; : > {REPORT}"]
    return shortcuts(state, [[lines], copied, [*changed, f"rm {MERGED}"]])


def cost(state: State) -> float:
    return float(sum(entry.content.count("\n") for entry in state.before.values()) * (1 + len(state.features)))


def _day(rng: Rng) -> str:
    return f"2024-{rng.integer(1, 12):02}-{rng.integer(1, 28):02}"


def _row(rng: Rng, cancelled: bool) -> Row:
    return rng.choice(names.PEOPLE), rng.integer(500, 9999), _day(rng), cancelled


def _values(number: int, row: Row) -> str:
    return f"({number}, '{row[0]}', {row[1]}, '{row[2]}', {int(row[3])})"


def _dump(rng: Rng, rows: Mapping[int, Row], changes: int) -> str:
    """A dump that ends with these rows, by way of wrong amounts that are updated and rows that are deleted again."""
    lines = ["CREATE TABLE payments (id INTEGER PRIMARY KEY, customer TEXT, cents INTEGER, day TEXT, cancelled INTEGER);"]
    later = []
    order = rng.shuffled(list(rows))
    for place, number in enumerate(order):
        row = rows[number]
        if place < changes // 2 + changes % 2:
            off = rng.integer(1, 400)
            lines.append(f"INSERT INTO payments VALUES {_values(number, (row[0], row[1] + off, *row[2:]))};")
            later.append(f"UPDATE payments SET cents = cents - {off} WHERE id = {number};")
        else:
            lines.append(f"INSERT INTO payments VALUES {_values(number, row)};")
    for number in rng.sample(range(2000, 2999), changes // 2):
        lines.append(f"INSERT INTO payments VALUES {_values(number, _row(rng, False))};")
        later.append(f"DELETE FROM payments WHERE id = {number};")
    return "".join(f"{line}\n" for line in [*lines, *rng.shuffled(later)])


def _report_and_merged(shop: Mapping[int, Row], bank: Mapping[int, Row], tolerance: int, features: tuple[str, ...]) -> tuple[str, str]:
    shop = {number: row for number, row in shop.items() if "cancelled" not in features or not row[3]}
    report, merged = [], []
    for number in sorted({*shop, *bank}):
        one, other = shop.get(number), bank.get(number)
        chosen = one or other
        if one is None or other is None:
            report.append(f"{number},only in {'bank' if one is None else 'shop'}\n")
        elif abs(one[1] - other[1]) > (tolerance if "tolerance" in features else 0):
            report.append(f"{number},{one[1] - other[1]}\n")
            chosen = other if "newer" in features and other[2] > one[2] else one
        assert chosen is not None
        merged.append(f"{number}|{chosen[0]}|{chosen[1]}|{chosen[2]}")
    return "".join(report), "\n".join(merged)


def _task(folder: str, tolerance: int, features: tuple[str, ...]) -> str:
    small = f" by more than {tolerance}" if "tolerance" in features else ""
    cancelled = (
        " Payments that are marked as cancelled do not count: treat them as if they were not there."
        if "cancelled" in features
        else " Ignore the column cancelled."
    )
    side = "the row whose day is later, and on the same day the row of the shop" if "newer" in features else "the row of the shop"
    return (
        f"The files /work/{folder}/shop.sql and /work/{folder}/bank.sql are SQL dumps of two SQLite databases, each with a table `payments (id, customer, "
        "cents, day, "
        f"cancelled)`. Reconcile the payments that they hold after all statements have run.{cancelled}\n\nWrite to /work/{REPORT} one line for each "
        "difference, in "
        "ascending order of the ids: `ID,only in shop` or `ID,only in bank` for a payment in one database alone, and `ID,DIFFERENCE` for a payment in "
        f"both whose cents differ{small}, where DIFFERENCE is the cents of the shop minus those of the bank. Then make the SQLite database "
        f"/work/{MERGED} with a "
        "table `payments (id, customer, cents, day)` that holds every payment once: a payment of one database as it is there, a payment of both whose "
        f"cents differ{small} as {side}, and any other payment as the row of the shop."
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=world.turns(plan), explain=world.explain(plan),
    concept="Let the database engine run the dumps, read both tables, and compare them by id under the rules.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS,
    version=4,
)  # fmt: skip
