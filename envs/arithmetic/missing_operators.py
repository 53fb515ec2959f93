"""Put operators between numbers so that they make a target.

Any choice with the right value is accepted. In the shifted family the operations are carried out strictly from left to right.
"""

import re
from collections.abc import Callable, Container, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm

from rlgym import Config, Environment, Rng, Score, Task, knob
from rlgym.answers import Text
from rlgym.generators.calculations import evaluate, format_fraction, operand
from rlgym.generators.numbers.operators import Chain, evaluate_chain, format_chain, required_steps, search_operators, split_terms
from rlgym.generators.text import english
from rlgym.solutions import Derivation, Solution, Step

CLOSING = Step("The operators: {answer}")
TAKE = Step("Take {chain}")
PLAIN = Step(
    "With + and - alone, the numbers make {total:int} without a minus; those with a minus would have to make half of the difference to the target, "
    "{half:fraction}, and no numbers after the first do"
)
PARTS = Step("Try the parts {parts}")
NEED = Step(
    "The parts make {total:fraction} without a minus, so those with a minus must make half of the difference to the target, {half:fraction}"
)
CALCULATION = Step("{formula} = {value:fraction}")
SIGNS = {"sums": "+-", "products": "+-*", "all": "+-*/"}
SPELLINGS = str.maketrans({"×": "*", "·": "*", "÷": "/", ":": "/", "−": "-", "–": "-", ",": None})
ANSWER = Text(
    "the operators from left to right, without the numbers (spaces between them are optional)", ignore_spaces=True, max_characters=60
)


class Knobs(Config):
    numbers: int = knob(7, easy=6, hard=10, beyond=11, doc="how many numbers")
    largest: int = knob(12, easy=9, hard=30, doc="largest number")
    signs: str = knob("products", easy="sums", hard="all", order=tuple(SIGNS), doc="which operators there are")
    counted: str = knob(
        "free", easy="free", hard="counted", order=("free", "counted"), doc="whether the prompt states how often each is used"
    )


def generate(rng: Rng, knobs: Knobs) -> Task[Chain]:
    return _sample_task(rng, knobs, flat=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Chain]:
    return _sample_task(rng, knobs, flat=True)


def _sample_task(rng: Rng, knobs: Knobs, flat: bool) -> Task[Chain]:
    signs = SIGNS[knobs.signs]
    while True:
        numbers = [rng.integer(2, knobs.largest) for _ in range(knobs.numbers)]
        chosen = "".join(rng.choice(signs) for _ in numbers[1:])
        value = evaluate_chain(numbers, chosen, flat)
        # Two stars in a row would read as a power, or as bold. A single operator throughout must not reach the target.
        if (
            value.denominator <= 60
            and "**" not in chosen
            and abs(value) < 10**6
            and all(evaluate_chain(numbers, sign * len(chosen), flat) != value for sign in signs)
        ):
            break
    counts = tuple(chosen.count(sign) for sign in signs) if knobs.counted == "counted" else None
    uses = [f"{sign} exactly {english.count_noun(count, 'time')}" for sign, count in zip(signs, counts or (), strict=False)]
    used = f" Use {', '.join(uses)}." if uses else ""
    order = _describe_order(signs[2:], flat)
    between = "intermediate results may be negative" + (" or fractions" if "/" in signs else "")
    prompt = (
        f"Put one of the operators {' '.join(signs)} in place of each _ so that this holds:\n{' _ '.join(map(str, numbers))} = {format_fraction(value)}\n\n"
        f"{order} There are no brackets, and {between}.{used} If there are several solutions, any one will do."
    )
    return Task(prompt, Chain(numbers=tuple(numbers), signs=signs, counts=counts, target=(value.numerator, value.denominator), flat=flat))


def _describe_order(high: str, flat: bool) -> str:
    """The order of operations, with the operators besides + and -."""
    if not high:
        return "The operations are carried out from left to right."
    names, many = " and ".join(high), len(high) > 1
    if flat:
        return f"The operations are carried out strictly from left to right ({names} {'do' if many else 'does'} not come first)."
    return f"As usual, {names} {'take' if many else 'takes'} precedence over + and -, and otherwise operations go from left to right."


def solve(task: Task[Chain]) -> str:
    return next(search_operators(task.data, task.data.signs))


def verify(task: Task[Chain], answer: str) -> Score:
    data, chosen = task.data, answer.translate(SPELLINGS)
    if len(chosen) != len(data.numbers) - 1 or any(sign not in data.signs for sign in chosen):
        return Score.wrong(f"give {len(data.numbers) - 1} operators out of {' '.join(data.signs)}")
    if data.counts and tuple(map(chosen.count, data.signs)) != data.counts:
        return Score.wrong("the operators are not used as often as required")
    value = evaluate_chain(data.numbers, chosen, data.flat)
    return Score.exact(value == Fraction(*data.target), f"the value is {format_fraction(value)}")


def mistakes(task: Task[Chain], right: str) -> list[str]:
    signs = task.data.signs
    swapped = signs[(signs.index(right[0]) + 1) % len(signs)] + right[1:]
    return [sign * len(right) for sign in signs] + [swapped, right[:-1], right + "+"]


