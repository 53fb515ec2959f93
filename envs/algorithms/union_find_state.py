"""Keep sets of numbers as trees, join them, and say who points to whom at the end.

On the upper levels the end is given, and an order of the commands that leads to it is asked for: linking rules and path compression decide which fit.
"""

from collections.abc import Callable, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.draws import draw_against
from rlgym.generators.graphs.union_find_orders import OrderSearch
from rlgym.solutions import Derivation, Solution, Step

RULES = {
    "plain": "the root of a is made to point to the root of b",
    "size": (
        "the root with fewer numbers in its tree (the root itself and all numbers that lead to it) is made to point to the root with more; if both trees "
        "have equally many, the root of a is made to point to the root of b"
    ),
    "rank": (
        "the root of lower rank is made to point to the root of higher rank; if the ranks are equal, the root of a is made to point to the root of b, whose "
        "rank grows by 1"
    ),
}
PATHS = {
    "none": "Finding the root of a number changes nothing.",
    "full": "Finding the root of a number also makes this number, and every number on the path from it to the root, point directly to the root.",
    "halves": (
        "The root of a number is found as follows: start at the number; as long as the current number is not a root, make it point to its parent's parent "
        "and go to that number. (The parent is the number pointed to; a root is its own parent.)"
    ),
}
STEP = Step("Command {number}: {command} changes {changes}")


class Knobs(Config):
    elements: int = knob(9, easy=4, hard=24, doc="numbers in all; three eighths as many where the order is asked for")
    commands: int = knob(12, easy=3, hard=40, doc="commands; two sevenths as many where the order is asked for")
    joining: str = knob("size", easy="plain", hard="rank", order=tuple(RULES), doc="rule that decides which root is linked under the other")
    paths: str = knob("full", easy="none", hard="halves", order=tuple(PATHS), doc="path compression during a find")
    question: str = knob(
        "end",
        easy="end",
        hard="order",
        order=("end", "order"),
        doc="whether the end is asked for, or an order of the commands that leads to it",
    )


