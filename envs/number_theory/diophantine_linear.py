"""Solve a linear equation in two integers, or name a number that shows that it has no solution.

Every solution within the stated bounds is accepted. Where there is none, the answer is a number that divides both coefficients but not
the other side, so that the word impossible alone is never an answer.
"""

from collections.abc import Iterator
from math import gcd

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.numbers.factors import parse_integer
from rlgym.solutions import Checks, Derivation, Solution, Step

EUCLID = Step("Euclid's algorithm: {rest:int} = {a:int}*({x:int}) + {b:int}*({y:int})")
NOT = Step("{divisor:int} divides {a:int} and {b:int}, but {target:int} leaves {rest:int} when divided by {divisor:int}")
FAMILY = Step("All solutions are x = {x:int} + {p:int}*t, y = {y:int} - ({q:int})*t")
TAKE = Step("t = {t:int} gives x = {x:int}, y = {y:int}")
CLOSING = "The answer is {answer}"
ANSWER = Words("x and y, separated by a space, unless the task says otherwise", max_items=4, ignore_case=True)


class Knobs(Config):
    digits: int = knob(3, easy=1, hard=9, doc="digits of the coefficients, about")
    bounds: str = knob("wide", easy="wide", hard="narrow", order=("wide", "narrow"), doc="whether the unknowns must be small")
    certain: str = knob("open", easy="possible", hard="open", order=("possible", "open"), doc="whether a solution is guaranteed to exist")


