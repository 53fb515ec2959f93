"""Arithmetic that is solved by trying: missing digits and operators, countdown, magic squares, rotas; and steps on digits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, permutations, product
from math import lcm

from prompt_solvers.parsing import ORDINALS, between, integers, problem
from prompt_solvers.registry import prompt_solver


@prompt_solver("long_division")
def solve_long_division(prompt: str) -> str:
    a, b = re.findall(r"Divide (-?\d+) by (-?\d+)", prompt)[0]
    remainder = int(a) % abs(int(b))
    return f"{(int(a) - remainder) // int(b)}, {remainder}"


@prompt_solver("digit_steps")
def solve_digit_steps(prompt: str) -> str:
    text = problem(prompt)
    number = between(text, "the number ", " ")
    for step in re.findall(r"^\d+\. (.*)$", text, re.MULTILINE):
        digits = [int(digit) for digit in number]
        if step == "Swap the first and the last digit.":
            number = number[-1] + number[1:-1] + number[0] if len(number) > 1 else number
        elif step == "Add the number with its digits in reverse order.":
            number = str(int(number) + int(number[::-1]))
        elif step == "Move the first digit to the end.":
            number = number[1:] + number[0]
        elif times := re.fullmatch(r"Multiply the number by (\d)\.", step):
            number = str(int(number) * int(times[1]))
        elif step.startswith("Sort the digits once from large to small"):
            number = str(int("".join(sorted(number, reverse=True))) - int("".join(sorted(number))))
        elif step == "Append the last digit of the sum of all digits.":
            number += str(sum(digits) % 10)
        elif step == "Replace every digit by the last digit of its double.":
            number = "".join(str(2 * digit % 10) for digit in digits)
        else:
            assert (
                step
                == "Replace all digits except the last at the same time, each by the last digit of its sum with the digit to its right."
            ), step
            number = "".join(str((a + b) % 10) for a, b in pairwise(digits)) + number[-1]
        number = str(int(number))
    return number


@prompt_solver("missing_digits")
def solve_missing_digits(prompt: str) -> str:
    """Tries all digits of both numbers on the left, and compares the result with the right side."""
    left, sign, right, result = re.findall(r"^([\d?]+) ([-+*]) ([\d?]+) = ([\d?]+)$", problem(prompt), re.MULTILINE)[0]

    def completions(pattern: str) -> list[int]:
        digits = [("123456789" if i == 0 and len(pattern) > 1 else "0123456789") if c == "?" else c for i, c in enumerate(pattern)]
        return [int("".join(choice)) for choice in product(*digits)]

    shape = re.compile(result.replace("?", r"\d"))
    low, high = int(result.replace("?", "0")), int(result.replace("?", "9"))
    others = completions(right)
    for a in completions(left):
        for b in others:
            value = a + b if sign == "+" else a - b if sign == "-" else a * b
            if low <= value <= high and shape.fullmatch(str(value)):
                return f"{a}, {b}, {value}"
    raise ValueError("no digits fit")


@prompt_solver("missing_operators")
def solve_missing_operators(prompt: str) -> str:
    """All values that the numbers so far can have, with the operators that lead there."""
    text = problem(prompt)
    line = next(line for line in text.splitlines() if "_" in line and "=" in line)
    numbers = [Fraction(number) for number in line.split(" = ")[0].split(" _ ")]
    target = Fraction(line.split(" = ")[1])
    operators = between(text, "one of the operators ", " in place").split()
    limits = {sign: int(count) for sign, count in re.findall(r"([-+*/]) exactly (\d+) times?", text)}
    in_order = "The operations are carried out from left to right" in text
    states: dict[tuple[Fraction, Fraction, tuple[int, ...]], str] = {(Fraction(0), numbers[0], (0,) * len(operators)): ""}
    for number in numbers[1:]:
        following: dict[tuple[Fraction, Fraction, tuple[int, ...]], str] = {}
        for (total, term, used), signs in states.items():
            for i, sign in enumerate(operators):
                counts = (*used[:i], used[i] + 1, *used[i + 1 :])
                if limits and counts[i] > limits[sign]:
                    continue
                if sign in "+-":
                    new = (total + term, number if sign == "+" else -number)
                    new = (Fraction(0), sum(new, Fraction(0))) if in_order else new
                else:
                    new = (total, term * number if sign == "*" else term / number)
                following.setdefault((*new, counts if limits else used), signs + sign)
        states = following
    for (total, term, _), signs in states.items():
        if total + term == target:
            return " ".join(signs)
    raise ValueError("no operators fit")


@prompt_solver("countdown")
def solve_countdown(prompt: str) -> str:
    """All values of up to four numbers; larger groups are split in two, and the value that the other part must have is computed."""
    text = problem(prompt)
    target = int(between(text, "the value ", " from"))
    numbers = integers(between(text, "from the numbers ", ". Use"))

    def splits(mask: int) -> Iterator[tuple[int, int]]:
        part = (mask - 1) & mask
        while part:
            if part <= mask ^ part:
                yield part, mask ^ part
            part = (part - 1) & mask

    @cache
    def values(mask: int) -> dict[int, str]:
        if mask.bit_count() == 1:
            number = numbers[mask.bit_length() - 1]
            return {number: str(number)}
        found: dict[int, str] = {}
        for one, two in splits(mask):
            for a, left in values(one).items():
                for b, right in values(two).items():
                    (big, large), (small, little) = ((a, left), (b, right)) if a >= b else ((b, right), (a, left))
                    found.setdefault(a + b, f"({left}+{right})")
                    found.setdefault(a * b, f"({left}*{right})")
                    if big > small:
                        found.setdefault(big - small, f"({large}-{little})")
                    if big % small == 0:
                        found.setdefault(big // small, f"({large}/{little})")
        return found

    @cache
    def reach(mask: int, goal: int) -> str | None:
        if mask.bit_count() <= 4:
            return values(mask).get(goal)
        pairs = sorted(splits(mask), key=lambda pair: min(pair[0].bit_count(), pair[1].bit_count()))
        for pair in pairs:
            small, large = sorted(pair, key=int.bit_count)
            for v, text in values(small).items():
                for other, form in (
                    (goal - v, "({1}+{0})"),
                    (goal + v, "({1}-{0})"),
                    (v - goal, "({0}-{1})"),
                    (goal * v, "({1}/{0})"),
                    (goal // v if goal % v == 0 else 0, "({1}*{0})"),
                    (v // goal if v % goal == 0 else 0, "({0}/{1})"),
                ):
                    if other > 0 and (rest := reach(large, other)):
                        return form.format(text, rest)
        return None

    full = 2 ** len(numbers) - 1
    masks = [full] if "every one of the numbers exactly once" in text else sorted(range(1, full + 1), key=int.bit_count)
    return next(found for mask in masks if (found := reach(mask, target)))


@prompt_solver("magic_square_completion")
def solve_magic_square_completion(prompt: str) -> str:
    """Fills the line with the fewest blanks first, in every way that has the right sum."""
    text = problem(prompt)
    left = integers(between(text, "each exactly once: ", ".\n"))
    rows = [line.split() for line in text.splitlines() if re.fullmatch(r"[\d_ ]+", line) and line]
    size = len(rows)
    square = {(r, c): None if cell == "_" else int(cell) for r, row in enumerate(rows) for c, cell in enumerate(row)}
    total = (sum(left) + sum(value for value in square.values() if value)) // size
    lines = [[(r, c) for c in range(size)] for r in range(size)] + [[(r, c) for r in range(size)] for c in range(size)]
    lines += [[(i, i) for i in range(size)], [(i, size - 1 - i) for i in range(size)]]

    def fill(square: dict[tuple[int, int], int | None], left: tuple[int, ...]) -> dict[tuple[int, int], int | None] | None:
        open_lines = []
        for line in lines:
            blanks = [cell for cell in line if square[cell] is None]
            known = sum(square[cell] or 0 for cell in line)
            if not blanks and known != total:
                return None
            if blanks:
                open_lines.append((len(blanks), blanks, total - known))
        if not open_lines:
            return square
        count, blanks, missing = min(open_lines)
        for first in permutations(left, count - 1):
            last = missing - sum(first)
            if last in left and last not in first:
                choice = (*first, last)
                filled = {**square, **dict(zip(blanks, choice, strict=True))}
                if solution := fill(filled, tuple(number for number in left if number not in choice)):
                    return solution
        return None

    solution = fill(square, tuple(left))
    assert solution is not None
    return "\n".join(" ".join(str(solution[r, c]) for c in range(size)) for r in range(size))


@prompt_solver("work_schedule_days")
def solve_work_schedule_days(prompt: str) -> str:
    text = problem(prompt)
    rotas = [
        (int(a or b), int(work), int(off))
        for a, b, work, off in re.findall(
            r"(?:From day (\d+) on, [^:]*|begins on day (\d+)): (\d+) days? of work, then (\d+) days? off", text
        )
    ]
    after_day = int(between(text, "the days after day ", " "))
    assert after_day >= max(start for start, _, _ in rotas)
    place = ORDINALS.index(between(text, "Which day is the ", " of them"))
    for day in range(after_day + 1, after_day + 1 + 20 * lcm(*(work + off for _, work, off in rotas))):
        if all((day - start) % (work + off) >= work for start, work, off in rotas):
            place -= 1
            if place == 0:
                return str(day)
    raise ValueError("nobody is ever free")


@prompt_solver("pigeonhole_subset")
def solve_pigeonhole_subset(prompt: str) -> str:
    text = problem(prompt)
    multiple = re.search(r"is a multiple of (\d+)", text)
    remainder = re.search(r"leaves the remainder (\d+) when divided by (\d+)", text)
    rest, modulus = (0, int(multiple[1])) if multiple else (int(remainder[1]), int(remainder[2]))  # type: ignore[index]
    numbers = integers(re.search(r"(?:multiple of|divided by) \d+: (.*?)\.", text)[1].replace(",", " "))  # type: ignore[index]
    for size in range(1, len(numbers) + 1):
        for part in combinations(numbers, size):
            if sum(part) % modulus == rest:
                return ", ".join(map(str, part))
    raise ValueError("no such choice")
