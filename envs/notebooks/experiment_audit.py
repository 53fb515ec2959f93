"""Audit A/B experiments in a Python notebook: find those that are invalid by the stated rules, and report the effects of the others.

Wrong ratios of the arms, early stops, users in both arms and bots: what is removed first changes what the later checks see.
"""

import math
from collections.abc import Callable, Mapping, Sequence

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.notebooks import judging, tables, world
from rlgym.generators.notebooks.world import LIMITS, TOOLS, Notebook, Step, act, codes, select, show, skipping, tempted

RULES = ("bots", "both_arms", "stopped", "share", "boundary")
RATIO_LIMIT, MIXED_LIMIT, TOLERANCE = 6.635, 0.05, 5e-4
FAULTS = ("none", "ratio", "stopped", "mixed", "none", "bots", "boundary")
Row = tuple[str, str, str, int]  # experiment, user, arm, success
Plan = dict[str, tuple[int, int]]  # for each experiment, its planned users and the planned share of the treatment in percent


class Knobs(Config):
    experiments: int = knob(6, easy=2, hard=12, doc="experiments")
    users: int = knob(70, easy=30, hard=130, doc="users of an experiment, about")
    rules: int = knob(3, easy=0, hard=5, doc="rules of the audit beyond the ratio of the arms")
    cells: int = knob(8, easy=10, hard=6, doc="cells that may be run")
    characters: int = knob(2000, easy=3000, hard=1400, doc="characters of output that are shown in all")


class State(Notebook):
    rules: tuple[str, ...]
    wanted: dict[str, dict[str, str] | dict[str, float]]


def start(rng: Rng, knobs: Knobs) -> State:
    rules = RULES[: knobs.rules]
    while True:
        faults = [fault for fault in FAULTS if fault in ("none", "ratio") or _needed(fault) in rules]
        made = rng.shuffled([faults[number % len(faults)] for number in range(knobs.experiments)])
        names = [f"E{number}" for number in sorted(rng.sample(range(10, 99), knobs.experiments))]
        bots = {f"u{number}" for number in rng.sample(range(1000, 9999), 400)} if "bots" in rules else set[str]()
        plan_of = {name: _planned(rng, knobs.users, rules) for name in names}
        rows = [row for name, fault in zip(names, made) for row in _rows(rng, name, fault, plan_of[name], bots, rules)]
        wanted = _audit(rows, plan_of, bots, rules)
        if wanted is None or not wanted["invalid"] or not wanted["effects"]:
            continue
        others = [_audit(rows, plan_of, bots, [other for other in rules if other != rule]) for rule in rules]
        if knobs.experiments < len(FAULTS) - 1 or all(
            other is None or not judging.agrees(other, wanted, 2 * TOLERANCE) for other in others
        ):
            break
    lines = [
        {"experiment": name, "planned_users": users} | ({"treatment_percent": percent} if "share" in rules else {})
        for name, (users, percent) in plan_of.items()
    ]
    files = {
        "users.csv": tables.csv_text(("experiment", "user", "arm", "success"), rng.shuffled(rows)),
        **({"plans.jsonl": tables.json_lines(lines)} if "stopped" in rules else {}),
        **({"bots.txt": "".join(f"{bot}\n" for bot in sorted(bots))} if bots else {}),
    }
    return State(
        task=_task(rules), before=world.files(files), most_cells=knobs.cells, characters=knobs.characters, rules=rules, wanted=wanted
    )


def outcome(state: State) -> Score | None:
    return judging.judged_answer(state, state.wanted, TOLERANCE)


