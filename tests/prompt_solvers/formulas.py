"""Reads the formulas of the prompts into trees: tuples of an operator and its operands, with words as leaves."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import z3

Tree = Any
INFIX = [["<->"], ["->"], ["xor", "nand"], ["until", "release", "unless"], ["or"], ["and"]]
TOKEN = re.compile(r"<->|->|!=|\[\w\*?\]|<\w\*?>|[(),:=]|\w+")
TRUTH: dict[str, Callable[..., bool]] = {
    "not": lambda a: not a,
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "->": lambda a, b: not a or b,
    "<->": lambda a, b: a == b,
    "xor": lambda a, b: a != b,
    "nand": lambda a, b: not (a and b),
}
LOGIC: dict[str, Callable[..., z3.BoolRef]] = {"not": z3.Not, "and": z3.And, "or": z3.Or, "->": z3.Implies, "if": z3.Implies}


class Reader:
    """A recursive descent reader; a quantifier reaches over one operand, or over all that follows if `wide`."""

    def __init__(self, text: str, wide: bool = False) -> None:
        self.tokens, self.wide = [*TOKEN.findall(text), ""], wide

    def take(self, *expected: str) -> str:
        token = self.tokens.pop(0)
        if expected and token not in expected:
            raise ValueError(f"{token!r} in place of {expected!r}")
        return token

    def formula(self, level: int = 0) -> Tree:
        if level == len(INFIX):
            return self.operand()
        left = self.formula(level + 1)
        while self.tokens[0] in INFIX[level]:
            operator = self.take()
            right = self.formula(level if operator in ("->", "until", "release", "unless") else level + 1)
            left = (operator, left, right)
        return left

    def operand(self) -> Tree:
        token = self.take()
        if token == "(":
            inner = self.formula()
            self.take(")")
            return inner
        if token in ("not", "next", "eventually", "always") or token[0] in "[<":
            return (token, self.operand())
        if token == "if":
            condition = self.formula()
            self.take("then")
            return ("if", condition, self.formula())
        if token in ("for", "there") and self.tokens[0] in ("every", "all", "some", "is"):
            quantifier, variable = self.take(), self.take()
            if self.tokens[0] == ":":
                self.take()
                return (quantifier, variable, self.formula() if self.wide else self.operand())
            return (quantifier, variable, self.operand())
        if self.tokens[0] == "(":
            self.take()
            arguments = [self.take()]
            while self.take(",", ")") == ",":
                arguments.append(self.take())
            return (token, *arguments)
        if self.tokens[0] in ("=", "!="):
            return (self.take(), token, self.take())
        return token


def read(text: str, wide: bool = False) -> Tree:
    """The tree of a whole formula."""
    reader = Reader(text, wide)
    tree = reader.formula()
    reader.take("")
    return tree


def true_in(tree: Tree, valuation: dict[str, bool]) -> bool:
    """The truth value of a propositional formula."""
    if isinstance(tree, str):
        return valuation[tree]
    return bool(TRUTH[tree[0]](*[true_in(part, valuation) for part in tree[1:]]))


def grounded(tree: Tree, domain: list[str], values: dict[str, str]) -> z3.BoolRef:
    """A first-order formula over a finite domain as a propositional one; `values` are those of its free variables."""
    if tree[0] in ("every", "all", "some", "is"):
        parts = [grounded(tree[2], domain, {**values, tree[1]: thing}) for thing in domain]
        return z3.And(parts) if tree[0] in ("every", "all") else z3.Or(parts)
    if tree[0] in LOGIC:
        return LOGIC[tree[0]](*[grounded(part, domain, values) for part in tree[1:]])
    arguments = [values.get(name, name) for name in tree[1:]]
    if tree[0] in ("=", "!="):
        return z3.BoolVal((arguments[0] == arguments[1]) == (tree[0] == "="))
    return atom(tree[0], arguments)


def atom(predicate: str, arguments: list[str]) -> z3.BoolRef:
    """The variable for a predicate of things."""
    return z3.Bool(f"{predicate}({', '.join(arguments)})")
