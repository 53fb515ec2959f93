"""Pack the most valuable things that a bag can hold, with one or two limits and things of which only one may be taken.

Every packing of the largest value is accepted; that value is computed exactly during generation. On the upper levels things are worth nearly the same
for their weight and size, many packings come close to the best, and a bound by shares of things rules out little.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import product
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.draws import draw_against, sample_hard
from rlgym.generators.text.words import THINGS
from rlgym.solutions import Derivation, Solution, Step

MORE = Step("With {names} too, {many:int} {kinds} can be reached within the limits; the largest value is {worth:int}")
LARGEST, SUM = Step("The largest value is {worth:int}"), Step("Its {what}: {parts} = {total:int}")
ANSWER = Words("the names of the things to pack, separated by commas", max_items=60, ignore_case=True)
CONCEPT = "Go through the things one at a time and keep, for every weight in use, only the most valuable filling."


TRIES = 6
MOST_NODES = 4000


class Thing(NamedTuple):
    name: str
    value: int
    weight: int
    size: int


class Knobs(Config):
    things: int = knob(8, easy=5, hard=24, beyond=32, doc="things to choose from")
    limits: str = knob("weight", easy="weight", hard="both", order=("weight", "both"), doc="whether only weight counts, or weight and size")
    rivals: int = knob(1, easy=0, hard=5, doc="groups of things of which at most one may be taken")
    spread: int = knob(10, easy=10, hard=3, doc="how far things differ, at most, in what they are worth beyond their weight and size")
    nodes: int = knob(
        20,
        easy=1,
        hard=600,
        beyond=10000,
        scale="log",
        doc="nodes of a branch and bound search, at least, if one of 6 bags that greedy choices fail on has as many",
    )


class Data(TaskData):
    things: tuple[Thing, ...]
    rivals: tuple[tuple[int, ...], ...]
    weight: int
    size: int  # 0 if sizes do not count
    best: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_hard(rng, knobs, (10 - knobs.spread, 10))


def _sample_hard(rng: Rng, knobs: Knobs, surplus: tuple[int, int]) -> Task[Data]:
    def draw() -> Task[Data]:
        return draw_against(lambda: _sample_task(rng, knobs, surplus), _yields_to_greed, 20)

    return sample_hard(draw, lambda task: _count_nodes(task.data), knobs.nodes, TRIES)


def _yields_to_greed(task: Task[Data]) -> bool:
    """Whether it is best to take what is worth most, weighs least, or is worth most for its weight as long as it fits."""
    data = task.data
    ranks = [(-thing.value, thing.weight, -Fraction(thing.value, thing.weight)) for thing in data.things]
    for rank in range(3):
        taken: list[int] = []
        for i in sorted(range(len(data.things)), key=lambda i: ranks[i][rank]):
            packed = [data.things[j] for j in (*taken, i)]
            fits = sum(thing.weight for thing in packed) <= data.weight and sum(thing.size for thing in packed) <= data.size
            if fits and not any(i in group and any(j in group for j in taken) for group in data.rivals):
                taken.append(i)
        if sum(data.things[i].value for i in taken) == data.best:
            return True
    return False


def _sample_task(rng: Rng, knobs: Knobs, surplus: tuple[int, int]) -> Task[Data]:
    both = knobs.limits == "both"
    names = rng.sample(THINGS, knobs.things)
    things = []
    for name in names:
        weight, size = rng.integer(2, 15), rng.integer(2, 15) if both else 0
        things.append(Thing(name, weight + size + rng.integer(*surplus), weight, size))
    order = rng.shuffled(range(knobs.things))
    groups = [tuple(sorted(order[3 * i : 3 * i + rng.integer(2, 3)])) for i in range(min(knobs.rivals, knobs.things // 3))]
    share = rng.integer(35, 60)
    weights, sizes = [thing.weight for thing in things], [thing.size for thing in things]
    weight, size = (max(sum(each) * share // 100, max(each)) for each in (weights, sizes))
    data = Data(things=tuple(things), rivals=tuple(groups), weight=weight, size=size, best=0)
    data = data.model_copy(update={"best": max(_dynamic_program(data)[-1].values())})
    return Task(_render_prompt(data), data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Things that are all worth ten more than their weight and size together, so that no thing stands out."""
    return _sample_hard(rng, knobs, (10, 10))


