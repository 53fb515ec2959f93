"""Invented notations for formulas: operators with strengths, sides, and symbols before and after an operand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.programs.suites import Inputs

BINARY = {
    "add": "x plus y",
    "sub": "x minus y",
    "mul": "the product of x and y",
    "back": "y minus x",
    "max": "the larger of x and y",
    "div": "x divided by y, rounded down to an integer (also below zero: -7 by 2 gives -4)",
    "min": "the smaller of x and y",
    "join": "10 times x, plus y",
    "apart": "the absolute difference of x and y",
}

UNARY = {
    "neg": "minus x",
    "twice": "twice x",
    "inc": "x plus 1",
    "half": "half of x, rounded down to an integer (-3 gives -2)",
    "abs": "the absolute value of x",
    "square": "the square of x",
}

SIDES = {
    "left": "operators are evaluated from left to right",
    "right": "operators are evaluated from right to left",
    "none": "operators cannot be chained: x operator y operator z without brackets is malformed",
}

ZEROS = {"error": "makes the text malformed", "zero": "gives 0", "left": "gives the left operand"}

ERRORS = {"None": None, '"error"': "error", "-1000000": -1000000}

SQUARES = {"": "", "abs": "the absolute value", "twice": "twice the value", "neg": "the negative"}


def descending(
    text: str,
    *,
    binary: dict[Any, tuple[str, int]],
    sides: tuple[str, ...],
    prefix: dict[Any, str],
    postfix: dict[Any, str],
    first: str,
    square: str,
    zero: str,
    error: Any,
    used: tuple[str, ...],
) -> Any:
    """The value, found by going down from the weakest operators to the operands."""
    tokens: list[Any] = []
    joined = False
    for letter in text:
        if letter in "0123456789":
            if joined:
                tokens[-1] = tokens[-1] * 10 + int(letter)
            else:
                tokens.append(int(letter))
        elif letter != " ":
            tokens.append(letter)
        joined = letter in "0123456789"
    tokens.append("end")

    def signed(operation: str, x: int) -> int:
        worked = {"neg": -x, "twice": x * 2, "inc": x + 1, "half": x // 2, "abs": abs(x), "square": x * x}
        return worked[operation]

    def work(operation: str, x: int, y: int) -> int:
        if operation == "div":
            if y:
                return x // y
            if zero == "error":
                raise ValueError
            return 0 if zero == "zero" else x
        worked = {"add": x + y, "sub": x - y, "mul": x * y, "back": y - x, "max": max(x, y), "min": min(x, y)}
        worked["join"] = 10 * x + y
        worked["apart"] = abs(x - y)
        return worked[operation]

    def operand(at: int) -> tuple[int, int]:
        signs: list[str] = []
        while tokens[at] in prefix:
            signs.insert(0, tokens[at])
            at += 1
        if isinstance(tokens[at], int):
            value, at = tokens[at], at + 1
        elif tokens[at] == "(":
            value, at = formula(at + 1, 0)
            if tokens[at] != ")":
                raise ValueError
            at += 1
        elif square != "" and tokens[at] == "[":
            value, at = formula(at + 1, 0)
            if tokens[at] != "]":
                raise ValueError
            value, at = signed(square, value), at + 1
        else:
            raise ValueError
        if first == "prefix":
            for sign in signs:
                value = signed(prefix[sign], value)
        while tokens[at] in postfix:
            value, at = signed(postfix[tokens[at]], value), at + 1
        if first == "postfix":
            for sign in signs:
                value = signed(prefix[sign], value)
        return value, at

    def formula(at: int, level: int) -> tuple[int, int]:
        if level == len(sides):
            return operand(at)
        value, at = formula(at, level + 1)
        values, operations = [value], []
        while tokens[at] in binary and binary[tokens[at]][1] == level:
            operations.append(binary[tokens[at]][0])
            value, at = formula(at + 1, level + 1)
            values.append(value)
        if sides[level] == "none" and len(operations) > 1:
            raise ValueError
        while operations:
            if sides[level] == "right":
                last = values.pop()
                values[-1] = work(operations.pop(), values[-1], last)
            else:
                values[:2] = [work(operations.pop(0), values[0], values[1])]
        return values[0], at

    try:
        found, end = formula(0, 0)
    except ValueError:
        return error
    return found if tokens[end] == "end" else error


def shunting(
    text: str,
    *,
    binary: dict[Any, tuple[str, int]],
    sides: tuple[str, ...],
    prefix: dict[Any, str],
    postfix: dict[Any, str],
    first: str,
    square: str,
    zero: str,
    error: Any,
    used: tuple[str, ...],
) -> Any:
    """The value, found in one pass with a stack of values and a stack of pending operators."""
    values: list[int] = []
    waiting: list[tuple[str, str, int]] = []
    failed = False

    def signed(operation: str, x: int) -> int:
        if operation == "neg":
            return -x
        if operation == "abs":
            return abs(x)
        if operation == "half":
            return x // 2
        return x + 1 if operation == "inc" else x + x if operation == "twice" else x * x

    def work(operation: str, x: int, y: int) -> int:
        nonlocal failed
        if "add" in used and operation == "add":
            return x + y
        if "sub" in used and operation == "sub":
            return x - y
        if "mul" in used and operation == "mul":
            return x * y
        if "back" in used and operation == "back":
            return y - x
        if "max" in used and operation == "max":
            return max(x, y)
        if "min" in used and operation == "min":
            return min(x, y)
        if "join" in used and operation == "join":
            return 10 * x + y
        if "apart" in used and operation == "apart":
            return abs(x - y)
        if y != 0:
            return x // y
        failed = failed or zero == "error"
        return x if zero == "left" else 0

    def sign() -> None:
        while waiting and waiting[-1][0] == "sign":
            values[-1] = signed(waiting.pop()[1], values[-1])

    def reduce(strength: int) -> None:
        while waiting and waiting[-1][0] == "operator" and waiting[-1][2] >= strength:
            last = values.pop()
            values[-1] = work(waiting.pop()[1], values[-1], last)

    ended = False  # whether an operand has just ended
    place = 0
    while place < len(text):
        letter = text[place]
        place += 1
        if letter == " ":
            continue
        if not ended:
            if letter in "0123456789":
                number = int(letter)
                while place < len(text) and text[place] in "0123456789":
                    number = 10 * number + int(text[place])
                    place += 1
                values.append(number)
                ended = True
                if first == "prefix":
                    sign()
            elif letter in prefix:
                waiting.append(("sign", prefix[letter], 0))
            elif letter == "(" or (square != "" and letter == "["):
                waiting.append(("bracket", letter, 0))
            else:
                return error
            continue
        if letter in postfix:
            values[-1] = signed(postfix[letter], values[-1])
            continue
        if first == "postfix":
            sign()
        if letter in binary:
            operation, strength = binary[letter]
            reduce(strength + 1)
            same = waiting and waiting[-1][0] == "operator" and waiting[-1][2] == strength
            if same and sides[strength] == "none":
                return error
            if same and sides[strength] == "left":
                reduce(strength)
            waiting.append(("operator", operation, strength))
            ended = False
        elif letter == ")" or (square != "" and letter == "]"):
            reduce(0)
            if not waiting or waiting.pop()[1] != {")": "(", "]": "["}[letter]:
                return error
            if square != "" and letter == "]":
                values[-1] = signed(square, values[-1])
            if first == "prefix":
                sign()
        else:
            return error
    if not ended:
        return error
    sign()
    reduce(0)
    return error if waiting or failed else values[0]


def inputs(rng: Rng, count: int, kind: str) -> Inputs:
    """Formulas in the notation's symbols, and some with a slip in them."""
    known = json.loads(kind)
    texts: list[tuple[str]] = []
    while len(texts) < count:
        text = _formula(rng, known, rng.integer(0, 2), rng.integer(1, 5))
        if rng.chance(0.2):
            text = _with_one_edit(rng, text, [*known["binary"], *known["prefix"], *known["postfix"], "(", ")", "[", "]", " ", "7", "x"])
        if len(text) <= 60:
            texts.append((text,))
    return texts


