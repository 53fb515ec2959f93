"""Say which new things belong to a kind, from examples of things that do and do not, for kinds described in a small language."""

import functools
import operator
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Letters
from rlgym.solutions import Derivation, Solution, Step

Thing = tuple[str, ...]
Test = tuple[int, str]
Rule = tuple[str, tuple[Test, ...]]
FEATURES = (
    ("red", "blue", "green", "black", "white"),
    ("round", "square", "long", "flat", "bent"),
    ("small", "large", "tiny", "huge", "medium"),
    ("wooden", "iron", "glass", "paper", "stone"),
    ("new", "old", "worn", "broken", "painted"),
)
# Each way of joining tests, on bits of truth. Ways that tell the tests apart are tried with every order of them.
JOINED: dict[int, dict[str, Callable[..., int]]] = {
    2: {
        "at least one": lambda p, q: p | q,
        "exactly one": lambda p, q: p ^ q,
        "both": lambda p, q: p & q,
        "the first without the second": lambda p, q: p & ~q,
    },
    3: {
        "at least two": lambda p, q, r: p & q | p & r | q & r,
        "an odd number": lambda p, q, r: p ^ q ^ r,
        "the second after the first and else the third": lambda p, q, r: p & q | ~p & r,
        "exactly one": lambda p, q, r: p & ~q & ~r | ~p & q & ~r | ~p & ~q & r,
    },
}
CONDITIONS = {
    2: {
        "at least one": "at least one of the two properties",
        "exactly one": "exactly one of them",
        "both": "both of them",
        "the first without the second": "the first but not the second",
    },
    3: {
        "at least two": "at least two of the three properties",
        "an odd number": "an odd number of them (one or all three)",
        "the second after the first and else the third": "the second if it has the first, and the third if it does not have the first",
        "exactly one": "exactly one of them",
    },
}
LETTERS = "ABCDEFGHIJ"
RULE = Step("A thing belongs if {joined} of these holds: it is {words}")
SEEN = Step("Example {number} is {thing}: {truths}, so it {verdict}, as given")
RIVAL = Step("The examples fit this: a thing belongs if {joined} of these holds: it is {words}; then these belong: {letters}")
NEW = Step("{letter} is {thing}: {truths}, so it {verdict}")
CONCEPT = "Strike out every pair of words that some example contradicts; what is left decides the new things."


class Knobs(Config):
    features: int = knob(4, easy=3, hard=5, doc="how many features a thing has")
    choices: int = knob(4, easy=3, hard=5, doc="different values of each feature")
    examples: int = knob(6, easy=5, hard=7, doc="examples at least")
    new: int = knob(8, easy=7, hard=10, doc="how many new things there are")
    joins: int = knob(2, easy=1, hard=4, doc="how many ways of joining the tests there are")
    properties: int = knob(2, easy=2, hard=3, doc="how many properties define the category")
    rivals: int = knob(1, easy=1, hard=16, doc="with three properties: how many categories fit at most, a third of that at least")


class Data(TaskData):
    ways: tuple[Thing, ...]
    joins: int
    properties: int
    examples: tuple[Thing, ...]
    belongs: tuple[bool, ...]
    new: tuple[Thing, ...]
    right: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Examples one unlike the other."""
    return _sample_task(rng, knobs, near=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Each example differs from the one before in one feature only, or in few."""
    return _sample_task(rng, knobs, near=True)


