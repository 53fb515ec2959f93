"""Mend a row of brackets so that all of them match, by changing as few as possible.

Every row that is mended with the fewest changes is accepted.
"""

from collections.abc import Callable, Iterator
from functools import cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.solutions import Checks, Derivation, Solution, Step

KINDS = ("()", "[]", "{}", "<>")
CELL = Step(
    "Signs {first:int} to {last:int}: {least:int} = {own:int} + {inside:int} + {behind:int}, with sign {first:int} matched with sign {mate:int}"
)
LAST = "One row with so few changes: {answer}"


class Knobs(Config):
    pairs: int = knob(7, easy=4, hard=13, doc="how many pairs of brackets there must be")
    kinds: int = knob(3, easy=2, hard=4, doc="kinds of brackets")
    changed: int = knob(4, easy=1, hard=9, doc="signs that were changed in a row that matched")


class Data(TaskData):
    row: str
    kinds: int
    least: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, crossing=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Two rows that match are shuffled into each other, so that their pairs cross."""
    return _sample_task(rng, knobs, crossing=True)


def solve(task: Task[Data]) -> str:
    """Stretches of growing length; `generate` goes from the whole down."""
    row = task.data.row
    size = len(row)
    best: dict[tuple[int, int], tuple[int, str]] = {(i, i): (0, "") for i in range(size + 1)}
    for length in range(2, size + 1, 2):
        for i in range(size - length + 1):
            j = i + length
            _, k = min((_pair_cost(row[i], row[k]) + best[i + 1, k][0] + best[k + 1, j][0], k) for k in range(i + 1, j, 2))
            inside, behind = best[i + 1, k], best[k + 1, j]
            first, second = _pair(row[i], row[k])
            best[i, j] = _pair_cost(row[i], row[k]) + inside[0] + behind[0], f"{first}{inside[1]}{second}{behind[1]}"
    return best[0, size][1]


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    if len(answer) != len(data.row) or not set(answer) <= set("".join(KINDS[: data.kinds])):
        return Score.wrong(f"expected {len(data.row)} brackets of the kinds named")
    waiting = ""
    for sign in answer:
        if _opens(sign):
            waiting += sign
        elif not waiting or waiting[-1] + sign not in KINDS:
            return Score.wrong("the brackets do not match")
        else:
            waiting = waiting[:-1]
    changes = sum(first != second for first, second in zip(answer, data.row, strict=True))
    return Score.exact(not waiting and changes == data.least, "the brackets do not match" if waiting else "fewer changes are enough")


def mistakes(task: Task[Data], right: str) -> list[str]:
    row, greedy, waiting = task.data.row, "", ""
    for k, sign in enumerate(row):
        # left to right: what cannot match here is changed at once
        if waiting and (len(waiting) >= len(row) - k or not _opens(sign)):
            greedy, waiting = greedy + _pair(waiting[-1], sign)[1], waiting[:-1]
        else:
            sign = sign if _opens(sign) else _pair(sign, sign)[0]
            greedy, waiting = greedy + sign, waiting + sign
    nested = "(" * (len(row) // 2) + ")" * (len(row) // 2)
    return [greedy, row, "()" * (len(row) // 2), nested, right[::-1], right[2:], right + "()"]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float((len(data.row) // 2) ** 3 * (1 + data.kinds) + data.least)


def derive(task: Task[Data]) -> Derivation:
    row, best = task.data.row, _fewest_changes(task.data.row)
    for i, j in _even_stretches(len(row)):
        least, k = best(i, j)
        parts = {"own": _pair_cost(row[i], row[k]), "inside": best(i + 1, k)[0], "behind": best(k + 1, j)[0]}
        yield CELL(first=i + 1, last=j, mate=k + 1, least=least, **parts)


def checks(task: Task[Data]) -> Checks:
    row, stretches, best = task.data.row, _even_stretches(len(task.data.row)), _fewest_changes(task.data.row)

    def is_least(first: int, last: int, least: int, own: int, inside: int, behind: int, mate: int) -> bool:
        i, k = first - 1, mate - 1
        parts = _pair_cost(row[i], row[k]), best(i + 1, k)[0], best(k + 1, last)[0]
        placed = (i, last) == stretches.pop(0) and i < k < last and (k - i) % 2 == 1
        return placed and (own, inside, behind) == parts and least == sum(parts) == best(i, last)[0]

    return {CELL: is_least}


def _sample_task(rng: Rng, knobs: Knobs, crossing: bool) -> Task[Data]:
    changed = max(1, min(knobs.changed // (1 + crossing), knobs.pairs))
    while True:
        if crossing:
            half = knobs.pairs // 2
            rows = [list(_sample_matched(rng, half, knobs.kinds)), list(_sample_matched(rng, knobs.pairs - half, knobs.kinds))]
            turns = rng.shuffled([0] * len(rows[0]) + [1] * len(rows[1]))
            signs = [rows[turn].pop(0) for turn in turns]
        else:
            signs = list(_sample_matched(rng, knobs.pairs, knobs.kinds))
        for k in rng.sample(range(len(signs)), changed):
            signs[k] = rng.choice("".join(KINDS[: knobs.kinds]).replace(signs[k], ""))
        row = "".join(signs)
        least = _fewest_changes(row)(0, len(row))[0]
        if least >= max(1, changed // 3):
            break
    named = " and ".join(KINDS[: knobs.kinds]) if knobs.kinds < 3 else ", ".join(KINDS[: knobs.kinds])
    prompt = (
        f"In a balanced sequence of brackets, each opening bracket has a closing bracket of its kind after it, and the brackets between the two are "
        f"balanced, too. This sequence is not balanced:\n{row}\n\nMake it balanced by replacing as few brackets as possible with other brackets of the "
        f"kind{'s' * (knobs.kinds > 1)} {named}. Do not add, remove or move any bracket. If several answers are possible, give any one of them."
    )
    return Task(prompt, Data(row=row, kinds=knobs.kinds, least=least))


def _sample_matched(rng: Rng, pairs: int, kinds: int) -> str:
    if not pairs:
        return ""
    inside = rng.integer(0, pairs - 1)
    kind = rng.choice(KINDS[:kinds])
    return f"{kind[0]}{_sample_matched(rng, inside, kinds)}{kind[1]}{_sample_matched(rng, pairs - 1 - inside, kinds)}"


def _opens(sign: str) -> bool:
    return any(sign == kind[0] for kind in KINDS)


def _pair_cost(first: str, second: str) -> int:
    """The changes that it takes to match two signs."""
    return 0 if first + second in KINDS else 2 if not _opens(first) and _opens(second) else 1


def _pair(first: str, second: str) -> tuple[str, str]:
    """A pair with so few changes."""
    return next((kind[0], kind[1]) for kind in KINDS if _pair_cost(first, second) == (kind[0] != first) + (kind[1] != second))


def _even_stretches(size: int) -> list[tuple[int, int]]:
    return [(i, i + length) for length in range(2, size + 1, 2) for i in range(size - length + 1)]


def _fewest_changes(row: str) -> Callable[[int, int], tuple[int, int]]:
    """The fewest changes in a stretch, and the first mate of its first sign for that, from the whole down."""

    @cache
    def best(i: int, j: int) -> tuple[int, int]:
        options = [(_pair_cost(row[i], row[k]) + best(i + 1, k)[0] + best(k + 1, j)[0], k) for k in range(i + 1, j, 2)]
        return min(options, default=(0, i))

    return best


def _other_answers(task: Task[Data]) -> Iterator[str]:
    """Every way of matching signs with the fewest changes, the last mate first."""
    row, best = task.data.row, _fewest_changes(task.data.row)

    def mended(i: int, j: int) -> Iterator[str]:
        if i >= j:
            yield ""
            return
        for k in reversed(range(i + 1, j, 2)):
            if _pair_cost(row[i], row[k]) + best(i + 1, k)[0] + best(k + 1, j)[0] == best(i, j)[0]:
                first, second = _pair(row[i], row[k])
                for inside in mended(i + 1, k):
                    yield from (f"{first}{inside}{second}{behind}" for behind in mended(k + 1, j))

    return mended(0, len(row))


environment = Environment(
    Knobs, Text("the repaired sequence of brackets", max_characters=200, ignore_spaces=True), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, LAST, checks), shift=shift, answers="many", solutions=_other_answers,
    concept="The first bracket of a stretch is matched with some later one: what lies between and what lies behind are mended on their own.",
    version=3,
)  # fmt: skip
