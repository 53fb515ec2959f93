"""Split a relation with functional dependencies into relations in BCNF or 3NF without losing rows or dependencies.

Every decomposition that meets the conditions is accepted: the normal form is checked with the dependencies that hold inside each relation,
the join by the chase.
"""

from itertools import count, pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.tables.dependencies import (
    LETTERS,
    Dependency,
    closure,
    describe,
    draw,
    fault_of_form,
    keys,
    lossless,
    lost,
    minimal_cover,
    read,
    show,
    split,
    synthesis,
)
from rlgym.solutions import Derivation, Solution, Step

KEYS = Step("The candidate keys, the smallest sets that determine everything, are {keys}")
FAULT = Step("{left} determines {closure} in the relation {part} but not all of it, which the form forbids")
SPLIT = Step("So split {part} into {one}, what {left} determines, and {other}, {left} with the rest")
KEPT = Step("No set determines more of {part} in this way, so it stays")
COVER = Step("A minimal cover of the dependencies, with nothing superfluous on the left and none that follows from the others: {cover}")
RELATION = Step("The dependencies of the cover with {left} on the left give the relation {part}")
ADDED = Step("None of these relations holds a key, so {key} is added to join them without loss")
END = "Without relations that lie inside another one: {answer}"


class Knobs(Config):
    attributes: int = knob(6, easy=5, hard=7, beyond=10, doc="attributes of the relation")
    dependencies: int = knob(4, easy=3, hard=8, beyond=14, doc="dependencies")
    widest: int = knob(2, easy=1, hard=3, doc="most attributes on the left of a dependency")
    form: str = knob(
        "third", easy="bcnf", hard="third", order=("bcnf", "third"), doc="BCNF without losing rows, or 3NF that keeps the dependencies too"
    )