def _sample_task(rng: Rng, knobs: Knobs, near: bool) -> Task[Data]:
    kinds = rng.sample(FEATURES, knobs.features)
    ways = tuple(tuple(rng.sample(kind, knobs.choices)) for kind in kinds)
    rules = list(_rules(ways, knobs.joins, knobs.properties))
    while True:
        hidden = rng.choice(rules)
        things = list(dict.fromkeys(_sample_things(rng, ways, hidden, near, 3 * knobs.examples + 30 * (knobs.properties - 1))))
        new = rng.sample(things, min(knobs.new, len(things) - 4))
        if not 0 < sum(_verdicts(hidden, new)) < len(new):
            continue
        shown = [thing for thing in things if thing not in new]
        most = knobs.rivals if knobs.properties == 3 else 1
        count, right = _examples_needed(rules, [*new, *shown], len(new), _verdicts(hidden, shown), knobs.examples, most)
        verdicts = _verdicts(hidden, shown[:count])
        if count and len(set(verdicts)) == 2 and sum(right) >= knobs.properties - 1:
            break
    letters = tuple(letter for letter, verdict in zip(LETTERS, right) if verdict)
    fields = {"joins": knobs.joins, "properties": knobs.properties}
    data = Data(ways=ways, **fields, examples=tuple(shown[:count]), belongs=verdicts, new=tuple(new), right=letters)
    return Task(_render_prompt(data), data)


def _examples_needed(
    rules: Sequence[Rule], things: Sequence[Thing], new: int, verdicts: Sequence[bool], least: int, most: int
) -> tuple[int, tuple[bool, ...]]:
    """After how many examples only `most` rules are left (for one: only one opinion on the new things), and what belongs by all of them.

    With several, no rule alone may tell what belongs by all.
    The things are the new ones and then the examples. Bit i of a rule says whether thing i belongs by it.
    """
    words = {word for thing in things for word in thing}
    bits = {word: sum(1 << i for i, thing in enumerate(things) if word in thing) for word in words}
    whole, given = (1 << len(things)) - 1, sum(1 << new + k for k, yes in enumerate(verdicts) if yes)
    fits = [JOINED[len(tests)][joined](*(bits.get(word, 0) for _, word in tests)) & whole for joined, tests in rules]
    for count in range(1, len(verdicts) + 1):
        fits = [belongs for belongs in fits if not (belongs ^ given) >> new + count - 1 & 1]
        sides = {belongs & (1 << new) - 1 for belongs in fits}
        if count >= least and (len(sides) if most == 1 else len(fits)) <= most:
            right = functools.reduce(operator.and_, sides)
            sound = most == 1 or (right not in sides and 3 * len(fits) >= most)
            return (count, tuple(bool(right >> k & 1) for k in range(new))) if sound else (0, ())
    return 0, ()


def _sample_things(rng: Rng, ways: Sequence[Thing], hidden: Rule, near: bool, count: int) -> Iterator[Thing]:
    """Things that show the words of the hidden rule more often than chance would."""
    thing = tuple(map(rng.choice, ways))
    for _ in range(count):
        yield thing
        changed = [rng.integer(0, len(ways) - 1)] if near else range(len(ways))
        thing = tuple(rng.choice(values) if k in changed else thing[k] for k, values in enumerate(ways))
        for k, word in hidden[1]:
            if k in changed and rng.chance(0.4):
                thing = (*thing[:k], word, *thing[k + 1 :])


def _render_prompt(data: Data) -> str:
    features = "\n".join(f"- {', '.join(values)}" for values in data.ways)
    joins = list(JOINED[data.properties])[: data.joins]
    conditions = [CONDITIONS[data.properties][joined] for joined in joins]
    properties = "first and a second property" if data.properties == 2 else "first, a second and a third property"
    condition = (
        f": a thing belongs to the category if and only if it has {conditions[0]}. "
        if len(joins) == 1
        else " and by one of the conditions below: a thing belongs to the category if and only if it meets that condition.\n"
        + "".join(f"- It has {words}.\n" for words in conditions)
        + "\n"
    )
    rows = "\n".join(
        f"{k}. {', '.join(thing)}: {'yes' if yes else 'no'}" for k, (thing, yes) in enumerate(zip(data.examples, data.belongs), 1)
    )
    new = "\n".join(f"{letter}. {', '.join(thing)}" for letter, thing in zip(LETTERS, data.new))
    question = (
        f"All categories that fit the examples agree on these new things:\n{new}\nWhich of them belong to the category?"
        if data.properties == 2
        else "Several categories may fit the examples. Which of these new things certainly belong, that is, belong by every category that "
        f"fits?\n{new}"
    )
    return (
        f"Each thing has one property from each of these lists:\n{features}\n\nA category is defined by a {properties}, from different "
        f"lists{condition}Examples, with yes for things that belong to the category:\n{rows}\n\n{question}"
    )


