"""Find the next primitive root: a number whose powers leave all remainders coprime to the modulus."""

from collections.abc import Callable, Iterator
from math import gcd, isqrt

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer, Words
from rlgym.generators.numbers.factors import factorize, format_factors, multiplicative_order, parse_integer, sample_prime, totient
from rlgym.generators.proofs.statement_variants import EQUIVALENT, NEGATED, PERTURBED, swap_verdict, variant_knob
from rlgym.solutions import Checks, Derivation, Solution, Step

MOST_TRIED = 2000  # numbers in a row that are searched for a large enough gap
FURTHEST = 9  # how far the answer may lie above the bound
CLOSING = "The smallest is {answer}"
SIZE = Step("There are {size:int} remainders without a common factor with {modulus:int}, and {size:int} = {factors}")
COMMON = Step("{g:int} has the factor {factor:int} in common with the modulus")
SHORT = Step("{g:int} fails: {g:int}^{exponent:int} leaves 1, where {exponent:int} = {size:int}/{factor:int}")
GOOD = Step("{g:int}^{exponent:int} leaves {value:int}, not 1, for the factor {factor:int}")
CONCEPT = "A number reaches all remainders unless its power to (the group's order)/q is 1 for a prime factor q of that order."


class Knobs(Config):
    digits: int = knob(3, easy=1, hard=8, doc="digits of the modulus, about")
    factors: int = knob(2, easy=1, hard=4, doc="different prime factors of the number of remainders, at least")


