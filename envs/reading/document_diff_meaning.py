"""Compare two versions of a set of rules, and tell which have changed in meaning and not only in words.

Below the middle level each rule is compared with its own counterpart. From there on the versions count as wholes: a rule of one may follow from several
rules of the other, and the question is which do not. Some follow only by cases, and those that do not follow take a way of carrying things that
obeys every rule but them. At the top it is asked with which of them, as few as possible, all the others follow.
"""

from collections.abc import Sequence
from functools import partial
from itertools import combinations, product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.facts import numbered_list, read_statements, rule_sentences
from rlgym.generators.facts.rule_sentences import Rule
from rlgym.generators.rules import clause_theories
from rlgym.solutions import Derivation, Solution, Step

SAME = Step("Rule {at} says in both versions: {meaning}")
CHANGED = Step("Rule {at} said: {meaning} It now says: {other}")
FOUND = Step("Rule {at:int} stands in the new version as rule {by:int}: {meaning}")
FOLLOWS = Step("Rule {at}, {meaning} This follows from rules {used}.")
BROKEN = Step("Rule {at}, {meaning} Not so: with {carried} and nothing else one obeys the other version and breaks it.")
ONE_OF = Step(
    "With {carried} and nothing else one obeys the other version, and breaks none of these rules but {rules}, so one of them is needed."
)
FEWEST = Step("With rules {rules} one has one of each, and no other choice of so few rules or fewer does.")
GONE = Step("Rule {at} stands nowhere in the new version: {meaning}")


class Knobs(Config):
    rules: int = knob(14, easy=5, hard=60, doc="rules in each version", scale="log")
    changes: int = knob(4, easy=2, hard=14, doc="most rules that change")
    kinds: str = knob(
        "numbers", easy="order", hard="logic", order=("order", "numbers", "logic"), doc="what the rules are about, and how they may be said"
    )
    compared: str = knob(
        "singly", easy="singly", hard="fewest", order=("singly", "as wholes", "fewest"),
        doc="whether a rule is compared with its counterpart, or with all that the other version implies (then there are fewer rules), "
        "or the fewest rules are asked for that make up the difference",
    )  # fmt: skip


