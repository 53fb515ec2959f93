"""Calculate with Roman numerals.

Brackets around the first letters multiply them by a thousand. In the shifted family numerals are of an older kind, in which nothing is subtracted
(IIII and not IV).
"""

import re

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.numbers.roman import PART_VALUES, additive_parts, from_roman, to_roman
from rlgym.solutions import Derivation, Solution, Step

SIGNS = {"sum": "+", "difference": "+-", "product": "+-*"}
PARTS = Step("{number:int} = {parts}")
READ = Step("{numeral} is {number}")
DONE = Step("{left} {sign} {right} = {value}")
CLOSING = "As a Roman numeral: {answer}"
MOST = 3_999_999
ANSWER = Text("the result as a Roman numeral", ignore_case=True, ignore_spaces=True, max_characters=100)
CONCEPT = "Read each numeral as a number, calculate, and write the result from the largest letters down."


class Knobs(Config):
    numerals: int = knob(4, easy=1, hard=14, doc="how many numerals")
    largest: int = knob(2000, easy=60, hard=200_000, scale="log", doc="largest number to be added")
    signs: str = knob("difference", easy="sum", hard="product", order=tuple(SIGNS), doc="which operations there are")


class Data(TaskData):
    numbers: tuple[int, ...]
    signs: str
    old: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, old=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, old=True)


def _sample_task(rng: Rng, knobs: Knobs, old: bool) -> Task[Data]:
    numbers, signs = [rng.integer(knobs.largest // 8 + 2, knobs.largest)], ""
    total = numbers[0]
    for _ in range(knobs.numerals - 1):
        sign = rng.choice(SIGNS[knobs.signs])
        number = rng.integer(2, 9) if sign == "*" else rng.integer(1, knobs.largest)
        sign = "-" if sign != "-" and _apply(total, sign, number) > MOST else sign
        sign = "+" if sign == "-" and number >= total else sign
        numbers.append(number)
        signs += sign
        total = _apply(total, sign, number)
    if len(to_roman(total, old)) == 1:
        return _sample_task(rng, knobs, old)
    data = Data(numbers=tuple(numbers), signs=signs, old=old)
    written = to_roman(numbers[0], old) + "".join(
        f" {sign} {to_roman(number, old)}" for sign, number in zip(signs, numbers[1:], strict=True)
    )
    rules = (
        "Numerals are of an old kind in which letters only add up, from the largest to the smallest, and each of I, X and C stands at most four times in a "
        "row, V, L and D at most once (4 is IIII, 9 is VIIII, 90 is LXXXX)."
        if old
        else "Numerals are written in the usual way, with IV, IX, XL, XC, CD and CM for 4, 9, 40, 90, 400 and 900 and no other subtraction."
    )
    big = " Thousands from 4000 on are written first, in brackets, as a separate numeral: (XII)V is 12005."
    task = f"Compute {written}" if len(numbers) > 1 else f"Write the number {numbers[0]} as a Roman numeral"
    order = " Work strictly from left to right; * does not bind more tightly than + and -." if "*" in signs else ""
    return Task(f"{task}. {rules}{big if max(total, *numbers, 0) >= 4000 else ''}{order}", data)


def solve(task: Task[Data]) -> str:
    # Reads the numerals of the prompt letter by letter.
    data = task.data
    if not data.signs:
        return to_roman(data.numbers[0], data.old)
    words = task.prompt.split(". ")[0].split()[1:]
    total = from_roman(words[0])
    for sign, word in zip(words[1::2], words[2::2], strict=True):
        total = _apply(total, sign, from_roman(word))
    return to_roman(total, data.old)


def verify(task: Task[Data], answer: str) -> Score:
    total = _totals(task.data)[-1]
    return Score.exact(answer.upper() == to_roman(total, task.data.old), "that is not how the result is written")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data, total = task.data, _totals(task.data)[-1]
    return [
        to_roman(total, not data.old),
        to_roman(total + 1, data.old),
        to_roman(total + 10, data.old),
        to_roman(data.numbers[-1] + total, data.old),
        str(total),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return sum(len(to_roman(number, False)) for number in data.numbers) + 3 * len(data.signs) + 4 * data.signs.count("*")


def derive(task: Task[Data]) -> Derivation:
    data, totals = task.data, _totals(task.data)
    if not data.signs:
        number = data.numbers[0]
        yield PARTS(number=number, parts=additive_parts(number, data.old)).accepting(lambda **gaps: _adds_up(data, **gaps))
        return
    for number in data.numbers:
        yield READ(numeral=to_roman(number, data.old), number=number)
    for sign, number, before, after in zip(data.signs, data.numbers[1:], totals, totals[1:], strict=False):
        yield DONE(left=before, sign=sign, right=number, value=after)


def _adds_up(data: Data, number: int, parts: str) -> bool:
    values = parts.split(" + ")
    known = all(value in PART_VALUES[data.old] or int(value) >= 4000 for value in values)
    return number == data.numbers[0] == sum(map(int, values)) and known


def _apply(total: int, sign: str, number: int) -> int:
    return total + number if sign == "+" else total - number if sign == "-" else total * number


def _totals(data: Data) -> list[int]:
    totals = [data.numbers[0]]
    for sign, number in zip(data.signs, data.numbers[1:], strict=True):
        totals.append(_apply(totals[-1], sign, number))
    return totals


def solve_prompt(prompt: str) -> str:
    """The numerals of the first sentence are read and calculated letter by letter; only the sign between two of them is looked at."""
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
    pairs = ("CM", 900), ("CD", 400), ("XC", 90), ("XL", 40), ("IX", 9), ("IV", 4)

    def read(numeral: str) -> int:
        if numeral.isdigit():
            return int(numeral)
        thousands, _, units = numeral[1:].rpartition(")") if numeral.startswith("(") else ("", "", numeral)
        subtracted = sum(2 * values[pair[0]] for pair, _ in pairs if pair in units)
        return sum(values[letter] for letter in units) - subtracted + (1000 * read(thousands) if thousands else 0)

    def write(number: int) -> str:
        text = f"({write(number // 1000)})" if number >= 4000 else "M" * (number // 1000)
        rest = number % 1000
        for numeral, value in sorted([*values.items(), *([] if "only add up" in prompt else pairs)], key=lambda pair: -pair[1]):
            text, rest = text + numeral * (rest // value), rest % value
        return text

    words = re.split(r"\. | as a ", prompt)[0].split()
    words = words[next(i for i, word in enumerate(words) if re.fullmatch(r"[IVXLCDM()]+|\d+", word)) :]
    total = read(words[0])
    for sign, numeral in zip(words[1::2], words[2::2], strict=True):
        total = total + read(numeral) if sign == "+" else total - read(numeral) if sign == "-" else total * read(numeral)
    return write(total)


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, CLOSING),
    shift=shift,
    prompt_solver=solve_prompt,
    concept=CONCEPT,
    version=2,
)
