"""Counts how often something is done in a run: lines, tests, calls, and operations inside of lines."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from rlgym.core import syntax
from rlgym.generators.programs import drawing, interpreter
from rlgym.generators.programs.drawing import Arguments

OPERATORS: dict[str, type[ast.operator]] = {"+": ast.Add, "-": ast.Sub, "*": ast.Mult, "//": ast.FloorDiv, "%": ast.Mod}
COUNTER, CHANGER = "operated", "changed"


@dataclass(frozen=True)
class Countable:
    """Something that may be counted: what it is in words, and its number in the run."""

    words: str
    number: int
    line: int = 0


def lines(source: str, arguments: Arguments) -> list[Countable]:
    """How often each line of `solve` is done that is no head of a loop."""
    counts = drawing.run(interpreter.program(source), arguments).counts
    heads = ("def ", "for ", "while ", "else:", "try:", "finally:", "except", "elif ")
    start = source[: source.index("def solve")].count("\n") + 1
    kept = [number for number, line in enumerate(source.split("\n"), 1) if number > start and line and not line.lstrip().startswith(heads)]
    tested = {number for number, line in enumerate(source.split("\n"), 1) if line.lstrip().startswith("if ")}
    phrases = {number: f"the test in line {number} is evaluated" if number in tested else f"line {number} is executed" for number in kept}
    return [Countable(phrases[number], counts[number], number) for number in kept]


def tests(source: str, arguments: Arguments) -> list[Countable]:
    """How often the test of each `while` and `elif` is evaluated."""
    counts = drawing.run(interpreter.program(source), arguments).counts
    kept = [number for number, line in enumerate(source.split("\n"), 1) if line.lstrip().startswith(("while ", "elif "))]
    return [Countable(f"the test in line {number} is evaluated, whether it is true or false", counts[number]) for number in kept]


def calls(source: str, arguments: Arguments) -> list[Countable]:
    """How often each function other than `solve` is called."""
    tree = syntax.program(source)
    countables = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name != "solve":
            node.body.insert(0, ast.Pass())
            text = ast.unparse(ast.fix_missing_locations(tree))
            line = text[: text.index(f"def {node.name}(")].count("\n") + 2
            number = drawing.run(interpreter.program(text), arguments).counts[line]
            itself = any(isinstance(call, ast.Call) and ast.unparse(call.func) == node.name for call in ast.walk(node))
            countables.append(Countable(f"the function {node.name} is called{' (calls by itself count too)' * itself}", number))
            del node.body[0]
    return countables


def operations(source: str, arguments: Arguments) -> list[Countable]:
    """How often each operator between two values is evaluated, `+=` and its like included."""
    countables = []
    for sign, kind in OPERATORS.items():
        tree = ast.fix_missing_locations(_OperatorToCall(kind).visit(syntax.program(source)))
        counters = f"def {COUNTER}(a, b):\n    return a {sign} b\ndef {CHANGER}(a, b):\n    a {sign}= b\n    return a\n"
        counts = drawing.run(interpreter.program(counters + ast.unparse(tree)), arguments, fuel=4 * drawing.FUEL).counts
        changes = any(isinstance(node, ast.AugAssign) and isinstance(node.op, kind) for node in ast.walk(syntax.program(source)))
        countables.append(
            Countable(f"the operator {sign} is applied to two values{f' ({sign}= counts too)' * changes}", counts[2] + counts[4])
        )
    return countables


class _OperatorToCall(ast.NodeTransformer):
    """Puts a call in the place of each use of an operator; a list that is changed in place stays the same list."""

    def __init__(self, kind: type[ast.operator]) -> None:
        self._kind = kind

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return _call(COUNTER, node.left, node.right) if isinstance(node.op, self._kind) else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, self._kind):
            return node
        read = syntax.expression(ast.unparse(node.target))
        return ast.Assign([node.target], _call(CHANGER, read, node.value))


def _call(name: str, first: ast.expr, second: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), [first, second], [])
