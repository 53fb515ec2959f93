"""Test several hypotheses of one study by its analysis plan, with the stated corrections for many tests, in a Python notebook.

Visitors who return, tests that were not registered, one-sided tests and two families with different corrections each change the adjusted p-values.
"""

import math
from collections.abc import Callable, Mapping, Sequence

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.notebooks import judging, tables, world
from rlgym.generators.notebooks.world import LIMITS, TOOLS, Notebook, Step, act, codes, select, show, skipping, tempted

RULES = ("first", "registered", "direction", "assigned", "families")
METHODS = ("Bonferroni", "Holm", "Benjamini-Hochberg")
ALPHA, TOLERANCE = 0.05, 1e-4
ELEMENTS = (
    "banner basket button carousel chat coupon footer gallery header map menu popup price ratings search sidebar survey video".split()
)
OUTCOMES = ("clicked", "converted", "renewed", "replied", "subscribed")
Row = tuple[str, str, int, str, int]  # visitor, hypothesis, time, arm shown, success
Plan = dict[str, tuple[bool, str, str]]  # for each hypothesis, whether it is registered, its alternative, its family


class Knobs(Config):
    hypotheses: int = knob(6, easy=3, hard=14, doc="hypotheses in the data")
    visitors: int = knob(40, easy=12, hard=70, doc="visitors in each arm of a hypothesis, about")
    rules: int = knob(3, easy=0, hard=5, doc="what the plan says beyond the test, each of which changes the result")
    method: str = knob("Holm", easy="Bonferroni", hard="Benjamini-Hochberg", order=METHODS, doc="the correction")
    cells: int = knob(8, easy=10, hard=6, doc="cells that may be run")
    characters: int = knob(2400, easy=3000, hard=1500, doc="characters of output that are shown in all")


class State(Notebook):
    rules: tuple[str, ...]
    method: str
    outcome: str
    wanted: dict[str, dict[str, float] | list[str]]


def start(rng: Rng, knobs: Knobs) -> State:
    rules, outcome_name = RULES[: knobs.rules], rng.choice(OUTCOMES)
    while True:
        plan = _plan(rng, knobs.hypotheses, rules)
        rows, arms = _rows(rng, plan, knobs.visitors, rules)
        wanted = _result(rows, arms, plan, rules, knobs.method)
        raw = _result(rows, arms, plan, rules, "none")
        others = [_result(rows, arms, plan, [other for other in rules if other != rule], knobs.method) for rule in rules]
        if "families" not in rules:
            others.append(_result(rows, arms, plan, rules, _other(knobs.method)))
        rejected = len(wanted["rejected"])
        tempting = raw["rejected"] != wanted["rejected"] or knobs.hypotheses < 4
        if 0 < rejected < len(wanted["adjusted"]) and tempting and not any(_close(wanted, other) for other in others) and _clear(wanted):
            break
    texts = {
        "study.csv": tables.csv_text(("visitor", "hypothesis", "time", "arm", outcome_name), rows),
        **({"assignments.csv": tables.csv_text(("visitor", "arm"), sorted(arms.items()))} if "assigned" in rules else {}),
        **({"plan.jsonl": tables.json_lines(_plan_lines(plan, rules))} if len(rules) > 1 else {}),
    }
    return State(
        task=_task(outcome_name, rules, knobs.method), before=world.files(texts), most_cells=knobs.cells, characters=knobs.characters,
        rules=rules, method=knobs.method, outcome=outcome_name, wanted=wanted,
    )  # fmt: skip


def outcome(state: State) -> Score | None:
    return judging.judged_answer(state, state.wanted, TOLERANCE)


