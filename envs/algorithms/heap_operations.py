"""Follow a binary heap through pushes, pops and changes, and say how its array looks at the end.

Every step of sifting is fixed by the rules, so there is exactly one array.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.steps import ended, first_wrong

Action = tuple[str, int, int]


class Knobs(Config):
    start: int = knob(6, easy=0, hard=24, doc="numbers that are made a heap at the beginning")
    actions: int = knob(10, easy=3, hard=60, doc="operations after that")
    children: int = knob(2, easy=2, hard=3, doc="children of a place in the tree")
    changes: int = knob(20, easy=0, hard=35, doc="percent of operations that change a number within the heap")


class Data(TaskData):
    start: tuple[int, ...]
    actions: tuple[Action, ...]
    """What is done, and its number and new number."""
    children: int
    final: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    fresh = rng.sample(range(1, 100 + 4 * (knobs.start + knobs.actions)), knobs.start + knobs.actions)
    start, fresh = tuple(fresh[: knobs.start]), fresh[knobs.start :]
    heap: list[int] = []
    _build(heap, start, knobs.children)
    actions: list[Action] = []
    for number in fresh:
        if len(heap) > 2 and rng.chance(knobs.changes / 100):
            action = "change", rng.choice(heap), number
        elif len(heap) > 2 and rng.chance(0.4):
            action = "pop", 0, 0
        else:
            action = "push", number, 0
        actions.append(action)
        _act(heap, action, knobs.children)
    data = Data(start=start, actions=tuple(actions), children=knobs.children, final=tuple(heap))
    return Task(_told(data), data)


def solve(task: Task[Data]) -> tuple[int, ...]:
    """The heap as a tree of nodes that are swapped along paths from the root, written out row by row."""
    data = task.data
    tree: dict[tuple[int, ...], int] = {}
    for place, number in enumerate(data.start):
        tree[_path(place, data.children)] = number
    for path in sorted(tree, key=lambda path: (-len(path), tuple(-step for step in path))):
        _sink(tree, path, data.children)
    for what, number, new in data.actions:
        if what == "push":
            path = _path(len(tree), data.children)
            tree[path] = number
            _rise(tree, path)
        elif what == "pop":
            path = _path(len(tree) - 1, data.children)
            tree[()] = tree[path]
            del tree[path]
            _sink(tree, (), data.children)
        else:
            path = next(path for path, held in tree.items() if held == number)
            tree[path] = new
            _rise(tree, path)
            _sink(tree, path, data.children)
    return tuple(tree[path] for path in sorted(tree, key=lambda path: (len(path), path)))


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if len(answer) != len(task.data.final):
        return Score.wrong("the heap holds another count of numbers")
    return Score.exact(answer == task.data.final, "the array is another one")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    before = list[int]()
    _build(before, data.start, data.children)
    for action in data.actions[:-1]:
        _act(before, action, data.children)
    return [tuple(sorted(right)), tuple(before), right[::-1], right[1:], (*right, 0)]


def cost(task: Task[Data]) -> float:
    data = task.data
    work = {"push": 1, "pop": data.children + 1, "change": data.children + 2}
    return float(len(data.start) * data.children + sum(work[what] * (1 + len(data.final).bit_length()) for what, _, _ in data.actions))


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    heap = list[int]()
    _build(heap, data.start, data.children)
    steps = [f"At the beginning: {', '.join(map(str, heap))}"] if heap else []
    for action in data.actions[:-1]:
        _act(heap, action, data.children)
        steps.append(f"After {_said(action)}: {', '.join(map(str, heap))}")
    return [*steps, f"After {_said(data.actions[-1])}: {environment.answer.render(data.final)}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    heaps: list[list[int]] = [] if data.start else [[]]

    def follows(step: str) -> bool:
        told = [int(number) for number in step.rpartition(": ")[2].split(", ")] if not step.endswith(": ") else []
        if not heaps:
            heap = list(data.start)
            for place in range(len(heap) - 1, -1, -1):
                _down(heap, place, data.children)
            said = "At the beginning"
        else:
            heap, action = heaps[-1].copy(), data.actions[len(heaps) - 1]
            _act(heap, action, data.children)
            said = f"After {_said(action)}"
        heaps.append(told)
        return step.startswith(f"{said}: ") and told == heap

    return first_wrong(steps, follows, ended(f"After {_said(task.data.actions[-1])}: ", task, environment.answer, verify))


def _told(data: Data) -> str:
    d = data.children
    places = "2i + 1 and 2i + 2" if d == 2 else "3i + 1, 3i + 2 and 3i + 3"
    listing = "\n".join(f"{i}. {_said(action)}" for i, action in enumerate(data.actions, 1))
    changes = any(what == "change" for what, _, _ in data.actions)
    begin = (
        f"At the beginning it is made of the array [{', '.join(map(str, data.start))}]: the places from the last to place 0 are sunk one after the other.\n"
        if data.start
        else "At the beginning it is empty.\n"
    )
    return (
        f"A heap keeps its smallest number at place 0 of an array. The children of place i are the places {places}, as far as the array goes.\n"
        "Rising: while the number is smaller than that of its parent, exchange the two.\n"
        "Sinking: while the number is greater than the smallest of its children, exchange it with that child.\n"
        "push x: put x at the end of the array, and let it rise.\n"
        "pop: take away the number at place 0, move the last number of the array there, and let it sink.\n"
        + ("change x to y: replace the number x by y where it stands, and let y rise or sink.\n" if changes else "")
        + f"{begin}Then come these operations:\n{listing}\n\nHow does the array look at the end, from place 0 on?"
    )


def _said(action: Action) -> str:
    what, number, new = action
    return {"push": f"push {number}", "pop": "pop"}.get(what, f"change {number} to {new}")


def _build(heap: list[int], start: tuple[int, ...], children: int) -> None:
    heap += start
    for place in range(len(heap) - 1, -1, -1):
        _down(heap, place, children)


def _act(heap: list[int], action: Action, children: int) -> None:
    what, number, new = action
    if what == "push":
        heap.append(number)
        _up(heap, len(heap) - 1, children)
    elif what == "pop":
        last = heap.pop()
        heap[0] = last
        _down(heap, 0, children)
    else:
        place = heap.index(number)
        heap[place] = new
        _up(heap, place, children)
        _down(heap, place, children)


def _up(heap: list[int], place: int, children: int) -> None:
    while place and heap[place] < heap[(place - 1) // children]:
        parent = (place - 1) // children
        heap[place], heap[parent] = heap[parent], heap[place]
        place = parent


def _down(heap: list[int], place: int, children: int) -> None:
    while below := range(place * children + 1, min(len(heap), place * children + children + 1)):
        least = min(below, key=heap.__getitem__)
        if heap[place] <= heap[least]:
            return
        heap[place], heap[least] = heap[least], heap[place]
        place = least


def _path(place: int, children: int) -> tuple[int, ...]:
    """The turns from the root to a place."""
    path: tuple[int, ...] = ()
    while place:
        place, turn = divmod(place - 1, children)
        path = (turn, *path)
    return path


def _rise(tree: dict[tuple[int, ...], int], path: tuple[int, ...]) -> None:
    while path and tree[path] < tree[path[:-1]]:
        tree[path], tree[path[:-1]] = tree[path[:-1]], tree[path]
        path = path[:-1]


def _sink(tree: dict[tuple[int, ...], int], path: tuple[int, ...], children: int) -> None:
    while below := [(tree[*path, turn], turn) for turn in range(children) if (*path, turn) in tree]:
        least, turn = min(below)
        if tree[path] < least:
            return
        tree[path], tree[*path, turn] = least, tree[path]
        path = (*path, turn)


environment = Environment(
    Knobs,
    Numbers("the numbers of the array in order, separated by commas"),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    concept="Keep the array written out and do one exchange at a time, with a parent when rising and with the smallest child when sinking.",
)
