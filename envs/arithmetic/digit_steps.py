"""Carry out a list of steps on the digits of a number.

Steps reverse and add, sort and subtract, move digits or append check digits. In the shifted family the number is not in base ten.
"""

from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.numbers.digits import KINDS, RULES, apply_step, apply_step_by_digits, strip_zeros
from rlgym.solutions import Derivation, Solution, Step

STEP = Step("Step {i}: {before} becomes {after}")
WORKED = Step("Step {i}: {left} {sign} {right} = {after}")
CLOSING = "The final number is {answer}"
LONGEST = 24
ANSWER = Text("the final number, in digits", ignore_spaces=True, max_characters=200)
CONCEPT = "Write the number down anew after every step; a slip in one digit changes all that follows."


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
    return _sample_task(rng, knobs, 10)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, rng.choice((5, 6, 7, 8, 9)))


def _sample_task(rng: Rng, knobs: Knobs, base: int) -> Task[Data]:
    while True:
        text = str(rng.integer(1, base - 1)) + "".join(str(rng.integer(0, base - 1)) for _ in range(knobs.digits - 1))
        start, steps = text, list[tuple[str, int]]()
        while len(steps) < knobs.steps:
            # Long numbers are shortened by sorting and moving.
            kinds = KINDS[knobs.kinds] if len(text) < LONGEST else ("sort and subtract", "first to the end")
            last = steps[-1][0] if steps else ""
            step = rng.choice([kind for kind in kinds if (kind, last) != ("swap", "swap")]), rng.integer(2, base - 1)
            after = apply_step(text, step, base)
            if after.strip("0") == "":
                break
            text = after
            steps.append(step)
        if len(steps) == knobs.steps and (text != start or knobs.steps > 1):
            break
    listing = "\n".join(f"{i}. {RULES[kind].format(k=k)}" for i, (kind, k) in enumerate(steps, 1))
    where = "" if base == 10 else f" All numbers, in the steps too, are written in base {base}; digit sums are in base {base} too."
    prompt = (
        f"Start with the number {start} and carry out these steps one after another. Leading zeros are dropped at once.{where}\n"
        f"{listing}\n\nWhat is the final number?"
    )
    return Task(prompt, Data(base=base, start=start, steps=tuple(steps), right=text))


def solve(task: Task[Data]) -> str:
    # Sums and differences digit by digit with carries; `verify` computes with integers.
    data, digits = task.data, [int(digit) for digit in task.data.start]
    for kind, k in data.steps:
        digits = apply_step_by_digits(digits, kind, k, data.base)
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
        apply_step(right, ("times", 2), task.data.base),
        right[:-1] + str((int(right[-1]) + 1) % task.data.base),
        f"{right}0",
    ]


def cost(task: Task[Data]) -> float:
    return sum(
        len(state) * (1 if kind in ("first to the end", "swap") else 2)
        for state, (kind, _) in zip(_states(task.data), task.data.steps, strict=False)
    )


def derive(task: Task[Data]) -> Derivation:
    for i, ((kind, k), (before, after)) in enumerate(zip(task.data.steps, pairwise(_states(task.data)), strict=True), 1):
        if kind == "reverse and add":
            yield WORKED(i=i, left=before, sign="+", right=strip_zeros(before[::-1]), after=after)
        elif kind == "times":
            yield WORKED(i=i, left=before, sign="*", right=k, after=after)
        elif kind == "sort and subtract":
            rising = "".join(sorted(before))
            yield WORKED(i=i, left=rising[::-1], sign="-", right=strip_zeros(rising), after=after)
        else:
            yield STEP(i=i, before=before, after=after)


def _states(data: Data) -> list[str]:
    states = [data.start]
    for step in data.steps:
        states.append(apply_step(states[-1], step, data.base))
    return states


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=Solution(derive, CLOSING), shift=shift, concept=CONCEPT, version=5
)
