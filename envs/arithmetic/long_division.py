"""Divide with remainder.

In the shift the quotient is full of zeros and nines, where digits are easily lost.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.steps import Line, ended, first_wrong

STEP = Line("Bring down {digit}: {part} = {divisor} * {times} + {rest}")
SIGN = Line("The dividend is negative: {dividend} = {divisor} * {quotient} + {rest}")
LEAD = "Quotient and remainder: "


class Knobs(Config):
    digits: int = knob(6, easy=2, hard=30, doc="digits of the dividend")
    divisor: int = knob(2, easy=1, hard=6, doc="digits of the divisor")
    signs: str = knob("positive", easy="positive", hard="negative", order=("positive", "negative"), doc="whether numbers may be negative")


class Data(TaskData):
    dividend: int
    divisor: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    dividend = rng.integer(10 ** (knobs.digits - 1), 10**knobs.digits - 1)
    return _made(rng, knobs, dividend, _divisor(rng, knobs))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    divisor = _divisor(rng, knobs)
    length = max(2, knobs.digits - len(str(divisor)) + 1)
    quotient = int("".join([str(rng.integer(1, 9)), *(rng.choice("0009991") for _ in range(length - 1))]))
    return _made(rng, knobs, divisor * quotient + rng.integer(0, divisor - 1), divisor)


def _divisor(rng: Rng, knobs: Knobs) -> int:
    return rng.integer(max(3, 10 ** (knobs.divisor - 1)), 10**knobs.divisor - 1)


def _made(rng: Rng, knobs: Knobs, dividend: int, divisor: int) -> Task[Data]:
    if knobs.signs == "negative":
        dividend, divisor = dividend * rng.choice((1, -1, -1)), divisor * rng.choice((1, -1))
    size = f"{divisor} - 1" if divisor > 0 else f"{-divisor} - 1"
    prompt = (
        f"Divide {dividend} by {divisor} with remainder: find the integers q and r with {dividend} = {_factor(divisor)} * q + r, "
        f"where r is from 0 to {size}, both ends included."
    )
    return Task(prompt, Data(dividend=dividend, divisor=divisor))


def solve(task: Task[Data]) -> tuple[int, int]:
    # By subtracting doubled divisors, largest first; `verify` multiplies.
    size, divisor, quotient, power = abs(task.data.dividend), abs(task.data.divisor), 0, 1
    while divisor * power * 2 <= size:
        power *= 2
    while power:
        if divisor * power <= size:
            size, quotient = size - divisor * power, quotient + power
        power //= 2
    if task.data.dividend < 0 and size:
        size, quotient = divisor - size, quotient + 1
    return (quotient if (task.data.dividend < 0) == (task.data.divisor < 0) else -quotient), size


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if len(answer) != 2:
        return Score.wrong("give two integers, the quotient and the remainder")
    quotient, rest = answer
    fits = task.data.divisor * quotient + rest == task.data.dividend and 0 <= rest < abs(task.data.divisor)
    return Score.exact(fits, "divisor times quotient plus remainder is not the dividend, or the remainder is out of range")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    quotient, rest = right
    divisor = abs(task.data.divisor)
    return [
        (quotient + 1, rest),
        (quotient, rest + 1),
        (-quotient, rest),
        (rest, quotient),
        (quotient - 1, rest + divisor),
        (quotient * 10, rest),
    ]


def cost(task: Task[Data]) -> float:
    return len(str(abs(task.data.dividend))) * len(str(abs(task.data.divisor))) + (2 if task.data.dividend < 0 else 0)


def explain(task: Task[Data]) -> list[str]:
    data, steps, rest, quotient = task.data, [], 0, 0
    divisor = abs(data.divisor)
    for digit in str(abs(data.dividend)):
        part = 10 * rest + int(digit)
        steps.append(STEP.write(digit=digit, part=part, divisor=divisor, times=part // divisor, rest=part % divisor))
        quotient, rest = 10 * quotient + part // divisor, part % divisor
    if data.dividend < 0:
        quotient, rest = solve(task)
        steps.append(SIGN.write(dividend=data.dividend, divisor=_factor(data.divisor), quotient=_factor(quotient), rest=rest))
    return [*steps, LEAD + environment.answer.render(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, divisor = task.data, abs(task.data.divisor)
    digits, rest = str(abs(data.dividend)), 0

    def follows(step: str) -> bool:
        nonlocal digits, rest
        if found := SIGN.read(step):
            quotient, over = int(found["quotient"].strip("()")), int(found["rest"])
            named = found["dividend"] == str(data.dividend) and found["divisor"] == _factor(data.divisor)
            return named and not digits and data.dividend < 0 and verify(task, (quotient, over)).value == 1
        read = STEP.read(step)
        if not read or not digits or read["digit"] != digits[0] or int(read["divisor"]) != divisor:
            return False
        part, times, after = int(read["part"]), int(read["times"]), int(read["rest"])
        sound = part == 10 * rest + int(digits[0]) == divisor * times + after and 0 <= after < divisor
        digits, rest = digits[1:], after
        return sound

    return first_wrong(steps, follows, ended(LEAD, task, environment.answer, verify))


def _factor(number: int) -> str:
    return str(number) if number >= 0 else f"({number})"


environment = Environment(
    Knobs,
    Numbers("the quotient and the remainder, as two integers separated by a comma", most=2),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="Bring down one digit at a time, see how often the divisor fits, and carry the rest on.",
)