class Data(TaskData):
    a: int
    b: int
    target: int
    bound: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    low, high = max(3, 10 ** (knobs.digits - 1)), 10**knobs.digits + 9
    data = _sample_data(rng, knobs, rng.integer(low, high), rng.integer(low, high) * rng.choice((1, -1)))
    return _render_task(knobs, data, f"{data.a}*x {'+' if data.b > 0 else '-'} {abs(data.b)}*y = {data.target}")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Coefficients with a large factor in common; the equation has terms on both sides."""
    common = rng.integer(2, 10 + 10 ** (knobs.digits // 2))
    part = 3 + 10 ** (knobs.digits - knobs.digits // 2)
    data = _sample_data(rng, knobs, common * rng.integer(2, part), common * rng.integer(2, part) * rng.choice((1, -1)))
    moved = rng.integer(1, 10**knobs.digits)
    return _render_task(
        knobs, data, f"{data.a}*x + {moved} = {-data.b}*y {'+' if data.target + moved >= 0 else '-'} {abs(data.target + moved)}"
    )


def _sample_data(rng: Rng, knobs: Knobs, a: int, b: int) -> Data:
    doomed = knobs.certain == "open" and rng.chance(0.2)
    if doomed and gcd(a, b) == 1:
        factor = rng.choice((2, 3, 3, 4, 5, 5, 6, 7, 9, 11, 13))
        a, b = a * factor, b * factor
    common, widest = gcd(a, b), max(abs(a), abs(b))
    bound = max(5, widest // common // 2) if knobs.bounds == "narrow" else 10**20
    most = min(bound, 12 * max(2, widest // common))
    target = a * rng.integer(-most, most) + b * rng.integer(-most, most) + (rng.integer(1, common - 1) if doomed else 0)
    return Data(a=a, b=b, target=target, bound=bound)


def _render_task(knobs: Knobs, data: Data, equation: str) -> Task[Data]:
    size = f"each from -{data.bound} to {data.bound}" if data.bound < 10**20 else "each of at most 20 digits"
    ask = f"Find integers x and y, {size}, with\n{equation}\nAny solution will do."
    proof = (
        "\n\nIf no integers solve the equation, prove it: in place of x and y, answer with the word impossible, a space, and an integer greater than "
        "1 that divides the coefficients "
        "of x and y, but not the constant once all terms without unknowns are collected on one side."
    )
    return Task(ask + proof * (knobs.certain == "open"), data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return next(_search_answers(task.data))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if answer[0] == "impossible":
        divisor = parse_integer(answer[1]) if len(answer) == 2 else None
        proof = divisor is not None and divisor > 1 and data.a % divisor == data.b % divisor == 0 != data.target % divisor
        return Score.exact(proof, "this does not prove that there is no solution")
    x, y = (parse_integer(word, 20) for word in (*answer, "?", "?")[:2])
    if x is None or y is None or len(answer) != 2:
        return Score.wrong("give two integers of at most 20 digits")
    if max(abs(x), abs(y)) > data.bound:
        return Score.wrong("an unknown lies outside its bounds")
    return Score.exact(data.a * x + data.b * y == data.target, "these integers do not solve the equation")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    if right[0] == "impossible":
        return [("impossible", "1"), ("0", "0"), ("impossible",), ("impossible", str(task.data.target))]
    x, y = map(int, right)
    return [(str(x + 1), right[1]), (str(-x), str(-y)), ("impossible", str(gcd(task.data.a, task.data.b))), right[::-1], right[:1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(str(data.a)) * len(str(abs(data.b))) * (3 if data.bound < 10**20 else 1)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    for rest, x, y in _extended_gcd(data.a, data.b):
        yield EUCLID(rest=rest, a=data.a, x=x, b=data.b, y=y)
    answer, divisor = solve(task), gcd(data.a, data.b)
    if answer[0] == "impossible":
        yield NOT(divisor=divisor, a=data.a, b=data.b, target=data.target, rest=data.target % divisor)
        return
    rest, *coefficients = _extended_gcd(data.a, data.b, start=True)[-1]
    x, y = (data.target // rest * coefficient for coefficient in coefficients)
    p, q = data.b // divisor, data.a // divisor
    yield FAMILY(x=x, p=p, y=y, q=q)
    yield TAKE(t=(int(answer[0]) - x) // p, x=answer[0], y=answer[1])


def checks(task: Task[Data]) -> Checks:
    data, family = task.data, dict[str, int]()
    common = gcd(data.a, data.b)

    def all_solutions(x: int, p: int, y: int, q: int) -> bool:
        family.update(x=x, p=p, y=y, q=q)
        return data.a * x + data.b * y == data.target and (p * common, q * common) == (data.b, data.a)

    def never(divisor: int, a: int, b: int, target: int, rest: int) -> bool:
        given = (a, b, target, divisor) == (data.a, data.b, data.target, common)
        return given and 0 != rest == target % divisor

    return {
        EUCLID: lambda rest, a, x, b, y: (a, b) == (data.a, data.b) and a * x + b * y == rest,
        NOT: never,
        FAMILY: all_solutions,
        TAKE: lambda t, x, y: x == family["x"] + family["p"] * t and y == family["y"] - family["q"] * t,
    }


def _extended_gcd(a: int, b: int, start: bool = False) -> list[tuple[int, int, int]]:
    """The remainders of Euclid's algorithm that are not 0, each with its coefficients of a and b; with `start` a and b themselves come first."""
    rows = [(a, 1, 0), (b, 0, 1)]
    while rows[-1][0]:
        (high, x, y), (low, u, v) = rows[-2:]
        quotient = high // low
        rows.append((high - quotient * low, x - quotient * u, y - quotient * v))
    return rows[:-1] if start else rows[2:-1]


def _search_answers(data: Data) -> Iterator[tuple[str, ...]]:
    common = gcd(data.a, data.b)
    if data.target % common:
        yield from (
            (("impossible", str(k)) for k in range(common, 1, -1) if common % k == 0 and data.target % k)
            if common < 3000
            else [("impossible", str(common))]
        )
        return
    a, b, target = data.a // common, data.b // common, data.target // common
    x = target * pow(a, -1, abs(b)) % abs(b) if abs(b) > 1 else 0
    # the x at which |y| is smallest, and its neighbours
    middle = x + (target // a - x) // abs(b) * abs(b)
    for k in range(-2000, 2001) if data.bound < 2000 else (0, *range(-3, 4)):
        for start in (x, middle):
            shifted = start + k * abs(b)
            if max(abs(shifted), abs((target - a * shifted) // b)) <= min(data.bound, 10**19):
                yield (str(shifted), str((target - a * shifted) // b))


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, CLOSING, checks), shift=shift, answers="many", solutions=lambda task: list(_search_answers(task.data))[::-1],
    concept="The greatest common divisor of the coefficients must divide the other side, and then all solutions follow by steps.",
    version=4,
)  # fmt: skip