class Data(TaskData):
    old: tuple[Rule, ...]
    new: tuple[Rule, ...]
    moved: bool
    wholes: bool = False
    fewest: bool = False
    changed: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, moved=False) if knobs.compared == "singly" else _sample_wholes(rng, knobs, moved=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The new version has its rules in another order, so that each old rule must be found again first.

    As wholes, it is asked which old rules were given up, so that the new ones are what may be assumed.
    """
    return _sample_task(rng, knobs, moved=True) if knobs.compared == "singly" else _sample_wholes(rng, knobs, moved=True)


def solve(task: Task[Data]) -> tuple[int, ...]:
    # Reads both versions and compares what is left when the wording is taken away.
    old, new = (
        [rule_sentences.meant(kind, gaps) for _, (kind, gaps) in read_statements(part, rule_sentences.BANK)]
        for part in task.prompt.split("The new version:")
    )
    if "smallest set" in task.prompt:
        given, claims = (new, old) if "added again" in task.prompt else (old, new)
        broken = {_broken(world, claims) for world in _worlds(given, claims)} - {frozenset()}
        every = range(1, len(claims) + 1)
        return next(
            chosen for size in every for chosen in combinations(every, size) if all(not group.isdisjoint(chosen) for group in broken)
        )
    if "taken together" in task.prompt:
        return _not_implied(new, old) if "given up" in task.prompt else _not_implied(old, new)
    if "another order" in task.prompt:
        return tuple(at for at, rule in enumerate(old, 1) if rule not in new)
    return tuple(at for at, (first, second) in enumerate(zip(old, new), 1) if first != second)


def _not_implied(given: Sequence[Rule], claims: Sequence[Rule]) -> tuple[int, ...]:
    return tuple(sorted(frozenset().union(*(_broken(world, claims) for world in _worlds(given, claims)))))


def _obeyed(rule: Rule, world: frozenset[str]) -> bool:
    return any((name in world) == sign for name, sign in zip((rule.a, rule.b, rule.c), rule_sentences.SIGNS[rule.kind]))


def _broken(world: frozenset[str], claims: Sequence[Rule]) -> frozenset[int]:
    return frozenset(at for at, rule in enumerate(claims, 1) if not _obeyed(rule, world))


def _worlds(given: Sequence[Rule], claims: Sequence[Rule]) -> list[frozenset[str]]:
    """The worlds that are left after each rule, each the set of the things that are carried."""
    names = dict.fromkeys(name for rule in (*given, *claims) for name in (rule.a, rule.b, rule.c) if name)
    worlds = [frozenset(carried) - {""} for carried in product(*((name, "") for name in names))]
    for rule in given:
        worlds = [world for world in worlds if _obeyed(rule, world)]
    return worlds


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if len(set(answer)) < len(answer):
        return Score.wrong("a number stands twice")
    if set(answer) - set(task.data.changed):
        return Score.wrong("a rule is named that does not belong there")
    return Score.exact(answer == task.data.changed, "a rule is missing, or the numbers are not in ascending order")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    claims = task.data.old if task.data.moved or not task.data.wholes else task.data.new
    every = tuple(range(1, len(claims) + 1))
    other = next(at for at in every if at not in right)
    if task.data.wholes:
        near = [tuple(sorted({*right} ^ {at})) for at in every]
        return [every, *near, tuple(at for at in every if at not in right)]
    return [right[1:], tuple(sorted((*right, other))), (other,), every, right[:-1], tuple(at for at in every if at not in right)]


def cost(task: Task[Data]) -> float:
    if task.data.wholes:
        return float(len(task.data.old) * len(task.data.new) * (4 if task.data.fewest else 1))
    weights = {"before": 2, "min": 3, "max": 3, "needs": 5, "bars": 5, "either": 5}
    return float(sum(weights[rule.kind] for rule in task.data.old) * (2 if task.data.moved else 1))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    if data.wholes:
        given, claims = (data.new, data.old) if data.moved else (data.old, data.new)
        yield from _derive_fewest(given, claims, data.changed) if data.fewest else _derive_wholes(given, claims)
        return
    for at, rule in enumerate(data.old, 1):
        meaning = rule_sentences.canonical_text(rule)
        if data.moved and rule in data.new:
            step = FOUND(at=at, by=data.new.index(rule) + 1, meaning=meaning)
            yield step.accepting(partial(_stands_as, data, at))
        elif data.moved:
            yield GONE(at=at, meaning=meaning)
        elif data.new[at - 1] == rule:
            yield SAME(at=at, meaning=meaning)
        else:
            yield CHANGED(at=at, meaning=meaning, other=rule_sentences.canonical_text(data.new[at - 1]))


def _derive_wholes(given: Sequence[Rule], claims: Sequence[Rule]) -> Derivation:
    clauses = [rule_sentences.clause_of(rule) for rule in given]
    for at, rule in enumerate(claims, 1):
        claim, meaning = rule_sentences.clause_of(rule), rule_sentences.canonical_text(rule)
        held = clause_theories.model(clauses, map(clause_theories.negate, claim))
        if held is None:
            yield FOLLOWS(at=at, meaning=meaning, used=", ".join(str(k + 1) for k in clause_theories.core(clauses, claim)))
        else:
            yield BROKEN(at=at, meaning=meaning, carried=", ".join(sorted(name for name in held if held[name])) or "nothing")


def _derive_fewest(given: Sequence[Rule], claims: Sequence[Rule], chosen: tuple[int, ...]) -> Derivation:
    worlds = {_broken(world, claims): world for world in _worlds(given, claims)}
    for broken in sorted(filter(None, worlds), key=lambda group: (len(group), sorted(group))):
        if not any(other and other < broken for other in worlds):
            yield ONE_OF(carried=", ".join(sorted(worlds[broken])) or "nothing", rules=", ".join(map(str, sorted(broken))))
    yield FEWEST(rules=", ".join(map(str, chosen)))


def _stands_as(data: Data, due: int, /, at: int, by: int, meaning: str) -> bool:
    """Whether the old rule is this rule of the new version."""
    rule = data.old[due - 1]
    return at == due and by > 0 and meaning == rule_sentences.canonical_text(rule) and data.new[by - 1] == rule


def _pair(rule: Rule) -> tuple[str, ...]:
    """What a rule is about: no two rules of a version are about the same, so that each has its own counterpart."""
    return tuple(sorted((rule.a, rule.b)))


def _sample_task(rng: Rng, knobs: Knobs, moved: bool) -> Task[Data]:
    drawn = dict[tuple[str, ...], Rule]()
    while len(drawn) < knobs.rules:
        rule = rule_sentences.sample(rng, rule_sentences.KINDS[knobs.kinds])
        drawn.setdefault(_pair(rule), rule)
    old = list(drawn.values())
    count = rng.integer(1, min(knobs.changes, max(2, knobs.rules // 2)))
    changed = tuple(sorted(rng.sample(range(1, knobs.rules + 1), count)))
    new = [rule_sentences.change(rng, rule) if at in changed else rule for at, rule in enumerate(old, 1)]
    worded = knobs.kinds != "order"
    before = [rule_sentences.phrase(rng, rule, worded) for rule in old]
    after = list[str]()
    for rule, text in zip(new, before):
        rephrased = text
        while rephrased == text:  # what stays the same in meaning is said in other words, so that words betray nothing
            rephrased = rule_sentences.phrase(rng, rule, worded)
        after.append(rephrased)
    order = rng.shuffled(range(knobs.rules)) if moved else list(range(knobs.rules))
    where = " in another order" if moved else ", rule by rule"
    question = (
        "Which rules of the old version are nowhere in the new one, in whatever words?" if moved else "Which rules have changed in meaning?"
    )
    strict = " All things come in whole numbers." if {"min", "max"} & {rule.kind for rule in old} else ""
    strict += " Before and after are strict: no two things happen at the same time." * any(rule.kind == "before" for rule in old)
    prompt = (
        f"A set of rules was rewritten{where}, in other words.{strict}\n\n"
        f"The old version:\n{numbered_list(before)}\n\nThe new version:\n{numbered_list(after[k] for k in order)}\n\n"
        f"{question} Give their numbers in the old version, in ascending order. Two rules mean the same if each, taken by itself, requires and "
        f"forbids the same, however it is worded."
    )
    return Task(prompt, Data(old=tuple(old), new=tuple(new[k] for k in order), moved=moved, changed=changed))


def _sample_wholes(rng: Rng, knobs: Knobs, moved: bool) -> Task[Data]:
    fewest = knobs.compared == "fewest"
    if fewest:
        count, asked = 7 + knobs.rules // 7, 6 + knobs.rules // 15
        things = sorted(rng.sample(rule_sentences.THINGS, 6 + knobs.rules // 15))
        clauses, lost, changed = clause_theories.sample_losses(
            rng, things, rng.shuffled([2] * (count // 4) + [3] * (count - count // 4)), asked
        )
        asked_rules = [rule_sentences.rule_of(claim) for claim in lost]
    else:
        count, asked = min(23, 9 + knobs.rules * 3 // 8), min(8, 5 + knobs.rules // 10)
        things = sorted(rng.sample(rule_sentences.THINGS, min(12, 5 + count // 3)))
        widths = [2] * (count // 5) + [3] * (count - count // 5)
        clauses, claims = clause_theories.sample_claims(rng, things, rng.shuffled(widths), asked, by_cases=min(2, 1 + knobs.rules // 20))
        asked_rules = [rule_sentences.rule_of(claim) for claim, _ in claims]
        changed = tuple(at for at, (_, follows) in enumerate(claims, 1) if not follows)
    given = [rule_sentences.rule_of(clause) for clause in clauses]
    old, new = (asked_rules, given) if moved == (not fewest) else (given, asked_rules)
    version, other = ("old", "new") if moved == (not fewest) else ("new", "old")
    if fewest:
        which = (
            f"What is the smallest set of rules of the {version} version that must be {'kept' if moved else 'added again'}, so that everybody who obeys "
            f"them and the whole {other} version also obeys the whole {version} version? There is only one smallest set."
        )
    elif moved:
        which = "Which rules of the old version were given up, that is, can be broken by somebody who obeys the whole new version?"
    else:
        which = "Which rules of the new version are additions, that is, can be broken by somebody who obeys the whole old version?"
    before, after = ([rule_sentences.phrase(rng, rule, True) for rule in rules] for rules in (old, new))
    prompt = (
        "A set of rules was rewritten. The rules of the two versions do not correspond one to one: what counts is what the rules of a version demand "
        "and forbid, taken "
        f"together.\n\nThe old version:\n{numbered_list(before)}\n\nThe new version:\n{numbered_list(after)}\n\n"
        f"{which} Give their numbers in the {version} version, in ascending order."
    )
    return Task(prompt, Data(old=tuple(old), new=tuple(new), moved=version == "old", wholes=True, fewest=fewest, changed=changed))


environment = Environment(
    Knobs, Numbers("the numbers in ascending order, separated by commas", max_items=200), generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}"),
    concept="Write each rule in one plain form, such as if this then that or at least so many, and compare the forms instead of the words.",
    version=10,
)  # fmt: skip
