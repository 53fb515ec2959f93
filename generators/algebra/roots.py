"""Real roots of polynomials, found by factoring, as checkable steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

from rlgym.answers import trees
from rlgym.answers.maths import quadratic_roots, read_constant
from rlgym.answers.trees import Tree
from rlgym.generators.algebra import polynomial_fields, polynomials
from rlgym.generators.algebra.polynomial_fields import Coefficients
from rlgym.solutions import Due, Step

FACTORS = Step("The {place} is {product}.")
ROOTS = Step("{factor} is 0 at {roots:words}.")
NEVER = Step("{factor} is never 0: its discriminant is {discriminant:fraction}.")


def irreducible_factors(polynomial: Sequence[Fraction | int]) -> list[Coefficients]:
    """The factors over the rational numbers, with integer coefficients, each as often as it divides."""
    import sympy

    numbers = [sympy.Rational(Fraction(a).numerator, Fraction(a).denominator) for a in reversed(polynomial)]
    factors = []
    for factor, power in sympy.Poly(numbers, sympy.Symbol("x")).factor_list()[1]:
        factors += [tuple(Fraction(int(a)) for a in reversed(factor.all_coeffs()))] * power
    return factors


def roots_of_factor(factor: Sequence[Fraction | int]) -> tuple[Tree, ...]:
    """The real roots of a polynomial of degree 1 or 2, from small to large."""
    if len(factor) == 2:
        return (trees.number(Fraction(-factor[0]) / factor[1]),)
    return quadratic_roots(*map(Fraction, factor))


def real_roots(polynomial: Sequence[Fraction | int]) -> list[Tree]:
    """The different real roots, where no irreducible factor has a degree above 2."""
    return [root for factor in dict.fromkeys(irreducible_factors(polynomial)) for root in roots_of_factor(factor)]


def factoring_steps(place: str, polynomial: Sequence[Fraction | int], name: str = "x") -> Iterator[Due]:
    """Steps that factor a polynomial and find the roots of each factor."""
    factors = irreducible_factors(polynomial)
    unit = Fraction(polynomial[-1])
    for factor in factors:
        unit /= factor[-1]
    yield FACTORS(place=place, product="*".join([f"({unit})", *(f"({polynomials.text(factor, name)})" for factor in factors)]))
    for factor in dict.fromkeys(factors):
        roots, text = roots_of_factor(factor), polynomials.text(factor, name)
        if roots:
            yield ROOTS(factor=text, roots=tuple(map(trees.write, roots)))
        else:
            yield NEVER(factor=text, discriminant=factor[1] ** 2 - 4 * factor[0] * factor[-1])


def checks(wholes: Mapping[str, Sequence[Fraction | int]], name: str = "x") -> dict[Step, Callable[..., bool]]:
    """Checks of the steps for named polynomials."""
    products: list[str] = []

    def factors(place: str, product: str) -> bool:
        products.append(product)
        return polynomial_fields.read(product.replace(name, "x")) == polynomial_fields.normalize(wholes[place], 0)

    def roots(factor: str, roots: tuple[str, ...]) -> bool:
        polynomial = polynomial_fields.read(factor.replace(name, "x"))
        return f"({factor})" in products[-1] and len(polynomial) < 4 and tuple(map(read_constant, roots)) == roots_of_factor(polynomial)

    def never(factor: str, discriminant: Fraction) -> bool:
        c, b, a = polynomial_fields.read(factor.replace(name, "x"))
        return f"({factor})" in products[-1] and discriminant == b * b - 4 * a * c < 0

    return {FACTORS: factors, NEVER: never, ROOTS: roots}
