"""Work out a nested calculation with brackets.

On the upper levels an unknown integer occurs in it, and the smallest one is needed for which every division comes out even.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.numbers import even_divisions
from rlgym.generators.numbers.even_divisions import Calculation, Stage
from rlgym.solutions import Derivation, Solution, Step

OPERATORS = {"sums": "+-", "products": "+-*", "divisions": "+-*/"}
BINDS = {"+": 1, "-": 1, "*": 2, "/": 2}
POSTFIX = "This is reverse Polish notation: each operator stands after its two operands, which are numbers or calculations themselves."
MOST_DIGITS = 9  # a product that would get longer becomes a sum
CONCEPT = "Replace the innermost bracket by its value, multiplications and divisions first, until one number is left."
OPERATION = Step("{operation} = {value:int}")
EVEN = Step(
    "The divisions up to the one by {divisor:int} come out even where n leaves one of these when divided by {modulus:int}: {residues:ints}"
)
SMALLEST = Step("The smallest n is {n:int}")
END = "The value is {answer}"


class Knobs(Config):
    steps: int = knob(6, easy=2, hard=40, doc="operations to work out")
    unknown: str = knob("none", easy="none", hard="one", order=("none", "one"), doc="whether an unknown integer is to be found first")
    largest: int = knob(50, easy=9, hard=999, scale="log", doc="largest number written")
    operators: str = knob("products", easy="sums", hard="divisions", order=tuple(OPERATORS), doc="which operations occur")


class Data(TaskData):
    calculation: str
    value: int
    unknown: int = 0  # the smallest n for which every division comes out even; 0 where there is no n


class _Part:
    """A piece of the calculation: its text, its value, and how tightly its outermost operation binds."""

    def __init__(self, text: str, value: int, binds: int = 3) -> None:
        self.text, self.value, self.binds = text, value, binds


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_with_unknown(rng, knobs) if knobs.unknown == "one" else _sample_plain(rng, knobs)


def _sample_plain(rng: Rng, knobs: Knobs) -> Task[Data]:
    calculation = _sample_calculation(rng, knobs.steps, knobs.largest, OPERATORS[knobs.operators])
    return Task(
        f"Compute {calculation.text}. Multiplication and division come before addition and subtraction, and operations of equal precedence are evaluated from "
        f"left to right.",
        Data(calculation=calculation.text, value=calculation.value),
    )


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The calculation in reverse Polish notation, without brackets."""
    data = _sample_plain(rng, knobs).data
    return Task(f"Compute {' '.join(_postfix(data.calculation))}. {POSTFIX}", data)


def solve(task: Task[Data]) -> int:
    # Two stacks over the tokens of the prompt; `generate` builds the text from its parts upwards.
    if "the integer n" in task.prompt:
        calculation = even_divisions.parse(task.prompt.split("\n")[1])
        return calculation.value_at(calculation.smallest()) or 0
    if task.prompt.endswith(POSTFIX):
        return _evaluate_postfix(task.prompt.removeprefix("Compute ").split(". ")[0].split())
    numbers: list[int] = []
    waiting: list[str] = []
    for token in ["(", *_tokens(task.prompt.removeprefix("Compute ").split(". ")[0]), ")"]:
        if token.isdigit():
            numbers.append(int(token))
            continue
        while token not in ("(",) and waiting and waiting[-1] != "(" and (token == ")" or BINDS[waiting[-1]] >= BINDS[token]):
            right, left = numbers.pop(), numbers.pop()
            numbers.append(_apply(left, waiting.pop(), right))
        if token == ")":
            waiting.pop()
        else:
            waiting.append(token)
    return numbers[0]


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.value, "the calculation has another value")


def mistakes(task: Task[Data], right: int) -> list[int]:
    # From left to right without brackets or precedence; a lost sign; off by one and by ten.
    if task.data.unknown:
        calculation, n = even_divisions.parse(task.data.calculation), task.data.unknown
        _, modulus, residues = calculation.even_residues()[-1]
        others = [calculation.value_at(other) or 0 for other in (n + modulus, *residues) if other != n]
        first = calculation._replace(stages=calculation.stages[:1])
        return [*others, n, right + 1, -right, calculation.value_at(first.smallest()) or right + 2]
    tokens = [token for token in _tokens(task.data.calculation) if token not in "()"]
    running = int(tokens[0])
    for sign, number in zip(tokens[1::2], tokens[2::2], strict=True):
        running = running // int(number) if sign == "/" else _apply(running, sign, int(number))
    return [running, -right, right + 1, right - 10]


def cost(task: Task[Data]) -> float:
    tokens = _tokens(task.data.calculation)
    if task.data.unknown:
        return 60 * tokens.count("/") + 2 * len(tokens) + len(str(task.data.unknown)) * 60
    return sum(len(token) * (3 if token in "*/" else 1) for token in tokens if token not in "()")


