"""Sentences of first-order logic that are true in a given finite model: any, or those that say what kind of relation there is."""

from collections.abc import Iterator
from itertools import count, product

from rlgym.core.rng import Rng
from rlgym.generators.logic.finite_models import Literal, Model, Sentence

ARITY = {"P": 1, "Q": 1, "R": 2, "S": 2}
PREFIXES = {"one": ("A", "A", "E"), "two": ("A", "E", "AA", "AE", "EA"), "three": ("AE", "EA", "AA", "AAA", "AAE", "AEA")}


def random(rng: Rng, size: int, names: str) -> Model:
    return {
        name: frozenset(
            values for values in product(range(1, size + 1), repeat=ARITY[name]) if rng.chance(0.45 if ARITY[name] == 1 else 0.35)
        )
        for name in names
    }


def plain_models(size: int, names: str) -> list[Model]:
    """The models in which each predicate holds of nothing or of everything."""
    full = {name: frozenset(product(range(1, size + 1), repeat=ARITY[name])) for name in names}
    ways = product((False, True), repeat=len(names))
    return [{name: full[name] if flag else frozenset() for name, flag in zip(names, flags, strict=True)} for flags in ways]


def literal(rng: Rng, names: str, variables: str) -> Literal:
    name = rng.choice(names)
    if len(variables) > 1 and rng.chance(0.12):
        var_a, two = rng.sample(variables, 2)
        return Literal(name="=", variables=var_a + two, holds=rng.chance(0.5))
    return Literal(name=name, variables="".join(rng.choice(variables) for _ in range(ARITY[name])), holds=rng.chance(0.6))


def mixed_sentences(rng: Rng, depth: str, names: str, planted: Model) -> Iterator[Sentence]:
    for _ in count():
        quantifiers = rng.choice(PREFIXES[depth])
        variables = "xyz"[: len(quantifiers)]
        # The inner variable must occur where it counts.
        premises = tuple(literal(rng, names, variables[: quantifiers.rfind("E")] or variables) for _ in range(rng.integer(0, 2)))
        if quantifiers[-1] == "E" and len(quantifiers) == 1:
            premises = ()
        conclusions = tuple(literal(rng, names, variables) for _ in range(rng.integer(1, 2)))
        distinct = {literal.model_copy(update={"holds": True}).model_dump_json() for literal in (*premises, *conclusions)}
        used = {name for literal in (*premises, *conclusions) for name in literal.variables}
        dull = any(literal.name == "=" and len(conclusions) == 1 and not premises for literal in conclusions)
        if len(distinct) == len(premises) + len(conclusions) and used == set(variables) and not dull:
            yield Sentence(
                quantifiers=quantifiers, premises=premises, conclusions=conclusions, every=len(conclusions) > 1 and quantifiers[-1] == "E"
            )


def structured_sentences(rng: Rng, depth: str, names: str, planted: Model) -> Iterator[Sentence]:
    """Properties of a relation that the planted model happens to have are rare: mostly they are asked for in a weaker form."""
    others = mixed_sentences(rng, depth, names, planted)
    for _ in count():
        name = rng.choice([name for name in names if ARITY[name] == 2] or [""])
        guard = rng.choice([Literal(name=predicate, variables=v, holds=rng.chance(0.5)) for predicate in "PQ" for v in "xy"])

        def r(variables: str, holds: bool = True, name: str = name) -> Literal:
            return Literal(name=name, variables=variables, holds=holds)

        if not name or rng.chance(0.3):
            yield next(others)
            continue
        kinds = [
            ("AA", (guard, r("xy")), (r("yx"),)),
            ("AA", (guard, r("xy"), r("yx")), (Literal(name="=", variables="xy"),)),
            ("A", (guard.model_copy(update={"variables": "x"}),), (r("xx", rng.chance(0.4)),)),
            ("AA", (guard, Literal(name="=", variables="xy", holds=False)), (r("xy"), r("yx"))),
            ("AE", (guard.model_copy(update={"variables": "x"}),), (r("xy"), Literal(name="=", variables="xy", holds=False))),
            ("AE", (), (r("yx"), guard.model_copy(update={"variables": "y"}))),
        ]
        if depth == "three":
            kinds += [
                ("AAA", (guard, r("xy"), r("yz")), (r("xz"),)),
                ("AAA", (guard, r("xy"), r("xz")), (Literal(name="=", variables="yz"),)),
            ]
        quantifiers, premises, conclusions = rng.choice(kinds)
        yield Sentence(quantifiers=quantifiers, premises=premises, conclusions=conclusions, every=quantifiers == "AE")
