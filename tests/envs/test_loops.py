"""Loops, seas and paths: what hangs together must, and what may not close twice does not."""

import pytest

from rlgym import Task
from rlgym.core.rng import Rng
from rlgym.envs.puzzles import hashi, heyawake, masyu, norinori, number_link, numbrix, nurikabe, slitherlink, yajilin
from rlgym.generators.grids import lanes


def rows(text):
    return tuple(tuple(row.split()) for row in text.strip().split("\n"))


def judged(module, data, text):
    return module.verify(Task("", data), rows(text))


def test_two_loops_of_a_masyu_are_not_one():
    data = masyu.Data(board=("....", "....", "....", "...."), known=())
    assert masyu.verify(Task("", data), rows("F - - 7\nL - - J\nF - - 7\nL - - J")).value == 0
    assert masyu.verify(Task("", data), rows("F - - 7\nI F - J\nI L - 7\nL - - J")).value == 1


def test_a_line_that_ends_nowhere_is_no_loop():
    assert isinstance(lanes.read_loop(rows("F - .\nI . .\nL - J")), str)
    assert lanes.find_loop_fault(3, lanes.read_loop(rows("F 7 .\nL J .\n. . ."))) == ""


def test_a_slitherlink_has_one_loop_that_does_not_touch_itself():
    data = slitherlink.Data(kind="square", board=rows(". . .\n. . .\n. . ."))
    assert judged(slitherlink, data, "# # .\n# # .\n. . .").value == 1
    assert judged(slitherlink, data, "# . .\n. # .\n. . .").value == 0  # touches at a corner
    assert judged(slitherlink, data, "# # #\n# . #\n# # #").value == 0  # a second loop inside
    assert judged(slitherlink, data, "# . #\n. . .\n. . .").value == 0
    assert judged(slitherlink, data, ". . .\n. . .\n. . .").value == 0


def test_the_sea_of_a_nurikabe_is_whole_and_has_no_pools():
    data = nurikabe.Data(kind="square", size=3, homes=(4,), numbers=(1,), known=())
    assert judged(nurikabe, data, "# # #\n# 1 #\n# # #").value == 1
    data = nurikabe.Data(kind="square", size=3, homes=(3,), numbers=(3,), known=())
    assert judged(nurikabe, data, "# # #\n3 . .\n# # #").value == 0  # two seas
    data = nurikabe.Data(kind="square", size=3, homes=(0,), numbers=(3,), known=())
    assert judged(nurikabe, data, "3 . .\n# # #\n# # #").value == 0  # pools
    assert judged(nurikabe, data, "3 . .\n# # #\n# . #").value == 0  # an island without a number


def test_a_pool_across_the_edges_counts_where_the_board_goes_round():
    flat = nurikabe.Data(kind="square", size=4, homes=(5,), numbers=(4,), known=())
    answer = "# # # #\n# 4 . #\n# . . #\n# # # #"
    assert judged(nurikabe, flat, answer).value == 1
    assert judged(nurikabe, nurikabe.Data(kind="round", size=4, homes=(5,), numbers=(4,), known=()), answer).value == 0


def test_bridges_join_all_islands_and_lead_from_one_to_the_next():
    data = hashi.Data(most=2, board=rows("1 . 1\n. . .\n1 . 1"), known=())
    assert judged(hashi, data, "1 - 1\n. . .\n1 - 1").value == 0
    data = hashi.Data(most=2, board=rows("2 . 2\n. . .\n1 . 1"), known=())
    assert judged(hashi, data, "2 - 2\nI . I\n1 . 1").value == 1
    assert judged(hashi, data, "2 = 2\n. . .\n1 - 1").value == 0
    assert judged(hashi, data, "2 - 2\nI - I\n1 . 1").value == 0
    assert judged(hashi, data, "2 - 2\nH . I\n1 . 1").value == 0


def test_white_cells_of_a_heyawake_hang_together():
    data = heyawake.Data(size=3, homes=(0,) * 9, numbers=(-1,), known=())
    assert judged(heyawake, data, ". # .\n# . .\n. . .").value == 0
    assert judged(heyawake, data, ". . .\n. # .\n. . .").value == 1


def test_a_letter_of_a_number_link_is_one_path_without_a_ring():
    data = number_link.Data(kind="square", letters=1, board=rows("A . A\n. . .\n. . ."))
    assert judged(number_link, data, "A A A\nA A A\nA A A").value == 0


def test_a_yajilin_loop_misses_no_free_cell():
    data = yajilin.Data(board=rows(". . .\n. . .\n. . ."), known=())
    assert judged(yajilin, data, "F - 7\nI # I\nL - J").value == 1
    assert judged(yajilin, data, "F 7 #\nL J #\n# # #").value == 0


@pytest.mark.parametrize("module", [hashi, heyawake, masyu, norinori, number_link, numbrix, nurikabe, slitherlink, yajilin])
def test_a_step_left_out_of_an_explanation_shows(module):
    environment = module.environment
    task = environment.generate(Rng("left out"), environment.config.at(0.25))
    steps = environment.explain(task)
    assert environment.replay(task, steps) is None
    assert environment.replay(task, [*steps[:-1], steps[-1] + " ."]) == len(steps) - 1
    assert environment.replay(task, steps[:-1]) == len(steps) - 2
