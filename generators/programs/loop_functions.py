"""Functions that a few loop quantities and cases make up: when they may be called, what they return, and which calls are tried."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.programs import loop_quantities, proofs
from rlgym.generators.programs.loop_quantities import Quantity

Point = dict[str, int]
INPUTS, QUANTITIES = ("n", "x", "y"), ("a", "b", "c")
Terms = tuple[tuple[int, str], ...]


class Condition(TaskData):
    """A condition on the arguments, in words and as a formula."""

    words: str
    formula: str


class LoopFunction(TaskData):
    """A function of integers. Where `test` is empty, the second of `returned` is, too."""

    inputs: tuple[str, ...]
    conditions: tuple[Condition, ...]
    quantities: tuple[Quantity, ...]
    test: str
    returned: tuple[Terms, Terms]

    @property
    def requires(self) -> str:
        """When the function may be called."""
        return " and ".join(condition.formula for condition in self.conditions)

    @property
    def values(self) -> dict[str, str]:
        """Each quantity as a term of the arguments."""
        out = dict[str, str]()
        for quantity in self.quantities:
            out[quantity.name] = loop_quantities.value(quantity, out.get(quantity.bound, quantity.bound))
        return out

    @property
    def cases(self) -> list[tuple[str, str]]:
        """Each case's condition and the value that is returned in it, as a term of the arguments."""
        values = self.values
        first, second = (" + ".join(f"{factor} * ({values.get(name, name or '1')})" for factor, name in terms) for terms in self.returned)
        return [(self.test, first), (f"not ({self.test})", second)] if self.test else [("True", first)]

    @property
    def value(self) -> str:
        """What the function returns, as one term of the arguments."""
        first, *second = self.cases
        return f"({first[1]} if {first[0]} else {second[0][1]})" if second else first[1]


def sample(rng: Rng, inputs: int, quantities: int, kinds: int, conditions: int, cases: int, largest: int, *, chained: bool) -> LoopFunction:
    """A function of so many arguments. `chained`: each quantity but the first counts up to, or divides, the one before."""
    names = INPUTS[:inputs]
    while True:
        found = _quantities(rng, names, quantities, kinds, largest, chained=chained)
        bounds = dict.fromkeys(quantity.bound for quantity in found if quantity.bound in names)
        needed = [Condition(words=f"{name} is at least 0", formula=f"{name} >= 0") for name in bounds]
        extra = [_condition(rng, names, largest) for _ in range(conditions)]
        test = _test(rng, names, largest) if cases else ""
        returned = [_terms(rng, found[::-1] if i else found, names, largest) for i in range(1 + cases)]
        if cases and returned[0] == returned[1]:
            continue
        function = LoopFunction(
            inputs=names,
            conditions=(*needed, *extra),
            quantities=tuple(found),
            test=test,
            returned=(returned[0], returned[1] if cases else ()),
        )
        if _is_sound(function):
            return function


def _quantities(rng: Rng, names: Sequence[str], quantities: int, kinds: int, largest: int, *, chained: bool) -> list[Quantity]:
    out = list[Quantity]()
    for i in range(quantities):
        # The last kinds are the hard ones, so the last quantity has one of them. After another quantity it has products where it can:
        # a sum of fixed numbers would need no more than a division.
        hard = loop_quantities.KINDS[max(0, kinds - 2) : kinds]
        hard = tuple(kind for kind in hard if i and kind in loop_quantities.NONLINEAR) or hard
        kind = rng.choice(hard if i == quantities - 1 else loop_quantities.KINDS[:kinds])
        # One loop could serve two quantities of the same bound.
        bound = rng.choice([name for name in names if name not in {quantity.bound for quantity in out}] or names)
        if chained and i:
            bound = out[-1].name
        if chained and i < quantities - 1:
            kind = "quotient"
        out.append(loop_quantities.sample(rng, QUANTITIES[i], kind, bound, names, largest))
    return out


def _terms(rng: Rng, quantities: Sequence[Quantity], names: Sequence[str], largest: int) -> Terms:
    """A sum of the quantities and of the arguments that they leave out, or of a number."""
    used = {name for quantity in quantities for name in (quantity.bound, quantity.of)}
    factors = [number for number in range(-3, 4) if number]
    terms = [(rng.choice(factors), quantity.name) for quantity in quantities]
    terms += [(rng.choice(factors), name) for name in names if name not in used]
    return (*terms, (rng.choice([number for number in range(-largest, largest + 1) if number]), ""))


def _test(rng: Rng, names: Sequence[str], largest: int) -> str:
    name, *others = rng.shuffled(list(names))
    if others and rng.chance(0.6):
        return rng.choice((f"{name} < {others[0]}", f"{name} + {others[0]} > {rng.integer(3, largest + 4)}"))
    return f"{name} {rng.choice(('<', '>'))} {rng.integer(2, largest + 2)}"


def _condition(rng: Rng, names: Sequence[str], largest: int) -> Condition:
    name, *others = rng.shuffled(list(names))
    number, by = rng.integer(1, largest), rng.integer(2, 5)
    kinds = [
        (f"{name} is not {number}", f"{name} != {number}"),
        (f"{name} is not divisible by {by}", f"{name} % {by} != 0"),
        (f"{name} is at most {10 * number}", f"{name} <= {10 * number}"),
        (f"{name} is greater than {number}", f"{name} > {number}"),
    ]
    if others:
        other = others[0]
        kinds += [
            (f"{name} is not equal to {other}", f"{name} != {other}"),
            (f"{name} is less than {other}", f"{name} < {other}"),
            (f"at least one of {name} and {other} is greater than {number}", f"({name} > {number} or {other} > {number})"),
            (f"{name} and {other} are both even or both odd", f"({name} - {other}) % 2 == 0"),
            (f"if {name} is negative, {other} is positive", f"({name} >= 0 or {other} > 0)"),
        ]
    words, formula = rng.choice(kinds)
    return Condition(words=words, formula=formula)


def _is_sound(function: LoopFunction) -> bool:
    """Whether each condition rules out calls that the others allow, and each case occurs, among the calls that are tried."""
    points, formulas = calls(function.inputs), [condition.formula for condition in function.conditions]
    holds = [[bool(proofs.evaluate(formula, point)) for point in points] for formula in formulas]
    allowed = [point for point, row in zip(points, zip(*holds, strict=True), strict=True) if all(row)]
    ruled_out = all(any(not row[i] and sum(row) == len(row) - 1 for row in zip(*holds, strict=True)) for i in range(len(formulas)))
    first = sum(bool(proofs.evaluate(function.test, point)) for point in allowed) if function.test else 0
    both = not function.test or len(allowed) // 6 <= first <= len(allowed) - len(allowed) // 6
    return ruled_out and both and len(allowed) >= 12


@lru_cache(8)
def calls(inputs: tuple[str, ...]) -> tuple[Point, ...]:
    """Calls, allowed or not: all small ones, and others with numbers up to 120."""
    least, most = {1: (-6, 24), 2: (-3, 6), 3: (-1, 2)}[len(inputs)]
    rng = Rng("calls", len(inputs))
    small = [dict(zip(inputs, values, strict=True)) for values in product(range(least, most + 1), repeat=len(inputs))]
    others = [{name: rng.integer(-reach, reach) for name in inputs} for reach in (12, 12, 12, 120) for _ in range(12)]
    return (*small, *others)
