"""Arrow mazes: knobs under which many cells must be given, and grids written without spaces."""

import rlgym


def test_large_mazes_with_diagonals_can_be_solved_by_counting_alone():
    task = rlgym.task("arrow_maze:shift", 1, size=7, diagonals="yes", reasoning="counting", suppositions=0)
    assert 5 < len(task.data.given) < 20


def test_letters_may_be_joined():
    declared, task = rlgym.environment("arrow_maze"), rlgym.task("arrow_maze", 1, level=0)
    joined = "\n".join("".join(row) for row in declared.solve(task))
    assert rlgym.score(task, f"<answer>{joined}</answer>").value == 1
