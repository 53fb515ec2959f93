"""Power series of a function z of x and y that an equation z = F(x, y, z) defines near the origin, where z is 0."""

from __future__ import annotations

from rlgym.core.rng import Rng

Series = dict[tuple[int, int], int]  # the coefficients by the powers of x and y
Terms = tuple[tuple[int, int, int, int], ...]  # of F: coefficient, and the powers of x, y and z


def solve(terms: Terms, degree: int) -> Series:
    """z up to a total degree: F is applied again and again, and each time one more degree is right."""
    z: Series = {}
    for up_to in range(1, degree + 1):
        following: Series = {}
        for coefficient, i, j, k in terms:
            part: Series = {(i, j): coefficient}
            for _ in range(k):
                part = _times(part, z, up_to)
            for powers, value in part.items():
                if sum(powers) <= up_to:
                    following[powers] = following.get(powers, 0) + value
        z = {powers: value for powers, value in following.items() if value}
    return z


def sample_terms(rng: Rng) -> Terms:
    """A linear part, and three further terms: with z, z^2 and z^3; so there is no closed form."""
    linear = [(rng.choice((1, 2, -1)), 1, 0, 0), (rng.choice((1, -1, 2)), 0, 1, 0)]
    first = [(rng.choice((1, -1, 2, -2, 3)), *rng.choice(((1, 0), (0, 1), (1, 1))), 1)]
    second = [(rng.choice((1, -1, 2)), *rng.choice(((0, 0), (1, 0), (0, 1))), 2)]
    third = [(rng.choice((1, -1, 2)), *rng.choice(((0, 0), (2, 0), (0, 2), (1, 1))), 3)]
    terms = {(i, j, k): coefficient for coefficient, i, j, k in (*linear, *first, *second, *third) if i + j + k}
    return tuple((coefficient, *powers) for powers, coefficient in terms.items())


def text(terms: Terms) -> str:
    """F as a formula."""
    out = ""
    for coefficient, *powers in terms:
        factors = [f"{name}^{k}" if k > 1 else name for name, k in zip("xyz", powers, strict=True) if k]
        size = [str(abs(coefficient))] if abs(coefficient) > 1 or not factors else []
        sign = ("-" if coefficient < 0 else "") if not out else " - " if coefficient < 0 else " + "
        out += sign + "*".join([*size, *factors])
    return out


def homogeneous_text(z: Series, degree: int) -> str:
    """The terms of one total degree as a formula; 0 if there are none."""
    return text(tuple((value, i, j, 0) for (i, j), value in sorted(z.items(), reverse=True) if i + j == degree)) or "0"


def _times(left: Series, right: Series, most: int) -> Series:
    out: Series = {}
    for (a, b), one in left.items():
        for (c, d), other in right.items():
            if a + b + c + d <= most:
                out[a + c, b + d] = out.get((a + c, b + d), 0) + one * other
    return out
