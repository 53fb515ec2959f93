"""What is special about puzzles of moves: proofs that something is impossible, limits, and pieces that are laid unlike their form."""

from itertools import pairwise

import pytest

from rlgym import Rng, Task, TaskData
from rlgym.registry import environment


def _tasks(name: str, count: int = 60) -> list[Task[TaskData]]:
    declared = environment(name)
    knobs = declared.config.at(0.5)
    return [declared.generate(Rng("moves", seed), knobs) for seed in range(count)]


@pytest.mark.parametrize("name", ["lights_out", "water_jugs", "stack_permutation"])
def test_impossible_is_paid_only_with_its_proof(name: str) -> None:
    declared = environment(name)
    shares = 0
    for task in _tasks(name):
        impossible = declared.solve(task)[0].startswith("impossible")
        shares += impossible
        for bare in (("impossible",), ("impossible 1",), ("impossible 0",), ("impossible", "impossible"), ("impossible 2 3",)):
            assert declared.verify(task, bare).value == 0
    assert 0 < shares / 60 < 0.3


@pytest.mark.parametrize("name", ["hanoi_variants", "rush_hour", "river_crossing", "marble_sort", "flood_fill_moves", "fifteen_puzzle"])
def test_one_move_more_than_allowed_is_refused(name: str) -> None:
    declared = environment(name)
    for task in _tasks(name, 12):
        right = declared.solve(task)
        allowed = task.data.most  # type: ignore[attr-defined]
        assert declared.verify(task, right).value == 1
        assert declared.verify(task, (right * (allowed + 1))[: allowed + 1]).value == 0


def test_jugs_with_a_common_divisor_also_stand_in_tasks_that_can_be_done() -> None:
    from math import gcd

    tasks = _tasks("water_jugs")
    assert any(task.data.most and gcd(*task.data.sizes) > 1 for task in tasks)  # type: ignore[attr-defined]


def test_a_tour_may_not_change_a_given_step_nor_a_hole() -> None:
    declared = environment("knights_tour_partial")
    for task in _tasks("knights_tour_partial", 10):
        right = declared.solve(task)
        backwards = tuple(tuple(str(len(right) * len(right[0]) + 1 - int(cell)) for cell in row) for row in right)
        assert declared.verify(task, backwards).value == 0


def test_a_piece_may_not_be_flipped_where_it_may_only_be_turned() -> None:
    declared = environment("pentomino_packing")
    for task in _tasks("pentomino_packing", 10):
        right = declared.solve(task)
        assert declared.verify(task, tuple(row[::-1] for row in right)).value == 0


@pytest.mark.parametrize("level", [0.5, 0.75, 1.0])
def test_the_fewest_slides_are_those_that_another_search_finds(level: float) -> None:
    declared = environment("fifteen_puzzle")
    for family in (declared.generate, declared.shift):
        assert family is not None
        for seed in range(3):
            task = family(Rng("slides", seed), declared.config.at(level))
            assert len(declared.solve(task)) == task.data.fewest  # type: ignore[attr-defined]


def test_a_shortest_way_from_both_ends_is_as_long_as_from_one() -> None:
    from rlgym.generators.puzzles.move_puzzles import bidirectional_search, breadth_first_distances

    def neighbours(number: int) -> list[int]:
        return [other for other in (number + 7, number - 7, number + 3, number - 3) if 0 <= other < 60]

    distances = breadth_first_distances([4], neighbours, 1000)
    assert distances is not None
    for goal, distance in distances.items():
        way = bidirectional_search(4, goal, neighbours)
        assert (way[0], way[-1], len(way)) == (4, goal, distance + 1)
        assert all(after in neighbours(before) for before, after in pairwise(way))
    with pytest.raises(ValueError, match="no way"):
        bidirectional_search(1, 2, lambda number: [number + 10] if number < 30 else [])
