"""Find everything in a long list, worded in varied ways, that meets several conditions at once.

Conditions name colours, places, weights and years, outright or by another thing of the list: heavier than the lightest red one.
"""

from collections.abc import Callable, Sequence
from functools import partial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators import stories
from rlgym.generators.facts import Bank, numbered_list, sentences
from rlgym.solutions import Derivation, Solution, Step

EDGE = Step("The {edge} {colour} one is number {at}, with {amount} kg.")
LEFT = Step("Condition {letter} is met by {numbers}.")
BOTH = Step("After condition {letter} there are {numbers}.")
BANK = Bank("""
is: A {colour} {kind} from {town}, {amount} kg, made in {year} | One {kind} of {amount} kg, {colour}, from {town} ({year})
is: Made in {year} at {town}: a {colour} {kind} that weighs {amount} kg
is: From {town} a {kind} of {year}, painted {colour}, weight {amount} kg
""")
TESTS = Bank("""
colour: it is {colour}
kind: it is a {kind}
town: it comes from {town}
other_colour: it is not {colour}
other_town: it does not come from {town}
heavier: it weighs more than {amount} kg
lighter: it weighs less than {amount} kg
older: it was made before {year}
newer: it was made after {year}
over: it is heavier than the {edge} {colour} thing on the list
under: it is lighter than the {edge} {colour} thing on the list
""")
PLAIN = ("colour", "kind", "town", "other_colour", "other_town", "heavier", "lighter", "older", "newer")
COLOURS = "red white green black yellow blue grey brown".split()
KINDS = "bench cradle chest loom ladder barrel wardrobe table cupboard stool".split()
BOATS = "canoe raft ferry punt dinghy barge skiff cutter kayak trawler".split()
Item = dict[str, str]


class Knobs(Config):
    items: int = knob(30, easy=6, hard=90, doc="things on the list", scale="log")
    conditions: int = knob(3, easy=1, hard=5, doc="conditions that must hold together")
    form: str = knob(
        "either",
        easy="single",
        hard="compared",
        order=("single", "either", "compared"),
        doc="whether a condition is one test, one of several, or compares with another thing of the list",
    )


class Thing(TaskData):
    kind: str
    colour: str
    town: str
    amount: int
    year: int


class Test(TaskData):
    kind: str
    what: str
    edge: str = ""


