"""Reach a target from given numbers with the four operations.

Any expression that keeps the rules is accepted. The oracle searches backwards from the target over tables of what two and
three of the numbers can make; the search is complete, so it never needs the expression the task was made from.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Arithmetic, trees
from rlgym.answers.trees import Apply, Number, Tree
from rlgym.solutions import Derivation, Solution, Step

Table = dict[int, Tree]  # a value and one expression that makes it
CONCEPT = "Work backwards: what must the other numbers make so that one operation with this number gives the target?"
PAIRS = Step("Two of the numbers can make {values:ints}")
BACKWARDS = Step("To get {goal:int}, take {operation}, so that the numbers that remain have to make {rest:int}")
FORWARDS = Step("{left:int} {sign} {right:int} = {value:int}")
END = "As one expression: {answer}"


class Knobs(Config):
    numbers: int = knob(5, easy=3, hard=7, beyond=8, doc="how many numbers are given")
    largest: int = knob(25, easy=9, hard=100, doc="largest number given")
    target: int = knob(500, easy=30, hard=20_000, scale="log", doc="largest target")
    use: str = knob("some", easy="some", hard="all", order=("some", "all"), doc="whether every number must be used")


class Data(TaskData):
    numbers: tuple[int, ...]
    target: int
    all: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, range(1, knobs.largest + 1))


def _sample_task(rng: Rng, knobs: Knobs, pool: Sequence[int]) -> Task[Data]:
    while True:
        numbers = [rng.choice(pool) for _ in range(knobs.numbers)]
        target = _sample_value(rng, numbers)
        if target not in numbers and (target <= knobs.target or knobs.target < knobs.largest):
            break
    numbers = rng.shuffled(numbers)
    use = "every one of the numbers exactly once" if knobs.use == "all" else "each of the numbers at most once"
    prompt = (
        f"Write an expression with the value {target} from the numbers {', '.join(map(str, numbers))}. Use {use} (a number that is listed twice "
        "may be used twice), with addition, subtraction, multiplication, division and brackets. No other number may occur, numbers may not be put side "
        "by side to make longer ones, and the result of every single operation must be a positive whole number."
    )
    return Task(prompt, Data(numbers=tuple(numbers), target=target, all=knobs.use == "all"))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Numbers of which most occur more than once."""
    pool = [rng.integer(2, knobs.largest) for _ in range(2 + knobs.numbers // 4)]
    return _sample_task(rng, knobs, pool)


def solve(task: Task[Data]) -> Tree:
    return next(_expressions(task.data, task.data.numbers))


def verify(task: Task[Data], answer: Tree) -> Score:
    used = Counter(int(node.value) for node in trees.walk(answer) if isinstance(node, Number))
    given = Counter(task.data.numbers)
    if used - given:
        return Score.wrong(f"{str(next(iter(used - given)))[:20]} is used more often than it is given")
    if task.data.all and used != given:
        return Score.wrong("not every number is used")
    value = _evaluate(answer)
    if value is None:
        return Score.wrong("an operation has a result that is not a positive integer")
    return Score.exact(value == task.data.target, f"the value is {value}")


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    # The target itself, a sum of everything, one number twice, a value next to the target.
    first = trees.number(task.data.numbers[0])
    total: Tree = first
    for number in task.data.numbers[1:]:
        total = Apply("+", (total, trees.number(number)))
    return [trees.number(task.data.target), total, Apply("/", (Apply("*", (right, first)), first)), Apply("+", (right, trees.number(1)))]


def cost(task: Task[Data]) -> float:
    count = len(task.data.numbers)
    return 4.0**count * len(str(task.data.target)) * (2 if task.data.all else 1)


def derive(task: Task[Data]) -> Derivation:
    """What two numbers make; backwards from the target until two numbers have to make one of these values; then forwards."""
    goal, left = task.data.target, solve(task)
    if _leaves(left) > 2:
        yield PAIRS(values=_pair_values(task.data.numbers))
    while isinstance(left, Apply) and _leaves(left) > 2:
        first, second = left.parts
        side, rest = (first, second) if _leaves(first) <= _leaves(second) else (second, first)
        yield from _derive_values(side)
        wanted = _evaluate(rest)
        shown = f"{_evaluate(first)} {left.head} {_evaluate(second)}"
        yield BACKWARDS(goal=goal, operation=shown, rest=wanted)
        goal, left = wanted or 0, rest
    yield from _derive_values(left)


def _derive_values(tree: Tree) -> Derivation:
    """The operations of an expression, the innermost first."""
    for node in reversed(list(trees.walk(tree))):
        if isinstance(node, Apply):
            left, right = (_evaluate(part) for part in node.parts)
            yield FORWARDS(left=left, sign=node.head, right=right, value=_evaluate(node))


def _pair_values(numbers: Sequence[int]) -> list[int]:
    """All values that one operation on two of the numbers can have."""
    tables: dict[tuple[int, ...], Table] = {}
    pairs = combinations(range(len(numbers)), 2)
    return sorted({value for places in pairs for value in _reachable_values(places, numbers, tables)})


def _leaves(tree: Tree) -> int:
    return sum(isinstance(node, Number) for node in trees.walk(tree))


def _sample_value(rng: Rng, numbers: Sequence[int]) -> int:
    """The value of a random expression over all the numbers."""
    values = list(numbers)
    while len(values) > 1:
        values = rng.shuffled(values)
        a, b = values.pop(), values.pop()
        ways = [a + b, a * b if a > 1 and b > 1 else a + b]
        ways += [abs(a - b)] if a != b else []
        ways += [max(a, b) // min(a, b)] if max(a, b) % min(a, b) == 0 and min(a, b) > 1 else []
        values.append(rng.choice(ways))
    return values[0]


def _evaluate(tree: Tree) -> int | None:
    """The value; None if some operation has a result that is not a positive integer."""
    if isinstance(tree, Number):
        return int(tree.value) or None
    assert isinstance(tree, Apply)
    left, right = (_evaluate(part) for part in tree.parts)
    if left is None or right is None:
        return None
    if tree.head == "/":
        return left // right if left % right == 0 else None
    value = left + right if tree.head == "+" else left * right if tree.head == "*" else left - right
    return value if value > 0 else None


def _expressions(data: Data, numbers: Sequence[int]) -> Iterator[Tree]:
    tables: dict[tuple[int, ...], Table] = {}
    counts = [len(numbers)] if data.all else range(2, len(numbers) + 1)
    for count in counts:
        for places in combinations(range(len(numbers)), count):
            yield from _search_backwards(places, data.target, numbers, tables)


def _search_backwards(places: tuple[int, ...], target: int, numbers: Sequence[int], tables: dict[tuple[int, ...], Table]) -> Iterator[Tree]:
    """Expressions over exactly these places with the target as value: what one side makes decides what the other must make."""
    if len(places) <= 3:
        expression = _reachable_values(places, numbers, tables).get(target)
        if expression is not None:
            yield expression
        return
    for count in range(1, len(places) // 2 + 1):
        for side in combinations(places, count):
            other = tuple(place for place in places if place not in side)
            for value, tree in _reachable_values(side, numbers, tables).items():
                for subtarget, sign, first in _inverses(target, value):
                    for rest in _search_backwards(other, subtarget, numbers, tables):
                        yield Apply(sign, (tree, rest) if first else (rest, tree))


def _inverses(target: int, value: int) -> Iterator[tuple[int, str, bool]]:
    """What the other side must be so that the operation makes the target; True where `value` stands first."""
    if target > value:
        yield target - value, "+", True
    if value > target:
        yield value - target, "-", True
    yield target + value, "-", False
    if target % value == 0:
        yield target // value, "*", True
    if value % target == 0:
        yield value // target, "/", True
    yield target * value, "/", False


def _reachable_values(places: tuple[int, ...], numbers: Sequence[int], tables: dict[tuple[int, ...], Table]) -> Table:
    if places in tables:
        return tables[places]
    table: Table = {}
    if len(places) == 1:
        table[numbers[places[0]]] = trees.number(numbers[places[0]])
    for count in range(1, len(places) // 2 + 1):
        for side in combinations(places, count):
            other = tuple(place for place in places if place not in side)
            for a, left in _reachable_values(side, numbers, tables).items():
                for b, right in _reachable_values(other, numbers, tables).items():
                    table.setdefault(a + b, Apply("+", (left, right)))
                    table.setdefault(a * b, Apply("*", (left, right)))
                    high, low, swapped = (a, b, (left, right)) if a > b else (b, a, (right, left))
                    if high > low:
                        table.setdefault(high - low, Apply("-", swapped))
                    if high % low == 0:
                        table.setdefault(high // low, Apply("/", swapped))
    tables[places] = table
    return table


def _other_solutions(task: Task[Data]) -> Iterator[Tree]:
    return _expressions(task.data, task.data.numbers[::-1])


environment = Environment(
    Knobs,
    Arithmetic(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, END),
    shift=shift,
    answers="many",
    solutions=_other_solutions,
    concept=CONCEPT,
    version=2,
)
