"""Estimate a mean from a survey in which answers are missing because of their size, by the stated estimator, in a Python notebook.

Codes look like numbers, questions were not asked of everybody, and a second survey of some who did not answer stands for all of them.
"""

from collections.abc import Callable, Mapping, Sequence

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.notebooks import judging, tables, world
from rlgym.generators.notebooks.world import LIMITS, TOOLS, Notebook, Step, act, codes, select, show, skipping, tempted

RULES = ("codes", "strata", "followup", "filter", "limits")
TOLERANCE = 0.01
TOPICS = (
    ("rent", "pays_rent"),
    ("fuel", "has_car"),
    ("tuition", "studies"),
    ("fees", "is_member"),
    ("wages", "works"),
    ("premium", "is_insured"),
)
Person = tuple[str, str, bool, str, str]  # id, stratum, whether the question applies, text of the answer, text of the second answer


class Knobs(Config):
    people: int = knob(260, easy=12, hard=700, doc="people who were asked, about")
    strata: int = knob(3, easy=2, hard=5, doc="strata of the population")
    rules: int = knob(3, easy=0, hard=5, doc="rules of the estimator, plain ones first")
    cells: int = knob(8, easy=10, hard=6, doc="cells that may be run")
    characters: int = knob(1800, easy=3000, hard=1200, doc="characters of output that are shown in all")


class State(Notebook):
    rules: tuple[str, ...]
    topic: tuple[str, str]
    codes: tuple[str, str]
    limits: tuple[int, int]
    wanted: dict[str, float | dict[str, int]]