class Data(TaskData):
    elements: int
    commands: tuple[tuple[int, int], ...]
    """Two numbers whose trees are joined; one number twice is a find."""
    joining: str
    paths: str
    right: tuple[int, ...]
    mixed: bool = False
    """Whether the commands stand in no order, and one that leads to `right` is asked for."""

    @property
    def lead(self) -> str:
        return "This is an order of the commands:" if self.mixed else "At the end the numbers point to"


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    knobs = _smaller_knobs(knobs)

    def sample_commands() -> list[tuple[int, int]]:
        out = list[tuple[int, int]]()
        for _ in range(knobs.commands):
            a, b = rng.sample(range(1, knobs.elements + 1), 2)
            out.append((a, a) if rng.chance(0.25) else (a, b))
        return out

    return _sample_mixed(rng, knobs, sample_commands) if knobs.question == "order" else _sample_task(knobs, sample_commands)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Trees of two, then of four and so on are joined, each by some member, and finds come at the end."""
    knobs = _smaller_knobs(knobs)

    def sample_commands() -> list[tuple[int, int]]:
        out = list[tuple[int, int]]()
        groups = [[number] for number in rng.shuffled(range(1, knobs.elements + 1))]
        while len(groups) > 1 and len(out) < knobs.commands * 3 // 4 + 1:
            first, second, *groups = groups
            out.append((rng.choice(first), rng.choice(second)))
            groups.append(first + second)
        while len(out) < knobs.commands:
            number = rng.integer(1, knobs.elements)
            out.append((number, number))
        return out

    return _sample_mixed(rng, knobs, sample_commands) if knobs.question == "order" else _sample_task(knobs, sample_commands)


def solve(task: Task[Data]) -> tuple[int, ...]:
    """With explicit paths to the root and sizes recounted each time; an order by a search through the forests that can come about."""
    data = task.data
    if data.mixed:
        return next(_order_search(data).orders())
    parents = dict(zip(range(1, data.elements + 1), range(1, data.elements + 1), strict=True))
    ranks = dict.fromkeys(parents, 0)

    def path_to_root(number: int) -> list[int]:
        out = [number]
        while parents[out[-1]] != out[-1]:
            out.append(parents[out[-1]])
        return out

    def find(number: int) -> int:
        path = path_to_root(number)
        for i, node in enumerate(path):
            if data.paths == "full":
                parents[node] = path[-1]
            elif data.paths == "halves" and i % 2 == 0:
                parents[node] = path[min(i + 2, len(path) - 1)]
        return path[-1]

    for a, b in data.commands:
        first, second = find(a), find(b) if a != b else 0
        if not second or first == second:
            continue
        if data.joining == "size":
            counts = {root: sum(path_to_root(number)[-1] == root for number in parents) for root in (first, second)}
            first, second = sorted((first, second), key=lambda root: (counts[root], root != first))
        elif data.joining == "rank":
            ranks[second] += ranks[first] == ranks[second]
            first, second = sorted((first, second), key=lambda root: ranks[root])
        parents[first] = second
    return tuple(parents.values())


def _order_search(data: Data, most_trials: int = 1_000_000) -> OrderSearch:
    return OrderSearch(data.commands, data.right, data.joining, data.paths, most_trials)


def verify(task: Task[Data], answer: Sequence[int]) -> Score:
    if task.data.mixed:
        return _verify_order(task.data, tuple(answer))
    return Score.exact(tuple(answer) == task.data.right, "at least one number points to a different number at the end")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    if data.mixed:
        finds_last = sorted(right, key=lambda number: len(set(data.commands[number - 1])) == 1)
        shown = tuple(range(1, len(right) + 1))
        tempting = [right[::-1], shown, shown[::-1], tuple(finds_last), right[1:] + right[:1], right[:-1], data.right]
        return [answer for answer in tempting if not _verify_order(data, answer).value]
    others = [data.model_copy(update={"paths": paths}) for paths in PATHS] + [
        data.model_copy(update={"joining": joining}) for joining in RULES
    ]
    roots = tuple(_find_root(right, number) for number in range(1, data.elements + 1))
    return [*(_run(other)[-1] for other in others), roots, tuple(range(1, data.elements + 1)), right[::-1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    if data.mixed:
        return float(25 * len(data.commands) * (len(data.commands) + 1) // 2)
    kinds = list(RULES).index(data.joining) + list(PATHS).index(data.paths)
    return float(len(data.commands) * (2 + kinds) + data.elements)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    data = _reorder_commands(data, solve(task)) if data.mixed else data
    states = _run(data)
    for i, (a, b) in enumerate(data.commands):
        changes = [f"{number} to {new}" for number, (old, new) in enumerate(zip(states[i], states[i + 1], strict=True), 1) if old != new]
        yield STEP(number=i + 1, command=_render_command(a, b), changes=changes or "nothing")


def _smaller_knobs(knobs: Knobs) -> Knobs:
    """Fewer numbers and commands where their order is asked for."""
    if knobs.question == "end":
        return knobs
    return knobs.model_copy(update={"elements": max(4, knobs.elements * 3 // 8), "commands": max(4, knobs.commands * 2 // 7)})


def _sample_mixed(rng: Rng, knobs: Knobs, sample_commands: Callable[[], list[tuple[int, int]]]) -> Task[Data]:
    """Commands of which chance seldom finds an order, if there are such among the draws."""

    def draw() -> Data:
        commands = sample_commands()
        data = Data(elements=knobs.elements, commands=tuple(commands), joining=knobs.joining, paths=knobs.paths, right=(), mixed=True)
        return data.model_copy(update={"commands": tuple(rng.shuffled(commands)), "right": _run(data)[-1]})

    def is_unfit(data: Data) -> bool:
        numbers = range(1, len(data.commands) + 1)
        deep = sum(data.right[parent - 1] != parent for parent in data.right)
        orders = (tuple(numbers), *(tuple(rng.shuffled(numbers)) for _ in range(40)))
        if deep < len(numbers) // 3 or any(_verify_order(data, order).value for order in orders):
            return True
        search = _order_search(data, 4 * len(numbers) ** 2)
        next(search.orders(), None)
        return search.trials < 2 * len(numbers) ** 2

    data = draw_against(draw, is_unfit, 60)
    listing = "\n".join(f"{number}. {_render_command(a, b)}" for number, (a, b) in enumerate(data.commands, 1))
    prompt = (
        f"{_render_rules(knobs, finds=any(a == b for a, b in data.commands))}\n\nThese commands were carried out, each once, but not in this order:\n"
        f"{listing}\n\nAt the end the numbers 1 to {knobs.elements}, in this order, point to {', '.join(map(str, data.right))}. In which order can the "
        f"commands have been carried out? Give the numbers of all {len(data.commands)} commands in that order. If several orders lead to this end, give any "
        "one of them."
    )
    return Task(prompt, data)


def _reorder_commands(data: Data, order: tuple[int, ...]) -> Data:
    return data.model_copy(update={"commands": tuple(data.commands[number - 1] for number in order), "mixed": False})


def _verify_order(data: Data, answer: tuple[int, ...]) -> Score:
    if sorted(answer) != list(range(1, len(data.commands) + 1)):
        return Score.wrong("the number of every command must be given once")
    return Score.exact(_run(_reorder_commands(data, answer))[-1] == data.right, "this order leads to another end")


def _sample_task(knobs: Knobs, sample_commands: Callable[[], list[tuple[int, int]]]) -> Task[Data]:
    while True:
        data = Data(elements=knobs.elements, commands=tuple(sample_commands()), joining=knobs.joining, paths=knobs.paths, right=())
        right = _run(data)[-1]
        if sum(number != parent for number, parent in enumerate(right, 1)) >= min(knobs.elements - 1, knobs.commands) // 2:
            break
    listing = "\n".join(_render_command(a, b) for a, b in data.commands)
    prompt = (
        f"{_render_rules(knobs, finds=any(a == b for a, b in data.commands))}\n\nCarry out these commands in order:\n{listing}\n\nTo which "
        f"numbers do the numbers 1 to {knobs.elements}, in this order, point at the end?"
    )
    return Task(prompt, data.model_copy(update={"right": right}))


def _render_rules(knobs: Knobs, *, finds: bool) -> str:
    finding = f" {PATHS[knobs.paths]}" if finds or knobs.paths != "none" else ""
    ranks = " Every number has a rank, initially 0." if knobs.joining == "rank" else ""
    find = "`find a` finds the root of a.\n" if finds else ""
    return (
        f"The numbers 1 to {knobs.elements} each point to themselves. "
        "A number that points to itself is a root; from any number, going to the number it points "
        f"to, again and again, leads to its root.{finding}{ranks}\n\n{find}`join a b` finds the root of a, then the root of b. "
        f"If they are the same, nothing more happens. Otherwise {RULES[knobs.joining]}."
    )


def _render_command(a: int, b: int) -> str:
    return f"find {a}" if a == b else f"join {a} {b}"


def _find_root(parents: Sequence[int], number: int) -> int:
    while parents[number - 1] != number:
        number = parents[number - 1]
    return number


def _find(parents: list[int], number: int, paths: str) -> int:
    root = _find_root(parents, number)
    while paths != "none" and number != root:
        parent = parents[number - 1]
        if paths == "halves":
            parent = parents[parent - 1]
        parents[number - 1], number = (root, parents[number - 1]) if paths == "full" else (parent, parent)
    return root


def _run(data: Data) -> list[tuple[int, ...]]:
    """Who points to whom before the first command and after each."""
    parents = list(range(1, data.elements + 1))
    sizes, ranks = [1] * data.elements, [0] * data.elements
    states = [tuple(parents)]
    for a, b in data.commands:
        first = _find(parents, a, data.paths)
        second = _find(parents, b, data.paths) if a != b else first
        if first != second:
            weights = {"size": sizes, "rank": ranks}.get(data.joining)
            if weights and weights[first - 1] > weights[second - 1]:
                first, second = second, first
            ranks[second - 1] += ranks[first - 1] == ranks[second - 1]
            sizes[second - 1] += sizes[first - 1]
            parents[first - 1] = second
        states.append(tuple(parents))
    return states


environment = Environment(
    Knobs, Numbers("the numbers asked for, in order, separated by commas", max_items=200), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "{lead} {answer}", whole=True),
    shift=shift, answers="many", solutions=lambda task: _order_search(task.data).orders() if task.data.mixed else [task.data.right],
    concept="Go to both roots first, change the ways that were passed as the rule says, and only then let one root point to the other.",
    version=5,
)  # fmt: skip