def _rules(ways: Sequence[Thing], joins: int, properties: int) -> Iterator[Rule]:
    tests = [(k, word) for k, values in enumerate(ways) for word in values]
    for joined in list(JOINED[properties])[:joins]:
        for chosen in combinations(tests, properties):
            if len({k for k, _ in chosen}) == properties:
                yield from ((joined, order) for order in (permutations(chosen) if joined.startswith("the ") else (chosen,)))


def _rule_holds(rule: Rule, thing: Thing) -> bool:
    joined, tests = rule
    return bool(JOINED[len(tests)][joined](*(int(thing[k] == word) for k, word in tests)) & 1)


def _verdicts(rule: Rule, things: Sequence[Thing]) -> tuple[bool, ...]:
    return tuple(_rule_holds(rule, thing) for thing in things)


def _fits(rule: Rule, data: Data) -> bool:
    return all(_rule_holds(rule, thing) == yes for thing, yes in zip(data.examples, data.belongs))


def _fitting_rules(data: Data) -> Iterator[Rule]:
    return (rule for rule in _rules(data.ways, data.joins, data.properties) if _fits(rule, data))


def solve(task: Task[Data]) -> tuple[str, ...]:
    """By every rule that fits, of all."""
    rules = list(_fitting_rules(task.data))
    return tuple(letter for letter, thing in zip(LETTERS, task.data.new) if all(_rule_holds(rule, thing) for rule in rules))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    return Score.exact(answer == task.data.right, "the kinds that fit the examples say otherwise of some new thing")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    letters = LETTERS[: len(task.data.new)]
    other = tuple(letter for letter in letters if letter not in right)
    return [other, tuple(letters), right[1:], tuple(sorted({*right} ^ {"A"})), tuple(sorted({*right} ^ {"B"}))]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(sum(1 for _ in _rules(data.ways, data.joins, data.properties)) * len(data.new))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    features = {word: k for k, choices in enumerate(data.ways) for word in choices}

    def rule_of(joined: str, words: str) -> Rule:
        return joined, tuple((features[word], word) for word in words.split(", it is "))

    def fits(joined: str, words: str) -> bool:
        rule = rule_of(joined, words)
        return joined in list(JOINED[data.properties])[: data.joins] and len(rule[1]) == data.properties and _fits(rule, data)

    rules = [(joined, tests, ", it is ".join(word for _, word in tests)) for joined, tests in _fitting_rules(data)]
    if data.properties == 3:
        for joined, tests, words in rules:
            letters = " ".join(letter for letter, thing in zip(LETTERS, data.new) if _rule_holds((joined, tests), thing))
            yield RIVAL(joined=joined, words=words, letters=letters or "none")
        return
    taken = yield RULE(joined=rules[0][0], words=rules[0][2]).accepting(fits)
    rule = rule_of(**taken.fields)
    for number, thing in enumerate(data.examples, 1):
        yield SEEN(number=number, **_judgement_gaps(rule, thing))
    for letter, thing in zip(LETTERS, data.new):
        yield NEW(letter=letter, **_judgement_gaps(rule, thing))


def _judgement_gaps(rule: Rule, thing: Thing) -> dict[str, str]:
    truths = " and ".join(word if thing[k] == word else f"not {word}" for k, word in rule[1])
    return {"thing": ", ".join(thing), "truths": truths, "verdict": "belongs" if _rule_holds(rule, thing) else "does not belong"}


SOLUTION = Solution(derive, "Those that belong: {answer}")
environment = Environment(
    Knobs, Letters(LETTERS), generate, solve, verify, mistakes, cost, solution=SOLUTION, shift=shift, concept=CONCEPT, version=6
)
