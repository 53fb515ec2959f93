"""Calculate with Roman numerals.

Brackets around the first letters make them count a thousand times. In the shift numerals are of an older kind, in which nothing is subtracted
(IIII and not IV).
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.numbers.roman import ALONE, numeral_of, parts_of, read_numeral
from rlgym.generators.steps import Line, ended, first_wrong

SIGNS = {"sum": "+", "difference": "+-", "product": "+-*"}
READ = Line("{numeral} is {number}")
DONE = Line("{left} {sign} {right} = {value}")
LEAD = "As a Roman numeral: "
MOST = 3_999_999


class Knobs(Config):
    numerals: int = knob(4, easy=1, hard=14, doc="how many numerals")
    largest: int = knob(2000, easy=60, hard=200_000, scale="log", doc="largest number to be added")
    signs: str = knob("difference", easy="sum", hard="product", order=tuple(SIGNS), doc="which operations there are")


class Data(TaskData):
    numbers: tuple[int, ...]
    signs: str
    old: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, old=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, old=True)


def _made(rng: Rng, knobs: Knobs, old: bool) -> Task[Data]:
    numbers, signs = [rng.integer(knobs.largest // 8 + 2, knobs.largest)], ""
    total = numbers[0]
    for _ in range(knobs.numerals - 1):
        sign = rng.choice(SIGNS[knobs.signs])
        number = rng.integer(2, 9) if sign == "*" else rng.integer(1, knobs.largest)
        sign = "-" if sign != "-" and _applied(total, sign, number) > MOST else sign
        sign = "+" if sign == "-" and number >= total else sign
        numbers.append(number)
        signs += sign
        total = _applied(total, sign, number)
    if len(numeral_of(total, old)) == 1:
        return _made(rng, knobs, old)
    data = Data(numbers=tuple(numbers), signs=signs, old=old)
    written = numeral_of(numbers[0], old) + "".join(
        f" {sign} {numeral_of(number, old)}" for sign, number in zip(signs, numbers[1:], strict=True)
    )
    rules = (
        "Numerals are of an old kind in which letters only add up, from the largest to the smallest, and each of I, X and C stands at most four times in a "
        "row, V, L and D at most once (4 is IIII, 9 is VIIII, 90 is LXXXX)."
        if old
        else "Numerals are written in the usual way, with IV, IX, XL, XC, CD and CM for 4, 9, 40, 90, 400 and 900 and no other subtraction."
    )
    big = " Thousands from 4000 on stand in brackets in front, as a numeral of their own: (XII)V is 12005."
    task = f"Compute {written}" if len(numbers) > 1 else f"Write the number {numbers[0]} as a Roman numeral"
    order = " Work strictly from left to right; * does not bind more tightly than + and -." if "*" in signs else ""
    return Task(f"{task}. {rules}{big if max(total, *numbers, 0) >= 4000 else ''}{order}", data)


def solve(task: Task[Data]) -> str:
    # Reads the numerals of the prompt letter by letter.
    data = task.data
    if not data.signs:
        return numeral_of(data.numbers[0], data.old)
    words = task.prompt.split(". ")[0].split()[1:]
    total = read_numeral(words[0])
    for sign, word in zip(words[1::2], words[2::2], strict=True):
        total = _applied(total, sign, read_numeral(word))
    return numeral_of(total, data.old)


def verify(task: Task[Data], answer: str) -> Score:
    total = _totals(task.data)[-1]
    return Score.exact(answer.upper() == numeral_of(total, task.data.old), "that is not how the result is written")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data, total = task.data, _totals(task.data)[-1]
    return [
        numeral_of(total, not data.old),
        numeral_of(total + 1, data.old),
        numeral_of(total + 10, data.old),
        numeral_of(data.numbers[-1] + total, data.old),
        str(total),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return sum(len(numeral_of(number, False)) for number in data.numbers) + 3 * len(data.signs) + 4 * data.signs.count("*")


def explain(task: Task[Data]) -> list[str]:
    data, totals = task.data, _totals(task.data)
    steps = [READ.write(numeral=numeral_of(number, data.old), number=number) for number in data.numbers] if data.signs else []
    for sign, number, before, after in zip(data.signs, data.numbers[1:], totals, totals[1:], strict=False):
        steps.append(DONE.write(left=before, sign=sign, right=number, value=after))
    if not data.signs:
        steps.append(f"{data.numbers[0]} = {parts_of(data.numbers[0], data.old)}")
    return [*steps, LEAD + solve(task)]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    left, numerals = list(zip(data.signs, data.numbers[1:], strict=True)), [numeral_of(number, data.old) for number in data.numbers]
    total = data.numbers[0]

    def follows(step: str) -> bool:
        nonlocal total
        if found := READ.read(step):
            return bool(numerals) and found["numeral"] == numerals.pop(0) and str(read_numeral(found["numeral"])) == found["number"]
        if found := DONE.read(step):
            sign, number = left.pop(0)
            sound = (found["left"], found["sign"], found["right"]) == (str(total), sign, str(number))
            total = _applied(total, sign, number)
            return sound and found["value"] == str(total)
        whole, _, parts = step.partition(" = ")
        return whole == str(total) == str(sum(map(int, parts.split(" + ")))) and all(
            part in ALONE[data.old] or int(part) >= 4000 for part in parts.split(" + ")
        )

    return first_wrong(steps, follows, ended(LEAD, task, environment.answer, verify))


def _applied(total: int, sign: str, number: int) -> int:
    return total + number if sign == "+" else total - number if sign == "-" else total * number


def _totals(data: Data) -> list[int]:
    totals = [data.numbers[0]]
    for sign, number in zip(data.signs, data.numbers[1:], strict=True):
        totals.append(_applied(totals[-1], sign, number))
    return totals


environment = Environment(
    Knobs,
    Text("the result as a Roman numeral", fold=True, compact=True, most=100),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="Read each numeral as a number, calculate, and write the result from the largest letters down.",
)
