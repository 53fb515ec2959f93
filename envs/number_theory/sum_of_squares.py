"""Write a number as a sum of squares, or prove that it is not one.

Every way is accepted. Where there is none, the proof is a prime with an odd exponent in the number, or a power of 4.
"""

from collections.abc import Iterator
from math import isqrt

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.numbers.factors import factorize, format_factors, is_prime, parse_integer, sample_prime
from rlgym.solutions import Checks, Derivation, Solution, Step

FACTORS = Step("{number:int} = {factors}")
ODD = Step("The exponent of {prime:int} is odd, and {prime:int} = 4*{quotient:int} + 3")
FOURS = Step("{number:int} = 4^{i:int} * {odd:int} and {odd:int} = 8*{j:int} + 7")
FIRST = Step("Take {c:int}: {number:int} - {c:int}^2 = {rest:int}, which must be a sum of two squares")
FITS = Step("{rest:int} - {a:int}^2 = {left:int} = {b:int}^2")
CLOSING = "The answer is {answer}"
ANSWER = Words("the parts of the answer, separated by spaces", max_items=6, ignore_case=True)


class Knobs(Config):
    digits: int = knob(6, easy=3, hard=10, doc="digits of the number, about")
    primes: int = knob(2, easy=1, hard=4, doc="prime factors of the number, at least")
    certain: str = knob(
        "open", easy="possible", hard="open", order=("possible", "open"), doc="whether a representation is guaranteed to exist"
    )


