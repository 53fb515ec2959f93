"""Group records that stand for the same person, by rules for matching records that carry over from one to the next."""

from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.solutions import Derivation, Due, Solution, Step, any_order

Record = tuple[str, str, str, str, int]  # name, mail, phone, town, year of birth
NAMES = ("Ann Beck", "Carl Dorn", "Eva Falk", "Gus Hahn", "Ina Jung", "Kim Lang", "Max Noll", "Oda Pohl", "Rolf Stein", "Tina Uhl")
TOWNS = ("Oslo", "Lima", "Cairo")
RULES = {
    "mail": "They have the same mail address, ignoring case and everything from a + up to the @ (- means no address).",
    "phone": "The last six digits of their phone numbers are the same, ignoring spaces and hyphens (- alone means no phone).",
    "name": "Their names consist of the same words, in any order and ignoring case, dots and commas, and they were born in the same year.",
    "initial": "Ignoring case, they have the same last name (the word before a comma if there is one, else the last word) and the same first letter of the "
    "first name (the word after the comma, or else the first word), and they live in the same town.",
}
NEVER = "Two records whose years of birth are more than one year apart never match, whatever else is the same (but both may match a third record)."
MATCH = Step("{one} and {other} match by rule {rules}")
APART = Step("{one} and {other} would match by rule {rules}, but their years of birth, {year:int} and {later:int}, are too far apart")
GROUP = Step("Matches carry over, so {members:words} are one person")
END = "The groups are {answer}"


class Knobs(Config):
    records: int = knob(9, easy=5, hard=20, beyond=40, doc="records")
    rules: int = knob(3, easy=2, hard=4, beyond=6, doc="rules by which records match")
    noise: int = knob(50, easy=20, hard=80, doc="percent of the fields that are written in another way or missing")
    years: str = knob("apart", easy="any", hard="apart", order=("any", "apart"), doc="whether years too far apart forbid a match")


