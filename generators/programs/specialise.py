"""Writes a function out as a program once its keyword arguments are known: what they determine is evaluated, and unreachable code is dropped."""

from __future__ import annotations

import ast
import inspect
import operator
import textwrap
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from rlgym.core import syntax
from rlgym.generators.programs.suites import Meaning
from rlgym.generators.programs.unused import is_pure, without_unused

Rules = Mapping[str, Any]
COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda item, many: item in many,
    ast.NotIn: lambda item, many: item not in many,
}
WORKED: dict[type[ast.operator], Callable[[int, int], int]] = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}


def reference_to(function: Meaning) -> str:
    """A function by its name and its module, or the package around that which exports it, as `program` takes it.

    The data of tasks hold such references, so that functions may move between the files of a package.
    """
    package = function.__module__.rpartition(".")[0]
    exported = getattr(import_module(package), function.__qualname__, None) is function
    return f"{package if exported else function.__module__}:{function.__qualname__}"


@lru_cache(maxsize=512)
def program(function: str, rules: str) -> str:
    """The program `solve` that the function is once its keyword arguments are these; both as texts."""
    module, _, name = function.partition(":")
    return specialised_source(getattr(import_module(module), name), ast.literal_eval(rules))


def specialised_source(function: Meaning, rules: Rules) -> str:
    """The program `solve` that a function is once its keyword arguments are these.

    The functions of its module that it calls come with it, each once for every set of keyword arguments that it is called with.
    """
    texts: list[str] = []
    names: dict[tuple[str, str], str] = {}

    def write(meaning: Meaning, known: Rules, name: str) -> None:
        tree = _Specialised(known, _helpers(meaning), called).visit(_parse_function(meaning))
        tree.name = name
        texts.append(ast.unparse(ast.fix_missing_locations(without_unused(tree))))

    def called(helper: Meaning, known: Rules) -> str:
        key = helper.__name__, repr(known)
        if key not in names:
            like = sum(name == helper.__name__ for name, _ in names)
            names[key] = helper.__name__ if not like else f"{helper.__name__}_{like + 1}"
            write(helper, known, names[key])
        return names[key]

    write(function, rules, "solve")
    return "\n\n".join(texts)


@cache
def _helpers(function: Meaning) -> dict[str, Meaning]:
    around = inspect.unwrap(function).__globals__
    names = dict.fromkeys(node.id for node in ast.walk(_parse_function(function)) if isinstance(node, ast.Name))
    return {name: around[name] for name in names if inspect.isfunction(around.get(name))}


@cache
def _source(function: Meaning) -> str:
    return textwrap.dedent(inspect.getsource(function))


def _parse_function(function: Meaning) -> ast.FunctionDef:
    tree = syntax.program(_source(function)).body[0]
    assert isinstance(tree, ast.FunctionDef)
    tree.args.kwonlyargs, tree.args.kw_defaults, tree.args.kwarg = [], [], None
    if isinstance(tree.body[0], ast.Expr) and isinstance(tree.body[0].value, ast.Constant):
        del tree.body[0]
    return tree


