"""Turn one text into another at the least cost, and write down the edits.

Any script of least cost is accepted; the distance alone is never an answer.
"""

import heapq
import re
from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.solutions import Derivation, Solution, Step

LETTERS = "abcdefghijklmnopqrstuvwxyz"
TABLE = Step("Row i, column j of the table is the least cost of turning the first i letters into the first j letters of the second text")
ROW = Step("Row {i} ({letter}): {numbers}")
LEAST = Step("The least cost is the last number, {least}. Going back from it to the start, always to a place it came from, gives the edits")
_SPELLINGS = re.compile(r"\b(insert|replace)\s*[:=]?\s*\(?([a-z])\b\)?")


class Knobs(Config):
    letters: int = knob(14, easy=3, hard=48, doc="letters of the first text")
    changes: int = knob(5, easy=1, hard=24, doc="how many times the first text is changed to get the second")
    alphabet: int = knob(6, easy=20, hard=3, doc="how many different letters are used")
    costs: str = knob(
        "weighted", easy="unit", hard="swaps", order=("unit", "weighted", "swaps"), doc="edits cost 1, or differ in cost, or include swaps"
    )


class Data(TaskData):
    source: str
    target: str
    insert: int
    delete: int
    replace: int
    swap: int
    least: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, period=0)


def _sample_task(rng: Rng, knobs: Knobs, period: int) -> Task[Data]:
    used = rng.sample(LETTERS, knobs.alphabet)
    unit, swaps = knobs.costs == "unit", knobs.costs == "swaps"
    insert, delete, replace = (1, 1, 1) if unit else (rng.integer(2, 5), rng.integer(2, 5), rng.integer(2, 8))
    swap = rng.integer(1, 4) if swaps else 0
    piece = "".join(rng.choice(used) for _ in range(period or knobs.letters))
    source = (piece * knobs.letters)[: knobs.letters]
    target = source
    while target == source:
        target = _sample_edits(rng, source, knobs.changes, used, swaps)
    data = Data(source=source, target=target, insert=insert, delete=delete, replace=replace, swap=swap, least=0)
    data = data.model_copy(update={"least": _table(data)[-1][-1]})
    swapping = f"\nswap: take the next two letters and write them in swapped order; cost {swap}" if swaps else ""
    prompt = (
        f"Turn the text {source} into the text {target}. Go through the first text from left to right with these edits:\n"
        f"keep: take the next letter and write it as it is; cost 0\n"
        f"delete: take the next letter and write nothing; cost {delete}\n"
        f"insert:x: take no letter and write the letter x, which may be any letter; cost {insert}\n"
        f"replace:x: take the next letter and write the letter x instead; cost {replace}{swapping}\n"
        "At the end every letter of the first text must have been taken, and what was written must be the second text. "
        "Give the edits in order so that their total cost is as small as possible."
    )
    return Task(prompt, data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A first text that repeats one short piece, so that edits can be shifted along it."""
    return _sample_task(rng, knobs, period=3)


def solve(task: Task[Data]) -> tuple[str, ...]:
    """Dijkstra's algorithm on the grid of pairs of positions."""
    data = task.data
    queue: list[tuple[int, int, int]] = [(0, 0, 0)]
    previous: dict[tuple[int, int], tuple[int, int, str]] = {}
    cheapest = {(0, 0): 0}
    while queue:
        spent, i, j = heapq.heappop(queue)
        if spent > cheapest[i, j]:
            continue
        if (i, j) == (len(data.source), len(data.target)):
            break
        for edit, price, after in _edits(data, i, j):
            if spent + price < cheapest.get(after, 1 << 60):
                cheapest[after], previous[after] = spent + price, (i, j, edit)
                heapq.heappush(queue, (spent + price, *after))
    script, place = [], (len(data.source), len(data.target))
    while place != (0, 0):
        i, j, edit = previous[place]
        script.append(edit)
        place = i, j
    return tuple(reversed(script))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if len(answer) > 3 * (len(data.source) + len(data.target)):
        return Score.wrong("so many edits are not needed")
    place, spent, written = 0, 0, []
    for edit in _SPELLINGS.sub(r"\1:\2", " ".join(answer)).split():
        name, _, letter = edit.partition(":")
        price = {"keep": 0, "delete": data.delete, "insert": data.insert, "replace": data.replace, "swap": data.swap}.get(name)
        needs_letter = name in ("insert", "replace")
        if price is None or (name == "swap" and not data.swap) or needs_letter != (len(letter) == 1) or (letter and not needs_letter):
            return Score.wrong(f"{edit[:20]!r} is not an edit")
        taken = data.source[place : place + {"insert": 0, "swap": 2}.get(name, 1)]
        if len(taken) < {"insert": 0, "swap": 2}.get(name, 1):
            return Score.wrong("an edit takes letters after the end of the first text")
        place, spent = place + len(taken), spent + price
        written.append(letter or {"keep": taken, "swap": taken[::-1]}.get(name, ""))
    if place < len(data.source):
        return Score.wrong("some letters of the first text are never taken")
    if "".join(written) != data.target:
        return Score.wrong("the edits produce a different text")
    return Score.exact(spent == data.least, f"the edits cost {spent}, and there is a cheaper way")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    rewritten = (*("delete" for _ in data.source), *(f"insert:{letter}" for letter in data.target))
    return [right[:-1], right[::-1], rewritten, ("keep",) * len(data.source), _edit_each_place(data)]


def cost(task: Task[Data]) -> float:
    kinds = 3 + (task.data.insert != task.data.replace) + 2 * (task.data.swap > 0)
    return float(len(task.data.source) * len(task.data.target) * kinds)


def derive(task: Task[Data]) -> Derivation:
    yield TABLE()
    for i, row in enumerate(_table(task.data)):
        yield ROW(i=i, letter=task.data.source[i - 1] if i else "nothing", numbers=" ".join(map(str, row)))
    yield LEAST(least=task.data.least)


def _sample_edits(rng: Rng, source: str, changes: int, used: list[str], swaps: bool) -> str:
    text = list(source)
    for _ in range(changes):
        kind = rng.choice(("insert", "delete", "replace", "swap")[: 4 if swaps else 3])
        place = rng.integer(0, len(text) - 1)
        if kind == "insert":
            text.insert(place, rng.choice(used))
        elif kind == "replace" or len(text) == 1:
            text[place] = rng.choice(used)
        elif kind == "delete":
            del text[place]
        else:
            text[place - 1 : place + 1] = text[place - 1 : place + 1][::-1]
    return "".join(text)


def _table(data: Data) -> list[list[int]]:
    """Least cost for every pair of beginnings of the two texts."""
    source, target = data.source, data.target
    rows = [[j * data.insert for j in range(len(target) + 1)]]
    for i in range(1, len(source) + 1):
        above, row = rows[-1], [i * data.delete]
        for j in range(1, len(target) + 1):
            same = source[i - 1] == target[j - 1]
            least = min(above[j] + data.delete, row[-1] + data.insert, above[j - 1] + (0 if same else data.replace))
            if data.swap and i > 1 and j > 1 and source[i - 2 : i] == target[j - 1] + target[j - 2]:
                least = min(least, rows[i - 2][j - 2] + data.swap)
            row.append(least)
        rows.append(row)
    return rows


def _edits(data: Data, i: int, j: int) -> Iterator[tuple[str, int, tuple[int, int]]]:
    """What can be done next when i letters are taken and j are written: the edit, its cost, and the place after it."""
    source, target = data.source, data.target
    if i < len(source) and j < len(target):
        if source[i] == target[j]:
            yield "keep", 0, (i + 1, j + 1)
        else:
            yield f"replace:{target[j]}", data.replace, (i + 1, j + 1)
        if data.swap and i + 1 < len(source) and source[i : i + 2] == target[j : j + 2][::-1]:
            yield "swap", data.swap, (i + 2, j + 2)
    if i < len(source):
        yield "delete", data.delete, (i + 1, j)
    if j < len(target):
        yield f"insert:{target[j]}", data.insert, (i, j + 1)


def _edit_each_place(data: Data) -> tuple[str, ...]:
    pairs = list(zip(data.source, data.target, strict=False))
    script = ["keep" if a == b else f"replace:{b}" for a, b in pairs]
    return (*script, *("delete" for _ in data.source[len(pairs) :]), *(f"insert:{b}" for b in data.target[len(pairs) :]))


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """Every cheapest script, read back from the end of the table."""
    data, table = task.data, _table(task.data)
    scripts: list[tuple[int, int, tuple[str, ...]]] = [(len(data.source), len(data.target), ())]
    while scripts:
        i, j, script = scripts.pop()
        if not i and not j:
            yield script
        for di, dj in ((0, 1), (1, 0), (1, 1), (2, 2)):
            if di <= i and dj <= j:
                for edit, price, after in _edits(data, i - di, j - dj):
                    if after == (i, j) and table[i - di][j - dj] + price == table[i][j]:
                        scripts.append((i - di, j - dj, (edit, *script)))


environment = Environment(
    Knobs, Words("the edits in order, such as keep or insert:x, separated by spaces", ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The edits are {answer}"), shift=shift, answers="many", solutions=_other_answers,
    concept="The cheapest way to reach a pair of beginnings comes from one of the pairs that are one edit shorter: fill in the table of all pairs.",
    version=2,
)  # fmt: skip