def solve(task: Task[Data]) -> tuple[str, ...]:
    # From the first choice down, remembering what the rest of the bag is worth.
    data = task.data
    choices = _choices(data)

    @cache
    def rest(place: int, weight: int, size: int) -> tuple[int, int]:
        """The most that the choices from here on are worth, and what to take next (-1: nothing)."""
        if place == len(choices):
            return 0, -1
        best, taken = rest(place + 1, weight, size)[0], -1
        for i in choices[place]:
            _, value, heavy, big = data.things[i]
            if heavy <= weight and big <= size and value + rest(place + 1, weight - heavy, size - big)[0] > best:
                best, taken = value + rest(place + 1, weight - heavy, size - big)[0], i
        return best, taken

    weight, size, names = data.weight, data.size, list[str]()
    for place in range(len(choices)):
        taken = rest(place, weight, size)[1]
        if taken >= 0:
            name, _, heavy, big = data.things[taken]
            weight, size = weight - heavy, size - big
            names.append(name)
    return tuple(names)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    place = {thing.name: i for i, thing in enumerate(data.things)}
    if len(set(answer)) != len(answer) or not all(name in place for name in answer):
        return Score.wrong("only listed things can be packed, each once")
    taken = [place[name] for name in answer]
    if sum(data.things[i].weight for i in taken) > data.weight:
        return Score.wrong("the bag is too heavy")
    if sum(data.things[i].size for i in taken) > data.size:
        return Score.wrong("the bag is too small for that")
    if any(sum(i in group for i in taken) > 1 for group in data.rivals):
        return Score.wrong("two of these things may not be taken together")
    return Score.exact(sum(data.things[i].value for i in taken) == data.best, "another choice is worth more")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    by_value = sorted(data.things, key=lambda thing: (-thing.value, thing.name))
    by_ratio = sorted(data.things, key=lambda thing: (-thing.value / (thing.weight + thing.size), thing.name))
    every = tuple(thing.name for thing in data.things)
    return [_greedy(data, by_value), _greedy(data, by_ratio), every, right[1:] or every, (*right, right[0])]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.things) * (2 if data.size else 1) * (4 + _count_nodes(data)) + 4 * sum(map(len, data.rivals))


def derive(task: Task[Data]) -> Derivation:
    data, tables = task.data, _dynamic_program(task.data)
    for choice, table in zip(_choices(data), tables[1:], strict=True):
        kinds = "pairs of a weight and a size" if data.size else "weights"
        yield MORE(names=" or ".join(data.things[i].name for i in choice), many=len(table), kinds=kinds, worth=max(table.values()))
    yield LARGEST(worth=max(tables[-1].values()))
    right = solve(task)
    chosen = [thing for thing in data.things if thing.name in right]
    for what in ("weight", "size") if data.size else ("weight",):
        parts = _measures(chosen, what)
        yield SUM(what=what, parts=" + ".join(map(str, parts)), total=sum(parts)).accepting(partial(_adds_up, data, what))


def _measures(things: Sequence[Thing], what: str) -> list[int]:
    """The weights of things, or their sizes."""
    return [thing.weight if what == "weight" else thing.size for thing in things]


def _adds_up(data: Data, due: str, what: str, parts: str, total: int) -> bool:
    """Whether things can have these weights or sizes, which stay within the limit."""
    numbers, every = [int(part) for part in parts.split(" + ")], _measures(data.things, due)
    within = what == due and sum(numbers) == total <= (data.weight if due == "weight" else data.size)
    return within and all(every.count(number) >= numbers.count(number) for number in numbers)


