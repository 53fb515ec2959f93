"""Finding a homogeneous linear differential equation from a solution's derivatives at 0, where its characteristic roots are small integers.

With roots r and weights w, the derivatives at 0 are the sums of w*r^k. There is one derivative more than weights, so the roots are found by search.
"""

from collections.abc import Sequence
from itertools import combinations

from rlgym.core.rng import Rng
from rlgym.generators.algebra.symbolic import sample_coefficient

Roots = tuple[int, ...]
ORDERS = {3: "third", 4: "fourth", 5: "fifth"}


def characteristic_polynomial(roots: Sequence[int]) -> list[int]:
    """The coefficients of the monic polynomial with these roots, from the constant one."""
    coefficients = [1]
    for root in roots:
        coefficients = [before - root * same for before, same in zip([0, *coefficients], [*coefficients, 0], strict=True)]
    return coefficients


def sample_roots(rng: Rng, order: int, reach: int) -> tuple[Roots, list[int], tuple[int, ...]]:
    """Roots from -reach to reach, their weights, and the derivatives at 0 from the 0th on, which no other such roots fit."""
    polynomials = [characteristic_polynomial(roots) for roots in combinations(range(-reach, reach + 1), order)]
    while True:
        roots = tuple(sorted(rng.sample(range(-reach, reach + 1), order)))
        weights = [sample_coefficient(rng, 9) for _ in roots]
        starts = tuple(sum(weight * root**k for weight, root in zip(weights, roots, strict=True)) for k in range(order + 1))
        if sum(not sum(a * start for a, start in zip(polynomial, starts, strict=True)) for polynomial in polynomials) == 1:
            return roots, weights, starts


def find_roots(starts: Sequence[int], reach: int) -> Roots:
    """The roots that fit: for each choice of all but the largest, the derivatives say what the largest is."""
    order = len(starts) - 1
    for others in combinations(range(-reach, reach + 1), order - 1):
        partial = characteristic_polynomial(others)
        upper = sum(a * start for a, start in zip(partial, starts[1:], strict=True))
        lower = sum(a * start for a, start in zip(partial, starts[:-1], strict=True))
        if lower and not upper % lower and others[-1] < upper // lower <= reach:
            return (*others, upper // lower)
    raise ValueError(f"no roots from -{reach} to {reach} fit {starts!r}")


def render_search(starts: Sequence[int], reach: int) -> str:
    order = len(starts) - 1
    conditions = ", ".join(f"y{chr(39) * k}(0) = {start}" for k, start in enumerate(starts))
    return (
        f"The function y(x) solves a homogeneous linear differential equation of {ORDERS[order]} order with constant coefficients, which are unknown. Its "
        f"characteristic polynomial has {order} different integer roots from {-reach} to {reach}. Find y, given {conditions}. Any formula for y will do."
    )
