"""Numbers in different notations, and calendars and clocks."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from fractions import Fraction

from prompt_solvers.parsing import ORDINALS, after, between, evaluate, problem
from prompt_solvers.registry import prompt_solver

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def digits_of(number: int, base: int) -> list[int]:
    """The digits of a number in a base, which may be negative, the most significant first."""
    digits: list[int] = []
    while number or not digits:
        digit = number % abs(base)
        digits.append(digit)
        number = (number - digit) // base
    return digits[::-1]


@prompt_solver("base_conversion")
def solve_base_conversion(prompt: str) -> str:
    found = re.search(r"The number (\w+) is written in base (-?\d+)\. Write it in base (-?\d+)", prompt)
    assert found is not None
    value = 0
    for digit in found[1]:
        value = value * int(found[2]) + DIGITS.index(digit)
    return "".join(DIGITS[digit] for digit in digits_of(value, int(found[3])))


@prompt_solver("mixed_base_sum")
def solve_mixed_base_sum(prompt: str) -> str:
    total = 0
    for sign, digits, base in re.findall(r"^([+-] )?([\d:]+) in base (\d+)$", problem(prompt), re.MULTILINE):
        value = 0
        for digit in digits.split(":"):
            value = value * int(base) + int(digit)
        total += -value if sign == "- " else value
    target = re.search(r"write the result in base (\d+)", prompt)
    assert target is not None
    return ("-" if total < 0 else "") + ":".join(map(str, digits_of(abs(total), int(target[1]))))


@prompt_solver("bitwise_expression")
def solve_bitwise_expression(prompt: str) -> str:
    """Takes the innermost brackets away one after the other."""
    text = problem(prompt)
    width = int(between(text, "All numbers have ", " bits"))
    operations: dict[str, Callable[[int, int], int]] = {
        "AND": lambda a, b: a & b,
        "OR": lambda a, b: a | b,
        "XOR": lambda a, b: a ^ b,
        "ADD": lambda a, b: a + b,
        "SUB": lambda a, b: a - b,
        "SHL": lambda a, b: a << b,
        "SHR": lambda a, b: a >> b,
        "ROL": lambda a, b: (a << b % width) | (a >> (width - b % width)),
        "ROR": lambda a, b: (a >> b % width) | (a << (width - b % width)),
    }

    def apply(found: re.Match[str]) -> str:
        right = int(found[3], 10 if found[2] in ("SHL", "SHR", "ROL", "ROR") else 2)
        return f"{operations[found[2]](int(found[1], 2), right) % 2**width:0{width}b}"

    if "What is x?" in text:
        expression, value = text.splitlines()[1], between(text, "has the value ", ":")
        numbers = (f"{x:0{width}b}" for x in range(2**width))
        return next(x for x in numbers if solve_bitwise_expression(f"All numbers have {width} bits\n{expression.replace('x', x)}") == value)
    expression = f"({text.splitlines()[-1]})"
    while "(" in expression:
        shorter = re.sub(r"\(NOT ([01]+)\)", lambda found: f"{2**width - 1 - int(found[1], 2):0{width}b}", expression)
        shorter = re.sub(r"\((\d+) ([A-Z]+) (\d+)\)", apply, shorter)
        assert shorter != expression, expression
        expression = shorter
    return expression


@prompt_solver("floating_point_bits")
def solve_floating_point_bits(prompt: str) -> str:
    text = problem(prompt)
    width = int(between(text, "has ", " bits"))
    bias = int(between(text, "2^(E - ", ")"))
    fraction_bits = int(between(text, "exponent bits (as a number: E), then ", " fraction bits"))

    def value(bits: int) -> Fraction:
        """The value of a pattern without a sign."""
        exponent, fraction = divmod(bits, 2**fraction_bits)
        part = Fraction(fraction, 2**fraction_bits)
        return (1 + part) * Fraction(2) ** (exponent - bias) if exponent else part * Fraction(2) ** (1 - bias)

    def signed(bits: str) -> Fraction:
        return value(int(bits[1:], 2)) * (-1 if bits[0] == "1" else 1)

    if exact := re.search(r"exact value of ([01]+)", text):
        return str(signed(exact[1]))
    added = re.search(r"stand for the (sum|difference|product) of ([01]+) and ([01]+)", text)
    if added:
        a, b = signed(added[2]), signed(added[3])
        target = a + b if added[1] == "sum" else a - b if added[1] == "difference" else a * b
    else:
        target = Fraction(between(text, "Which bits stand for ", "?"))
    low, high = 0, 2 ** (width - 1) - 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if value(middle) <= abs(target) else (low, middle)
    best = min((low, high), key=lambda bits: (abs(value(bits) - abs(target)), bits % 2))
    return f"{int(target < 0)}{best:0{width - 1}b}"


@prompt_solver("number_formats")
def solve_number_formats(prompt: str) -> str:
    total = Fraction(0)
    for sign, text, style in re.findall(r"^([+-] )?(\S+) \((\w+)\)$", problem(prompt), re.MULTILINE):
        if style == "short":
            value = Fraction(text[:-1]) * {"k": 10**3, "M": 10**6}[text[-1]]
        elif style in ("german", "swiss"):
            value = Fraction(text.replace(".", "").replace("'", "").replace(",", "."))
        else:
            assert style in ("english", "indian", "scientific")
            value = Fraction(text.replace(",", ""))
        total += -value if sign == "- " else value
    return str(total)


ROMAN = (
    ("M", 1000),
    ("CM", 900),
    ("D", 500),
    ("CD", 400),
    ("C", 100),
    ("XC", 90),
    ("L", 50),
    ("XL", 40),
    ("X", 10),
    ("IX", 9),
    ("V", 5),
    ("IV", 4),
    ("I", 1),
)


def to_roman(number: int) -> str:
    if number >= 4000:
        return f"({to_roman(number // 1000)}){to_roman(number % 1000)}"
    text = ""
    for letters, size in ROMAN:
        text += letters * (number // size)
        number %= size
    return text


def from_roman(text: str) -> int:
    if text.startswith("("):
        thousands, rest = text[1:].split(")")
        return 1000 * from_roman(thousands) + from_roman(rest)
    sizes = [dict(ROMAN)[letter] for letter in text]
    return sum(-size if size < max(sizes[i:]) else size for i, size in enumerate(sizes))


@prompt_solver("roman_numerals")
def solve_roman_numerals(prompt: str) -> str:
    text = problem(prompt)
    if number := re.match(r"Write the number (\d+) as", text):
        return to_roman(int(number[1]))
    if numeral := re.match(r"(?:Write|Which number|What).*? ([IVXLCDM()]+)\b", text):
        return to_roman(from_roman(numeral[1]))
    terms = between(text, "Compute ", ".").split()
    total = from_roman(terms[0])
    if "*" in terms and "left to right" not in text:
        raise ValueError("no order of operations")
    for sign, numeral in zip(terms[1::2], terms[2::2], strict=True):
        value = from_roman(numeral)
        total = total * value if sign == "*" else total + value if sign == "+" else total - value
    return to_roman(total)


@prompt_solver("fraction_sum")
def solve_fraction_sum(prompt: str) -> str:
    terms = re.split(r" ([+-]) ", re.split(r"\.(?:\s|$)", after(problem(prompt), "Compute exactly: "))[0])
    total = Fraction(0)
    for sign, term in zip(["+", *terms[1::2]], terms[0::2], strict=True):
        negative = term.startswith("-")
        term = term.lstrip("-")
        if repeating := re.fullmatch(r"(\d+)\.(\d*)\((\d+)\)", term):
            places, length = len(repeating[2]), len(repeating[3])
            value = Fraction(f"{repeating[1]}.{repeating[2] or 0}") + Fraction(int(repeating[3]), (10**length - 1) * 10**places)
        else:
            value = sum((Fraction(part) for part in term.split()), Fraction(0))
        total += value * (-1 if (sign == "-") != negative else 1)
    return str(total)


@prompt_solver("calendar_arithmetic")
def solve_calendar_arithmetic(prompt: str) -> str:
    text = problem(prompt)
    dates = [datetime.date(int(y), int(m), int(d)) for y, m, d in re.findall(r"(\d{4})-(\d\d)-(\d\d)", text)]
    given = re.search(r"(\d{4}-\d\d-\d\d) is a (\w+)\.", text)
    assert given is not None
    day = datetime.date.fromisoformat(given[1])
    assert f"{day:%A}" == given[2]
    holidays = set(dates[1:-1])
    one = datetime.timedelta(days=1)
    for move in re.findall(r"^\d+\. (.*)$", text, re.MULTILINE):
        if following := re.match(r"Go forward to the next (\w+)", move):
            day += one
            while f"{day:%A}" != following[1]:
                day += one
            continue
        found = re.match(r"Go (back|forward) (\d+) (days?|months?|working days?)", move)
        assert found is not None, move
        count, sign = int(found[2]), 1 if found[1] == "forward" else -1
        if found[3].startswith("day"):
            day += count * sign * one
        elif found[3].startswith("month"):
            months = day.year * 12 + day.month - 1 + sign * count
            first_after = datetime.date((months + 1) // 12, (months + 1) % 12 + 1, 1)
            day = datetime.date(months // 12, months % 12 + 1, min(day.day, (first_after - one).day))
        else:
            while count:
                day += sign * one
                count -= day.weekday() < 5 and day not in holidays
    return day.isoformat()


@prompt_solver("clock_angles")
def solve_clock_angles(prompt: str) -> str:
    text = problem(prompt)
    if "bisects the angle" in text:
        return halving_time(text)
    hours, minutes = int(between(text, ": ", " hours")), int(between(text, "hours of ", " minutes"))
    clock = re.search(r"(?:at|after) (\d+):(\d\d)(?::(\d\d))?", text.partition(" together at ")[2].partition(". ")[2])
    assert clock is not None
    now = Fraction(int(clock[1]) % hours * minutes + int(clock[2])) + Fraction(int(clock[3] or 0), 60)
    gap_speed = Fraction(360, minutes) - Fraction(360, hours * minutes)
    gap = now * gap_speed % 360
    wanted = re.search(r"an angle of exactly (\d+) degrees? for the (\w+) time", text)
    if wanted is None:
        return str(min(gap, 360 - gap))
    times = sorted({((turn - gap) % 360 or Fraction(360)) / gap_speed for turn in (int(wanted[1]), 360 - int(wanted[1]))})
    rounds, place = divmod(ORDINALS.index(wanted[2]) - 1, len(times))
    return str(times[place] + rounds * 360 / gap_speed)


def halving_time(text: str) -> str:
    """In degrees: each hand is midway between the others where the middle of these has gained half rounds on it."""
    clock = re.search(r"after (\d+):(\d\d):(\d\d) is the (\w+) moment", text)
    assert clock is not None
    start = int(clock[1]) % 12 * 3600 + int(clock[2]) * 60 + int(clock[3])
    speeds = (Fraction(1, 120), Fraction(1, 10), Fraction(6))  # degrees per second
    found: list[Fraction] = []
    for hand, speed in enumerate(speeds):
        one, other = (each for k, each in enumerate(speeds) if k != hand)
        gain = (one + other) / 2 - speed
        # The hand is at one of the two middles wherever gain * time is a multiple of 180 degrees.
        for k in range(int(start * gain / 180) - 60, int(start * gain / 180) + 60):
            time = k * 180 / gain
            apart = (one - speed) * time % 360
            if time > start and min(apart, 360 - apart) < 90:
                found.append(time - start)
    return str(sorted(found)[ORDINALS.index(clock[4]) - 1])


def value_with_even_divisions(text: str) -> str:
    """One n after another, the brackets worked out from the innermost on."""
    n = 1
    while True:
        rest = text.replace("n", str(n))
        while (inner := re.search(r"\(\(?([^()]*)\) / (\d+)\)", rest)) is not None:
            value = evaluate(inner[1], {}) / int(inner[2])
            if value.denominator > 1:
                break
            rest = rest.replace(inner[0], str(value))
        else:
            return str(evaluate(rest, {}))
        n += 1


@prompt_solver("random_calculation")
def solve_random_calculation(prompt: str) -> str:
    if "integer n" in prompt:
        return value_with_even_divisions(prompt.split("\n")[1])
    return str(evaluate(between(problem(prompt), "Compute ", ". ")))