CODE = """
import csv, json, math
bots = set()
bots = set(open('bots.txt').read().split())  #[bots]
plans = {}
for line in open('plans.jsonl'):  #[planned]
    entry = json.loads(line)  #[planned]
    plans[entry['experiment']] = entry  #[planned]
seen = {}
for row in csv.DictReader(open('users.csv')):
    if row['user'] not in bots:
        seen.setdefault(row['experiment'], {}).setdefault(row['user'], []).append((row['arm'], int(row['success'])))
answer = {'invalid': {}, 'effects': {}}
for name, users in sorted(seen.items()):
    mixed = 0
    counts = {'control': [0, 0], 'treatment': [0, 0]}
    for rows in users.values():
        if len({arm for arm, _ in rows}) > 1:  #[both_arms]
            mixed += 1  #[both_arms]
            continue  #[both_arms]
        counts[rows[0][0]][0] += 1
        counts[rows[0][0]][1] += rows[0][1]
    (n0, s0), (n1, s1) = counts['control'], counts['treatment']
    n, share = n0 + n1, 0.5
    share = plans[name]['treatment_percent'] / 100  #[share]
    chi = (n1 - n * share) ** 2 / (n * share) + (n0 - n * (1 - share)) ** 2 / (n * (1 - share))
    pooled = (s0 + s1) / n
    z = (s1 / n1 - s0 / n0) / math.sqrt(pooled * (1 - pooled) * (1 / n0 + 1 / n1))
    early = False
    early = n < plans[name]['planned_users']  #[stopped]
    if early and abs(z) >= 1.96 * math.sqrt(plans[name]['planned_users'] / n):  #[boundary]
        early = False  #[boundary]
    if mixed > 0.05 * len(users):
        answer['invalid'][name] = 'mixed'
    elif chi > 6.635:
        answer['invalid'][name] = 'ratio'
    elif early:
        answer['invalid'][name] = 'stopped'
    else:
        answer['effects'][name] = s1 / n1 - s0 / n0
json.dump(answer, open('answer.json', 'w'))
answer
"""


def plan(state: State, without: str = "") -> list[Step]:
    chosen = [rule for rule in state.rules if rule != without]
    chosen += ["planned"] if {"stopped", "share"} & set(chosen) else []
    if "stopped" not in chosen and "boundary" in chosen:
        chosen.remove("boundary")
    return [
        Step(select(CODE, chosen), "Remove users in the stated order, count the arms, and run the checks in their order of precedence.")
    ]


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    return {rule: skipping(plan(first, rule)) for rule in first.rules}


def mistakes(state: State) -> list[Calls]:
    # Reports the effects of all experiments, or none.
    everything = codes(plan(state))[0].replace("> 6.635", "> 1e9").replace("elif early", "elif False").replace("0.05 * len", "9 * len")
    return tempted(state, [[everything], ["open('answer.json', 'w').write('{\"invalid\": {}, \"effects\": {}}')"]])


def cost(state: State) -> float:
    return sum(len(entry.content) for entry in state.before.values()) / 1000 * (1 + len(state.rules))


def _needed(fault: str) -> str:
    return {"mixed": "both_arms"}.get(fault, fault)