def start(rng: Rng, knobs: Knobs) -> State:
    rules, topic = RULES[: knobs.rules], rng.choice(TOPICS)
    while True:
        codes_used = (rng.choice(("-8", "-1", "0.0")), rng.choice(("9999", "999", "7777")))
        limits = (rng.integer(4, 9) * 10, rng.integer(11, 15) * 100)
        strata = {name: rng.integer(200, 9000) for name in rng.sample(tables.TEAMS, knobs.strata)}
        people = [
            person
            for name in strata
            for person in _people(rng, name, max(5, knobs.people // knobs.strata) + rng.integer(0, 4), rules, codes_used, limits)
        ]
        wanted = _estimate(people, strata, rules, codes_used, limits)
        others = [_estimate(people, strata, [other for other in rules if other != rule], codes_used, limits) for rule in rules]
        if not any(abs(float(str(other["mean"])) - float(str(wanted["mean"]))) < 10 * TOLERANCE for other in others):
            break
    question, condition = topic
    columns = ("id", "stratum", *((condition,) if "filter" in rules else ()), question)
    rows = [(name, stratum, *((("no", "yes")[asked],) if "filter" in rules else ()), text) for name, stratum, asked, text, _ in people]
    files = {
        "survey.csv": tables.csv_text(columns, rng.shuffled(rows)),
        **({"population.csv": tables.csv_text(("stratum", "people"), list(strata.items()))} if "strata" in rules else {}),
        **(
            {"second.csv": tables.csv_text(("id", question), [(p[0], p[4]) for p in rng.shuffled(people) if p[4]])}
            if "followup" in rules
            else {}
        ),
    }
    return State(
        task=_task(topic, rules, codes_used, limits), before=world.files(files), most_cells=knobs.cells, characters=knobs.characters,
        rules=rules, topic=topic, codes=codes_used, limits=limits, wanted=wanted,
    )  # fmt: skip


def outcome(state: State) -> Score | None:
    return judging.judged_answer(state, state.wanted, TOLERANCE)


CODE = """
import csv, json
second = {}
second = {r['id']: r[<<question>>] for r in csv.DictReader(open('second.csv'))}  #[followup]
def number(text):
    if text in <<codes>>:  #[codes]
        return None  #[codes]
    if text.startswith('<'):  #[limits]
        return float(text[1:]) / 2  #[limits]
    if text.startswith('>'):  #[limits]
        return float(text[1:]) * 1.5  #[limits]
    text = text.lstrip('<>')  #[!limits]
    return float(text) if text else None
strata, missing = {}, {}
for row in csv.DictReader(open('survey.csv')):
    value = number(row[<<question>>])
    if row[<<condition>>] == 'no':  #[filter]
        value = 0.0  #[filter]
    name = row['stratum']
    answered, again, count = strata.setdefault(name, ([], [], [0]))
    missing.setdefault(name, 0)
    if value is not None:
        answered.append(value)
        continue
    missing[name] += 1
    count[0] += 1  #[followup]
    later = number(second.get(row['id'], ''))
    if later is not None:
        again.append(later)
def mean(values):
    return sum(values) / len(values) if values else 0.0
size = {name: len(answered) + count[0] for name, (answered, again, count) in strata.items()}
weight = size
weight = {r['stratum']: int(r['people']) for r in csv.DictReader(open('population.csv'))}  #[strata]
total = 0.0
for name, (answered, again, count) in strata.items():
    total += weight[name] * (len(answered) * mean(answered) + count[0] * mean(again)) / size[name]
answer = {'mean': total / sum(weight.values()), 'missing': missing}
json.dump(answer, open('answer.json', 'w'))
answer
"""


def plan(state: State, without: str = "") -> list[Step]:
    chosen = [rule for rule in state.rules if rule != without]
    code = select(CODE, chosen, question=state.topic[0], condition=state.topic[1], codes=state.codes)
    return [Step(code, "Read each answer as a value or as missing, then estimate stratum by stratum, and weight the strata last.")]


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    return {rule: skipping(plan(first, rule)) for rule in first.rules}


def mistakes(state: State) -> list[Calls]:
    # Counts missing answers as zero, or takes the mean of all numbers of the file.
    zero = codes(plan(state))[0].replace("if text else None", "if text else 0.0").replace("return None", "return 0.0")
    return tempted(state, [[zero], *([codes(plan(state, state.rules[0]))] if state.rules else [])])


def cost(state: State) -> float:
    return sum(len(entry.content) for entry in state.before.values()) / 1000 * (1 + len(state.rules))


def _people(rng: Rng, stratum: str, count: int, rules: Sequence[str], codes_used: Sequence[str], limits: Sequence[int]) -> list[Person]:
    """People of a stratum: the larger the amount, the rarer an answer."""
    level = rng.integer(150, 700)
    people = []
    for number in range(count):
        amount = max(1, round(level * (1 + 0.45 * tables.noise(rng))) + (rng.integer(400, 900) if rng.chance(0.1) else 0))
        while str(amount) in codes_used:
            amount += 1
        asked = "filter" not in rules or rng.chance(0.75)
        answers = number % 4 != 3 and not rng.chance(min(0.6, amount / 2500))
        silent = rng.choice(("", *codes_used)) if "codes" in rules else ""
        text = (
            (_shown(amount, rules, limits) if answers else silent)
            if asked
            else rng.choice(("", "", *codes_used[:1]))
            if "codes" in rules
            else ""
        )
        again = "followup" in rules and asked and not answers and (number % 8 == 3 or rng.chance(0.5))
        people.append(
            (f"{stratum[:2]}{rng.integer(0, 9)}{number:04}", stratum, asked, text, _shown(amount, rules, limits) if again else "")
        )
    return people


def _shown(amount: int, rules: Sequence[str], limits: Sequence[int]) -> str:
    low, high = limits
    if "limits" not in rules:
        return str(amount)
    return f"<{low}" if amount < low else f">{high}" if amount > high else str(amount)


def _estimate(
    people: Sequence[Person], strata: Mapping[str, int], rules: Sequence[str], codes_used: Sequence[str], limits: Sequence[int]
) -> dict[str, float | dict[str, int]]:
    def value(text: str) -> float | None:
        if not text or ("codes" in rules and text in codes_used):
            return None
        bound = float(text.lstrip("<>"))
        factor = {"<": 0.5, ">": 1.5}.get(text[0], 1.0) if "limits" in rules else 1.0
        return bound * factor

    means, sizes, missing = dict[str, float](), dict[str, int](), dict[str, int]()
    for name in strata:
        own = [person for person in people if person[1] == name]
        first = [0.0 if "filter" in rules and not asked else value(text) for _, _, asked, text, _ in own]
        known = [each for each in first if each is not None]
        later = [value(person[4]) for person, each in zip(own, first) if each is None]
        again = [each for each in later if each is not None]
        missing[name] = len(first) - len(known)
        sizes[name], means[name] = len(known), sum(known) / len(known)
        if "followup" in rules and again:
            sizes[name] = len(own)
            means[name] = (sum(known) + missing[name] * sum(again) / len(again)) / len(own)
    weights = strata if "strata" in rules else sizes
    return {"mean": round(sum(weights[name] * means[name] for name in strata) / sum(weights.values()), 6), "missing": missing}


def _task(topic: tuple[str, str], rules: Sequence[str], codes_used: Sequence[str], limits: Sequence[int]) -> str:
    question, condition = topic
    words = {
        "codes": f"The answers `{codes_used[0]}` and `{codes_used[1]}` are codes for a missing answer, as is an empty field.",
        "filter": f"People with `{condition}` = no were not asked for `{question}`: their value is 0, whatever the field holds, and is not missing.",
        "limits": f"Small and large amounts were not recorded exactly: an answer `<{limits[0]}` counts as {limits[0] / 2:g}, and an answer `>{limits[1]}` "
        f"as {limits[1] * 1.5:g}.",
        "followup": "Some people whose answer is missing were asked again, and second.csv holds what they said, to be read by the same rules. In each "
        "stratum, their mean stands for all people whose answer is missing: the mean of the stratum is (r times the mean of the r values that are not "
        "missing + m times the mean of the second answers) / (r + m), where m people have a missing value.",
        "strata": "The mean of the population is the mean of the strata, weighted by their numbers of people in population.csv.",
    }
    first = [] if "codes" in rules else ["An empty field is a missing answer."]
    base = (
        []
        if "followup" in rules
        else ["People whose answer is missing are left out of the mean" + (" of their stratum." if "strata" in rules else ".")]
    )
    listed = [*first, *(words[rule] for rule in ("codes", "filter", "limits") if rule in rules), *base]
    listed += [words[rule] for rule in ("followup", "strata") if rule in rules]
    return (
        f"survey.csv holds the answers of a sample of people to the question about their monthly `{question}`. Estimate the mean of the population.\n\n"
        f"Rules of the estimator:\n{world.rules_text(listed)}\n\nWrite answer.json, an object with the keys `mean` (within {TOLERANCE}) and `missing` (an "
        "object from each stratum to the number of its people in survey.csv whose answer is missing)."
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=world.turns, explain=world.explain(plan),
    concept="Decide for each person whether the value is known, missing or zero by design; those who were asked again stand for the others who kept silent.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS,
    version=3,
)  # fmt: skip
