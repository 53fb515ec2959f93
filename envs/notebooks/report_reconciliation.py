"""Reconcile a report with its source in a Python notebook: find the wrong lines, their right figures, and which slips explain each of them.

A slip is known only by its effect, the figure that the report states. At the higher levels several slips meet in one line, and one set explains it.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.notebooks import judging, tables, world
from rlgym.generators.notebooks.world import LIMITS, TOOLS, Notebook, Step, act, codes, select, show, skipping, tempted
from rlgym.generators.text.english import number_word

SLIPS = {
    "pending": "payments with the status `pending` were counted as well",
    "gross": "the fees were not subtracted",
    "refunds_added": "the cents of refunds were added instead of subtracted",
    "repeated": "payments that were booked several times were counted each time",
    "last_day": "payments of the last day of the month were left out",
    "transit": "payments of the office `transit` in the same month were counted as well",
}
MONTHS = ("2024-01", "2024-03", "2024-05", "2024-07", "2024-08", "2024-10", "2024-12")  # of 31 days
COLUMNS = {"reference": "TEXT", "office": "TEXT", "day": "TEXT", "status": "TEXT", "kind": "TEXT", "cents": "INTEGER", "fee": "INTEGER"}
Payment = tuple[str, str, str, str, str, int, int]


class Knobs(Config):
    payments: int = knob(18, easy=3, hard=30, doc="plain payments for each line of the report")
    lines: int = knob(8, easy=2, hard=14, doc="lines of the report")
    slips: int = knob(4, easy=2, hard=6, doc="kinds of slips that may have been made")
    together: int = knob(1, easy=1, hard=3, doc="slips that may meet in one line")
    cells: int = knob(8, easy=10, hard=6, doc="cells that may be run")
    characters: int = knob(2000, easy=3000, hard=1400, doc="characters of output that are shown in all")


class State(Notebook):
    slips: tuple[str, ...]
    together: int
    wanted: dict[str, dict[str, int | list[str]]]


def start(rng: Rng, knobs: Knobs) -> State:
    slips, together = tuple(SLIPS)[: knobs.slips], min(knobs.together, knobs.slips)
    while True:
        offices, months = rng.sample(tables.CITIES, 4), rng.sample(MONTHS, 4)
        places = rng.sample([(office, month) for office in offices for month in months], knobs.lines)
        payments = [each for month in months for each in _payments(rng, "transit", month, 2, slips)] if "transit" in slips else []
        for office, month in places:
            payments += _payments(rng, office, month, knobs.payments, slips)
        sets = [chosen for size in range(together + 1) for chosen in combinations(slips, size)]
        made = _made_slips(rng, knobs.lines, slips, together)
        figures = [{chosen: _figure(payments, office, month, chosen) for chosen in sets} for office, month in places]
        if all(len(set(each.values())) == len(sets) for each in figures):
            break
    lines = [
        (f"L{number}", office, month, by_set[chosen])
        for number, ((office, month), by_set, chosen) in enumerate(zip(places, figures, made, strict=True), 1)
    ]
    wrong = {
        f"L{number}": {"right": by_set[()], "slips": list(chosen)}
        for number, (by_set, chosen) in enumerate(zip(figures, made), 1)
        if chosen
    }
    files = {
        "ledger.sql": tables.sql_dump("payments", COLUMNS, rng.shuffled(payments)),
        "report.csv": tables.csv_text(("line", "office", "month", "cents"), lines),
    }
    return State(
        task=_task(slips, together), before=world.files(files), most_cells=knobs.cells, characters=knobs.characters,
        slips=slips, together=together, wanted=wrong,
    )  # fmt: skip


def outcome(state: State) -> Score | None:
    return judging.judged_answer(state, state.wanted)


CODE = """
import csv, json, sqlite3
from itertools import combinations
db = sqlite3.connect(':memory:')
db.executescript(open('ledger.sql').read())
def figure(office, month, slips):
    distinct = '' if 'repeated' in slips else 'distinct'
    sign = '1' if 'refunds_added' in slips else "case kind when 'refund' then -1 else 1 end"
    fee = '0' if 'gross' in slips else 'fee'
    states = "('settled', 'pending')" if 'pending' in slips else "('settled')"
    last = f'{month}-30' if 'last_day' in slips else f'{month}-31'
    other = 'transit' if 'transit' in slips else office
    query = f"select {distinct} reference, cents, fee, kind from payments where office in (?, ?) and day between ? and ? and status in {states}"
    return db.execute(f'select sum({sign} * cents - {fee}) from ({query})', (office, other, f'{month}-01', last)).fetchone()[0]
answer = {}
for line in csv.DictReader(open('report.csv')):
    for size in range(<<together>> + 1):
        for slips in combinations(<<slips>>, size):
            if figure(line['office'], line['month'], slips) == int(line['cents']) and slips:
                answer[line['line']] = {'right': figure(line['office'], line['month'], ()), 'slips': slips}
