"""Formulas whose truth is evaluated part by part at many places at once: rows of a truth table, worlds, positions of a trace.

A formula is a name, or a tuple of an operator and its parts. A set of places is an integer with a bit for each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from rlgym.core.rng import Rng
from rlgym.solutions import Derivation, Step

Formula: TypeAlias = "str | tuple[str | Formula, ...]"
Apply = Callable[[str, Sequence[int]], int]
STEP = Step("{name} = {formula}: true at {places}")


def sample(rng: Rng, size: int, atoms: Sequence[str], one: Sequence[str], two: Sequence[str], chain: bool = False) -> Formula:
    """A formula with `size` operators, of which about half have one part; in a chain one part of each is a name."""
    if size == 0:
        return rng.choice(atoms)
    if rng.chance(0.45) or not two:
        part = sample(rng, size - 1, atoms, one, two, chain)
        if signs := [sign for sign in one if not (isinstance(part, tuple) and part[0] == sign)]:
            return (rng.choice(signs), part)
    left = 0 if chain else rng.integer(0, size - 1)
    parts = (sample(rng, left, atoms, one, two, chain), sample(rng, size - 1 - left, atoms, one, two, chain))
    if chain and rng.chance(0.5):
        parts = (parts[1], parts[0])
    return sample(rng, size, atoms, one, two, chain) if parts[0] == parts[1] else (rng.choice(two), *parts)


def write(formula: Formula) -> str:
    """Brackets around each part that joins two."""
    if isinstance(formula, str):
        return formula
    parts = [f"({write(part)})" if isinstance(part, tuple) and len(part) == 3 else write(part) for part in formula[1:]]
    return f"{formula[0]} {parts[0]}" if len(parts) == 1 else f"{parts[0]} {formula[0]} {parts[1]}"


def read(text: str) -> Formula:
    """The formula that the oracle's own prompt spells; never used on an answer."""
    tokens = text.replace("(", " ( ").replace(")", " ) ").split()

    def operand() -> Formula:
        token = tokens.pop(0)
        if token == "(":
            inside = parse_binary()
            tokens.pop(0)
            return inside
        return token if len(token) == 1 else (token, operand())

    def parse_binary() -> Formula:
        left = operand()
        return (tokens.pop(0), left, operand()) if tokens and tokens[0] != ")" else left

    return parse_binary()


@lru_cache(maxsize=4000)
def parts(formula: Formula) -> tuple[Formula, ...]:
    """The parts that are no names, each once, the inner ones first; the last one is the formula."""
    subformulas: dict[Formula, None] = {}
    if isinstance(formula, tuple):
        for part in formula[1:]:
            subformulas |= dict.fromkeys(parts(part))
        subformulas[formula] = None
    return tuple(subformulas)


def marks(formula: Formula, true: Mapping[str, int], apply: Apply) -> dict[Formula, int]:
    """Where each part of the formula is true."""
    out: dict[Formula, int] = {}
    out.update(true.items())
    for part in parts(formula):
        out[part] = apply(str(part[0]), [out[inner] for inner in part[1:]])
    return out


def members(places: int, first: int = 0) -> tuple[int, ...]:
    """The places of a set, numbered from `first`."""
    return tuple(i + first for i in range(places.bit_length()) if places >> i & 1)


def list_places(places: int, first: int = 0) -> str:
    """The places in words."""
    return ", ".join(map(str, members(places, first))) or "no place"


def evaluation(formulas: Sequence[Formula], true: Mapping[str, int], apply: Apply, first: int = 0) -> Derivation:
    """A step for each part of the formulas, inner ones first, each under a name that later ones use. Any such order is right."""
    names: dict[Formula, str] = {name: name for name in true}
    marking = Marking(formulas, true, apply, first)
    for formula in formulas:
        table = marks(formula, true, apply)
        for part in parts(formula):
            if part not in names:
                short = write((part[0], *(names[inner] for inner in part[1:])))
                names[part] = f"f{len(names) - len(true) + 1}"
                yield STEP(name=names[part], formula=short, places=list_places(table[part], first)).accepting(marking.follows)


class Marking:
    """Checks such steps: each must define a part of the formulas by names that are known, and say where it is true."""

    def __init__(self, formulas: Sequence[Formula], true: Mapping[str, int], apply: Apply, first: int = 0) -> None:
        self._wanted = {part for formula in formulas for part in parts(formula)}
        self._meant: dict[str, Formula] = {name: name for name in true}
        self._apply, self._first, self._atoms = apply, first, len(true)
        self.true: dict[Formula, int] = {}
        self.true.update(true.items())

    def follows(self, name: str, formula: str, places: str) -> bool:
        if name != f"f{len(self._meant) - self._atoms + 1}":
            return False
        words = formula.split()
        operator, names = (words[0], words[1:]) if len(words) == 2 else (words[1], [words[0], words[2]])
        part = (operator, *(self._meant[inner] for inner in names))
        if part not in self._wanted or part in self.true:
            return False
        true = self._apply(operator, [self.true[inner] for inner in part[1:]])
        if places != list_places(true, self._first):
            return False
        self._meant[name], self.true[part] = part, true
        return True
