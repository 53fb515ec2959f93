"""Find integers x and y with ax + by equal to the greatest common divisor of a and b.

There are infinitely many pairs; every one within the stated size is accepted.
"""

from math import gcd

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.solutions import Derivation, Solution, Step

ANSWER = Numbers("x and y, separated by a comma")
CONCEPT = "Run Euclid's algorithm and keep each remainder written as a combination of the two numbers."
GIVEN = Step("To begin with, {a:int} = {a}*(1) + {b:int}*(0) and {b} = {a}*(0) + {b}*(1)")
DIVISION = Step(
    "{high:int} = {quotient:int}*{low:int} + {rest:int}, so {rest} = {first} - {quotient}*({second}) = {a:int}*({x:int}) + {b:int}*({y:int})"
)
LAST = Step("{high:int} is a multiple of {low:int}, so {low} is the greatest common divisor")
END = "Its combination gives x and y: {answer}"


class Knobs(Config):
    digits: int = knob(4, easy=2, hard=18, doc="digits of a and b")
    steps: int = knob(6, easy=3, hard=30, doc="divisions that Euclid's algorithm takes at least")


class Data(TaskData):
    a: int
    b: int
    divisor: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    # From the end of Euclid's algorithm upwards: quotients decide how many divisions it takes.
    a, b = _sample_numbers(rng, knobs)
    if rng.chance(0.5):
        a, b = b, a
    prompt = (
        f"Find integers x and y with {a}*x + {b}*y = gcd({a}, {b}), the greatest common divisor of the two numbers. Any such pair will do, "
        f"as long as x and y each have at most {2 * knobs.digits + 10} digits."
    )
    return Task(prompt, Data(a=a, b=b, divisor=gcd(a, b)))


def solve(task: Task[Data]) -> tuple[int, ...]:
    *_, (_, x, y) = _extended_euclid(task.data.a, task.data.b)
    return (x, y)


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    data = task.data
    if len(answer) != 2:
        return Score.wrong("give two integers, x and y")
    most = 10 ** (2 * max(len(str(data.a)), len(str(data.b))) + 10)
    if max(map(abs, answer)) >= most:
        return Score.wrong("x or y has more digits than allowed")
    value = data.a * answer[0] + data.b * answer[1]
    return Score.exact(value == data.divisor, f"{data.a}*x + {data.b}*y is {value} for this pair, which is not the greatest common divisor")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    x, y = right
    return [(y, x), (-x, -y), (x, -y), (x + 1, y)]


def cost(task: Task[Data]) -> float:
    return sum(1 for _ in _extended_euclid(task.data.a, task.data.b)) * len(str(task.data.a))


def derive(task: Task[Data]) -> Derivation:
    a, b = task.data.a, task.data.b
    rows = _extended_euclid(a, b)
    yield GIVEN(a=a, b=b)
    for (high, *above), (low, *below), (rest, x, y) in zip(rows, rows[1:], rows[2:]):
        first, second = (f"[{a}*({row[0]}) + {b}*({row[1]})]" for row in (above, below))
        yield DIVISION(high=high, quotient=high // low, low=low, rest=rest, first=first, second=second, a=a, b=b, x=x, y=y)
    yield LAST(high=rows[-2][0], low=rows[-1][0])


def _sample_numbers(rng: Rng, knobs: Knobs) -> tuple[int, int]:
    """Two numbers of at most that many digits, built from the end of Euclid's algorithm: many small quotients make it long."""
    top = 10**knobs.digits - 1
    divisor = max(2, top // 2**knobs.steps)
    high, low = rng.integer((divisor + 1) // 2, divisor), 0
    while True:
        quotient = 1 if low and rng.chance(0.5) else rng.integer(2, 4)
        if quotient * high + low > top:
            return (high, low) if low else (2 * high + 1, high)
        high, low = quotient * high + low, high


def _extended_euclid(a: int, b: int) -> list[tuple[int, int, int]]:
    """Each remainder of Euclid's algorithm as a combination of a and b, from a and b themselves down to the divisor."""
    rows = [(a, 1, 0), (b, 0, 1)]
    while rows[-2][0] % rows[-1][0]:
        quotient = rows[-2][0] // rows[-1][0]
        rows.append(tuple(above - quotient * below for above, below in zip(rows[-2], rows[-1])))  # type: ignore[arg-type]
    return rows


def _other_solutions(task: Task[Data]) -> list[tuple[int, ...]]:
    # Another route: pow gives the inverse that the first coefficient must be, and the rest follows.
    a, b, divisor = task.data.a, task.data.b, task.data.divisor
    x = pow(a // divisor, -1, b // divisor) if b != divisor else 0
    y = (divisor - a * x) // b
    return [(x + k * (b // divisor), y - k * (a // divisor)) for k in (0, 1, -1, 7)]


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, END),
    answers="many",
    solutions=_other_solutions,
    concept=CONCEPT,
)
