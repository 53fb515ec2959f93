"""Put items out in a given order by way of a stack or two, or show by three items that the order cannot be had.

Any legal sequence of moves is accepted. That it is impossible counts only with three items, two of which would have to come out of the
stack against its order.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.puzzles import move_puzzles
from rlgym.generators.puzzles.move_puzzles import Moves, Plan
from rlgym.solutions import Checks, Derivation, Solution, Step

State = tuple[int, tuple[str, str], int]  # how many came in, the stacks from bottom to top, how many went out
COME = Step("{first}, {second}, {third} come in this order")
INSIDE = Step("{third} is wanted before {first} and {second}, so both are inside when it goes out, the later one above")
STUCK = Step("Then {second} goes out before {first}, but it is wanted after it")
END = Step("The answer is {answer}")
WORK = 3000
RULES = {
    "one": "There is one stack. The move in puts the next item on top of the stack; the move out takes the top item off the stack and outputs it.",
    "pair": (
        "There are two stacks, 1 and 2. The moves in1 and in2 put the next item on top of that stack; the moves out1 and out2 take the "
        "top item of that stack and put it out."
    ),
    "chain": (
        "There are two stacks, 1 and 2. The move in puts the next item on top of stack 1; the move over takes the top item of stack 1 "
        "and puts it on top of stack 2; the move out takes the top item of stack 2 and puts it out."
    ),
}
ANSWER = Words("the moves in order, separated by spaces", max_items=200, ignore_case=True)


class Knobs(Config):
    items: int = knob(9, easy=5, hard=16, doc="how many items there are")
    stacks: str = knob(
        "pair", easy="one", hard="chain", order=("one", "pair", "chain"), doc="one stack, two side by side, or one behind the other"
    )
    labels: str = knob(
        "rising", easy="rising", hard="mixed", order=("rising", "mixed"), doc="whether the items come in the order of the alphabet"
    )


class Data(TaskData):
    comes: tuple[str, ...]
    wanted: tuple[str, ...]
    kind: str
    possible: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Orders with long waves: a whole group goes in before one comes out."""
    return _sample_task(rng, knobs, True)


