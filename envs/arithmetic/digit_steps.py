"""Carry out a list of steps on the digits of a number.

Reversing and adding, sorting and subtracting, moving digits, check digits. In the shift the number is not written in base ten.
"""

from collections.abc import Sequence
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.numbers.digits import KINDS, RULES, done_by_digits, done_with, plain
from rlgym.generators.steps import Line, ended, first_wrong

STEP = Line("Step {i}: {before} becomes {after}")
WORKED = Line("Step {i}: {left} {sign} {right} = {after}")
LEAD = "At the end stands "
LONGEST = 24


class Knobs(Config):
    steps: int = knob(6, easy=1, hard=20, doc="how many steps")
    digits: int = knob(4, easy=2, hard=8, doc="digits of the first number")
    kinds: str = knob("sums", easy="moves", hard="all", order=tuple(KINDS), doc="kinds of steps")


class Data(TaskData):
    base: int
    start: str
    steps: tuple[tuple[str, int], ...]
    right: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, 10)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, rng.choice((5, 6, 7, 8, 9)))


def _made(rng: Rng, knobs: Knobs, base: int) -> Task[Data]:
    while True:
        text = str(rng.integer(1, base - 1)) + "".join(str(rng.integer(0, base - 1)) for _ in range(knobs.digits - 1))
        start, steps = text, list[tuple[str, int]]()
        while len(steps) < knobs.steps:
            # what grows for ever is cut back by sorting and moving
            kinds = KINDS[knobs.kinds] if len(text) < LONGEST else ("sort and subtract", "first to the end")
            last = steps[-1][0] if steps else ""
            step = rng.choice([kind for kind in kinds if (kind, last) != ("swap", "swap")]), rng.integer(2, base - 1)
            after = done_with(text, step, base)
            if after.strip("0") == "":
                break
            text = after
            steps.append(step)
        if len(steps) == knobs.steps and (text != start or knobs.steps > 1):
            break
    listing = "\n".join(f"{i}. {RULES[kind].format(k=k)}" for i, (kind, k) in enumerate(steps, 1))
    where = (
        ""
        if base == 10
        else f" All numbers, in the steps too, are written in base {base}; sums of digits are meant in base {base} as well."
    )
    prompt = (
        f"Start with the number {start} and carry out these steps one after another. Zeros that come to stand in front are dropped at once.{where}\n"
        f"{listing}\n\nWhich number stands at the end?"
    )
    return Task(prompt, Data(base=base, start=start, steps=tuple(steps), right=text))


def solve(task: Task[Data]) -> str:
    # Sums and differences digit by digit with carries; `verify` turns whole numbers.
    data, digits = task.data, [int(digit) for digit in task.data.start]
    for kind, k in data.steps:
        digits = done_by_digits(digits, kind, k, data.base)
        while len(digits) > 1 and digits[0] == 0:
            digits = digits[1:]
    return "".join(map(str, digits))


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.right, "the steps end at another number")


def mistakes(task: Task[Data], right: str) -> list[str]:
    states = _states(task.data)
    return [
        states[-2],
        right[::-1],
        done_with(right, ("times", 2), task.data.base),
        right[:-1] + str((int(right[-1]) + 1) % task.data.base),
        f"{right}0",
    ]


def cost(task: Task[Data]) -> float:
    return sum(
        len(state) * (1 if kind in ("first to the end", "swap") else 2)
        for state, (kind, _) in zip(_states(task.data), task.data.steps, strict=False)
    )


def explain(task: Task[Data]) -> list[str]:
    states = _states(task.data)
    return [
        *(_said(task.data, i, before, after) for i, (before, after) in enumerate(pairwise(states))),
        LEAD + states[-1],
    ]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, state, at = task.data, task.data.start, 0

    def follows(step: str) -> bool:
        nonlocal state, at
        if at == len(data.steps):
            return False
        after = done_with(state, data.steps[at], data.base)
        sound = step == _said(data, at, state, after)
        state, at = after, at + 1
        return sound

    return first_wrong(steps, follows, ended(LEAD, task, environment.answer, verify))


def _said(data: Data, i: int, before: str, after: str) -> str:
    kind, k = data.steps[i]
    if kind == "reverse and add":
        return WORKED.write(i=i + 1, left=before, sign="+", right=plain(before[::-1]), after=after)
    if kind == "times":
        return WORKED.write(i=i + 1, left=before, sign="*", right=k, after=after)
    if kind == "sort and subtract":
        rising = "".join(sorted(before))
        return WORKED.write(i=i + 1, left=rising[::-1], sign="-", right=plain(rising), after=after)
    return STEP.write(i=i + 1, before=before, after=after)


def _states(data: Data) -> list[str]:
    states = [data.start]
    for step in data.steps:
        states.append(done_with(states[-1], step, data.base))
    return states


environment = Environment(
    Knobs,
    Text("the number at the end, in digits", compact=True, most=200),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="Write the number down anew after every step; a slip in one digit changes all that follows.",
)
