"""Write the shortest string that holds all of the given strings, read forwards or, where allowed, backwards."""

import heapq
from collections.abc import Callable, Iterator
from itertools import pairwise, product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.solutions import Checks, Derivation, Solution, Step

LETTERS = "abcdefghijklmnopqrstuvwxyz"
SHARED = Step("{one} followed by {other}: at most {count:int} of their letters can be shared")
FIRST = Step("A best order starts with {piece}")
NEXT = Step("Then comes {piece}, which makes {text}")
DONE = Step("Of length {length:int}, and no order is shorter: {answer}")


class Knobs(Config):
    pieces: int = knob(5, easy=3, hard=7, beyond=9, doc="strings that must be held")
    letters: int = knob(5, easy=3, hard=8, doc="approximate number of letters of each string")
    alphabet: int = knob(4, easy=6, hard=3, doc="different letters")
    reading: str = knob("forwards", easy="forwards", hard="both", order=("forwards", "both"), doc="whether strings may be held backwards")


class Data(TaskData):
    pieces: tuple[str, ...]
    both: bool
    best: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    def sample_pieces(used: list[str]) -> list[str]:
        source = "".join(rng.choice(used) for _ in range(knobs.pieces * knobs.letters * 2 // 3 + 2))
        sizes = [rng.integer(max(2, knobs.letters - 1), knobs.letters + 1) for _ in range(knobs.pieces)]
        starts = [rng.integer(0, max(0, len(source) - size)) for size in sizes]
        return [source[start : start + size] for start, size in zip(starts, sizes, strict=True)]

    return _sample_task(rng, knobs, sample_pieces)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Strings that were not cut out of one: each is three of a few blocks."""

    def sample_pieces(used: list[str]) -> list[str]:
        blocks = ["".join(rng.choice(used) for _ in range(rng.integer(1, 1 + knobs.letters // 3))) for _ in range(5)]
        return ["".join(rng.choice(blocks) for _ in range(3)) + rng.choice(used) for _ in range(knobs.pieces)]

    return _sample_task(rng, knobs, sample_pieces)


def solve(task: Task[Data]) -> str:
    """Always going on from the shortest string begun; the length in the data comes from a table of sets."""
    data = task.data
    readings = [(1 << i, reading) for i, piece in enumerate(data.pieces) for reading in _readings(data, piece)]
    shared = {(first, second): _overlap(first, second) for _, first in readings for _, second in readings}
    queue = [(len(reading), reading, mask, reading) for mask, reading in readings]
    heapq.heapify(queue)
    least: dict[tuple[int, str], int] = {}
    while queue:
        length, text, mask, last = heapq.heappop(queue)
        if mask == (1 << len(data.pieces)) - 1:
            return text
        if length > least.get((mask, last), length):
            continue
        for bit, reading in readings:
            longer = length + len(reading) - shared[last, reading]
            if not mask & bit and longer < least.get((mask | bit, reading), 1 << 30):
                least[mask | bit, reading] = longer
                heapq.heappush(queue, (longer, text + reading[shared[last, reading] :], mask | bit, reading))
    raise AssertionError("some string holds them all")


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    if len(answer) > sum(map(len, data.pieces)):
        return Score.wrong("writing the strings one after the other is shorter")
    for piece in data.pieces:
        if not any(reading in answer for reading in _readings(data, piece)):
            return Score.wrong(f"{piece} is not in it")
    return Score.exact(len(answer) <= data.best, "there is a shorter string")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    chains = []
    for row in (data.pieces, data.pieces[::-1], sorted(data.pieces)):
        text = row[0]
        for piece in row[1:]:
            text += piece[_overlap(text, piece) :] if piece not in text else ""
        chains.append(text)
    wrong = [*chains, "".join(data.pieces), right[:-1], right[1:], right + right[0]]
    return [answer for answer in wrong if answer and verify(task, answer).value == 0]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(2 ** len(data.pieces) * len(data.pieces) * sum(map(len, data.pieces)) * (1 + data.both))


def derive(task: Task[Data]) -> Derivation:
    data, right = task.data, solve(task)
    placed = sorted((right.find(reading), reading) for piece in data.pieces for reading in _readings(data, piece) if reading in right)
    names = [min(reading, reading[::-1]) if data.both else reading for _, reading in placed]
    order = [reading for k, (_, reading) in enumerate(placed) if names[k] not in names[:k]]
    readings = list(dict.fromkeys(reading for piece in data.pieces for reading in _readings(data, piece)))
    for first, second in product(readings, repeat=2):
        same = first == second or (data.both and first == second[::-1])
        if not same and (count := _overlap(first, second)):
            yield SHARED(one=first, other=second, count=count)
    text = order[0]
    yield FIRST(piece=text)
    for before, piece in pairwise(order):
        text += piece[_overlap(before, piece) :]
        if piece != order[-1]:
            yield NEXT(piece=piece, text=text)
    yield DONE(length=len(right), answer=right)


def checks(task: Task[Data]) -> Checks:
    readings = [reading for piece in task.data.pieces for reading in _readings(task.data, piece)]
    shared: dict[tuple[str, str], int] = {}
    order, texts = list[str](), [""]

    def is_overlap(one: str, other: str, count: int) -> bool:
        new = (one, other) not in shared and one in readings and other in readings
        shared[one, other] = count
        return new and not order and count == _overlap(one, other) > 0

    def is_first(piece: str) -> bool:
        order.append(piece)
        texts.append(piece)
        return len(order) == 1 and piece in readings

    def is_next(piece: str, text: str) -> bool:
        longer = texts[-1] + piece[shared.get((order[-1], piece), 0) :]
        order.append(piece)
        texts.append(text)
        return piece in readings and text == longer

    def is_complete(length: int, answer: str) -> bool:
        return answer.startswith(texts[-1]) and length == len(answer)

    return {SHARED: is_overlap, FIRST: is_first, NEXT: is_next, DONE: is_complete}


def _sample_task(rng: Rng, knobs: Knobs, sample_pieces: Callable[[list[str]], list[str]]) -> Task[Data]:
    data = Data(pieces=(), both=knobs.reading == "both", best=0)
    for attempt in range(10_000):
        pieces: list[str] = []
        for piece in sorted(dict.fromkeys(sample_pieces(rng.sample(LETTERS, knobs.alphabet))), key=lambda piece: -len(piece)):
            if not any(reading in other for reading in _readings(data, piece) for other in pieces):
                pieces.append(piece)
        # Short strings of few letters hold each other often: after a while a string less will do.
        if len(pieces) >= max(2, knobs.pieces - attempt // 20):
            break
    pieces = rng.shuffled(pieces)
    data = data.model_copy(update={"pieces": tuple(pieces)})
    reading = ", read forwards or backwards" if data.both else ""
    prompt = (
        f"Find a shortest possible string that contains each of these strings as a substring{reading}: {', '.join(pieces)}\n\n"
        "The substrings may overlap. If there are several shortest strings, give any one of them."
    )
    return Task(
        prompt,
        data.model_copy(
            update={"best": min(length for (mask, _), (length, _) in _held_karp(data).items() if mask == (1 << len(pieces)) - 1)}
        ),
    )


def _readings(data: Data, piece: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((piece, piece[::-1]))) if data.both else (piece,)


def _overlap(first: str, second: str) -> int:
    return next(count for count in range(min(len(first), len(second)) - 1, -1, -1) if first.endswith(second[:count]))


def _held_karp(data: Data) -> dict[tuple[int, str], tuple[int, str]]:
    """Of each set of strings held and the last one as read: the least length, and what stood before the last one."""
    table: dict[tuple[int, str], tuple[int, str]] = {
        (1 << i, reading): (len(reading), "") for i, piece in enumerate(data.pieces) for reading in _readings(data, piece)
    }
    shared = {(first, second): _overlap(first, second) for _, first in list(table) for _, second in list(table)}
    layer = list(table)
    while layer:
        next_layer: dict[tuple[int, str], tuple[int, str]] = {}
        for mask, last in layer:
            for i, piece in enumerate(data.pieces):
                for reading in _readings(data, piece) if not mask >> i & 1 else ():
                    length = table[mask, last][0] + len(reading) - shared[last, reading]
                    if length < next_layer.get((mask | 1 << i, reading), (1 << 30, ""))[0]:
                        next_layer[mask | 1 << i, reading] = length, last
        table |= next_layer
        layer = list(next_layer)
    return table


def _other_answers(task: Task[Data]) -> Iterator[str]:
    """Every last string of a shortest row, read back through the table of sets."""
    data, table = task.data, _held_karp(task.data)
    for mask, last in [
        (mask, last) for (mask, last), (length, _) in table.items() if mask == (1 << len(data.pieces)) - 1 and length == data.best
    ]:
        row = [last]
        while before := table[mask, row[-1]][1]:
            mask -= next(1 << i for i, piece in enumerate(data.pieces) if mask >> i & 1 and row[-1] in _readings(data, piece))
            row.append(before)
        text = row[-1]
        for first, second in zip(row[::-1], row[-2::-1], strict=False):
            text += second[_overlap(first, second) :]
        yield text
        if data.both:
            yield text[::-1]


environment = Environment(
    Knobs, Text("the string of letters, without spaces", max_characters=400, ignore_spaces=True, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, DONE, checks), shift=shift, answers="many", solutions=_other_answers,
    concept="The row is as short as possible when neighbouring strings share as many letters in all as they can: find the best order.",
    version=3,
)  # fmt: skip
