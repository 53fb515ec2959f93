"""Join sales with customers whose records change over time, in a Python notebook: keys, time zones, corrections and merged accounts disagree.

Each sale counts for the segment that its customer had at that moment, and the moments are written in local times.
"""

from collections.abc import Callable, Mapping, Sequence

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.notebooks import judging, tables, world
from rlgym.generators.notebooks.world import LIMITS, TOOLS, Notebook, Step, act, codes, select, show, skipping, tempted

RULES = ("keys", "history", "zones", "corrections", "merged", "cancelled")
SEGMENTS = ("basic", "business", "partner", "premium")
Version = tuple[int, int, str, int]  # customer, minute from which it holds, segment, day on which it was recorded
Sale = tuple[int, int, int, str]  # customer, minute, cents, store
Merged = Mapping[int, int]  # from old accounts to customers


class Knobs(Config):
    sales: int = knob(120, easy=8, hard=420, doc="sales")
    customers: int = knob(24, easy=4, hard=50, doc="customers")
    rules: int = knob(3, easy=1, hard=6, doc="ways in which the sources disagree, plain ones first")
    cells: int = knob(8, easy=10, hard=6, doc="cells that may be run")
    characters: int = knob(2000, easy=3000, hard=1400, doc="characters of output that are shown in all")


class State(Notebook):
    rules: tuple[str, ...]
    wanted: dict[str, int]