CODE = """
import csv, json, math
rows = list(csv.DictReader(open('study.csv')))
assigned = {r['visitor']: r['arm'] for r in csv.DictReader(open('assignments.csv'))}  #[assigned]
plan = {}
for line in open('plan.jsonl'):  #[planned]
    entry = json.loads(line)  #[planned]
    plan[entry['hypothesis']] = entry  #[planned]
for r in rows:  #[!planned]
    plan[r['hypothesis']] = {}  #[!planned]
plan = {h: entry for h, entry in plan.items() if entry['registered']}  #[registered]
rows.sort(key=lambda r: int(r['time']))
seen, counts = set(), {h: {'control': [0, 0], 'treatment': [0, 0]} for h in plan}
for r in rows:
    key = (r['visitor'], r['hypothesis'])
    if r['hypothesis'] not in plan:
        continue
    if key in seen:  #[first]
        continue  #[first]
    seen.add(key)
    arm = r['arm']  #[!assigned]
    arm = assigned[r['visitor']]  #[assigned]
    cell = counts[r['hypothesis']][arm]
    cell[0] += 1
    cell[1] += int(r[<<outcome>>])
def p_value(h):
    (n0, s0), (n1, s1) = counts[h]['control'], counts[h]['treatment']
    pooled = (s0 + s1) / (n0 + n1)
    z = (s1 / n1 - s0 / n0) / math.sqrt(pooled * (1 - pooled) * (1 / n0 + 1 / n1))
    if plan[h]['alternative'] == 'greater':  #[direction]
        return math.erfc(z / math.sqrt(2)) / 2  #[direction]
    return math.erfc(abs(z) / math.sqrt(2))
def adjust(p, method):
    order, m, result, running = sorted(p, key=p.get), len(p), {}, 0.0
    if method == 'Benjamini-Hochberg':
        running = 1.0
        for rank in range(m, 0, -1):
            running = min(running, m * p[order[rank - 1]] / rank)
            result[order[rank - 1]] = running
        return result
    for rank, h in enumerate(order):
        running = max(running, min(1.0, (m - rank if method == 'Holm' else m) * p[h]))
        result[h] = running
    return result
adjusted = adjust({h: p_value(h) for h in plan}, <<method>>)  #[!families]
adjusted = {}  #[families]
for family, method in (('primary', 'Holm'), ('secondary', 'Benjamini-Hochberg')):  #[families]
    adjusted |= adjust({h: p_value(h) for h in plan if plan[h]['family'] == family}, method)  #[families]
answer = {'adjusted': adjusted, 'rejected': [h for h in adjusted if adjusted[h] <= 0.05]}
json.dump(answer, open('answer.json', 'w'))
answer
"""


def plan(state: State, without: str = "", method: str = "") -> list[Step]:
    rules = [rule for rule in state.rules if rule != without] + (["planned"] if len(state.rules) > 1 else [])
    look = "import os\nfor path in sorted(os.listdir()):\n    print(path, open(path).read(150))"
    why = "Follow the plan in its order: choose rows, count in each arm, test, and adjust the p-values with the size of the family."
    code = select(CODE, rules, outcome=state.outcome, method=method or state.method)
    return [Step(look, "First see the columns and how many rows there are."), Step(code, why)]


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    return {rule: skipping(plan(first, rule)) for rule in first.rules}


def mistakes(state: State) -> list[Calls]:
    # Leaves the p-values as they are, or takes another correction for all of them.
    look, code = codes(plan(state, "families"))
    raw = code.replace("if adjusted[h] <= 0.05", "if p_value(h) <= 0.05").replace(": adjusted,", ": {h: p_value(h) for h in adjusted},")
    return tempted(state, [[look, raw], codes(plan(state, "families", _other(state.method)))])


def cost(state: State) -> float:
    return float(len(state.wanted["adjusted"]) * (1 + len(state.rules)) + len(state.before["study.csv"].content) / 1000)


