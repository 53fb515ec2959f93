"""Calculations in rings: numbers over a basis with a table of products (complex numbers, quaternions, finite fields), and Boolean rings.

A formula is an expression tree over the ring's names. `worked` reduces it product by product to the steps of a calculation, which
`replayed` reads back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

from rlgym.answers import trees
from rlgym.answers.trees import Apply, Name, Number, Tree, Undefined, build
from rlgym.core.rng import Rng
from rlgym.generators.algebra import polynomial_fields
from rlgym.generators.claims import refuted
from rlgym.generators.steps import Line

Element = tuple[Fraction, ...]
GIVEN = Line("So {name} = {formula}.")
STEP = Line("{left} = {value}")


@dataclass(frozen=True)
class Ring:
    """Elements are tuples of coordinates over a basis, whose first member is 1.

    basis    how each member is written, as in ("1", "i", "j", "k")
    table    the coordinates of the products of members, row by row
    prime    what the coordinates are taken modulo; 0: rational numbers
    """

    basis: tuple[str, ...]
    table: tuple[tuple[Element, ...], ...]
    prime: int = 0

    @cached_property
    def grammar(self) -> trees.Grammar:
        names = tuple(name for name in self.basis[1:] if "^" not in name and "*" not in name)
        return trees.Grammar(names, most_characters=6000, most_nodes=900)

    @cached_property
    def _members(self) -> dict[Tree, int]:
        return {trees.read(name, self.grammar): i for i, name in enumerate(self.basis)}

    def reduced(self, coordinates: Sequence[Fraction | int]) -> Element:
        return tuple(Fraction(polynomial_fields.residue(a, self.prime) if self.prime else a) for a in coordinates)

    def number(self, value: Fraction | int) -> Element:
        return self.reduced([value, *[0] * (len(self.basis) - 1)])

    def add(self, one: Element, other: Element, sign: int = 1) -> Element:
        return self.reduced([a + sign * b for a, b in zip(one, other)])

    def times(self, one: Element, other: Element) -> Element:
        # Whole coordinates, as all are of a field, are multiplied as integers.
        whole = all(a.denominator == 1 for a in (*one, *other))
        left: Sequence[Fraction | int] = [a.numerator for a in one] if whole else one
        right: Sequence[Fraction | int] = [b.numerator for b in other] if whole else other
        out: list[Fraction | int] = [0] * len(self.basis)
        for a, row in zip(left, self._products):
            for b, product in zip(right, row):
                if a and b:
                    for k, c in product:
                        out[k] += a * b * c
        return self.reduced(out)

    @cached_property
    def _products(self) -> list[list[list[tuple[int, Fraction | int]]]]:
        """The table without what is 0, integers as such."""
        return [
            [[(k, c.numerator if c.denominator == 1 else c) for k, c in enumerate(product) if c] for product in row] for row in self.table
        ]

    def inverse(self, one: Element) -> Element:
        """By solving one * x = 1; an ArithmeticError where there is no inverse."""
        size = len(self.basis)
        columns = [self.times(one, self.reduced([int(i == j) for i in range(size)])) for j in range(size)]
        rows = [[*(column[i] for column in columns), Fraction(int(i == 0))] for i in range(size)]
        for j in range(size):
            pivot = next((i for i in range(j, size) if rows[i][j]), None)
            if pivot is None:
                raise Undefined("there is no inverse")
            rows[j], rows[pivot] = rows[pivot], rows[j]
            unit = self.number(1 / rows[j][j])[0]
            rows[j] = list(self.reduced([a * unit for a in rows[j]]))
            for i in range(size):
                if i != j and rows[i][j]:
                    rows[i] = list(self.reduced([a - rows[i][j] * b for a, b in zip(rows[i], rows[j])]))
        return tuple(row[-1] for row in rows)

    def tree(self, element: Element) -> Tree:
        return build.total([build.times(trees.number(a), trees.read(name, self.grammar)) for a, name in zip(element, self.basis)])

    def text(self, element: Element) -> str:
        return trees.write(self.tree(element))

    def plain(self, tree: Tree) -> Element:
        """The element that is written out as a sum of numbers times members of the basis; Undefined for any other expression."""
        value = build.constant(tree)
        if value is not None:
            return tuple([value] + [Fraction(0)] * (len(self.basis) - 1))
        if tree in self._members:
            return tuple(Fraction(int(i == self._members[tree])) for i in range(len(self.basis)))
        if isinstance(tree, Apply) and tree.head in ("+", "-", "*", "/", "neg"):
            parts = [self.plain(part) for part in tree.parts]
            if tree.head in "+-":
                return tuple(a + b if tree.head == "+" else a - b for a, b in zip(*parts))
            if tree.head == "neg":
                return tuple(-a for a in parts[0])
            if not any(parts[-1][1:]) and (tree.head == "*" or parts[-1][0]):
                return tuple(a * parts[1][0] if tree.head == "*" else a / parts[1][0] for a in parts[0])
            if tree.head == "*" and not any(parts[0][1:]):
                return tuple(parts[0][0] * b for b in parts[1])
        raise Undefined("that is not written out")

    def written_out(self, tree: Tree) -> Element | None:
        """The element of an answer that is written out in full, coordinates in their range; else None."""
        try:
            found = self.plain(tree)
        except Undefined:
            return None
        return found if not self.prime or all(a.denominator == 1 and 0 <= a < self.prime for a in found) else None

    def value(self, tree: Tree) -> Element:
        """The value of a formula."""
        if isinstance(tree, Number):
            return self.number(tree.value)
        if isinstance(tree, Name):
            return self.plain(tree)
        if tree.head == "^":
            exponent = build.constant(tree.parts[1])
            if exponent is None or exponent.denominator != 1 or abs(exponent) > 10**6:
                raise Undefined("an exponent must be an integer")
            return self.power(self.value(tree.parts[0]), int(exponent))
        one, *more = (self.value(part) for part in tree.parts)
        if tree.head == "neg":
            return self.add(self.number(0), one, -1)
        if tree.head in "+-":
            return self.add(one, more[0], 1 if tree.head == "+" else -1)
        return self.times(one, more[0] if tree.head == "*" else self.inverse(more[0]))

    def power(self, base: Element, exponent: int) -> Element:
        if exponent < 0:
            base, exponent = self.inverse(base), -exponent
        out = self.number(1)
        while exponent:
            out = self.times(out, base) if exponent & 1 else out
            base, exponent = self.times(base, base), exponent >> 1
        return out

    def read(self, text: str) -> Tree:
        return trees.read(text, self.grammar)


COMPLEX = Ring(
    ("1", "i"), (((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))), ((Fraction(0), Fraction(1)), (Fraction(-1), Fraction(0))))
)


def quaternions() -> Ring:
    products = ("1 i j k", "i -1 k -j", "j -k -1 i", "k j -i -1")
    names = ("1", "i", "j", "k")
    table = [
        tuple(tuple(Fraction((name == found.lstrip("-")) * (-1) ** found.count("-")) for name in names) for found in row.split())
        for row in products
    ]
    return Ring(names, tuple(table))


@lru_cache(maxsize=64)
def field(modulus: tuple[int, ...], prime: int) -> Ring:
    """The polynomials in a modulo an irreducible one, whose coefficients stand from the constant term up."""
    size = len(modulus) - 1
    divisor = tuple(map(Fraction, modulus))
    powers = []
    for k in range(2 * size - 1):
        rest = polynomial_fields.divided((*[Fraction(0)] * k, Fraction(1)), divisor, prime)[1]
        powers.append((*rest, *[Fraction(0)] * (size - len(rest))))
    table = tuple(tuple(powers[i + j] for j in range(size)) for i in range(size))
    return Ring(("1", "a", *(f"a^{k}" for k in range(2, size)))[:size], table, prime)


def drawn(rng: Rng, operations: int, leaf: Callable[[], Tree], powers: Sequence[int], tall: bool = False) -> Tree:
    """A random formula of that many sums, differences, products and powers; of elements alone where it is not `tall`, or inverses."""
    if not operations:
        return leaf()
    if powers and rng.chance(0.25):
        exponent = rng.choice(powers)
        if tall or exponent == -1:
            return Apply("^", (drawn(rng, operations - 1, leaf, powers, tall), trees.number(exponent)))
        power = Apply("^", (leaf(), trees.number(exponent)))
        return Apply("*", (power, drawn(rng, operations - 1, leaf, powers))) if operations > 1 else power
    left = rng.integer(0, operations - 1)
    head = rng.weighted("*+-", (6, 2, 2)) if operations > 1 else "*"
    return Apply(head, (drawn(rng, left, leaf, powers, tall), drawn(rng, operations - 1 - left, leaf, powers, tall)))


def worked(ring: Ring, formula: Tree) -> list[str]:
    """The calculation of a formula from inside out: each step does one operation on elements."""
    steps: list[str] = []

    def reduce(tree: Tree) -> Element:
        try:
            return ring.reduced(ring.plain(tree))
        except Undefined:
            assert isinstance(tree, Apply)
        if tree.head == "^":
            base = reduce(tree.parts[0])
            exponent = build.constant(tree.parts[1])
            assert exponent is not None
            if exponent < 0:
                base = said(Apply("^", (ring.tree(base), trees.number(-1))))
            out = base
            for bit in bin(abs(int(exponent)))[3:]:
                out = said(Apply("*", (ring.tree(out), ring.tree(out))))
                out = said(Apply("*", (ring.tree(out), ring.tree(base)))) if bit == "1" else out
            return out
        return said(Apply(tree.head, tuple(ring.tree(reduce(part)) for part in tree.parts)))

    def said(tree: Tree) -> Element:
        value = ring.value(tree)
        steps.append(STEP.write(left=trees.write(tree), value=ring.text(value)))
        return value

    reduce(formula)
    return steps


def replayed(ring: Ring, steps: Sequence[str], formula: Tree, ends: Callable[[str], bool]) -> int | None:
    """Reads a calculation back. Where it opens with the formula of an unknown, that must have the value of `formula`."""

    def given(name: str, formula_said: str) -> bool:
        return name in ("x", "z") and ring.value(ring.read(formula_said)) == ring.value(formula)

    def stepped(left: str, value: str) -> bool:
        found = ring.written_out(ring.read(value))
        return found is not None and ring.value(ring.read(left)) == found

    return refuted(steps, [(GIVEN, lambda name, formula: given(name, formula)), (STEP, stepped)], ends)


def neighbours(ring: Ring, element: Element) -> Iterator[Element]:
    """Elements that a slip might give: a coordinate with the other sign or one too large, two coordinates exchanged."""
    for k, a in enumerate(element):
        yield ring.reduced([*element[:k], -a, *element[k + 1 :]])
        yield ring.reduced([*element[:k], a + 1, *element[k + 1 :]])
    yield ring.reduced([element[1], element[0], *element[2:]])