class Data(TaskData):
    modulus: int
    above: int
    result: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    high = 10**knobs.digits

    def modulus() -> int:
        for _ in range(60):
            p = sample_prime(rng, max(11, high // 10), max(60, high))
            if len(factorize(p - 1)) >= knobs.factors:
                break
        return p

    data = _sample_data(rng, modulus)
    return Task(
        f"The powers g, g^2, g^3, ... of an integer g leave remainders when divided by the prime {data.modulus}. "
        f"What is the smallest g greater than {data.above} whose powers leave every remainder from 1 to {data.modulus - 1}?",
        data,
    )


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The modulus is the square or cube of a prime, or twice that."""
    exponent = rng.integer(2, 3)
    root = isqrt(10**knobs.digits)
    high = 8 + 2 * knobs.digits + (root if exponent == 2 else 2 * isqrt(root))
    data = _sample_data(rng, lambda: sample_prime(rng, max(3, high // 4), high) ** exponent * rng.integer(1, 2))
    modulus = data.modulus
    return Task(
        f"The order of an integer g modulo {modulus} is the smallest k > 0 for which g^k leaves the remainder 1 when divided by "
        f"{modulus}. What is the smallest g greater than {data.above} whose order is {totient(modulus)}?",
        data,
    )


def _sample_data(rng: Rng, sample_modulus: Callable[[], int]) -> Data:
    """The distance of the answer from the bound is drawn first: the next number, and any other, is right in few tasks."""
    distance = rng.integer(1, FURTHEST)
    while True:
        modulus = sample_modulus()
        start = last = rng.integer(1, 2 * modulus + 40)  # no root lies between `last` and the number under test
        for number in range(start + 1, start + 1 + min(modulus, MOST_TRIED)):
            if not _failing_factor(modulus, number):
                if number - last >= distance:
                    return Data(modulus=modulus, above=number - distance, result=number)
                last = number


def solve(task: Task[Data]) -> int:
    """From any primitive root: its powers with exponents coprime to the group's order are all the others."""
    data, size = task.data, totient(task.data.modulus)
    if data.modulus > 3000:
        numbers = range(data.above + 1, data.above + data.modulus)
        return next(g for g in numbers if gcd(g, data.modulus) == 1 and multiplicative_order(g, data.modulus) == size)
    for g in range(1, data.modulus):
        value, powers = 1, []
        for _ in range(size):
            value = value * g % data.modulus
            powers.append(value)
        if powers.index(1) == size - 1 if 1 in powers else False:
            roots = [power for k, power in enumerate(powers, 1) if gcd(k, size) == 1]
            return min((root - data.above - 1) % data.modulus for root in roots) + data.above + 1
    raise AssertionError("unreachable: the modulus has such a number")


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.result, "this is not the smallest such number")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    return [data.above + 1, right + 1, right % data.modulus, right - 1, right + data.modulus]


def cost(task: Task[Data]) -> float:
    data = task.data
    return (20 + data.result - data.above) * len(factorize(totient(data.modulus))) * len(str(data.modulus)) ** 2


def derive(task: Task[Data]) -> Derivation:
    data, size = task.data, totient(task.data.modulus)
    yield SIZE(size=size, modulus=data.modulus, factors=format_factors(factorize(size)))
    for g in range(data.above + 1, data.result):
        factor = _failing_factor(data.modulus, g)
        if factor < 0:
            yield COMMON(g=g, factor=-factor)
        else:
            yield SHORT(g=g, exponent=size // factor, size=size, factor=factor)
    for factor, _ in factorize(size):
        exponent = size // factor
        yield GOOD(g=data.result, exponent=exponent, value=pow(data.result, exponent, data.modulus), factor=factor)


def checks(task: Task[Data]) -> Checks:
    m, tried = task.data.modulus, [task.data.above]
    group_order = totient(m)

    def common(g: int, factor: int) -> bool:
        tried.append(g)
        return g == tried[-2] + 1 and factor > 1 and g % factor == m % factor == 0

    def short(g: int, exponent: int, size: int, factor: int) -> bool:
        tried.append(g)
        return g == tried[-2] + 1 and exponent * factor == size == group_order and factor > 1 and pow(g, exponent, m) == 1

    def good(g: int, exponent: int, value: int, factor: int) -> bool:
        divides = exponent * factor == group_order and factor in dict(factorize(group_order))
        return g == tried[-1] + 1 and divides and 1 != value == pow(g, exponent, m)

    def size(size: int, modulus: int, factors: str) -> bool:
        return size == group_order and modulus == m and factors == format_factors(factorize(size))

    return {SIZE: size, COMMON: common, SHORT: short, GOOD: good}


def _failing_factor(modulus: int, g: int) -> int:
    """A prime by which the exponent can be divided so that the power is 1; the negative of a common factor; 0 if g is a primitive root."""
    if gcd(g, modulus) > 1:
        return -gcd(g, modulus)
    size = totient(modulus)
    return next((factor for factor, _ in factorize(size) if pow(g, size // factor, modulus) == 1), 0)


NEGATION = "Statement: at least one"


class RootKnobs(Config):
    digits: int = knob(3, easy=1, hard=8, doc="digits of the prime, about")
    factors: int = knob(3, easy=1, hard=4, doc="different prime factors that one less than the prime has at least")
    variant: str = variant_knob()


class RootData(TaskData):
    prime: int
    base: int
    root: bool


def _sample_statement(rng: Rng, knobs: RootKnobs) -> Task[RootData]:
    while True:
        p = sample_prime(rng, max(11, 10 ** (knobs.digits - 1)), 10 ** max(2, knobs.digits))
        if len(factorize(p - 1)) >= min(knobs.factors, knobs.digits + 1, 4):
            break
    root, base = rng.chance(0.5), 0
    while base < 2 or base == p - 1 or bool(_failing_factor(p, base)) == root:
        base = rng.integer(2, p - 2)
        base = base if root else pow(base, rng.choice([factor for factor, _ in factorize(p - 1)]), p)
    data = _variant(rng.child("variant"), RootData(prime=p, base=base, root=root), knobs.variant)
    return Task(_render_statement(data, is_negated=knobs.variant == NEGATED), data)


def _variant(rng: Rng, data: RootData, variant: str) -> RootData:
    """Another base: a power that has all remainders among its powers exactly if the base has; or one for which the truth is the other."""
    p, base = data.prime, data.base
    if variant == EQUIVALENT:
        exponents = [k for k in range(2, 200) if gcd(k, p - 1) == 1 and pow(base, k, p) not in (1, p - 1, base)]
        return data.model_copy(update={"base": pow(base, rng.choice(exponents), p)}) if exponents else data
    if variant == PERTURBED and data.root:
        powers = [pow(base, factor, p) for factor, _ in factorize(p - 1)]
        return data.model_copy(update={"base": rng.choice([each for each in powers if 1 < each < p - 1]), "root": False})
    if variant == PERTURBED:
        while True:
            other = rng.integer(2, p - 2)
            if not _failing_factor(p, other):
                return data.model_copy(update={"base": other, "root": True})
    return data


def _render_statement(data: RootData, *, is_negated: bool) -> str:
    p, base = data.prime, data.base
    factors = (
        f"all different prime factors of {p - 1}, in ascending order (for each of them, q, "
        f"{base}^({p - 1}/q) then leaves a remainder other than 1, which is to be checked, but not to be given)"
    )
    if is_negated:
        return (
            f"{NEGATION} of the remainders 1, 2, ..., {p - 1} is left by no power of {base} when divided by the prime {p}.\n\n"
            f"Prove or refute it. To prove it, answer with the word true and an integer k from 1 to {p - 2} for which {base}^k leaves the remainder 1. "
            f"To refute it, answer with the word false and {factors}."
        )
    return (
        f"Statement: every one of the remainders 1, 2, ..., {p - 1} is left by some power of {base} when divided by the prime {p}.\n\n"
        f"Prove or refute it. To prove it, answer with the word true and {factors}. To refute it, answer with the word "
        f"false and an integer k from 1 to {p - 2} for which {base}^k leaves the remainder 1."
    )


def _as_asked(task: Task[RootData], verdict: tuple[str, ...]) -> tuple[str, ...]:
    """An answer to the statement as one to what the prompt asks, and the other way round."""
    return swap_verdict(verdict) if task.prompt.startswith(NEGATION) else verdict


def _solve_statement(task: Task[RootData]) -> tuple[str, ...]:
    return next(_proofs(task))


def _verify_statement(task: Task[RootData], answer: tuple[str, ...]) -> Score:
    data, numbers, answer = task.data, [parse_integer(word, 20) for word in answer[1:]], _as_asked(task, answer)
    if answer[0] == "true" and data.root:
        return Score.exact(
            numbers == [factor for factor, _ in factorize(data.prime - 1)], "these are not all prime factors in ascending order"
        )
    if answer[0] == "false" and not data.root:
        k = (numbers[0] if len(numbers) == 1 else 0) or 0
        return Score.exact(0 < k < data.prime - 1 and pow(data.base, k, data.prime) == 1, "this k is not a counterexample")
    return Score.wrong("the first word must be true or false, and the right one of the two")


def _statement_mistakes(task: Task[RootData], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    last = task.data.prime - 1
    wrong = [("true", str(last)), ("false", str(last)), ("false", "1"), ("true", "2")]
    asked = [_as_asked(task, each) for each in wrong]
    return [*asked[:2], right[:1], *asked[2:], (*right, "7")]


def _proofs(task: Task[RootData]) -> Iterator[tuple[str, ...]]:
    p, factors = task.data.prime, [factor for factor, _ in factorize(task.data.prime - 1)]
    if task.data.root:
        yield _as_asked(task, ("true", *map(str, factors)))
    else:
        yield from (
            _as_asked(task, ("false", str((p - 1) // factor))) for factor in factors if pow(task.data.base, (p - 1) // factor, p) == 1
        )


statement = Environment(
    RootKnobs,
    Words("the word true and the prime factors, or the word false and k, separated by spaces", max_items=20, ignore_case=True),
    _sample_statement,
    _solve_statement,
    _verify_statement,
    _statement_mistakes,
    lambda task: len(str(task.data.prime)) ** 2 * len(factorize(task.data.prime - 1)),
    answers="many",
    solutions=lambda task: list(_proofs(task))[::-1],
    concept="A number fails to reach all remainders exactly if its power to (p - 1)/q is 1 for a prime factor q of p - 1.",
)

solution = Solution(derive, CLOSING, checks)
environment = Environment(
    Knobs,
    Integer(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=solution,
    shift=shift,
    statement=statement,
    shared_helpers="The helper factorizes the group's order, on which every test of a primitive root rests.",
    concept=CONCEPT,
    version=3,
    guessable="one of the next nine numbers is right",
)
