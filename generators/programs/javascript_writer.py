"""Writes programs of a part of Python as JavaScript."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from textwrap import indent

from rlgym.core import syntax
from rlgym.generators.programs.bounded_operators import Stopped

COMPARED = {ast.Eq: "===", ast.NotEq: "!==", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}


class Writer:
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
        assigned = {
            name_node.id for part in ast.walk(node) if isinstance(part, ast.Assign | ast.AugAssign) for name_node in _assigned_names(part)
        }
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
            case ast.Pass():
                return []
        return [f"{ast.unparse(node)};"]  # break and continue

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


def _assigned_names(node: ast.Assign | ast.AugAssign) -> list[ast.Name]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [part for target in targets for part in ast.walk(target) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]
