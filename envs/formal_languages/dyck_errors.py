"""Mend a row of brackets so that all of them match, by changing as few as possible.

Every row that is mended with the fewest changes is accepted.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.steps import Line, ended, first_wrong

KINDS = ("()", "[]", "{}", "<>")
CELL = Line("Signs {first} to {last}: {least} = {own} + {inside} + {behind}, with sign {first_} matched with sign {mate}")
LAST = "One row with so few changes: "


class Knobs(Config):
    pairs: int = knob(7, easy=4, hard=13, doc="how many pairs of brackets there must be")
    kinds: int = knob(3, easy=2, hard=4, doc="kinds of brackets")
    changed: int = knob(4, easy=1, hard=9, doc="signs that were changed in a row that matched")


class Data(TaskData):
    row: str
    kinds: int
    least: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, crossing=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Two rows that match are shuffled into each other, so that their pairs cross."""
    return _made(rng, knobs, crossing=True)


def solve(task: Task[Data]) -> str:
    """Stretches of growing length; `generate` goes from the whole down."""
    row = task.data.row
    size = len(row)
    best: dict[tuple[int, int], tuple[int, str]] = {(i, i): (0, "") for i in range(size + 1)}
    for length in range(2, size + 1, 2):
        for i in range(size - length + 1):
            j = i + length
            _, k = min((_own(row[i], row[k]) + best[i + 1, k][0] + best[k + 1, j][0], k) for k in range(i + 1, j, 2))
            inside, behind = best[i + 1, k], best[k + 1, j]
            one, other = _pair(row[i], row[k])
            best[i, j] = _own(row[i], row[k]) + inside[0] + behind[0], f"{one}{inside[1]}{other}{behind[1]}"
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
    changes = sum(one != other for one, other in zip(answer, data.row, strict=True))
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


def explain(task: Task[Data]) -> list[str]:
    row, best, steps = task.data.row, _best(task.data.row), list[str]()
    for i, j in _stretches(len(row)):
        least, k = best(i, j)
        told = {"first": i + 1, "first_": i + 1, "last": j, "mate": k + 1, "least": least}
        steps.append(CELL.write(**told, own=_own(row[i], row[k]), inside=best(i + 1, k)[0], behind=best(k + 1, j)[0]))
    return [*steps, LAST + solve(task)]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    row, todo, best = task.data.row, _stretches(len(task.data.row)), _best(task.data.row)

    def follows(step: str) -> bool:
        said = {name: int(text) for name, text in (CELL.read(step) or {}).items()}
        i, j, k = said["first"] - 1, said["last"], said["mate"] - 1
        parts = _own(row[i], row[k]), best(i + 1, k)[0], best(k + 1, j)[0]
        placed = (i, j) == todo.pop(0) and i < k < j and (k - i) % 2 == 1 and said["first_"] == i + 1
        return placed and (said["own"], said["inside"], said["behind"]) == parts and said["least"] == sum(parts) == best(i, j)[0]

    return first_wrong(steps, follows, ended(LAST, task, environment.answer, verify))


def _made(rng: Rng, knobs: Knobs, crossing: bool) -> Task[Data]:
    changed = max(1, min(knobs.changed // (1 + crossing), knobs.pairs))
    while True:
        if crossing:
            half = knobs.pairs // 2
            rows = [list(_matched(rng, half, knobs.kinds)), list(_matched(rng, knobs.pairs - half, knobs.kinds))]
            turns = rng.shuffled([0] * len(rows[0]) + [1] * len(rows[1]))
            signs = [rows[turn].pop(0) for turn in turns]
        else:
            signs = list(_matched(rng, knobs.pairs, knobs.kinds))
        for k in rng.sample(range(len(signs)), changed):
            signs[k] = rng.choice("".join(KINDS[: knobs.kinds]).replace(signs[k], ""))
        row = "".join(signs)
        least = _best(row)(0, len(row))[0]
        if least >= max(1, changed // 3):
            break
    named = " and ".join(KINDS[: knobs.kinds]) if knobs.kinds < 3 else ", ".join(KINDS[: knobs.kinds])
    prompt = (
        f"In a row of brackets of the kinds {named} that matches, each opening bracket has a closing one of its kind behind it, and what stands between the "
        f"two matches, too. This row does not match:\n{row}\n\nMend it: change as few brackets as possible to other brackets, of any of "
        f"{'these kinds' if knobs.kinds > 1 else 'the two signs'}, so that the whole row matches. No bracket may be added, taken away or moved."
    )
    return Task(prompt, Data(row=row, kinds=knobs.kinds, least=least))


def _matched(rng: Rng, pairs: int, kinds: int) -> str:
    if not pairs:
        return ""
    inside = rng.integer(0, pairs - 1)
    kind = rng.choice(KINDS[:kinds])
    return f"{kind[0]}{_matched(rng, inside, kinds)}{kind[1]}{_matched(rng, pairs - 1 - inside, kinds)}"


def _opens(sign: str) -> bool:
    return any(sign == kind[0] for kind in KINDS)


def _own(one: str, other: str) -> int:
    """The changes that it takes to match two signs."""
    return 0 if one + other in KINDS else 2 if not _opens(one) and _opens(other) else 1


def _pair(one: str, other: str) -> tuple[str, str]:
    """A pair with so few changes."""
    return next((kind[0], kind[1]) for kind in KINDS if _own(one, other) == (kind[0] != one) + (kind[1] != other))


def _stretches(size: int) -> list[tuple[int, int]]:
    return [(i, i + length) for length in range(2, size + 1, 2) for i in range(size - length + 1)]


def _best(row: str) -> Callable[[int, int], tuple[int, int]]:
    """The fewest changes in a stretch, and the first mate of its first sign for that, from the whole down."""

    @cache
    def best(i: int, j: int) -> tuple[int, int]:
        ways = [(_own(row[i], row[k]) + best(i + 1, k)[0] + best(k + 1, j)[0], k) for k in range(i + 1, j, 2)]
        return min(ways, default=(0, i))

    return best


def _rows(task: Task[Data]) -> Iterator[str]:
    """Every way of matching signs with the fewest changes, the last mate first."""
    row, best = task.data.row, _best(task.data.row)

    def going(i: int, j: int) -> Iterator[str]:
        if i >= j:
            yield ""
            return
        for k in reversed(range(i + 1, j, 2)):
            if _own(row[i], row[k]) + best(i + 1, k)[0] + best(k + 1, j)[0] == best(i, j)[0]:
                one, other = _pair(row[i], row[k])
                for inside in going(i + 1, k):
                    yield from (f"{one}{inside}{other}{behind}" for behind in going(k + 1, j))

    return going(0, len(row))


environment = Environment(
    Knobs,
    Text("the mended row of brackets", most=200, compact=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    answers="many",
    solutions=_rows,
    concept="The first bracket of a stretch is matched with some later one: what lies between and what lies behind are mended on their own.",
)
