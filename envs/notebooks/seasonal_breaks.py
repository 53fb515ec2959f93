"""Find anomalous days and changes of level in a daily series with weekly seasonality, by stated criteria, in a Python notebook.

Large anomalies hide smaller ones until they are removed, a change of level looks like many anomalies, and clocks and gaps disturb the weekdays.
"""

import statistics
from bisect import insort
from collections.abc import Callable, Mapping, Sequence

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.notebooks import judging, tables, world
from rlgym.generators.notebooks.world import LIMITS, TOOLS, Notebook, Step, act, codes, select, show, skipping, tempted

RULES = ("weekdays", "masked", "holidays", "repeated", "level")
THINGS = ("parcels", "visits", "calls", "tickets", "orders", "bookings", "meals")
FACTOR, SHORTEST, TOLERANCE = 5, 21, 0.01
Points = dict[int, int]  # counts by day


class Knobs(Config):
    weeks: int = knob(26, easy=3, hard=60, doc="weeks of the series")
    anomalies: int = knob(4, easy=1, hard=9, doc="days with an anomaly")
    rules: int = knob(3, easy=0, hard=5, doc="steps of the criterion beyond a plain threshold")
    cells: int = knob(8, easy=10, hard=6, doc="cells that may be run")
    characters: int = knob(900, easy=1200, hard=600, doc="characters of output that are shown in all")


class State(Notebook):
    rules: tuple[str, ...]
    thing: str
    wanted: dict[str, list[str] | float | str]


