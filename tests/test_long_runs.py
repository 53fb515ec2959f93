"""Readers of responses take little time on long runs of one sign, where careless patterns take quadratic or cubic time."""

import time

import pytest

from rlgym.answers import Matrix, Unreadable
from rlgym.answers.maths.found import final_answer
from rlgym.train.rewards.proxies import PROXIES
from rlgym.users import _codes


def seconds(read, text):
    begun = time.process_time()
    read(text)
    return time.process_time() - begun


def matrix(text):
    with pytest.raises(Unreadable):
        Matrix().parse(text)


@pytest.mark.parametrize(
    ("read", "run"),
    [
        (matrix, "1" + " " * 20_000 + "x"),
        (final_answer, "\\boxed{" * 2_000),
        (lambda text: PROXIES["steps"].detect(["What is 1 + 1?"], [text]), " " * 10_000 + "so"),
        (_codes, "_" * 20_000),
    ],
    ids=["gap in a matrix", "open boxes", "spaces before a step", "no address"],
)
def test_a_long_run_takes_little_time(read, run):
    assert seconds(read, run) < 0.6


def test_long_gaps_part_rows_and_entries():
    gap = " " * 30
    assert Matrix().parse(f"[[1,{gap}2],{gap}[3, 4]]") == Matrix().parse("[[1, 2], [3, 4]]")
    assert Matrix().parse(f"1{gap}2{gap}\n{gap}3 4") == Matrix().parse("1 2\n3 4")


def test_boxes_end_where_their_brace_is_closed():
    assert final_answer("so \\boxed{\\frac{1}{2}} and \\boxed{\\{3, 4\\}}") == "\\boxed{\\frac{1}{2}}, \\boxed{\\{3, 4\\}}"
    assert final_answer("open \\boxed{ then \\boxed{5}") == "\\boxed{5}"
    assert final_answer("a } and \\boxed{\\boxed{6}}") == "\\boxed{\\boxed{6}}"


def test_lines_with_two_sides_are_steps():
    assert PROXIES["steps"].detect([""] * 2, ["1 = 1\n" * 3, "= 1\n1 =\na\n" * 3]) == [True, False]
