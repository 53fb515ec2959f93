"""What the replays of grid puzzles must not let pass: suppositions that do not fail, and true claims for wrong reasons."""

import pytest

import rlgym
from rlgym.envs.puzzles import battleships_solitaire
from rlgym.generators.grids import bits, count_deductions, deduction_sheet, facts, latin, replays, walk_deductions, walks
from rlgym.generators.grids.paper import Choice, Contradiction

SQUARE = latin.square(3)
GIVENS = [0, 2, 0, 0, 0, 0, 3, 0, 0]  # r1c2 = 2 and r3c1 = 3


def follows(kernel: replays.Kernel, step: str) -> bool:
    try:
        return kernel.follows(step)
    except (ValueError, LookupError):
        return False


def test_what_weights_force_is_found_again_where_another_thread_forgot_it():
    class Forgetful(dict):
        def __setitem__(self, key: object, value: object) -> None:
            pass

    count = bits.Count(cells=0b111, low=5, high=5, weights=(1, 2, 4))
    states = [(0, 0), (0b001, 0), (0b010, 0), (0, 0b100)]
    expected = [count.forced(*state) for state in states]
    assert expected[0] == (0b101, 0b010)
    assert expected[2] is expected[3] is None
    count.__dict__["_known"] = Forgetful()
    assert [count.forced(*state) for state in states] == expected


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
        ("Suppose r1c2 = 3. Then no digit is left for r1c1: contradiction. So r1c2 is not 3.", False),
        ("Suppose r3c3 = 3. Then no digit is left for r1c3: contradiction. So r3c3 is not 3.", False),
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


def test_a_walk_is_refuted_by_cases_where_no_place_fails_alone() -> None:
    class Blunt(walk_deductions.Walk):
        """A walk of which no single supposition is known to fail."""

        def copy(self) -> "Blunt":
            return Blunt(self.trail.copy(), self.width)

        def failing(self) -> list[Choice]:
            return []

    board = [[".", ".", "12", "."], [".", ".", ".", "."], [".", "1", ".", "."], [".", ".", ".", "4"]]
    trail = walks.trail_of(board, "square")
    known, nested = Blunt(trail.copy(), 4), 0
    for step in facts.explain(Blunt(trail, 4)):
        if "Each case left fails" in step:
            nested += 1
            first = step[step.index("{") : step.index("}") + 1]
            assert not accepts(known.copy(), step.replace(f"{first} ", "", 1))
        assert accepts(known, step), step
    assert nested


def test_a_refutation_by_cases_goes_through_each_case() -> None:
    nested = 0
    for seed in range(1, 7):
        task = rlgym.task("battleships_solitaire", seed, level=0.8)
        puzzle, given = battleships_solitaire._puzzle(task.data), battleships_solitaire._given_cells(task.data)
        follows_here = deduction_sheet.step_checker(puzzle, given)
        for step in deduction_sheet.explain(puzzle, given):
            if step.endswith("]."):
                nested += 1
                first = deduction_sheet._split_brackets(step[step.index("[") : -1])[0]
                assert not follows_here(step.replace(f"[{first}]", "", 1))
            assert follows_here(step), step
    assert nested


def accepts(sheet: facts.Sheet, step: str) -> bool:
    try:
        return facts._follows(sheet, step)
    except (Contradiction, ValueError, LookupError):
        return False