class Data(TaskData):
    number: int
    squares: int
    possible: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    impossible = knobs.certain == "open" and rng.chance(0.25)
    while True:
        number, many = rng.choice((1, 1, 2, 4, 5, 9, 10)), rng.integer(1, knobs.primes)
        high = 10 ** -(-knobs.digits // many) * (knobs.digits + 3) // 10
        for _ in range(many):
            p = sample_prime(rng, 2, high)
            number *= p if p % 4 != 3 or impossible else p * p if p < 30 else 1
        if 10 ** (knobs.digits - 1) <= number < 10 ** (knobs.digits + 1) and _is_two_squares(number) != impossible:
            break
    prompt = f"Find two integers, each 0 or greater, whose squares add up to {number}. Either order will do."
    if knobs.certain == "open":
        prompt += (
            "\n\nIf there are none, prove it: answer with the word impossible, followed by a prime that leaves the remainder 3 when divided by 4 and "
            f"whose exponent in the prime factorization of {number} is odd."
        )
    return Task(prompt, Data(number=number, squares=2, possible=not impossible))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Three squares, which fail for another reason."""
    impossible = knobs.certain == "open" and rng.chance(0.25)
    number = 0
    while number < 5 or _is_three_squares(number) == impossible:
        number = rng.integer(10 ** (knobs.digits - 1), 10**knobs.digits)
        if impossible:
            fours = 4 ** rng.integer(0, max(0, (knobs.digits - 1) * 2 // 3))
            number = fours * (8 * rng.integer(0, max(1, number // (8 * fours))) + 7)
    prompt = f"Find three integers, each 0 or greater, whose squares add up to {number}. Any order will do."
    if knobs.certain == "open":
        prompt += (
            "\n\nIf there are none, prove it: answer with the word impossible, followed by two integers i and j, each 0 or greater, for which "
            f"{number} = 4^i * (8 * j + 7)."
        )
    return Task(prompt, Data(number=number, squares=3, possible=not impossible))


def solve(task: Task[Data]) -> tuple[str, ...]:
    return next(_search_answers(task.data))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    numbers = [parse_integer(word, 20) for word in answer[answer[0] == "impossible" :]]
    given = [number for number in numbers if number is not None and number >= 0]
    if len(given) < len(numbers):
        return Score.wrong("give non-negative integers of at most 20 digits")
    if answer[0] != "impossible":
        right = len(given) == data.squares and sum(number * number for number in given) == data.number
        return Score.exact(right, f"these are not {data.squares} numbers whose squares add up to {data.number}")
    if data.squares == 3:
        proof = len(given) == 2 and given[0] < 50 and data.number == 4 ** given[0] * (8 * given[1] + 7)
        return Score.exact(proof, "these i and j do not prove it")
    p = given[0] if len(given) == 1 else 0
    exponent, left = 0, data.number
    while p > 2 and left % p == 0:
        left, exponent = left // p, exponent + 1
    return Score.exact(p % 4 == 3 and exponent % 2 == 1 and is_prime(p), "this prime does not prove it")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    root = isqrt(task.data.number)
    return [
        (str(root), "0", "0")[: task.data.squares],
        (*right[:-1], str(int(right[-1]) + 1)),
        ("impossible", "3"),
        ("impossible", "0", "0"),
        right[:1],
    ]


def cost(task: Task[Data]) -> float:
    return len(str(task.data.number)) ** 3 + len(factorize(task.data.number)) ** 2


def derive(task: Task[Data]) -> Derivation:
    data, answer = task.data, solve(task)
    numbers = [int(word) for word in answer if word != "impossible"]
    if data.squares == 2:
        yield FACTORS(number=data.number, factors=format_factors(factorize(data.number)))
    if answer[0] == "impossible" and data.squares == 2:
        yield ODD(prime=numbers[0], quotient=numbers[0] // 4)
    elif answer[0] == "impossible":
        yield FOURS(number=data.number, i=numbers[0], odd=data.number // 4 ** numbers[0], j=numbers[1])
    else:
        rest = data.number
        if data.squares == 3:
            rest -= numbers[2] ** 2
            yield FIRST(c=numbers[2], number=data.number, rest=rest)
        yield FITS(rest=rest, a=numbers[0], left=rest - numbers[0] ** 2, b=numbers[1])


def checks(task: Task[Data]) -> Checks:
    data, rests = task.data, [task.data.number] if task.data.squares == 2 else []

    def first(c: int, number: int, rest: int) -> bool:
        rests.append(rest)
        return number == data.number and rest == number - c * c and _is_two_squares(rest)

    def odd(prime: int, quotient: int) -> bool:
        return prime == 4 * quotient + 3 and (prime, 1) in [(p, k % 2) for p, k in factorize(data.number)]

    return {
        FOURS: lambda number, i, odd, j: number == data.number == 4**i * odd and odd == 8 * j + 7,
        ODD: odd,
        FIRST: first,
        FITS: lambda rest, a, left, b: rest == rests[-1] and left == rest - a * a == b * b,
        FACTORS: lambda number, factors: number == data.number and factors == format_factors(factorize(number)),
    }


def _is_two_squares(number: int) -> bool:
    return all(exponent % 2 == 0 or p % 4 != 3 for p, exponent in factorize(number))


def _is_three_squares(number: int) -> bool:
    while number % 4 == 0:
        number //= 4
    return number % 8 != 7


def _search_answers(data: Data) -> Iterator[tuple[str, ...]]:
    if not data.possible and data.squares == 2:
        yield from (("impossible", str(p)) for p, exponent in factorize(data.number) if p % 4 == 3 and exponent % 2)
    elif not data.possible:
        fours = next(i for i in range(60) if data.number % 4 ** (i + 1))
        yield ("impossible", str(fours), str(data.number // 4**fours // 8))
    else:
        for c in range(isqrt(data.number), -1, -1) if data.squares == 3 else (0,):
            rest = data.number - c * c
            if data.squares == 2 or _is_two_squares(rest) if rest else data.squares == 2:
                for a in range(isqrt(rest // 2) + 1):
                    b = isqrt(rest - a * a)
                    if a * a + b * b == rest:
                        yield (str(a), str(b), str(c))[: data.squares]


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    for answer in _search_answers(task.data):
        yield answer
        if answer[0] != "impossible":
            yield answer[::-1]


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, CLOSING, checks), shift=shift, answers="many", solutions=_solutions,
    concept="A sum of two squares holds each prime of the form 4k + 3 an even number of times; a sum of three is not of the form 4^i (8j + 7).",
    version=2,
)  # fmt: skip