class Data(TaskData):
    things: tuple[Thing, ...]
    conditions: tuple[tuple[Test, ...], ...]
    groups: bool = False
    numbers: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, KINDS, groups=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Boats, and conditions the other way round: a boat is wanted if it meets all tests of any one group."""
    return _sample_task(rng, knobs, BOATS, groups=True)


def solve(task: Task[Data]) -> tuple[int, ...]:
    # Reads the list and the conditions, and judges one thing after the other.
    listed, _, tests_text = task.prompt.rpartition("\n\n")[0].rpartition("\n\n")
    items = {at: statement.gaps for at, text in sentences(listed).items() if (statement := BANK.read(text))}
    tests: list[list[Callable[[Item], bool]]] = []
    for line in tests_text.split("\n"):
        parts = line.partition(") ")[2].replace(" or it ", "\nit ").replace(" and it ", "\nit ").split("\n")
        tests.append([partial(_meets, items, *statement) for part in parts if (statement := TESTS.read(part))])
    inner, outer = (all, any) if task.data.groups else (any, all)
    return tuple(at for at, item in items.items() if outer(inner(test(item) for test in line) for line in tests))


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if len(set(answer)) < len(answer):
        return Score.wrong("a number stands twice")
    if set(answer) - set(task.data.numbers):
        return Score.wrong("something is named that should not be")
    return Score.exact(answer == task.data.numbers, "something is missing, or the numbers are not in ascending order")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    first = _matching_things(task.data.things, task.data.conditions[0][0])
    other = next(at for at in range(1, len(task.data.things) + 1) if at not in right)
    return [right[1:], right[:-1], tuple(first), tuple(sorted((*right, other))), (*right, right[-1])]


def cost(task: Task[Data]) -> float:
    tests = [test for line in task.data.conditions for test in line]
    return float(len(task.data.things) * sum(2 + 2 * bool(test.edge) for test in tests))


def derive(task: Task[Data]) -> Derivation:
    data, remaining = task.data, list[int]()
    for k, line in enumerate(data.conditions):
        for test in line:
            if test.edge:
                at = _edge(data.things, test)
                yield EDGE(edge=test.edge, colour=test.what, at=at, amount=data.things[at - 1].amount)
        met = _line(data.things, line, data.groups)
        yield LEFT(letter="abcde"[k], numbers=_render_numbers(met))
        if k:
            remaining = sorted({*remaining, *met} if data.groups else {*remaining} & {*met})
            yield BOTH(letter="abcde"[k], numbers=_render_numbers(remaining))
        else:
            remaining = met


def _render_numbers(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers)) or "nothing"


def _meets(items: dict[int, Item], kind: str, gaps: Item, item: Item) -> bool:
    if kind in ("over", "under"):
        weights = [int(item["amount"]) for item in items.values() if item["colour"] == gaps["colour"]]
        edge = max(weights) if gaps["edge"] == "heaviest" else min(weights)
        return int(item["amount"]) > edge if kind == "over" else int(item["amount"]) < edge
    ((name, what),) = gaps.items()
    if kind in ("heavier", "newer"):
        return int(item[name]) > int(what)
    if kind in ("lighter", "older"):
        return int(item[name]) < int(what)
    return (item[name] == what) != kind.startswith("other")


def _edge(things: Sequence[Thing], test: Test) -> int:
    weights = {at: thing.amount for at, thing in enumerate(things, 1) if thing.colour == test.what}
    return (max if test.edge == "heaviest" else min)(weights, key=weights.__getitem__)


def _matching_things(things: Sequence[Thing], test: Test) -> list[int]:
    """The numbers of the things that meet a test."""
    bound = things[_edge(things, test) - 1].amount if test.edge else int(test.what) if test.what.isdigit() else 0
    holds: dict[str, Callable[[Thing], bool]] = {
        "over": lambda thing: thing.amount > bound,
        "under": lambda thing: thing.amount < bound,
        "heavier": lambda thing: thing.amount > bound,
        "lighter": lambda thing: thing.amount < bound,
        "newer": lambda thing: thing.year > bound,
        "older": lambda thing: thing.year < bound,
        "other_colour": lambda thing: thing.colour != test.what,
        "other_town": lambda thing: thing.town != test.what,
    }

    def named(thing: Thing) -> bool:
        return test.what in (thing.colour, thing.kind, thing.town)

    meets = holds.get(test.kind, named)
    return [at for at, thing in enumerate(things, 1) if meets(thing)]


def _line(things: Sequence[Thing], tests: Sequence[Test], groups: bool) -> list[int]:
    met = [set(_matching_things(things, test)) for test in tests]
    return sorted(set.intersection(*met) if groups else set.union(*met))


def _sample_task(rng: Rng, knobs: Knobs, kinds: list[str], groups: bool) -> Task[Data]:
    while True:
        towns, weights = stories.places(rng, 5), rng.sample(range(11, 400), knobs.items)
        some, colours = rng.sample(kinds, 5), rng.sample(COLOURS, 5)
        things = tuple(
            Thing(kind=rng.choice(some), colour=rng.choice(colours), town=rng.choice(towns), amount=weight, year=rng.integer(1801, 1999))
            for weight in weights
        )
        lines = list[tuple[Test, ...]]()
        for _ in range(12 * knobs.conditions):
            tests, met = _condition(rng, knobs, things, groups, first=not lines)
            if (len(met) * 3 >= len(things) or groups) and 0 < len(met) * 10 <= len(things) * (3 if groups and knobs.conditions > 1 else 8):
                lines.append(tests)
            if len(lines) == knobs.conditions:
                break
        if len(lines) < knobs.conditions:
            continue
        sets = [set(_line(things, tests, groups)) for tests in lines]
        matching = sorted(set.union(*sets) if groups else set.intersection(*sets))
        fewest = 2 if knobs.conditions == 1 else min(2, knobs.items // 6)
        if fewest <= len(matching) <= knobs.items // 2:
            break
    list_text = numbered_list(BANK.say(rng, "is", **thing.model_dump()) for thing in things)
    written = []
    for letter, line in zip("abcde", lines):
        shown = [TESTS.say(rng, test.kind, **dict(zip(_gaps(test.kind), (test.what, test.edge)))) for test in line]
        written.append(f"({letter}) {(' and ' if groups else ' or ').join(shown)}")
    rule = "meets at least one of these conditions" if groups else "meets all of these conditions"
    if len(lines) == 1:
        rule = "meets this condition"
    prompt = (
        f"{list_text}\n\nA thing on this list is wanted if it {rule}:\n\n" + "\n".join(written) + "\n\n"
        "Give the numbers of all things that are wanted, in ascending order."
    )
    return Task(prompt, Data(things=things, conditions=tuple(lines), groups=groups, numbers=tuple(matching)))


def _condition(rng: Rng, knobs: Knobs, things: Sequence[Thing], groups: bool, first: bool) -> tuple[tuple[Test, ...], list[int]]:
    most = {"single": 1, "either": 2, "compared": 3}[knobs.form]
    size = most + (knobs.conditions > 2) if groups else rng.integer(min(2, most), most)
    tests = tuple(_test(rng, knobs, things, first and n == 0) for n in range(size))
    return tests, [] if len({test.kind for test in tests}) < size else _line(things, tests, groups)


def _gaps(kind: str) -> tuple[str, ...]:
    named = {"heavier": "amount", "lighter": "amount", "older": "year", "newer": "year", "over": "colour", "under": "colour"}
    return (named.get(kind, kind.removeprefix("other_")), "edge")


def _test(rng: Rng, knobs: Knobs, things: Sequence[Thing], first: bool) -> Test:
    thing = rng.choice(things)
    if knobs.form == "compared" and (first or rng.chance(0.4)):
        kind, edge = rng.choice((("over", "lightest"), ("under", "heaviest"), ("over", "heaviest"), ("under", "lightest")))
        return Test(kind=kind, what=thing.colour, edge=edge)
    kind = rng.choice(PLAIN)
    return Test(kind=kind, what=str(getattr(thing, _gaps(kind)[0])))


environment = Environment(
    Knobs, Numbers("the numbers in ascending order, separated by commas", max_items=300), generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}"),
    concept="Work out first what each comparison comes to, then go through the list once for every condition.",
    version=5,
)  # fmt: skip
