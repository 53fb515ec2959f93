"""Propositional formulas: drawn, rewritten by laws of logic, written, read back, and their truth tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from rlgym.core.rng import Rng
from rlgym.generators.logic import truth_tables

NAMES = "pqrstu"


@dataclass(frozen=True)
class Formula:
    """A variable (no parts), a negation (one part) or a connective with two parts."""

    head: str
    parts: tuple[Formula, ...] = ()


_SIGNS = {"and": "and", "or": "or", "implies": "->", "iff": "<->", "xor": "xor"}
_VALUES: dict[str, Callable[[bool, bool], bool]] = {
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "implies": lambda a, b: not a or b,
    "iff": lambda a, b: a == b,
    "xor": lambda a, b: a != b,
}


def random(rng: Rng, size: int, variables: int, connectives: tuple[str, ...]) -> Formula:
    """A formula with `size` connectives over the first names; about a third of what is joined is negated."""
    if size == 0:
        atom = Formula(NAMES[rng.integer(0, variables - 1)])
        return _not(atom) if rng.chance(0.3) else atom
    left = rng.integer(0, size - 1)
    parts = (random(rng, left, variables, connectives), random(rng, size - 1 - left, variables, connectives))
    formula = Formula(rng.choice(connectives), parts)
    return _not(formula) if rng.chance(0.15) else formula


def rewrite(rng: Rng, formula: Formula, wrongly: bool) -> Formula:
    """One law applied somewhere in the formula, or a law misapplied."""
    places = [path for path in _paths(formula) if len(_subformula(formula, path).parts) == 2 or _subformula(formula, path).head == "not"]
    for path in rng.shuffled(places):
        subformula = _subformula(formula, path)
        rewritten = _misapply(rng, subformula) if wrongly else _law(rng, subformula)
        if rewritten != subformula:
            return _replace_subformula(formula, path, rewritten)
    return formula


def _law(rng: Rng, formula: Formula) -> Formula:
    if formula.head == "not":
        inner = formula.parts[0]
        if inner.head == "not":
            return inner.parts[0]
        if inner.head in ("and", "or"):
            other = "or" if inner.head == "and" else "and"
            return Formula(other, tuple(map(_not, inner.parts)))
        if inner.head == "implies":
            return Formula("and", (inner.parts[0], _not(inner.parts[1])))
        return Formula("xor" if inner.head == "iff" else "iff", inner.parts) if inner.head in ("iff", "xor") else formula
    a, b = formula.parts
    if formula.head == "implies":
        return rng.choice((Formula("implies", (_not(b), _not(a))), Formula("or", (_not(a), b))))
    if formula.head in ("and", "or") and rng.chance(0.6):
        other = "or" if formula.head == "and" else "and"
        if b.head == other:
            return Formula(other, tuple(Formula(formula.head, (a, part)) for part in b.parts))
        return _not(Formula(other, (_not(a), _not(b))))
    return Formula(formula.head, (b, a))


def _misapply(rng: Rng, formula: Formula) -> Formula:
    if formula.head == "not":
        inner = formula.parts[0]
        if inner.head in ("and", "or"):
            return Formula(inner.head, tuple(map(_not, inner.parts)))
        if inner.head == "implies":
            return Formula("implies", tuple(map(_not, inner.parts)))
        return inner.parts[0] if inner.head == "iff" else formula
    a, b = formula.parts
    if formula.head == "implies":
        return rng.choice((Formula("implies", (b, a)), Formula("implies", (_not(a), _not(b))), Formula("or", (a, _not(b)))))
    if formula.head in ("and", "or"):
        other = "or" if formula.head == "and" else "and"
        if b.head == other:
            return Formula(other, (Formula(formula.head, (a, b.parts[0])), b.parts[1]))
        return rng.choice((Formula(other, (a, b)), _not(Formula(formula.head, (_not(a), _not(b))))))
    return Formula("implies", (a, b))


def _not(formula: Formula) -> Formula:
    return formula.parts[0] if formula.head == "not" else Formula("not", (formula,))


def _paths(formula: Formula) -> list[tuple[int, ...]]:
    out: list[tuple[int, ...]] = [()]
    for i, part in enumerate(formula.parts):
        out += [(i, *path) for path in _paths(part)]
    return out


def _subformula(formula: Formula, path: tuple[int, ...]) -> Formula:
    for i in path:
        formula = formula.parts[i]
    return formula


def _replace_subformula(formula: Formula, path: tuple[int, ...], new: Formula) -> Formula:
    if not path:
        return new
    parts = list(formula.parts)
    parts[path[0]] = _replace_subformula(parts[path[0]], path[1:], new)
    return _not(parts[0]) if formula.head == "not" else Formula(formula.head, tuple(parts))


@cache
def _columns(variables: int) -> dict[str, int]:
    # The first name is the highest bit of a row, so that rows read like the words of the answer.
    return {name: truth_tables.column(variables - 1 - i, variables) for i, name in enumerate(NAMES[:variables])}


def table(formula: Formula, variables: int) -> int:
    """The truth table; bit r of it for row r, the first name being the highest bit of r."""
    every = truth_tables.every(variables)
    if not formula.parts:
        return _columns(variables)[formula.head]
    tables = [table(part, variables) for part in formula.parts]
    match formula.head:
        case "not":
            return every ^ tables[0]
        case "and":
            return tables[0] & tables[1]
        case "or":
            return tables[0] | tables[1]
        case "implies":
            return (every ^ tables[0]) | tables[1]
        case "iff":
            return every ^ tables[0] ^ tables[1]
        case _:
            return tables[0] ^ tables[1]


def write(formula: Formula) -> str:
    """The formula with brackets around every part that has two parts of its own."""
    if not formula.parts:
        return formula.head
    parts = [write(part) if len(part.parts) < 2 else f"({write(part)})" for part in formula.parts]
    return f"not {parts[0]}" if formula.head == "not" else f"{parts[0]} {_SIGNS[formula.head]} {parts[1]}"


def read(text: str) -> Formula:
    """The formula that the oracle's own prompt spells; never used on an answer."""
    tokens = text.replace("(", " ( ").replace(")", " ) ").split()
    heads = {sign: head for head, sign in _SIGNS.items()}

    def operand() -> Formula:
        token = tokens.pop(0)
        if token == "not":
            return Formula("not", (operand(),))
        if token != "(":
            return Formula(token)
        inside = parse_binary()
        tokens.pop(0)
        return inside

    def parse_binary() -> Formula:
        left = operand()
        if tokens and tokens[0] in heads:
            head = heads[tokens.pop(0)]
            return Formula(head, (left, operand()))
        return left

    return parse_binary()


def value(formula: Formula, true: dict[str, bool]) -> bool:
    """Whether the formula is true when its names are."""
    if not formula.parts:
        return true[formula.head]
    values = [value(part, true) for part in formula.parts]
    return not values[0] if formula.head == "not" else _VALUES[formula.head](values[0], values[1])
