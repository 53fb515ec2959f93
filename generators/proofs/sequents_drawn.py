"""Sequents drawn so that they fail in no row of the truth table, or in one or two, and need each of their formulas for that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rlgym.core.rng import Rng
from rlgym.generators.logic import formulas, truth_tables
from rlgym.generators.logic.formulas import Formula


@dataclass(frozen=True)
class Shape:
    """How many formulas with how many connectives each; `chained` ones tie one variable to the next."""

    formulas: int
    size: int
    connectives: tuple[str, ...]
    chained: bool

    @property
    def variables(self) -> int:
        return min(5, max(3, self.formulas))


def row(rng: Rng, shape: Shape, refuted: bool) -> list[tuple[Formula, int]]:
    """Formulas and their sides, 1 for the right; the sequent fails in no row of the truth table or in one or two, and in more without any of them."""
    variables = shape.variables
    every = truth_tables.every(variables)
    candidates: list[tuple[Formula, int]] = []
    needed: list[int] = []
    for k in range(shape.formulas):
        for _ in range(30):
            formula, side = _sample(rng, shape, k), rng.integer(0, 1) if k else 1
            # a formula on the right is false where the sequent fails
            tables = [*needed, formulas.table(formula, variables) ^ every * side]
            fails = _conjunction(tables, every).bit_count()
            if (k < shape.formulas - 1 and not fails) or (k == shape.formulas - 1 and (fails > 2 or bool(fails) != refuted)):
                continue
            if all(_conjunction(tables[:i] + tables[i + 1 :], every).bit_count() > fails for i in range(len(tables))):
                candidates.append((formula, side))
                needed = tables
                break
        else:
            return []
    return candidates


def _sample(rng: Rng, shape: Shape, k: int) -> Formula:
    variables = shape.variables
    if not shape.chained:
        return formulas.random(rng, shape.size, variables, shape.connectives)
    parts = [Formula(formulas.NAMES[(k + step) % variables]) for step in range(min(2, shape.size) + 1)]
    formula = Formula("not", (parts[0],)) if rng.chance(0.5) else parts[0]
    for part in [*parts[1:], *(Formula(rng.choice(formulas.NAMES[:variables])) for _ in range(shape.size - 2))]:
        formula = Formula(
            rng.choice(shape.connectives), tuple(rng.shuffled((formula, Formula("not", (part,)) if rng.chance(0.4) else part)))
        )
    return formula


def _conjunction(tables: Sequence[int], every: int) -> int:
    for table in tables:
        every &= table
    return every
