"""The kernel of resolution accepts no step that a small model refutes."""

from itertools import product

import pytest

from rlgym import Rng
from rlgym.generators.proofs import resolution
from rlgym.generators.proofs.terms import variables

THINGS = (0, 1)


def _drawn(rng):
    def thing():
        return rng.choice(("x", "y", ("a",), ("b",), ("f", "x"), ("f", ("a",))))

    atoms = [(name, *(thing() for _ in range(arity))) for name, arity in (("P", 1), ("P", 1), ("R", 2), ("R", 2))]
    return tuple(dict.fromkeys((rng.chance(0.5), rng.choice(atoms)) for _ in range(rng.integer(1, 3))))


def _holds(clause, model):
    names = sorted({name for _, atom in clause for name in variables(atom)})
    for values in product(THINGS, repeat=len(names)):
        given = dict(zip(names, values, strict=True))

        def value(term, given=given):
            return given[term] if isinstance(term, str) else model[(term[0], *(value(part) for part in term[1:]))]

        if not any(model[(atom[0], *map(value, atom[1:]))] == sign for sign, atom in clause):
            return False
    return True


def _model(rng):
    model = {(name,): rng.choice(THINGS) for name in "ab"} | {("f", i): rng.choice(THINGS) for i in THINGS}
    model |= {("P", i): rng.chance(0.5) for i in THINGS}
    return model | {("R", i, j): rng.chance(0.5) for i, j in product(THINGS, THINGS)}


def test_an_accepted_step_holds_in_every_small_model_of_its_clauses():
    rng, accepted, report = Rng("resolution"), 0, 0
    for _ in range(1500):
        first, second = _drawn(rng), _drawn(rng)
        created = rng.choice(
            [_drawn(rng), *(clause[:-1] for clause in resolution.resolvents(first, second)), *resolution.resolvents(first, second)]
        )
        if not resolution.follows(created, first, second):
            continue
        accepted += 1
        for _ in range(12):
            model = _model(rng)
            if _holds(first, model) and _holds(second, model):
                report += 1
                assert _holds(created, model), (first, second, created)
    assert accepted > 100
    assert report > 100


def test_every_resolvent_and_its_instances_are_accepted():
    rng = Rng("resolvents")
    for _ in range(300):
        first, second = _drawn(rng), _drawn(rng)
        assert all(resolution.follows(resolvent, first, second) for resolvent in resolution.resolvents(first, second))


def test_literals_that_become_the_same_are_merged():
    first, second = (resolution.clause_of(text) for text in ("P(x) or P(y)", "not P(u) or not P(v)"))
    assert resolution.follows((), first, second)


@pytest.mark.parametrize("created", ["empty", "P(b)", "Q(x)", "not Q(a)"])
def test_what_does_not_follow_is_refused(created):
    first, second = (resolution.clause_of(text) for text in ("P(a)", "not P(x) or Q(x)"))
    assert not resolution.follows(resolution.clause_of(created), first, second)
    assert resolution.follows(resolution.clause_of("Q(a)"), first, second)
