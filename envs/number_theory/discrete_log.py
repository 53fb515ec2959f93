"""Find the exponent that turns one number into another modulo a third, or prove that no exponent does.

Every such exponent is accepted. Where there is none, the answer is an exponent that turns the base into 1 but not the target.
"""

from collections.abc import Iterator, Sequence
from math import gcd, isqrt, lcm

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.numbers.factors import factored, is_prime, judged, order, whole, written
from rlgym.generators.steps import Line, ended, first_wrong

SMALL = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113)


class Knobs(Config):
    digits: int = knob(4, easy=2, hard=10, doc="digits of the modulus, about")
    largest: int = knob(13, easy=5, hard=113, doc="largest prime factor of the order of the group")
    certain: str = knob(
        "open", easy="possible", hard="open", order=("possible", "open"), doc="whether it is sure that there is an exponent"
    )


class Data(TaskData):
    base: int
    target: int
    modulus: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    data = _made(rng, knobs, _smooth_prime(rng, knobs, knobs.digits))
    ask = (
        f"Find an integer x that is not negative such that {data.base}^x leaves the remainder {data.target} when divided by {data.modulus}."
    )
    return _told(ask, knobs, data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The modulus is the product of two primes, and the powers are told as a display that is multiplied again and again."""
    p = q = _smooth_prime(rng, knobs, max(1, knobs.digits // 2))
    while q == p:
        q = _smooth_prime(rng, knobs, max(2, knobs.digits - knobs.digits // 2))
    data = _made(rng, knobs, p * q)
    told = (
        f"A display shows 1. Each press of a button multiplies the number shown by {data.base} and then shows the remainder that the product leaves when "
        f"divided by {data.modulus}. After how many presses, x, does it show {data.target}?"
    )
    return _told(told, knobs, data)


def _smooth_prime(rng: Rng, knobs: Knobs, digits: int) -> int:
    """A prime p for which p - 1 has small prime factors only."""
    factors = [factor for factor in SMALL if factor <= knobs.largest]
    while True:
        number = 2 * rng.choice(factors)
        while number < 10 ** (digits - 1) * 2:
            number *= rng.choice(factors)
        if number > 3 and is_prime(number + 1):
            return number + 1


def _made(rng: Rng, knobs: Knobs, modulus: int) -> Data:
    doomed = knobs.certain == "open" and rng.chance(0.25)
    for _ in range(200):
        base = _unit(rng, modulus)
        if doomed:
            # A power of a unit by a factor of the group's order lies in a smaller group.
            base = pow(base, rng.choice([factor for factor, _ in factored(_exponent(modulus))]), modulus)
        times = order(base, modulus)
        most = times - 1 if knobs.digits > 3 else min(times - 1, 3**knobs.digits)
        target = _unit(rng, modulus) if doomed else pow(base, rng.integer(2, max(2, most)), modulus)
        if times > min(12, modulus // 3) and (doomed == (pow(target, times, modulus) != 1)) and target not in (1, base):
            break
    else:
        base = next(g for g in range(2, modulus) if gcd(g, modulus) == 1 and order(g, modulus) > 2)
        target = base * base % modulus
    return Data(base=base, target=target, modulus=modulus)


def _told(ask: str, knobs: Knobs, data: Data) -> Task[Data]:
    unsure = (
        f"\n\nIf no x does, prove it: answer with the word impossible and an integer k greater than 0 such that {data.base}^k leaves the remainder "
        f"1 when divided by {data.modulus}, but {data.target}^k does not."
    )
    return Task(f"{ask} Any such x of at most 30 digits will do.{unsure * (knobs.certain == 'open')}", data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    data = task.data
    times = order(data.base, data.modulus)
    if not _reached(data):
        return ("impossible", str(times))
    x, step = 0, 1
    for size, _, rest in _parts(data, times):
        x += step * ((rest - x) * pow(step, -1, size) % size)
        step *= size
    return (str(x),)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if answer[0] == "impossible":
        k = whole(answer[1], 30) if len(answer) == 2 else None
        if k is None or k < 1:
            return Score.wrong("one integer greater than 0 must follow the word impossible")
        proof = pow(data.base, k, data.modulus) == 1 and pow(data.target, k, data.modulus) != 1
        return Score.exact(proof, "this k does not prove that there is no x")
    x = whole(answer[0], 30) if len(answer) == 1 else None
    if x is None or x < 0:
        return Score.wrong("give one integer that is not negative, of at most 30 digits, or the word impossible and k")
    return Score.exact(pow(data.base, x, data.modulus) == data.target, "this x leaves another remainder")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    last = str(data.modulus - 1)
    if right[0] == "impossible":
        return [(right[1],), ("impossible", "1"), ("impossible",), ("0",)]
    return [(str(int(right[0]) + 1),), ("impossible", last), ("impossible", right[0]), (right[0], right[0]), ("-1",)]


def cost(task: Task[Data]) -> float:
    data = task.data
    search = sum(exponent * factor for factor, exponent in factored(order(data.base, data.modulus)))
    return search * len(str(data.modulus))


ORDER = Line("{base}^{times} = 1 modulo {modulus}, where {times_} = {text}, and no smaller exponent gives 1")
PART = Line(
    "Raised to the power {power}, base and goal become {one} and {other}, and {one_}^{rest} = {other_}: x leaves {rest_} when divided by {size}"
)
SO_FAR = Line("Together x leaves {x} when divided by {step}")
NOT = Line("But {target}^{times} = {value}, and the same power of a power of {base} would be 1")
END = "The answer is "


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, []
    times = order(data.base, data.modulus)
    steps.append(ORDER.write(base=data.base, times=times, modulus=data.modulus, times_=times, text=written(factored(times))))
    if not _reached(data):
        steps.append(NOT.write(target=data.target, times=times, value=pow(data.target, times, data.modulus), base=data.base))
        return [*steps, f"{END}impossible {times}"]
    x, step = 0, 1
    for size, power, rest in _parts(data, times):
        one, other = pow(data.base, power, data.modulus), pow(data.target, power, data.modulus)
        steps.append(PART.write(power=power, one=one, one_=one, other=other, other_=other, rest=rest, rest_=rest, size=size))
        x += step * ((rest - x) * pow(step, -1, size) % size)
        step *= size
        steps += [SO_FAR.write(x=x, step=step)] if size < step < times else []
    return [*steps, f"{END}{x}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    m, known, now = data.modulus, list[tuple[int, int]](), {"size": 1}

    def ordered(base: int, times: int, modulus: int, times_: int, text: str) -> bool:
        now["times"] = times
        return (base, modulus, times_) == (data.base, m, times) and times == order(base, m) and text == written(factored(times))

    def part(power: int, one: int, one_: int, other: int, other_: int, rest: int, rest_: int, size: int) -> bool:
        known.append((size, rest))
        now["size"] = lcm(now["size"], size)
        powers = (one, other) == (one_, other_) == (pow(data.base, power, m), pow(data.target, power, m))
        return powers and rest == rest_ and pow(one, rest, m) == other and power * size == now["times"] and 0 <= rest < size

    def so_far(x: int, step: int) -> bool:
        return 0 <= x < step == now["size"] and all(x % size == rest for size, rest in known)

    def never(target: int, times: int, value: int, base: int) -> bool:
        return (target, base, times) == (data.target, data.base, now["times"]) and value == pow(target, times, m) != 1

    follows = judged((ORDER, ordered), (PART, part), (SO_FAR, so_far), (NOT, never))
    return first_wrong(steps, follows, ended(END, task, environment.answer, verify))


def _unit(rng: Rng, modulus: int) -> int:
    while True:
        number = rng.integer(2, modulus - 1)
        if gcd(number, modulus) == 1:
            return number


def _exponent(modulus: int) -> int:
    return lcm(*(p - 1 for p, _ in factored(modulus)))


def _reached(data: Data) -> bool:
    return pow(data.target, order(data.base, data.modulus), data.modulus) == 1


def _parts(data: Data, times: int) -> Iterator[tuple[int, int, int]]:
    """Each prime power in the order, the power that leaves only its part of base and goal, and x modulo it."""
    for factor, exponent in factored(times):
        size = factor**exponent
        one, other = (pow(number, times // size, data.modulus) for number in (data.base, data.target))
        # Baby steps and giant steps: x = a * reach + b.
        reach, baby, value = isqrt(size) + 1, dict[int, int](), 1
        for b in range(reach):
            baby.setdefault(value, b)
            value = value * one % data.modulus
        back, value = pow(one, -reach, data.modulus), other
        for a in range(reach + 1):
            if value in baby:
                yield size, times // size, (a * reach + baby[value]) % size
                break
            value = value * back % data.modulus


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    data = task.data
    exponent = _exponent(data.modulus)
    if not _reached(data):
        times = order(data.base, data.modulus)
        powers = (k * times for k in range(2, 40))
        yield from (("impossible", str(k)) for k in powers if pow(data.target, k, data.modulus) != 1)
        yield ("impossible", str(times))
    elif data.modulus < 100_000:
        value = 1
        for x in range(2 * data.modulus):
            if value == data.target:
                yield (str(x),)
            value = value * data.base % data.modulus
    else:
        yield from ((str(int(solve(task)[0]) + k * exponent),) for k in range(1, 4))


environment = Environment(
    Knobs,
    Words("x, or the word impossible and k, separated by a space", most=4, fold=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    answers="many",
    solutions=_solutions,
    concept="Split the order of the base into prime powers, find the exponent modulo each of them, and put the remainders together.",
)
