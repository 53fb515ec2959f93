"""Rewrite an integer from one base in another."""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.solutions import Derivation, Solution, Step

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
KINDS = ("ten", "any", "negative")
ANSWER = Text("the digits alone, without a prefix or the base", ignore_case=True, max_characters=400)
CONCEPT = "Divide by the new base again and again; the remainders are the digits, from the last to the first."
HORNER = Step("Reading from the left, multiply by {base} and add the next digit: {before:int} * {base} + {digit:int} = {value:int}")
DIVIDE = Step("{left:int} = {quotient:int} * {target:int} + {rest:int}: the remainder is the next digit from the right, {digit}")
END = "Nothing is left, so in base {target} the number is {answer}"


class Knobs(Config):
    digits: int = knob(6, easy=2, hard=30, doc="digits of the given number, before they are rewritten in base ten")
    largest: int = knob(16, easy=9, hard=36, doc="largest base")
    kind: str = knob("any", easy="ten", hard="negative", order=KINDS, doc="one base is ten, any two bases, or the second base is negative")


class Data(TaskData):
    given: str
    base: int
    target: int
    right: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    value = rng.integer(10 ** (knobs.digits - 1), 10**knobs.digits - 1)
    bases = [base for base in range(2, knobs.largest + 1) if base != 10]
    base, target = rng.sample(bases, 2)
    if knobs.kind == "ten":
        base, target = (10, target) if rng.chance(0.5) else (base, 10)
    elif knobs.kind == "negative":
        target = -target
    given = _render_in_base(value, base)
    data = Data(given=given, base=base, target=target, right=_render_in_base(value, target))
    return Task(_render_prompt(f"The number {given} is written in base {base}. Write it", data, base), data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The number as a sum of powers of the first base, the places in any order."""
    data = generate(rng, knobs).data
    places = [(DIGITS.index(digit), place) for place, digit in enumerate(reversed(data.given)) if digit != "0"]
    terms = " + ".join(f"{digit}*{data.base}^{place}" for digit, place in rng.shuffled(places))
    return Task(_render_prompt(f"A number is equal to {terms}. Write it", data), data)


def solve(task: Task[Data]) -> str:
    # Horner's rule in the target base, digit list by digit list; `generate` divides a Python integer.
    base, target = task.data.base, task.data.target
    out = [0]
    for digit in task.data.given:
        carry = DIGITS.index(digit)
        for place in range(len(out)):
            carry, out[place] = _floor_divide(out[place] * base + carry, target)
        while carry:
            carry, rest = _floor_divide(carry, target)
            out.append(rest)
    return "".join(DIGITS[digit] for digit in reversed(out))


def verify(task: Task[Data], answer: str) -> Score:
    known = DIGITS[: abs(task.data.target)]
    if any(digit not in known for digit in answer):
        return Score.wrong(f"only the digits {known} may be used")
    return Score.exact((answer.lstrip("0") or "0") == task.data.right, "that is another number")


def mistakes(task: Task[Data], right: str) -> list[str]:
    known = DIGITS[: abs(task.data.target)]
    last = known[(known.index(right[-1]) + 1) % len(known)]
    plain = _render_in_base(int(task.data.given, task.data.base), abs(task.data.target))
    return [right[::-1], right[:-1] + last, right + "0", plain, task.data.given]


def cost(task: Task[Data]) -> float:
    return len(task.data.given) * len(task.data.right) * (2 if task.data.target < 0 else 1)


def derive(task: Task[Data]) -> Derivation:
    data, value = task.data, 0
    for i, digit in enumerate(data.given):
        before, value = value, value * data.base + DIGITS.index(digit)
        if i and data.base != 10:
            yield HORNER(base=data.base, before=before, digit=DIGITS.index(digit), value=value)
    if data.base == 10:
        value = int(data.given)
    while value and data.target != 10:
        left = value
        value, rest = _floor_divide(left, data.target)
        yield DIVIDE(left=left, quotient=value, target=data.target, rest=rest, digit=DIGITS[rest])


def _render_prompt(opening: str, data: Data, shown_base: int = 0) -> str:
    target = data.target
    letters = " Digits above 9 are the letters a, b, c and so on." if max(shown_base, abs(target)) > 10 else ""
    powers = (
        f" In base {target} the digits run from 0 to {abs(target) - 1} and are multiplied by powers of {target}; no sign is written."
        if target < 0
        else ""
    )
    return f"{opening} in base {target}.{letters}{powers}"


def _render_in_base(value: int, base: int) -> str:
    out = []
    while value:
        value, rest = _floor_divide(value, base)
        out.append(DIGITS[rest])
    return "".join(reversed(out))


def _floor_divide(value: int, base: int) -> tuple[int, int]:
    """The value as quotient * base + rest with a rest from 0 to |base| - 1."""
    rest = value % abs(base)
    return (value - rest) // base, rest


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=Solution(derive, END), shift=shift, concept=CONCEPT, version=2
)
