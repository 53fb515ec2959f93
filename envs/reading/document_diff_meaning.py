"""Compare two versions of a set of rules, sentence by sentence, and tell which have changed in meaning and not only in words."""

from collections.abc import Sequence
from functools import partial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.facts import Bank, numbered, read_statements
from rlgym.solutions import Derivation, Solution, Step

SAME = Step("Rule {at} says in both versions: {meaning}")
CHANGED = Step("Rule {at} said: {meaning} It now says: {other}")
FOUND = Step("Rule {at:int} stands in the new version as rule {by:int}: {meaning}")
GONE = Step("Rule {at} stands nowhere in the new version: {meaning}")
# The first way of each kind is how its meaning is written down in a worked solution.
BANK = Bank("""
before: The {a} comes before the {b}. | The {b} comes after the {a}. | Not until the {a} is over does the {b} begin.
before: By the time of the {b}, the {a} is over.
before: The {a} precedes the {b}. | The {b} follows the {a}, though maybe not at once.
min: Every {a} has at least {number} {b}s on board. | No {a} has fewer than {number} {b}s on board.
min: There are {number} or more {b}s on every {a}.
min: On every {a} there are always {number} {b}s or more.
more: Every {a} has more than {number} {b}s on board. | No {a} makes do with {number} {b}s or fewer.
more: There are always more than {number} {b}s on a {a}.
max: Every {a} has at most {number} {b}s on board. | No {a} has more than {number} {b}s on board.
max: There are {number} or fewer {b}s on every {a}.
max: On every {a} there are always {number} {b}s or fewer.
less: Every {a} has fewer than {number} {b}s on board. | No {a} has {number} {b}s or more on board.
less: There are always fewer than {number} {b}s on a {a}.
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
    return _sample_task(rng, knobs, moved=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The new version has its rules in another order, so that each old rule must be found again first."""
    return _sample_task(rng, knobs, moved=True)


def solve(task: Task[Data]) -> tuple[int, ...]:
    # Reads both versions and compares what is left when the wording is taken away.
    old, new = ([_meant(kind, gaps) for _, (kind, gaps) in read_statements(part, BANK)] for part in task.prompt.split("The new version:"))
    if "another order" in task.prompt:
        return tuple(at for at, rule in enumerate(old, 1) if rule not in new)
    return tuple(at for at, (first, second) in enumerate(zip(old, new), 1) if first != second)


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if len(set(answer)) < len(answer):
        return Score.wrong("a number stands twice")
    if set(answer) - set(task.data.changed):
        return Score.wrong("a rule is named that means the same as before")
    return Score.exact(answer == task.data.changed, "a rule that has changed is missing, or the numbers are not in ascending order")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    other = next(at for at in range(1, len(task.data.old) + 1) if at not in right)
    every = tuple(range(1, len(task.data.old) + 1))
    return [right[1:], tuple(sorted((*right, other))), (other,), every, right[:-1], tuple(at for at in every if at not in right)]


def cost(task: Task[Data]) -> float:
    weights = {"before": 2, "min": 3, "max": 3, "needs": 5, "bars": 5, "either": 5}
    return float(sum(weights[rule.kind] for rule in task.data.old) * (2 if task.data.moved else 1))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    for at, rule in enumerate(data.old, 1):
        meaning = _canonical_text(rule)
        if data.moved and rule in data.new:
            step = FOUND(at=at, by=data.new.index(rule) + 1, meaning=meaning)
            yield step.accepting(partial(_stands_as, data, at))
        elif data.moved:
            yield GONE(at=at, meaning=meaning)
        elif data.new[at - 1] == rule:
            yield SAME(at=at, meaning=meaning)
        else:
            yield CHANGED(at=at, meaning=meaning, other=_canonical_text(data.new[at - 1]))


def _stands_as(data: Data, due: int, /, at: int, by: int, meaning: str) -> bool:
    """Whether the old rule is this rule of the new version."""
    rule = data.old[due - 1]
    return at == due and by > 0 and meaning == _canonical_text(rule) and data.new[by - 1] == rule


def _meant(kind: str, gaps: dict[str, str]) -> Rule:
    """What a sentence means, whichever way it is said."""
    number = int(gaps.get("number", "0"))
    if kind in ("more", "less"):
        return Rule(kind="min" if kind == "more" else "max", a=gaps["a"], b=gaps["b"], number=number + (1 if kind == "more" else -1))
    a, b = sorted((gaps["a"], gaps["b"])) if kind in SYMMETRIC else (gaps["a"], gaps["b"])
    return Rule(kind=kind, a=a, b=b, number=number)


def _canonical_text(rule: Rule) -> str:
    return BANK.phrasings[rule.kind][0].format(**rule.model_dump(exclude={"kind"}))


def _phrase_rule(rng: Rng, rule: Rule, worded: bool) -> str:
    kind = rng.choice(WORDED.get(rule.kind, (rule.kind,))) if worded else rule.kind
    if kind == "more" and rule.number == 2:
        kind = rule.kind  # rather `at least 2 ropes` than `more than 1 ropes`
    number = rule.number + {"more": -1, "less": 1}.get(kind, 0)
    a, b = (rule.b, rule.a) if rule.kind in SYMMETRIC and rng.chance(0.5) else (rule.a, rule.b)
    return BANK.say(rng, kind, a=a, b=b, number=number)


def _sample_rule(rng: Rng, kinds: Sequence[str]) -> Rule:
    kind = rng.choice(kinds)
    if kind in ("min", "max"):
        return Rule(kind=kind, a=rng.choice(BOATS), b=rng.choice(STORES), number=rng.integer(3, 20))
    a, b = rng.sample(TASKS if kind == "before" else THINGS, 2)
    return Rule(kind=kind, a=min(a, b) if kind in SYMMETRIC else a, b=max(a, b) if kind in SYMMETRIC else b)


def _change(rng: Rng, rule: Rule) -> Rule:
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


def _sample_task(rng: Rng, knobs: Knobs, moved: bool) -> Task[Data]:
    drawn = dict[tuple[str, ...], Rule]()
    while len(drawn) < knobs.rules:
        rule = _sample_rule(rng, KINDS[knobs.kinds])
        drawn.setdefault(_pair(rule), rule)
    old = list(drawn.values())
    count = rng.integer(1, min(knobs.changes, max(2, knobs.rules // 2)))
    changed = tuple(sorted(rng.sample(range(1, knobs.rules + 1), count)))
    new = [_change(rng, rule) if at in changed else rule for at, rule in enumerate(old, 1)]
    worded = knobs.kinds != "order"
    before = [_phrase_rule(rng, rule, worded) for rule in old]
    after = list[str]()
    for rule, text in zip(new, before):
        rephrased = text
        while rephrased == text:  # what stays the same in meaning is said in other words, so that words betray nothing
            rephrased = _phrase_rule(rng, rule, worded)
        after.append(rephrased)
    order = rng.shuffled(range(knobs.rules)) if moved else list(range(knobs.rules))
    where = " in another order" if moved else ", rule by rule"
    question = (
        "Which rules of the old version are nowhere in the new one, in whatever words?" if moved else "Which rules have changed in meaning?"
    )
    strict = " All things come in whole numbers." if {"min", "max"} & {rule.kind for rule in old} else ""
    strict += " Before and after are meant strictly." * any(rule.kind == "before" for rule in old)
    prompt = (
        f"A set of rules was rewritten{where}, in other words.{strict}\n\n"
        f"The old version:\n{numbered(before)}\n\nThe new version:\n{numbered(after[k] for k in order)}\n\n"
        f"{question} Give their numbers in the old version, in ascending order. A rule means the same if, taken by itself, it demands and "
        f"forbids the same, however it is worded."
    )
    return Task(prompt, Data(old=tuple(old), new=tuple(new[k] for k in order), moved=moved, changed=changed))


environment = Environment(
    Knobs, Numbers("the numbers in ascending order, separated by commas", max_items=200), generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}"),
    concept="Write each rule in one plain form, such as if this then that or at least so many, and compare the forms instead of the words.",
    version=3,
)  # fmt: skip
