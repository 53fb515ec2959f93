"""The same code written in another way: comparisons turned around, and descriptions added. It means the same, and its text differs."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from rlgym.core import syntax

TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Eq: ast.Eq}


class _FlippedComparisons(ast.NodeTransformer):
    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) != 1 or type(node.ops[0]) not in TURNED:
            return node
        return ast.Compare(node.comparators[0], [TURNED[type(node.ops[0])]()], [node.left])

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.target, ast.Name):
            return node
        return ast.Assign([node.target], ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value))


def rewrite(source: str) -> str:
    """A module that computes the same, with other code."""
    return ast.unparse(ast.fix_missing_locations(_FlippedComparisons().visit(syntax.program(source)))) + "\n"


class _Disguise(_FlippedComparisons):
    """Also renames local variables and computes whole numbers, so that neither names nor constants tell what the code is."""

    def __init__(self) -> None:
        self._numbers, self._local = 0, set[str]()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        before = self._local
        self._local = before | {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
        self._local -= {argument.arg for argument in ast.walk(node) if isinstance(argument, ast.arg)}
        self.generic_visit(node)
        self._local = before
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(f"{node.id}_here", node.ctx) if node.id in self._local else node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) is not int or node.value < 0:
            return node
        self._numbers += 1
        if self._numbers % 2 and node.value < 30:
            return ast.Call(ast.Name("len", ast.Load()), [ast.Constant("." * node.value)], [])
        return ast.Call(ast.Name("int", ast.Load()), [ast.Constant(str(node.value))], [])


def disguise(source: str) -> str:
    """A module that computes the same, with other comparisons, other local names, and numbers that are computed."""
    return ast.unparse(ast.fix_missing_locations(_Disguise().visit(syntax.program(source)))) + "\n"


def disguise_files(files: Mapping[str, str], package: str) -> dict[str, str]:
    """All modules of a package, disguised."""
    return {path: disguise(text) for path, text in files.items() if path.startswith(f"{package}/") and path.endswith(".py") and text}
