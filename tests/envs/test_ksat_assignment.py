"""Formulas of a wanted difficulty D(n, k, l)."""

import pytest

import rlgym
from rlgym.envs.logic.ksat_assignment import difficulty


def test_the_difficulty_is_that_of_the_paper():
    # log2 8 + 2 log2 32 - 3 + 8 / 3
    assert difficulty(3, 8, 32) == pytest.approx(3 + 10 - 3 + 8 / 3)


@pytest.mark.parametrize("level", [0.0, 0.25, 0.5, 0.75, 1.0])
def test_the_level_sets_the_difficulty(level):
    for seed in range(10):
        data = rlgym.task("ksat_assignment", seed, level=level).data
        literals = {len(clause) for clause in data.clauses}
        assert len(literals) == 1
        assert difficulty(literals.pop(), data.variables, len(data.clauses)) == pytest.approx(12.5 + 14.5 * level, abs=0.25)
        assert len(set(data.clauses)) == len(data.clauses)


def test_signs_do_not_tell_the_planted_assignment():
    from rlgym.envs.logic.ksat_assignment import mistakes, solve, verify

    tasks = [rlgym.task("ksat_assignment", seed, level=0.5) for seed in range(30)]
    majority = [verify(task, mistakes(task, solve(task))[3]).value for task in tasks]
    assert sum(majority) <= 3
