"""Brackets that do not match are wrong answers, never errors."""

import pytest

import rlgym


@pytest.mark.parametrize("answer", ["(A", "((", "A)(", "()", "(A)(", "AB(", "(AB)C)", "Z", "(YZ)", "((A)(B))((", "ABCDEFGH", "(AC)"])
def test_unmatched_brackets_earn_nothing(answer):
    for seed in range(5):
        task = rlgym.task("matrix_chain", seed, level=0.5)
        assert rlgym.environment("matrix_chain").verify(task, answer).value == 0