class Data(TaskData):
    attributes: int
    dependencies: tuple[Dependency, ...]
    third: bool
    most: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    for tries in count():
        # Where so many dependencies leave nothing to split, fewer are taken at last.
        task = _sample_task(
            draw(rng, knobs.attributes, max(1, knobs.dependencies - tries // 15), min(knobs.widest, knobs.attributes - 1)), knobs
        )
        if task is not None:
            return task
    raise AssertionError("some draw is taken at last")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Dependencies in a chain from one attribute to the next, with some across."""
    for tries in count():
        few = max(2, knobs.dependencies - tries // 15)
        order = rng.shuffled(range(knobs.attributes))
        chain = [(1 << first, 1 << second) for first, second in pairwise(order)]
        taken = rng.sample(chain, min(len(chain), max(1, few * 2 // 3)))
        across = draw(rng, knobs.attributes, max(1, few - len(taken)), min(knobs.widest, knobs.attributes - 1))
        task = _sample_task(tuple(dict.fromkeys(rng.shuffled([*taken, *across]))), knobs)
        if task is not None:
            return task
    raise AssertionError("some draw is taken at last")


def solve(task: Task[Data]) -> tuple[str, ...]:
    return next(iter(_answers(task)))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if len(answer) > data.most:
        return Score.wrong(f"{len(answer)} relations are more than the {data.most} allowed")
    masks = [read(text, data.attributes) for text in answer]
    if None in masks:
        return Score.wrong("a relation is written with letters of the attributes, each at most once")
    return Score.exact(not (fault := _fault(data, [mask or 0 for mask in masks])), fault)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    return [
        (LETTERS[: data.attributes],),
        tuple(show(left | more) for left, more in data.dependencies)[: data.most],
        right[1:] or ("AB",),
        (*right[:-1], LETTERS[: data.attributes]),
        (LETTERS[:2], LETTERS[1 : data.attributes]),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.dependencies) * 2**data.attributes * (2 if data.third else 1))


def derive(task: Task[Data]) -> Derivation:
    """By synthesis from a minimal cover, or by splitting at sets against the form: the textbook way that led to the answer."""
    data, right = task.data, solve(task)
    everything = (1 << data.attributes) - 1
    fault = fault_of_form(data.dependencies, everything, third=data.third)
    yield KEYS(keys=" ".join(map(show, keys(data.dependencies, data.attributes))))
    yield FAULT(left=show(fault), closure=show(closure(data.dependencies, fault)), part=show(everything))
    turned = [data.dependencies[turn:] + data.dependencies[:turn] for turn in range(len(data.dependencies))]
    order = next((order for order in turned if _table_names(synthesis(order, data.attributes)) == right), None)
    yield from _derive_synthesis(order, data.attributes) if order else _derive_split(data)


def _table_names(parts: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(sorted(map(show, parts)))


def _derive_synthesis(dependencies: tuple[Dependency, ...], attributes: int) -> Derivation:
    cover = minimal_cover(dependencies, attributes)
    yield COVER(cover=describe(cover))
    parts = {left: left | sum({right for other, right in cover if other == left}) for left, _ in cover}
    for left, part in parts.items():
        yield RELATION(left=show(left), part=show(part))
    if not any(closure(dependencies, part) == (1 << attributes) - 1 for part in parts.values()):
        yield ADDED(key=show(keys(dependencies, attributes)[0]))


def _derive_split(data: Data) -> Derivation:
    open_parts = [(1 << data.attributes) - 1]
    while open_parts:
        part = open_parts.pop()
        left = fault_of_form(data.dependencies, part, third=False)
        if left:
            reach = closure(data.dependencies, left) & part
            open_parts += [reach, left | (part & ~reach)]
            yield SPLIT(part=show(part), one=show(reach), left=show(left), other=show(left | (part & ~reach)))
        else:
            yield KEPT(part=show(part))


def _fault(data: Data, parts: list[int]) -> str:
    """What is wrong with a decomposition; empty where nothing is."""
    union = 0
    for part in parts:
        union |= part
    if union != (1 << data.attributes) - 1:
        return "some attribute is in no relation"
    if any(i != k and first & ~second == 0 for i, first in enumerate(parts) for k, second in enumerate(parts)):
        return "one relation lies inside another"
    if any(fault_of_form(data.dependencies, part, third=data.third) for part in parts):
        return "one of the relations is not in the normal form"
    if not lossless(data.dependencies, data.attributes, parts):
        return "the join of the relations can hold rows that were not there"
    if data.third and lost(data.dependencies, parts):
        return "a dependency does not follow from those inside the relations"
    return ""


def _answers(task: Task[Data]) -> list[tuple[str, ...]]:
    """Answers by both textbook ways, the dependencies taken in several orders."""
    data, answers = task.data, dict[tuple[str, ...], None]()
    for turn in range(len(data.dependencies)):
        turned = data.dependencies[turn:] + data.dependencies[:turn]
        for parts in (synthesis(turned, data.attributes), split(turned, data.attributes)):
            if len(parts) <= data.most and not _fault(data, list(parts)):
                answers[tuple(sorted(map(show, parts)))] = None
    return list(answers)


def _sample_task(dependencies: tuple[Dependency, ...], knobs: Knobs) -> Task[Data] | None:
    third, all_attributes = knobs.form == "third", (1 << knobs.attributes) - 1
    if not fault_of_form(dependencies, all_attributes, third=third):
        return None
    first = synthesis(dependencies, knobs.attributes) if third else split(dependencies, knobs.attributes)
    data = Data(attributes=knobs.attributes, dependencies=dependencies, third=third, most=len(first))
    if _fault(data, list(first)):
        return None
    form = (
        "each of the new relations is in third normal form (3NF) with respect to the dependencies that hold inside it, joining them gives back exactly "
        "the rows of the old relation (lossless), and every given dependency follows from the dependencies that hold inside the new relations"
        if third
        else "each of the new relations is in Boyce-Codd normal form (BCNF) with respect to the dependencies that hold inside it (those that follow from "
        "the given ones), and joining them gives back exactly the rows of the old relation (lossless); dependencies may be lost"
    )
    prompt = (
        f"A relation has the attributes {', '.join(LETTERS[: knobs.attributes])} and these functional "
        f"dependencies:\n\n{describe(dependencies)}\n\n"
        f"Split it so that {form}. No new relation is contained in another, and there are at most {data.most} of them. Write each as one "
        f"word of letters."
    )
    return Task(prompt, data)


environment = Environment(
    Knobs, Words("the new relations, each as one word of letters, separated by spaces", max_items=40),
    generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    shift=shift, answers="many", solutions=_answers,
    shared_helpers="The helper computes closures of attributes, on which every definition of a normal form rests.",
    concept="Split where a set determines more of a relation but not all of it; for 3NF build relations from a minimal cover and add a key.",
    version=4,
)  # fmt: skip
