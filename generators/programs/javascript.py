"""Programs of the grammar written in JavaScript, and Python that means what such JavaScript means."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import indent
from typing import Any

from rlgym.core import syntax
from rlgym.core.config import Config, knob
from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.programs import drawing, interpreter
from rlgym.generators.programs.drawing import Arguments
from rlgym.generators.programs.expressions import Stopped
from rlgym.generators.programs.grammar import Shape
from rlgym.generators.programs.suites import Test

LARGEST = 2**40  # of the variables; so no number on the way is above what JavaScript has exactly
LONGEST = 7  # values in a list
COMPARED = {ast.Eq: "===", ast.NotEq: "!==", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
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
    python = returned(source, given)
    javascript = returned(as_if_javascript(source), given) if python else None
    if not python or not javascript or 7 * sum(first != second for first, second in zip(python, javascript, strict=True)) < len(given):
        return None
    return python, javascript


def inputs(rng: Rng, takes: str, count: int = 60) -> tuple[Arguments, ...]:
    """Arguments with short and long lists."""
    return tuple(drawing.arguments(rng, takes, rng.integer(1, LONGEST)) for _ in range(count))


def describe(takes: str) -> str:
    """What the program takes, in words."""
    return f"values, a list of 1 to {LONGEST} integers from -9 to 20" + ", and k, an integer from 0 to 9" * (takes == "both")


def returned(source: str, given: Sequence[Arguments], fuel: int = 1500) -> list[Any] | None:
    """What the program returns, tuples as lists; nothing if it fails on one of the inputs, or goes beyond the bounds."""
    try:
        program = interpreter.program(source)
        ends = [drawing.run(program, arguments, fuel, _bounded) for arguments in given]
    except Stopped:
        return None
    return None if any(end.raised for end in ends) else [as_list(end.value) for end in ends]


def as_list(value: Any) -> Any:
    """The value with lists for tuples, as JavaScript has it."""
    return [as_list(element) for element in value] if isinstance(value, list | tuple) else value


def _bounded(line: int, names: dict[str, Any]) -> None:
    for value in names.values():
        if isinstance(value, int) and not -LARGEST < value < LARGEST:
            raise Stopped("a number is too large")


def as_if_javascript(source: str, quirks: Sequence[str] = QUIRKS, other: bool = False) -> str:
    """A Python program in which the operators mean what they mean in JavaScript, and lists are returned for tuples."""
    changed = ast.unparse(ast.fix_missing_locations(_Meant(quirks).visit(syntax.program(source))))
    rest, quotient = (OTHER_REST, OTHER_QUOTIENT) if other else (REST, QUOTIENT)
    return rest * ("rest(" in changed) + quotient * ("quotient(" in changed) + changed


class _Meant(ast.NodeTransformer):
    def __init__(self, quirks: Sequence[str]) -> None:
        self._quirks = quirks

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return self._worked(node.left, node.op, node.right) or node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        name_node = ast.Name(node.target.id, ast.Load()) if isinstance(node.target, ast.Name) else None
        worked = name_node and self._worked(name_node, node.op, node.value)
        return ast.Assign([node.target], worked) if worked else node

    def _worked(self, left: ast.expr, operator: ast.operator, right: ast.expr) -> ast.expr | None:
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
        _Writer(source, exact, other).function(node) for node in syntax.program(source).body if isinstance(node, ast.FunctionDef)
    )


class _Writer:
    """Turns functions of the grammar into JavaScript."""

    def __init__(self, source: str, exact: Sequence[str], other: bool) -> None:
        self._exact, self._other = exact, other
        assigned = [
            node for node in ast.walk(syntax.program(source)) if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        ]
        named = [(node.targets[0].id, node.value) for node in assigned if isinstance(node.targets[0], ast.Name)]
        self._tables = {name for name, value in named if isinstance(value, ast.Dict)}
        self._lists = {"values"} | {name for name, value in named if isinstance(value, ast.List | ast.ListComp)}
        self._texts = {name for name, value in named if isinstance(value, ast.Constant) and isinstance(value.value, str)}

    def function(self, node: ast.FunctionDef) -> str:
        takes = [argument.arg for argument in node.args.args]
        stored = [part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]
        heads = [part.target for part in ast.walk(node) if isinstance(part, ast.For | ast.comprehension)]
        looped = {item.id for head in heads for item in ast.walk(head) if isinstance(item, ast.Name)}
        assigned = {name_node.id for part in ast.walk(node) if isinstance(part, ast.Assign | ast.AugAssign) for name_node in _stored(part)}
        names = [name for name in dict.fromkeys(stored) if name not in takes and (name in assigned or name not in looped)]
        first = [f"let {', '.join(names)};"] if names else []
        return f"function {node.name}({', '.join(takes)}) {{\n{indent(chr(10).join([*first, *self.block(node.body)]), '  ')}\n}}"

    def block(self, body: Sequence[ast.stmt]) -> list[str]:
        return [line for node in body for line in self.statement(node)]

    def inside(self, head: str, body: Sequence[ast.stmt]) -> list[str]:
        return [f"{head} {{", *(f"  {line}" for line in self.block(body)), "}"]

    def statement(self, node: ast.stmt) -> list[str]:
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                return [f"[{self.listed(targets)}] = [{self.listed(values)}];"]
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=key)], value=value) if name in self._tables:
                return [f"{name}.set({self.said(key)}, {self.said(value)});"]
            case ast.Assign(targets=[target], value=value):
                return [f"{self.said(target)} = {self.said(value)};"]
            case ast.AugAssign(target=ast.Name(id=name), value=ast.List(elts=items)):
                return [f"{name}.push({self.listed(items)});"]
            case ast.AugAssign(target=target, op=operator, value=value) if type(operator) in BINARY:
                return [f"{self.said(target)} {BINARY[type(operator)]}= {self.said(value)};"]
            case ast.AugAssign(target=target, op=operator, value=value):
                return [f"{self.said(target)} = {self.worked(target, operator, value)};"]
            case ast.For(target=target, iter=source, body=body):
                return self.inside(self.loop(target, source), body)
            case ast.While(test=test, body=body):
                return self.inside(f"while ({self.truth(test)})", body)
            case ast.If(test=test, body=body, orelse=rest):
                lines = self.inside(f"if ({self.truth(test)})", body)
                if len(rest) == 1 and isinstance(rest[0], ast.If):
                    first, *more = self.statement(rest[0])
                    return [*lines[:-1], f"}} else {first}", *more]
                return [*lines[:-1], *self.inside("} else", rest)] if rest else lines
            case ast.Return(value=ast.Tuple(elts=items)):
                return [f"return [{self.listed(items)}];"]
            case ast.Return(value=ast.expr() as value):
                return [f"return {self.said(value)};"]
            case ast.Expr(value=value):
                return [f"{self.said(value)};"]
        return [f"{ast.unparse(node)};"]  # break, continue and pass

    def loop(self, target: ast.expr, source: ast.expr) -> str:
        match target, source:
            case ast.Name(id=name), ast.Call(func=ast.Name(id="range"), args=numbers):
                start, stop = ("0", self.said(numbers[0])) if len(numbers) == 1 else map(self.said, numbers[:2])
                step = self.said(numbers[2]) if len(numbers) > 2 else "1"
                sign, change = (">", f" -= {step[1:]}") if step.startswith("-") else ("<", "++" if step == "1" else f" += {step}")
                return f"for (let {name} = {start}; {name} {sign} {stop}; {name}{change})"
            case ast.Tuple(elts=[first, second]), ast.Call(func=ast.Attribute(value=table)):
                return f"for (const [{self.said(first)}, {self.said(second)}] of {self.said(table)})"
        return f"for (const {self.said(target)} of {self.said(source)})"

    def listed(self, items: Sequence[ast.expr]) -> str:
        return ", ".join(map(self.said, items))

    def truth(self, node: ast.expr) -> str:
        match node:
            case ast.BoolOp(op=operator, values=values):
                parts = [self.truth(value) for value in values]
                return (" && " if isinstance(operator, ast.And) else " || ").join(parts)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"!({self.truth(operand)})"
            case ast.Name(id=name):
                return f"{name}.length > 0" if name in self._lists else f"{name} !== 0"
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn() as operator], comparators=[right]):
                return f"{'!' if isinstance(operator, ast.NotIn) else ''}{self.said(right)}.includes({self.said(left)})"
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                return f"{self.said(left)} {COMPARED[type(operator)]} {self.said(right)}"
        raise Stopped(f"no test is written for {ast.unparse(node)!r}")

    def said(self, node: ast.expr) -> str:
        match node:
            case ast.Name(id=name):
                return name
            case ast.Constant(value=value):
                return f'"{value}"' if isinstance(value, str) else str(value)
            case ast.UnaryOp(operand=operand):
                return f"-{self.said(operand)}"
            case ast.BinOp(left=left, op=ast.Add(), right=ast.List(elts=items)):
                return f"{self.said(left)}.concat([{self.listed(items)}])"
            case ast.BinOp(left=left, op=operator, right=right):
                return self.worked(left, operator, right)
            case ast.IfExp(test=test, body=body, orelse=rest):
                return f"({self.truth(test)} ? {self.said(body)} : {self.said(rest)})"
            case ast.List(elts=items):
                return f"[{self.listed(items)}]"
            case ast.Dict(keys=[]):
                return "new Map()"
            case ast.ListComp(elt=item, generators=[ast.comprehension(target=target, iter=source, ifs=[test])]):
                name = self.said(target)
                kept = f"{self.said(source)}.filter({name} => {self.truth(test)})"
                return kept if self.said(item) == name else f"{kept}.map({name} => {self.said(item)})"
            case ast.Subscript():
                return self.place(node)
            case ast.Call(func=ast.Name(id=name), args=given):
                return self.called(name, given)
            case ast.Call(func=ast.Attribute(value=of, attr=name), args=given):
                return self.method(self.said(of), name, [self.said(argument) for argument in given])
        raise Stopped(f"{ast.unparse(node)!r} is not written in JavaScript")

    def place(self, node: ast.Subscript) -> str:
        match node:
            case ast.Subscript(value=of, slice=ast.Slice(step=None)):
                return f"{self.said(of)}.slice()"
            case ast.Subscript(value=of, slice=ast.Slice()):
                return f"{self.said(of)}.slice().reverse()"
            case ast.Subscript(value=ast.Name(id=name), slice=key) if name in self._tables:
                return f"{name}.get({self.said(key)})"
            case ast.Subscript(value=of, slice=ast.Constant(value=str() | 0) | ast.Name() as key):
                return f"{self.said(of)}[{self.said(key)}]"
            case ast.Subscript(value=of, slice=ast.BinOp(left=ast.Name(), op=ast.FloorDiv()) as key):
                return f"{self.said(of)}[{self.said(key)}]"
            case ast.Subscript(value=of, slice=ast.UnaryOp(operand=key)):
                return f"{self.said(of)}[{self.said(of)}.length - {self.said(key)}]"
            case ast.Subscript(value=of, slice=key):
                # A number below 0 counts from the end in Python.
                return f"{self.said(of)}[({self.said(key)} + {self.said(of)}.length) % {self.said(of)}.length]"

    def worked(self, left: ast.expr, operator: ast.operator, right: ast.expr) -> str:
        first, second = self.closed(left), self.closed(right)
        if isinstance(operator, ast.FloorDiv):
            if "quotient" not in self._exact:
                return f"Math.trunc({first} / {second})"
            return (
                f"(({first} - (({first} % {second}) + {second}) % {second}) / {second})"
                if self._other
                else f"Math.floor({first} / {second})"
            )
        if isinstance(operator, ast.Mod):
            if "rest" not in self._exact:
                return f"{first} % {second}"
            return (
                f"({first} - {second} * Math.floor({first} / {second}))" if self._other else f"(({first} % {second}) + {second}) % {second}"
            )
        product = isinstance(operator, ast.Mult)
        plain = [
            self.closed(node) if product or (i and isinstance(node, ast.BinOp)) else self.said(node) for i, node in enumerate((left, right))
        ]
        return f"{plain[0]} {BINARY[type(operator)]} {plain[1]}"

    def closed(self, node: ast.expr) -> str:
        text = self.said(node)
        return f"({text})" if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.FloorDiv) else text

    def called(self, name: str, given: Sequence[ast.expr]) -> str:
        first = self.said(given[0])
        match name:
            case "len":
                return f"{first}.size" if first in self._tables else f"{first}.length"
            case "max" if len(given) == 1:
                table = first.partition(".")[0]
                return f"({table}.size ? Math.max(...{table}.values()) : 0)"
            case "abs" | "max" | "min":
                return f"Math.{name}({self.listed(given)})"
            case "sum":
                return f"{first}.reduce((sum, one) => sum + one, 0)"
            case "list":
                return f"[...{first}]"
            case "sorted":
                copied = f"[...{first}.keys()]" if first in self._tables else f"[...{first}]" if self._other else f"{first}.slice()"
                return f"{copied}.sort({'(p, q) => p - q' if 'order' in self._exact else ''})"
        return f"{name}({self.listed(given)})"

    def method(self, of: str, name: str, given: Sequence[str]) -> str:
        match name, given:
            case "append", [item]:
                return f"{of}.push({item})"
            case "pop", []:
                return f"{of}.pop()"
            case "pop", _:
                return f"{of}.shift()"
            case "get", [key, default]:
                return f"({of}.get({key}) ?? {default})"
            case "count", [part]:
                return f"({of}.split({part}).length - 1)"
            case "replace", [part, into]:
                return f"{of}.split({part}).join({into})"
            case "find", [part]:
                return f"{of}.indexOf({part})"
            case "values", []:
                return f"{of}.values()"
        raise Stopped(f"the method {name!r} is not written in JavaScript")


def _stored(node: ast.Assign | ast.AugAssign) -> list[ast.Name]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [part for target in targets for part in ast.walk(target) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]
