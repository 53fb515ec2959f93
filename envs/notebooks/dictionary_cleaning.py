"""Clean a table of measurements by its data dictionary in a Python notebook: categories, units, codes, ranges, dates, duplicates, encodings.

The rules interact: a code for a missing value may lie inside the range, ranges hold after conversion, and duplicates are chosen by cleaned values.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.notebooks import judging, tables, world
from rlgym.generators.notebooks.world import LIMITS, TOOLS, Notebook, Step, act, codes, select, show, skipping, tempted

RULES = ("categories", "units", "missing", "range", "duplicates", "dates", "encoding", "swapped")
CLEAN = "clean.csv"
COLUMNS = ("id", "site", "date", "weight_g", "length_mm", "state")
RAW = ("id", "site", "date", "weight", "length", "state")
THINGS = ("parcels", "castings", "fish", "bricks", "loaves", "melons", "planks", "bottles")
STATES = {"good": ("ok", "fine"), "damaged": ("broken", "defect"), "returned": ("sent back", "rejected"), "lost": ("missing", "gone")}
ACCENTED, PLAIN = ("Malmö", "Århus", "Köln", "Orléans", "Málaga"), ("Porto", "Riga", "Fano", "Ghent")
UNITS = {"weight": {"g": 1, "kg": 1000}, "length": {"mm": 1, "cm": 10, "m": 1000}}
Record = tuple[str, str, int, int | None, int | None, str]  # id, site, day, grams, millimetres, state


class Knobs(Config):
    rows: int = knob(70, easy=8, hard=260, doc="things that were measured")
    rules: int = knob(5, easy=1, hard=8, doc="kinds of faults, plain ones first")
    share: float = knob(0.25, easy=0.4, hard=0.12, doc="the share of rows that each kind of fault touches")
    cells: int = knob(8, easy=10, hard=6, doc="cells that may be run")
    characters: int = knob(2400, easy=3000, hard=1800, doc="characters of output that are shown in all")


class State(Notebook):
    rules: tuple[str, ...]
    wanted: list[list[str]]


def start(rng: Rng, knobs: Knobs) -> State:
    rules, things = RULES[: knobs.rules], rng.choice(THINGS)
    dictionary = _dictionary(rng, rules)
    sites = list(dictionary["sites"])
    records: list[Record] = []
    raw: list[tuple[Record, dict[str, str]]] = []  # what is meant, and the texts in its row
    numbers = rng.sample(range(1000, 9999), knobs.rows)
    for place, number in enumerate(numbers):
        name, (grams, millimetres) = f"{things[0].upper()}{number}", _sizes(rng, dictionary)
        record: Record = (name, sites[place % len(sites)], rng.integer(0, 360), grams, millimetres, rng.choice(list(STATES)))
        # The first rows have every kind of fault, so that each of them matters.
        faulty = [rule for k, rule in enumerate(RULES) if rule in rules and (place // 2 % len(RULES) == k or rng.chance(knobs.share))]
        record, texts = _faulty(rng, record, dictionary, faulty, rules)
        if "duplicates" in faulty:
            raw += _versions(rng, record, texts, dictionary, tie=place % 4 < 2)
        else:
            raw.append((record, texts))
        records.append(record)
    rows = [[record[0], record[1], tables.day(record[2]), _text(record[3]), _text(record[4]), record[5]] for record in sorted(records)]
    return State(
        task=_task(things, rules), before=world.files(_files(rng.shuffled(raw), dictionary, rules)), most_cells=knobs.cells, characters=knobs.characters,
        rules=rules, wanted=[list(COLUMNS), *rows],
    )  # fmt: skip


def outcome(state: State) -> Score | None:
    return judging.judged_table(state, CLEAN, state.wanted)


CODE = """
import csv, json
from datetime import datetime
book = json.load(open('dictionary.json', encoding='utf-8'))
rows = list(csv.DictReader(open('measured.csv', encoding='utf-8')))
for row in csv.DictReader(open('measured_old.csv', encoding='latin-1'), delimiter=';'):  #[encoding]
    rows.append({name: text.replace(',', '.') if name in ('weight', 'length') else text for name, text in row.items()})  #[encoding]
synonyms = {word: state for state, words in book['state'].items() for word in [state, *words]}
def size(name, text):
    facts = book[name]
    if text in facts.get('missing', []):  #[missing]
        return ''  #[missing]
    number, _, unit = text.strip().partition(' ')
    if not number:
        return ''
    factor = 1
    factor = {'g': 1, 'kg': 1000, 'mm': 1, 'cm': 10, 'm': 1000}[unit] if unit else 1  #[units]
    value = round(float(number) * factor)
    if not facts['least'] <= value <= facts['most']:  #[range]
        return ''  #[range]
    return value
def date(row):
    if '/' not in row['date']:
        return row['date']
    form = '%d/%m/%Y'
    form = {'day/month/year': '%d/%m/%Y', 'month/day/year': '%m/%d/%Y'}[book['sites'][row['site'].strip()]]  #[dates]
    return datetime.strptime(row['date'], form).date().isoformat()
