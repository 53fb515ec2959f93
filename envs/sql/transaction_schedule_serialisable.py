"""Decide whether a schedule of transactions is conflict-serialisable, and prove it by a serial order or by a cycle of conflicts."""

from collections.abc import Iterator
from itertools import combinations, count

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.solutions import Derivation, Due, OneOf, Solution, Step, any_order

Operation = tuple[int, str, str]  # transaction, r or w, item
ITEMS = "xyzuvwpqst"
CONFLICT = Step("{one} comes before {other}, since {first} stands before {second} and they conflict")
FREE = Step("No conflict puts another of the transactions that are left before {name}, so it is next in the order")
STUCK = Step(
    "Each of the transactions that are left, {names:words}, has another one of them before it, so going back must run into a cycle"
)
END = "The answer is {answer}"


class Knobs(Config):
    transactions: int = knob(5, easy=4, hard=9, beyond=14, doc="transactions")
    items: int = knob(6, easy=3, hard=10, doc="items that are read and written")
    steps: int = knob(10, easy=6, hard=26, beyond=40, doc="reads and writes besides one of each transaction")


class Data(TaskData):
    transactions: int
    steps: tuple[Operation, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    cyclic = rng.chance(0.4)
    for tries in count():
        order = rng.shuffled(range(1, knobs.transactions + 1))
        steps = _swap_commuting_steps(rng, knobs, order)
        if cyclic and knobs.transactions > 2:
            steps = _move_one_step(rng, knobs, steps)
        task = _describe(knobs, tuple(steps), cyclic, tries)
        if task is not None:
            return task
    raise AssertionError("some draw is taken at last")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Nearly serial schedules, where whole transactions run one after the other but for a few steps."""
    cyclic = rng.chance(0.4)
    for tries in count():
        order = rng.shuffled(range(1, knobs.transactions + 1))
        steps = sorted(_swap_commuting_steps(rng, knobs, order), key=lambda step: order.index(step[0]))
        if cyclic and knobs.transactions > 2:
            steps = _move_one_step(rng, knobs, steps)
        task = _describe(knobs, tuple(steps), cyclic, tries)
        if task is not None:
            return task
    raise AssertionError("some draw is taken at last")


def solve(task: Task[Data]) -> tuple[str, ...]:
    """Taking away transactions that none must come before; what cannot be taken away holds a cycle."""
    edges = _edges(task.data)
    unordered, order = list(range(1, task.data.transactions + 1)), list[int]()
    while free := [transaction for transaction in unordered if not any((other, transaction) in edges for other in unordered)]:
        order.append(free[0])
        unordered.remove(free[0])
    if not unordered:
        return ("order", *(f"T{transaction}" for transaction in order))
    walk = [unordered[0]]
    while len(set(walk)) == len(walk):
        walk.append(next(other for other in unordered if (other, walk[-1]) in edges))
    cycle = walk[walk.index(walk[-1]) : -1][::-1]
    return ("cycle", *(f"T{transaction}" for transaction in cycle))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data, kind = task.data, answer[0]
    names = {f"t{transaction}": transaction for transaction in range(1, data.transactions + 1)}
    given = [names.get(word, 0) for word in answer[1:]]
    if 0 in given or len(set(given)) < len(given) or kind not in ("order", "cycle"):
        return Score.wrong("expected order or cycle, then different transactions of the schedule")
    edges = _edges(data)
    if kind == "order":
        if len(given) < data.transactions:
            return Score.wrong("an order names every transaction")
        place = {transaction: i for i, transaction in enumerate(given)}
        return Score.exact(all(place[first] < place[second] for first, second in edges), "some conflict runs against this order")
    closed = len(given) >= 2 and all(pair in edges for pair in zip(given, given[1:] + given[:1], strict=True))
    return Score.exact(closed, "these transactions are not a cycle of conflicts in this direction")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    names = [f"t{transaction}" for transaction in range(1, task.data.transactions + 1)]
    first = list(dict.fromkeys(f"t{transaction}" for transaction, _, _ in task.data.steps))
    last = list(dict.fromkeys(f"t{transaction}" for transaction, _, _ in task.data.steps[::-1]))[::-1]
    return [("order", *names), ("order", *first), ("order", *last), ("cycle", *names), (right[0], *right[:0:-1]), ("cycle", *right[1:])]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.steps) ** 2 / 4 + task.data.transactions * 3)


def derive(task: Task[Data]) -> Derivation:
    """The conflicts, then transactions taken away one after another while some has none before it."""
    data, edges, steps = task.data, _edges(task.data), list[Due]()
    for one, other in sorted(edges):
        first, second = next((a, b) for a, b in combinations(data.steps, 2) if (a[0], b[0]) == (one, other) and _clash(a, b))
        steps.append(CONFLICT(one=f"T{one}", other=f"T{other}", first=_step(first), second=_step(second)))
    yield from any_order(steps)
    left = list(range(1, data.transactions + 1))
    while free := [one for one in left if not any((other, one) in edges for other in left)]:
        taken = yield OneOf(tuple(FREE(name=f"T{one}") for one in free))
        left.remove(int(taken["name"][1:]))
    if left:
        yield STUCK(names=[f"T{one}" for one in left])


def _swap_commuting_steps(rng: Rng, knobs: Knobs, order: list[int]) -> list[Operation]:
    """A schedule whose conflicts all follow the order: steps of a serial one, exchanged where they do not clash."""
    schedule = [
        (transaction, rng.choice("rrw"), rng.choice(ITEMS[: knobs.items]))
        for transaction in [*order, *(rng.choice(order) for _ in range(knobs.steps))]
    ]
    schedule.sort(key=lambda step: order.index(step[0]))
    for _ in range(6 * len(schedule)):
        i = rng.integer(0, len(schedule) - 2)
        if schedule[i][0] != schedule[i + 1][0] and not _clash(schedule[i], schedule[i + 1]):
            schedule[i], schedule[i + 1] = schedule[i + 1], schedule[i]
    return schedule


def _move_one_step(rng: Rng, knobs: Knobs, steps: list[Operation]) -> list[Operation]:
    """With one step moved to another place, which may close a cycle."""
    moved = list(steps)
    step = moved.pop(rng.integer(0, len(moved) - 1))
    moved.insert(rng.integer(0, len(moved)), (step[0], rng.choice("rw"), rng.choice(ITEMS[: knobs.items])))
    return moved


def _describe(knobs: Knobs, steps: tuple[Operation, ...], cyclic: bool, tries: int) -> Task[Data] | None:
    data = Data(transactions=knobs.transactions, steps=steps)
    edges = _edges(data)
    task = Task(_render_prompt(data), data)
    # With two transactions in a cycle the answer could be guessed, and with few conflicts nearly every order would do.
    two = any((second, first) in edges for first, second in edges)
    wants_cycle = cyclic and knobs.transactions > 2 and tries < 60
    few = len({transaction for transaction, _, _ in steps}) < data.transactions or len(edges) < data.transactions - 1 - tries // 20
    if few or two or (solve(task)[0] == "cycle") != wants_cycle:
        return None
    return task


def _render_prompt(data: Data) -> str:
    return (
        f"The transactions {', '.join(f'T{transaction}' for transaction in range(1, data.transactions + 1))} read and write items in "
        "this schedule (from left to right; "
        f"r1(x): T1 reads x, w1(x): T1 writes x):\n\n{' '.join(map(_step, data.steps))}\n\n"
        "Two steps of different transactions conflict if they access the same item and at least one of them writes. If there is a serial order of "
        "the transactions in which all pairs of conflicting steps are in the same order as in the schedule, give it: the word order and then all "
        "transactions from first to last. If there is none, give a cycle: the word cycle and then distinct transactions, each of which has a step that "
        "conflicts with a later step of the next one; for the last transaction, the next one is the first."
    )


def _clash(first: Operation, second: Operation) -> bool:
    return first[0] != second[0] and first[2] == second[2] and "w" in (first[1], second[1])


def _edges(data: Data) -> set[tuple[int, int]]:
    return {(step[0], other[0]) for i, step in enumerate(data.steps) for other in data.steps[i + 1 :] if _clash(step, other)}


def _step(step: Operation) -> str:
    return f"{step[1]}{step[0]}({step[2]})"


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """Orders by always taking the last free transaction, or the cycle begun elsewhere."""
    right = solve(task)
    if right[0] == "cycle":
        for i in range(1, len(right)):
            yield ("cycle", *right[i:], *right[1:i])
        return
    edges, left, order = _edges(task.data), list(range(1, task.data.transactions + 1)), list[str]()
    while left:
        transaction = max(candidate for candidate in left if not any((other, candidate) in edges for other in left))
        order.append(f"T{transaction}")
        left.remove(transaction)
    yield ("order", *order)


environment = Environment(
    Knobs,
    Words("the word order or the word cycle, and then transactions, such as T3, separated by spaces", max_items=30, ignore_case=True),
    generate, lambda task: tuple(word.lower() for word in solve(task)), verify, mistakes, cost, solution=Solution(derive, END),
    shift=shift, answers="many", solutions=lambda task: (tuple(word.lower() for word in solution) for solution in _solutions(task)),
    concept="Draw an arrow for every pair of conflicting steps; a serial order is an order of the arrows, and a cycle rules it out.",
    version=4,
)  # fmt: skip
