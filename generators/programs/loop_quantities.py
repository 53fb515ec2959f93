"""Quantities that a program without multiplication and division finds by a loop: in words, as a formula, and as a loop with its proof."""

from __future__ import annotations

from collections.abc import Sequence

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData

KINDS = ("quotient", "remainder", "alternating", "multiple", "triangular", "squares")
NONLINEAR = frozenset({"multiple", "triangular", "squares"})


class Quantity(TaskData):
    """What one loop computes.

    bound  the argument or the earlier quantity that is divided, or that says how often the loop is repeated; at least 0
    of     the argument that is added up in a `multiple` or `triangular` quantity; empty where there is none
    by     the divisor, or the factor of `of`, of j or of j * j
    odd    what odd j add in an `alternating` quantity, else a number that every j adds
    """

    name: str
    kind: str
    bound: str
    of: str = ""
    by: int = 0
    odd: int = 0


def sample(rng: Rng, name: str, kind: str, bound: str, others: Sequence[str], largest: int) -> Quantity:
    """A quantity of this kind; one that adds up an argument takes one of `others`."""
    factors = [number for number in range(-largest, largest + 1) if number]
    match kind:
        case "quotient" | "remainder":
            return Quantity(name=name, kind=kind, bound=bound, by=rng.integer(2, largest + 2))
        case "alternating":
            even, odd = rng.sample(factors, 2)
            return Quantity(name=name, kind=kind, bound=bound, by=even, odd=odd)
        case "multiple":
            return Quantity(name=name, kind=kind, bound=bound, of=rng.choice(others), by=rng.choice(factors), odd=rng.choice(factors))
        case "triangular":
            of = rng.choice(["", *others])
            return Quantity(name=name, kind=kind, bound=bound, of=of, by=rng.choice(factors), odd=rng.choice(factors))
    return Quantity(name=name, kind=kind, bound=bound, by=rng.integer(1, largest), odd=rng.choice(factors))


def words(quantity: Quantity) -> str:
    """What the quantity is, for a prompt."""
    name, bound, by, odd = quantity.name, quantity.bound, quantity.by, quantity.odd
    none = f"(0 if {bound} is 0)"
    match quantity.kind:
        case "quotient":
            return f"{name} is the largest integer k with {by} * k <= {bound}"
        case "remainder":
            return f"{name} is the remainder, from 0 to {by - 1}, when {bound} is divided by {by}"
        case "alternating":
            return f"{name} is the sum, over all integers j with 0 <= j < {bound}, of {by} for each even j and {odd} for each odd j {none}"
        case "multiple":
            terms = [(by, quantity.of), (odd, "")]
        case "triangular":
            terms = [(by, "j"), *([(1, quantity.of)] if quantity.of else []), (odd, "")]
        case _:
            terms = [(by, "j * j"), (odd, "")]
    return f"{name} is the sum of ({linear(terms)}) over all integers j with 0 <= j < {bound} {none}"


def linear(terms: Sequence[tuple[int, str]]) -> str:
    """A sum of factors times names, an empty name standing for 1."""
    out = ""
    for factor, name in terms:
        size = abs(factor)
        part = str(size) if not name else name if size == 1 else f"{size} * {name}"
        out += (f" - {part}" if factor < 0 else f" + {part}") if out else (f"-{part}" if factor < 0 else part)
    return out


def value(quantity: Quantity, bound: str) -> str:
    """The quantity as a term, where `bound` is what it is divided or counted up to."""
    n, by, odd = f"({bound})", quantity.by, quantity.odd
    match quantity.kind:
        case "quotient":
            return f"{n} // {by}"
        case "remainder":
            return f"{n} % {by}"
        case "alternating":
            return f"{by} * (({n} + 1) // 2) + {odd} * ({n} // 2)"
        case "multiple":
            return f"({by} * {quantity.of} + {odd}) * {n}"
        case "triangular":
            each = f"{quantity.of} + {odd}" if quantity.of else str(odd)
            return f"{by} * ({n} * ({n} - 1) // 2) + ({each}) * {n}"
    return f"{by} * ({n} * ({n} - 1) * (2 * {n} - 1) // 6) + {odd} * {n}"


def invariant(quantity: Quantity) -> str:
    """What the loop preserves, in the names that `loop` uses."""
    a, n, by, odd = quantity.name, quantity.bound, quantity.by, quantity.odd
    i = counter(quantity)
    counted = f"0 <= {i} and {i} <= {n}"
    match quantity.kind:
        case "quotient":
            return f"0 <= {a} and {by} * {a} <= {n}"
        case "remainder":
            return f"0 <= {a} and ({n} - {a}) % {by} == 0"
        case "alternating":
            return f"{counted} and {_side(quantity)} == {i} % 2 and {a} == {value(quantity, i)}"
        case "multiple":
            return f"{counted} and {a} == {value(quantity, i)}"
        case "triangular":
            each = f"{quantity.of} + {odd}" if quantity.of else str(odd)
            return f"{counted} and 2 * {a} == {by} * {i} * ({i} - 1) + 2 * ({each}) * {i}"
    return f"{counted} and {_side(quantity)} == {i} * {i} and 6 * {a} == {by} * {i} * ({i} - 1) * (2 * {i} - 1) + {6 * odd} * {i}"


def decreases(quantity: Quantity) -> str:
    """What gets less in every iteration and never negative before one."""
    match quantity.kind:
        case "quotient":
            return f"{quantity.bound} - {quantity.by} * {quantity.name}"
        case "remainder":
            return quantity.name
    return f"{quantity.bound} - {counter(quantity)}"


def counter(quantity: Quantity) -> str:
    """The name of the loop's counter."""
    return f"i_{quantity.name}"


def _side(quantity: Quantity) -> str:
    """The name of what the loop remembers besides: the parity of the counter, or its square."""
    return f"s_{quantity.name}"


def loop(quantity: Quantity) -> list[str]:
    """Statements that compute the quantity, with the annotations of their loop."""
    a, n, by, odd = quantity.name, quantity.bound, quantity.by, quantity.odd
    i, s = counter(quantity), _side(quantity)
    notes = [f"invariant({invariant(quantity)})", f"decreases({decreases(quantity)})"]
    starts, test, body = {a: "0", i: "0"}, f"{i} < {n}", [f"{i} = {i} + 1"]
    match quantity.kind:
        case "quotient":
            starts, test, body = {a: "0"}, f"{by} * {a} + {by} <= {n}", [f"{a} = {a} + 1"]
        case "remainder":
            starts, test, body = {a: n}, f"{a} >= {by}", [f"{a} = {a} - {by}"]
        case "alternating":
            starts[s] = "0"
            change = [f"if {s} == 0:", f"    {a} = {a} + {by}", f"    {s} = 1", "else:", f"    {a} = {a} + {odd}", f"    {s} = 0"]
            body = [*change, *body]
        case "multiple":
            body = [f"{a} = {a} + {linear([(by, quantity.of), (odd, '')])}", *body]
        case "triangular":
            terms = [(by, i), *([(1, quantity.of)] if quantity.of else []), (odd, "")]
            body = [f"{a} = {a} + {linear(terms)}", *body]
        case _:
            starts[s] = "0"
            body = [f"{a} = {a} + {linear([(by, s), (odd, '')])}", f"{s} = {s} + 2 * {i} + 1", *body]
    lines = [*(f"{name} = {first}" for name, first in starts.items()), f"while {test}:"]
    return [*lines, *(f"    {line}" for line in [*notes, *body])]
