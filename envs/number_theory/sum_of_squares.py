"""Write a number as a sum of squares, or prove that it is no such sum.

Every way is accepted. Where there is none, the proof is a prime that the number holds an odd number of times, or a power of 4.
"""

from collections.abc import Iterator, Sequence
from math import isqrt

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.numbers.factors import factored, is_prime, judged, prime_between, whole, written
from rlgym.generators.steps import Line, ended, first_wrong


class Knobs(Config):
    digits: int = knob(6, easy=3, hard=10, doc="digits of the number, about")
    primes: int = knob(2, easy=1, hard=4, doc="prime factors of the number, at least")
    certain: str = knob("open", easy="possible", hard="open", order=("possible", "open"), doc="whether it is sure that there is a way")


class Data(TaskData):
    number: int
    squares: int
    possible: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    doomed = knobs.certain == "open" and rng.chance(0.25)
    while True:
        number, many = rng.choice((1, 1, 2, 4, 5, 9, 10)), rng.integer(1, knobs.primes)
        high = 10 ** -(-knobs.digits // many) * (knobs.digits + 3) // 10
        for _ in range(many):
            p = prime_between(rng, 2, high)
            number *= p if p % 4 != 3 or doomed else p * p if p < 30 else 1
        if 10 ** (knobs.digits - 1) <= number < 10 ** (knobs.digits + 1) and _two(number) != doomed:
            break
    prompt = f"Find two integers, each 0 or greater, whose squares add up to {number}. Either order will do."
    if knobs.certain == "open":
        prompt += (
            "\n\nIf there are none, prove it: answer with the word impossible and a prime that leaves the remainder 3 when divided by 4 and whose exponent "
            f"in the prime factorization of {number} is odd."
        )
    return Task(prompt, Data(number=number, squares=2, possible=not doomed))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Three squares, which fail for another reason."""
    doomed = knobs.certain == "open" and rng.chance(0.25)
    number = 0
    while number < 5 or _three(number) == doomed:
        number = rng.integer(10 ** (knobs.digits - 1), 10**knobs.digits)
        if doomed:
            fours = 4 ** rng.integer(0, max(0, (knobs.digits - 1) * 2 // 3))
            number = fours * (8 * rng.integer(0, max(1, number // (8 * fours))) + 7)
    prompt = f"Find three integers, each 0 or greater, whose squares add up to {number}. Any order will do."
    if knobs.certain == "open":
        prompt += (
            "\n\nIf there are none, prove it: answer with the word impossible and two integers i and j, each 0 or greater, for which "
            f"{number} = 4^i * (8 * j + 7)."
        )
    return Task(prompt, Data(number=number, squares=3, possible=not doomed))


def solve(task: Task[Data]) -> tuple[str, ...]:
    return next(_answers(task.data))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    numbers = [whole(word, 20) for word in answer[answer[0] == "impossible" :]]
    given = [number for number in numbers if number is not None and number >= 0]
    if len(given) < len(numbers):
        return Score.wrong("integers that are not negative are asked for, of at most 20 digits")
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
    return Score.exact(p % 4 == 3 and exponent % 2 == 1 and is_prime(p), "this is no prime that proves it")


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
    return len(str(task.data.number)) ** 3 + len(factored(task.data.number)) ** 2


FACTORS = Line("{number} = {text}")
ODD = Line("The exponent of {prime} is odd, and {prime_} = 4*{quotient} + 3")
FOURS = Line("{number} = 4^{i} * {odd} and {odd_} = 8*{j} + 7")
FIRST = Line("Take {c}: {number} - {c_}^2 = {rest}, which must be a sum of two squares")
FITS = Line("{rest} - {a}^2 = {left} = {b}^2")
END = "The answer is "


def explain(task: Task[Data]) -> list[str]:
    data, answer = task.data, solve(task)
    steps, numbers = [], [int(word) for word in answer if word != "impossible"]
    if data.squares == 2:
        steps.append(FACTORS.write(number=data.number, text=written(factored(data.number))))
    if answer[0] == "impossible" and data.squares == 2:
        steps.append(ODD.write(prime=numbers[0], prime_=numbers[0], quotient=numbers[0] // 4))
    elif answer[0] == "impossible":
        odd = data.number // 4 ** numbers[0]
        steps.append(FOURS.write(number=data.number, i=numbers[0], odd=odd, odd_=odd, j=numbers[1]))
    else:
        rest = data.number
        if data.squares == 3:
            rest -= numbers[2] ** 2
            steps.append(FIRST.write(c=numbers[2], c_=numbers[2], number=data.number, rest=rest))
        steps.append(FITS.write(rest=rest, a=numbers[0], left=rest - numbers[0] ** 2, b=numbers[1]))
    return [*steps, END + " ".join(answer)]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, rests = task.data, [task.data.number] if task.data.squares == 2 else []

    def first(c: int, c_: int, number: int, rest: int) -> bool:
        rests.append(rest)
        return c == c_ and number == data.number and rest == number - c * c and _two(rest)

    follows = judged(
        (FOURS, lambda number, i, odd, odd_, j: number == data.number == 4**i * odd and odd == odd_ == 8 * j + 7),
        (
            ODD,
            lambda prime, prime_, quotient: (
                prime == prime_ == 4 * quotient + 3 and (prime, 1) in [(p, k % 2) for p, k in factored(data.number)]
            ),
        ),
        (FIRST, first),
        (FITS, lambda rest, a, left, b: rest == rests[-1] and left == rest - a * a == b * b),
        (FACTORS, lambda number, text: number == data.number and text == written(factored(number))),
    )
    return first_wrong(steps, follows, ended(END, task, environment.answer, verify))


def _two(number: int) -> bool:
    return all(exponent % 2 == 0 or p % 4 != 3 for p, exponent in factored(number))


def _three(number: int) -> bool:
    while number % 4 == 0:
        number //= 4
    return number % 8 != 7


def _answers(data: Data) -> Iterator[tuple[str, ...]]:
    if not data.possible and data.squares == 2:
        yield from (("impossible", str(p)) for p, exponent in factored(data.number) if p % 4 == 3 and exponent % 2)
    elif not data.possible:
        fours = next(i for i in range(60) if data.number % 4 ** (i + 1))
        yield ("impossible", str(fours), str(data.number // 4**fours // 8))
    else:
        for c in range(isqrt(data.number), -1, -1) if data.squares == 3 else (0,):
            rest = data.number - c * c
            if data.squares == 2 or _two(rest) if rest else data.squares == 2:
                for a in range(isqrt(rest // 2) + 1):
                    b = isqrt(rest - a * a)
                    if a * a + b * b == rest:
                        yield (str(a), str(b), str(c))[: data.squares]


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    for answer in _answers(task.data):
        yield answer
        if answer[0] != "impossible":
            yield answer[::-1]


environment = Environment(
    Knobs,
    Words("the integers, or the word impossible and the number or numbers that prove it, separated by spaces", most=6, fold=True),
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
    concept="A sum of two squares holds each prime of the form 4k + 3 an even number of times; a sum of three is not of the form 4^i (8j + 7).",
)
