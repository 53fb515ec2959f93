"""Programs of the grammar written in JavaScript, and Python that means what such JavaScript means."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rlgym.core import syntax
from rlgym.core.config import Config, knob
from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.programs import drawing, interpreter
from rlgym.generators.programs.bounded_operators import Stopped
from rlgym.generators.programs.drawing import Arguments
from rlgym.generators.programs.grammar_expressions import Shape
from rlgym.generators.programs.javascript_writer import Writer
from rlgym.generators.programs.suites import Test

LARGEST = 2**40  # of the variables; so no number on the way is above what JavaScript has exactly
LONGEST = 7  # values in a list
REST = "def rest(a, b):\n    return a % b if a >= 0 else -(-a % b)\n\n"
QUOTIENT = "def quotient(a, b):\n    return a // b if a >= 0 else -(-a // b)\n\n"
OTHER_REST = "def rest(a, b):\n    return abs(a) % b * (1 if a > 0 else -1)\n\n"
OTHER_QUOTIENT = "def quotient(a, b):\n    return (a + (b - 1 if a < 0 else 0)) // b\n\n"
QUIRKS = ("rest", "quotient", "order")


@dataclass(frozen=True)
class Drawn:
    """A program of the grammar, inputs for it, what it returns, and what JavaScript in its words returns."""

    source: str
    takes: str
    inputs: tuple[Arguments, ...]
    python: tuple[Any, ...]
    javascript: tuple[Any, ...]


class Knobs(Config):
    """What makes a program hard to translate."""

    blocks: int = knob(3, easy=2, hard=4, doc="loops and other blocks in the program")
    kinds: int = knob(6, easy=3, hard=12, doc="how many kinds of blocks there are to draw from, plain ones first")
    nesting: int = knob(1, easy=0, hard=3, doc="how deep conditions and loops are put into each other")
    helpers: int = knob(1, easy=0, hard=2, doc="further functions that are called")


class Data(TaskData):
    source: str
    takes: str
    tests: tuple[Test, ...]


def sample(rng: Rng, knobs: Knobs) -> Drawn:
    """A program for which Python and JavaScript come to different results for a seventh of the inputs or more."""
    while True:
        shape = Shape(rng.choice(("list", "both")), knobs.blocks, knobs.kinds, knobs.nesting, knobs.helpers)
        source = drawing.lively(rng, shape, longest=LONGEST, inputs=4).program.source
        given = inputs(rng, shape.takes)
        # Most programs that are no use are found out by the first inputs.
        if not any(mark in source for mark in (" % ", "//", "sorted(")) or not _outputs_of_both(source, given[:5]):
            continue
        if outputs := _outputs_of_both(source, given):
            return Drawn(source, shape.takes, given, tuple(outputs[0]), tuple(outputs[1]))


def _outputs_of_both(source: str, given: Sequence[Arguments]) -> tuple[list[Any], list[Any]] | None:
    python = run_program(source, given)
    javascript = run_program(as_if_javascript(source), given) if python else None
    if not python or not javascript or 7 * sum(first != second for first, second in zip(python, javascript, strict=True)) < len(given):
        return None
    return python, javascript


def inputs(rng: Rng, takes: str, count: int = 60) -> tuple[Arguments, ...]:
    """Arguments with short and long lists."""
    return tuple(drawing.arguments(rng, takes, rng.integer(1, LONGEST)) for _ in range(count))


def describe(takes: str) -> str:
    """What the program takes, in words."""
    return f"values, a list of 1 to {LONGEST} integers from -9 to 20" + ", and k, an integer from 0 to 9" * (takes == "both")


def run_program(source: str, given: Sequence[Arguments], fuel: int = 1500) -> list[Any] | None:
    """What the program returns, tuples as lists; nothing if it fails on one of the inputs, or goes beyond the bounds."""
    try:
        program = interpreter.program(source)
        ends = [drawing.run(program, arguments, fuel, _require_bounds) for arguments in given]
    except Stopped:
        return None
    return None if any(end.raised for end in ends) else [as_list(end.value) for end in ends]


def as_list(value: Any) -> Any:
    """The value with lists for tuples, as JavaScript has it."""
    return [as_list(element) for element in value] if isinstance(value, list | tuple) else value


def _require_bounds(line: int, names: dict[str, Any]) -> None:
    for value in names.values():
        if isinstance(value, int) and not -LARGEST < value < LARGEST:
            raise Stopped("a number is too large")


def as_if_javascript(source: str, quirks: Sequence[str] = QUIRKS, other: bool = False) -> str:
    """A Python program in which the operators mean what they mean in JavaScript, and lists are returned for tuples."""
    changed = ast.unparse(ast.fix_missing_locations(_JavaScriptOperators(quirks).visit(syntax.program(source))))
    rest, quotient = (OTHER_REST, OTHER_QUOTIENT) if other else (REST, QUOTIENT)
    return rest * ("rest(" in changed) + quotient * ("quotient(" in changed) + changed


class _JavaScriptOperators(ast.NodeTransformer):
    def __init__(self, quirks: Sequence[str]) -> None:
        self._quirks = quirks

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return self._quirk_call(node.left, node.op, node.right) or node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        name_node = ast.Name(node.target.id, ast.Load()) if isinstance(node.target, ast.Name) else None
        worked = name_node and self._quirk_call(name_node, node.op, node.value)
        return ast.Assign([node.target], worked) if worked else node

    def _quirk_call(self, left: ast.expr, operator: ast.operator, right: ast.expr) -> ast.expr | None:
        name = {ast.Mod: "rest", ast.FloorDiv: "quotient"}.get(type(operator), "")
        return ast.Call(ast.Name(name, ast.Load()), [left, right], []) if name in self._quirks else None

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "sorted" and "order" in self._quirks:
            node.keywords = [ast.keyword("key", ast.Name("str", ast.Load()))]
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        self.generic_visit(node)
        return ast.Return(ast.List(node.value.elts, ast.Load())) if isinstance(node.value, ast.Tuple) else node


def write(source: str, exact: Sequence[str] = (), other: bool = False) -> str:
    """The program in JavaScript.

    exact  which of QUIRKS are written so that they mean what they mean in Python; the rest is written as if the two agreed
    other  another way to write what is exact
    """
    return "\n\n".join(
        Writer(source, exact, other).function(node) for node in syntax.program(source).body if isinstance(node, ast.FunctionDef)
    )
