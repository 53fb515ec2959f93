"""What the replays of grid puzzles must not let pass: suppositions that do not fail, and true claims for wrong reasons."""

import pytest

from rlgym.generators.grids import bits, count_deductions, latin, replays

SQUARE = latin.square(3)
GIVENS = [0, 2, 0, 0, 0, 0, 3, 0, 0]  # r1c2 = 2 and r3c1 = 3


def follows(kernel: replays.Kernel, step: str) -> bool:
    try:
        return kernel.follows(step)
    except (ValueError, LookupError):
        return False


@pytest.mark.parametrize(
    ("step", "holds"),
    [
        ("r1c1 = 1: 2, 3 already in its row or column.", True),
        ("r1c1 = 1: 2 already in its row or column, and 3 ruled out before.", True),
        ("r1c1 = 1: 3 already in its row or column.", False),
        ("r1c1 = 2: 1, 3 already in its row or column.", False),
        ("r1c3 = 3: no other cell of row 1 can be 3.", True),
        ("r1c3 = 3: no other cell of column 3 can be 3.", False),
        ("Suppose r1c1 = 1. Then no cell of row 1 is left for 1: contradiction. So r1c1 is not 1.", False),
        ("Suppose r1c3 = 1. Then no digit is left for r1c1: contradiction. So r1c3 is not 1.", True),
        ("Suppose r1c3 = 1. Then no digit is left for r2c2: contradiction. So r1c3 is not 1.", False),
        ("Suppose r1c3 = 1. Then no digit is left for r1c1: contradiction. So r1c3 is not 3.", False),
        ("Suppose r2c2 = 3. It follows one by one that r1c1 = 1. Then no digit is left for r3c3: contradiction. So r2c2 is not 3.", False),
        ("r9c9 = 1: 2, 3 already in its row or column.", False),
    ],
)
def test_a_step_about_digits_must_follow_for_its_reason(step: str, holds: bool) -> None:
    assert follows(replays.Digits(SQUARE, GIVENS), step) == holds


@pytest.mark.parametrize(
    ("step", "holds"),
    [
        ("a is marked: since one of a and b is marked.", False),
        ("Suppose a is marked. It follows one by one that b is blank. Then this breaks the rule that two are marked: contradiction. So a is blank.", False),
        ("Suppose c is blank. It follows one by one that a is marked, b is marked. Then this breaks the rule that one of a and b is marked: "
         "contradiction. So c is marked.", True),
        ("Suppose c is blank. Both cases of one more cell fail: (Suppose a is marked. Then this breaks the rule that two are marked: contradiction.) "
         "(Suppose a is marked. Then this breaks the rule that two are marked: contradiction.) So c is marked.", False),
    ],
)  # fmt: skip
def test_a_step_about_marks_must_follow_for_its_reason(step: str, holds: bool) -> None:
    puzzle = bits.Puzzle(3, (bits.Count(0b011, 1, 1, "one of a and b is marked"), bits.Count(0b111, 2, 2, "two are marked")))
    words = count_deductions.Words([f"{name} is marked" for name in "abc"], [f"{name} is blank" for name in "abc"])
    assert follows(replays.Marks(puzzle, words), step) == holds
