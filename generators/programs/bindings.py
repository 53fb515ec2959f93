"""The names that a function binds, and the exceptions that a handler names."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from rlgym.generators.programs.bounded_operators import Stopped


def exception_names(node: ast.expr | None) -> frozenset[str]:
    match node:
        case None:
            return frozenset({"Exception"})
        case ast.Name(id=name):
            return frozenset({name})
        case ast.Tuple(elts=kinds):
            return frozenset(kind.id for kind in kinds if isinstance(kind, ast.Name))
    raise Stopped("exceptions are caught by name")


def assigned_names(body: Sequence[ast.stmt]) -> frozenset[str]:
    """The names that belong to a function with this body."""
    assigned, elsewhere, waiting = set[str](), set[str](), list[ast.AST](body)
    while waiting:
        node = waiting.pop()
        match node:
            case ast.Name(id=name):
                if isinstance(node.ctx, ast.Store):
                    assigned.add(name)
            case ast.Assign(targets=targets) | ast.Tuple(elts=targets) | ast.List(elts=targets):
                waiting += targets
            case ast.AugAssign(target=target):
                waiting.append(target)
            case ast.For():
                waiting += [node.target, *node.body, *node.orelse]
            case ast.While() | ast.If():
                waiting += [*node.body, *node.orelse]
            case ast.Try():
                waiting += [*node.body, *node.orelse, *node.finalbody, *(part for handler in node.handlers for part in handler.body)]
            case ast.FunctionDef(name=name):
                assigned.add(name)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                elsewhere.update(names)
    return frozenset(assigned - elsewhere)
