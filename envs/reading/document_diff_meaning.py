"""Compare two versions of a set of rules, sentence by sentence, and tell which have changed in meaning and not only in words."""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.facts import Bank, followed, numbered, told
from rlgym.generators.steps import Line, ended, first_wrong

SAME = Line("Rule {at} says in both versions: {meaning}")
CHANGED = Line("Rule {at} said: {meaning} It now says: {other}")
FOUND = Line("Rule {at} stands in the new version as rule {by}: {meaning}")
GONE = Line("Rule {at} stands nowhere in the new version: {meaning}")
END = "Answer: "
# The first way of each kind is how its meaning is written down in a worked solution.
BANK = Bank("""
before: The {a} comes before the {b}. | The {b} comes after the {a}. | Not until the {a} is over does the {b} begin.
before: By the time of the {b}, the {a} is over.
before: The {a} precedes the {b}. | The {b} follows the {a}, though maybe not at once.
min: Every {a} has at least {number} {b}s on board. | No {a} has fewer than {number} {b}s on board.
min: There are {number} or more {b}s on every {a}.
min: On every {a} the {b}s number {number} or above.
more: Every {a} has more than {number} {b}s on board. | No {a} makes do with {number} {b}s or fewer.
more: There are always above {number} {b}s on a {a}.
max: Every {a} has at most {number} {b}s on board. | No {a} has more than {number} {b}s on board.
max: There are {number} or fewer {b}s on every {a}.
max: On every {a} the {b}s number {number} or below.
less: Every {a} has fewer than {number} {b}s on board. | No {a} takes {number} {b}s or more.
less: There are always under {number} {b}s on a {a}.
needs: Whoever carries a {a} also carries a {b}. | Nobody carries a {a} without a {b}. | Those who carry no {b} carry no {a} either.
needs: Only those who carry a {b} carry a {a}. | A {a} is carried by nobody but those who have a {b} too.
bars: Nobody carries both a {a} and a {b}. | Whoever carries a {a} carries no {b}. | A {a} and a {b} are never carried by one person.
bars: Only those who carry no {b} carry a {a}. | Of those who carry a {a}, nobody has a {b}.
either: Everybody carries a {a} or a {b}, or both. | Whoever carries no {a} carries a {b}. | Nobody goes with neither a {a} nor a {b}.
either: Only those who carry a {a} go without a {b}.
""")
KINDS = {"order": ("before",), "numbers": ("before", "min", "max"), "logic": ("min", "max", "needs", "bars", "either")}
WORDED = {"min": ("min", "more"), "max": ("max", "less")}
SYMMETRIC = ("bars", "either")
TASKS = "sweeping baking toast parade count toll prayer supper lesson drill market concert washing".split()
BOATS = "ferry barge cutter punt raft galley sloop trawler".split()
STORES = "rope lamp anchor blanket barrel oar bucket flag".split()
THINGS = "whistle lantern dagger compass purse scarf token badge flask mirror pipe comb".split()


class Knobs(Config):
    rules: int = knob(14, easy=5, hard=60, doc="rules in each version", scale="log")
    changes: int = knob(4, easy=2, hard=14, doc="most rules that change")
    kinds: str = knob(
        "numbers", easy="order", hard="logic", order=("order", "numbers", "logic"), doc="what the rules are about, and how they may be said"
    )


class Rule(TaskData):
    kind: str
    a: str
    b: str
    number: int = 0


