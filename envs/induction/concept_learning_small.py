"""Say which new things belong to a kind, from examples of things that do and do not, for kinds told in a small language."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Letters
from rlgym.generators.steps import Line, ended, first_wrong

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
LETTERS = "ABCDEFGHIJ"
RULE = Line("A thing belongs if {joined} of these holds: it is {one}, it is {other}")
SEEN = Line("Example {number} is {thing}: {truths}, so it {verdict}, as told")
NEW = Line("{letter} is {thing}: {truths}, so it {verdict}")
END = "Those that belong: "


class Knobs(Config):
    features: int = knob(4, easy=3, hard=5, doc="how many features a thing has")
    choices: int = knob(4, easy=3, hard=5, doc="how many ways there are of each feature")
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
    return _made(rng, knobs, near=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Each example differs from the one before in one feature only, or in few."""
    return _made(rng, knobs, near=True)


def _made(rng: Rng, knobs: Knobs, near: bool) -> Task[Data]:
    kinds = rng.sample(FEATURES, knobs.features)
    ways = tuple(tuple(rng.sample(kind, knobs.choices)) for kind in kinds)
    rules = list(_rules(ways, knobs.joins))
    while True:
        hidden = rng.choice(rules)
        things = list(dict.fromkeys(_drawn(rng, ways, hidden, near, 3 * knobs.examples + 30)))
        new = rng.sample(things, min(knobs.new, len(things) - 4))
        if not 0 < sum(_verdicts(hidden, new)) < len(new):
            continue
        seen, fits = list[Thing](), rules
        for thing in (thing for thing in things if thing not in new):
            if len(seen) >= knobs.examples and len({_verdicts(rule, new) for rule in fits}) == 1:
                break
            seen.append(thing)
            fits = [rule for rule in fits if _holds(rule, thing) == _holds(hidden, thing)]
        verdicts = _verdicts(hidden, seen)
        if len({_verdicts(rule, new) for rule in fits}) == 1 and len(set(verdicts)) == 2:
            break
    right = tuple(letter for letter, verdict in zip(LETTERS, _verdicts(hidden, new)) if verdict)
    data = Data(ways=ways, joins=knobs.joins, examples=tuple(seen), belongs=verdicts, new=tuple(new), right=right)
    return Task(_told(data), data)


def _drawn(rng: Rng, ways: Sequence[Thing], hidden: Rule, near: bool, count: int) -> Iterator[Thing]:
    """Things that show the words of the hidden rule more often than chance would."""
    thing = tuple(map(rng.choice, ways))
    for _ in range(count):
        yield thing
        changed = [rng.integer(0, len(ways) - 1)] if near else range(len(ways))
        thing = tuple(rng.choice(way) if k in changed else thing[k] for k, way in enumerate(ways))
        for k, word in hidden[1:]:
            if k in changed and rng.chance(0.4):
                thing = (*thing[:k], word, *thing[k + 1 :])


def _told(data: Data) -> str:
    features = "\n".join(f"- {', '.join(way)}" for way in data.ways)
    joins = list(JOINED)[: data.joins]
    join = joins[0] if len(joins) == 1 else f"({' | '.join(joins)})"
    rows = "\n".join(f"{k}. {_said(thing)}: {'yes' if yes else 'no'}" for k, (thing, yes) in enumerate(zip(data.examples, data.belongs), 1))
    new = "\n".join(f"{letter}. {_said(thing)}" for letter, thing in zip(LETTERS, data.new))
    return (
        f"Each thing is one of each of these lists:\n{features}\n\nA kind is given by two words out of different lists, one the first and one the "
        f"second, and by one way of joining them: a thing belongs to the kind if {join} of the two words holds of it. Examples of one kind, yes for "
        f"things that belong to it:\n{rows}\n\nAll kinds that fit the examples agree on these new things:\n{new}\nWhich of them belong to the kind?"
    )


def _said(thing: Thing) -> str:
    return ", ".join(thing)


def _rules(ways: Sequence[Thing], joins: int) -> Iterator[Rule]:
    tests = [(k, word) for k, way in enumerate(ways) for word in way]
    for joined in list(JOINED)[:joins]:
        for one, other in combinations(tests, 2):
            if one[0] != other[0]:
                yield joined, one, other
                if joined == "the first without the second":
                    yield joined, other, one


def _holds(rule: Rule, thing: Thing) -> bool:
    joined, (i, one), (k, other) = rule
    return JOINED[joined](thing[i] == one, thing[k] == other)


def _verdicts(rule: Rule, things: Sequence[Thing]) -> tuple[bool, ...]:
    return tuple(_holds(rule, thing) for thing in things)


def _fits(data: Data) -> Iterator[Rule]:
    return (rule for rule in _rules(data.ways, data.joins) if _verdicts(rule, data.examples) == data.belongs)


def solve(task: Task[Data]) -> tuple[str, ...]:
    """By the last rule that fits, of all."""
    rule = list(_fits(task.data))[-1]
    return tuple(letter for letter, thing in zip(LETTERS, task.data.new) if _holds(rule, thing))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    return Score.exact(answer == task.data.right, "the kinds that fit the examples say otherwise of some new thing")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    letters = LETTERS[: len(task.data.new)]
    other = tuple(letter for letter in letters if letter not in right)
    return [other, tuple(letters), right[1:], tuple(sorted({*right} ^ {"A"})), tuple(sorted({*right} ^ {"B"}))]


def cost(task: Task[Data]) -> float:
    return float(sum(1 for _ in _rules(task.data.ways, task.data.joins)) * len(task.data.new))


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    rule = next(_fits(data))
    steps = [RULE.write(joined=rule[0], one=rule[1][1], other=rule[2][1])]
    for k, thing in enumerate(data.examples, 1):
        steps.append(SEEN.write(number=k, **_worked(rule, thing)))
    for letter, thing in zip(LETTERS, data.new):
        steps.append(NEW.write(letter=letter, **_worked(rule, thing)))
    return [*steps, END + environment.answer.render(data.right)]


def _worked(rule: Rule, thing: Thing) -> dict[str, str]:
    truths = " and ".join(word if thing[k] == word else f"not {word}" for k, word in rule[1:])
    return {"thing": _said(thing), "truths": truths, "verdict": "belongs" if _holds(rule, thing) else "does not belong"}


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, found = task.data, list[Rule]()
    places = {word: k for k, way in enumerate(data.ways) for word in way}

    def follows(step: str) -> bool:
        if said := RULE.read(step):
            found.append((said["joined"], (places[said["one"]], said["one"]), (places[said["other"]], said["other"])))
            return said["joined"] in list(JOINED)[: data.joins] and _verdicts(found[0], data.examples) == data.belongs
        if said := SEEN.read(step):
            k = int(said.pop("number")) - 1
            return k >= 0 and said == _worked(found[0], data.examples[k])
        said = NEW.read(step) or {}
        return said == _worked(found[0], data.new[LETTERS.index(said.pop("letter"))])

    return first_wrong(steps, follows, ended(END, task, environment.answer, verify))


environment = Environment(
    Knobs,
    Letters(LETTERS),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="Strike out every pair of words that some example contradicts; what is left decides the new things.",
)
