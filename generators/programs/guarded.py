"""Short programs over whole numbers in Python's notation: drawn, run, and gone through backwards from a condition."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from rlgym.core import syntax
from rlgym.core.rng import Rng

SIGNS = ("<", "<=", ">", ">=", "==", "!=")


def sample(rng: Rng, names: str, statements: int, branches: int, rounds: int, division: bool) -> str:
    """A program of so many statements; some are choices, and with `rounds` the first of the others is gone through several times."""
    chosen = rng.sample(range(statements), min(branches, statements))
    lines: list[str] = []
    last = ""
    for place in range(statements):
        if place in chosen:
            lines += [
                f"if {comparison(rng, names)}:",
                f"    {assignment(rng, names, division)}",
                "else:",
                f"    {assignment(rng, names, division)}",
            ]
        elif rounds and place == min(set(range(statements)) - set(chosen)):
            lines += [
                f"for round in range({rng.integer(2, rounds)}):",
                f"    {assignment(rng, names, False)}",
                f"    {assignment(rng, names, False)}",
            ]
        else:
            line = assignment(rng, names, division)
            while line.partition(" ")[0] == last and len(names) > 1:
                line = assignment(rng, names, division)
            last = line.partition(" ")[0]
            lines.append(line)
    return "\n".join(lines)


def assignment(rng: Rng, names: str, division: bool) -> str:
    """One variable gets a term of itself and another."""
    name, other = rng.choice(names), rng.choice(names)
    if division and rng.chance(0.35):
        return f"{name} = {name} // 2" if rng.chance(0.4) else f"{name} = {name} % {rng.integer(2, 5)}"
    number = rng.integer(1, 4)
    ways = [f"{name} {rng.choice('+-')} {number}", f"{number} - {name}", f"2 * {name} {rng.choice('+-')} {number}"]
    if other != name:
        ways += [f"{name} {rng.choice('+-')} {other}", f"{name} {rng.choice('+-')} {other}", f"{other} - {name}"]
    return f"{name} = {rng.choice(ways)}"


def linear(rng: Rng, names: str) -> str:
    """A variable, or the sum or difference of two."""
    if len(names) == 1 or rng.chance(0.3):
        return rng.choice(names)
    first, second = rng.sample(names, 2)
    return f"{first} {rng.choice('+-')} {second}"


def comparison(rng: Rng, names: str) -> str:
    """A linear term compared with a number."""
    return f"{linear(rng, names)} {rng.choice(SIGNS[:4])} {rng.integer(-4, 5)}"


@lru_cache(maxsize=512)
def _statements(program: str) -> list[ast.stmt]:
    return syntax.program(program).body


@lru_cache(maxsize=512)
def _expression(text: str) -> ast.expr:
    return syntax.expression(text)


def run(program: str, state: Mapping[str, int]) -> dict[str, int]:
    """The values at the end."""
    values = dict(state)
    _run(_statements(program), values)
    return values


def _run(statements: Sequence[ast.stmt], values: dict[str, int]) -> None:
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=term):
                values[name] = _value(term, values)
            case ast.If(test=test, body=body, orelse=other):
                _run(body if _value(test, values) else other, values)
            case ast.For(iter=ast.Call(args=[ast.Constant(value=int(times))]), body=body):
                for _ in range(times):
                    _run(body, values)
            case _:
                raise ValueError(f"there is no statement {ast.unparse(statement)!r} in these programs")


def value(text: str, state: Mapping[str, int]) -> int:
    """What a term or condition comes to; a condition to 0 or 1."""
    return _value(_expression(text), state)


def _value(node: ast.expr, state: Mapping[str, int]) -> int:
    match node:
        case ast.Constant(value=int(number)):
            return number
        case ast.Name(id=name):
            return state[name]
        case ast.UnaryOp(op=sign, operand=inner):
            result = _value(inner, state)
            return -result if isinstance(sign, ast.USub) else result if isinstance(sign, ast.UAdd) else not result
        case ast.BoolOp(op=ast.And(), values=parts):
            return all(_value(part, state) for part in parts)
        case ast.BoolOp(values=parts):
            return any(_value(part, state) for part in parts)
        case ast.BinOp(op=sign, left=left, right=right):
            return _COLUMNS[type(sign)](_value(left, state), _value(right, state))
        case ast.Compare(left=left, ops=signs, comparators=others):
            left_value = _value(left, state)
            for relation, other in zip(signs, others, strict=True):
                there = _value(other, state)
                if not _COLUMNS[type(relation)](left_value, there):
                    return False
                left_value = there
            return True
        case _:
            raise ValueError(f"there is no term {ast.unparse(node)!r} in these programs")


_COLUMNS: dict[type[ast.AST], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


def column(text: str, columns: Mapping[str, Sequence[int]]) -> list[int]:
    """What a term or condition comes to in many states at once, of which the columns of the variables are given."""
    return _column(_expression(text), columns, len(next(iter(columns.values()))))


def _column(node: ast.expr, columns: Mapping[str, Sequence[int]], rows: int) -> list[int]:
    match node:
        case ast.Constant(value=int(number)):
            return [number] * rows
        case ast.Name(id=name):
            return list(columns[name])
        case ast.UnaryOp(op=sign, operand=inner):
            column = _column(inner, columns, rows)
            return list(
                map(operator.neg if isinstance(sign, ast.USub) else operator.pos if isinstance(sign, ast.UAdd) else operator.not_, column)
            )
        case ast.BoolOp(op=joiner, values=parts):
            out = list(map(bool, _column(parts[0], columns, rows)))
            for part in parts[1:]:
                join = operator.and_ if isinstance(joiner, ast.And) else operator.or_
                out = list(map(join, out, map(bool, _column(part, columns, rows))))
            return list(out)
        case ast.BinOp(op=sign, left=left, right=right):
            return list(map(_COLUMNS[type(sign)], _column(left, columns, rows), _column(right, columns, rows)))
        case ast.Compare(left=left, ops=signs, comparators=others):
            left_column, holding = _column(left, columns, rows), [True] * rows
            for relation, other in zip(signs, others, strict=True):
                there = _column(other, columns, rows)
                holding = list(map(operator.and_, holding, map(_COLUMNS[type(relation)], left_column, there)))
                left_column = there
            return list(holding)
        case _:
            raise ValueError(f"there is no term {ast.unparse(node)!r} in these programs")


class _Substitute(ast.NodeTransformer):
    def __init__(self, name: str, term: ast.expr) -> None:
        self.name, self.term = name, term

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.term if node.id == self.name else node


def pieces(program: str) -> list[str]:
    """The statements in the order in which they are gone through, rounds written out."""
    out: list[str] = []
    for statement in _statements(program):
        match statement:
            case ast.For(iter=ast.Call(args=[ast.Constant(value=int(times))]), body=body):
                out += [ast.unparse(inner) for inner in body] * times
            case _:
                out.append(ast.unparse(statement))
    return out


def weakest_precondition(program: str, condition: str, most: int = 1 << 20) -> str:
    """The condition that must hold before the program so that this one holds after it, put in backwards statement by statement.

    It is left half done as soon as it has more than `most` characters."""
    for piece in reversed(pieces(program)):
        if len(condition) > most:
            break
        condition = _weakest_precondition(syntax.program(piece).body[0], condition)
    return condition


def _weakest_precondition(statement: ast.stmt, condition: str) -> str:
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=term):
            return ast.unparse(_Substitute(name, term).visit(syntax.expression(condition)))
        case ast.If(test=test, body=[body], orelse=[other]):
            guard, one, two = ast.unparse(test), _weakest_precondition(body, condition), _weakest_precondition(other, condition)
            return f"({guard}) and ({one}) or not ({guard}) and ({two})"
        case _:
            raise ValueError(f"there is no statement {ast.unparse(statement)!r} in these programs")