def derive(task: Task[Data]) -> Derivation:
    # The innermost, leftmost operation first; every step rewrites one of them.
    if task.data.unknown:
        for divisor, modulus, residues in even_divisions.parse(task.data.calculation).even_residues():
            yield EVEN(divisor=divisor, modulus=modulus, residues=residues)
        yield SMALLEST(n=task.data.unknown)
    tokens = [str(task.data.unknown) if token == "n" else token for token in _tokens(task.data.calculation)]
    while len(tokens) > 1:
        i = _next_operation(tokens)
        left, sign, right = int(tokens[i - 1]), tokens[i], int(tokens[i + 1])
        value = _apply(left, sign, right)
        yield OPERATION(operation=f"{_render(left)} {sign} {_render(right)}", value=value)
        low, high = (i - 2, i + 3) if i >= 2 and tokens[i - 2] == "(" and tokens[i + 2 : i + 3] == [")"] else (i - 1, i + 2)
        tokens[low:high] = [str(value)]


def _sample_with_unknown(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Divisions inside divisions, with the unknown in each, so that every further one depends on the quotient of the one before."""
    count = 3 if knobs.steps < 35 else 4
    while True:
        stages = []
        for divisor in rng.sample((4, 5, 6, 7, 8, 9, 10, 11, 12, 13), count):
            more = rng.choice((f"n * {rng.integer(2, 19)}", str(rng.integer(11, 99)), "n * n"))
            stages.append(Stage(divisor, rng.integer(2, 9), rng.choice("+-"), more))
        calculation = Calculation(rng.integer(3, 29), rng.integer(3, 29), tuple(stages))
        n = even_divisions.smallest_by_trial(calculation, 4000)
        fitting = [len(residues) for *_, residues in calculation.even_residues()] if n > 60 else [0]
        if 0 < max(fitting) <= 6 and fitting[-2] > 1 and sum(stage.more == "n * n" for stage in stages) in (1, 2):
            break
    value = calculation.value_at(n) or 0
    prompt = (
        f"Find the smallest positive integer n for which every division in\n{calculation.text}\nleaves no remainder, from the innermost brackets "
        "outwards. What is the value of the whole calculation for the integer n found? Multiplication and division come before addition and subtraction."
    )
    return Task(prompt, Data(calculation=calculation.text, value=value, unknown=n))


def _sample_calculation(rng: Rng, steps: int, largest: int, operators: str) -> _Part:
    if steps == 0:
        number = rng.integer(1, largest)
        return _Part(str(number), number)
    before = rng.integer(0, steps - 1)
    sign = rng.choice(operators)
    if sign == "/":
        left = _sample_calculation(rng, steps - 1, largest, operators)
        divisors = [d for d in range(2, 13) if left.value % d == 0] if left.value else []
        if divisors:
            divisor = rng.choice(divisors)
            return _combine(left, "/", _Part(str(divisor), divisor))
        number = rng.integer(1, largest)
        return _combine(left, rng.choice("+-"), _Part(str(number), number))
    left, right = _sample_calculation(rng, before, largest, operators), _sample_calculation(rng, steps - 1 - before, largest, operators)
    if sign == "*" and abs(left.value * right.value) >= 10**MOST_DIGITS:
        sign = "-"
    return _combine(left, sign, right)


def _combine(left: _Part, sign: str, right: _Part) -> _Part:
    binds = BINDS[sign]
    before = left.text if left.binds >= binds else f"({left.text})"
    after = right.text if right.binds > binds else f"({right.text})"
    return _Part(f"{before} {sign} {after}", _apply(left.value, sign, right.value), binds)


def _apply(left: int, sign: str, right: int) -> int:
    if sign == "+":
        return left + right
    if sign == "-":
        return left - right
    return left * right if sign == "*" else left // right


def _postfix(calculation: str) -> list[str]:
    """The tokens with each operator after its operands (the shunting-yard algorithm)."""
    out, operators = list[str](), list[str]()
    for token in ["(", *_tokens(calculation), ")"]:
        if token.isdigit():
            out.append(token)
        elif token == "(":
            operators.append(token)
        else:
            while operators[-1] != "(" and (token == ")" or BINDS[operators[-1]] >= BINDS[token]):
                out.append(operators.pop())
            if token == ")":
                operators.pop()
            else:
                operators.append(token)
    return out


def _evaluate_postfix(tokens: list[str]) -> int:
    numbers = list[int]()
    for token in tokens:
        if token.isdigit():
            numbers.append(int(token))
        else:
            right, left = numbers.pop(), numbers.pop()
            numbers.append(_apply(left, token, right))
    return numbers[0]


def _tokens(text: str) -> list[str]:
    return text.replace("(", "( ").replace(")", " )").split()


def _next_operation(tokens: list[str]) -> int:
    """The place of the first operation whose sides are numbers and whose neighbours do not bind more tightly."""
    for i in range(1, len(tokens) - 1):
        if tokens[i] in BINDS and _number(tokens[i - 1]) and _number(tokens[i + 1]):
            before, after = tokens[i - 2] if i >= 2 else "(", tokens[i + 2] if i + 2 < len(tokens) else ")"
            if BINDS.get(before, 0) < BINDS[tokens[i]] and BINDS.get(after, 0) <= BINDS[tokens[i]]:
                return i
    raise AssertionError("unreachable: some operation is always ready")


def _number(token: str) -> bool:
    return token.lstrip("-").isdigit()


def _render(value: int) -> str:
    return f"({value})" if value < 0 else str(value)


environment = Environment(
    Knobs,
    Integer(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, END),
    shift=shift,
    concept=CONCEPT,
    chains=True,
    version=3,
    inverts=True,
)