def _render_prompt(data: Data) -> str:
    listing = "\n".join(
        f"{name}: value {value}, weight {weight}" + (f", size {size}" if data.size else "") for name, value, weight, size in data.things
    )
    rules = "".join(f"\nAt most one of these may be taken: {', '.join(data.things[i].name for i in group)}." for group in data.rivals)
    limit = f"a total weight of at most {data.weight}" + (f" and a total size of at most {data.size}" if data.size else "")
    return (
        f"A bag holds {limit}. Each of these things can be packed once, whole:\n{listing}{rules}\n\n"
        "Which things should be packed to make their total value as large as possible?"
    )


def _choices(data: Data) -> list[tuple[int, ...]]:
    """Things that are rivals make one choice; every other thing is a choice of its own."""
    grouped = {i for group in data.rivals for i in group}
    return [*data.rivals, *((i,) for i in range(len(data.things)) if i not in grouped)]


def _dynamic_program(data: Data) -> list[dict[tuple[int, int], int]]:
    """After each choice, the largest value for every weight and size in use."""
    tables = [{(0, 0): 0}]
    for choice in _choices(data):
        table = tables[-1].copy()
        for ((weight, size), worth), i in product(tables[-1].items(), choice):
            _, value, heavy, big = data.things[i]
            there = (weight + heavy, size + big)
            if there[0] <= data.weight and there[1] <= data.size and table.get(there, -1) < worth + value:
                table[there] = worth + value
        tables.append(table)
    return tables


def _count_nodes(data: Data) -> int:
    """The nodes of a branch and bound search that proves that nothing is worth more; things that fit may be cut for the bound."""

    def use(weight: int, size: int) -> int:
        """What both limits together count, each as much as the other."""
        return weight * data.size + size * data.weight if data.size else weight

    uses = [use(thing.weight, thing.size) for thing in data.things]
    order = sorted(range(len(uses)), key=lambda i: (-Fraction(data.things[i].value, uses[i]), i))
    barred_by = [sum(1 << j for group in data.rivals if i in group for j in group) for i in range(len(uses))]
    nodes, stack = 0, [(0, 0, data.weight, data.size, 0)]
    while stack and nodes < MOST_NODES:
        place, value, weight, size, barred = stack.pop()
        most, room = value, use(weight, size)
        for i in order[place:]:
            thing = data.things[i]
            if barred >> i & 1 or thing.weight > weight or thing.size > size:
                continue
            if uses[i] > room:
                most += thing.value * room // uses[i]
                break
            most, room = most + thing.value, room - uses[i]
        if most <= data.best:
            continue
        nodes += 1
        if place < len(order):
            i, thing = order[place], data.things[order[place]]
            stack.append((place + 1, value, weight, size, barred))
            if thing.weight <= weight and thing.size <= size and not barred >> i & 1:
                stack.append((place + 1, value + thing.value, weight - thing.weight, size - thing.size, barred | barred_by[i]))
    return nodes


def _greedy(data: Data, order: list[Thing]) -> tuple[str, ...]:
    """Whatever comes next and fits."""
    taken: list[str] = []
    weight, size = data.weight, data.size
    for name, _, heavy, big in order:
        if heavy <= weight and big <= size:
            taken.append(name)
            weight, size = weight - heavy, size - big
    return tuple(taken)


def _packings(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """Every best packing, read backwards from the table of values."""
    data = task.data
    tables, choices = _dynamic_program(data), _choices(data)
    stack = [(len(choices), filling, list[str]()) for filling, worth in tables[-1].items() if worth == data.best]
    while stack:
        place, (weight, size), names = stack.pop()
        if not place:
            yield tuple(names)
            continue
        worth = tables[place][weight, size]
        if tables[place - 1].get((weight, size)) == worth:
            stack.append((place - 1, (weight, size), names))
        for i in choices[place - 1]:
            name, value, heavy, big = data.things[i]
            if tables[place - 1].get((weight - heavy, size - big)) == worth - value:
                stack.append((place - 1, (weight - heavy, size - big), [name, *names]))


SOLUTION = Solution(derive, "Take {answer}")
environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=SOLUTION,
    shift=shift,
    answers="many",
    solutions=_packings,
    concept=CONCEPT,
    version=6,
)
