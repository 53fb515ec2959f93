"""Steps on the digits of a number."""

from itertools import pairwise

RULES = {
    "first to the end": "Move the first digit to the end.",
    "swap": "Swap the first and the last digit.",
    "reverse and add": "Add the number with its digits in reverse order.",
    "times": "Multiply the number by {k}.",
    "sort and subtract": "Sort the digits once from large to small and once from small to large, and subtract the second number from the first.",
    "check digit": "Append the last digit of the sum of all digits.",
    "double": "Replace every digit by the last digit of its double.",
    "neighbours": "Replace all digits except the last at the same time, each by the last digit of its sum with the digit to its right.",
}
KINDS = {"moves": tuple(RULES)[:3], "sums": tuple(RULES)[:5], "all": tuple(RULES)[2:]}


def apply_step(text: str, step: tuple[str, int], base: int) -> str:
    """The number after a step, computed with integers."""
    kind, k = step
    if kind == "first to the end":
        return strip_zeros(text[1:] + text[0])
    if kind == "swap":
        return strip_zeros(text[-1] + text[1:-1] + text[0]) if len(text) > 1 else text
    if kind == "check digit":
        return text + str(sum(map(int, text)) % base)
    if kind == "double":
        return strip_zeros("".join(str(2 * int(digit) % base) for digit in text))
    if kind == "neighbours":
        return strip_zeros("".join(str((int(a) + int(b)) % base) for a, b in pairwise(text)) + text[-1])
    if kind == "times":
        return to_base(int(text, base) * k, base)
    if kind == "reverse and add":
        return to_base(int(text, base) + int(text[::-1], base), base)
    rising = "".join(sorted(text))
    return to_base(int(rising[::-1], base) - int(rising, base), base)


def apply_step_by_digits(digits: list[int], kind: str, k: int, base: int) -> list[int]:
    """The digits after a step, computed digit by digit; leading zeros may remain."""
    if kind == "first to the end":
        return digits[1:] + digits[:1]
    if kind == "swap":
        return [digits[-1], *digits[1:-1], digits[0]] if len(digits) > 1 else digits
    if kind == "check digit":
        return [*digits, sum(digits) % base]
    if kind == "double":
        return [2 * digit % base for digit in digits]
    if kind == "neighbours":
        return [*((a + b) % base for a, b in pairwise(digits)), digits[-1]]
    if kind == "times":
        columns = [k * digit for digit in reversed(digits)]
    elif kind == "reverse and add":
        columns = [a + b for a, b in zip(reversed(digits), digits, strict=True)]
    else:
        columns = [a - b for a, b in zip(sorted(digits), sorted(digits, reverse=True), strict=True)]
    out, carry = list[int](), 0
    for column in columns:
        carry, digit = divmod(column + carry, base)
        out.append(digit)
    while carry:
        carry, digit = divmod(carry, base)
        out.append(digit)
    return out[::-1]


def strip_zeros(text: str) -> str:
    """The number without leading zeros."""
    return text.lstrip("0") or "0"


def to_base(number: int, base: int) -> str:
    """A number in a base up to ten."""
    digits = ""
    while number:
        number, digit = divmod(number, base)
        digits = str(digit) + digits
    return digits or "0"
