"""Rules about what comes before what, what boats have on board and what people carry: sampled, said in many ways, read again, and changed."""

from __future__ import annotations

from collections.abc import Sequence

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.facts import Bank
from rlgym.generators.rules import clause_theories

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
needs: Only those who carry a {b} carry a {a}. | A {a} is carried only by those who also carry a {b}.
bars: Nobody carries both a {a} and a {b}. | Whoever carries a {a} carries no {b}. | A {a} and a {b} are never carried by one person.
bars: Only those who carry no {b} carry a {a}. | Of those who carry a {a}, nobody has a {b}.
either: Everybody carries a {a} or a {b}, or both. | Whoever carries no {a} carries a {b}. | There is nobody who carries neither a {a} nor a {b}.
either: Only those who carry a {a} go without a {b}.
trio: Nobody carries a {a}, a {b} and a {c} at once. | Whoever carries both a {a} and a {b} carries no {c}.
pair: Whoever carries both a {a} and a {b} also carries a {c}. | Those who carry no {c} do not carry both a {a} and a {b}.
choice: Whoever carries a {a} also carries a {b} or a {c}, or both. | Nobody who carries neither a {b} nor a {c} carries a {a}.
some: Everybody carries at least one of a {a}, a {b} and a {c}. | Whoever carries neither a {a} nor a {b} carries a {c}.
""")
KINDS = {"order": ("before",), "numbers": ("before", "min", "max"), "logic": ("min", "max", "needs", "bars", "either")}
WORDED = {"min": ("min", "more"), "max": ("max", "less")}
SYMMETRIC = ("bars", "either")
TASKS = "sweeping baking toast parade count toll prayer supper lesson drill market concert washing".split()
BOATS = "ferry barge cutter punt raft galley sloop trawler".split()
STORES = "rope lamp anchor blanket barrel oar bucket flag".split()
THINGS = "whistle lantern dagger compass purse scarf token badge flask mirror pipe comb".split()
# The signs of the literals of rules about two and three things: whether it is carrying them that obeys the rule.
SIGNS: dict[str, tuple[bool, ...]] = {"needs": (False, True), "bars": (False, False), "either": (True, True)}
SIGNS |= {"trio": (False, False, False), "pair": (False, False, True), "choice": (False, True, True), "some": (True, True, True)}


class Rule(TaskData):
    kind: str
    a: str
    b: str
    c: str = ""
    number: int = 0


def meant(kind: str, gaps: dict[str, str]) -> Rule:
    """What a sentence means, whichever way it is said."""
    number = int(gaps.get("number", "0"))
    if kind in ("more", "less"):
        return Rule(kind="min" if kind == "more" else "max", a=gaps["a"], b=gaps["b"], number=number + (1 if kind == "more" else -1))
    if "c" in gaps:
        return Rule(kind=kind, a=gaps["a"], b=gaps["b"], c=gaps["c"])
    a, b = sorted((gaps["a"], gaps["b"])) if kind in SYMMETRIC else (gaps["a"], gaps["b"])
    return Rule(kind=kind, a=a, b=b, number=number)


def canonical_text(rule: Rule) -> str:
    return BANK.phrasings[rule.kind][0].format(**rule.model_dump(exclude={"kind"}))


def clause_of(rule: Rule) -> clause_theories.Clause:
    return tuple(zip((rule.a, rule.b, rule.c), SIGNS[rule.kind]))


def rule_of(clause: clause_theories.Clause) -> Rule:
    literals = sorted(clause, key=lambda literal: (literal[1], literal[0]))
    kind = next(kind for kind, signs in SIGNS.items() if signs == tuple(value for _, value in literals))
    return Rule(kind=kind, **dict(zip("abc", (name for name, _ in literals))))


def phrase(rng: Rng, rule: Rule, worded: bool) -> str:
    kind = rng.choice(WORDED.get(rule.kind, (rule.kind,))) if worded else rule.kind
    if kind == "more" and rule.number == 2:
        kind = rule.kind  # rather `at least 2 ropes` than `more than 1 ropes`
    number = rule.number + {"more": -1, "less": 1}.get(kind, 0)
    a, b = (rule.b, rule.a) if rule.kind in SYMMETRIC and rng.chance(0.5) else (rule.a, rule.b)
    return BANK.say(rng, kind, a=a, b=b, c=rule.c, number=number)


def sample(rng: Rng, kinds: Sequence[str]) -> Rule:
    kind = rng.choice(kinds)
    if kind in ("min", "max"):
        return Rule(kind=kind, a=rng.choice(BOATS), b=rng.choice(STORES), number=rng.integer(3, 20))
    a, b = rng.sample(TASKS if kind == "before" else THINGS, 2)
    return Rule(kind=kind, a=min(a, b) if kind in SYMMETRIC else a, b=max(a, b) if kind in SYMMETRIC else b)


def change(rng: Rng, rule: Rule) -> Rule:
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
