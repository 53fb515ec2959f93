"""Helpers that several solvers read prompts with."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import sympy

NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
ORDINALS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth".split()
)
OPERATORS: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
QUESTIONS = (
    r"You learn, truthfully, that (?P<given>.*?), and nothing more\. How likely is it now that (?P<event>.*?)\?",
    r"It turns out that (?P<given>.*?)\. Given this and nothing else, what is the probability that (?P<event>.*?)\?",
    r"Knowing only that (?P<given>.*?), find the (?:exact )?probability that (?P<event>.*?)\.(?:\s|$)",
    r"Given that (?P<given>.*?), what is the probability that (?P<event>.*?)\?",
    r"Find the probability that (?P<event>.*?), given that (?P<given>.*?)\.(?:\s|$)",
    r"(?:(?:Work out the exact|Find the|What is the) probability|How likely is it, exactly,) that (?P<event>.*?)[.?](?:\s|$)",
)


def integers(text: str) -> list[int]:
    """All integers in a text, in order."""
    return [int(found) for found in re.findall(r"(?<![\w.])-?\d+(?![\w]|\.\d)", text)]


def after(text: str, marker: str) -> str:
    """What follows the first occurrence of a marker."""
    return text.split(marker, 1)[1]


def between(text: str, start: str, end: str) -> str:
    """What stands between the first occurrence of `start` and the next of `end`."""
    return after(text, start).split(end, 1)[0]


def problem(prompt: str) -> str:
    """The prompt without its last paragraph, which describes the form of the answer."""
    return prompt.rsplit("\n\nEnd your response", 1)[0]


def condition_and_event(text: str) -> tuple[str | None, str]:
    """The condition (None without one) and the event of a question for a probability."""
    for pattern in QUESTIONS:
        if found := re.search(pattern, text, re.DOTALL):
            return found.groupdict().get("given"), found["event"]
    raise ValueError(f"no question for a probability in {text!r}")


def evaluate(
    text: str,
    names: Mapping[str, Any] | None = None,
    number: Callable[[int], Any] = Fraction,
    power: Callable[[Any, int], Any] = operator.pow,
) -> Any:
    """The value of a formula of numbers, names, + - * / ^ and brackets; names may be functions of one argument."""

    def walk(node: ast.AST) -> Any:
        match node:
            case ast.Constant(value=int(value)):
                return number(value)
            case ast.Name(id=name):
                return (names or {})[name]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -walk(operand)
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return power(walk(left), int(evaluate(ast.unparse(right))))
            case ast.BinOp(left=left, op=op, right=right):
                return OPERATORS[type(op)](walk(left), walk(right))
            case ast.Call(func=ast.Name(id=name), args=[argument]):
                return (names or {})[name](walk(argument))
        raise ValueError(f"cannot evaluate {ast.unparse(node)!r} in {text!r}")

    return walk(ast.parse(text.strip().replace("^", "**"), mode="eval").body)


def matrix_rows(text: str) -> list[list[int]]:
    """The rows of a matrix that is written one row per line in square brackets."""
    return [integers(line) for line in text.splitlines() if re.fullmatch(r"\[[-\d\s]+\]", line)]


def formula(text: str, **names: Any) -> sympy.Expr:
    """A formula as a sympy expression; ^ is a power, and letters are symbols."""
    letters = {letter: sympy.Symbol(letter) for letter in "abcdefghjklmnopqrstuvwxyz"}
    return sympy.sympify(text, locals={**letters, "arctan": sympy.atan, "abs": sympy.Abs, **names})


def written(value: Any) -> str:
    """A sympy expression in the notation of the prompts."""
    return str(value).replace("**", "^")
