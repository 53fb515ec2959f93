"""Write a numbered tree as its Prüfer code, or find the tree that has a given code.

A tree may be written with its roads in any order.
"""

import heapq
from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.graphs.adjacency import adjacency_lists
from rlgym.solutions import Derivation, Solution, Step

Road = tuple[int, int]
NAMED = Step("The code from here is {rest}: the {which} town left that it does not name is {leaf}, joined to {number}")
TAKEN = Step("Towns with one road: {leaves}. Take away {leaf} and write down {number}")


class Knobs(Config):
    towns: int = knob(12, easy=5, hard=60, doc="towns of the tree")
    direction: str = knob("code", easy="code", hard="tree", order=("code", "tree"), doc="whether to give the code or the tree")
    leaf: str = knob("smallest", easy="smallest", hard="largest", order=("smallest", "largest"), doc="which leaf is removed first")


class Data(TaskData):
    towns: int
    roads: tuple[Road, ...]
    code: tuple[int, ...]
    decoding: bool
    largest: bool

    @property
    def lead(self) -> str:
        return "The last two towns are joined, so the roads are" if self.decoding else "The code is"


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, hubs=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Trees in which few towns have nearly all the roads."""
    return _sample_task(rng, knobs, hubs=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    data = task.data
    if not data.decoding:
        return tuple(map(str, _code(data)))
    # Town by town: the leaf taken away at each step is the first one that the code does not name from there on.
    order, roads = range(data.towns, 0, -1) if data.largest else range(1, data.towns + 1), []
    removed: set[int] = set()
    for step, neighbour in enumerate(data.code):
        leaf = next(i for i in order if i not in removed and i not in data.code[step:])
        removed.add(leaf)
        roads.append(f"{leaf}-{neighbour}")
    a, b = (i for i in range(1, data.towns + 1) if i not in removed)
    return (*roads, f"{a}-{b}")


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if not data.decoding:
        if len(answer) != len(data.code):
            return Score.wrong(f"the code has {len(data.code)} numbers")
        return Score.exact(answer == tuple(map(str, data.code)), "this is not the code")
    roads = {f"{a}-{b}": (a, b) for road in data.roads for a, b in (road, road[::-1])}
    if len(answer) != len(data.roads):
        return Score.wrong(f"the tree has {len(data.roads)} roads")
    named = {tuple(sorted(roads[name])) for name in (word.replace("–", "-") for word in answer) if name in roads}
    return Score.exact(len(named) == len(data.roads), "the tree with this code has other roads")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    other = data.model_copy(update={"largest": not data.largest})
    if data.decoding:
        wrong = tuple(f"{a}-{b}" for a, b in _tree(data.code, not data.largest))
        in_order = tuple(f"{i}-{neighbour}" for i, neighbour in enumerate(data.code, 1))
        return [wrong, (*in_order, right[-1]), right[:-1], (*right[:-1], right[0])]
    return [tuple(map(str, _code(other))), right[:-1], (*right, right[-1]), right[::-1], tuple(sorted(right))]


def cost(task: Task[Data]) -> float:
    return float(task.data.towns * (2 if task.data.decoding else 1))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    first, which = (max, "largest") if data.largest else (min, "smallest")
    if data.decoding:
        labels_left = set(range(1, data.towns + 1))
        for k, number in enumerate(data.code):
            leaf = first(labels_left - set(data.code[k:]))
            yield NAMED(rest=data.code[k:], which=which, leaf=leaf, number=number)
            labels_left.remove(leaf)
        return
    neighbours = adjacency_lists(data.roads, range(1, data.towns + 1))
    for number in data.code:
        leaves = [i for i in neighbours if len(neighbours[i]) == 1]
        yield TAKEN(leaves=leaves, leaf=first(leaves), number=number)
        neighbours[number].remove(first(leaves))
        del neighbours[first(leaves)]


def picture(task: Task[Data]) -> str:
    data = task.data
    if data.decoding:
        return pictures.board([[str(number) for number in data.code]])
    return pictures.network([str(i + 1) for i in range(data.towns)], [(str(a), str(b)) for a, b in data.roads])


def _sample_task(rng: Rng, knobs: Knobs, hubs: bool) -> Task[Data]:
    count, decoding, largest = knobs.towns, knobs.direction == "tree", knobs.leaf == "largest"
    if hubs:
        few = rng.sample(range(1, count + 1), 2 + count // 8)
        code = tuple(rng.choice(few) for _ in range(count - 2))
    else:
        code = tuple(rng.integer(1, count) for _ in range(count - 2))
    roads = tuple((a, b) if rng.chance(0.5) else (b, a) for a, b in rng.shuffled(_tree(code, largest)))
    data = Data(towns=count, roads=roads, code=code, decoding=decoding, largest=largest)
    rule = (
        f"The code of a tree with the towns 1 to {count} is made like this: of all towns that have only one road, take the one with the "
        f"{knobs.leaf} number; write down the number of its only neighbour; remove the town and its "
        "road. Repeat this until two towns are left."
    )
    given = (
        f"A tree has the code {', '.join(map(str, code))}."
        if decoding
        else f"A tree has these roads:\n{chr(10).join(f'{a}-{b}' for a, b in roads)}"
    )
    question = (
        f"Which {count - 1} roads does the tree have? List them in any order, each as a-b."
        if decoding
        else f"What is its code? List its {count - 2} numbers in order."
    )
    return Task(f"{rule}\n\n{given}\n\n{question}", data)


def _code(data: Data) -> list[int]:
    neighbours, code = adjacency_lists(data.roads, range(1, data.towns + 1)), list[int]()
    while len(neighbours) > 2:
        leaves = [i for i in neighbours if len(neighbours[i]) == 1]
        leaf = max(leaves) if data.largest else min(leaves)
        code.append(neighbours.pop(leaf)[0])
        neighbours[code[-1]].remove(leaf)
    return code


def _tree(code: tuple[int, ...], largest: bool) -> list[Road]:
    """Decodes a Prüfer code with a heap of leaves."""
    sign = -1 if largest else 1
    needs = {i: 1 + code.count(i) for i in range(1, len(code) + 3)}
    leaves = [sign * i for i, need in needs.items() if need == 1]
    heapq.heapify(leaves)
    roads = []
    for neighbour in code:
        leaf = sign * heapq.heappop(leaves)
        roads.append((leaf, neighbour))
        needs[neighbour] -= 1
        if needs[neighbour] == 1:
            heapq.heappush(leaves, sign * neighbour)
    return [*roads, (abs(heapq.heappop(leaves)), abs(heapq.heappop(leaves)))]


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """The code by the heap of leaves, or the roads in other orders and directions."""
    data = task.data
    if not data.decoding:
        yield tuple(map(str, data.code))
        return
    yield tuple(f"{a}-{b}" for a, b in data.roads)
    yield tuple(f"{b}-{a}" for a, b in sorted(data.roads))


environment = Environment(
    Knobs, Words("this list, its entries separated by spaces", max_items=150),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "{lead} {answer}"), shift=shift, picture=picture, answers="many", solutions=_other_answers,
    concept="A town stands in the code once less often than it has roads; so those that the code does not name are the leaves.",
    version=4,
)  # fmt: skip
