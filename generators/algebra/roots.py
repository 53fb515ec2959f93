"""Real roots of polynomials, told as factors and the roots of each, and read back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from rlgym.answers import trees
from rlgym.answers.maths import quadratic_roots, read_constant
from rlgym.answers.trees import Tree
from rlgym.generators.algebra import polynomial_fields, polynomials
from rlgym.generators.algebra.polynomial_fields import Coefficients
from rlgym.generators.claims import Claim
from rlgym.generators.steps import Line

FACTORS = Line("The {place} is {product}.")
ROOTS = Line("{factor} is 0 at {roots}.")
NEVER = Line("{factor} is never 0: its discriminant is {inside}.")


def irreducible(whole: Sequence[Fraction | int]) -> list[Coefficients]:
    """The factors over the rational numbers, with integer coefficients, each as often as it divides."""
    import sympy

    numbers = [sympy.Rational(Fraction(a).numerator, Fraction(a).denominator) for a in reversed(whole)]
    found = []
    for factor, power in sympy.Poly(numbers, sympy.Symbol("x")).factor_list()[1]:
        found += [tuple(Fraction(int(a)) for a in reversed(factor.all_coeffs()))] * power
    return found


def of_factor(factor: Sequence[Fraction | int]) -> tuple[Tree, ...]:
    """The real roots of a polynomial of degree 1 or 2, from small to large."""
    if len(factor) == 2:
        return (trees.number(Fraction(-factor[0]) / factor[1]),)
    return quadratic_roots(*map(Fraction, factor))


def real(whole: Sequence[Fraction | int]) -> list[Tree]:
    """The different real roots, where no irreducible factor has a degree above 2."""
    return [root for factor in dict.fromkeys(irreducible(whole)) for root in of_factor(factor)]


def told(place: str, whole: Sequence[Fraction | int], name: str = "x") -> list[str]:
    """The factors and roots of a polynomial, as steps."""
    factors = irreducible(whole)
    unit = Fraction(whole[-1])
    for factor in factors:
        unit /= factor[-1]
    steps = [FACTORS.write(place=place, product="*".join([f"({unit})", *(f"({polynomials.text(factor, name)})" for factor in factors)]))]
    for factor in dict.fromkeys(factors):
        found = of_factor(factor)
        said = ", ".join(map(trees.write, found))
        inside = factor[1] ** 2 - 4 * factor[0] * factor[-1]
        shown = polynomials.text(factor, name)
        steps.append(ROOTS.write(factor=shown, roots=said) if found else NEVER.write(factor=shown, inside=inside))
    return steps


def claims(wholes: Mapping[str, Sequence[Fraction | int]], name: str = "x") -> list[Claim]:
    """What reads the steps of named polynomials back."""
    product: list[str] = []

    def factors_said(place: str, product_said: str) -> bool:
        product.append(product_said)
        return polynomial_fields.read(product_said.replace(name, "x")) == polynomial_fields.reduced(wholes[place], 0)

    def roots_said(factor: str, roots: str) -> bool:
        whole = polynomial_fields.read(factor.replace(name, "x"))
        found = [read_constant(root) for root in roots.split(", ")]
        return f"({factor})" in product[-1] and len(whole) < 4 and tuple(found) == of_factor(whole)

    def never_said(factor: str, inside: str) -> bool:
        c, b, a = polynomial_fields.read(factor.replace(name, "x"))
        return f"({factor})" in product[-1] and Fraction(inside) == b * b - 4 * a * c < 0

    return [(FACTORS, lambda place, product: factors_said(place, product)), (NEVER, never_said), (ROOTS, roots_said)]