def start(rng: Rng, knobs: Knobs) -> State:
    rules = RULES[: knobs.rules]
    while True:
        customers = rng.sample(range(101, 999), knobs.customers)
        offsets = {store: rng.choice((-480, -300, -210, 120, 330, 540)) for store in rng.sample(tables.CITIES, 3)}
        versions = [version for customer in customers for version in _history(rng, customer, rules)]
        merged = _merged(rng, customers) if "merged" in rules else {}
        sales = _sales(rng, knobs.sales, customers, versions, offsets, merged, rules)
        reversed_sales = set(rng.sample(range(len(sales)), len(sales) // 12 + 1)) if "cancelled" in rules else set[int]()
        wanted = _totals(sales, versions, offsets, merged, reversed_sales, rules)
        others = [
            _totals(sales, versions, offsets, merged, reversed_sales, [r for r in rules if r != rule]) for rule in rules if rule != "keys"
        ]
        if all(other != wanted for other in others) and len(wanted) > 1:
            break
    return State(
        task=_task(rules, offsets), before=world.files(_files(rng, sales, versions, offsets, merged, reversed_sales, rules)),
        most_cells=knobs.cells, characters=knobs.characters, rules=rules, wanted=wanted,
    )  # fmt: skip


def outcome(state: State) -> Score | None:
    return judging.judged_answer(state, state.wanted)


CODE = """
import csv, json
from datetime import datetime, timedelta
def key(text):
    return text  #[!keys]
    return int(''.join(sign for sign in text if sign.isdigit()))  #[keys]
merged = {}
for row in csv.DictReader(open('merged.csv')):  #[merged]
    merged[key(row['old'])] = key(row['new'])  #[merged]
offset = {}
offset = json.load(open('stores.json'))  #[zones]
versions = {}
for line in open('customers.jsonl'):
    v = json.loads(line)
    versions.setdefault(key(v['customer']), []).append(v)
def rank(v):
    recorded = v.get('recorded', '')
    recorded = ''  #[!corrections]
    return v['valid_from'], recorded
totals, rows = {}, list(csv.DictReader(open('sales.csv')))
gone = {row['reverses'] for row in rows if row['reverses']}  #[cancelled]
for row in rows:
    if row['reverses'] or row['sale'] in gone:  #[cancelled]
        continue  #[cancelled]
    customer = key(row['customer'])
    while customer in merged:  #[merged]
        customer = merged[customer]  #[merged]
    moment = (datetime.fromisoformat(row['time']) - timedelta(minutes=offset.get(row['store'], 0))).isoformat(timespec='minutes')
    known = [v for v in versions.get(customer, []) if v['valid_from'] <= moment]
    known = versions.get(customer, [])  #[!history]
    segment = max(known, key=rank)['segment'] if known else 'unknown'
    totals[segment] = totals.get(segment, 0) + int(row['cents'])
json.dump(totals, open('answer.json', 'w'))
totals
"""


def plan(state: State, without: str = "") -> list[Step]:
    why = "Bring keys and times of both sources to one form, look up what held at the moment of each sale, and only then add."
    return [Step(select(CODE, [rule for rule in state.rules if rule != without]), why)]


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    return {rule: skipping(plan(first, rule)) for rule in first.rules}


def mistakes(state: State) -> list[Calls]:
    # Adds all sales, or joins the keys as they are written.
    everything = (
        "import csv, json\ntotal = sum(int(r['cents']) for r in csv.DictReader(open('sales.csv')))\n"
        "json.dump({'basic': total}, open('answer.json', 'w'))"
    )
    return tempted(state, [[everything], codes(plan(state, "keys"))])


def cost(state: State) -> float:
    return sum(len(entry.content) for entry in state.before.values()) * (1 + len(state.rules)) / 1000


def _merged(rng: Rng, customers: Sequence[int]) -> dict[int, int]:
    """From old accounts to the customers that they were merged into, some of which were merged again."""
    count = len(customers) // 4
    first = dict(zip(rng.sample(range(1001, 1999), count), rng.sample(customers, count)))
    return first | dict(zip(rng.sample(range(2001, 2999), count // 2), list(first)))


def _resolved(customer: int, merged: Merged) -> int:
    while customer in merged:
        customer = merged[customer]
    return customer


def _history(rng: Rng, customer: int, rules: Sequence[str]) -> list[Version]:
    minutes = sorted(rng.integer(20, 300) * 1440 for _ in range(rng.integer(1, 4) if "history" in rules else 1))
    versions = []
    for minute in dict.fromkeys(minutes):
        day = minute // 1440 + rng.integer(0, 5)
        versions.append((customer, minute if "history" in rules else 0, rng.choice(SEGMENTS), day))
        if "corrections" in rules and rng.chance(0.35):
            versions.append((customer, minute, rng.choice(SEGMENTS), day + rng.integer(1, 30)))
    return versions


def _sales(
    rng: Rng,
    count: int,
    customers: Sequence[int],
    versions: Sequence[Version],
    offsets: Mapping[str, int],
    merged: Merged,
    rules: Sequence[str],
) -> list[Sale]:
    """Sales, of which many lie within hours of a change. The minutes are local."""
    old = {_resolved(number, merged): number for number in merged}
    sales = []
    for _ in range(count):
        customer, store = rng.choice(customers), rng.choice(list(offsets))
        minute = rng.integer(5 * 1440, 330 * 1440)
        if "zones" in rules and rng.chance(0.5):
            minute = rng.choice([version[1] for version in versions if version[0] == customer]) + rng.integer(-700, 700)
        number = old[customer] if customer in old and rng.chance(0.5) else customer
        sales.append((number, minute, rng.integer(100, 9999), store))
    return sales


def _totals(
    sales: Sequence[Sale],
    versions: Sequence[Version],
    offsets: Mapping[str, int],
    merged: Merged,
    cancelled: set[int],
    rules: Sequence[str],
) -> dict[str, int]:
    totals: dict[str, int] = {}
    by_customer: dict[int, list[Version]] = {}
    for version in versions:
        by_customer.setdefault(version[0], []).append(version)
    for number, (customer, minute, cents, store) in enumerate(sales):
        if number in cancelled and "cancelled" in rules:
            continue
        own = by_customer.get(_resolved(customer, merged) if "merged" in rules else customer, [])
        moment, segment, latest = minute - (offsets[store] if "zones" in rules else 0), "unknown", (-1, -1)
        for _, begin, name, recorded in own:
            rank = (begin, recorded if "corrections" in rules else 0)
            if ("history" not in rules or begin <= moment) and rank > latest:
                segment, latest = name, rank
        totals[segment] = totals.get(segment, 0) + cents
    return totals


def _moment(minute: int) -> str:
    return f"{tables.day(minute // 1440)}T{minute % 1440 // 60:02}:{minute % 60:02}"


def _files(
    rng: Rng,
    sales: Sequence[Sale],
    versions: Sequence[Version],
    offsets: Mapping[str, int],
    merged: Merged,
    cancelled: set[int],
    rules: Sequence[str],
) -> dict[str, str | bytes]:
    rows: list[tuple[object, ...]] = []
    for number, (customer, minute, cents, store) in enumerate(sales):
        key = rng.choice((f"C-{customer:05}", f"c{customer}", f"{customer:07}"))
        rows.append((f"s{5000 + number}", key, _moment(minute), store, cents, None))
        if number in cancelled:
            rows.append((f"s{9000 + number}", key, _moment(minute + rng.integer(60, 9000)), store, -cents, f"s{5000 + number}"))
    columns = ("sale", "customer", "time", "store", "cents", *(("reverses",) if "cancelled" in rules else ()))
    listed = [row[: len(columns)] for row in rng.shuffled(rows)]
    people = [
        {"customer": f"CUST{customer:04}", "valid_from": _moment(begin), "segment": segment, "recorded": tables.day(recorded)}
        for customer, begin, segment, recorded in rng.shuffled(versions)
    ]
    for person in people if "corrections" not in rules else ():
        del person["recorded"]
    files: dict[str, str | bytes] = {"sales.csv": tables.csv_text(columns, listed), "customers.jsonl": tables.json_lines(people)}
    if "zones" in rules:
        files["stores.json"] = "{" + ", ".join(f'"{store}": {offset}' for store, offset in offsets.items()) + "}\n"
    if merged:
        files["merged.csv"] = tables.csv_text(("old", "new"), [(f"C-{old:05}", f"CUST{new:04}") for old, new in merged.items()])
    return files


def _task(rules: Sequence[str], offsets: Mapping[str, int]) -> str:
    single = "" if "history" in rules else " Each customer has one record, which holds for all sales of the customer."
    words = {
        "keys": "The sources write the number of a customer with different prefixes and leading zeros. The number itself decides: C-00123, c123, 0000123 and "
        f"CUST0123 are the same customer.{single}",
        "history": "Each customer has one or more records in customers.jsonl. A record holds from the moment `valid_from`, included, until the next one of the "
        "customer begins. A sale before the first record of its customer counts for the segment `unknown`.",
        "zones": "`valid_from` is in UTC. The `time` of a sale is in the local time of its store: stores.json says how many minutes each store is ahead of UTC "
        "(negative if behind).",
        "corrections": "Where several records of a customer have the same `valid_from`, the one that was `recorded` last replaces the others.",
        "merged": "merged.csv lists accounts that were merged: a sale of an `old` account belongs to the customer `new`, who may be an old account of "
        "another row. Old accounts have no records.",
        "cancelled": "A row of sales.csv whose `reverses` names another sale cancels that sale: neither of the two rows counts.",
    }
    listed = [words[rule] for rule in rules]
    return (
        "sales.csv holds sales, and customers.jsonl the segments of the customers. Add up the cents of the sales by the segment of the customer"
        f"{' at the moment of the sale' if 'history' in rules else ''}.\n\nRules:\n{world.rules_text(listed)}\n\nWrite answer.json, an object from each "
        "segment that has a sale to its sum in cents, an integer."
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=world.turns, explain=world.explain(plan),
    concept="Bring keys and moments to one form first; then look up, for each sale, the record that held at that moment.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS,
    version=3,
)  # fmt: skip