def _planned(rng: Rng, users: int, rules: Sequence[str]) -> tuple[int, int]:
    return users + rng.integer(-users // 8, users // 8), rng.choice((30, 40, 60, 70)) if "share" in rules else 50


def _rows(rng: Rng, name: str, fault: str, planned: tuple[int, int], bots: set[str], rules: Sequence[str]) -> list[Row]:
    """The users of an experiment; bots among them are removed by the audit and are not part of the planned number."""
    users, percent = planned
    users += rng.integer(4, 9) + users // 8
    size = users * 4 // 7 if fault in ("stopped", "boundary") and "stopped" in rules else users
    share = percent / 100 + (rng.choice((-0.24, 0.24)) if fault == "ratio" else 0.0)
    rates = (0.15, 0.85) if fault == "boundary" else (rng.real(0.3, 0.5), rng.real(0.3, 0.6))
    numbers = [f"u{number}" for number in rng.sample(range(10_000, 99_999), size)]
    treated = round(share * size) + rng.integer(-1, 1)
    rows = []
    for place, user in enumerate(numbers):
        arm = "treatment" if place < treated else "control"
        rows.append((name, user, arm, int(rng.chance(rates[arm == "treatment"]))))
    if "both_arms" in rules:
        several = size // 9 + 1 if fault == "mixed" else max(1, size // 40)
        rows += [(name, user, "control" if arm == "treatment" else "treatment", 1) for _, user, arm, _ in rng.sample(rows, several)]
    if "bots" in rules:
        # Bots lie in one arm, which hides a wrong ratio or makes one.
        count = size // 3 if fault == "bots" else size // 12
        rows += [
            (name, user, rng.choice(("treatment", "control")) if fault != "bots" else "control", 1)
            for user in rng.sample(sorted(bots), count)
        ]
    return rows


def _audit(rows: Sequence[Row], plan_of: Plan, bots: set[str], rules: Sequence[str]) -> dict[str, dict[str, str] | dict[str, float]] | None:
    """The answer; None where a check is too close to its limit."""
    by_user: dict[str, dict[str, dict[str, int]]] = {name: {} for name in plan_of}
    for name, user, arm, success in rows:
        if user not in bots or "bots" not in rules:
            by_user[name].setdefault(user, {}).setdefault(arm, success)
    invalid, effects = dict[str, str](), dict[str, float]()
    for name, (planned, percent) in plan_of.items():
        users = by_user[name]
        single = [arms for arms in users.values() if len(arms) == 1 or "both_arms" not in rules]
        mixed = len(users) - len(single)
        treated = [next(iter(arms.values())) for arms in single if next(iter(arms)) == "treatment"]
        control = [next(iter(arms.values())) for arms in single if next(iter(arms)) == "control"]
        n, share = len(single), percent / 100 if "share" in rules else 0.5
        ratio = (len(treated) - n * share) ** 2 / (n * share * (1 - share))
        pooled = (sum(treated) + sum(control)) / n
        effect = sum(treated) / len(treated) - sum(control) / len(control)
        z = abs(effect) / math.sqrt(pooled * (1 - pooled) * (1 / len(treated) + 1 / len(control)))
        bound = 1.96 * math.sqrt(planned / n)
        if abs(ratio - RATIO_LIMIT) < 0.01 or abs(z - bound) < 0.01 or abs(mixed - MIXED_LIMIT * len(users)) < 0.01:
            return None
        early = "stopped" in rules and n < planned and not ("boundary" in rules and z > bound)
        reason = "mixed" if mixed > MIXED_LIMIT * len(users) else "ratio" if ratio > RATIO_LIMIT else "stopped" if early else ""
        if reason:
            invalid[name] = reason
        else:
            effects[name] = round(effect, 6)
    return {"invalid": invalid, "effects": effects}


def _task(rules: Sequence[str]) -> str:
    planned = "`treatment_percent` of plans.jsonl" if "share" in rules else "50 percent"
    except_for = (
        ", unless |z| >= 1.96 sqrt(planned_users / n), where z = (s1/n1 - s0/n0) / sqrt(q (1 - q) (1/n0 + 1/n1)), q = (s0 + s1) / n, and s0 and s1 count the "
        "successes of the arms"
        if "boundary" in rules
        else ""
    )
    mixed = (
        f"`mixed`: of all its users{' that are not in bots.txt' if 'bots' in rules else ''}, more than 5 percent were seen in both arms."
    )
    reasons = [
        *([mixed] if "both_arms" in rules else []),
        f"`ratio`: (n1 - n p)^2 / (n p) + (n0 - n (1 - p))^2 / (n (1 - p)) > {RATIO_LIMIT}, where n0 users are in `control`, n1 in `treatment`, n = n0 + n1, "
        f"and p is the planned share of the treatment, {planned}.",
        *([f"`stopped`: n is smaller than its `planned_users` in plans.jsonl{except_for}."] if "stopped" in rules else []),
    ]  # fmt: skip
    listed = [
        *(["Users of bots.txt are left out of everything."] if "bots" in rules else []),
        *(["Users who were seen in both arms of an experiment are left out of its counts n0 and n1 and of its effect."] if "both_arms" in rules else []),
        f"An experiment is invalid for the first of these reasons that applies: {' '.join(reasons)}" if len(reasons) > 1
        else f"An experiment is invalid for this reason: {reasons[0]}",
        "The effect of an experiment is the share of successes in `treatment` minus that in `control`.",
    ]  # fmt: skip
    return (
        "users.csv holds the users of several A/B experiments: in each row an experiment, a user, the arm in which the user was seen, and whether it was a "
        f"success (1 or 0).\n\nRules of the audit:\n{world.rules_text(listed)}\n\nWrite answer.json, an object with two keys: `invalid`, an object from each "
        f"invalid experiment to its reason, and `effects`, an object from each other experiment to its effect (within {TOLERANCE})."
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=world.turns, explain=world.explain(plan),
    concept="Remove users in the stated order before you count, and judge validity before you look at an effect.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS,
    version=3,
)  # fmt: skip
