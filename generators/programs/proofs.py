"""Conditions and small integer programs as formulas, and what z3 says of them within a limit of work."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from rlgym.core import syntax
from rlgym.core.errors import RlgymError

WORKED: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.truediv,
    ast.Mod: operator.mod,
}
# Which solver of arithmetic, the seed of its choices, and how much work it may do, in units of its own count. What is asked here
# takes a few thousand, but for bad luck that another try does not share; the first is twice as fast as the default here.
TRIES = ((2, 0, 300_000), (6, 0, 300_000), (2, 1, 1_000_000), (6, 1, 1_000_000))


class Undecided(RlgymError, RuntimeError):
    """The solver ran out of work before it knew."""


def variables(names: Sequence[str], shared_with: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """An integer of the solver for each name, in a solver's context of their own, or in that of the values given.

    What a solver finds within a limit of work depends on all that its context has seen before; so each verdict begins a new one.
    """
    import z3

    world = _world(shared_with) if shared_with else z3.Context()
    return {name: z3.Int(name, world) for name in names}


def number(value: int, values: Mapping[str, Any]) -> Any:
    """An integer as the solver's own, to be used with these values."""
    import z3

    return z3.IntVal(value, _world(values))


def _world(values: Mapping[str, Any]) -> Any:
    return next(iter(values.values())).ctx


def formula(text: str, values: Mapping[str, Any]) -> Any:
    """A condition or a term as the solver's own, with the names standing for these values."""
    return _formula(syntax.expression(text), values)


def _formula(node: ast.expr, values: Mapping[str, Any]) -> Any:
    import z3

    match node:
        case ast.Constant(value=bool()):
            return z3.BoolVal(node.value, _world(values))
        case ast.Constant():
            return z3.IntVal(node.value, _world(values))
        case ast.Name(id=name):
            return values[name]
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return z3.Not(_formula(inner, values))
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_formula(inner, values)
        case ast.UnaryOp(operand=inner):
            return _formula(inner, values)
        case ast.BoolOp(op=joined, values=parts):
            return (z3.And if isinstance(joined, ast.And) else z3.Or)([_formula(part, values) for part in parts])
        case ast.Compare():
            ends = [_formula(part, values) for part in (node.left, *node.comparators)]
            return z3.And([_compare(sign, ends[i], ends[i + 1]) for i, sign in enumerate(node.ops)])
        case ast.BinOp(left=left, op=sign, right=right):
            a, b = _formula(left, values), _formula(right, values)
            # By a positive number, the solver's division rounds down as Python's does.
            return WORKED[type(sign)](a, b)
        case ast.IfExp(test=test, body=body, orelse=other):
            return z3.If(_formula(test, values), _formula(body, values), _formula(other, values))
    raise ValueError(f"{ast.unparse(node)!r} is no formula")


def _compare(sign: ast.cmpop, a: Any, b: Any) -> Any:
    match sign:
        case ast.Eq():
            return a == b
        case ast.NotEq():
            return a != b
        case ast.Lt():
            return a < b
        case ast.LtE():
            return a <= b
        case ast.Gt():
            return a > b
    return a >= b


def always(claim: Any, known: Sequence[Any], tries: Sequence[tuple[int, int, int]] = TRIES) -> bool:
    """Whether `claim` holds for all values for which all of `known` does. Undecided where the work of all tries runs out."""
    import z3

    for arithmetic, seed, work in tries:
        solver = z3.SimpleSolver(ctx=claim.ctx)
        solver.set("smt.arith.solver", arithmetic)
        solver.set("smt.random_seed", seed)
        solver.set("rlimit", work)
        solver.add(*known, z3.Not(claim))
        status = solver.check()
        if status != z3.unknown:
            return bool(status == z3.unsat)
    raise Undecided("the solver could not decide that condition within its limit of work")


def evaluate(text: str, values: Mapping[str, int]) -> int:
    """The value of a condition or a term of our own for these integers."""
    return _evaluate(_parse(text), values)


@lru_cache(maxsize=4096)
def _parse(text: str) -> ast.expr:
    return syntax.expression(text)


def _evaluate(node: ast.expr, values: Mapping[str, int]) -> int:
    match node:
        case ast.Constant(value=bool(value) | int(value)):
            return int(value)
        case ast.Name(id=name):
            return values[name]
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return not _evaluate(inner, values)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_evaluate(inner, values)
        case ast.BoolOp(op=joined, values=parts):
            return (all if isinstance(joined, ast.And) else any)(_evaluate(part, values) for part in parts)
        case ast.Compare():
            ends = [_evaluate(part, values) for part in (node.left, *node.comparators)]
            return all(_compare(sign, ends[i], ends[i + 1]) for i, sign in enumerate(node.ops))
        case ast.BinOp(left=left, op=sign, right=right):
            a, b = _evaluate(left, values), _evaluate(right, values)
            return a // b if isinstance(sign, ast.FloorDiv) else int(WORKED[type(sign)](a, b))
        case ast.IfExp(test=test, body=body, orelse=other):
            return _evaluate(body if _evaluate(test, values) else other, values)
    raise ValueError(f"{ast.unparse(node)!r} cannot be evaluated")
