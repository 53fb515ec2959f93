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


def rewrite_files(files: Mapping[str, str], package: str) -> dict[str, str]:
    """All modules of a package, rewritten."""
    return {path: rewrite(text) for path, text in files.items() if path.startswith(f"{package}/") and path.endswith(".py") and text}
