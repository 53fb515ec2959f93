"""Networks of chances: the lines that compute a query from the weights of cases, the quantities in them, and a picture."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from rlgym.generators import calculations
from rlgym.generators.drawing import pictures
from rlgym.generators.probability.probabilities import QuantityTemplates, Working

WEIGHT = "weight of {case}"
BOTH = "weight of all that fits both"


def probability_lines(working: Working, condition: str, weights: Sequence[Fraction], fitting: Sequence[Fraction]) -> list[str]:
    """The lines after those of the weights: their sum, the sum of the fitting ones, and the quotient.

    condition  the name of the sum of all weights
    """
    below = working.let(condition, calculations.sum_formula(weights))
    above = working.let(BOTH, calculations.sum_formula(fitting))
    return working.last("probability", f"{calculations.operand(above)}/{calculations.operand(below)}")


def quantities(condition: str, weights: Mapping[str, Fraction], fitting: Sequence[Fraction], value: str) -> QuantityTemplates:
    """The quantities that the lines name, for checking them."""
    return {
        condition: lambda: sum(weights.values()),
        BOTH: lambda: sum(fitting),
        WEIGHT: lambda case: weights[case],
        "probability": lambda: Fraction(value),
    }


def picture(names: Sequence[str], parents: Sequence[Sequence[int]], tables: Sequence[Sequence[str]], marked: Collection[int]) -> str:
    """The network with the chances of its nodes; a node without parents shows its chance beside its name."""
    labels = [f"{name} {table[0]}" if not above else name for name, above, table in zip(names, parents, tables, strict=True)]
    edges = [(labels[parent], labels[k], " ".join(tables[k])) for k, above in enumerate(parents) for parent in above]
    return pictures.network(labels, edges, directed=True, marked={labels[k] for k in marked})
