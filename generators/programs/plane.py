"""Conditions on whole numbers, judged in all states of a range at once: a state is a bit of a number."""

from __future__ import annotations

import ast
import operator
import sys
from array import array
from functools import lru_cache
from itertools import product

from rlgym.core import syntax

Parts = frozenset[tuple[object, int]]
"""What is added up: a variable's name, or (// or %, a term, by what), and how often."""
Term = tuple[int, Parts]
LANE, LANE_REST, HALF = 64, "0" * 15, 1 << 62
_MINUS = ast.Sub()


class Plane:
    """The states in which each variable runs from -reach to reach. A set of states is a number with the highest bit of a lane for each."""

    def __init__(self, names: str, reach: int) -> None:
        self.states = tuple(product(range(-reach, reach + 1), repeat=len(names)))
        self._ones = sum(1 << LANE * at for at in range(len(self.states)))
        self._high = self._ones << LANE - 1
        self._columns = dict(zip(names, map(list, zip(*self.states, strict=True)), strict=True))
        self._most = lru_cache(maxsize=8192)(self._most_fresh)
        self._column = lru_cache(maxsize=1024)(self._column_fresh)
        self._lanes = lru_cache(maxsize=1024)(self._lanes_fresh)
        self.where = lru_cache(maxsize=1024)(self._where_fresh)
        self.marked = lru_cache(maxsize=1024)(self._marked_fresh)

    def _where_fresh(self, text: str) -> int:
        """The states in which a condition holds."""
        return self._where(syntax.expression(text))

    def _marked_fresh(self, bits: str) -> int:
        """The states that have a 1 in a text of a 0 or 1 for each."""
        return int("".join([bit + LANE_REST for bit in reversed(bits)]).replace("1", "8"), 16)

    def _where(self, node: ast.expr) -> int:
        match node:
            case ast.Constant(value=bool(truth)):
                return self._high if truth else 0
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return self._high ^ self._where(inner)
            case ast.BoolOp(op=joiner, values=parts):
                points = self._where(parts[0])
                for part in parts[1:]:
                    points = points & self._where(part) if isinstance(joiner, ast.And) else points | self._where(part)
                return points
            case ast.Compare(left=left, ops=signs, comparators=others):
                points = self._high
                for first, sign, second in zip([left, *others], signs, others, strict=False):
                    points &= self._compare(_term(ast.BinOp(first, _MINUS, second)), sign)
                return points
        raise ValueError(f"{ast.unparse(node)!r} is no condition")

    def _compare(self, term: Term, sign: ast.cmpop) -> int:
        number, parts = term
        match sign:
            case ast.LtE():
                return self._most(parts, -number)
            case ast.Lt():
                return self._most(parts, -number - 1)
            case ast.Gt():
                return self._high ^ self._most(parts, -number)
            case ast.GtE():
                return self._high ^ self._most(parts, -number - 1)
        equal = self._most(parts, -number) ^ self._most(parts, -number - 1)
        return equal if isinstance(sign, ast.Eq) else self._high ^ equal

    def _most_fresh(self, parts: Parts, most: int) -> int:
        """Where the parts come to at most so much."""
        widest, lanes = abs(most), 0
        for part, times in parts:
            bound, packed = self._lanes(part)
            widest, lanes = widest + abs(times) * bound, lanes + times * packed
        if widest < HALF:
            return (most + 2 * HALF) * self._ones - lanes & self._high
        return self._marked_fresh("".join("01"[value <= most] for value in self._total(parts)))

    def _lanes_fresh(self, part: object) -> tuple[int, int]:
        """The largest value of a part, and its values side by side, the first state in the lowest lane; 0 for values too large for it."""
        values = self._column(part)
        bound = max(map(abs, values))
        packed = array("q", [value + HALF for value in values] if bound < HALF else [HALF] * len(values))
        return bound, int.from_bytes(packed.tobytes(), sys.byteorder) - HALF * self._ones

    def _column_fresh(self, part: object) -> list[int]:
        """What a part comes to in each state."""
        match part:
            case (sign, (int(number), frozenset() as parts), int(by)):
                work = operator.floordiv if sign == "//" else operator.mod
                return [work(value + number, by) for value in self._total(parts)]
            case _:
                return self._columns[str(part)]

    def _total(self, parts: Parts) -> list[int]:
        out = [0] * len(self.states)
        for part, times in parts:
            out = [value + times * other for value, other in zip(out, self._column(part), strict=True)]
        return out


def _term(node: ast.expr) -> Term:
    parts: dict[object, int] = {}
    number = _collect_terms(node, 1, parts)
    return number, frozenset([(part, count) for part, count in parts.items() if count])


def _collect_terms(node: ast.expr, times: int, parts: dict[object, int]) -> int:
    """Adds a term, so many times, to the parts; gives the number in it."""
    match node:
        case ast.BinOp(op=ast.Add() | ast.Sub() as sign, left=left, right=right):
            return _collect_terms(left, times, parts) + _collect_terms(right, times if isinstance(sign, ast.Add) else -times, parts)
        case ast.Name(id=name):
            parts[name] = parts.get(name, 0) + times
            return 0
        case ast.Constant(value=int(number)):
            return times * number
        case ast.UnaryOp(op=sign, operand=inner):
            return _collect_terms(inner, -times if isinstance(sign, ast.USub) else times, parts)
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            (first, ones), (second, others) = _term(left), _term(right)
            for part, count in ones or others:
                parts[part] = parts.get(part, 0) + times * count * (second if ones else first)
            return times * first * second
        case ast.BinOp(op=ast.FloorDiv() | ast.Mod() as sign, left=left, right=ast.Constant(value=int(by))):
            rounded = ("//" if isinstance(sign, ast.FloorDiv) else "%", _term(left), by)
            parts[rounded] = parts.get(rounded, 0) + times
            return 0
    raise ValueError(f"{ast.unparse(node)!r} is no term")
