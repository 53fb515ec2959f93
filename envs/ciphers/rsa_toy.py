"""Read a message that was encrypted with a small RSA key: with the key given, or after factoring the modulus.

The message is the number below the modulus whose power is the cipher text; there is exactly one.
"""

from math import gcd, isqrt

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.solutions import Derivation, Solution, Step

DIVISOR, PRODUCT = Step("The greatest common divisor of {n} and {other} is {p}"), Step("{n} = {p} * {q}")
PHI = Step("The exponents count modulo ({p} - 1) * ({q} - 1) = {phi}")
INVERSE = Step("{e} * {d} = {product} = {times} * {phi} + 1, so d = {d}")
BINARY = Step("d = {d} is {bits} in binary; begin with {cipher} for its first digit")
DIGIT = Step("Digit {place} is {bit}: {before} is {after} modulo {n}")
LAST = Step("Digit {place} is {bit}: {before}, modulo n, is the message")


class Knobs(Config):
    prime: int = knob(60, easy=11, hard=3000, doc="about how large the two primes are", scale="log")
    attack: str = knob(
        "factors",
        easy="key",
        hard="twins",
        order=("key", "factors", "modulus", "twins"),
        doc="what is given: the secret exponent, the two primes, only the modulus, or two moduli with a prime in common",
    )
    exponent: int = knob(7, easy=3, hard=99, doc="the largest public exponent", scale="log")


class Data(TaskData):
    modulus: int
    other: int  # a second modulus with a prime in common, or 0
    primes: tuple[int, int]
    public: int
    private: int
    cipher: int
    told: str
    message: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, close=False)


def _sample_task(rng: Rng, knobs: Knobs, close: bool) -> Task[Data]:
    low, high = knobs.prime, 3 * knobs.prime + 12
    while True:
        p, q, r = (_prime_from(rng.integer(low, high)) for _ in range(3))
        q = _prime_from(p + 1) if close else q
        phi = (p - 1) * (q - 1)
        publics = [e for e in range(3, knobs.exponent + 5, 2) if gcd(e, phi) == 1]
        if len({p, q, r}) == 3 and publics:
            public, message = rng.choice(publics), rng.integer(2, p * q - 2)
            if pow(message, public, p * q) != message:
                break
    data = Data(
        modulus=p * q,
        other=p * r if knobs.attack == "twins" else 0,
        primes=(p, q),
        public=public,
        private=pow(public, -1, phi),
        cipher=pow(message, public, p * q),
        told=knobs.attack,
        message=message,
    )
    return Task(_render_prompt(data), data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Two primes that follow each other, so that the modulus is nearly a square."""
    return _sample_task(rng, knobs, close=True)


def solve(task: Task[Data]) -> int:
    # The two primes by trial or by a common divisor, then the message modulo each of them, put together.
    data = task.data
    n = data.modulus
    if data.told == "key":
        return pow(data.cipher, data.private, n)
    p = gcd(n, data.other) if data.other else next(d for d in range(2, isqrt(n) + 1) if n % d == 0)
    q = n // p
    a = pow(data.cipher, pow(data.public, -1, p - 1), p)
    b = pow(data.cipher, pow(data.public, -1, q - 1), q)
    return (a + p * ((b - a) * pow(p, -1, q) % q)) % n


def verify(task: Task[Data], answer: int) -> Score:
    data = task.data
    return Score.exact(
        0 <= answer < data.modulus and pow(answer, data.public, data.modulus) == data.cipher, "that message gives another cipher text"
    )


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    n, (p, q) = data.modulus, data.primes
    wrong = [
        pow(data.cipher, data.public, n),
        data.cipher,
        pow(data.cipher, data.private + 1, n),
        data.cipher * data.private % n,
        right + n,
    ]
    return [*wrong, pow(data.cipher, pow(data.public, -1, n), n) if gcd(data.public, n) == 1 else p * q]


def cost(task: Task[Data]) -> float:
    data = task.data
    digits = len(str(data.modulus))
    work = data.private.bit_length() * digits**2
    return work + {"key": 0, "factors": 4 * digits, "modulus": min(data.primes) / 2, "twins": 40 * digits}[data.told]


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    n, (p, q) = data.modulus, data.primes
    if data.told == "twins":
        yield DIVISOR(n=n, other=data.other, p=gcd(n, data.other))
    if data.told in ("modulus", "twins"):
        yield PRODUCT(n=n, p=p, q=q) | PRODUCT(n=n, p=q, q=p)
    if data.told != "key":
        phi = (p - 1) * (q - 1)
        yield PHI(p=p, q=q, phi=phi) | PHI(p=q, q=p, phi=phi)
        d = pow(data.public, -1, phi)
        product = data.public * d
        yield INVERSE(e=data.public, d=d, product=product, times=product // phi, phi=phi)
    power, bits = data.cipher, bin(data.private)[2:]
    yield BINARY(d=data.private, bits=bits, cipher=data.cipher)
    for place, bit in enumerate(bits[1:], 2):
        before = f"{power} squared" + f" times {data.cipher}" * (bit == "1")
        power = power * power * (data.cipher if bit == "1" else 1) % n
        last = place == len(bits)
        yield LAST(place=place, bit=bit, before=before) if last else DIGIT(place=place, bit=bit, before=before, after=power, n=n)


def _render_prompt(data: Data) -> str:
    n, (p, q) = data.modulus, data.primes
    begin = f"A message m, an integer from 0 to {n - 1}, was encrypted as c = m^{data.public} modulo {n}, and c = {data.cipher}."
    facts_text = {
        "key": f"The secret exponent is d = {data.private}: m = c^d modulo {n}.",
        "factors": f"The modulus is {n} = {p} * {q}, a product of two primes.",
        "modulus": f"The modulus {n} is the product of two different primes.",
        "twins": f"The modulus {n} is the product of two different primes. Another modulus made by the same person is {data.other}, "
        "and it shares one prime with it.",
    }[data.told]
    return f"{begin} {facts_text}\n\nWhat is m?"


def _prime_from(number: int) -> int:
    """The first prime from there on."""
    while any(number % d == 0 for d in range(2, isqrt(number) + 1)):
        number += 1
    return number


environment = Environment(
    Knobs, Integer(), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "m = {answer}"), shift=shift,
    chains=True, concept="With the primes p and q of the modulus, the secret exponent is the inverse of the public one modulo (p - 1)(q - 1).",
)  # fmt: skip
