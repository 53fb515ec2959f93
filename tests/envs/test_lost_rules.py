"""The fewest claims that imply the others: the choice agrees with trying every set of claims on every case."""

from itertools import combinations, product

from rlgym import Rng
from rlgym.generators.rules import clause_theories
from rlgym.generators.rules.clause_theories import Clause


def _worlds(clauses: list[Clause], names: list[str]) -> list[dict[str, bool]]:
    every = [dict(zip(names, values, strict=True)) for values in product((False, True), repeat=len(names))]
    return [world for world in every if all(any(world[name] == value for name, value in clause) for clause in clauses)]


def test_one_smallest_choice_implies_the_other_claims() -> None:
    names = ["a", "b", "c", "d", "e", "f", "g"]
    for seed in range(8):
        clauses, claims, chosen = clause_theories.sample_losses(Rng("losses", seed), names, [2, 2, *[3] * 8], 8)
        wanted = _worlds(clauses + claims, names)
        enough = [
            kept
            for size in range(len(chosen) + 1)
            for kept in combinations(range(1, 9), size)
            if _worlds(clauses + [claims[k - 1] for k in kept], names) == wanted
        ]
        assert enough == [chosen]
        # Two of the choice or more are not forced: without each of them, the other claims still imply it.
        free = [k for k in chosen if _worlds(clauses + [claim for j, claim in enumerate(claims, 1) if j != k], names) == wanted]
        assert len(free) > 1
