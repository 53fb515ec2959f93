"""What is special about boards and seats: answers that keep most rules, or write the right one in another layout."""

import pytest

import rlgym
from rlgym import Rng


def _task(name: str, level: float = 0.5) -> tuple[rlgym.Environment, rlgym.Task]:
    env = rlgym.environment(name)
    return env, env.generate(Rng("boards", name), env.config.at(level))


@pytest.mark.parametrize("name", ["suguru", "ripple_effect", "jigsaw_sudoku", "survo", "dominosa", "galaxies", "battleships_solitaire"])
def test_a_right_board_with_more_rows_is_refused(name: str) -> None:
    env, task = _task(name)
    right = env.solve(task)
    assert env.verify(task, (*right, right[0])).value == 0
    assert env.verify(task, tuple((*row, row[0]) for row in right)).value == 0


def test_everybody_sits_once() -> None:
    env, task = _task("einstein_seating")
    right = env.solve(task)
    assert env.verify(task, (*right, right[0])).value == 0
    assert env.verify(task, (right[0], *right[:-1])).value == 0


def test_a_longer_way_to_open_the_lock_is_refused() -> None:
    env, task = _task("quantum_lock", 0.0)
    assert env.verify(task, env.solve(task) * 2).value == 0
    assert env.verify(task, ("z",) * task.data.least).value == 0
