"""Work out a sum of powers modulo a number."""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.solutions import Derivation, Solution, Step

CONCEPT = "Square and multiply, taking the remainder after every step, so that no number grows."
BINARY = Step(
    "The exponent {exponent:int} is {digits} in binary: each digit after the first squares the power, and a 1 also multiplies by {base:int}"
)
SQUARED = Step("{base:int}^{power:int}: {before:int} * {before} = {product:int} leaves {value:int}")
TIMES = Step("{base:int}^{power:int}: {before:int} * {base} = {product:int} leaves {value:int}")
SUM = Step("The sum of the powers: {terms} = {total:int}")
END = "Divided by {modulus}, this leaves {answer}"


class Knobs(Config):
    digits: int = knob(3, easy=2, hard=9, doc="digits of the modulus")
    exponent_digits: int = knob(3, easy=1, hard=12, doc="digits of the exponents")
    powers: int = knob(1, easy=1, hard=3, doc="powers that are added")


class Data(TaskData):
    bases: tuple[int, ...]
    exponents: tuple[int, ...]
    modulus: int
    result: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, rng.integer(max(11, 10 ** (knobs.digits - 1)), 10**knobs.digits - 1))


def _sample_task(rng: Rng, knobs: Knobs, modulus: int) -> Task[Data]:
    bases = tuple(_sample_base(rng, modulus) for _ in range(knobs.powers))
    exponents = tuple(rng.integer(max(2, 10 ** (knobs.exponent_digits - 1)), 10**knobs.exponent_digits - 1) for _ in range(knobs.powers))
    result = sum(pow(base, exponent, modulus) for base, exponent in zip(bases, exponents, strict=True)) % modulus
    written = " + ".join(f"{base}^{exponent}" for base, exponent in zip(bases, exponents, strict=True))
    prompt = f"What is the remainder when {written} is divided by {modulus}? (^ is power; the remainder is from 0 to {modulus - 1}.)"
    return Task(prompt, Data(bases=bases, exponents=exponents, modulus=modulus, result=result))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The last decimal digits, so that the modulus is a power of ten and some bases share factors with it."""
    task = _sample_task(rng, knobs, 10**knobs.digits)
    written = task.prompt.removeprefix("What is the remainder when ").split(" is divided")[0]
    question = f"What number do the last {knobs.digits} digits of {written} make? (^ is power; zeros at its beginning may be left out.)"
    return Task(question, task.data)


def solve(task: Task[Data]) -> int:
    # Square and multiply from the highest binary digit, written out; `generate` uses the built-in power.
    total = 0
    for base, exponent in zip(task.data.bases, task.data.exponents, strict=True):
        total += _square_and_multiply(base, exponent, task.data.modulus)[-1]
    return total % task.data.modulus


def verify(task: Task[Data], answer: int) -> Score:
    if not 0 <= answer < task.data.modulus:
        return Score.wrong(f"a remainder is from 0 to {task.data.modulus - 1}")
    return Score.exact(answer == task.data.result, "the remainder is another number")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    products = sum(base * exponent for base, exponent in zip(data.bases, data.exponents, strict=True))
    less = sum(pow(base, exponent - 1, data.modulus) for base, exponent in zip(data.bases, data.exponents, strict=True))
    return [products % data.modulus, less % data.modulus, data.modulus - right, right + data.modulus]


def cost(task: Task[Data]) -> float:
    multiplications = sum(exponent.bit_length() + exponent.bit_count() for exponent in task.data.exponents)
    return multiplications * len(str(task.data.modulus)) ** 2


def derive(task: Task[Data]) -> Derivation:
    modulus, rests = task.data.modulus, list[int]()
    for base, exponent in zip(task.data.bases, task.data.exponents, strict=True):
        yield BINARY(exponent=exponent, digits=f"{exponent:b}", base=base)
        value, power = base, 1
        for digit in f"{exponent:b}"[1:]:
            before, value, power = value, value * value % modulus, 2 * power
            yield SQUARED(base=base, power=power, before=before, product=before * before, value=value)
            if digit == "1":
                before, value, power = value, value * base % modulus, power + 1
                yield TIMES(base=base, power=power, before=before, product=before * base, value=value)
        rests.append(value)
    yield SUM(terms=" + ".join(map(str, rests)), total=sum(rests))


def _sample_base(rng: Rng, modulus: int) -> int:
    """A base with powers that are not soon 0 modulo a power of ten."""
    base = rng.integer(2, modulus - 1)
    while modulus % 10 == 0 and base % 10 == 0 and modulus == 10 ** (len(str(modulus)) - 1):
        base = rng.integer(2, modulus - 1)
    return base


def _square_and_multiply(base: int, exponent: int, modulus: int) -> list[int]:
    values = [base % modulus]
    for digit in f"{exponent:b}"[1:]:
        square = values[-1] * values[-1] % modulus
        values.append(square * base % modulus if digit == "1" else square)
    return values


environment = Environment(
    Knobs, Integer(), generate, solve, verify, mistakes, cost, solution=Solution(derive, END), shift=shift, chains=True, concept=CONCEPT
)
