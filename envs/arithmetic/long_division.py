"""Divide with remainder.

In the shifted family the quotient is full of zeros and nines, where digits are easily lost.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.solutions import Derivation, Solution, Step

STEP = Step("Bring down {digit}: {part} = {divisor} * {times} + {rest}")
SIGN = Step("The dividend is negative: {dividend} = {divisor} * {quotient} + {rest}")
CLOSING = "Quotient and remainder: {answer}"
ANSWER = Numbers("the quotient and the remainder, as two integers separated by a comma", max_items=2)
CONCEPT = "Bring down one digit at a time, see how often the divisor fits, and carry the rest on."


class Knobs(Config):
    digits: int = knob(6, easy=2, hard=30, doc="digits of the dividend")
    divisor: int = knob(2, easy=1, hard=6, doc="digits of the divisor")
    signs: str = knob("positive", easy="positive", hard="negative", order=("positive", "negative"), doc="whether numbers may be negative")


class Data(TaskData):
    dividend: int
    divisor: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    dividend = rng.integer(10 ** (knobs.digits - 1), 10**knobs.digits - 1)
    return _sample_task(rng, knobs, dividend, _sample_divisor(rng, knobs))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    divisor = _sample_divisor(rng, knobs)
    length = max(2, knobs.digits - len(str(divisor)) + 1)
    quotient = int("".join([str(rng.integer(1, 9)), *(rng.choice("0009991") for _ in range(length - 1))]))
    return _sample_task(rng, knobs, divisor * quotient + rng.integer(0, divisor - 1), divisor)


def _sample_divisor(rng: Rng, knobs: Knobs) -> int:
    return rng.integer(max(3, 10 ** (knobs.divisor - 1)), 10**knobs.divisor - 1)


def _sample_task(rng: Rng, knobs: Knobs, dividend: int, divisor: int) -> Task[Data]:
    if knobs.signs == "negative":
        dividend, divisor = dividend * rng.choice((1, -1, -1)), divisor * rng.choice((1, -1))
    prompt = (
        f"Divide {dividend} by {divisor} with remainder: find the integers q and r with {dividend} = {_factor(divisor)} * q + r, "
        f"where 0 <= r < {abs(divisor)}."
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


def derive(task: Task[Data]) -> Derivation:
    data, rest = task.data, 0
    divisor = abs(data.divisor)
    for digit in str(abs(data.dividend)):
        part = 10 * rest + int(digit)
        rest = part % divisor
        yield STEP(digit=digit, part=part, divisor=divisor, times=part // divisor, rest=rest)
    if data.dividend < 0:
        quotient, rest = solve(task)
        yield SIGN(dividend=data.dividend, divisor=_factor(data.divisor), quotient=_factor(quotient), rest=rest)


def _factor(number: int) -> str:
    return str(number) if number >= 0 else f"({number})"


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, CLOSING),
    shift=shift,
    concept=CONCEPT,
    long_numbers="Dividing long numbers digit by digit is the point.",
    version=2,
)
