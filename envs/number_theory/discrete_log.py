"""Find the discrete logarithm of a number to a base modulo another number, or prove that there is none.

Every such exponent is accepted. Where there is none, the answer is an exponent for which the power of the base is 1 but that of the target is not.
"""

from collections.abc import Iterator
from math import gcd, isqrt, lcm

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.numbers.factors import factorize, format_factors, grouped_integer, is_prime, multiplicative_order, parse_integer
from rlgym.solutions import Checks, Derivation, Solution, Step

SMALL = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113)
ORDER = Step("{base:int}^{order:int} = 1 modulo {modulus:int}, where {order:int} = {factors}, and no smaller exponent gives 1")
PART = Step(
    "Raised to the power {power:int}, base and goal become {base:int} and {target:int}, "
    "and {base:int}^{rest:int} = {target:int}: x leaves {rest:int} when divided by {size:int}"
)
SO_FAR = Step("Together x leaves {x:int} when divided by {step:int}")
NOT = Step("But {target:int}^{order:int} = {value:int}, and the same power of a power of {base:int} would be 1")
CLOSING = "The answer is {answer}"
ANSWER = Words("the integer x, unless the task says otherwise", max_items=4, ignore_case=True)


class Knobs(Config):
    digits: int = knob(4, easy=2, hard=10, doc="digits of the modulus, about")
    largest: int = knob(13, easy=5, hard=113, doc="largest prime factor of the order of the group")
    certain: str = knob("open", easy="possible", hard="open", order=("possible", "open"), doc="whether an exponent is guaranteed to exist")


