"""Calculations in rings of numbers over a basis with a table of products: complex numbers, quaternions, finite fields.

A formula is an expression tree over the ring's names. `evaluation_steps` evaluates it operation by operation, and `solution` declares the worked
solution of an environment whose tasks ask for the value of a formula.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TypeVar

from rlgym.answers import trees
from rlgym.answers.trees import Apply, Name, Number, Tree, Undefined, build
from rlgym.core.rng import Rng
from rlgym.core.task import Task, TaskData
from rlgym.generators.algebra import polynomial_fields
from rlgym.solutions import Checks, Derivation, Due, Solution, Step, in_order

Element = tuple[Fraction, ...]
D = TypeVar("D", bound=TaskData)
UNKNOWN = Step("So {name} = {formula}.")
OPERATION = Step("{left} = {value}")


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
        return trees.Grammar(names, max_characters=6000, max_nodes=900)

    @cached_property
    def _members(self) -> dict[Tree, int]:
        return {trees.read(name, self.grammar): i for i, name in enumerate(self.basis)}

    def reduced(self, coordinates: Sequence[Fraction | int]) -> Element:
        if not self.prime:
            return tuple([a if type(a) is Fraction else Fraction(a) for a in coordinates])
        return tuple(Fraction(polynomial_fields.residue(a, self.prime)) for a in coordinates)

    def number(self, value: Fraction | int) -> Element:
        return self.reduced([value, *[0] * (len(self.basis) - 1)])

    def add(self, left: Element, right: Element, sign: int = 1) -> Element:
        return self.reduced([a + b if sign == 1 else a - b if sign == -1 else a + sign * b for a, b in zip(left, right)])

    def times(self, first: Element, second: Element) -> Element:
        # Whole coordinates, as all are of a field, are multiplied as integers.
        all_integers = all(a.denominator == 1 for a in (*first, *second))
        left: Sequence[Fraction | int] = [a.numerator for a in first] if all_integers else first
        right: Sequence[Fraction | int] = [b.numerator for b in second] if all_integers else second
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
        return build.total([build.times(trees.number(a), member) for a, member in zip(element, self._members)])

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
            element = self.plain(tree)
        except Undefined:
            return None
        return element if not self.prime or all(a.denominator == 1 and 0 <= a < self.prime for a in element) else None

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
        head_value, *more = (self.value(part) for part in tree.parts)
        if tree.head == "neg":
            return self.add(self.number(0), head_value, -1)
        if tree.head in "+-":
            return self.add(head_value, more[0], 1 if tree.head == "+" else -1)
        return self.times(head_value, more[0] if tree.head == "*" else self.inverse(more[0]))

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
        tuple(tuple(Fraction((name == unit.lstrip("-")) * (-1) ** unit.count("-")) for name in names) for unit in row.split())
        for row in products
    ]
    return Ring(names, tuple(table))


@lru_cache(maxsize=64)
def field(modulus: tuple[int, ...], prime: int) -> Ring:
    """The polynomials in a modulo an irreducible one, which is given by its coefficients from the constant term up."""
    size = len(modulus) - 1
    divisor = tuple(map(Fraction, modulus))
    powers = []
    for k in range(2 * size - 1):
        rest = polynomial_fields.divide((*[Fraction(0)] * k, Fraction(1)), divisor, prime)[1]
        powers.append((*rest, *[Fraction(0)] * (size - len(rest))))
    table = tuple(tuple(powers[i + j] for j in range(size)) for i in range(size))
    return Ring(("1", "a", *(f"a^{k}" for k in range(2, size)))[:size], table, prime)


def sample_formula(rng: Rng, operations: int, leaf: Callable[[], Tree], powers: Sequence[int], tall: bool = False) -> Tree:
    """A random formula with that many operations; only `tall` ones raise compound formulas to powers above -1."""
    if not operations:
        return leaf()
    if powers and rng.chance(0.25):
        exponent = rng.choice(powers)
        if tall or exponent == -1:
            return Apply("^", (sample_formula(rng, operations - 1, leaf, powers, tall), trees.number(exponent)))
        power = Apply("^", (leaf(), trees.number(exponent)))
        return Apply("*", (power, sample_formula(rng, operations - 1, leaf, powers))) if operations > 1 else power
    left = rng.integer(0, operations - 1)
    head = rng.weighted("*+-", (6, 2, 2)) if operations > 1 else "*"
    return Apply(head, (sample_formula(rng, left, leaf, powers, tall), sample_formula(rng, operations - 1 - left, leaf, powers, tall)))


def evaluation_steps(ring: Ring, formula: Tree) -> list[Due]:
    """The evaluation of a formula from inside out: each step carries out one operation on elements."""
    steps: list[Due] = []

    def evaluate(tree: Tree) -> Element:
        try:
            return ring.reduced(ring.plain(tree))
        except Undefined:
            assert isinstance(tree, Apply)
        if tree.head != "^":
            return apply(tree.head, *map(evaluate, tree.parts))
        base, exponent = evaluate(tree.parts[0]), build.constant(tree.parts[1])
        assert exponent is not None
        if exponent < 0:
            base = write(Apply("^", (ring.tree(base), trees.number(-1))))
        power = base
        for bit in bin(abs(int(exponent)))[3:]:
            power = apply("*", power, power)
            power = apply("*", power, base) if bit == "1" else power
        return power

    def apply(head: str, *elements: Element) -> Element:
        return write(Apply(head, tuple(map(ring.tree, elements))))

    def write(tree: Tree) -> Element:
        value = ring.value(tree)
        steps.append(OPERATION(left=trees.write(tree), value=ring.text(value)))
        return value

    evaluate(formula)
    return steps


def solution(
    unknown: str, closing: str, ring_of: Callable[[Task[D]], Ring], formula_of: Callable[[Task[D]], tuple[str, bool]]
) -> Solution[D]:
    """The worked solution of tasks that ask for the value of a formula.

    `formula_of` gives the formula, and whether the prompt shows it; where it does not, the solution opens with the formula of the `unknown`.
    """

    def derive(task: Task[D]) -> Derivation:
        ring, (formula, shown) = ring_of(task), formula_of(task)
        if not shown:
            yield UNKNOWN(name=unknown, formula=formula)
        yield from in_order(evaluation_steps(ring, ring.read(formula)))

    def checks(task: Task[D]) -> Checks:
        ring = ring_of(task)
        expected = ring.value(ring.read(formula_of(task)[0]))

        def operation(left: str, value: str) -> bool:
            element = ring.written_out(ring.read(value))
            return element is not None and ring.value(ring.read(left)) == element

        return {UNKNOWN: lambda name, formula: name in ("x", "z") and ring.value(ring.read(formula)) == expected, OPERATION: operation}

    return Solution(derive, closing, checks)


def neighbours(ring: Ring, element: Element) -> Iterator[Element]:
    """Wrong elements near this one: a coordinate with the other sign or one too large, two coordinates exchanged."""
    for k, a in enumerate(element):
        yield ring.reduced([*element[:k], -a, *element[k + 1 :]])
        yield ring.reduced([*element[:k], a + 1, *element[k + 1 :]])
    yield ring.reduced([element[1], element[0], *element[2:]])
