"""Takes out of a function what its other lines do not use: imports, inner functions, variables, tests that decide nothing."""

from __future__ import annotations

import ast


def without_unused(function: ast.FunctionDef) -> ast.FunctionDef:
    """The function with nothing in it that has no effect; the tree is changed."""
    while True:
        used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        outer = {name for node in ast.walk(function) if isinstance(node, ast.Nonlocal) for name in node.names}
        cleaner = _Cleaner(used | outer)
        cleaner.generic_visit(function)
        if not cleaner.changed:
            return function


class _Cleaner(ast.NodeTransformer):
    def __init__(self, used: set[str]) -> None:
        self._used, self.changed = used, False

    def visit_Import(self, node: ast.Import) -> ast.AST | None:
        return self._kept(node, any((alias.asname or alias.name) in self._used for alias in node.names))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST | None:
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return self._kept(node, node.name in self._used)

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        names = [part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name)]
        plain = all(isinstance(target, ast.Name) for target in node.targets)
        return self._kept(node, not plain or not is_pure(node.value) or any(name in self._used for name in names))

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | None:
        idle = isinstance(node.op, ast.Add | ast.Sub) and isinstance(node.value, ast.Constant) and node.value.value == 0
        return self._kept(node, not (idle and isinstance(node.target, ast.Name)))

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node

    def visit_If(self, node: ast.If) -> ast.AST | None:
        self.generic_visit(node)
        idle = not node.body or all(isinstance(statement, ast.Pass) for statement in node.body)
        if idle and node.orelse:
            self.changed = True
            return ast.If(ast.UnaryOp(ast.Not(), node.test), node.orelse, [])
        node.body = node.body or [ast.Pass()]
        return self._kept(node, not idle or not is_pure(node.test))

    def _kept(self, node: ast.AST, kept: bool) -> ast.AST | None:
        self.changed |= not kept
        return node if kept else None


def is_pure(node: ast.expr) -> bool:
    """Whether evaluating an expression can neither fail nor change anything, as far as its form tells."""
    match node:
        case ast.Constant() | ast.Name():
            return True
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts) | ast.BoolOp(values=parts):
            return all(map(is_pure, parts))
        case ast.Dict(keys=keys, values=values):
            return all(key is not None and is_pure(key) for key in keys) and all(map(is_pure, values))
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return is_pure(inner)
        case ast.Compare(left=left, ops=ops, comparators=others):
            return all(isinstance(sign, ast.Eq | ast.NotEq | ast.Is | ast.IsNot | ast.In | ast.NotIn) for sign in ops) and all(
                map(is_pure, (left, *others))
            )
        case ast.JoinedStr(values=parts):
            return all(isinstance(part, ast.Constant) or (isinstance(part, ast.FormattedValue) and is_pure(part.value)) for part in parts)
        case ast.Lambda():
            return True
    return False