def _formula(rng: Rng, known: dict[str, Any], depth: int, operands: int) -> str:
    text = _operand(rng, known, depth)
    for _ in range(operands - 1):
        gap = " " * rng.chance(0.3)
        text += f"{gap}{rng.choice(known['binary'])}{gap}{_operand(rng, known, depth)}"
    return text


def _operand(rng: Rng, known: dict[str, Any], depth: int) -> str:
    before = "".join(rng.choice(known["prefix"]) for _ in range(rng.weighted((0, 1, 2), (5, 3, 1)))) if known["prefix"] else ""
    after = "".join(rng.choice(known["postfix"]) for _ in range(rng.weighted((0, 1, 2), (5, 3, 1)))) if known["postfix"] else ""
    if depth and rng.chance(0.4):
        inside = _formula(rng, known, depth - 1, rng.integer(1, 3))
        return f"{before}[{inside}]{after}" if known["square"] and rng.chance(0.4) else f"{before}({inside}){after}"
    return f"{before}{rng.weighted((0, rng.integer(1, 9), rng.integer(10, 30)), (2, 6, 2))}{after}"


def _with_one_edit(rng: Rng, text: str, letters: Sequence[str]) -> str:
    place = rng.integer(0, len(text) - 1)
    return text[:place] + rng.choice(("", rng.choice(letters), rng.choice(letters) + text[place])) + text[place + 1 :]