def _plan(rng: Rng, count: int, rules: Sequence[str]) -> Plan:
    names = rng.sample(ELEMENTS, count)
    out = set(rng.sample(names, max(1, count // 5))) if "registered" in rules else set()
    greater = set(rng.sample(names, max(2, count // 2)))
    return {
        name: (name not in out, "greater" if name in greater else "two-sided", "secondary" if place % 2 else "primary")
        for place, name in enumerate(names)
    }


def _plan_lines(plan: Plan, rules: Sequence[str]) -> list[dict[str, object]]:
    lines = []
    for name, (registered, alternative, family) in sorted(plan.items()):
        line: dict[str, object] = {"hypothesis": name, "registered": registered}
        line |= {"alternative": alternative} if "direction" in rules else {}
        lines.append(line | ({"family": family} if "families" in rules else {}))
    return lines


def _rows(rng: Rng, plan: Plan, visitors: int, rules: Sequence[str]) -> tuple[list[Row], dict[str, str]]:
    """Rows in random order, and the arm that each visitor was assigned to."""
    rows: list[Row] = []
    arms: dict[str, str] = {}
    number = 1000
    for name in sorted(plan):
        base = rng.real(0.2, 0.5)
        lift = rng.choice((0.0, 0.0, 0.14, 0.2, 0.3, -0.2)) * (1.0 if visitors > 25 else 1.7)
        for arm, rate in (("control", base), ("treatment", base + lift)):
            for _ in range(visitors + rng.integer(-visitors // 6, visitors // 6)):
                number += rng.integer(1, 9)
                visitor = f"v{number}"
                arms[visitor] = arm
                swapped = "assigned" in rules and rng.chance(0.1)
                shown = ({"control": "treatment", "treatment": "control"}[arm]) if swapped else arm
                success = int(rng.chance(rate))
                times = sorted((rng.integer(1, 99_999), rng.integer(100_000, 199_999)))
                rows.append((visitor, name, times[0], shown, success))
                if "first" in rules and rng.chance(0.15):
                    rows.append((visitor, name, times[1], shown, 1 - success if rng.chance(0.8) else success))
    return rng.shuffled(rows), arms


def _result(
    rows: Sequence[Row], arms: Mapping[str, str], plan: Plan, rules: Sequence[str], method: str
) -> dict[str, dict[str, float] | list[str]]:
    latest: dict[object, Row] = {}
    for row in rows:
        key = (row[0], row[1]) if "first" in rules else len(latest)
        if key not in latest or row[2] < latest[key][2]:
            latest[key] = row
    counts: dict[tuple[str, str], list[int]] = {}
    for visitor, name, _, shown, success in latest.values():
        tally = counts.setdefault((name, arms[visitor] if "assigned" in rules else shown), [0, 0])
        tally[0] += 1
        tally[1] += success
    groups: dict[str, dict[str, float]] = {}
    for name, (registered, alternative, family) in plan.items():
        if registered or "registered" not in rules:
            one_sided = "direction" in rules and alternative == "greater"
            p = _p_value(counts[name, "control"], counts[name, "treatment"], one_sided)
            groups.setdefault(family if "families" in rules else "all", {})[name] = p
    adjusted: dict[str, float] = {}
    for family, values in sorted(groups.items()):
        by = {"primary": "Holm", "secondary": "Benjamini-Hochberg"}.get(family, method) if method != "none" else method
        adjusted |= _adjusted(values, by)
    return {
        "adjusted": {name: round(adjusted[name], 6) for name in sorted(adjusted)},
        "rejected": sorted(name for name in adjusted if adjusted[name] <= ALPHA),
    }


def _p_value(control: Sequence[int], treatment: Sequence[int], one_sided: bool) -> float:
    (n0, s0), (n1, s1) = control, treatment
    pooled = (s0 + s1) / (n0 + n1)
    spread = math.sqrt(pooled * (1 - pooled) * (1 / n0 + 1 / n1))
    z = (s1 / n1 - s0 / n0) / spread if spread else 0.0
    return math.erfc(z / math.sqrt(2)) / 2 if one_sided else math.erfc(abs(z) / math.sqrt(2))


def _adjusted(values: Mapping[str, float], method: str) -> dict[str, float]:
    """Adjusted p-values, each from its definition as a largest or smallest value over other tests."""
    m, ranked = len(values), sorted(values.values())
    if method == "none":
        return dict(values)
    if method == "Bonferroni":
        return {name: min(1.0, m * p) for name, p in values.items()}
    if method == "Holm":
        return {name: min(1.0, max((m - k) * q for k, q in enumerate(ranked) if q <= p)) for name, p in values.items()}
    return {name: min(1.0, *(m * q / k for k, q in enumerate(ranked, 1) if q >= p)) for name, p in values.items()}


def _other(method: str) -> str:
    return "Holm" if method == "Bonferroni" else "Bonferroni"


def _close(one: Mapping[str, object], other: Mapping[str, object]) -> bool:
    return judging.agrees(one, other, 5 * TOLERANCE)


def _clear(wanted: Mapping[str, dict[str, float] | list[str]]) -> bool:
    """Whether no adjusted p-value lies at the level of significance."""
    adjusted = wanted["adjusted"]
    return isinstance(adjusted, dict) and all(abs(p - ALPHA) > 5 * TOLERANCE for p in adjusted.values())


CORRECTIONS = {
    "Bonferroni": "the Bonferroni correction: the adjusted p-value is m times the p-value, but at most 1, for the m hypotheses that are tested",
    "Holm": "Holm's step-down procedure: with the p-values in ascending order, the adjusted p-value at rank k is the largest (m - j + 1) p(j) over all "
    "ranks j <= k, but at most 1, for the m hypotheses that are tested",
    "Benjamini-Hochberg": "the Benjamini-Hochberg step-up procedure: with the p-values in ascending order, the adjusted p-value at rank k is the smallest "
    "m p(j) / j over all ranks j >= k, for the m hypotheses that are tested",
}


def _task(outcome_name: str, rules: Sequence[str], method: str) -> str:
    by_family = (
        f"The family `primary` is adjusted by {CORRECTIONS['Holm'].replace('that are tested', 'of the family')}. The family `secondary` is adjusted by "
        f"{CORRECTIONS['Benjamini-Hochberg'].replace('that are tested', 'of the family')}."
    )
    words = {
        "first": "A visitor may occur in several rows of the same hypothesis. Only the row with the smallest `time` counts.",
        "registered": "Only hypotheses with `registered` true in plan.jsonl are tested; the others are left out of the answer and of the counts m.",
        "direction": "The test is one-sided where plan.jsonl gives the alternative `greater`: there p = erfc(z / sqrt(2)) / 2, with z negative where the "
        "treatment has the lower rate.",
        "assigned": "The column `arm` of study.csv is the arm that was shown. Each visitor counts in the arm of assignments.csv instead.",
    }
    listed = [
        "Each hypothesis is tested with the pooled two-proportion z-test. With n0 visitors and s0 successes in the arm `control`, and n1 and s1 in "
        "`treatment`: q = (s0 + s1) / (n0 + n1), z = (s1/n1 - s0/n0) / sqrt(q (1 - q) (1/n0 + 1/n1)), and the two-sided p-value is "
        "p = erfc(|z| / sqrt(2)), without a continuity correction.",
        *(words[rule] for rule in rules if rule in words),
        by_family if "families" in rules else f"The p-values are adjusted by {CORRECTIONS[method]}.",
        f"A hypothesis is rejected if its adjusted p-value is at most {ALPHA}.",
    ]
    return (
        f"A study compared two arms of a web page for several hypotheses, each about one element of the page. In study.csv, a row is a visit; "
        f"`{outcome_name}` is 1 for a success and 0 otherwise.\n\nRules of the analysis:\n{world.rules_text(listed)}\n\nWrite answer.json, an object "
        "with two keys: `adjusted`, an object from each tested hypothesis to its adjusted p-value (within "
        f"{TOLERANCE}), and `rejected`, the list of the rejected hypotheses."
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=world.turns, explain=world.explain(plan),
    concept="First fix which rows and hypotheses count, then test, and correct last: the size of the family enters the correction.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS,
    version=3,
)  # fmt: skip
