"""Carry out a list of operations modulo a number, including division by modular inverses."""

from math import gcd

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.solutions import Derivation, Solution, Step

OPERATIONS = {
    "sums": ("add", "subtract"),
    "products": ("add", "subtract", "multiply"),
    "divisions": ("add", "subtract", "multiply", "divide", "square"),
}
SYMBOLS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}
PHRASES = {"add": "add {}", "subtract": "subtract {}", "multiply": "multiply by {}", "divide": "divide by {}", "square": "square it"}
CONCEPT = "Reduce after every step; to divide, find the inverse with Euclid's algorithm and multiply by it."
INVERSE = Step(
    "To divide by {number:int}, multiply by its inverse {inverse:int}: {number} * {inverse} = {product:int}, which leaves 1 when divided by {modulus:int}"
)
OPERATION = Step("Step {count:int}: {value:int} {sign} {number:int} = {plain:int}, which leaves {after:int} when divided by {modulus:int}")
END = "After the last step the result is {answer}"


class Knobs(Config):
    steps: int = knob(6, easy=2, hard=24, doc="operations in a row")
    modulus: int = knob(97, easy=25, hard=100_000, scale="log", doc="about how large the modulus is")
    operations: str = knob("products", easy="sums", hard="divisions", order=tuple(OPERATIONS), doc="which operations occur")


class Data(TaskData):
    modulus: int
    first: int
    steps: tuple[tuple[str, int], ...]
    right: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    modulus = rng.integer(2 * knobs.modulus // 3, knobs.modulus)
    value = first = rng.integer(modulus // 3, modulus - 1)
    steps: list[tuple[str, int]] = []
    while len(steps) < knobs.steps:
        kind, number = rng.choice(OPERATIONS[knobs.operations]), rng.integer(2, modulus - 1)
        if kind == "divide" and gcd(number, modulus) > 1:
            continue
        steps.append((kind, 0 if kind == "square" else number))
        value = _apply(value, kind, number, modulus)
    listing = "\n".join(f"{i}. {PHRASES[kind].format(number)}" for i, (kind, number) in enumerate(steps, 1))
    data = Data(modulus=modulus, first=first, steps=tuple(steps), right=value)
    return Task(f"Start with {first} and do these steps modulo {modulus}:\n{listing}\n\n{_answer_instructions(data)}", data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The operations nested in one expression."""
    data = generate(rng, knobs).data
    expression = str(data.first)
    for i, (kind, number) in enumerate(data.steps):
        inner = f"({expression})" if i else expression
        expression = f"{inner}^2" if kind == "square" else f"{inner} {SYMBOLS[kind]} {number}"
    return Task(f"Compute {expression} modulo {data.modulus}. {_answer_instructions(data)}", data)


def solve(task: Task[Data]) -> int:
    # One fraction of plain integers to the end, reduced once; inverses by Euclid's algorithm. `generate` reduces at every step.
    top, below, modulus = task.data.first, 1, task.data.modulus
    for kind, number in task.data.steps:
        match kind:
            case "add":
                top += number * below
            case "subtract":
                top -= number * below
            case "multiply":
                top *= number
            case "divide":
                below *= number
            case _:
                top, below = top * top, below * below
        if top.bit_length() > 4000:
            top, below = top % modulus, below % modulus
    return top * _modular_inverse(below % modulus, modulus) % modulus


def verify(task: Task[Data], answer: int) -> Score:
    if not 0 <= answer < task.data.modulus:
        return Score.wrong(f"the result must be from 0 to {task.data.modulus - 1}")
    return Score.exact(answer == task.data.right, "the result is another number")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    plain = data.first
    for kind, number in data.steps:
        plain = plain // number if kind == "divide" else _apply(plain, kind, number, 0)
        plain %= 10**30
    return [right + data.modulus, data.modulus - right, plain, (right + 1) % data.modulus, right - data.modulus]


def cost(task: Task[Data]) -> float:
    size = len(str(task.data.modulus))
    weights = {"add": 1, "subtract": 1, "multiply": size, "square": size, "divide": 4 * size}
    return sum(size * weights[kind] for kind, _ in task.data.steps)


def derive(task: Task[Data]) -> Derivation:
    data, value = task.data, task.data.first
    for count, (kind, number) in enumerate(data.steps, 1):
        sign, other = {"add": "+", "subtract": "-"}.get(kind, "*"), value if kind == "square" else number
        if kind == "divide":
            other = _modular_inverse(number, data.modulus)
            yield INVERSE(number=number, inverse=other, product=number * other, modulus=data.modulus)
        plain = value + other if sign == "+" else value - other if sign == "-" else value * other
        after = _apply(value, kind, number, data.modulus)
        yield OPERATION(count=count, value=value, sign=sign, number=other, plain=plain, after=after, modulus=data.modulus)
        value = after


def _answer_instructions(data: Data) -> str:
    divides = any(kind == "divide" for kind, _ in data.steps)
    division = f" To divide by d means to multiply by the number e with d * e = 1 modulo {data.modulus}." if divides else ""
    return f"Give the result as a number from 0 to {data.modulus - 1}.{division}"


def _apply(value: int, kind: str, number: int, modulus: int) -> int:
    match kind:
        case "add":
            out = value + number
        case "subtract":
            out = value - number
        case "multiply":
            out = value * number
        case "divide":
            out = value * pow(number, -1, modulus)
        case _:
            out = value * value
    return out % modulus if modulus else out


def _modular_inverse(number: int, modulus: int) -> int:
    """The modular inverse, by the extended Euclidean algorithm."""
    a, b, x, y = modulus, number, 0, 1
    while b:
        a, b, x, y = b, a % b, y, x - a // b * y
    return x % modulus


environment = Environment(
    Knobs, Integer(), generate, solve, verify, mistakes, cost, solution=Solution(derive, END), shift=shift, concept=CONCEPT
)
