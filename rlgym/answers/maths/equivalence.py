"""Whether two mathematical answers of any type say the same, in bounded time and without running them as code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from rlgym.answers.maths.cleaning import cleaned
from rlgym.answers.maths.complex_numbers import is_complex_constant, same_complex
from rlgym.answers.maths.conversions import as_matrix, readings, without_percent
from rlgym.answers.maths.curves import same_curve, same_up_to_constant
from rlgym.answers.maths.general import read_decimal_comma, read_item
from rlgym.answers.maths.inequalities import FLIPPED, is_label, spans_of, unknowns, variable
from rlgym.answers.maths.items import Item, Many, Matrix, Relation, Scalar, Words
from rlgym.answers.maths.published import option, value_of_function
from rlgym.answers.maths.spans import same_spans
from rlgym.answers.maths.units import read_unit
from rlgym.answers.trees import Apply, Name, Number, Tree, derivative, exact, number, same, value, walk
from rlgym.core.answer import Unreadable


def equivalent(expected: str, given: str, *, digits: int | None = None, percent_as_fraction: bool = False) -> bool:
    """Whether an answer of unknown type says the same as the expected one.

    Numbers, expressions, equations, inequalities, intervals and their unions, sets, lists, tuples, matrices and plain words are compared as
    what they mean: sets and lists without order or repetition, tuples in order, equations by the points that satisfy them. `x = 3` says the same
    as `3`. A unit of the expected answer must be given, save that of an amount of money, and percent signs are compared where both have them.
    `digits`: a decimal number counts as equal to a number that it rounds to at that many places; without it comparison is exact.
    `percent_as_fraction`: 50% is 1/2 and not 50; without it the sign is a unit.

    Factorials and binomials of numbers, mixed numbers (`1\\frac12`), powers of ten (`1e3`), recurring decimals and logarithms to a base are read as
    numbers. An angle in degrees equals one in radians that is written with pi. Where no other name occurs, `i` is the imaginary unit. A matrix equals
    nested lists in square brackets, inequalities joined by "or" a union, and `\\textbf{(C)}\\ 12` both C and 12.
    """
    if cleaned(expected) == cleaned(given) and cleaned(given):
        return True
    if (choice := option(expected)) or (choice := option(given)):
        return _equivalent_option(choice, given if option(expected) else expected, digits, percent_as_fraction)
    if "=" not in expected:
        given = value_of_function(given)
    try:
        one, other = read_item(expected), read_item(given)
        # 2,74 may be a list, or a number with a decimal comma: it is one where it stands against a decimal number.
        if isinstance(other, Scalar) and _decimal(other.tree):
            one = read_decimal_comma(expected) or one
        elif isinstance(one, Scalar) and _decimal(one.tree):
            other = read_decimal_comma(given) or other
        if percent_as_fraction:
            one, other = without_percent(one), without_percent(other)
        return _same_item(one, other, digits)
    except (Unreadable, ArithmeticError, RecursionError):
        return False


def _equivalent_option(choice: tuple[str, str], other: str, digits: int | None, percent_as_fraction: bool) -> bool:
    """Whether another answer names the letter or the value of an option, or both."""
    letter, value = choice
    if second := option(other):
        return second[0] == letter and equivalent(value, second[1], digits=digits, percent_as_fraction=percent_as_fraction)
    return _squeeze(cleaned(other)) == letter.casefold() or equivalent(value, other, digits=digits, percent_as_fraction=percent_as_fraction)


def _same_item(one: Item, other: Item, digits: int | None) -> bool:
    one, other = _alternatives(one, other), _alternatives(other, one)
    one, other = _rows_of_assignments(one), _rows_of_assignments(other)
    if isinstance(one, Relation) or isinstance(other, Relation):
        return _same_relation(one, other, digits)
    if isinstance(one, Scalar) and isinstance(other, Scalar):
        if one.unit and _squeeze(one.unit) != _squeeze(other.unit):
            if one.unit and other.unit:
                return _same_quantity(one, other, digits)
            return _equal(one.whole or one.tree, other.whole or other.tree, digits) and one.whole is not None
        if other.whole is not None and not one.unit:
            return _equal(one.tree, other.whole, digits) or _equal(one.tree, other.tree, digits)
        return any(_equal(first, second, digits) for first, second in readings(one, other))
    if isinstance(one, Matrix) != isinstance(other, Matrix):
        one, other = as_matrix(one) or one, as_matrix(other) or other
    if isinstance(one, Matrix) and isinstance(other, Matrix):
        return len(one.rows) == len(other.rows) and all(_same_sequence(a, b, digits) for a, b in zip(one.rows, other.rows))
    if isinstance(one, Many) and isinstance(other, Many):
        return _same_collection(one, other, digits)
    if isinstance(one, Many) or isinstance(other, Many):
        many, single = (one, other) if isinstance(one, Many) else (other, one)
        assert isinstance(many, Many)
        return many.kind in ("set", "list") and all(_same_item(item, single, digits) for item in many.items)
    return (
        isinstance(one, Words | Scalar)
        and isinstance(other, Words | Scalar)
        and _item_text(one) != ""
        and _item_text(one) == _item_text(other)
    )


def _same_quantity(one: Scalar, other: Scalar, digits: int | None) -> bool:
    """Amounts in different units of the same kind."""
    try:
        first, second = read_unit(one.unit), read_unit(other.unit)
    except Unreadable:
        return False
    factor = number(second.factor / first.factor)
    return first.powers == second.powers and _equal(one.tree, Apply("*", (other.tree, factor)), digits)


def _alternatives(item: Item, other: Item) -> Item:
    """Inequalities joined by "or", which are a union beside one, beside an interval and beside an inequality, and a list else."""
    if not isinstance(item, Many) or item.kind != "either":
        return item
    spans = isinstance(other, Relation) or (isinstance(other, Many) and (other.kind == "union" or len(other.kind) == 2))
    return replace(item, kind="union" if spans else "list")


def _rows_of_assignments(item: Item) -> Item:
    """A list of assignments in rows as tuples: p = 5, q = 2; p = 7, q = 2."""
    if isinstance(item, Many) and item.kind == "list" and all(isinstance(one, Many) and one.kind == "list" for one in item.items):
        return Many("list", tuple(Many("()", one.items) for one in item.items if isinstance(one, Many)))
    return item


def _same_collection(one: Many, other: Many, digits: int | None) -> bool:
    loose = ("list", "set")
    spans = [spans_of(one), spans_of(other)]
    if "union" in (one.kind, other.kind) or (one.kind != other.kind and one.kind not in loose and other.kind not in loose):
        return spans[0] is not None and spans[1] is not None and same_spans(spans[0], spans[1])
    if one.kind in loose and other.kind in loose:
        return _members(one.items, other.items, digits)
    if one.kind == other.kind or "list" in (one.kind, other.kind):
        return _same_sequence(one.items, other.items, digits)
    return False


def _same_sequence(one: Sequence[Item], other: Sequence[Item], digits: int | None) -> bool:
    return len(one) == len(other) and all(_same_item(a, b, digits) for a, b in zip(one, other))


def _members(one: Sequence[Item], other: Sequence[Item], digits: int | None) -> bool:
    """The same members, however often and in whatever order each is named."""
    one, other = _flat(one), _flat(other)
    if any(isinstance(item, Relation) for item in one) != any(isinstance(item, Relation) for item in other) and len(one) == len(other):
        return _same_sequence([_result(item) for item in one], [_result(item) for item in other], digits) or _members(
            [_result(item) for item in one], [_result(item) for item in other], digits
        )
    return all(any(_same_item(a, b, digits) for b in other) for a in one) and all(any(_same_item(a, b, digits) for a in one) for b in other)


def _flat(items: Sequence[Item]) -> list[Item]:
    out: list[Item] = []
    for item in items:
        if isinstance(item, Many) and item.kind == "list":
            out += _flat(item.items)
        elif isinstance(item, Relation) and isinstance(item.sides[-1], Many) and item.sides[-1].kind == "list":
            out += [Relation(item.signs, (*item.sides[:-1], last)) for last in item.sides[-1].items]
        else:
            out.append(item)
    return out


def _result(item: Item) -> Item:
    """The right side of an assignment, another item as it is."""
    if isinstance(item, Relation) and "=" in (item.signs[-1], item.signs[0]):
        return _without_steps(item).sides[-1]
    return item


def _without_steps(relation: Relation) -> Relation:
    """A chain of equalities without its approximations and its steps: x = 5 + 6 = 11 ≈ 11.0 is x = 11."""
    signs, sides = list(relation.signs), list(relation.sides)
    while len(signs) > 1 and signs[-1] == "~":
        signs.pop()
        sides.pop()
    signs = ["=" if sign in ("~", "in") else sign for sign in signs]
    if all(sign == "=" for sign in signs) and len(sides) > 2:
        at = next((k for k in range(len(sides) - 2, -1, -1) if is_label(sides[k])), 0)
        signs, sides = ["="], [sides[at], sides[-1]]
    return Relation(tuple(signs), tuple(sides))


def _same_relation(one: Item, other: Item, digits: int | None) -> bool:
    spans = [spans_of(one), spans_of(other)]
    if spans[0] is not None and spans[1] is not None:
        names = {variable(side) for side in (one, other)} - {None}
        return len(names) < 2 and same_spans(spans[0], spans[1])
    if not isinstance(one, Relation) or not isinstance(other, Relation):
        relation, item = (one, other) if isinstance(one, Relation) else (other, one)
        assert isinstance(relation, Relation)
        short = _without_steps(relation)
        if isinstance(item, Many) and item.kind in ("set", "list") and isinstance(short.sides[-1], Scalar):
            # Names count where both have them: `n = 2` is not `n = 2 or y = 2`.
            return all(_same_item(one, each, digits) if relation is one else _same_item(each, other, digits) for each in item.items)
        fits = (
            set(short.signs) == {"="} and (is_label(short.sides[0]) or relation is other) and not (relation is other and _equation(short))
        )
        return fits and _same_item(short.sides[-1], item, digits)
    one, other = _without_steps(one), _without_steps(other)
    if len(one.sides) == len(other.sides) == 2:
        return _pair(one, other, digits)
    return one.signs == other.signs and _same_sequence(one.sides, other.sides, digits)


def _equation(relation: Relation) -> bool:
    """Whether an equality is a condition on its names rather than the name of a result."""
    return any(isinstance(side, Scalar) and any(isinstance(node, Name) for node in walk(side.tree)) for side in relation.sides[1:])


def _pair(one: Relation, other: Relation, digits: int | None) -> bool:
    if one.signs == other.signs and _same_sequence(one.sides, other.sides, digits):
        return True
    if all(isinstance(side, Scalar) for side in (*one.sides, *other.sides)):
        if (units := _units(one)) and (others := _units(other)) and units != others:
            return False
        f, g = (Apply("-", tuple(side.tree for side in each.sides if isinstance(side, Scalar))) for each in (one, other))
        if not same_curve((f, Number(Fraction(0))), (g, Number(Fraction(0)))):
            return False
        sign = one.signs[0]
        return other.signs[0] == sign if sign in ("=", "!=") else other.signs[0] == (sign if _ratio(f, g) > 0 else FLIPPED[sign])
    flipped = Relation(tuple(FLIPPED.get(sign, sign) for sign in other.signs[::-1]), other.sides[::-1])
    return one.signs == flipped.signs and _same_sequence(one.sides, flipped.sides, digits)


def _units(relation: Relation) -> set[str]:
    """The units of the sides."""
    return {_squeeze(side.unit) for side in relation.sides if isinstance(side, Scalar) and side.unit}


def _ratio(one: Tree, other: Tree) -> Fraction:
    """The constant by which one is a multiple of the other, from a point where neither is 0."""
    names = {node.text for tree in (one, other) for node in walk(tree) if isinstance(node, Name)}
    for start in (3, 7, 19, 101):
        point = {name: Fraction(start + 4 * k, 3) for k, name in enumerate(sorted(names))}
        below = exact(other, point)
        if below and (above := exact(one, point)):
            return above / below
    raise Unreadable("the sign cannot be determined")


def _equal(one: Tree, other: Tree, digits: int | None) -> bool:
    if same(one, other) or _antiderivatives(one, other):
        return True
    if is_complex_constant(one) or is_complex_constant(other):
        return same_complex(one, other)
    if digits is None or unknowns(one) or unknowns(other) or not (_decimal(one) or _decimal(other)):
        return False
    try:
        return bool(round(value(one) - value(other), digits) == 0) or _rounds(one, other, digits) or _rounds(other, one, digits)
    except ArithmeticError:
        return False


def _antiderivatives(one: Tree, other: Tree) -> bool:
    """Whether both end in `+ C` and differ by a constant."""
    if (
        "C" not in unknowns(one)
        or "C" not in unknowns(other)
        or len(names := unknowns(one) - {"C"}) != 1
        or names != unknowns(other) - {"C"}
    ):
        return False
    try:
        free = all(same(number(1), derivative(tree, "C")) for tree in (one, other))
        return free and same_up_to_constant(one, other, names.pop())
    except ArithmeticError:
        return False


def _rounds(one: Tree, other: Tree, digits: int) -> bool:
    """Whether a decimal number is the other one rounded to its own places, of which there are at least `digits`."""
    places = max(
        (
            len(str(Decimal(node.value.numerator) / Decimal(node.value.denominator)).partition(".")[2])
            for node in walk(one)
            if isinstance(node, Number)
        ),
        default=0,
    )
    return places >= digits and round(value(other), places) == round(value(one), places)


def _decimal(tree: Tree) -> bool:
    return any(isinstance(node, Number) and node.value.denominator != 1 for node in walk(tree))


def _item_text(item: Words | Scalar) -> str:
    if isinstance(item, Words):
        return _squeeze(item.text)
    return item.tree.text.casefold() if isinstance(item.tree, Name) and not item.unit else ""


def _squeeze(text: str) -> str:
    return re.sub(r"[\s().,$\\{}⟦⟧]+", "", text).casefold()