clean = {}
for place, row in enumerate(rows):
    day = date(row)
    for swap in book.get('swapped', []):  #[swapped]
        if row['site'] == swap['site'] and swap['from'] <= day <= swap['to']:  #[swapped]
            row['weight'], row['length'] = row['length'], row['weight']  #[swapped]
    state = row['state']  #[!categories]
    state = synonyms[row['state'].strip().lower()]  #[categories]
    cells = [row['id'], row['site'], day, size('weight', row['weight']), size('length', row['length']), state]
    key = place
    key = row['id']  #[duplicates]
    rank = (day, sum(cell != '' for cell in cells), place)
    if key not in clean or rank > clean[key][0]:
        clean[key] = (rank, cells)
with open('clean.csv', 'w', newline='', encoding='utf-8') as file:
    writer = csv.writer(file, lineterminator='\\n')
    writer.writerow(['id', 'site', 'date', 'weight_g', 'length_mm', 'state'])
    writer.writerows(sorted(cells for _, cells in clean.values()))
len(rows), len(clean)
"""
LOOK = """
import csv, json
for name, facts in json.load(open('dictionary.json', encoding='utf-8')).items():
    print(name, facts)
"""


def plan(state: State, without: str = "") -> list[Step]:
    rules = [rule for rule in state.rules if rule != without]
    return [
        Step(select(LOOK, rules), "First read the data dictionary."),
        Step(
            select(CODE, rules),
            "Read every field as the dictionary says, convert it, then check its range, and choose among duplicates last.",
        ),
    ]


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    return {rule: skipping(plan(first, rule)) for rule in first.rules}


def mistakes(state: State) -> list[Calls]:
    # Copies the raw file under the wanted header, or keeps whatever can be read as it is.
    copied = (
        "lines = open('measured.csv', encoding='utf-8').read().split('\\n')\n"
        f"open('{CLEAN}', 'w', encoding='utf-8').write('\\n'.join(['{','.join(COLUMNS)}', *sorted(lines[1:-1])]))"
    )
    return tempted(state, [[copied], codes(plan(state, "categories"))])


def cost(state: State) -> float:
    return float(len(state.wanted) * len(state.rules)) / 10


def _dictionary(rng: Rng, rules: Sequence[str]) -> dict[str, Any]:
    sites = rng.sample(ACCENTED, 2) + rng.sample(PLAIN, 1)
    forms = ["day/month/year", "month/day/year", rng.choice(("day/month/year", "month/day/year"))]
    dictionary: dict[str, Any] = {
        "sites": dict(zip(sites, rng.shuffled(forms))) if "dates" in rules else dict.fromkeys(sites, "year-month-day"),
        "weight": {"unit": "g", "least": rng.integer(1, 3) * 100, "most": rng.integer(50, 80) * 100},
        "length": {"unit": "mm", "least": rng.integer(2, 6) * 10, "most": rng.integer(20, 28) * 100},
        "state": {state: list(STATES[state]) for state in rng.shuffled(list(STATES))},
    }
    if "missing" in rules:
        dictionary["weight"]["missing"] = [rng.choice(("999", "9999", "777")), "n/a"]
        dictionary["length"]["missing"] = [rng.choice(("888", "1111", "99")), "?"]
    if "swapped" in rules:
        begin = rng.integer(60, 200)
        dictionary["swapped"] = [{"site": sites[0], "from": tables.day(begin), "to": tables.day(begin + rng.integer(60, 120))}]
    return dictionary


def _sizes(rng: Rng, dictionary: Mapping[str, Any]) -> tuple[int, int]:
    codes_used = {code for name in ("weight", "length") for code in dictionary[name].get("missing", ())}
    while True:
        pair = tuple(rng.integer(dictionary[name]["least"], dictionary[name]["most"]) for name in ("weight", "length"))
        if not codes_used & set(map(str, pair)):
            return pair[0], pair[1]


def _faulty(
    rng: Rng, record: Record, dictionary: Mapping[str, Any], faulty: Sequence[str], rules: Sequence[str]
) -> tuple[Record, dict[str, str]]:
    """What is meant with its faults, and the texts of its row."""
    name, site, day, grams, millimetres, state = record
    sizes: dict[str, int | None] = {"weight": grams, "length": millimetres}
    texts = {"weight": str(grams), "length": str(millimetres), "state": state}
    if "categories" in faulty:
        word = rng.choice((state, *STATES[state]))
        texts["state"] = rng.choice((f" {word}", f"{word} ", word.upper(), word.capitalize()))
    if "units" in faulty:
        for column, units in UNITS.items():
            unit = rng.choice(list(units))
            texts[column] = f"{_decimal(sizes[column] or 0, units[unit])} {unit}"
    if "missing" in faulty:
        column = rng.choice(("weight", "length"))
        sizes[column], texts[column] = None, rng.choice(dictionary[column]["missing"][:1] * 2 + dictionary[column]["missing"])
    if "range" in faulty:
        column = rng.choice([name for name in sizes if sizes[name] is not None])
        value = rng.choice((dictionary[column]["most"] + rng.integer(1, 400), dictionary[column]["least"] - rng.integer(1, 19)))
        unit = rng.choice(list(UNITS[column])) if "units" in rules else ""
        sizes[column], texts[column] = None, f"{_decimal(value, UNITS[column][unit])} {unit}" if unit else str(value)
    if _is_swapped(record, dictionary):
        texts["weight"], texts["length"] = texts["length"], texts["weight"]
    return (name, site, day, sizes["weight"], sizes["length"], state), texts


def _is_swapped(record: Record, dictionary: Mapping[str, Any]) -> bool:
    return any(record[1] == swap["site"] and swap["from"] <= tables.day(record[2]) <= swap["to"] for swap in dictionary.get("swapped", ()))


def _versions(
    rng: Rng, record: Record, texts: dict[str, str], dictionary: Mapping[str, Any], tie: bool
) -> list[tuple[Record, dict[str, str]]]:
    """Two rows of a thing of which the record is the one that counts."""
    if tie and record[3] is not None and record[4] is not None and not _is_swapped(record, dictionary):
        older: Record = (*record[:3], None, record[4], record[5])
        return [(record, texts), (older, texts | {"weight": str(dictionary["weight"]["most"] + 9)})]
    day = record[2] - rng.integer(1, 40)
    older = (record[0], record[1], day, *_sizes(rng, dictionary), rng.choice(list(STATES)))
    pair = [(record, texts), (older, {"weight": str(older[3]), "length": str(older[4]), "state": older[5]})]
    return rng.shuffled(pair)


def _files(raw: Sequence[tuple[Record, dict[str, str]]], dictionary: Mapping[str, Any], rules: Sequence[str]) -> dict[str, str | bytes]:
    rows = [
        (record[0], record[1], _date(record, dictionary, rules), texts["weight"], texts["length"], texts["state"]) for record, texts in raw
    ]
    old = len(rows) // 3 if "encoding" in rules else 0
    files: dict[str, str | bytes] = {
        "dictionary.json": json.dumps(dictionary, ensure_ascii=False, indent=1) + "\n",
        "measured.csv": tables.csv_text(RAW, rows[old:]),
    }
    if old:
        commas = [(*row[:3], row[3].replace(".", ","), row[4].replace(".", ","), row[5]) for row in rows[:old]]
        files["measured_old.csv"] = tables.csv_text(RAW, commas, ";").encode("latin-1")
    return files


def _date(record: Record, dictionary: Mapping[str, Any], rules: Sequence[str]) -> str:
    year, month, day = tables.day(record[2]).split("-")
    if "dates" not in rules or record[2] % 5 == 0:
        return f"{year}-{month}-{day}"
    return f"{day}/{month}/{year}" if dictionary["sites"][record[1]] == "day/month/year" else f"{month}/{day}/{year}"


def _decimal(value: int, factor: int) -> str:
    return f"{value // factor}.{value % factor:0{len(str(factor)) - 1}}".rstrip("0").rstrip(".") if factor > 1 else str(value)


def _text(value: int | None) -> str:
    return "" if value is None else str(value)


def _task(things: str, rules: Sequence[str]) -> str:
    words = {
        "categories": "`state` becomes the word of the dictionary that it stands for: the word itself or one of those listed with it, whatever its case and "
        "the spaces around it.",
        "units": "A weight or length may be followed by a space and a unit (g, kg; mm, cm, m); without one it is in the unit of the dictionary. The result "
        "is in grams or millimetres.",
        "missing": "A weight or length whose text is one of the codes in `missing` of its own column has no value.",
        "range": "A weight or length below `least` or above `most`, in the unit of the dictionary, has no value.",
        "duplicates": "A thing may have several rows with the same id. Only the one with the latest date stays; among several of that date the one with "
        "most non-empty cells after cleaning.",
        "dates": "A date is written as year-month-day, or with slashes in the form that `sites` gives for its site.",
        "encoding": "measured_old.csv belongs to the data as well. It is in Latin-1, with semicolons between fields and commas as decimal signs.",
        "swapped": "Each entry of `swapped` names a site and the first and last day of a period in which its device wrote the weight into the field `length` "
        "and the length into the field `weight`. In such a row, exchange the two fields before any other rule is applied to them.",
    }
    listed = [words[rule] for rule in rules] + [
        "A field without a value is an empty cell. Dates are written as year-month-day, weights and lengths as whole numbers, and the rows are in ascending "
        "order of their ids."
    ]
    return (
        f"measured.csv holds measurements of {things}, and dictionary.json says what the fields mean. Clean the table and write {CLEAN} in UTF-8, with "
        f"commas between fields and the header `{','.join(COLUMNS)}`. It is compared cell by cell.\n\nRules:\n{world.rules_text(listed)}"
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=world.turns, explain=world.explain(plan),
    concept="Read each field as text by the dictionary, convert it before its range is checked, and choose among duplicates when all is clean.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS,
    version=3,
)  # fmt: skip
