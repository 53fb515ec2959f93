"""Sort a stack of pancakes by turning over its top part a few times.

Any list of flips within the limit is accepted. Where the limit is tight it is the proved fewest flips. On the upper levels most flips that mend a gap
lead to stacks that cannot be sorted in time, however far one has come.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.draws import sample_hard
from rlgym.solutions import Checks, Derivation, Solution, Step

Stack = tuple[int, ...]


FLIP = Step("Flip {flip:int}: the stack is now {stack:ints}")
ANSWER = Numbers("the sizes k of the flips in order, separated by commas", max_items=100)
CONCEPT = "Count neighbours in the stack that are not neighbours in size: one flip mends at most one of them, so look for flips that do."


TRIES = 5
TOO_MANY = 4
MOST_STACKS = 3000


class Knobs(Config):
    pancakes: int = knob(7, easy=4, hard=11, beyond=13, doc="pancakes in the stack")
    sides: str = knob("plain", easy="plain", hard="burnt", order=("plain", "burnt"), doc="whether it matters which side is up")
    limit: str = knob(
        "near",
        easy="simple",
        hard="tight",
        order=("simple", "near", "tight"),
        doc="flips allowed: what a simple rule needs, one more than the fewest, or the fewest",
    )
    stacks: int = knob(
        6,
        easy=1,
        hard=600,
        beyond=6000,
        scale="log",
        doc="stacks that a search with gaps as bound looks at: from so many to four times as many, if one of 5 draws has it",
    )


class Data(TaskData):
    stack: Stack  # from top to bottom; below zero where the burnt side is up
    burnt: bool
    most: int
    fewest: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    def measure(task: Task[Data]) -> int:
        # A search that is much longer than is wanted would not be one by hand.
        stacks = _count_stacks(task.data)
        return stacks if stacks <= TOO_MANY * knobs.stacks else 0

    return sample_hard(lambda: _sample_task(rng, knobs), measure, knobs.stacks, TRIES)


def _count_stacks(data: Data) -> int:
    """The stacks that a search looks at before all is sorted within the limit, in the better of two orders of flips."""

    def count(down: bool) -> int:
        budget = [MOST_STACKS]
        next(_plans(_ranks(data.stack), data.burnt, data.most, budget, down), None)
        return MOST_STACKS - budget[0]

    return min(count(False), count(True))


def _sample_task(rng: Rng, knobs: Knobs) -> Task[Data]:
    burnt = knobs.sides == "burnt"
    while True:
        sizes = rng.sample(range(1, 30), knobs.pancakes)
        stack = tuple(-size if burnt and rng.chance(0.5) else size for size in sizes)
        fewest = _fewest_flips(_ranks(stack), burnt, MOST_STACKS)
        if fewest:
            break
    most = max(len(_simple_flips(stack, burnt)), 3 * len(stack) if burnt else 2 * len(stack)) if knobs.limit == "simple" else fewest
    data = Data(stack=stack, burnt=burnt, most=most + (knobs.limit == "near"), fewest=fewest)
    sides = (
        "Each pancake has a burnt side; a minus sign says that its burnt side is up. A flip also turns each pancake that it moves over, so that its sign "
        "changes. At the end all burnt sides must be down."
        if burnt
        else ""
    )
    shown = ", ".join(map(str, stack))
    prompt = (
        f"The sizes of the pancakes in a stack, from top to bottom, are:\n{shown}\n\nA flip of k turns the top k pancakes over as one, so that their order is "
        f"reversed. {sides} Sort the stack with at most {data.most} flips, so that the smallest pancake is on top and the largest at the bottom. Give k for "
        "each flip, in order."
    )
    return Task(prompt.replace("  ", " "), data)


def solve(task: Task[Data]) -> Stack:
    simple = _simple_flips(task.data.stack, task.data.burnt)
    return simple if len(simple) <= task.data.most else next(_plans(_ranks(task.data.stack), task.data.burnt, task.data.most))


def verify(task: Task[Data], answer: Stack) -> Score:
    stack, burnt = task.data.stack, task.data.burnt
    if len(answer) > task.data.most:
        return Score.wrong(f"at most {task.data.most} flips are allowed")
    for flip in answer:
        if not 1 <= flip <= len(stack):
            return Score.wrong(f"a flip takes from 1 to {len(stack)} pancakes")
        stack = _flip_stack(stack, flip, burnt)
    return Score.exact(stack == tuple(sorted(map(abs, stack))), "the stack is not sorted after the last flip")


def mistakes(task: Task[Data], right: Stack) -> list[Stack]:
    order = sorted(map(abs, task.data.stack))
    sizes = tuple(order.index(abs(size)) + 1 for size in task.data.stack)
    return [right[:-1] or (1,), right[::-1], sizes, (*right, len(sizes)), (len(sizes),)]


def cost(task: Task[Data]) -> float:
    spare = task.data.most - task.data.fewest
    ways = len(task.data.stack) ** 2 * (2 if task.data.burnt else 1) * (1 if spare > 1 else 2 if spare else 3)
    return ways * (1 + _count_stacks(task.data) / 20)


def derive(task: Task[Data]) -> Derivation:
    stack = task.data.stack
    for flip in solve(task):
        stack = _flip_stack(stack, flip, task.data.burnt)
        yield FLIP(flip=flip, stack=stack)


def checks(task: Task[Data]) -> Checks:
    stacks = [task.data.stack]

    def flips(flip: int, stack: tuple[int, ...]) -> bool:
        before = stacks[-1]
        turned = [-size if task.data.burnt else size for size in before[:flip]]
        if not 1 <= flip <= len(before) or stack != (*reversed(turned), *before[flip:]):
            return False
        stacks.append(stack)
        return True

    return {FLIP: flips}


def _ranks(stack: Stack) -> Stack:
    order = sorted(map(abs, stack))
    return tuple((order.index(abs(size)) + 1) * (1 if size > 0 else -1) for size in stack)


def _flip_stack(stack: Stack, flip: int, burnt: bool) -> Stack:
    top = stack[flip - 1 :: -1] if flip else ()
    return (*(-size if burnt else size for size in top), *stack[flip:])


def _simple_flips(stack: Stack, burnt: bool) -> Stack:
    """The largest pancake that is out of place goes to the top, and from there to its place."""
    flips: list[int] = []
    for place in range(len(stack), 0, -1):
        size = max(map(abs, stack[:place]))
        if stack[place - 1] == size:
            continue
        at = next(i for i, other in enumerate(stack, 1) if abs(other) == size)
        wanted = [at] if at > 1 else []
        # A pancake must go down from the top with its burnt side up to come out right.
        if burnt and (stack[0] if at == 1 else -stack[at - 1]) > 0:
            wanted.append(1)
        for flip in (*wanted, place):
            stack = _flip_stack(stack, flip, burnt)
            flips.append(flip)
    return tuple(flips)


def _gaps(stack: Sequence[int], burnt: bool) -> int:
    """Neighbours that must still be parted, the plate counting as the largest: no flip mends more than one."""
    below = (*stack[1:], len(stack) + 1)
    if burnt:
        return sum(b - a != 1 for a, b in zip(stack, below, strict=True))
    return sum(abs(b - a) != 1 for a, b in zip(stack, below, strict=True))


def _plans(stack: Stack, burnt: bool, most: int, budget: list[int] | None = None, down: bool = False) -> Iterator[Stack]:
    """Every plan of at most `most` flips that never passes a sorted stack nor flips twice alike; `budget` counts stacks looked at."""
    pending: list[tuple[Stack, int, Stack]] = [(stack, _gaps(stack, burnt), ())]
    size = len(stack)
    while pending:
        stack_now, gaps, flips = pending.pop()
        if not gaps and stack_now[0] == 1:
            yield flips
            continue
        if budget is not None:
            budget[0] -= 1
            if budget[0] < 0:
                return
        if len(flips) == most:
            continue
        choices = []
        for flip in range(1 if burnt else 2, size + 1):
            if flips and flip == flips[-1]:
                continue
            below = stack_now[flip] if flip < size else size + 1
            top, last = stack_now[0], stack_now[flip - 1]
            if burnt:
                after = gaps - (below - last != 1) + (below + top != 1)
            else:
                after = gaps - (abs(below - last) != 1) + (abs(below - top) != 1)
            if len(flips) + 1 + after <= most:
                choices.append((after, flip))
        # The most promising flip is looked at first.
        for after, flip in sorted(choices, key=lambda pair: (-pair[0], pair[1] if down else -pair[1])):
            pending.append((_flip_stack(stack_now, flip, burnt), after, (*flips, flip)))


def _fewest_flips(stack: Stack, burnt: bool, budget: int) -> int:
    """The fewest flips that sort the stack; 0 if it is sorted or if that takes too much work to find out."""
    budget_left = [budget]
    for most in range(_gaps(stack, burnt), 3 * len(stack)):
        flips = next(_plans(stack, burnt, most, budget_left), None)
        if flips is not None:
            return len(flips)
        if budget_left[0] < 0:
            return 0
    return 0


def solutions(task: Task[Data]) -> Iterator[Stack]:
    ranks = _ranks(task.data.stack)
    yield from islice(_plans(ranks, task.data.burnt, min(task.data.most, task.data.fewest + 1), None, True), 4)


SOLUTION = Solution(derive, "The flips are {answer}", checks)
environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=SOLUTION,
    answers="many",
    solutions=solutions,
    concept=CONCEPT,
    version=3,
)
