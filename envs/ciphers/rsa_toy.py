"""Read a message that was encrypted with a small RSA key: with the key told, or after breaking the modulus.

The message is the number below the modulus whose power is the cipher text; there is exactly one.
"""

from collections.abc import Sequence
from math import gcd, isqrt

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.steps import Line, ended, first_wrong

DIVISOR, PRODUCT = Line("The greatest common divisor of {n} and {other} is {p}"), Line("{n} = {p} * {q}")
PHI = Line("The exponents count modulo ({p} - 1) * ({q} - 1) = {phi}")
INVERSE = Line("{e} * {d} = {product} = {times} * {phi} + 1, so d = {again}")
BINARY = Line("d = {d} is {bits} in binary; begin with {cipher} for its first digit")
DIGIT, LAST = (
    Line("Digit {place} is {bit}: {before} is {after} modulo {n}"),
    Line("Digit {place} is {bit}: {before}, modulo n, is the message"),
)


class Knobs(Config):
    prime: int = knob(60, easy=11, hard=3000, doc="about how large the two primes are", scale="log")
    told: str = knob(
        "factors",
        easy="key",
        hard="twins",
        order=("key", "factors", "modulus", "twins"),
        doc="what is told: the secret exponent, the two primes, only the modulus, or two moduli with a prime in common",
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
    low, high = knobs.prime, 3 * knobs.prime + 12
    while True:
        p, q, r = (_prime_from(rng.integer(low, high)) for _ in range(3))
        phi = (p - 1) * (q - 1)
        publics = [e for e in range(3, knobs.exponent + 5, 2) if gcd(e, phi) == 1]
        if len({p, q, r}) == 3 and publics:
            public, message = rng.choice(publics), rng.integer(2, p * q - 2)
            if pow(message, public, p * q) != message:
                break
    data = Data(
        modulus=p * q,
        other=p * r if knobs.told == "twins" else 0,
        primes=(p, q),
        public=public,
        private=pow(public, -1, phi),
        cipher=pow(message, public, p * q),
        told=knobs.told,
        message=message,
    )
    return Task(_prompt(data), data)


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


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, []
    n, (p, q) = data.modulus, data.primes
    if data.told == "twins":
        steps.append(DIVISOR.write(n=n, other=data.other, p=p))
    if data.told in ("modulus", "twins"):
        steps.append(PRODUCT.write(n=n, p=p, q=q))
    if data.told != "key":
        phi = (p - 1) * (q - 1)
        steps.append(PHI.write(p=p, q=q, phi=phi))
        product = data.public * data.private
        steps.append(INVERSE.write(e=data.public, d=data.private, product=product, times=product // phi, phi=phi, again=data.private))
    square, bits = data.cipher, bin(data.private)[2:]
    steps.append(BINARY.write(d=data.private, bits=bits, cipher=data.cipher))
    for place, bit in enumerate(bits[1:], 2):
        times = f" times {data.cipher}" if bit == "1" else ""
        before, square = square, square * square % n * (data.cipher if bit == "1" else 1) % n
        if place < len(bits):
            steps.append(DIGIT.write(place=place, bit=bit, before=f"{before} squared{times}", after=square, n=n))
        else:
            steps.append(LAST.write(place=place, bit=bit, before=f"{before} squared{times}"))
    return [*steps, f"m = {data.message}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    n = data.modulus
    p, q = data.primes
    phi, known = (p - 1) * (q - 1), {"square": data.cipher, "place": 1}

    def follows(step: str) -> bool:
        if read := DIVISOR.read(step):
            return [int(read[key]) for key in ("n", "other", "p")] == [n, data.other, gcd(n, data.other)]
        if read := PHI.read(step):
            one, two = int(read["p"]), int(read["q"])
            return one * two == n and (one - 1) * (two - 1) == int(read["phi"]) == phi
        if read := INVERSE.read(step):
            public, private, product, times, modulo, d = (int(read[key]) for key in ("e", "d", "product", "times", "phi", "again"))
            known["d"] = d
            exact = public * private == product == times * modulo + 1
            return (public, modulo, d) == (data.public, phi, private) and exact and 0 < d < phi
        if read := PRODUCT.read(step):
            one, two = int(read["p"]), int(read["q"])
            return int(read["n"]) == n == one * two and 1 < one < n
        if read := BINARY.read(step):
            known.setdefault("d", data.private)
            told = int(read["d"]), read["bits"], int(read["cipher"])
            return told == (known["d"], f"{known['d']:b}", data.cipher)
        bits = f"{known['d']:b}"
        place, before = known["place"], known["square"]
        digit, last = bits[place], place == len(bits) - 1
        known["place"], known["square"] = place + 1, before * before * (data.cipher if digit == "1" else 1) % n
        factor = f" times {data.cipher}" if digit == "1" else ""
        read = (LAST if last else DIGIT).read(step)
        if not read or (int(read["place"]), read["bit"], read["before"]) != (place + 1, digit, f"{before} squared{factor}"):
            return False
        return last or (int(read["after"]), int(read["n"])) == (known["square"], n)

    return first_wrong(steps, follows, ended("m = ", task, environment.answer, verify))


def _prompt(data: Data) -> str:
    n, (p, q) = data.modulus, data.primes
    begin = f"A message m, an integer from 0 to {n - 1}, was encrypted as c = m^{data.public} modulo {n}, and c = {data.cipher}."
    told = {
        "key": f"The secret exponent is d = {data.private}: m = c^d modulo {n}.",
        "factors": f"The modulus is {n} = {p} * {q}, a product of two primes.",
        "modulus": f"The modulus {n} is the product of two different primes.",
        "twins": f"The modulus {n} is the product of two different primes. Another modulus made by the same person is {data.other}, "
        "and it shares one prime with it.",
    }[data.told]
    return f"{begin} {told}\n\nWhat is m?"


def _prime_from(number: int) -> int:
    """The first prime from there on."""
    while any(number % d == 0 for d in range(2, isqrt(number) + 1)):
        number += 1
    return number


environment = Environment(
    Knobs,
    Integer(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    concept="With the primes p and q of the modulus, the secret exponent is the inverse of the public one modulo (p - 1)(q - 1).",
)
