"""Finds recursion in a program: directly, through other functions, and through variables that hold functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rlgym.core import syntax
from rlgym.generators.programs.forbidden_names import MOST_DEPTH, forbidden_name, too_deep

MODULES = ("math", "itertools", "functools", "collections", "operator")
CONTAINERS = frozenset(("list", "dict", "set", "deque", "collections", "OrderedDict", "defaultdict", "UserDict", "UserList"))


def recursion(program: str) -> str:
    """Why the program is not free of recursion; nothing if it is. A name stands for any function or variable of that name.

    A function refers to every name in it; a variable to the functions that it may hold, one by one or in lists and tables; and a function
    that is given another one as an argument, to that one; a class, to what its `__init__` refers to.
    """
    tree = syntax.program(program)
    if too_deep(tree):
        return f"the program is nested more than {MOST_DEPTH} levels deep"
    nodes = list(ast.walk(tree))
    if refused := forbidden_name(nodes, MODULES):
        return refused
    functions: set[str] = set()
    refers: dict[str, set[str]] = {}
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            functions.add(node.name)
            refers.setdefault(node.name, set()).update(_names(node))
        elif isinstance(node, ast.ClassDef):
            functions.add(node.name)
            made_by = [part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == "__init__"]
            refers.setdefault(node.name, set()).update(*map(_names, made_by))
    for names, value in _flows(nodes):
        has_lambda = any(isinstance(part, ast.Lambda) for part in ast.walk(value))
        functions |= names if has_lambda else set()
        referenced = _names(value) if has_lambda else _referenced_names(value)
        for name in names:
            refers.setdefault(name, set()).update(referenced)
    for start in sorted(functions & refers.keys()):
        seen, waiting = set[str](), [start]
        while waiting:
            for name in sorted(refers.get(waiting.pop(), ())):
                if name == start:
                    return f"the function {start!r} refers to itself, directly or through others"
                if name in refers and name not in seen:
                    seen.add(name)
                    waiting.append(name)
    return ""


def _flows(nodes: list[ast.AST]) -> Iterator[tuple[set[str], ast.expr]]:
    """Names, and an expression whose value they get or take in: assignments, loops, parameters, and methods such as append."""
    takes: dict[str, set[str]] = {}
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            takes.setdefault(node.name, set()).update(part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg))
    for node in nodes:
        match node:
            case ast.Assign(targets=targets, value=value):
                yield set().union(*map(_names, targets)), value
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.AugAssign(target=target, value=value):
                yield _names(target), value
            case ast.NamedExpr(target=target, value=value):
                yield _names(target), value
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                yield _names(target), value
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                yield _names(target), value
            case ast.Call(func=function, args=arguments, keywords=keywords):
                called = _names(function)
                if isinstance(function, ast.Attribute) and arguments and _names(function.value) & CONTAINERS:
                    called |= _names(arguments[0])  # list.append(held, function)
                given = [*arguments, *(keyword.value for keyword in keywords)]
                called = called.union(*(_names(each) for each in given if isinstance(each, ast.Attribute)))  # map(held.append, functions)
                for argument in given:
                    yield called.union(*(takes.get(name, ()) for name in called)), argument


def _referenced_names(value: ast.expr) -> set[str]:
    """The names in an expression except those that it calls: what a function returns is taken for no function."""
    called: set[int] = set()
    for node in ast.walk(value):
        if isinstance(node, ast.Call):
            # A method may return what its object holds, as pop does, so only the name of the method is left out.
            called |= {id(node.func)} if isinstance(node.func, ast.Attribute) else {id(part) for part in ast.walk(node.func)}
    return {
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(value)
        if isinstance(node, ast.Name | ast.Attribute) and id(node) not in called
    }


def _names(node: ast.AST) -> set[str]:
    named = (
        reference.id if isinstance(reference, ast.Name) else reference.attr
        for reference in ast.walk(node)
        if isinstance(reference, ast.Name | ast.Attribute)
    )
    return set(named)
