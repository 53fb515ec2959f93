"""Say which new things belong to a kind, from examples of things that do and do not, for kinds described in a small language."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Letters
from rlgym.generators.text import english
from rlgym.solutions import Derivation, Solution, Step

Thing = tuple[str, ...]
Test = tuple[int, str]
Rule = tuple[str, Test, Test]
FEATURES = (
    ("red", "blue", "green", "black", "white"),
    ("round", "square", "long", "flat", "bent"),
    ("small", "large", "tiny", "huge", "medium"),
    ("wooden", "iron", "glass", "paper", "stone"),
    ("new", "old", "worn", "broken", "painted"),
)
JOINED: dict[str, Callable[[bool, bool], bool]] = {
    "at least one": lambda p, q: p or q,
    "exactly one": lambda p, q: p != q,
    "both": lambda p, q: p and q,
    "the first without the second": lambda p, q: p and not q,
}
CONDITIONS = {
    "at least one": "at least one of the two properties",
    "exactly one": "exactly one of them",
    "both": "both of them",
    "the first without the second": "the first but not the second",
}
LETTERS = "ABCDEFGHIJ"
RULE = Step("A thing belongs if {joined} of these holds: it is {one}, it is {other}")
SEEN = Step("Example {number} is {thing}: {truths}, so it {verdict}, as given")
NEW = Step("{letter} is {thing}: {truths}, so it {verdict}")
ANSWER = Letters(LETTERS)
CONCEPT = "Strike out every pair of words that some example contradicts; what is left decides the new things."


class Knobs(Config):
    features: int = knob(4, easy=3, hard=5, doc="how many features a thing has")
    choices: int = knob(4, easy=3, hard=5, doc="different values of each feature")
    examples: int = knob(6, easy=5, hard=7, doc="examples at least")
    new: int = knob(8, easy=5, hard=10, doc="how many new things there are")
    joins: int = knob(2, easy=1, hard=4, doc="how many ways of joining two tests there are")


class Data(TaskData):
    ways: tuple[Thing, ...]
    joins: int
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
    rules = list(_rules(ways, knobs.joins))
    while True:
        hidden = rng.choice(rules)
        things = list(dict.fromkeys(_sample_things(rng, ways, hidden, near, 3 * knobs.examples + 30)))
        new = rng.sample(things, min(knobs.new, len(things) - 4))
        if not 0 < sum(_verdicts(hidden, new)) < len(new):
            continue
        seen, fits = list[Thing](), rules
        for thing in (thing for thing in things if thing not in new):
            if len(seen) >= knobs.examples and len({_verdicts(rule, new) for rule in fits}) == 1:
                break
            seen.append(thing)
            fits = [rule for rule in fits if _rule_holds(rule, thing) == _rule_holds(hidden, thing)]
        verdicts = _verdicts(hidden, seen)
        if len({_verdicts(rule, new) for rule in fits}) == 1 and len(set(verdicts)) == 2:
            break
    right = tuple(letter for letter, verdict in zip(LETTERS, _verdicts(hidden, new)) if verdict)
    data = Data(ways=ways, joins=knobs.joins, examples=tuple(seen), belongs=verdicts, new=tuple(new), right=right)
    return Task(_render_prompt(data), data)


def _sample_things(rng: Rng, ways: Sequence[Thing], hidden: Rule, near: bool, count: int) -> Iterator[Thing]:
    """Things that show the words of the hidden rule more often than chance would."""
    thing = tuple(map(rng.choice, ways))
    for _ in range(count):
        yield thing
        changed = [rng.integer(0, len(ways) - 1)] if near else range(len(ways))
        thing = tuple(rng.choice(values) if k in changed else thing[k] for k, values in enumerate(ways))
        for k, word in hidden[1:]:
            if k in changed and rng.chance(0.4):
                thing = (*thing[:k], word, *thing[k + 1 :])


def _render_prompt(data: Data) -> str:
    features = "\n".join(f"- {', '.join(values)}" for values in data.ways)
    joins = list(JOINED)[: data.joins]
    join = english.join_words([CONDITIONS[joined] for joined in joins], "or")
    condition = (
        f": a thing belongs to the category if it has {join}"
        if len(joins) == 1
        else f" and by one of these conditions: a thing that belongs to the category must have {join}"
    )
    rows = "\n".join(
        f"{k}. {_describe_thing(thing)}: {'yes' if yes else 'no'}" for k, (thing, yes) in enumerate(zip(data.examples, data.belongs), 1)
    )
    new = "\n".join(f"{letter}. {_describe_thing(thing)}" for letter, thing in zip(LETTERS, data.new))
    return (
        f"Each thing has one property from each of these lists:\n{features}\n\nA category is defined by a first and a second property, from different "
        f"lists{condition}. Examples, with yes for things that belong to "
        f"the category:\n{rows}\n\nAll categories that fit the examples agree on these new things:\n{new}\nWhich of them belong to the category?"
    )


def _describe_thing(thing: Thing) -> str:
    return ", ".join(thing)


def _rules(ways: Sequence[Thing], joins: int) -> Iterator[Rule]:
    tests = [(k, word) for k, values in enumerate(ways) for word in values]
    for joined in list(JOINED)[:joins]:
        for first, second in combinations(tests, 2):
            if first[0] != second[0]:
                yield joined, first, second
                if joined == "the first without the second":
                    yield joined, second, first


def _rule_holds(rule: Rule, thing: Thing) -> bool:
    joined, (i, first), (k, second) = rule
    return JOINED[joined](thing[i] == first, thing[k] == second)


def _verdicts(rule: Rule, things: Sequence[Thing]) -> tuple[bool, ...]:
    return tuple(_rule_holds(rule, thing) for thing in things)


def _fitting_rules(data: Data) -> Iterator[Rule]:
    return (rule for rule in _rules(data.ways, data.joins) if _verdicts(rule, data.examples) == data.belongs)


def solve(task: Task[Data]) -> tuple[str, ...]:
    """By the last rule that fits, of all."""
    rule = list(_fitting_rules(task.data))[-1]
    return tuple(letter for letter, thing in zip(LETTERS, task.data.new) if _rule_holds(rule, thing))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    return Score.exact(answer == task.data.right, "the kinds that fit the examples say otherwise of some new thing")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    letters = LETTERS[: len(task.data.new)]
    other = tuple(letter for letter in letters if letter not in right)
    return [other, tuple(letters), right[1:], tuple(sorted({*right} ^ {"A"})), tuple(sorted({*right} ^ {"B"}))]


def cost(task: Task[Data]) -> float:
    return float(sum(1 for _ in _rules(task.data.ways, task.data.joins)) * len(task.data.new))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    features = {word: k for k, choices in enumerate(data.ways) for word in choices}

    def rule_of(joined: str, one: str, other: str) -> Rule:
        return joined, (features[one], one), (features[other], other)

    def fits(joined: str, one: str, other: str) -> bool:
        return joined in list(JOINED)[: data.joins] and _verdicts(rule_of(joined, one, other), data.examples) == data.belongs

    joined, (_, first), (_, second) = next(_fitting_rules(data))
    taken = yield RULE(joined=joined, one=first, other=second).accepting(fits)
    rule = rule_of(**taken.fields)
    for number, thing in enumerate(data.examples, 1):
        yield SEEN(number=number, **_judgement_gaps(rule, thing))
    for letter, thing in zip(LETTERS, data.new):
        yield NEW(letter=letter, **_judgement_gaps(rule, thing))


def _judgement_gaps(rule: Rule, thing: Thing) -> dict[str, str]:
    truths = " and ".join(word if thing[k] == word else f"not {word}" for k, word in rule[1:])
    return {"thing": _describe_thing(thing), "truths": truths, "verdict": "belongs" if _rule_holds(rule, thing) else "does not belong"}


SOLUTION = Solution(derive, "Those that belong: {answer}")
environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=SOLUTION, shift=shift, concept=CONCEPT, version=2
)
