"""Find what attributes determine: the closure of a set, or all candidate keys of a relation."""

from itertools import count, pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.tables.dependencies import LETTERS, Dependency, closure, describe, draw, keys, read, show
from rlgym.solutions import Checks, Derivation, Solution, Step

GROWS = Step("{start} reaches {after} by {left} -> {right} from {before}")
KEY = Step("{key} determines everything, and no set without one of its attributes does")
END = "Answer: {answer}"


class Knobs(Config):
    attributes: int = knob(7, easy=6, hard=9, beyond=10, doc="attributes of the relation")
    dependencies: int = knob(6, easy=4, hard=13, beyond=16, doc="dependencies")
    widest: int = knob(2, easy=1, hard=3, doc="most attributes on the left of a dependency")
    question: str = knob(
        "keys", easy="closure", hard="keys", order=("closure", "keys"), doc="the closure of one set, or all candidate keys"
    )


class Data(TaskData):
    attributes: int
    dependencies: tuple[Dependency, ...]
    start: int  # the set whose closure is asked for; 0 for the keys


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    for tries in count():
        task = _sample_task(rng, knobs, draw(rng, knobs.attributes, knobs.dependencies, knobs.widest), tries)
        if task is not None:
            return task
    raise AssertionError("some draw is taken at last")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Dependencies in a chain, with some across."""
    for tries in count():
        order = rng.shuffled(range(knobs.attributes))
        chain = [(1 << first, 1 << second) for first, second in pairwise(order)][: knobs.dependencies]
        across = draw(rng, knobs.attributes, knobs.dependencies - len(chain) + 2, max(2, knobs.widest))
        task = _sample_task(rng, knobs, tuple(dict.fromkeys(rng.shuffled([*chain[2:], *across]))), tries)
        if task is not None:
            return task
    raise AssertionError("some draw is taken at last")


def solve(task: Task[Data]) -> tuple[str, ...]:
    """By the closed sets: what a set determines is the smallest closed set around it."""
    data = task.data
    closed = [mask for mask in range(1 << data.attributes) if all(left & ~mask or not right & ~mask for left, right in data.dependencies)]
    if data.start:
        smallest = min((mask for mask in closed if data.start & ~mask == 0), key=int.bit_count)
        return (show(smallest),)
    everything = (1 << data.attributes) - 1
    tops = [mask for mask in closed if mask != everything]
    # A set is a superkey where it lies in no closed set but the whole; the smallest such sets are the keys.
    supers = [mask for mask in range(1, everything + 1) if all(mask & ~top for top in tops)]
    ok = set(supers)
    least = [mask for mask in supers if not any(mask >> i & 1 and mask & ~(1 << i) in ok for i in range(data.attributes))]
    return tuple(sorted(map(show, least), key=lambda text: (len(text), text)))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if len(answer) > 200:
        return Score.wrong("that are too many sets")
    masks = [read(text, data.attributes) for text in answer]
    if None in masks:
        return Score.wrong("a set is written with letters of the attributes, each at most once")
    if len(set(masks)) < len(masks):
        return Score.wrong("a set is given twice")
    right = [closure(data.dependencies, data.start)] if data.start else keys(data.dependencies, data.attributes)
    return Score.exact(sorted(mask or 0 for mask in masks) == sorted(right), "some set is missing, or one is not right")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    everything = LETTERS[: data.attributes]
    full_start = data.start
    for left, more in data.dependencies:
        full_start |= more if left & ~data.start == 0 else 0
    return [
        (everything,),
        (show(full_start or 1),),
        (*right, everything),
        right[1:] or (everything[0],),
        (*right[:-1], right[-1][1:] or everything),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.dependencies) * (data.attributes if data.start else 2**data.attributes))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    for text in [show(data.start)] if data.start else solve(task):
        reach = read(text, data.attributes) or 0
        grown = True
        while grown:
            grown = False
            for left, right in data.dependencies:
                if left & ~reach == 0 and right & ~reach:
                    yield GROWS(start=text, after=show(reach | right), left=show(left), right=show(right), before=show(reach))
                    reach, grown = reach | right, True
        if not data.start:
            yield KEY(key=show(read(text, data.attributes) or 0))


def checks(task: Task[Data]) -> Checks:
    data, reached = task.data, dict[str, int]()

    def grows(**gaps: str) -> bool:
        start, after, left, right, before = (read(gaps[gap], data.attributes) or 0 for gap in ("start", "after", "left", "right", "before"))
        known = reached.get(gaps["start"], start)
        reached[gaps["start"]] = after
        allowed = (not data.start or start == data.start) and (left, right) in data.dependencies and left & ~before == 0
        return allowed and before == known and after == before | right != before

    def is_key(key: str) -> bool:
        attributes, all_attributes = read(key, data.attributes) or 0, (1 << data.attributes) - 1
        smaller = [attributes & ~(1 << i) for i in range(data.attributes) if attributes >> i & 1]
        determines = closure(data.dependencies, attributes) == all_attributes
        return not data.start and determines and all(closure(data.dependencies, subset) != all_attributes for subset in smaller)

    return {GROWS: grows, KEY: is_key}


def _sample_task(rng: Rng, knobs: Knobs, dependencies: tuple[Dependency, ...], tries: int) -> Task[Data] | None:
    start = 0
    if knobs.question == "closure":
        start = sum(1 << place for place in rng.sample(range(knobs.attributes), rng.integer(1, max(1, knobs.attributes // 3))))
        reach = closure(dependencies, start).bit_count()
        # The closure is rarely everything, which would be too good a guess.
        if tries < 80 and (reach < start.bit_count() + 1 or reach == knobs.attributes):
            return None
    elif tries < 80 and not 2 <= len(keys(dependencies, knobs.attributes)) <= 12:
        return None
    question = (
        f"Which attributes does {show(start)} determine (its closure, its own attributes among them)? Give them as one word of letters."
        if start
        else "Give all candidate keys: the sets of attributes that determine all attributes and of which no proper subset does. "
        "Write each as one word of letters."
    )
    prompt = (
        f"A relation has the attributes {', '.join(LETTERS[: knobs.attributes])} and these functional "
        f"dependencies:\n\n{describe(dependencies)}\n\n{question}"
    )
    return Task(prompt, Data(attributes=knobs.attributes, dependencies=dependencies, start=start))


environment = Environment(
    Knobs, Words("each set of attributes asked for as one word of letters; two or more sets in any order, separated by spaces", max_items=300),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, answers="many", solutions=lambda task: [solve(task), solve(task)[::-1]],
    guessable="a closure is often all attributes but one or two",
    concept="Add to the set the right side of every dependency whose left side it holds, until nothing is added.", version=3,
)  # fmt: skip