class _Specialised(ast.NodeTransformer):
    """Puts values for names, works out what is then known and drops what is never done; annotations go."""

    def __init__(self, rules: Rules, helpers: Mapping[str, Meaning], called: Callable[[Meaning, Rules], str]) -> None:
        self._rules, self._helpers, self._called = rules, helpers, called

    def visit(self, node: ast.AST) -> Any:
        changed = super().visit(node)
        if isinstance(changed, ast.FunctionDef | ast.For | ast.While | ast.If) and not changed.body:
            changed.body = [ast.Pass()]
        return changed

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        self.generic_visit(node)
        ends = next((i for i, statement in enumerate(node.body) if isinstance(statement, ast.Return)), len(node.body))
        node.body = node.body[: ends + 1]
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(node.arg)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        assert node.value
        return self.generic_visit(ast.Assign([node.target], node.value))

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if isinstance(node.ctx, ast.Load) and node.id in self._rules:
            value = self._rules[node.id]
            return ast.Constant(value) if isinstance(value, str | bool | None) else syntax.expression(repr(value))
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self._helpers:
            known = {str(given.arg): ast.literal_eval(given.value) for given in node.keywords}
            node.keywords = []
            node.func.id = self._called(self._helpers[node.func.id], known)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        sought_in_nothing = len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn) and _is_empty(node.comparators[0])
        if sought_in_nothing and is_pure(node.left):
            return ast.Constant(isinstance(node.ops[0], ast.NotIn))
        # Of a chain, the comparisons of two known values go; one that does not hold decides the whole.
        while node.ops and _is_known(node.left) and _is_known(node.comparators[0]):
            if not _compare(node.left, node.ops[0], node.comparators[0]):
                return ast.Constant(False)
            node = ast.Compare(node.comparators[0], node.ops[1:], node.comparators[1:])
        while len(node.ops) > 1 and _is_known(node.comparators[-2]) and _is_known(node.comparators[-1]):
            if not _compare(node.comparators[-2], node.ops[-1], node.comparators[-1]) and is_pure(node.left):
                return ast.Constant(False)
            node = ast.Compare(node.left, node.ops[:-1], node.comparators[:-1])
        return node if node.ops else ast.Constant(True)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not) and _is_known(node.operand):
            return ast.Constant(not ast.literal_eval(node.operand))
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        decides = isinstance(node.op, ast.Or)  # the truth that ends it
        operands: list[ast.expr] = []
        for part in node.values:
            if not (isinstance(part, ast.Constant) and isinstance(part.value, bool)):
                operands.append(part)
            elif part.value == decides:
                operands.append(ast.Constant(decides))
                break
        if not operands:
            return ast.Constant(not decides)
        if isinstance(operands[-1], ast.Constant) and operands[-1].value is decides and all(map(is_pure, operands)):
            return ast.Constant(decides)
        return operands[0] if len(operands) == 1 or (isinstance(operands[0], ast.Constant)) else ast.BoolOp(node.op, operands)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if (sign := WORKED.get(type(node.op))) and _is_number(node.left) and _is_number(node.right):
            return syntax.expression(repr(sign(ast.literal_eval(node.left), ast.literal_eval(node.right))))
        if isinstance(node.op, ast.Add) and isinstance(node.right, ast.Constant) and node.right.value == "":
            return node.left
        neutral = {ast.Add: 0, ast.Sub: 0, ast.Mult: 1, ast.FloorDiv: 1}.get(type(node.op))
        if neutral is not None and isinstance(node.right, ast.Constant) and node.right.value == neutral and type(node.right.value) is int:
            return node.left
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        test = self.visit(node.test)
        if _is_known(test):
            only: ast.AST = self.visit(node.body if ast.literal_eval(test) else node.orelse)
            return only
        return ast.IfExp(test, self.visit(node.body), self.visit(node.orelse))

    def visit_If(self, node: ast.If) -> Any:
        test = self.visit(node.test)
        if _is_known(test):
            return self._each(node.body if ast.literal_eval(test) else node.orelse)
        return ast.If(test, self._each(node.body), self._each(node.orelse))

    def _each(self, body: list[ast.stmt]) -> list[ast.stmt]:
        changed = [self.visit(statement) for statement in body]
        return [statement for some in changed for statement in (some if isinstance(some, list) else [some])]

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Dict) and isinstance(node.slice, ast.Constant):
            for key, value in zip(node.value.keys, node.value.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == node.slice.value:
                    return value
        return node


def _is_number(node: ast.expr) -> bool:
    return _is_known(node) and type(ast.literal_eval(node)) is int


def _is_empty(node: ast.expr) -> bool:
    return isinstance(node, ast.Tuple) and not node.elts


def _compare(left: ast.expr, sign: ast.cmpop, right: ast.expr) -> bool:
    return bool(COMPARED[type(sign)](ast.literal_eval(left), ast.literal_eval(right)))


def _is_known(node: ast.AST) -> bool:
    if isinstance(node, ast.Tuple):
        return all(map(_is_known, node.elts))
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant)
    return isinstance(node, ast.Constant)
