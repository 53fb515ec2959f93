"""Systematic small changes of a Python program: the faults that mutation testing plants."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rlgym.core import syntax
from rlgym.core.rng import Rng

COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
WORKED: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.FloorDiv: (ast.Mod,),
    ast.Mod: (ast.FloorDiv,),
    ast.BitXor: (ast.BitOr,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
}
CALLED = {"min": "max", "max": "min", "all": "any", "any": "all", "append": "appendleft", "popleft": "pop", "sum": "len"}


def mutants(source: str, most: int = 1000) -> list[str]:
    """Programs that differ from `source` in one place, each once, in the order of the text; evenly thinned to `most`.

    Some may mean the same as `source`.
    """
    plain = ast.unparse(syntax.program(source))
    texts = list(dict.fromkeys(text for text in (_unparse(changed) for changed in _mutate_each_node(source)) if text and text != plain))
    if len(texts) <= most:
        return texts
    return [texts[i * len(texts) // most] for i in range(most)]


def sample_mutants(rng: Rng, source: str, most: int) -> Iterator[str]:
    """Up to so many of the mutants of a program, each made when it is asked for."""
    tree = syntax.program(source)
    changes = [(place, rival) for place, node in enumerate(_preorder_nodes(tree)) for rival in _rivals(node)]
    plain = ast.unparse(tree)
    for place, rival in rng.sample(changes, min(most, len(changes))):
        text = _unparse(_Replaced(place, rival).visit(syntax.program(source)))
        if text and text != plain:
            yield text


def _unparse(tree: ast.AST) -> str:
    return ast.unparse(ast.fix_missing_locations(tree))


def _mutate_each_node(source: str) -> Iterator[ast.AST]:
    """Each node in turn, replaced by each of its rivals in a tree that is parsed anew, which is faster than a copy."""
    for place, node in enumerate(_preorder_nodes(syntax.program(source))):
        for rival in _rivals(node):
            yield _Replaced(place, rival).visit(syntax.program(source))


def _preorder_nodes(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _preorder_nodes(child)


class _Replaced(ast.NodeTransformer):
    """Puts another node at one place, counted in the order of `_preorder_nodes`."""

    def __init__(self, place: int, rival: ast.AST) -> None:
        self._left, self._rival = place, rival

    def visit(self, node: ast.AST) -> ast.AST:
        self._left -= 1
        return self._rival if self._left == -1 else self.generic_visit(node)


def _rivals(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(ops=[operator]):
            for other in COMPARED.get(type(operator), ()):
                yield ast.Compare(node.left, [other()], node.comparators)
        case ast.BinOp(op=operator):
            for rival in WORKED.get(type(operator), ()):
                yield ast.BinOp(node.left, rival(), node.right)
        case ast.AugAssign(op=operator):
            for rival in WORKED.get(type(operator), ()):
                yield ast.AugAssign(node.target, rival(), node.value)
            yield ast.Pass()
        case ast.BoolOp():
            yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
            for i in range(len(node.values)):
                kept = node.values[:i] + node.values[i + 1 :]
                yield ast.BoolOp(node.op, kept) if len(kept) > 1 else ast.BoolOp(node.op, [kept[0], kept[0]])
        case ast.Constant(value=bool()):
            yield ast.Constant(not node.value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.If() | ast.While():
            yield type(node)(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
        case ast.IfExp():
            yield ast.IfExp(node.test, node.orelse, node.body)
        case ast.Call(func=ast.Name(id=name)) if name in CALLED:
            yield ast.Call(ast.Name(CALLED[name], ast.Load()), node.args, node.keywords)
        case ast.Call(func=ast.Name(id="range"), args=[only]):
            yield ast.Call(node.func, [ast.BinOp(only, ast.Sub(), ast.Constant(1))], [])
            yield ast.Call(node.func, [ast.Constant(1), only], [])
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Pass()
        case ast.Expr():
            yield ast.Pass()
