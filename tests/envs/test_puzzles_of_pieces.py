"""Holes that verifiers of these puzzles might have."""

from rlgym.core.task import Task
from rlgym.envs.puzzles import crossword_fill, matchstick_equation, pipes_rotate, set_card_game


def test_a_fixed_pipe_may_not_be_turned_and_directions_may_come_in_any_order() -> None:
    data = pipes_rotate.Data(given=(("ES", "SW"), ("NE", "NW")), fixed=(0,), closed=False)
    task = Task("", data)
    assert pipes_rotate.verify(task, (("SE", "ws"), ("EN", "NW"))).value == 1
    assert pipes_rotate.verify(task, (("NE", "SW"), ("NE", "NW"))).value == 0
    assert pipes_rotate.verify(task, (("EES", "SW"), ("NE", "NW"))).value == 0


def test_a_word_may_not_be_put_in_twice() -> None:
    task = Task("", crossword_fill.Data(given=("...", "#.#", "..."), words=("aha", "cab", "tab")))
    assert crossword_fill.verify(task, (tuple("CAB"), tuple("#H#"), tuple("TAB"))).value == 1
    assert crossword_fill.verify(task, (tuple("cab"), tuple("#h#"), tuple("cab"))).value == 0


def test_matches_move_exactly_as_often_as_said() -> None:
    task = Task("", matchstick_equation.Data(equation=("6", "-", "3", "=", "1"), moves=1))
    assert matchstick_equation.verify(task, ("6 - 5 = 1",)).value == 1
    assert matchstick_equation.verify(task, ("6−5=1",)).value == 1
    assert matchstick_equation.verify(task, ("6 - 3 = 3",)).value == 0
    assert matchstick_equation.verify(task, ("6 - 5 = 01",)).value == 0
    assert matchstick_equation.verify(task, ("6 - 5 = 1 = 1",)).value == 0


def test_a_set_counts_once() -> None:
    cards = ((0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (0, 2, 0))
    task = Task("", set_card_game.Data(cards=cards, asked="all", best=2))
    assert set_card_game.verify(task, ("1 2 3", "5, 4, 1")).value == 1
    assert set_card_game.verify(task, ("1 2 3", "3 2 1")).value == 0
    assert set_card_game.verify(task, ("1 2 3", "1 1 1")).value == 0
    assert set_card_game.verify(Task("", task.data.model_copy(update={"asked": "apart"})), ("1 2 3", "1 4 5")).value == 0