class Data(TaskData):
    base: int
    target: int
    modulus: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    data = _sample_data(rng, knobs, _sample_smooth_prime(rng, knobs, knobs.digits))
    ask = f"Find an integer x, 0 or greater, such that {data.base}^x leaves the remainder {data.target} when divided by {data.modulus}."
    return _render_task(ask, knobs, data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The modulus is the product of two primes, and the powers appear on a display that is multiplied repeatedly."""
    p = q = _sample_smooth_prime(rng, knobs, max(1, knobs.digits // 2))
    while q == p:
        q = _sample_smooth_prime(rng, knobs, max(2, knobs.digits - knobs.digits // 2))
    data = _sample_data(rng, knobs, p * q)
    ask = (
        f"A display shows 1. Each press of a button multiplies the number shown by {data.base} and then shows the remainder that the product leaves when "
        f"divided by {data.modulus}. After how many presses, x, does it show {data.target}?"
    )
    return _render_task(ask, knobs, data)


def _sample_smooth_prime(rng: Rng, knobs: Knobs, digits: int) -> int:
    """A prime p for which p - 1 has small prime factors only."""
    factors = [factor for factor in SMALL if factor <= knobs.largest]
    while True:
        number = 2 * rng.choice(factors)
        while number < 10 ** (digits - 1) * 2:
            number *= rng.choice(factors)
        if number > 3 and is_prime(number + 1):
            return number + 1


def _sample_data(rng: Rng, knobs: Knobs, modulus: int) -> Data:
    impossible = knobs.certain == "open" and rng.chance(0.25)
    least_order = min(13, modulus // 2) if is_prime(modulus) else min(12, modulus // 3)
    for _ in range(200):
        base = _sample_unit(rng, modulus)
        if impossible:
            # A power of a unit by a factor of the group's order lies in a smaller group.
            base = pow(base, rng.choice([factor for factor, _ in factorize(_carmichael(modulus))]), modulus)
        order = multiplicative_order(base, modulus)
        most = order - 1 if knobs.digits > 3 else min(order - 1, max(14, 3**knobs.digits))
        target = _sample_unit(rng, modulus) if impossible else pow(base, rng.integer(2, max(2, most)), modulus)
        if order > least_order and (impossible == (pow(target, order, modulus) != 1)) and target not in (1, base):
            break
    else:
        base = next(g for g in range(2, modulus) if gcd(g, modulus) == 1 and multiplicative_order(g, modulus) > 2)
        target = base * base % modulus
    return Data(base=base, target=target, modulus=modulus)


def _render_task(ask: str, knobs: Knobs, data: Data) -> Task[Data]:
    unsure = (
        f"\n\nIf there is no such x, prove it: in place of x, answer with the word impossible, a space, and an integer k greater than 0 such that "
        f"{data.base}^k leaves the remainder "
        f"1 when divided by {data.modulus}, but {data.target}^k does not."
    )
    return Task(f"{ask} Any such x of at most 30 digits will do.{unsure * (knobs.certain == 'open')}", data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    data = task.data
    order = multiplicative_order(data.base, data.modulus)
    if not _is_power(data):
        return ("impossible", str(order))
    x, step = 0, 1
    for size, _, rest in _pohlig_hellman(data, order):
        x += step * ((rest - x) * pow(step, -1, size) % size)
        step *= size
    return (str(x),)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if answer[0] == "impossible":
        k = parse_integer(answer[1], 30) if len(answer) == 2 else None
        if k is None or k < 1:
            return Score.wrong("one integer greater than 0 must follow the word impossible")
        proof = pow(data.base, k, data.modulus) == 1 and pow(data.target, k, data.modulus) != 1
        return Score.exact(proof, "this k does not prove that there is no x")
    x = grouped_integer(answer, 30)
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
    search = sum(exponent * factor for factor, exponent in factorize(multiplicative_order(data.base, data.modulus)))
    return search * len(str(data.modulus))


def derive(task: Task[Data]) -> Derivation:
    data, order = task.data, multiplicative_order(task.data.base, task.data.modulus)
    yield ORDER(base=data.base, order=order, modulus=data.modulus, factors=format_factors(factorize(order)))
    if not _is_power(data):
        yield NOT(target=data.target, order=order, value=pow(data.target, order, data.modulus), base=data.base)
        return
    x, step = 0, 1
    for size, power, rest in _pohlig_hellman(data, order):
        base, target = pow(data.base, power, data.modulus), pow(data.target, power, data.modulus)
        yield PART(power=power, base=base, target=target, rest=rest, size=size)
        x += step * ((rest - x) * pow(step, -1, size) % size)
        step *= size
        if size < step < order:
            yield SO_FAR(x=x, step=step)


def checks(task: Task[Data]) -> Checks:
    data, m = task.data, task.data.modulus
    congruences, covered, stated_order = list[tuple[int, int]](), 1, 0

    def ordered(base: int, order: int, modulus: int, factors: str) -> bool:
        nonlocal stated_order
        stated_order = order
        return (base, modulus, order) == (data.base, m, multiplicative_order(base, m)) and factors == format_factors(factorize(order))

    def part(power: int, base: int, target: int, rest: int, size: int) -> bool:
        nonlocal covered
        congruences.append((size, rest))
        covered = lcm(covered, size)
        powers = (base, target) == (pow(data.base, power, m), pow(data.target, power, m))
        return powers and pow(base, rest, m) == target and power * size == stated_order and 0 <= rest < size

    def so_far(x: int, step: int) -> bool:
        return 0 <= x < step == covered and all(x % size == rest for size, rest in congruences)

    def never(target: int, order: int, value: int, base: int) -> bool:
        return (target, base, order) == (data.target, data.base, stated_order) and value == pow(target, order, m) != 1

    return {ORDER: ordered, PART: part, SO_FAR: so_far, NOT: never}


def _sample_unit(rng: Rng, modulus: int) -> int:
    while True:
        number = rng.integer(2, modulus - 1)
        if gcd(number, modulus) == 1:
            return number


def _carmichael(modulus: int) -> int:
    """A common multiple of the orders of all units of a square-free modulus."""
    return lcm(*(p - 1 for p, _ in factorize(modulus)))


def _is_power(data: Data) -> bool:
    return pow(data.target, multiplicative_order(data.base, data.modulus), data.modulus) == 1


def _pohlig_hellman(data: Data, order: int) -> Iterator[tuple[int, int, int]]:
    """Each prime power in the order, the cofactor to which base and target are raised, and x modulo the prime power."""
    for factor, exponent in factorize(order):
        size = factor**exponent
        base, target = (pow(number, order // size, data.modulus) for number in (data.base, data.target))
        # Baby-step giant-step: x = a * reach + b.
        reach, baby, value = isqrt(size) + 1, dict[int, int](), 1
        for b in range(reach):
            baby.setdefault(value, b)
            value = value * base % data.modulus
        back, value = pow(base, -reach, data.modulus), target
        for a in range(reach + 1):
            if value in baby:
                yield size, order // size, (a * reach + baby[value]) % size
                break
            value = value * back % data.modulus


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    data = task.data
    exponent = _carmichael(data.modulus)
    if not _is_power(data):
        order = multiplicative_order(data.base, data.modulus)
        powers = (k * order for k in range(2, 40))
        yield from (("impossible", str(k)) for k in powers if pow(data.target, k, data.modulus) != 1)
        yield ("impossible", str(order))
    elif data.modulus < 100_000:
        value = 1
        for x in range(2 * data.modulus):
            if value == data.target:
                yield (str(x),)
            value = value * data.base % data.modulus
    else:
        yield from ((str(int(solve(task)[0]) + k * exponent),) for k in range(1, 4))


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, CLOSING, checks), shift=shift, answers="many", solutions=_solutions,
    concept="Split the order of the base into prime powers, find the exponent modulo each of them, and put the remainders together.",
    version=5,
)  # fmt: skip
