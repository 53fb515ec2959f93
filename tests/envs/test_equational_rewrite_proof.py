"""The kernel of equational proofs accepts no step that a group refutes."""

from itertools import pairwise, permutations

import pytest

from rlgym import Rng
from rlgym.generators.proofs import rewriting
from rlgym.generators.proofs.terms import parse

THINGS = tuple(permutations(range(3)))
LAWS = [rewriting.law(text) for text in rewriting.THEORIES["group"]]


def _value(term, given):
    match term:
        case ("m", first, second):
            a, b = _value(first, given), _value(second, given)
            return tuple(a[b[i]] for i in range(3))
        case ("i", first):
            a = _value(first, given)
            return tuple(a.index(i) for i in range(3))
        case ("e",):
            return (0, 1, 2)
        case str():
            return given[term]
    return given[term[0]]


def _drawn(rng, depth):
    if depth == 0 or rng.chance(0.2):
        return rng.choice((("a",), ("b",), ("e",)))
    return ("i", _drawn(rng, depth - 1)) if rng.chance(0.4) else ("m", _drawn(rng, depth - 1), _drawn(rng, depth - 1))


@pytest.mark.parametrize("theory", ["group", "left"])
def test_the_laws_and_every_rule_derived_from_them_hold_in_the_permutations_of_three_things(theory):
    laws = [rewriting.law(text) for text in rewriting.THEORIES[theory]]
    for chain in rewriting._rules(theory):
        assert all(rewriting.apply(laws, first, second) for first, second in pairwise(chain))
        for a, b, c in zip(THINGS * 3, THINGS[1:] * 3, THINGS[2:] * 4, strict=False):
            given = {"x": a, "y": b, "z": c}
            assert len({_value(term, given) for term in chain}) == 1


def test_an_accepted_step_holds_in_the_permutations_of_three_things():
    rng, accepted = Rng("steps"), 0
    for _ in range(60):
        chain = rewriting.chain("group", term := _drawn(rng, 4), ("m", ("e",), term))
        terms = [*chain, *(_drawn(rng, 3) for _ in range(4))]
        for first in terms:
            for second in terms:
                if rewriting.apply(LAWS, first, second):
                    accepted += 1
                    for a in THINGS:
                        given = {"a": a, "b": THINGS[3]}
                        assert _value(first, given) == _value(second, given)
    assert accepted > 200


@pytest.mark.parametrize(
    "lines",
    [
        ["m(a, b)", "m(b, a)"],
        ["m(a, b)"],
        ["m(b, a)"],
        ["m(a, b)", "m(e, m(a, b))", "m(b, a)"],
        ["m(a, b)", "x", "m(b, a)"],
        ["m(a, b) = m(b, a)"],
    ],
)
def test_what_is_not_equal_is_not_proved(lines):
    assert rewriting.fault(LAWS, parse("m(a, b)"), parse("m(b, a)"), lines)


def test_numbers_and_equals_signs_before_the_terms_are_read():
    assert not rewriting.fault(LAWS, parse("a"), parse("m(a,e)"), ["1. a", "= m(a,e)"])