def cost(task: Task[Chain]) -> float:
    data = task.data
    return float(len(data.signs) ** (len(data.numbers) - 1)) / (2 if data.counts else 1)


def derive(task: Task[Chain]) -> Derivation:
    data = task.data
    if not data.flat:
        yield from _derive_parts(data, solve(task))
        return
    taken = yield TAKE(chain=format_chain(data.numbers, solve(task))).accepting(lambda chain: _is_solution(task, chain))
    chosen = _operators(taken["chain"])
    for formula in required_steps(data, chosen):
        yield CALCULATION(formula=formula, value=evaluate(formula)).accepting(_equal_to(formula))
    yield CLOSING(answer=chosen)


def _derive_parts(data: Chain, chosen: str) -> Derivation:
    """Which parts are multiplied or divided, and which of the parts are then subtracted: they make half of what the parts make too much."""
    plain, target = list(map(str, data.numbers)), Fraction(*data.target)
    if len(data.signs) > 2 and not data.counts and _subtracted(data, plain) is None:
        yield PLAIN(total=sum(data.numbers), half=(sum(data.numbers) - target) / 2)
    parts = [run for _, run in split_terms(data.numbers, chosen)]
    taken = yield PARTS(parts=", ".join(parts)).accepting(lambda parts: _solvable(data, parts.split(", ")))
    parts = taken["parts"].split(", ")
    for part in parts:
        if " " in part:
            yield CALCULATION(formula=part, value=evaluate(part))
    values = list(map(_value, parts))
    yield NEED(total=sum(values), half=(sum(values) - target) / 2)
    minus: Container[int] = _subtracted(data, parts) or ()
    if parts == [run for _, run in split_terms(data.numbers, chosen)]:
        minus = [k for k, (sign, _) in enumerate(split_terms(data.numbers, chosen)) if sign == "-"]
    formula = "".join(f" {'-' if k in minus else '+'} {operand(value)}" if k else operand(value) for k, value in enumerate(values))
    taken = yield CALCULATION(formula=formula, value=target).accepting(_combines(data, parts))
    signs = iter(re.findall(r" ([+-]) ", taken["formula"]))
    yield CLOSING(answer="".join((next(signs) if k else "") + "".join(part.split()[1::2]) for k, part in enumerate(parts)))


@lru_cache(maxsize=4096)
def _value(part: str) -> Fraction:
    return evaluate(part)


def _subtracted(data: Chain, parts: Sequence[str]) -> tuple[int, ...] | None:
    """The places of parts that make the target if these and no others are subtracted."""
    values, target = [_value(part) for part in parts], Fraction(*data.target)
    scale = lcm(target.denominator, *(value.denominator for value in values))
    whole = [int(value * scale) for value in values]
    twice = sum(whole) - int(target * scale)
    size = data.counts[data.signs.index("-")] if data.counts else None
    if twice < 0 or twice % 2:
        return None
    reached: dict[tuple[int, int], tuple[int, ...]] = {(0, 0): ()}
    for k, value in enumerate(whole[1:], 1):
        more = {
            (total + value, count + (size is not None)): (*places, k)
            for (total, count), places in reached.items()
            if total + value <= twice // 2
        }
        reached = more | reached
    return reached.get((twice // 2, size or 0))


def _solvable(data: Chain, parts: Sequence[str]) -> bool:
    operators = "".join(("+" if k else "") + "".join(part.split()[1::2]) for k, part in enumerate(parts))
    numbers = [number for part in parts for number in part.split()[::2]]
    used = not data.counts or tuple(map(operators.count, data.signs[2:])) == data.counts[2:]
    written = numbers == list(map(str, data.numbers)) and set(operators) <= set(data.signs)
    return written and used and _subtracted(data, parts) is not None


def _combines(data: Chain, parts: Sequence[str]) -> Callable[..., bool]:
    """Whether a formula gives the parts signs with which they make the target."""

    def combines(formula: str, value: Fraction) -> bool:
        signs = re.findall(r" ([+-]) ", formula)
        written = re.split(r" [+-] ", formula) == [operand(evaluate(part)) for part in parts]
        used = not data.counts or signs.count("-") == data.counts[data.signs.index("-")]
        return written and used and value == evaluate(formula) == Fraction(*data.target)

    return combines


def _operators(chain: str) -> str:
    return "".join(chain.split()[1::2])


def _is_solution(task: Task[Chain], chain: str) -> bool:
    chosen = _operators(chain)
    return verify(task, chosen).value == 1 and chain == format_chain(task.data.numbers, chosen)


def _equal_to(formula: str) -> Callable[..., bool]:
    return lambda **gaps: gaps["formula"] == formula and gaps["value"] == evaluate(formula)


def _solutions(task: Task[Chain]) -> Iterator[str]:
    # Each order of operators keeps other ones of several chains that reach the same state.
    yield from search_operators(task.data, task.data.signs[::-1])
    yield from search_operators(task.data, task.data.signs)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, CLOSING, whole=True), shift=shift, answers="many", solutions=_solutions,
    concept="Look at the size of the target: it tells where products are needed; then choose signs for what is left over.",
    version=5,
)  # fmt: skip
