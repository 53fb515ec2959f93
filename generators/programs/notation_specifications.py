"""The task of evaluating an invented notation, in words and with notations that are near but different."""

from __future__ import annotations

import json
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.programs.notations import BINARY, ERRORS, SIDES, SQUARES, UNARY, ZEROS, descending, inputs, shunting
from rlgym.generators.programs.specialise import Rules
from rlgym.generators.programs.specifications import Specification

SYMBOLS = tuple("@#$&~?!:;=%^|<>")


def specification(rng: Rng, levels: int, signs: int, shared: bool, policies: int) -> Specification:
    """A notation with this many strengths and signs before or after operands; `policies` of 0 to 3 make it stranger."""
    symbols = rng.shuffled(SYMBOLS)
    count = levels + rng.integer(1, 2)
    operations = rng.sample(tuple(BINARY)[: 3 + 2 * policies], count) if policies else rng.sample(tuple(BINARY)[: max(3, count)], count)
    placed = [*range(levels), *(rng.integer(0, levels - 1) for _ in range(count - levels))]
    binary = {symbols.pop(): (operation, level) for operation, level in zip(operations, placed, strict=True)}
    before = [symbols.pop() for _ in range(signs - signs // 2)]
    after = [symbols.pop() for _ in range(signs // 2)]
    if shared and before:
        before[0] = rng.choice(tuple(binary))
    rules: dict[str, Any] = {
        "binary": binary,
        "sides": tuple(rng.choice(tuple(SIDES)[: 3 if policies > 1 else 2]) for _ in range(levels)),
        "prefix": {symbol: rng.choice(tuple(UNARY)) for symbol in before},
        "postfix": {symbol: rng.choice(tuple(UNARY)) for symbol in after},
        "first": rng.choice(("prefix", "postfix")) if before and after else "postfix",
        "square": rng.choice(tuple(SQUARES)[1:]) if policies > 2 else "",
        "zero": rng.choice(tuple(ZEROS)),
        "error": rng.choice(tuple(ERRORS.values())),
        "used": tuple(operations),
    }
    kind = json.dumps({"binary": [*binary], "prefix": before, "postfix": after, "square": bool(rules["square"])})
    drawn = [arguments for arguments in inputs(rng.child("inputs"), 260, kind) if _is_small(descending(*arguments, **rules))]
    shown = [arguments for arguments in drawn if 8 <= len(arguments[0]) <= 26 and descending(*arguments, **rules) != rules["error"]][:60]
    weight = levels * 2.0 + count + signs * 2 + 3 * shared + 2 * policies
    return Specification(
        _words(rules), descending, shunting, rules, _near_misses(rules), _plainest(rules) + drawn, weight, shown=shown, kind=kind
    )


def _plainest(rules: Rules) -> list[tuple[str]]:
    """One text for each operator, and malformed ones of several kinds."""
    binary: dict[str, tuple[str, int]] = rules["binary"]
    any_one = next(iter(binary))
    texts = ["", "(7", f"7{any_one}", f"7{any_one}8 9", f"4{any_one}6)"]
    texts += [f"7{symbol}{0 if operation == 'div' else 3}" for symbol, (operation, _) in binary.items()]
    return [(text,) for text in texts]


def _is_small(value: Any) -> bool:
    return not isinstance(value, int) or abs(value) < 10**9


def _near_misses(rules: Rules) -> list[Rules]:
    binary: dict[str, tuple[str, int]] = rules["binary"]
    variants: list[Rules] = []
    for level, side in enumerate(rules["sides"]):
        variants += [{**rules, "sides": (*rules["sides"][:level], other, *rules["sides"][level + 1 :])} for other in SIDES if other != side]
    if len(rules["sides"]) > 1:
        variants.append({**rules, "binary": {symbol: (op, len(rules["sides"]) - 1 - level) for symbol, (op, level) in binary.items()}})
        variants.append({**rules, "binary": {symbol: (op, 0) for symbol, (op, _) in binary.items()}})
    variants += [{**rules, "first": first} for first in ("prefix", "postfix") if rules["prefix"] and rules["postfix"]]
    variants += [{**rules, "zero": zero} for zero in ZEROS if "div" in rules["used"]]
    variants += [{**rules, "square": square} for square in SQUARES if square and rules["square"]]
    variants += [{**rules, "error": error} for error in ERRORS.values()]
    return [other for other in variants if other != rules]


def _words(rules: Rules) -> str:
    listed = _binary_operators(rules) + _unary_operators(rules)
    opening = (
        "has these operators, where those of higher precedence are evaluated first" if len(rules["sides"]) > 1 else "has these operators"
    )
    kinds = ["a number (one or more digits 0 to 9)", "a formula in round brackets"]
    if rules["square"]:
        kinds.append(f"a formula in square brackets, which stands for {SQUARES[rules['square']]} of that formula's value")
    operand = f"{', '.join(kinds[:-1])}, or {kinds[-1]}" if rules["square"] else " or ".join(kinds)
    sides = [side for side, kind in (("before", "prefix"), ("after", "postfix")) if rules[kind]]
    signed = f"; unary operators may stand {' and '.join(sides)} it" if sides else ""
    divided = f" Division by 0 {ZEROS[rules['zero']]}." if "div" in rules["used"] else ""
    named = next(name for name, value in ERRORS.items() if value == rules["error"])
    return (
        f"A notation for formulas over the integers {opening}:\n"
        + "\n".join(listed)
        + f"\n{_binding(rules)}An operand is {operand}{signed}. Spaces are ignored, except that a space ends a number.{divided} "
        "Any text that is not exactly one formula of this notation is malformed: for example, an operand or operator is missing (as in '3 4'), a bracket has "
        "no partner, it contains any other character (such as a tab), or it is empty or consists only of spaces.\n\n"
        "Write a Python function solve(text) that returns the value of the formula as an integer, "
        f"and for a malformed text {named}. Texts have at most 60 characters."
    )


def _binary_operators(rules: Rules) -> list[str]:
    levels = len(rules["sides"])
    lines = []
    for level, side in enumerate(rules["sides"]):
        meanings = [f"x {symbol} y is {BINARY[operation]}" for symbol, (operation, at) in rules["binary"].items() if at == level]
        if levels == 1:
            lines += [*(f"- {meaning}" for meaning in meanings), f"- {SIDES[side][0].upper()}{SIDES[side][1:]}."]
            continue
        chained = ", even if y contains operators of higher precedence" if side == "none" and level < levels - 1 else ""
        lines.append(f"- operators of precedence {level + 1}: {'; '.join(meanings)}. At this precedence, {SIDES[side]}{chained}.")
    return lines


def _unary_operators(rules: Rules) -> list[str]:
    lines = [f"- unary operator before an operand: {symbol} x is {UNARY[operation]}" for symbol, operation in rules["prefix"].items()]
    return lines + [
        f"- unary operator after an operand: x {symbol} is {UNARY[operation]}" for symbol, operation in rules["postfix"].items()
    ]


def _binding(rules: Rules) -> str:
    """How unary operators bind, where there are any."""
    count = len(rules["prefix"]) + len(rules["postfix"])
    if not count:
        return ""
    bound = (
        "Unary operators bind more tightly than any binary operator. An operand may have several; the one nearest to it is applied first"
    )
    if count == 1:
        bound = "The unary operator binds more tightly than any binary operator. It may be repeated"
    if rules["prefix"] and rules["postfix"]:
        sides = ("before", "after") if rules["first"] == "prefix" else ("after", "before")
        bound += f", and all those {sides[0]} the operand are applied before those {sides[1]} it"
    both = [symbol for symbol in rules["prefix"] if symbol in rules["binary"]]
    shared = f" {both[0]} is unary where an operand may begin, and binary where one has just ended." if both else ""
    return f"{bound}.{shared}\n"
