"""Put tasks in an order that keeps every rule about what comes before what, and every deadline.

Any such order is accepted. Now and then the rules go round in a circle; then the circle must be shown.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.solutions import Checks, Derivation, Solution, Step

RULE = Step("T{a:int} comes before T{b:int} by a rule")
LAST = Step(
    "Place {place:int}, filled from the end: of those left, none must come after {free:words}. Of these T{chosen:int} may wait longest"
)


class Knobs(Config):
    tasks: int = knob(12, easy=7, hard=40, doc="how many tasks there are")
    rules: int = knob(120, easy=120, hard=180, doc="rules about what comes before what, in percent of the tasks")
    deadlines: int = knob(3, easy=0, hard=12, doc="tasks that must be among the first few")
    circles: int = knob(15, easy=0, hard=25, doc="percent of tasks whose rules go round in a circle")


class Data(TaskData):
    tasks: int
    rules: tuple[tuple[int, int], ...]
    deadlines: tuple[tuple[int, int], ...]
    possible: bool

    @property
    def lead(self) -> str:
        return "The order is" if self.possible else "So they go round in a circle:"


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, nearby=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Rules between tasks that lie near each other in the order."""
    return _sample_task(rng, knobs, nearby=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    order = _topological_order(task.data, range(1, task.data.tasks + 1))
    return _task_names(order or _find_cycle(task.data, 1))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    numbers = {f"t{i}": i for i in range(1, data.tasks + 1)}
    if not all(name in numbers for name in answer):
        return Score.wrong(f"every name must be one of T1 to T{data.tasks}")
    order = [numbers[name] for name in answer]
    if len(order) > 1 and order[0] == order[-1]:
        rules = set(data.rules)
        broken = next((pair for pair in pairwise(order) if pair not in rules), None)
        return Score.exact(broken is None, f"no rule says that T{(broken or order)[0]} comes before T{(broken or order)[1]}")
    if len(order) != data.tasks or len(set(order)) != data.tasks:
        return Score.wrong(f"each of the {data.tasks} tasks must be named exactly once")
    place = {number: i for i, number in enumerate(order)}
    for a, b in data.rules:
        if place[a] > place[b]:
            return Score.wrong(f"T{a} must come before T{b}")
    for number, most in data.deadlines:
        if place[number] >= most:
            return Score.wrong(f"T{number} must be among the first {most}")
    return Score.exact(True)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    a, b = task.data.rules[0]
    all_tasks = _task_names(range(1, task.data.tasks + 1))
    rest = tuple(name for name in all_tasks if name not in (f"t{a}", f"t{b}"))
    return [(f"t{b}", f"t{a}", *rest), right[::-1], right[:-1], all_tasks, (f"t{a}", f"t{b}", f"t{a}"), all_tasks[1:]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.rules) + data.tasks * (1 + len(data.deadlines)))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    if not data.possible:
        for a, b in pairwise(_find_cycle(data, 1)):
            yield RULE(a=a, b=b)
        return
    done: list[int] = []
    for chosen in reversed(_topological_order(data, range(1, data.tasks + 1))):
        yield LAST(place=data.tasks - len(done), free=[f"T{i}" for i in _available_tasks(data, done)], chosen=chosen)
        done.append(chosen)


def checks(task: Task[Data]) -> Checks:
    data = task.data
    latest, done, chain = dict(data.deadlines), list[int](), list[int]()

    def is_rule(a: int, b: int) -> bool:
        joined = chain[-1:] in ([], [a])
        chain.append(b)
        return joined and (a, b) in data.rules

    def may_be_last(place: int, free: tuple[str, ...], chosen: int) -> bool:
        ready = _available_tasks(data, done)
        due = {i: latest.get(i, data.tasks) for i in ready}
        at = data.tasks - len(done)
        done.append(chosen)
        return place == at and list(free) == [f"T{i}" for i in ready] and due[chosen] == max(due.values())

    return {LAST: may_be_last} if data.possible else {RULE: is_rule}


def picture(task: Task[Data]) -> str:
    data = task.data
    due = dict(data.deadlines)
    names = {i: f"T{i}, place {due[i]}" if i in due else f"T{i}" for i in range(1, data.tasks + 1)}
    return pictures.network(list(names.values()), [(names[a], names[b]) for a, b in data.rules], directed=True)


