"""Follow a binary heap through pushes, pops and changes, and say how its array looks at the end.

Every step of sifting is fixed by the rules, so there is exactly one array.
"""

from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.draws import draw_against
from rlgym.solutions import Derivation, Solution, Step

ANSWER = Numbers("the numbers of the array in order, separated by commas")
CONCEPT = "Keep the array written out and do one exchange at a time, with a parent when rising and with the smallest child when sinking."
BEGIN, AFTER = Step("At the beginning: {numbers}"), Step("After {action}: {numbers}")


class Action(NamedTuple):
    kind: str
    number: int
    new: int


class Knobs(Config):
    start: int = knob(6, easy=0, hard=24, doc="numbers in the initial heap")
    actions: int = knob(10, easy=4, hard=60, doc="number of operations")
    children: int = knob(2, easy=2, hard=3, doc="children of a place in the tree")
    changes: int = knob(20, easy=0, hard=35, doc="percentage of operations that change a number in the heap")


class Data(TaskData):
    start: tuple[int, ...]
    actions: tuple[Action, ...]
    children: int
    final: tuple[int, ...]

    @property
    def last(self) -> str:
        return _render_action(self.actions[-1])


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return draw_against(lambda: _sample_task(rng, knobs), _yields_to_copying)


def _yields_to_copying(task: Task[Data]) -> bool:
    """Whether the heap holds the numbers in the order in which they came, or sorted."""
    data = task.data
    pushed = (*data.start, *(action.number for action in data.actions if action.kind == "push"))
    return data.final in (pushed, pushed[::-1], tuple(sorted(data.final)))


def _sample_task(rng: Rng, knobs: Knobs, descending: bool = False) -> Task[Data]:
    fresh = rng.sample(range(1, 100 + 4 * (knobs.start + knobs.actions)), knobs.start + knobs.actions)
    fresh = sorted(fresh, reverse=True) if descending else fresh
    start, fresh = tuple(fresh[: knobs.start]), fresh[knobs.start :]
    heap: list[int] = []
    _heapify(heap, start, knobs.children)
    actions: list[Action] = []
    for number in fresh:
        if len(heap) > 2 and rng.chance(knobs.changes / 100):
            action = Action("change", rng.choice(heap), number)
        elif len(heap) > 2 and rng.chance(0.4):
            action = Action("pop", 0, 0)
        else:
            action = Action("push", number, 0)
        actions.append(action)
        _apply(heap, action, knobs.children)
    data = Data(start=start, actions=tuple(actions), children=knobs.children, final=tuple(heap))
    return Task(_render_prompt(data), data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Numbers that come in descending order, so that each new one rises to the top."""
    return draw_against(lambda: _sample_task(rng, knobs, descending=True), _yields_to_copying)


def solve(task: Task[Data]) -> tuple[int, ...]:
    """The heap as a tree of nodes that are swapped along paths from the root, written out row by row."""
    data = task.data
    tree: dict[tuple[int, ...], int] = {}
    for place, number in enumerate(data.start):
        tree[_path(place, data.children)] = number
    for path in sorted(tree, key=lambda path: (-len(path), tuple(-step for step in path))):
        _sift_down_path(tree, path, data.children)
    for what, number, new in data.actions:
        if what == "push":
            path = _path(len(tree), data.children)
            tree[path] = number
            _sift_up_path(tree, path)
        elif what == "pop":
            path = _path(len(tree) - 1, data.children)
            tree[()] = tree[path]
            del tree[path]
            _sift_down_path(tree, (), data.children)
        else:
            path = next(path for path, value in tree.items() if value == number)
            tree[path] = new
            _sift_up_path(tree, path)
            _sift_down_path(tree, path, data.children)
    return tuple(tree[path] for path in sorted(tree, key=lambda path: (len(path), path)))


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if len(answer) != len(task.data.final):
        return Score.wrong("the heap holds a different number of numbers")
    return Score.exact(answer == task.data.final, "the array is different")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    before = list[int]()
    _heapify(before, data.start, data.children)
    for action in data.actions[:-1]:
        _apply(before, action, data.children)
    return [tuple(sorted(right)), tuple(before), right[::-1], right[1:], (*right, 0)]


def cost(task: Task[Data]) -> float:
    data = task.data
    work = {"push": 1, "pop": data.children + 1, "change": data.children + 2}
    return float(len(data.start) * data.children + sum(work[what] * (1 + len(data.final).bit_length()) for what, _, _ in data.actions))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    heap = list[int]()
    _heapify(heap, data.start, data.children)
    if heap:
        yield BEGIN(numbers=tuple(heap))
    for action in data.actions[:-1]:
        _apply(heap, action, data.children)
        yield AFTER(action=_render_action(action), numbers=tuple(heap))


def _render_prompt(data: Data) -> str:
    d = data.children
    places = "2i + 1 and 2i + 2" if d == 2 else "3i + 1, 3i + 2 and 3i + 3"
    listing = "\n".join(f"{i}. {_render_action(action)}" for i, action in enumerate(data.actions, 1))
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
        "pop: remove the number at place 0, move the last number of the array there, and let it sink.\n"
        + ("change x to y: replace the number x by y where it is, and let y rise or sink.\n" if changes else "")
        + f"{begin}Then come these operations:\n{listing}\n\nWhat is the array at the end, from place 0 on?"
    )


def _render_action(action: Action) -> str:
    what, number, new = action
    return {"push": f"push {number}", "pop": "pop"}.get(what, f"change {number} to {new}")


def _heapify(heap: list[int], start: tuple[int, ...], children: int) -> None:
    heap += start
    for place in range(len(heap) - 1, -1, -1):
        _sift_down(heap, place, children)


def _apply(heap: list[int], action: Action, children: int) -> None:
    what, number, new = action
    if what == "push":
        heap.append(number)
        _sift_up(heap, len(heap) - 1, children)
    elif what == "pop":
        last = heap.pop()
        heap[0] = last
        _sift_down(heap, 0, children)
    else:
        place = heap.index(number)
        heap[place] = new
        _sift_up(heap, place, children)
        _sift_down(heap, place, children)


def _sift_up(heap: list[int], place: int, children: int) -> None:
    while place and heap[place] < heap[(place - 1) // children]:
        parent = (place - 1) // children
        heap[place], heap[parent] = heap[parent], heap[place]
        place = parent


def _sift_down(heap: list[int], place: int, children: int) -> None:
    while children_of_place := range(place * children + 1, min(len(heap), place * children + children + 1)):
        least = min(children_of_place, key=heap.__getitem__)
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


def _sift_up_path(tree: dict[tuple[int, ...], int], path: tuple[int, ...]) -> None:
    while path and tree[path] < tree[path[:-1]]:
        tree[path], tree[path[:-1]] = tree[path[:-1]], tree[path]
        path = path[:-1]


def _sift_down_path(tree: dict[tuple[int, ...], int], path: tuple[int, ...], children: int) -> None:
    while children_of_place := [(tree[*path, turn], turn) for turn in range(children) if (*path, turn) in tree]:
        least, turn = min(children_of_place)
        if tree[path] < least:
            return
        tree[path], tree[*path, turn] = least, tree[path]
        path = (*path, turn)


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, "After {last}: {answer}"),
    shift=shift,
    concept=CONCEPT,
    version=3,
)
