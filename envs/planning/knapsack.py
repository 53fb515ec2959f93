"""Pack the most valuable things that a bag can hold, with one or two limits and things of which only one may be taken.

Every packing of the largest value is accepted; that value is worked out exactly while generating.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.steps import Line, ended, first_wrong
from rlgym.generators.words import WORDS

MORE = Line("With {names} too, {many} {kinds} can be reached within the limits; the largest value is {worth}")
LARGEST, SUM = Line("The largest value is {worth}"), Line("Its {what}: {parts} = {sum}")
Thing = tuple[str, int, int, int]  # name, value, weight, size


class Knobs(Config):
    things: int = knob(8, easy=4, hard=24, doc="things to choose from")
    limits: str = knob("weight", easy="weight", hard="both", order=("weight", "both"), doc="whether only weight counts, or weight and size")
    rivals: int = knob(1, easy=0, hard=5, doc="groups of things of which at most one may be taken")


class Data(TaskData):
    things: tuple[Thing, ...]
    rivals: tuple[tuple[int, ...], ...]
    weight: int
    size: int  # 0 if sizes do not count
    best: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    both = knobs.limits == "both"
    names = rng.sample(WORDS, knobs.things)
    things = []
    for name in names:
        weight, size = rng.integer(2, 15), rng.integer(2, 15) if both else 0
        things.append((name, weight + size + rng.integer(0, 10), weight, size))
    order = rng.shuffled(range(knobs.things))
    groups = [tuple(sorted(order[3 * i : 3 * i + rng.integer(2, 3)])) for i in range(min(knobs.rivals, knobs.things // 3))]
    share = rng.integer(35, 60)
    weights, sizes = [thing[2] for thing in things], [thing[3] for thing in things]
    weight, size = (max(sum(each) * share // 100, max(each)) for each in (weights, sizes))
    data = Data(things=tuple(things), rivals=tuple(groups), weight=weight, size=size, best=0)
    data = data.model_copy(update={"best": max(_table(data)[-1].values())})
    return Task(_prompt(data), data)


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
    place = {thing[0]: i for i, thing in enumerate(data.things)}
    if len(set(answer)) != len(answer) or not all(name in place for name in answer):
        return Score.wrong("only listed things can be packed, each once")
    taken = [place[name] for name in answer]
    if sum(data.things[i][2] for i in taken) > data.weight:
        return Score.wrong("the bag is too heavy")
    if sum(data.things[i][3] for i in taken) > data.size:
        return Score.wrong("the bag is too small for that")
    if any(sum(i in group for i in taken) > 1 for group in data.rivals):
        return Score.wrong("two of these things may not be taken together")
    return Score.exact(sum(data.things[i][1] for i in taken) == data.best, "another choice is worth more")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    by_value = sorted(data.things, key=lambda thing: (-thing[1], thing[0]))
    by_ratio = sorted(data.things, key=lambda thing: (-thing[1] / (thing[2] + thing[3]), thing[0]))
    every = tuple(thing[0] for thing in data.things)
    return [_greedy(data, by_value), _greedy(data, by_ratio), every, right[1:] or every, (*right, right[0])]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.things) ** 2 * (2 if data.size else 1) + 4 * sum(map(len, data.rivals))


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, []
    before = {(0, 0): 0}
    for choice, table in zip(_choices(data), _table(data)[1:], strict=True):
        names = " or ".join(data.things[i][0] for i in choice)
        worth = max(table.values())
        kinds = "pairs of a weight and a size" if data.size else "weights"
        steps.append(MORE.write(names=names, many=len(table), kinds=kinds, worth=worth))
        before = table
    steps.append(LARGEST.write(worth=max(before.values())))
    right = solve(task)
    chosen = [thing for thing in data.things if thing[0] in right]
    for what, each in (("weight", [thing[2] for thing in chosen]), ("size", [thing[3] for thing in chosen]))[: 2 if data.size else 1]:
        steps.append(SUM.write(what=what, parts=" + ".join(map(str, each)), sum=sum(each)))
    return [*steps, f"Take {environment.answer.render(right)}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    fillings, done = {(0, 0): 0}, [0]

    def follows(step: str) -> bool:
        if read := MORE.read(step):
            choice = _choices(data)[done[0]]
            done[0] += 1
            for (weight, size), worth in list(fillings.items()):
                for _, value, heavy, big in (data.things[i] for i in choice):
                    there = weight + heavy, size + big
                    if there[0] <= data.weight and there[1] <= data.size:
                        fillings[there] = max(fillings.get(there, 0), worth + value)
            told = " or ".join(data.things[i][0] for i in choice), len(fillings), max(fillings.values())
            kinds = "pairs of a weight and a size" if data.size else "weights"
            return (read["names"], int(read["many"]), int(read["worth"]), read["kinds"]) == (*told, kinds)
        if read := LARGEST.read(step):
            return done[0] == len(_choices(data)) and int(read["worth"]) == max(fillings.values())
        read = SUM.read(step)
        if not read or read["what"] not in ("weight", "size"):
            return False
        parts = [int(part) for part in read["parts"].split(" + ")]
        every = [thing[2 if read["what"] == "weight" else 3] for thing in data.things]
        limit = data.weight if read["what"] == "weight" else data.size
        return sum(parts) == int(read["sum"]) <= limit and all(every.count(part) >= parts.count(part) for part in parts)

    return first_wrong(steps, follows, ended("Take ", task, environment.answer, verify))


def _prompt(data: Data) -> str:
    listing = "\n".join(
        f"{name}: value {value}, weight {weight}" + (f", size {size}" if data.size else "") for name, value, weight, size in data.things
    )
    rules = "".join(f"\nAt most one of these may be taken: {', '.join(data.things[i][0] for i in group)}." for group in data.rivals)
    limit = f"a total weight of at most {data.weight}" + (f" and a total size of at most {data.size}" if data.size else "")
    return f"A bag holds {limit}. These things can be packed, each once and whole:\n{listing}{rules}\n\nWhich of them have the largest total value?"


def _choices(data: Data) -> list[tuple[int, ...]]:
    """Things that are rivals make one choice; every other thing is a choice of its own."""
    grouped = {i for group in data.rivals for i in group}
    return [*data.rivals, *((i,) for i in range(len(data.things)) if i not in grouped)]


def _table(data: Data) -> list[dict[tuple[int, int], int]]:
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
    tables, choices = _table(data), _choices(data)
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


environment = Environment(
    Knobs,
    Words("the names of the things to pack, separated by commas", most=60, fold=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    answers="many",
    solutions=_packings,
    concept="Go through the things one at a time and keep, for every weight in use, only the most valuable filling.",
)