def start(rng: Rng, knobs: Knobs) -> State:
    rules, thing = tuple(rule for rule in RULES[: knobs.rules] if rule != "level" or knobs.weeks > 8), rng.choice(THINGS)
    while True:
        first = rng.integer(0, 300)
        days = list(range(first, first + 7 * knobs.weeks + rng.integer(0, 6)))
        holidays = sorted(rng.sample(days, max(3, len(days) // 40))) if "holidays" in rules else []
        points = _points(rng, days, holidays, knobs.anomalies, rules)
        rows = _rows(rng, points, rules)
        wanted = _found(rows, holidays, rules)
        if not wanted or not wanted["anomalies"]:
            continue
        others = (_found(rows, holidays, [other for other in rules if other != rule]) for rule in rules)
        if all(other is None or not judging.agrees(other, wanted, TOLERANCE) for other in others):
            break
    files = {
        f"{thing}.csv": tables.csv_text(("day", "exported", thing), rows) if "repeated" in rules
        else tables.csv_text(("day", thing), [(row[0], row[2]) for row in rows]),
        **({"holidays.txt": "".join(f"{tables.day(day)}\n" for day in holidays)} if holidays else {}),
    }  # fmt: skip
    return State(
        task=_task(thing, rules), before=world.files(files), most_cells=knobs.cells, characters=knobs.characters,
        rules=rules, thing=thing, wanted=wanted,
    )  # fmt: skip


def outcome(state: State) -> Score | None:
    return judging.judged_answer(state, state.wanted, TOLERANCE)


CODE = """
import csv, json
from datetime import date
from statistics import median
holidays = set()
holidays = set(open('holidays.txt').read().split())  #[holidays]
latest = {}
for place, row in enumerate(csv.DictReader(open(<<thing>> + '.csv'))):
    key = (row['day'], place)
    key = row['day']  #[repeated]
    version = row.get('exported', '')
    if key not in latest or version > latest[key][0]:
        latest[key] = (version, row['day'], int(row[<<thing>>]))
days = sorted((day, value) for _, day, value in latest.values() if day not in holidays)
values = [value for _, value in days]
group = [0 for day, _ in days]  #[!weekdays]
group = [date.fromisoformat(day).weekday() for day, _ in days]  #[weekdays]
def residuals(left, at):
    by_group = {}
    for k in left:
        by_group.setdefault((group[k], k >= at), []).append(values[k])
    middle = {key: median(found) for key, found in by_group.items()}
    return {k: values[k] - middle[group[k], k >= at] for k in left}
everything = list(range(len(days)))
change = len(days)
def spread(at):  #[level]
    return sum(abs(r) for r in residuals(everything, at).values())  #[level]
change = min(range(21, len(days) - 20), key=spread)  #[level]
left, found = everything, []
while True:
    r = residuals(left, change)
    scale = median(abs(x) for x in r.values())
    beyond = [k for k in left if abs(r[k]) > 5 * scale]
    found += beyond  #[!masked]
    left = [k for k in left if k not in beyond]  #[!masked]
    break  #[!masked]
    if not beyond:
        break
    worst = max(beyond, key=lambda k: (abs(r[k]), -k))
    found.append(worst)
    left = [k for k in left if k != worst]
answer = {'anomalies': sorted(days[k][0] for k in found), 'scale': scale}
answer['change'] = days[change][0]  #[level]
json.dump(answer, open('answer.json', 'w'))
answer
"""


def plan(state: State, without: str = "") -> list[Step]:
    code = select(CODE, [rule for rule in state.rules if rule != without], thing=state.thing)
    return [
        Step(code, "Clean the days first, then take what is usual for each group of days away, and apply the criterion to what is left.")
    ]


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    return {rule: skipping(plan(first, rule)) for rule in first.rules}


def mistakes(state: State) -> list[Calls]:
    # Uses the mean and the standard deviation with the rule of three sigmas, or finds nothing.
    usual = (
        codes(plan(state))[0]
        .replace("import median", "import fmean as median")
        .replace("5 * scale", "3 * (sum(x * x for x in r.values()) / len(r)) ** 0.5")
    )
    return tempted(state, [[usual], ["open('answer.json', 'w').write('{\"anomalies\": [], \"scale\": 0}')"]])


def cost(state: State) -> float:
    anomalies = state.wanted["anomalies"]
    assert isinstance(anomalies, list), "anomalies are listed"
    return sum(len(entry.content) for entry in state.before.values()) / 1000 * (1 + len(state.rules)) + len(anomalies)


def _points(rng: Rng, days: Sequence[int], holidays: Sequence[int], anomalies: int, rules: Sequence[str]) -> Points:
    level = rng.integer(300, 900)
    week = [rng.integer(-120, 120) if "weekdays" in rules else 0 for _ in range(7)]
    step = rng.choice((-1, 1)) * rng.integer(35, 70) if "level" in rules else 0
    at = days[0] + rng.integer(len(days) // 3, 2 * len(days) // 3)
    points = {day: level + week[day % 7] + round(8 * tables.noise(rng)) + (step if day >= at else 0) for day in days}
    for day in holidays:
        points[day] -= rng.integer(120, 200)
    plain = [day for day in days if day not in holidays]
    # In one group of days, large anomalies come together, so that they hide smaller ones.
    crowded = [day for day in plain if day % 7 == days[0] % 7][: max(2, len(days) // 28)]
    for place, day in enumerate(rng.sample(plain, anomalies) + (crowded if "masked" in rules else [])):
        points[day] += rng.choice((-1, 1)) * (rng.integer(30, 60) if place % 2 else rng.integer(60, 130))
    return points


def _rows(rng: Rng, points: Points, rules: Sequence[str]) -> list[tuple[str, str, int]]:
    """Days, days of export and counts; some days are lacking, some were exported again."""
    rows = []
    for day, count in points.items():
        if "repeated" in rules and rng.chance(0.1):
            first = day + rng.integer(1, 3)
            rows.append((tables.day(day), tables.day(first), count - rng.integer(-150, 150)))
            rows.append((tables.day(day), tables.day(first + rng.integer(1, 9)), count))
        elif "weekdays" not in rules or not rng.chance(0.04):
            rows.append((tables.day(day), tables.day(day + 1), count))
    return rng.shuffled(rows) if rules else rows


def _found(
    rows: Sequence[tuple[str, str, int]], holidays: Sequence[int], rules: Sequence[str]
) -> dict[str, list[str] | float | str] | None:
    """The answer; None where a threshold or a choice is too close."""
    if "repeated" in rules:
        rows = [max((row for row in versions), key=lambda row: row[1]) for versions in _grouped(rows).values()]
    out = {tables.day(day) for day in holidays} if "holidays" in rules else set[str]()
    series = sorted((day, count) for day, _, count in rows if day not in out)
    weekdays = [tables.weekday(day) if "weekdays" in rules else 0 for day, _ in series]
    change = len(series)
    if "level" in rules:
        sums = _spreads(series, weekdays)
        change, second = sorted(range(SHORTEST, len(series) - SHORTEST + 1), key=lambda at: sums[at])[:2]
        if sums[second] - sums[change] < 0.5:
            return None
    active, anomalies = set(range(len(series))), list[int]()
    while True:
        usual = _usual(series, weekdays, change, active)
        gaps = {k: abs(series[k][1] - usual[weekdays[k], k >= change]) for k in active}
        scale = statistics.median(gaps.values())
        ranked = sorted(active, key=lambda k: (-gaps[k], k))
        if any(abs(gap - FACTOR * scale) < 1e-6 for gap in gaps.values()):
            return None
        beyond = [k for k in ranked if gaps[k] > FACTOR * scale]
        chosen = beyond[:1] if "masked" in rules else beyond
        anomalies += chosen
        active -= set(chosen)
        if not chosen or "masked" not in rules:
            break
    wanted: dict[str, list[str] | float | str] = {"anomalies": sorted(series[k][0] for k in anomalies), "scale": float(scale)}
    return wanted | ({"change": series[change][0]} if "level" in rules else {})


def _grouped(rows: Sequence[tuple[str, str, int]]) -> dict[str, list[tuple[str, str, int]]]:
    found: dict[str, list[tuple[str, str, int]]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(row)
    return found


def _usual(series: Sequence[tuple[str, int]], weekdays: Sequence[int], change: int, active: set[int]) -> dict[tuple[int, bool], float]:
    found: dict[tuple[int, bool], list[int]] = {}
    for k in active:
        found.setdefault((weekdays[k], k >= change), []).append(series[k][1])
    return {key: statistics.median(counts) for key, counts in found.items()}


def _spreads(series: Sequence[tuple[str, int]], weekdays: Sequence[int]) -> list[float]:
    """For each place of a change, the sum of the absolute differences from the medians: each weekday is summed from both ends."""
    total = [0.0] * (len(series) + 1)
    for weekday in range(7):
        places = [k for k, other in enumerate(weekdays) if other == weekday]
        counts = [series[k][1] for k in places]
        before, after = _running_spread(counts), _running_spread(counts[::-1])[::-1]
        taken = 0
        for at in range(len(series) + 1):
            if taken < len(places) and places[taken] < at:
                taken += 1
            total[at] += before[taken] + after[taken]
    return total


def _running_spread(counts: Sequence[int]) -> list[float]:
    """The sum of absolute differences from the median, of the first 0, 1, 2, ... counts."""
    ranked: list[int] = []
    spreads = [0.0]
    for count in counts:
        insort(ranked, count)
        half = len(ranked) // 2
        spreads.append(float(sum(ranked[len(ranked) - half :]) - sum(ranked[:half])))
    return spreads


def _task(thing: str, rules: Sequence[str]) -> str:
    group = " and ".join([*(["the same weekday"] if "weekdays" in rules else []), *(["the same segment"] if "level" in rules else [])])
    words = {
        "repeated": "A day that was exported several times counts with the row that was exported last.",
        "holidays": "The days of holidays.txt are left out of everything, including the counts of days.",
        "level": f"The change of level splits the days that count into two segments of at least {SHORTEST} days each; the day of the change is the "
        "first one of the second segment. It is chosen so that the sum over all days of the absolute difference between the count and the median count of the "
        "days with the same weekday and the same segment is smallest. It is found once, before any anomaly is removed.",
    }
    last = [
        f"The residual of a day is its count minus the median count of all days{' of ' + group if group else ''}, itself included. The scale is the median "
        f"of the absolute residuals of all days. A day is beyond the limit if its absolute residual is larger than {FACTOR} times the scale.",
        "Of the days beyond the limit, the one with the largest absolute residual (of equal ones, the earliest) is an anomaly and is removed; then all "
        "medians, residuals and the scale are computed anew from the days that are left. This is repeated until no day is beyond the limit."
        if "masked" in rules
        else "The days beyond the limit are the anomalies.",
    ]
    listed = [*(words[rule] for rule in ("repeated", "holidays", "level") if rule in rules), *last]
    keys = f"`anomalies` (the list of their days){', `change` (the day of the change of level)' if 'level' in rules else ''} and `scale`"
    final = "the last scale" if "masked" in rules else "the scale"
    gaps = " Some days are lacking." if "weekdays" in rules else ""
    return (
        f"{thing}.csv holds the number of {thing} by day.{gaps} Find the anomalies{' and the change of level' if 'level' in rules else ''} by this "
        f"criterion.\n\nRules:\n{world.rules_text(listed)}\n\nThe median of an even number of values is the mean of the two in the middle. Write "
        f"answer.json, an object with the keys {keys} ({final}, within {TOLERANCE}). Days are written as year-month-day."
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=world.turns, explain=world.explain(plan),
    concept="Choose the days that count, take away what is usual for each group, and judge what is left; a removed day changes the medians of the others.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS,
    version=2,
)  # fmt: skip