class Data(TaskData):
    records: tuple[Record, ...]
    rules: tuple[str, ...]
    apart: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, people=max(2, knobs.records * 2 // 5))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Very few persons with long chains of records, and many that stand alone."""
    return _sample_task(rng, knobs, people=max(2, knobs.records // 4), alone=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    """Spreading from each record to all that match one of its group."""
    data, ungrouped, groups = task.data, list(range(len(task.data.records))), list[list[int]]()
    while ungrouped:
        group = [ungrouped.pop(0)]
        for record in group:
            near = [other for other in ungrouped if _match(data, record, other)]
            group += near
            ungrouped = [other for other in ungrouped if other not in near]
        groups.append(sorted(group))
    return tuple("-".join(f"r{i + 1}" for i in group) for group in groups if len(group) > 1)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    given: list[list[str]] = [word.split("-") for word in answer[: len(task.data.records)]]
    listed = [name for group in given for name in group]
    if len(answer) > len(task.data.records) or len(set(listed)) < len(listed):
        return Score.wrong("a record stands in two groups, or there are too many groups")
    return Score.exact(sorted(map(sorted, given)) == _groups(task.data), "some group is missing, or is too small or too large")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data, count = task.data, len(task.data.records)
    pairs = tuple(f"r{i + 1}-r{k + 1}" for i in range(count) for k in range(i + 1, count) if _match(data, i, k))
    same = "-".join(f"r{i + 1}" for i in range(count) if data.records[i][0] == data.records[0][0])
    return [
        ("-".join(f"r{i + 1}" for i in range(count)),),
        pairs if len(set(pairs)) > 1 else ("r1-r2-r3-r4-r5",),
        (*right[:-1], "r1-r1"),
        right[1:] or (same,),
    ]


def cost(task: Task[Data]) -> float:
    return len(task.data.records) ** 2 * (1.0 + len(task.data.rules) + task.data.apart) / 2


def derive(task: Task[Data]) -> Derivation:
    data, steps = task.data, list[Due]()
    for (i, one), (k, other) in combinations(enumerate(data.records), 2):
        rules = " and ".join(str(number) for number, rule in enumerate(data.rules, 1) if _holds(rule, one, other))
        names = {"one": f"r{i + 1}", "other": f"r{k + 1}", "rules": rules}
        if rules:
            steps.append(MATCH(**names) if _match(data, i, k) else APART(**names, year=one[4], later=other[4]))
    yield from any_order(steps)
    yield from any_order([GROUP(members=group) for group in _groups(data)])


def _groups(data: Data) -> list[list[str]]:
    """By joining the labels of every pair that matches."""
    label = list(range(len(data.records)))
    for i in range(len(label)):
        for k in range(i):
            if _match(data, i, k) and label[i] != label[k]:
                old, new = label[i], label[k]
                label = [new if other_label == old else other_label for other_label in label]
    groups = [[f"r{i + 1}" for i, other_label in enumerate(label) if other_label == mark] for mark in dict.fromkeys(label)]
    return sorted(sorted(group) for group in groups if len(group) > 1)


def _match(data: Data, i: int, k: int) -> bool:
    first, second = data.records[i], data.records[k]
    return not (data.apart and abs(first[4] - second[4]) > 1) and any(_holds(rule, first, second) for rule in data.rules)


def _holds(rule: str, first: Record, second: Record) -> bool:
    match rule:
        case "mail":
            return "@" in first[1] and _mail(first[1]) == _mail(second[1])
        case "phone":
            return len(first[2]) > 1 and _digits(first[2]) == _digits(second[2])
        case "name":
            return first[4] == second[4] and sorted(_words(first[0])) == sorted(_words(second[0]))
    return first[3] == second[3] and _initial(first[0]) == _initial(second[0])


def _mail(text: str) -> str:
    name, _, host = text.lower().partition("@")
    return f"{name.partition('+')[0]}@{host}"


def _digits(text: str) -> str:
    return "".join(sign for sign in text if sign.isdigit())[-6:]


def _words(name: str) -> list[str]:
    return name.lower().replace(",", " ").replace(".", " ").split()


def _initial(name: str) -> tuple[str, str]:
    first, last = (_words(name)[1], _words(name)[0]) if "," in name else (_words(name)[0], _words(name)[-1])
    return first[0], last


def _sample_task(rng: Rng, knobs: Knobs, people: int, *, alone: bool = False) -> Task[Data]:
    rules = tuple(RULES)[: knobs.rules]
    while True:
        known = [_person(rng, name) for name in rng.sample(NAMES, min(people, len(NAMES)))]
        records = [_record(rng, known[0] if alone and rng.chance(0.5) else rng.choice(known), knobs.noise) for _ in range(knobs.records)]
        data = Data(records=tuple(records), rules=rules, apart=knobs.years == "apart")
        groups = _groups(data)
        if groups and len(groups[0]) < knobs.records and (len(groups) > 1 or knobs.records < 7 or alone):
            break
    shown = "\n".join(f"r{i} | {' | '.join(map(str, record))}" for i, record in enumerate(data.records, 1))
    rules_text = "\n".join(f"{i}. {RULES[rule]}" for i, rule in enumerate(rules, 1))
    never = f"{NEVER}\n" if data.apart else ""
    prompt = (
        f"Records (record | name | mail | phone | town | born):\n{shown}\n\nTwo records match if one of these rules holds:\n{rules_text}\n\n{never}"
        "Records that match belong to the same group, and groups that share a record are one group (if r1 matches r2 and r2 matches r3, the three are one "
        "group). Give all groups of two or more records."
    )
    return Task(prompt, data)


def _person(rng: Rng, name: str) -> Record:
    mail = f"{name.split()[0].lower()}{rng.integer(1, 99)}@post.example"
    phone = f"0{rng.integer(10, 99)} {rng.integer(100, 999)} {rng.integer(100, 999)}"
    return name, mail, phone, rng.choice(TOWNS), rng.integer(1960, 1990)


def _record(rng: Rng, person: Record, noise: int) -> Record:
    name, mail, phone, town, born = person

    def odd() -> bool:
        return rng.integer(1, 100) <= noise

    first, last = name.split()
    if odd():
        name = rng.choice(
            (f"{last}, {first}", f"{first[0]}. {last}", name.upper(), f"{last} {first}", f"{first} {rng.choice('ABC')}. {last}")
        )
    if odd():
        user, _, host = mail.partition("@")
        mail = rng.choice(("-", "-", f"{user}+{rng.choice(('shop', 'news'))}@{host}", mail.title(), f"{user}x@{host}"))
    if odd():
        phone = rng.choice(
            ("-", "-", phone.replace(" ", ""), f"+47 {phone[1:]}", phone.replace(" ", "-"), phone[:-1] + str(rng.integer(0, 9)))
        )
    if odd():
        town = rng.choice(TOWNS)
    if odd():
        born += rng.choice((-2, -1, 1, 2))
    return name, mail, phone, town, born


environment = Environment(
    Knobs,
    Words("the groups, each as its records joined by hyphens, such as r1-r4-r5, separated by spaces", max_items=80, ignore_case=True),
    generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    shift=shift, answers="many",
    solutions=lambda task: [solve(task), tuple("-".join(group.split("-")[::-1]) for group in solve(task)[::-1])],
    shared_helpers="The helper states when two records match, as the prompt does.",
    concept="Write each field in its plain form, find the pairs that match, and let groups grow together over shared records.",
    version=5,
)  # fmt: skip
