"""Conditions on integers: comparisons of linear terms, joined with and, or and not."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rlgym.core import syntax
from rlgym.core.answer import Answer, Unreadable
from rlgym.core.layout import PROGRAM
from rlgym.core.layout.layers import Layers

_TOKEN = re.compile(r"[A-Za-z_][A-Za-z_0-9]*|\d+|==|!=|<=|>=|//|[-+*%()<>]|\s+")
_COMPARED = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
MOST_DIGITS, MOST_NODES, MOST_DEPTH = 9, 600, 40


@dataclass(frozen=True)
class Condition(Answer[str]):
    """One condition in Python's notation over named integers, as text with plain spaces.

    Numbers, names, + - and * with a number on one side, // and % by a positive number, comparisons (also chained), and, or,
    not, True, False and brackets. `parts` names several conditions of one answer, each on a line `name: ...`.
    """

    instructions: str = "one condition on the variables, in Python's notation"
    names: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    max_characters: int = 3000
    layers: ClassVar[Layers] = PROGRAM
    format: ClassVar[str] = "condition"

    def parse(self, text: str) -> str:
        plain = text.strip().strip("`").strip()
        if len(plain) > self.max_characters:
            raise Unreadable(f"expected at most {self.max_characters} characters, got {len(plain)}")
        if not self.parts:
            return self._one(plain)
        lines = [line.strip() for line in plain.split("\n") if line.strip()]
        fields = dict(line.partition(":")[::2] for line in lines)
        if len(lines) != len(self.parts) or {name.strip().lower() for name in fields} != set(self.parts):
            raise Unreadable(f"expected {len(self.parts)} lines, opening with {' and '.join(f'{part}:' for part in self.parts)}")
        conditions = {name.strip().lower(): self._one(condition.strip()) for name, condition in fields.items()}
        return "\n".join(f"{part}: {conditions[part]}" for part in self.parts)

    def _one(self, text: str) -> str:
        return read_formula(text, frozenset(self.names))

    def render(self, value: str) -> str:
        return value

    def variants(self, value: str) -> Iterator[str]:
        yield from (f"  {value}\n", f"`{value}`", "\n".join(_add_brackets(line, bool(self.parts)) for line in value.split("\n")))
        if self.parts:
            yield "\n\n".join(line.replace(": ", " :   ", 1) for line in reversed(value.split("\n")))

    def near_misses(self, value: str) -> Iterator[str]:
        last = value.split("\n")[-1]
        head, name = value[: len(value) - len(last)], last.partition(": ")[0] + ": " if self.parts else ""
        condition = last.removeprefix(name)
        yield f"{head}{name}not ({condition})" if not condition.startswith("not ") else f"{head}{name}{condition[4:]}"


def read_formula(text: str, names: frozenset[str], *, wants_number: bool = False, products: bool = False) -> str:
    """A condition, or with `wants_number` a term, with plain spaces; Unreadable where it is none. `products` allows * between any terms."""
    tokens = _TOKEN.findall(text)
    if not text or "".join(tokens) != text:
        raise Unreadable(f"expected a condition of integers, names and the operators that are allowed, got {text[:60]!r}")
    if any(token.isdigit() and len(token) > MOST_DIGITS for token in tokens):
        raise Unreadable(f"a number may have at most {MOST_DIGITS} digits")
    depth = deepest = 0
    for token in tokens:
        depth += (token == "(") - (token == ")")
        deepest = max(deepest, depth)
    if deepest > MOST_DEPTH or sum(not token.isspace() for token in tokens) > MOST_NODES:
        raise Unreadable(f"expected at most {MOST_NODES} signs and names, nested at most {MOST_DEPTH} deep")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = syntax.expression(" ".join(text.split()))
        except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
            raise Unreadable(f"not a condition: {str(error)[:60]}") from None
    _check_node(tree, names, wants_number=wants_number, products=products)
    return ast.unparse(tree)


def _add_brackets(line: str, named: bool) -> str:
    name, sign, condition = line.partition(": ") if named else ("", "", line)
    return f"{name}{sign}({condition})"


def _check_node(node: ast.expr, names: frozenset[str], *, wants_number: bool, products: bool) -> None:
    match node:
        case ast.Constant(value=bool()) if not wants_number:
            return
        case ast.Constant(value=int()) if wants_number and not isinstance(node.value, bool):
            return
        case ast.Name(id=name) if wants_number:
            if name not in names:
                raise Unreadable(f"there is no variable {name[:30]!r}; there are {', '.join(sorted(names))}")
            return
        case ast.BinOp(op=ast.Add() | ast.Sub(), left=left, right=right) if wants_number:
            parts = [left, right]
        case ast.BinOp(op=ast.Mult(), left=left, right=right) if wants_number and (products or _is_number(left) or _is_number(right)):
            parts = [left, right]
        case ast.BinOp(op=ast.FloorDiv() | ast.Mod(), left=left, right=ast.Constant(value=int(by))) if wants_number and by > 0:
            parts = [left]
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=inner) if wants_number:
            parts = [inner]
        case ast.Compare() if not wants_number and all(isinstance(operator, _COMPARED) for operator in node.ops):
            for part in (node.left, *node.comparators):
                _check_node(part, names, wants_number=True, products=products)
            return
        case ast.BoolOp(values=values) if not wants_number:
            parts = values
        case ast.UnaryOp(op=ast.Not(), operand=inner) if not wants_number:
            parts = [inner]
        case _:
            kind = "a number" if wants_number else "a condition"
            raise Unreadable(f"{ast.unparse(node)[:60]!r} is not allowed where {kind} is expected")
    for part in parts:
        _check_node(part, names, wants_number=wants_number, products=products)


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        node = node.operand
    return isinstance(node, ast.Constant) and type(node.value) is int