json.dump(answer, open('answer.json', 'w'))
answer
"""


def plan(state: State, without: str = "", together: int = 0) -> list[Step]:
    slips = [slip for slip in state.slips if slip != without]
    why = "Write the figure as a function of the slips, and try the sets of slips until one gives what the report states."
    return [Step(select(CODE, [], slips=slips, together=together or state.together), why)]


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    return {slip: skipping(plan(first, slip)) for slip in first.slips}


def mistakes(state: State) -> list[Calls]:
    # Finds no slip, blames the first one for every line, or looks for one slip less at a time.
    blamed = (
        "import csv, json\nlines = list(csv.DictReader(open('report.csv')))\n"
        f"json.dump({{r['line']: {{'right': int(r['cents']), 'slips': ['{state.slips[0]}']}} for r in lines}}, open('answer.json', 'w'))"
    )
    fewer = [codes(plan(state, together=state.together - 1))] if state.together > 1 else []
    return tempted(state, [["open('answer.json', 'w').write('{}')"], [blamed], *fewer])


def cost(state: State) -> float:
    sets = sum(1 for size in range(state.together + 1) for _ in combinations(state.slips, size))
    return float(sets * state.before["report.csv"].content.count("\n")) + len(state.before["ledger.sql"].content) / 10_000


def _payments(rng: Rng, office: str, month: str, plain: int, slips: Sequence[str]) -> list[Payment]:
    """Payments of an office and a month, with some that each slip is about."""

    def payment(status: str = "settled", kind: str = "sale", day: int = 0) -> Payment:
        number = f"{month[2:4]}{month[5:]}-{rng.integer(10_000, 99_999)}"
        return number, office, f"{month}-{day or rng.integer(1, 30):02}", status, kind, rng.integer(500, 90_000), rng.integer(5, 90)

    found = [payment() for _ in range(plain + rng.integer(0, 2))]
    some = 1 + plain // 10
    if "pending" in slips:
        found += [payment(status="pending") for _ in range(some)] + [payment(status="failed")]
    if "refunds_added" in slips:
        found += [payment(kind="refund") for _ in range(some)]
    if "last_day" in slips:
        found += [payment(day=31) for _ in range(some)]
    if "repeated" in slips:
        found += rng.sample(found, some) + rng.sample(found[:plain], 1)
    return found


def _made_slips(rng: Rng, lines: int, slips: Sequence[str], together: int) -> list[tuple[str, ...]]:
    """The slips of each line: some lines are right, and every kind of slip is made in some line."""
    wrong = lines - max(1, lines // 4)
    while True:
        made = [
            tuple(slip for slip in slips if slip in chosen)
            for chosen in (rng.sample(slips, rng.integer(1, together)) for _ in range(wrong))
        ]
        enough = wrong < len(slips) or {slip for chosen in made for slip in chosen} == set(slips)
        if enough and max(map(len, made)) == together:
            return rng.shuffled([*made, *([()] * (lines - wrong))])


def _figure(payments: Sequence[Payment], office: str, month: str, slips: Sequence[str]) -> int:
    offices = {office, "transit"} if "transit" in slips else {office}
    total, seen = 0, set[str]()
    for reference, place, day, status, kind, cents, fee in payments:
        if place not in offices or not day.startswith(month) or status not in ("settled", "pending"[: 7 * ("pending" in slips)]):
            continue
        if (reference in seen and "repeated" not in slips) or (day.endswith("-31") and "last_day" in slips):
            continue
        seen.add(reference)
        total += (-cents if kind == "refund" and "refunds_added" not in slips else cents) - (0 if "gross" in slips else fee)
    return total


def _task(slips: Sequence[str], together: int) -> str:
    repeated = " A payment that was booked several times, with the same reference, counts once." if "repeated" in slips else ""
    refunds = (
        ", or with minus its cents if its kind is `refund`; in both cases its fee is subtracted"
        if "refunds_added" in slips
        else " minus its fee"
    )
    named = "\n".join(f"- `{slip}`: {SLIPS[slip]}" for slip in slips)
    return (
        "report.csv states a figure in cents for several offices and months. ledger.sql is the dump of its source, an SQLite table `payments`. "
        f"The right figure of a line is the sum over the payments of its office whose day lies in its month and whose status is `settled`.{repeated} "
        f"Each counts with its cents{refunds}.\n\nSome lines are wrong. In each wrong line, "
        f"{'exactly one slip was' if together == 1 else f'one to {number_word(together)} slips were'} made, from this list:\n{named}\n\n"
        f"For every line, one {'explanation' if together == 1 else 'set of slips'} alone fits the figure that the report states.\n\nWrite answer.json, an "
        'object from each wrong line, such as "L2", to an object with the keys `right` (the right figure) and `slips` (the list of the names of the slips '
        "that were made in it). Lines that are right are left out."
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=world.turns, explain=world.explain(plan),
    concept="Compute each figure as it should be, then under each set of slips, and see which one the report shows.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS,
    version=3,
)  # fmt: skip
