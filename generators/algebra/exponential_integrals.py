"""Integrals of N(x)*exp(Q(x))/x^k with unknown coefficients in N, which are elementary for one choice of these only.

By Liouville's theorem such an integral is elementary only if it is P(x)*exp(Q(x))/x^(k - 1) with a polynomial P, and then
N = x*P' - (k - 1)*P + x*Q'*P: linear equations for P and the unknown coefficients.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.algebra import eliminations, polynomials

NAMES = ("a", "b")


class Integrand(NamedTuple):
    """N by its coefficients from the constant term up, None where one is unknown; Q likewise; and k."""

    numerator: tuple[int | None, ...]
    exponent: tuple[int, ...]
    power: int

    @property
    def text(self) -> str:
        names, terms = iter(NAMES), list[str]()
        for degree in range(len(self.numerator) - 1, -1, -1):
            value = self.numerator[degree]
            if value is None:
                terms.append(f"{next(names)}*{polynomials.text([0] * degree + [1])}" if degree else next(names))
            elif value:
                terms.append(polynomials.text([0] * degree + [value]))
        joined = terms[0] + "".join(f" - {term[1:]}" if term.startswith("-") else f" + {term}" for term in terms[1:])
        return self._with(joined)

    def filled(self, values: Sequence[Fraction | int]) -> str:
        """The integrand with these values of the unknown coefficients, the highest power first."""
        rest = list(values)
        numbers = [rest.pop(0) if value is None else value for value in reversed(self.numerator)]
        return self._with(polynomials.text(numbers[::-1]))

    def _with(self, numerator: str) -> str:
        return f"({numerator})*exp({polynomials.text(self.exponent)})/x{f'^{self.power}' if self.power > 1 else ''}"


def image(p: Sequence[int], exponent: Sequence[int], power: int) -> list[int]:
    """N for a polynomial P."""
    slope = [i * c for i, c in enumerate(exponent)][1:]
    out = [0] * (len(p) + len(slope))
    for i, c in enumerate(p):
        out[i] += (i - power + 1) * c
        for j, s in enumerate(slope):
            out[i + j + 1] += c * s
    return out


def solve(integrand: Integrand) -> tuple[list[Fraction], list[Fraction]] | None:
    """P and the unknown coefficients, the highest power first; None if they are not unique."""
    numerator, exponent, power = integrand
    size = len(numerator) - len(exponent) + 1
    columns = [image([int(i == k) for i in range(size)], exponent, power) for k in range(size)]
    unknown = [i for i in range(len(numerator) - 1, -1, -1) if numerator[i] is None]
    columns += [[-int(i == k) for i in range(len(numerator))] for k in unknown]
    rows = [[*row, -(value or 0)] for row, value in zip(zip(*columns), numerator, strict=True)]
    basis = eliminations.null_space(rows)
    if len(basis) != 1 or not basis[0][-1]:
        return None
    solution = [value / basis[0][-1] for value in basis[0][:-1]]
    return solution[:size], solution[size:]


def antiderivative_text(integrand: Integrand, p: Sequence[Fraction]) -> str:
    below = "" if integrand.power < 2 else f"/x{f'^{integrand.power - 1}' if integrand.power > 2 else ''}"
    return f"({polynomials.text(p)})*exp({polynomials.text(integrand.exponent)}){below}"


def sample(rng: Rng, unknown: int) -> Integrand:
    """One whose unknown coefficients are unique and not small guesses, with a pole that partial results do not remove."""
    while True:
        power, degree = rng.integer(2, 3), rng.integer(2, 3)
        p = [rng.integer(1, 5) * rng.choice((1, -1)), *(rng.integer(-5, 5) for _ in range(degree - 1)), rng.integer(1, 3)]
        exponent = (0, rng.integer(1, 3) * rng.choice((1, -1)), rng.choice((1, -1, 2)))
        full = image(p, exponent, power)
        places = rng.sample([i for i, value in enumerate(full[:-1]) if abs(value) > 3] or [0], 1) if unknown == 1 else []
        if unknown == 2:
            large = [i for i, value in enumerate(full[:-1]) if abs(value) > 3]
            if len(large) < 2:
                continue
            places = rng.sample(large, 2)
        integrand = Integrand(tuple(None if i in places else value for i, value in enumerate(full)), exponent, power)
        if len([value for value in full if value]) > 4 and solve(integrand) is not None and abs(full[places[0]]) > 3:
            return integrand
