"""Parenthesize a product of matrices so that computing it costs as little as possible."""

import re
from collections.abc import Callable, Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.draws import draw_rare
from rlgym.solutions import Checks, Derivation, Solution, Step

NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
RULES = {
    "product": "Multiplying a p x q matrix by a q x r matrix costs p*q*r and gives a p x r matrix.",
    "writing": "Multiplying a p x q matrix by a q x r matrix costs p*q*r + {write}*p*r and gives a p x r matrix.",
    "limit": (
        "Multiplying a p x q matrix by a q x r matrix costs p*q*r + {write}*p*r and gives a p x r matrix. Every product except "
        "the final result may have at most {most} entries (p*r of them)."
    ),
}
CELL = Step("{first} to {last}: the least cost is {cost:int}, with the last product after {split}")
NEVER = Step("{first} to {last} cannot be computed as one intermediate result: it would have {entries:int} entries")
STUCK = Step("{first} to {last} cannot be computed as one intermediate result: every last product needs one that is not allowed")
DONE = Step("The least cost of the whole is {cost:int}: {answer}")
_TOKEN = re.compile(r"[A-Z()]")
DRAWS = 16


class Knobs(Config):
    matrices: int = knob(8, easy=7, hard=18, doc="matrices in the product")
    size: int = knob(30, easy=12, hard=60, doc="largest number of rows or columns")
    rule: str = knob("writing", easy="product", hard="limit", order=tuple(RULES), doc="what a product costs, and whether sizes are limited")


