"""Nearly right answers in arithmetic: joined or doubled operators, changed givens, other spellings of bits and numerals."""

import pytest

import rlgym


@pytest.mark.parametrize("seed", range(5))
def test_only_the_told_operators_count(seed):
    missing = rlgym.environment("missing_operators")
    task = rlgym.task("missing_operators", seed, level=0.5)
    right = missing.solve(task)
    for wrong in (right + right[-1], right[:-1] + "**", right[:-1] + "//", right[:-1] + "%", right.replace(right[0], "", 1), "+" * 50):
        assert missing.verify(task, wrong).value == 0
    assert missing.verify(task, right.replace("*", "×").replace("-", "−")).value == 1


@pytest.mark.parametrize("seed", range(5))
def test_a_magic_square_keeps_its_givens_and_its_numbers(seed):
    square = rlgym.environment("magic_square_completion")
    task = rlgym.task("magic_square_completion", seed, level=0.5)
    right = square.solve(task)
    constant = tuple(tuple("7" for _ in row) for row in right)
    shifted = tuple(tuple(str(int(cell) + 1) for cell in row) for row in right)
    for wrong in (
        constant,
        shifted,
        right[::-1],
        (*right, right[0]),
        tuple(row[:-1] for row in right),
        tuple(("-1", *row[1:]) for row in right),
    ):
        assert square.verify(task, wrong).value == 0


def test_a_float_is_told_by_all_its_bits():
    floats = rlgym.environment("floating_point_bits")
    for seed in range(20):
        task = rlgym.task("floating_point_bits", seed, level=0.7)
        right = floats.solve(task)
        if task.data.kind != "read":
            assert all(floats.verify(task, wrong).value == 0 for wrong in (right.lstrip("0") + " ", f"0b{right}", f"{right}0", right[1:]))


def test_zero_bits_in_front_are_asked_for():
    bits = rlgym.environment("bitwise_expression")
    for seed in range(20):
        task = rlgym.task("bitwise_expression", seed, level=0.5)
        right = bits.solve(task)
        assert bits.verify(task, f"0b{right}").value == 1
        assert bits.verify(task, f"0{right}").value == 0


def test_roman_numerals_have_one_spelling():
    roman = rlgym.environment("roman_numerals")
    for seed in range(20):
        task = rlgym.task("roman_numerals", seed, level=0)
        right = roman.solve(task)
        assert roman.verify(task, right.lower()).value == 1
        assert roman.verify(task, right.replace("IV", "IIII").replace("IX", "VIIII") + "I").value == 0
