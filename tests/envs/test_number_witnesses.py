"""Refutations are believed for what they prove, not for their words."""

import pytest

from rlgym import Task
from rlgym.envs.combinatorics import de_bruijn_words, pigeonhole_subset
from rlgym.envs.number_theory import diophantine_linear, korselt_criterion, pell_equation, quadratic_residue, sum_of_squares


@pytest.mark.parametrize(
    ("answer", "paid"),
    [
        (("impossible", "7"), True),
        (("impossible", "21"), False),  # 3 * 7 is no prime
        (("impossible", "3"), False),  # divides it twice
        (("impossible", "5"), False),  # of the form 4k + 1
        (("impossible",), False),
        (("impossible", "7", "7"), False),
    ],
)
def test_a_prime_must_prove_that_there_are_no_two_squares(answer, paid):
    task = Task("", sum_of_squares.Data(number=9 * 5 * 7, squares=2, possible=False))
    assert (sum_of_squares.verify(task, answer).value == 1) == paid


def test_a_divisor_must_divide_both_coefficients_and_not_the_rest():
    task = Task("", diophantine_linear.Data(a=12, b=-18, target=15, bound=10**20))
    assert [diophantine_linear.verify(task, ("impossible", k)).value for k in ("6", "2", "3", "1", "-6", "0")] == [1, 1, 0, 0, 0, 0]


def test_a_root_is_not_refuted_by_a_prime_modulo_which_there_is_one():
    task = Task("", quadratic_residue.Data(primes=(7, 11), linear=0, target=2, possible=False))
    assert [quadratic_residue.verify(task, ("impossible", p)).value for p in ("11", "7", "77", "5")] == [1, 0, 0, 0]


def test_561_divides_all_of_these_and_the_factors_must_be_all_and_in_order():
    task = Task("", korselt_criterion.Data(number=561, exponent=561, primes=(3, 11, 17), spoiling=()))
    answers = [("yes", "3", "11", "17"), ("yes", "17", "11", "3"), ("yes", "3", "11", "17", "1"), ("yes",), ("no", "3")]
    assert [korselt_criterion.verify(task, answer).value for answer in answers] == [1, 0, 0, 0, 0]


def test_the_trivial_solution_is_no_solution():
    task = Task("", pell_equation.Data(lead=1, other=61, norm=1))
    assert pell_equation.verify(task, (1766319049, 226153980)).value == 1
    assert [pell_equation.verify(task, answer).value for answer in ((1, 0), (-1, 0), (1766319049, -226153980))] == [0, 0, 0]


def test_no_number_is_taken_twice_with_both_signs():
    task = Task("", pigeonhole_subset.Data(numbers=(5, 7, 9), modulus=11, rest=0, signs=True))
    assert [pigeonhole_subset.verify(task, answer).value for answer in ((5, -5), (), (5, 5, 1))] == [0, 0, 0]


def test_a_ring_may_begin_anywhere():
    task = Task("", de_bruijn_words.Data(words=("AA", "AB", "BA"), closed=True))
    assert [de_bruijn_words.verify(task, ring).value for ring in ("aab", "aba", "baa", "abb", "aaba")] == [1, 1, 1, 0, 0]
