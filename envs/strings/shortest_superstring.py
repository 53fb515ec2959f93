"""Write the shortest string that holds all of the given strings, read forwards or, where allowed, backwards."""

import heapq
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.steps import Line, first_wrong

LETTERS = "abcdefghijklmnopqrstuvwxyz"
SHARED = Line("{one} followed by {other}: at most {count} of their letters can be shared")
FIRST = Line("A best order starts with {piece}")
NEXT = Line("Then comes {piece}, which makes {text}")
DONE = Line("Of length {length}, and no order is shorter: {text}")


class Knobs(Config):
    pieces: int = knob(5, easy=3, hard=7, doc="strings that must be held")
    letters: int = knob(5, easy=3, hard=8, doc="letters of each string, about")
    alphabet: int = knob(4, easy=6, hard=3, doc="different letters")
    reading: str = knob("forwards", easy="forwards", hard="both", order=("forwards", "both"), doc="whether strings may be held backwards")


class Data(TaskData):
    pieces: tuple[str, ...]
    both: bool
    best: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    def drawn(used: list[str]) -> list[str]:
        whole = "".join(rng.choice(used) for _ in range(knobs.pieces * knobs.letters * 2 // 3 + 2))
        sizes = [rng.integer(max(2, knobs.letters - 1), knobs.letters + 1) for _ in range(knobs.pieces)]
        starts = [rng.integer(0, max(0, len(whole) - size)) for size in sizes]
        return [whole[start : start + size] for start, size in zip(starts, sizes, strict=True)]

    return _made(rng, knobs, drawn)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Strings that were not cut out of one: each is three of a few blocks."""

    def drawn(used: list[str]) -> list[str]:
        blocks = ["".join(rng.choice(used) for _ in range(rng.integer(1, 1 + knobs.letters // 3))) for _ in range(5)]
        return ["".join(rng.choice(blocks) for _ in range(3)) + rng.choice(used) for _ in range(knobs.pieces)]

    return _made(rng, knobs, drawn)


def solve(task: Task[Data]) -> str:
    """Always going on from the shortest string begun; the length in the data comes from a table of sets."""
    data = task.data
    ways = [(1 << i, way) for i, piece in enumerate(data.pieces) for way in _ways(data, piece)]
    shared = {(one, other): _overlap(one, other) for _, one in ways for _, other in ways}
    queue = [(len(way), way, held, way) for held, way in ways]
    heapq.heapify(queue)
    least: dict[tuple[int, str], int] = {}
    while queue:
        length, text, held, last = heapq.heappop(queue)
        if held == (1 << len(data.pieces)) - 1:
            return text
        if length > least.get((held, last), length):
            continue
        for bit, way in ways:
            longer = length + len(way) - shared[last, way]
            if not held & bit and longer < least.get((held | bit, way), 1 << 30):
                least[held | bit, way] = longer
                heapq.heappush(queue, (longer, text + way[shared[last, way] :], held | bit, way))
    raise AssertionError("some string holds them all")


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    if len(answer) > sum(map(len, data.pieces)):
        return Score.wrong("writing the strings one after the other is shorter")
    for piece in data.pieces:
        if not any(way in answer for way in _ways(data, piece)):
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


def explain(task: Task[Data]) -> list[str]:
    data, right = task.data, solve(task)
    placed = sorted((min(right.find(way), len(right)), way) for piece in data.pieces for way in _ways(data, piece) if way in right)
    order, seen = list[str](), set[str]()
    for _, way in placed:
        name = min(way, way[::-1]) if data.both else way
        if name not in seen:
            seen.add(name)
            order.append(way)
    ways = list(dict.fromkeys(way for piece in data.pieces for way in _ways(data, piece)))
    steps = []
    for one in ways:
        for other in ways:
            apart = one != other and not (data.both and one == other[::-1])
            if apart and _overlap(one, other):
                steps.append(SHARED.write(one=one, other=other, count=_overlap(one, other)))
    steps.append(FIRST.write(piece=order[0]))
    text = order[0]
    for before, piece in pairwise(order):
        text += piece[_overlap(before, piece) :]
        if piece != order[-1]:
            steps.append(NEXT.write(piece=piece, text=text))
    return [*steps, DONE.write(length=len(right), text=right)]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    ways = [way for piece in data.pieces for way in _ways(data, piece)]
    shared: dict[tuple[str, str], int] = {}
    last, text = "", ""

    def follows(step: str) -> bool:
        nonlocal last, text
        if said := SHARED.read(step):
            pair, count = (said["one"], said["other"]), int(said["count"])
            new = pair not in shared and pair[0] in ways and pair[1] in ways
            shared[pair] = count
            return new and not last and count == _overlap(*pair) > 0
        if said := FIRST.read(step):
            begun, last, text = bool(text), said["piece"], said["piece"]
            return not begun and last in ways
        said = NEXT.read(step) or {}
        count = shared.get((last, said["piece"]), 0)
        last, before = said["piece"], text
        text = said["text"]
        return bool(before) and last in ways and text == before + last[count:]

    def ends(step: str) -> bool:
        said = DONE.read(step) or {}
        return said["text"].startswith(text) and int(said["length"]) == len(said["text"]) and verify(task, said["text"]).value == 1

    return first_wrong(steps, follows, ends)


def _made(rng: Rng, knobs: Knobs, drawn: Callable[[list[str]], list[str]]) -> Task[Data]:
    data = Data(pieces=(), both=knobs.reading == "both", best=0)
    for attempt in range(10_000):
        pieces: list[str] = []
        for piece in sorted(dict.fromkeys(drawn(rng.sample(LETTERS, knobs.alphabet))), key=lambda piece: -len(piece)):
            if not any(way in other for way in _ways(data, piece) for other in pieces):
                pieces.append(piece)
        # Short strings of few letters hold each other often: after a while a string less will do.
        if len(pieces) >= max(2, knobs.pieces - attempt // 20):
            break
    pieces = rng.shuffled(pieces)
    data = data.model_copy(update={"pieces": tuple(pieces)})
    reading = " from left to right or from right to left" if data.both else " from left to right"
    prompt = (
        f"Write down a row of letters that is as short as possible and in which each of these strings can be read{reading}, as letters that stand next to each "
        f"other; strings may overlap: {', '.join(pieces)}"
    )
    return Task(
        prompt,
        data.model_copy(update={"best": min(length for (held, _), (length, _) in _table(data).items() if held == (1 << len(pieces)) - 1)}),
    )


def _ways(data: Data, piece: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((piece, piece[::-1]))) if data.both else (piece,)


def _overlap(one: str, other: str) -> int:
    return next(count for count in range(min(len(one), len(other)) - 1, -1, -1) if one.endswith(other[:count]))


def _table(data: Data) -> dict[tuple[int, str], tuple[int, str]]:
    """Of each set of strings held and the last one as read: the least length, and what stood before the last one."""
    table: dict[tuple[int, str], tuple[int, str]] = {
        (1 << i, way): (len(way), "") for i, piece in enumerate(data.pieces) for way in _ways(data, piece)
    }
    shared = {(one, other): _overlap(one, other) for _, one in list(table) for _, other in list(table)}
    layer = list(table)
    while layer:
        fresh: dict[tuple[int, str], tuple[int, str]] = {}
        for held, last in layer:
            for i, piece in enumerate(data.pieces):
                for way in _ways(data, piece) if not held >> i & 1 else ():
                    length = table[held, last][0] + len(way) - shared[last, way]
                    if length < fresh.get((held | 1 << i, way), (1 << 30, ""))[0]:
                        fresh[held | 1 << i, way] = length, last
        table |= fresh
        layer = list(fresh)
    return table


def _others(task: Task[Data]) -> Iterator[str]:
    """Every last string of a shortest row, read back through the table of sets."""
    data, table = task.data, _table(task.data)
    for held, last in [
        (held, last) for (held, last), (length, _) in table.items() if held == (1 << len(data.pieces)) - 1 and length == data.best
    ]:
        row = [last]
        while before := table[held, row[-1]][1]:
            held -= next(1 << i for i, piece in enumerate(data.pieces) if held >> i & 1 and row[-1] in _ways(data, piece))
            row.append(before)
        text = row[-1]
        for one, other in zip(row[::-1], row[-2::-1], strict=False):
            text += other[_overlap(one, other) :]
        yield text
        if data.both:
            yield text[::-1]


environment = Environment(
    Knobs,
    Text("the row of letters, without spaces", most=400, compact=True, fold=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    answers="many",
    solutions=_others,
    concept="The row is as short as possible when neighbouring strings share as many letters in all as they can: find the best order.",
)