def _sample_task(rng: Rng, knobs: Knobs, waves: bool) -> Task[Data]:
    kind = knobs.stacks if rng.chance(0.75) else "one"
    possible = kind != "one" or rng.chance(0.85 if knobs.stacks == "one" else 0.5)
    while True:
        comes = rng.sample("abcdefghijklmnopqrstuvwxyz", max(6, knobs.items) if waves else knobs.items)
        if knobs.labels == "rising":
            comes.sort()
        goal = _order(rng, comes, kind, min(4, len(comes) // 2) if waves else 1)
        if not possible:
            a, b = rng.sample(range(len(comes)), 2)
            goal[a], goal[b] = goal[b], goal[a]
        data = Data(comes=tuple(comes), wanted=tuple(goal), kind=kind, possible=possible)
        bad = next(_witnesses(data), None) is not None
        # What one stack can do alone would be no task for two.
        if goal != comes and goal != comes[::-1] and bad == (kind != "one" or not possible) and (not possible or _find_plan(data, WORK)):
            break
    proof = (
        " If that cannot be done, write instead of the moves the word impossible and three items that prove it: of the three, the one that comes last "
        "must come out first, and the one that comes first must come out before the one that comes second."
        if kind == "one"
        else ""
    )
    prompt = (
        f"Items come in this order:\n{' '.join(comes)}\n\n{RULES[kind]} The items must come out in this order:\n{' '.join(goal)}\n\n"
        f"Give the moves.{proof}"
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> Plan:
    first = next(_witnesses(task.data), None) if task.data.kind == "one" else None
    return ("impossible", *first) if first else _find_plan(task.data, 10**6) or ()


def verify(task: Task[Data], answer: Plan) -> Score:
    data = task.data
    if answer[0] == "impossible":
        three = sorted(set(answer[1:]) & set(data.comes), key=data.comes.index)
        if len(answer) != 4 or len(three) != 3 or data.kind != "one":
            return Score.wrong("impossible must be followed by three different items, where it may be the answer at all")
        first, second, third = map(data.wanted.index, three)
        return Score.exact(third < first < second, "these three can go out in the order that is wanted")
    return move_puzzles.verify_plan(_puzzle(data), answer, 3 * len(data.comes), "the items are not all out")


def mistakes(task: Task[Data], right: Plan) -> list[Plan]:
    data = task.data
    if not data.possible:
        return [("impossible", *data.comes[:2]), ("in", "out") * len(data.comes), ("in",) * len(data.comes) + ("out",) * len(data.comes)]
    return [("impossible", *data.wanted[:2], data.wanted[0]), *move_puzzles.near_misses(right), ("in", "out") * len(data.comes)]


def cost(task: Task[Data]) -> float:
    return len(task.data.comes) ** 2 * {"one": 1, "pair": 2, "chain": 4}[task.data.kind]


def prove(task: Task[Data]) -> Derivation:
    """That the order cannot be had, by three items."""
    _, first, second, third = solve(task)
    yield COME(first=first, second=second, third=third)
    yield INSIDE(first=first, second=second, third=third)
    yield STUCK(first=first, second=second)
    yield END(answer=ANSWER.render(("impossible", first, second, third)))


def checks(task: Task[Data]) -> Checks:
    comes, wanted_index = task.data.comes.index, task.data.wanted.index
    named = dict[str, str]()

    def agree(**items: str) -> bool:
        """Whether the items are those named before."""
        same = all(named.get(place, item) == item for place, item in items.items())
        if same:
            named.update(items)
        return same

    def come(first: str, second: str, third: str) -> bool:
        return comes(first) < comes(second) < comes(third) and agree(first=first, second=second, third=third)

    def inside(first: str, second: str, third: str) -> bool:
        return wanted_index(third) < min(wanted_index(first), wanted_index(second)) and agree(first=first, second=second, third=third)

    def stuck(first: str, second: str) -> bool:
        return wanted_index(first) < wanted_index(second) and agree(first=first, second=second)

    return {COME: come, INSIDE: inside, STUCK: stuck, END: lambda answer: set(ANSWER.parse(answer)[1:]) == set(named.values())}


def _order(rng: Rng, comes: Sequence[str], kind: str, wave: int) -> list[str]:
    """An order that random moves make; `wave` items go in at a time."""
    inputs_left, stacks, out = list(comes), [list[str](), list[str]()], list[str]()
    while len(out) < len(comes):
        for _ in range(rng.integer(1, wave) if inputs_left else 0):
            if inputs_left:
                stacks[rng.integer(0, 1) if kind == "pair" else 0].append(inputs_left.pop(0))
        if kind == "chain":
            for _ in range(rng.integer(0, min(wave + 1, len(stacks[0])))):
                stacks[1].append(stacks[0].pop())
        full = [stack for stack in (stacks[1:] if kind == "chain" else stacks) if stack]
        inside = sum(map(len, full))
        for _ in range(rng.integer(0, inside) if wave > 1 else inside and (not inputs_left or rng.chance(0.5))):
            out.append(rng.choice([stack for stack in full if stack]).pop())
    return out


def _puzzle(data: Data, *, prune: bool = False) -> Moves[State]:
    count, kind = len(data.comes), data.kind
    due = {item: place for place, item in enumerate(data.wanted)}

    def options(state: State) -> list[tuple[str, State]]:
        taken, (stack_a, two), out = state
        steps_found = list[tuple[str, State]]()
        next_out = data.wanted[out] if out < count else ""
        if kind == "chain":
            if two and two[-1] == next_out:
                steps_found.append(("out", (taken, (stack_a, two[:-1]), out + 1)))
            # What lies on an item that is wanted sooner will be in its way.
            if stack_a and not (prune and two and due[two[-1]] < due[stack_a[-1]]):
                steps_found.append(("over", (taken, (stack_a[:-1], two + stack_a[-1]), out)))
            if taken < count:
                steps_found.append(("in", (taken + 1, (stack_a + data.comes[taken], two), out)))
            return steps_found
        for number, stack in enumerate((stack_a, two) if kind == "pair" else (stack_a,), 1):
            name = str(number) if kind == "pair" else ""
            if stack and stack[-1] == next_out:
                rest = stack[:-1]
                steps_found.append((f"out{name}", (taken, (rest, two) if number == 1 else (stack_a, rest), out + 1)))
            if taken < count and not (prune and stack and due[stack[-1]] < due[data.comes[taken]]):
                grown = stack + data.comes[taken]
                steps_found.append((f"in{name}", (taken + 1, (grown, two) if number == 1 else (stack_a, grown), out)))
        return steps_found

    def least(state: State) -> int:
        each = 3 if kind == "chain" else 2
        return each * (count - state[0]) + (each - 1) * len(state[1][0]) + len(state[1][1])

    def describe(state: State) -> str:
        inside = [" ".join(stack) or "empty" for stack in (state[1] if kind != "one" else state[1][:1])]
        after = data.wanted[state[2]] if state[2] < count else "nothing"
        return f"{'; '.join(f'stack {k}: {stack}' for k, stack in enumerate(inside, 1))}; wanted next: {after}; still to come: {count - state[0]}"

    return Moves((0, ("", ""), 0), options, lambda state: state[2] == count, describe, least)


def _find_plan(data: Data, work: int) -> Plan | None:
    return move_puzzles.a_star(_puzzle(data, prune=True), work)


def _witnesses(data: Data) -> Iterator[tuple[str, str, str]]:
    """Three items that come in this order while the third is wanted first and the second last."""
    due = {item: place for place, item in enumerate(data.wanted)}
    for first, second, third in combinations(data.comes, 3):
        if due[third] < due[first] < due[second]:
            yield first, second, third


def solutions(task: Task[Data]) -> Iterator[Plan]:
    if not task.data.possible:
        yield from (("impossible", *three[::-1]) for three in _witnesses(task.data))
    elif plan := move_puzzles.a_star(_puzzle(task.data, prune=True), 10**6, backwards=True):
        yield plan


SOLUTION = move_puzzles.PlanOrProof(lambda data: data.possible, move_puzzles.solution(_puzzle, solve, ANSWER), Solution(prove, END, checks))
environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=SOLUTION, shift=shift, answers="many", solutions=solutions,
    shared_helpers="The helper makes the moves of the puzzle as the prompt states them; searching for a plan and checking one are apart.",
    concept="An item may lie only on items that are wanted later; otherwise it is in the way of one of them.",
    version=4,
)  # fmt: skip