class Data(TaskData):
    sizes: tuple[int, ...]
    write: int
    most: int
    best: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_rare(rng, knobs, lambda: [rng.integer(knobs.size // 2, knobs.size) for _ in range(knobs.matrices + 1)])


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Sizes that alternate between large and small."""

    def sample_sizes() -> list[int]:
        turn, half = rng.integer(0, 1), knobs.size // 2
        return [rng.integer(2, half) if i % 2 == turn else rng.integer(half + 1, knobs.size) for i in range(knobs.matrices + 1)]

    return _sample_rare(rng, knobs, sample_sizes)


def solve(task: Task[Data]) -> str:
    """Top-down with memoisation; `generate` fills a table bottom-up."""
    data, known = task.data, dict[tuple[int, int], tuple[int, str] | None]()

    def best(first: int, last: int) -> tuple[int, str] | None:
        if first == last:
            return 0, NAMES[first]
        if (first, last) not in known:
            known[first, last] = None
            options = []
            for split in range(first, last) if _is_allowed(data, first, last) else ():
                one, other = best(first, split), best(split + 1, last)
                if one and other:
                    options.append((one[0] + other[0] + _price(data, first, split, last), f"({one[1]}{other[1]})"))
            known[first, last] = min(options, default=None)
        return known[first, last]

    right = best(0, len(data.sizes) - 2)
    assert right is not None
    return right[1]


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    tokens = _TOKEN.findall(answer.upper())
    if len(tokens) > 8 * len(data.sizes) or "".join(tokens) != re.sub(r"[\s*·×]", "", answer.upper()):
        return Score.wrong("that is not a product of the matrices with brackets")
    stack: list[tuple[int, int] | str] = []
    spent = 0
    for token in tokens:
        if token == "(":
            stack.append(token)
            continue
        if token != ")":
            stack.append((NAMES.index(token), NAMES.index(token)))
            continue
        pieces = []
        while stack and not isinstance(stack[-1], str):
            pieces.append(stack.pop())
        if not stack or not 1 <= len(pieces) <= 2:
            return Score.wrong("a pair of brackets must hold one product of two factors")
        stack.pop()
        stack += pieces[::-1]
        price = _multiply(data, stack) if len(pieces) == 2 else 0
        if isinstance(price, str):
            return Score.wrong(price)
        spent += price
    if len(stack) == 2:
        price = _multiply(data, stack)
        if isinstance(price, str):
            return Score.wrong(price)
        spent += price
    if stack != [(0, len(data.sizes) - 2)]:
        return Score.wrong("the product must hold each matrix once, with brackets around all products of two but the whole")
    return Score.exact(spent == data.best, f"that costs {spent}, and there is a cheaper order")


def mistakes(task: Task[Data], right: str) -> list[str]:
    names = NAMES[: len(task.data.sizes) - 1]
    left = names[0]
    for name in names[1:]:
        left = f"({left}{name})"
    right_first = names[-1]
    for name in names[-2::-1]:
        right_first = f"({name}{right_first})"
    return [answer for answer in (left, right_first, right[::-1], names, right[:-1], right + names[0]) if verify(task, answer).value == 0]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.sizes) ** 3 * (1 + (data.write > 0) + (data.most > 0)) * len(str(data.best)))


def derive(task: Task[Data]) -> Derivation:
    data, last = task.data, len(task.data.sizes) - 2
    for (i, j), (least, split) in _table(data).items():
        if i == j or (i, j) == (0, last):
            continue
        if split >= 0:
            yield CELL(first=NAMES[i], last=NAMES[j], cost=least, split=NAMES[split])
        elif _is_allowed(data, i, j):
            yield STUCK(first=NAMES[i], last=NAMES[j])
        else:
            yield NEVER(first=NAMES[i], last=NAMES[j], entries=data.sizes[i] * data.sizes[j + 1])
    yield DONE(cost=data.best, answer=solve(task))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    known: dict[tuple[int, int], int] = {(i, i): 0 for i in range(len(data.sizes) - 1)}
    never: set[tuple[int, int]] = set()

    def options(i: int, j: int) -> dict[int, int]:
        return {k: known[i, k] + known[k + 1, j] + _price(data, i, k, j) for k in range(i, j) if (i, k) in known and (k + 1, j) in known}

    def complete(i: int, j: int) -> bool:
        return all((a, b) in known or (a, b) in never for a in range(i, j + 1) for b in range(a, j + 1) if (a, b) != (i, j))

    def is_too_large(first: str, last: str, entries: int) -> bool:
        i, j = NAMES.index(first), NAMES.index(last)
        never.add((i, j))
        return i < j and entries == data.sizes[i] * data.sizes[j + 1] > data.most > 0

    def is_stuck(first: str, last: str) -> bool:
        i, j = NAMES.index(first), NAMES.index(last)
        never.add((i, j))
        return i < j and complete(i, j) and not options(i, j)

    def is_least(first: str, last: str, cost: int, split: str) -> bool:
        i, j = NAMES.index(first), NAMES.index(last)
        costs = options(i, j)
        if not i < j or (i, j) in known or not complete(i, j) or not _is_allowed(data, i, j):
            return False
        known[i, j] = cost
        return cost == min(costs.values()) == costs[NAMES.index(split)]

    def is_least_of_all(cost: int, answer: str) -> bool:
        last = len(data.sizes) - 2
        return complete(0, last) and cost == min(options(0, last).values())

    return {NEVER: is_too_large, STUCK: is_stuck, CELL: is_least, DONE: is_least_of_all}


def _sample_rare(rng: Rng, knobs: Knobs, sample_sizes: Callable[[], list[int]]) -> Task[Data]:
    """Of several tasks with few matrices one whose right brackets are rare: where the smallest size lies often settles them all."""
    return draw_rare(lambda: _sample_task(rng, knobs, sample_sizes), solve, DRAWS if knobs.matrices < 14 else 1)


def _sample_task(rng: Rng, knobs: Knobs, sample_sizes: Callable[[], list[int]]) -> Task[Data]:
    write = 0 if knobs.rule == "product" else rng.integer(2, 9)
    for attempt in range(10_000):
        sizes = tuple(sample_sizes())
        data = Data(sizes=sizes, write=write, most=0, best=0)
        table = _table(data)
        if knobs.rule == "limit":
            # a limit that the freely chosen cheapest way breaks, if some way can be found to keep it
            largest = max((sizes[i] * sizes[j + 1] for i, j in _products(table, 0, knobs.matrices - 1)), default=0)
            if largest < 2:
                continue
            data = data.model_copy(update={"most": largest - (attempt < 12)})
            table = _table(data)
        best, split = table[0, knobs.matrices - 1]
        if split >= 0:
            break
    listing = ", ".join(f"{name} is {p} x {q}" for name, p, q in zip(NAMES, sizes, sizes[1:], strict=False))
    product = "".join(NAMES[: knobs.matrices])
    prompt = (
        f"Matrix sizes (rows x columns): {listing}.\n{RULES[knobs.rule].format(write=write, most=data.most)}\n\n"
        f"The product {product} is computed by multiplying two matrices at a time. Which parenthesization has the least total cost? If several do, "
        "give any one of them. Write a pair of brackets around every product of two factors."
    )
    return Task(prompt, data.model_copy(update={"best": best}))


def _price(data: Data, first: int, split: int, last: int) -> int:
    p, q, r = data.sizes[first], data.sizes[split + 1], data.sizes[last + 1]
    return p * q * r + data.write * p * r


def _is_allowed(data: Data, first: int, last: int) -> bool:
    is_full = (first, last) == (0, len(data.sizes) - 2)
    return is_full or not data.most or data.sizes[first] * data.sizes[last + 1] <= data.most


def _multiply(data: Data, stack: list[tuple[int, int] | str]) -> int | str:
    """Puts the product of the last two pieces in their place; its cost, or what is wrong."""
    one, other = stack[-2:]
    if isinstance(one, str) or isinstance(other, str):
        return "some bracket is not closed"
    (first, split), (after, last) = one, other
    if after != split + 1 or last > len(data.sizes) - 2:
        return "the matrices must stay in their order"
    if not _is_allowed(data, first, last):
        return "a matrix on the way is too large"
    stack[-2:] = [(first, last)]
    return _price(data, first, split, last)


def _table(data: Data) -> dict[tuple[int, int], tuple[int, int]]:
    """Of each piece of the product, short ones first: the least cost and the end of the first factor; -1 where there is no way."""
    count = len(data.sizes) - 1
    table: dict[tuple[int, int], tuple[int, int]] = {(i, i): (0, i) for i in range(count)}
    for width in range(1, count):
        for i in range(count - width):
            j = i + width
            options = [
                (table[i, k][0] + table[k + 1, j][0] + _price(data, i, k, j), k)
                for k in range(i, j)
                if table[i, k][1] >= 0 and table[k + 1, j][1] >= 0
            ]
            table[i, j] = min(options, default=(0, -1)) if _is_allowed(data, i, j) else (0, -1)
    return table


def _products(table: dict[tuple[int, int], tuple[int, int]], first: int, last: int) -> list[tuple[int, int]]:
    """The products of a cheapest way, without the whole."""
    if first == last:
        return []
    split = table[first, last][1]
    parts = [(first, split), (split + 1, last)]
    return [part for part in parts if part[0] < part[1]] + [piece for part in parts for piece in _products(table, *part)]


def _other_answers(task: Task[Data]) -> Iterator[str]:
    """All cheapest ways, read from the table."""
    data, table = task.data, _table(task.data)

    def bracketings(first: int, last: int) -> Iterator[str]:
        if first == last:
            yield NAMES[first]
        for k in range(first, last):
            if table[first, k][1] >= 0 and table[k + 1, last][1] >= 0:
                spent = table[first, k][0] + table[k + 1, last][0] + _price(data, first, k, last)
                yield from (
                    f"({bracketing}{other})"
                    for bracketing in bracketings(first, k)
                    for other in bracketings(k + 1, last)
                    if spent == table[first, last][0]
                )

    for brackets in bracketings(0, len(data.sizes) - 2):
        yield brackets
        yield brackets[1:-1]


environment = Environment(
    Knobs, Text("the product with its brackets, such as ((AB)C)", max_characters=400, ignore_spaces=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, DONE, checks), shift=shift, answers="many", solutions=_other_answers,
    concept="The least cost of a subproduct is the least over all last multiplications of two optimal subproducts; start with the short ones.",
    version=5,
)  # fmt: skip
