"""What z3 is told of products of variables, which it decides by search alone: equal terms, and remainders of polynomials."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from rlgym.generators.programs import proofs

MOST_ATOMS, MOST_RESIDUES = 14, 400
FEW = ((2, 0, 100_000),)
TRIES = ((2, 0, 200_000), (6, 0, 200_000))


def always(claim: Any, known: Sequence[Any]) -> bool:
    """Whether `claim` holds for all values for which all of `known` does, as `proofs.always` says.

    Where the solver gives up, it is asked again with lemmas: variables are replaced by terms that they equal by the facts without
    products, and the remainder of a polynomial is stated where it is the same for all integers. Both follow from what is known.
    """
    try:
        return proofs.always(claim, known, FEW)
    except proofs.Undecided:
        pass
    claim, known = _replace_equal(claim, [part for fact in known for part in _conjuncts(fact)])
    return proofs.always(claim, [*known, *_remainders([claim, *known])], TRIES)


def _conjuncts(fact: Any) -> Iterator[Any]:
    import z3

    if z3.is_and(fact):
        for part in fact.children():
            yield from _conjuncts(part)
    else:
        yield fact


def _walk(roots: Sequence[Any]) -> list[Any]:
    """All parts of these formulas, each once."""
    seen, waiting = dict[int, Any](), list(roots)
    while waiting:
        node = waiting.pop()
        if node.get_id() not in seen:
            seen[node.get_id()] = node
            waiting += node.children()
    return list(seen.values())


def _is_variable(node: Any) -> bool:
    import z3

    return bool(z3.is_int(node) and z3.is_const(node) and node.decl().kind() == z3.Z3_OP_UNINTERPRETED)


def _is_division(node: Any) -> bool:
    import z3

    return bool(z3.is_idiv(node) or z3.is_mod(node)) and bool(z3.is_int_value(node.arg(1)))


def _has_product(fact: Any) -> bool:
    import z3

    return any(z3.is_mul(node) and sum(not z3.is_int_value(part) for part in node.children()) > 1 for node in _walk([fact]))


def _replace_equal(claim: Any, known: Sequence[Any]) -> tuple[Any, list[Any]]:
    """The claim and the facts with variables replaced by earlier variables, divisions or numbers that they equal."""
    import z3

    plain = [fact for fact in known if not _has_product(fact)]
    parts = _walk([claim, *known])
    variables = sorted((node for node in parts if _is_variable(node)), key=str, reverse=True)  # later values of a variable first
    others = [*(node for node in parts if _is_division(node) and not _has_product(node)), *variables]
    if len(others) > MOST_ATOMS:
        return claim, list(known)
    replaced = list[tuple[Any, Any]]()
    for place, variable in enumerate(variables):
        for other in [z3.IntVal(0, claim.ctx), *others]:
            later = any(other.eq(earlier) for earlier in variables[: place + 1])
            if later or any(node.eq(variable) for node in _walk([other])):
                continue
            try:
                equal = proofs.always(variable == other, plain, FEW)
            except proofs.Undecided:
                continue
            if equal:
                replaced.append((variable, other))
                break
    for variable, other in replaced:
        claim = z3.substitute(claim, (variable, other))
        known = [z3.substitute(fact, (variable, other)) for fact in known]
    return claim, [*known, *plain]


def _remainders(formulas: Sequence[Any]) -> list[Any]:
    """For each division of a polynomial by a number: its remainder, if it is the same for all integers."""
    facts = []
    for node in _walk(formulas):
        if not _is_division(node) or not _has_product(node):
            continue
        dividend, divisor = node.children()
        names = {name.get_id() for name in _factors(dividend)}
        by = divisor.as_long()
        if by < 1 or by ** len(names) > MOST_RESIDUES:
            continue
        residues = set[int]()
        for values in product(range(by), repeat=len(names)):
            residues.add(_residue(dividend, dict(zip(names, values, strict=True)), by))
            if len(residues) > 1:
                break
        if len(residues) == 1:
            facts.append(dividend % divisor == next(iter(residues)))
    return facts


def _is_polynomial(node: Any) -> bool:
    import z3

    return bool(z3.is_add(node) or z3.is_sub(node) or z3.is_mul(node) or node.decl().kind() == z3.Z3_OP_UMINUS)


def _factors(node: Any) -> Iterator[Any]:
    """What a polynomial is about: its variables, and terms such as divisions that stand in their place."""
    import z3

    if _is_polynomial(node):
        for part in node.children():
            yield from _factors(part)
    elif not z3.is_int_value(node):
        yield node


def _residue(node: Any, values: Mapping[int, int], by: int) -> int:
    """The polynomial modulo `by`, where what it is about has these values."""
    import z3

    if node.get_id() in values:
        return values[node.get_id()]
    if z3.is_int_value(node):
        return int(node.as_long() % by)
    numbers = [_residue(part, values, by) for part in node.children()]
    if z3.is_add(node):
        return sum(numbers) % by
    if z3.is_mul(node):
        return math.prod(numbers) % by
    return (numbers[0] - sum(numbers[1:]) if z3.is_sub(node) else -numbers[0]) % by
