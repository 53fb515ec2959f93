"""What a program may not import or name where its text is judged: ways to run a text, and to reach an object through a name in a text."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable

REFUSED = (
    "eval", "exec", "compile", "getattr", "setattr", "globals", "locals", "vars", "type", "sys", "methodcaller", "attrgetter", "setitem",
    "singledispatch", "singledispatchmethod", "setrecursionlimit", "open", "breakpoint", "gi_frame", "cr_frame", "ag_frame", "f_builtins",
    "f_globals", "update_wrapper", "wraps",
)  # fmt: skip
MOST_DEPTH = 80  # levels of a syntax tree; what is gathered for each node from all below it would take quadratic time in deeper ones
_DEFINED = ("__init__",)


def forbidden_name(nodes: Iterable[ast.AST], modules: Collection[str]) -> str:
    """Why one of these nodes of a program may not be used, or nothing.

    Only the modules given may be imported. The names REFUSED may not be used, nor any that begins with two underscores, nor an attribute
    that begins with one: modules reach others, such as `sys`, through such attributes. Of the special methods only `__init__` may be defined.
    """
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            imported = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            if bad := [module for module in imported if module.partition(".")[0] not in modules]:
                return f"{bad[0]!r} may not be imported"
        for name, marks in _named(node):
            if name in REFUSED or name.startswith(marks):
                return f"{name!r} may not be used"
    return ""


def _named(node: ast.AST) -> list[tuple[str, str]]:
    """The names that a node uses, and what they may not begin with."""
    match node:
        case ast.ImportFrom(names=names):
            return [(alias.name, "_") for alias in names]
        case ast.Attribute(attr=name):
            return [(name, "_")]
        case ast.MatchClass(kwd_attrs=names):  # case object(name=found) reads an attribute
            return [(name, "_") for name in names]
        case ast.Name(id=name):
            return [(name, "__")]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name not in _DEFINED:
            return [(name, "__")]
    return []


def too_deep(tree: ast.AST) -> bool:
    """Whether the tree has more than MOST_DEPTH levels."""
    level: list[ast.AST] = [tree]
    for _ in range(MOST_DEPTH):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return False
    return True
