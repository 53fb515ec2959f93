"""Small faults of a program, each in one place of one line, and other ways of writing the same program."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from rlgym.core import syntax
from rlgym.core.rng import Rng

SIGNS: dict[type[ast.AST], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Add: "+",
    ast.Sub: "-",
    ast.And: " and ",
    ast.Or: " or ",
}
COMPARED = ("<", "<=", ">", ">=", "==", "!=")
EXCHANGED = {"+": "-", "-": "+", " and ": " or ", " or ": " and ", "min": "max", "max": "min"}
MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.Gt: ast.Lt,
    ast.LtE: ast.GtE,
    ast.GtE: ast.LtE,
    ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
}
OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
WORDS = (
    "one of the operators <, <=, >, >=, ==, != was written for another one of them",
    "a whole number is too large or too small by one (the right number is not negative)",
    "+ was written for - or - for + (also in += and -=)",
    "min was written for max or max for min",
    "and was written for or, or or for and",
)


@dataclass(frozen=True)
class Fault:
    """A program that differs from another one in this line, and which of WORDS it is."""

    line: int
    source: str
    kind: int


def faults(source: str) -> list[Fault]:
    """All programs that differ from this one by one fault, in the order of the text."""
    lines, candidates = source.split("\n"), []
    for node in ast.walk(syntax.program(source)):
        for kind, start, end, text in _edits(node, lines):
            number = node.lineno  # type: ignore[attr-defined]
            line = lines[number - 1]
            changed = [*lines[: number - 1], line[:start] + text + line[end:], *lines[number:]]
            candidates.append((number, start, Fault(number, "\n".join(changed), kind)))
    return [fault for *_, fault in sorted(candidates, key=lambda candidate: candidate[:2])]


def _edits(node: ast.AST, lines: list[str]) -> Iterator[tuple[int, int, int, str]]:
    """Kind, the place in the line, and the text that is put there."""
    match node:
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            for other in (value + 1, value - 1):
                if other >= 0:
                    yield 1, node.col_offset, node.end_col_offset or 0, str(other)
        case ast.Call(func=ast.Name(id="min" | "max" as name) as called):
            yield 3, called.col_offset, called.end_col_offset or 0, EXCHANGED[name]
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in SIGNS:
            sign = SIGNS[type(op)]
            yield from (_between(0, left, right, lines, sign, other) for other in COMPARED if other != sign)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as plus, right=right):
            sign = SIGNS[type(plus)]
            yield _between(2, left, right, lines, sign, EXCHANGED[sign])
        case ast.AugAssign(target=target, op=ast.Add() | ast.Sub() as plus, value=value):
            sign = SIGNS[type(plus)]
            yield _between(2, target, value, lines, sign, EXCHANGED[sign])
        case ast.BoolOp(op=both, values=[left, right]):
            sign = SIGNS[type(both)]
            yield _between(4, left, right, lines, sign, EXCHANGED[sign])


def _between(kind: int, left: ast.expr, right: ast.expr, lines: list[str], sign: str, other: str) -> tuple[int, int, int, str]:
    start, end = left.end_col_offset or 0, right.col_offset
    place = lines[left.lineno - 1].index(sign, start, end)
    return kind, place, place + len(sign), other


def normalize_source(source: str) -> str:
    """The program as ast would write it, which faults and rewritings start from."""
    return ast.unparse(syntax.program(source))


def rewrite(rng: Rng, source: str, percent: int) -> str:
    """The program written in another way: each place that can be turned round is, with this chance. Of lists in sums it is not sure."""
    return ast.unparse(ast.fix_missing_locations(_Rewriter(rng, percent).visit(syntax.program(source))))


def _negate(test: ast.expr) -> ast.expr:
    match test:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in OPPOSITE:
            return ast.Compare(left, [OPPOSITE[type(op)]()], [right])
        case ast.BoolOp(op=op, values=values):
            return ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), [_negate(value) for value in values])
    return ast.UnaryOp(ast.Not(), test)


class _Rewriter(ast.NodeTransformer):
    def __init__(self, rng: Rng, percent: int) -> None:
        self._rng, self._percent = rng, percent

    def visit(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        return self._swap_operands(node) if self._rng.integer(1, 100) <= self._percent else node

    def _swap_operands(self, node: ast.AST) -> ast.AST:
        match node:
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                return ast.Assign([node.target], ast.BinOp(ast.Name(name, ast.Load()), op, value))
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in MIRRORED:
                return ast.Compare(right, [MIRRORED[type(op)]()], [left])
            case ast.BinOp(left=left, op=ast.Add() | ast.Mult() as op, right=right):
                return ast.BinOp(right, op, left)
            case ast.Call(func=ast.Name(id="max" | "min") as name, args=[first, second]):
                return ast.Call(name, [second, first], node.keywords)
            case ast.Call(func=ast.Name(id="abs") as name, args=[ast.BinOp(left=left, op=ast.Sub(), right=right)]):
                return ast.Call(name, [ast.BinOp(right, ast.Sub(), left)], [])
            case ast.Call(func=ast.Name(id="range") as name, args=[only]):
                return ast.Call(name, [ast.Constant(0), only], [])
            case ast.If(test=test, body=body, orelse=[_, *_] as second):
                return ast.If(_negate(test), second, body)
            case ast.IfExp(test=test, body=yes, orelse=no):
                return ast.IfExp(_negate(test), no, yes)
        return node
