"""The structure of a package's code: the functions of each module, and the names that it uses."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import NamedTuple

from rlgym.core import syntax


class Module(NamedTuple):
    """functions: by name, methods included. names: of functions, variables, attributes and imports."""

    functions: dict[str, ast.FunctionDef]
    names: set[str]


def modules_of(files: Mapping[str, str], package: str) -> dict[str, Module]:
    """The modules of a package by path; raises what `ast.parse` raises."""
    return {path: _module(text) for path, text in sorted(files.items()) if path.startswith(f"{package}/") and path.endswith(".py")}


def _module(text: str) -> Module:
    functions, names = dict[str, ast.FunctionDef](), set[str]()
    for node in ast.walk(syntax.program(text)):
        match node:
            case ast.FunctionDef(name=name):
                functions[name] = node
                names.add(name)
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                names.add(name)
            case ast.alias(name=name, asname=other):
                names |= {name, other or name}
    return Module(functions, names)
