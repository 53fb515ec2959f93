"""The nodes of expression trees, how large a tree is, and its exact value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

FUNCTIONS = ("sin", "cos", "tan", "arctan", "exp", "ln", "sqrt", "abs")
CONSTANTS = ("pi", "e")


@dataclass(frozen=True, slots=True)
class Number:
    """A number as its digits spell it: not below zero, an integer or a finite decimal, held exactly."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Name:
    """A variable, or one of the constants pi and e."""

    text: str


@dataclass(frozen=True, slots=True)
class Apply:
    """An operator `+ - * / ^` on two parts, or `neg` or a function on one."""

    head: str
    parts: tuple[Tree, ...]


Tree = Number | Name | Apply


class Undefined(ArithmeticError):
    """An expression has no value there, or one too large to compute."""


def number(value: Fraction | int) -> Tree:
    """The tree of a rational number, as `read` would make it: a negative one has a sign, a fraction a stroke."""
    if value < 0:
        return Apply("neg", (number(-value),))
    if value.denominator == 1:
        return Number(Fraction(value))
    return Apply("/", (Number(Fraction(value.numerator)), Number(Fraction(value.denominator))))


def walk(tree: Tree) -> Iterator[Tree]:
    """The tree and everything below it, in the order of writing."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, Apply):
            waiting += reversed(node.parts)


def size(tree: Tree) -> int:
    """How many numbers, names, operators, signs and functions the tree has; brackets do not count."""
    return sum(1 for _ in walk(tree))


def depth(tree: Tree) -> int:
    """How many nodes lie on the longest way down."""
    deepest, ring = 0, [tree]
    while ring:
        deepest, ring = deepest + 1, [part for node in ring if isinstance(node, Apply) for part in node.parts]
    return deepest


def exact(tree: Tree, values: Mapping[str, Fraction] | None = None, max_bits: int = 4000) -> Fraction:
    """The exact value of a tree of numbers, names with a value, and operators; Undefined where there is none."""
    match tree:
        case Number(value):
            return value
        case Name(text):
            if values is None or text not in values:
                raise Undefined(f"{text} has no exact value")
            return values[text]
        case Apply("neg", (only,)):
            return -exact(only, values, max_bits)
        case Apply(head, (first, second)):
            return _require_bits(_combine(head, exact(first, values, max_bits), exact(second, values, max_bits), max_bits), max_bits)
        case _:
            raise Undefined("a function has no exact value")


def _combine(head: str, left: Fraction, right: Fraction, max_bits: int) -> Fraction:
    if head == "+":
        return left + right
    if head == "-":
        return left - right
    if head == "*":
        return left * right
    if head == "/":
        if not right:
            raise Undefined("division by zero")
        return left / right
    if right.denominator != 1 or (not left and right < 0):
        raise Undefined("the power has no rational value")
    bits = max(left.numerator.bit_length(), left.denominator.bit_length())
    if bits > 1 and abs(right) * bits > max_bits:
        raise Undefined("the power is too large")
    return Fraction(left ** int(right)) if abs(left) != 1 else left ** (int(right) % 2)


def _require_bits(value: Fraction, max_bits: int) -> Fraction:
    if value.numerator.bit_length() + value.denominator.bit_length() > 2 * max_bits:
        raise Undefined("the value is too large")
    return value