class Data(TaskData):
    old: tuple[Rule, ...]
    new: tuple[Rule, ...]
    moved: bool
    changed: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, moved=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The new version has its rules in another order, so that each old rule must be found again first."""
    return _made(rng, knobs, moved=True)


def solve(task: Task[Data]) -> tuple[int, ...]:
    # Reads both versions and compares what is left when the wording is taken away.
    old, new = ([_meant(kind, gaps) for _, (kind, gaps) in told(part, BANK)] for part in task.prompt.split("The new version:"))
    if "another order" in task.prompt:
        return tuple(at for at, rule in enumerate(old, 1) if rule not in new)
    return tuple(at for at, (one, other) in enumerate(zip(old, new), 1) if one != other)


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if len(set(answer)) < len(answer):
        return Score.wrong("a number stands twice")
    if set(answer) - set(task.data.changed):
        return Score.wrong("a rule is named that means the same as before")
    return Score.exact(answer == task.data.changed, "a rule that has changed is missing, or the numbers are not in rising order")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    other = next(at for at in range(1, len(task.data.old) + 1) if at not in right)
    every = tuple(range(1, len(task.data.old) + 1))
    return [right[1:], tuple(sorted((*right, other))), (other,), every, right[:-1], tuple(at for at in every if at not in right)]


def cost(task: Task[Data]) -> float:
    weights = {"before": 2, "min": 3, "max": 3, "needs": 5, "bars": 5, "either": 5}
    return float(sum(weights[rule.kind] for rule in task.data.old) * (2 if task.data.moved else 1))


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, list[str]()
    for at, rule in enumerate(data.old, 1):
        meaning = _written(rule)
        if data.moved and rule in data.new:
            steps.append(FOUND.write(at=at, by=data.new.index(rule) + 1, meaning=meaning))
        elif data.moved:
            steps.append(GONE.write(at=at, meaning=meaning))
        elif data.new[at - 1] == rule:
            steps.append(SAME.write(at=at, meaning=meaning))
        else:
            steps.append(CHANGED.write(at=at, meaning=meaning, other=_written(data.new[at - 1])))
    return [*steps, END + ", ".join(map(str, solve(task)))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    read = [0]

    def rule(at: str, meaning: str) -> Rule:
        read.append(int(at))
        one = data.old[read[-2]]
        if read[-1] != read[-2] + 1 or _written(one) != meaning:
            raise LookupError(at)
        return one

    def same(at: str, meaning: str) -> bool:
        return rule(at, meaning) == data.new[int(at) - 1] and not data.moved

    def changed(at: str, meaning: str, other: str) -> bool:
        return rule(at, meaning) != data.new[int(at) - 1] and _written(data.new[int(at) - 1]) == other and not data.moved

    def found(at: str, by: str, meaning: str) -> bool:
        return int(by) > 0 and rule(at, meaning) == data.new[int(by) - 1]

    def gone(at: str, meaning: str) -> bool:
        return rule(at, meaning) not in data.new

    return first_wrong(
        steps, followed((CHANGED, changed), (SAME, same), (FOUND, found), (GONE, gone)), ended(END, task, environment.answer, verify)
    )


def _meant(kind: str, gaps: dict[str, str]) -> Rule:
    """What a sentence means, whichever way it is said."""
    number = int(gaps.get("number", "0"))
    if kind in ("more", "less"):
        return Rule(kind="min" if kind == "more" else "max", a=gaps["a"], b=gaps["b"], number=number + (1 if kind == "more" else -1))
    a, b = sorted((gaps["a"], gaps["b"])) if kind in SYMMETRIC else (gaps["a"], gaps["b"])
    return Rule(kind=kind, a=a, b=b, number=number)


def _written(rule: Rule) -> str:
    return BANK.phrasings[rule.kind][0].format(**rule.model_dump(exclude={"kind"}))


def _said(rng: Rng, rule: Rule, worded: bool) -> str:
    kind = rng.choice(WORDED.get(rule.kind, (rule.kind,))) if worded else rule.kind
    number = rule.number + {"more": -1, "less": 1}.get(kind, 0)
    a, b = (rule.b, rule.a) if rule.kind in SYMMETRIC and rng.chance(0.5) else (rule.a, rule.b)
    return BANK.say(rng, kind, a=a, b=b, number=number)


def _drawn(rng: Rng, kinds: Sequence[str]) -> Rule:
    kind = rng.choice(kinds)
    if kind in ("min", "max"):
        return Rule(kind=kind, a=rng.choice(BOATS), b=rng.choice(STORES), number=rng.integer(3, 20))
    a, b = rng.sample(TASKS if kind == "before" else THINGS, 2)
    return Rule(kind=kind, a=min(a, b) if kind in SYMMETRIC else a, b=max(a, b) if kind in SYMMETRIC else b)


def _changed(rng: Rng, rule: Rule) -> Rule:
    """A rule that looks much the same and means something else."""
    if rule.kind in ("min", "max"):
        if rng.chance(0.2):
            return rule.model_copy(update={"kind": "max" if rule.kind == "min" else "min"})
        return rule.model_copy(update={"number": rule.number + rng.choice((-1, 1))})
    if rule.kind == "before" or (rule.kind == "needs" and rng.chance(0.5)):
        return rule.model_copy(update={"a": rule.b, "b": rule.a})
    kind = rng.choice([kind for kind in ("needs", "bars", "either") if kind != rule.kind])
    a, b = sorted((rule.a, rule.b)) if kind in SYMMETRIC or rng.chance(0.5) else (rule.b, rule.a)
    return Rule(kind=kind, a=a, b=b)


def _pair(rule: Rule) -> tuple[str, ...]:
    """What a rule is about: no two rules of a version are about the same, so that each has its own counterpart."""
    return tuple(sorted((rule.a, rule.b)))


def _made(rng: Rng, knobs: Knobs, moved: bool) -> Task[Data]:
    drawn = dict[tuple[str, ...], Rule]()
    while len(drawn) < knobs.rules:
        rule = _drawn(rng, KINDS[knobs.kinds])
        drawn.setdefault(_pair(rule), rule)
    old = list(drawn.values())
    count = rng.integer(1, min(knobs.changes, max(2, knobs.rules // 2)))
    changed = tuple(sorted(rng.sample(range(1, knobs.rules + 1), count)))
    new = [_changed(rng, rule) if at in changed else rule for at, rule in enumerate(old, 1)]
    worded = knobs.kinds != "order"
    before = [_said(rng, rule, worded) for rule in old]
    after = list[str]()
    for rule, text in zip(new, before):
        said = text
        while said == text:  # what stays the same in meaning is said in other words, so that words betray nothing
            said = _said(rng, rule, worded)
        after.append(said)
    order = rng.shuffled(range(knobs.rules)) if moved else list(range(knobs.rules))
    where = " in another order" if moved else ", rule by rule"
    question = (
        "Which rules of the old version stand nowhere in the new one, in whatever words?"
        if moved
        else "Which rules have changed in meaning?"
    )
    prompt = (
        f"A set of rules was written anew{where}, mostly in other words. Numbers of things are whole numbers, and coming before or "
        f"after is meant strictly.\n\n"
        f"The old version:\n{numbered(before)}\n\nThe new version:\n{numbered(after[k] for k in order)}\n\n"
        f"{question} Give their numbers in the old version, in rising order. A rule means the same if, taken by itself, it demands and "
        f"forbids the same, however it is worded."
    )
    return Task(prompt, Data(old=tuple(old), new=tuple(new[k] for k in order), moved=moved, changed=changed))


environment = Environment(
    Knobs,
    Numbers("the numbers in rising order, separated by commas", most=200),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="Write each rule in one plain form, such as if this then that or at least so many, and compare the forms instead of the words.",
)
