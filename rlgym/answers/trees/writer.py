"""Trees written as plain text and as LaTeX, and handed to sympy."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rlgym.answers.trees import build
from rlgym.answers.trees.nodes import FUNCTIONS, Apply, Name, Number, Tree, number

_STRENGTH = {"+": 1, "-": 1, "neg": 1, "*": 2, "/": 2, "^": 4}
_ATOM = 5


def write(tree: Tree) -> str:
    """A tree in plain text; `read` makes the same tree of it."""
    match tree:
        case Number(value):
            return _digits(value)
        case Name(text):
            return text
        case Apply("neg", (only,)):
            return f"-{_part(only, 2)}"
        case Apply("^", (base, exponent)):
            return f"{_part(base, _ATOM)}^{_part(exponent, _ATOM)}"
        case Apply(head, (left, right)):
            strength = _STRENGTH[head]
            sign = f" {head} " if strength == 1 else head
            return f"{_part(left, strength)}{sign}{_part(right, strength + 1)}"
        case Apply(head, (only,)):
            return f"{head}({write(only)})"
    raise TypeError(f"not a tree: {tree!r}")


def _part(tree: Tree, least: int) -> str:
    strength = _STRENGTH.get(tree.head, _ATOM) if isinstance(tree, Apply) else _ATOM
    # A sign may open a sum, but nothing else.
    return write(tree) if strength >= least else f"({write(tree)})"


def _digits(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    places = next((k for k in range(1, 400) if 10**k % value.denominator == 0), 0)
    if not places or value < 0:
        raise ValueError(f"{value} is not a finite non-negative decimal; build it with trees.number")
    shifted = str(value.numerator * (10**places // value.denominator)).rjust(places + 1, "0")
    return f"{shifted[:-places]}.{shifted[-places:]}"


def latex(tree: Tree) -> str:
    """A tree in LaTeX; `read` makes an equal one of it."""
    match tree:
        case Number(value):
            return _digits(value)
        case Name(text):
            return "\\pi" if text == "pi" else text
        case Apply("neg", (only,)):
            return f"-{_in_brackets_if_weaker(only, 2)}"
        case Apply("/", (top, below)):
            return f"\\frac{{{latex(top)}}}{{{latex(below)}}}"
        case Apply("^", (base, exponent)):
            return f"{_in_brackets_if_weaker(base, _ATOM)}^{{{latex(exponent)}}}"
        case Apply("*", (left, right)):
            return f"{_in_brackets_if_weaker(left, 2)} \\cdot {_in_brackets_if_weaker(right, 3)}"
        case Apply(head, (left, right)):
            return f"{_in_brackets_if_weaker(left, 1)} {head} {_in_brackets_if_weaker(right, 2)}"
        case Apply("sqrt", (only,)):
            return f"\\sqrt{{{latex(only)}}}"
        case Apply("abs", (only,)):
            return f"\\left|{latex(only)}\\right|"
        case Apply(head, (only,)):
            return f"\\{head}\\left({latex(only)}\\right)"
    raise TypeError(f"not a tree: {tree!r}")


def _in_brackets_if_weaker(tree: Tree, least: int) -> str:
    strength = _STRENGTH.get(tree.head, _ATOM) if isinstance(tree, Apply) else _ATOM
    return latex(tree) if strength >= least else f"\\left({latex(tree)}\\right)"


def to_sympy(tree: Tree, symbols: Mapping[str, Any] | None = None) -> Any:
    """The tree as a sympy expression, built node by node; names that `symbols` lacks become positive symbols."""
    import sympy

    heads = {"ln": sympy.log, "abs": sympy.Abs, "arctan": sympy.atan}
    match tree:
        case Number(value):
            return sympy.Rational(value.numerator, value.denominator)
        case Name(text):
            known = {"pi": sympy.pi, "e": sympy.E} | dict(symbols or {})
            return known[text] if text in known else sympy.Symbol(text, positive=True)
        case Apply("neg", (only,)):
            return -to_sympy(only, symbols)
        case Apply(head, (left, right)):
            first, second = to_sympy(left, symbols), to_sympy(right, symbols)
            return {"+": lambda: first + second, "-": lambda: first - second, "*": lambda: first * second, "/": lambda: first / second}.get(
                head, lambda: first**second
            )()
        case Apply(head, (only,)):
            return (heads.get(head) or getattr(sympy, head))(to_sympy(only, symbols))
    raise TypeError(f"not a tree: {tree!r}")


def from_sympy(expression: Any) -> Tree:
    """A sympy expression of numbers, symbols, sums, products, powers and the functions of trees, as a tree."""
    if expression.is_Rational:
        return number(Fraction(int(expression.p), int(expression.q)))
    if expression.is_Symbol:
        return Name(str(expression.name))
    if expression.is_Add:
        return build.total([from_sympy(part) for part in expression.args])
    if expression.is_Mul:
        above, below = expression.as_numer_denom()
        parts = [build.product([from_sympy(part) for part in side.args] if side.is_Mul else [from_sympy(side)]) for side in (above, below)]
        return build.over(*parts)
    if expression.is_Pow and not expression.base.is_Number:
        base, exponent = from_sympy(expression.base), from_sympy(expression.exp)
        value = build.constant(exponent)
        if value is not None and value < 0:
            return build.over(build.ONE, build.power(base, -value))
        return Apply("sqrt", (base,)) if value == Fraction(1, 2) else Apply("^", (base, exponent))
    if expression.is_Pow:
        return Apply("^", (from_sympy(expression.base), from_sympy(expression.exp)))
    plain = {"log": "ln", "Abs": "abs", "atan": "arctan"}
    heads = str(expression.func.__name__)
    if len(expression.args) == 1 and plain.get(heads, heads) in FUNCTIONS:
        return Apply(plain.get(heads, heads), (from_sympy(expression.args[0]),))
    named = {"Exp1": Name("e"), "Pi": Name("pi")}
    return named[heads]