def _sample_task(rng: Rng, knobs: Knobs, nearby: bool) -> Task[Data]:
    count = knobs.tasks
    order = rng.shuffled(range(1, count + 1))
    rules: dict[tuple[int, int], None] = {}
    for _ in range(max(2, count * knobs.rules // 100)):
        i, j = sorted(rng.sample(range(count), 2))
        rules[order[i], order[min(j, i + rng.integer(1, 3)) if nearby else j]] = None
    possible = not rng.chance(knobs.circles / 100)
    if not possible:
        chain = sorted(rng.sample(range(count), rng.integer(3, 3 + (count - 3) // 4)))
        rules |= dict.fromkeys((order[i], order[j]) for i, j in pairwise([*chain, chain[0]]))
    places = sorted(rng.sample(range(count - 1), min(knobs.deadlines, count // 3)))
    deadlines = tuple((order[i], min(count - 1, i + rng.integer(1, 3))) for i in rng.shuffled(places))
    data = Data(tasks=count, rules=tuple(rng.shuffled(list(rules))), deadlines=deadlines, possible=possible)
    listing = "\n".join(f"T{a} comes before T{b}." if rng.chance(0.5) else f"T{b} comes after T{a}." for a, b in data.rules)
    limits = "".join(f"\nT{task} is among the first {most}." if most > 1 else f"\nT{task} is the first." for task, most in deadlines)
    circle = (
        "\n\nIf rules with before or after form a cycle, no order keeps them all. Only in that case, give such a cycle instead: tasks each of "
        "which, by one of the rules, comes before the next one, with the first task repeated at the end."
    )
    prompt = (
        f"The tasks T1 to T{count} are done one after the other, each once. In the rules, before and after do not necessarily mean directly "
        f"before or after. The rules:\n{listing}{limits}\n\nGive an order of all tasks that keeps every rule.{circle if knobs.circles else ''}"
    )
    return Task(prompt, data)


def _task_names(order: Sequence[int]) -> tuple[str, ...]:
    return tuple(f"t{i}" for i in order)


def _available_tasks(data: Data, done: Sequence[int]) -> list[int]:
    """The tasks left that no other task left must follow."""
    return [i for i in range(1, data.tasks + 1) if i not in done and all(b in done for a, b in data.rules if a == i)]


def _topological_order(data: Data, preferred: Sequence[int]) -> list[int]:
    """A topological order built from its end: of the tasks without open successors, the one with the latest deadline; empty if there is a cycle."""
    latest = dict(data.deadlines)
    followers = dict.fromkeys(range(1, data.tasks + 1), 0)
    for a, _ in data.rules:
        followers[a] += 1
    order: list[int] = []
    tasks_left = list(preferred)
    while tasks_left:
        free = [i for i in tasks_left if not followers[i]]
        if not free:
            return []
        last = max(free, key=lambda i: latest.get(i, data.tasks))
        tasks_left.remove(last)
        order.append(last)
        for a, b in data.rules:
            followers[a] -= b == last
    return order[::-1]


def _find_cycle(data: Data, step: int) -> list[int]:
    """A cycle, found by walking backwards among the tasks that are in or behind a cycle."""
    before: dict[int, list[int]] = {}
    for a, b in data.rules:
        before.setdefault(b, []).append(a)
    tasks_left = dict.fromkeys(range(1, data.tasks + 1))
    while free := [i for i in tasks_left if not any(a in tasks_left for a in before.get(i, ()))]:
        for i in free:
            del tasks_left[i]
    walk = [list(tasks_left)[::step][0]]
    while len(set(walk)) == len(walk):
        walk.append(next(a for a in before[walk[-1]][::step] if a in tasks_left))
    return walk[walk.index(walk[-1]) :][::-1]


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    data = task.data
    if not data.possible:
        yield _task_names(_find_cycle(data, -1))
        return
    yield _task_names(_topological_order(data, range(data.tasks, 0, -1)))
    # Forwards: the open task whose own deadline, or that of a task behind it, is nearest.
    due = dict(data.deadlines)
    for _ in range(data.tasks):
        for a, b in data.rules:
            due[a] = min(due.get(a, data.tasks), due.get(b, data.tasks) - 1)
    order: list[int] = []
    while len(order) < data.tasks:
        waiting = {b for a, b in data.rules if a not in order}
        free = [i for i in range(1, data.tasks + 1) if i not in order and i not in waiting]
        order.append(min(free, key=lambda i: due.get(i, data.tasks)))
    yield _task_names(order)


environment = Environment(
    Knobs, Words("the names of the tasks asked for, in order, separated by spaces", max_items=100, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "{lead} {answer}", checks), shift=shift, picture=picture, answers="many", solutions=_other_answers,
    concept="Fill the order from its end: last may come a task that no other must follow, and of those the one that may wait longest.",
    version=4,
)  # fmt: skip
