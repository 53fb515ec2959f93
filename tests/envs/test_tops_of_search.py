"""What the upper levels of some environments search through: known values, second routes, and measures that rise with the level."""

from itertools import pairwise, permutations, product
from statistics import fmean
from typing import Any

import pytest

import rlgym
from rlgym.core.task import Task
from rlgym.generators.grids import fills
from rlgym.generators.languages.string_rules import equal_strings, reach_strings
from rlgym.generators.numbers.registers import Expression, Move, evaluate_moves, numbers_that_give, share_of_dependences, tables_of_bits
from rlgym.registry import environment

SEVEN = (0.0, 0.15, 0.3, 0.5, 0.7, 0.85, 1.0)
NAMES = (
    "aquarium",
    "bitwise_expression",
    "bytecode_trace",
    "josephus",
    "kakurasu",
    "lfsr_predict",
    "pancake_sort",
    "quantum_lock",
    "rook_placements",
    "skyscrapers",
    "string_rewriting",
    "tag_system",
    "twiddle",
)


def _declared(name: str) -> Any:
    return environment(name)


def _tasks(name: str, level: float, count: int, **knobs: Any) -> list[Task[Any]]:
    env: Any = rlgym.make(name, level=level, **knobs)
    tasks = list[Task[Any]]()
    for seed in range(1, count + 1):
        env.reset(seed=seed)
        tasks.append(env.unwrapped.task)
    return tasks


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_work_of_a_solver_rises_over_seven_levels(name: str) -> None:
    cost = _declared(name).cost
    costs = [fmean(cost(task) for task in _tasks(name, level, 24)) for level in SEVEN]
    # Whole numbers of rows or people are the same at some neighbouring levels.
    assert all(other > 0.85 * one for one, other in pairwise(costs)), costs
    assert all(one < other for one, other in zip(costs, costs[2:], strict=False)), costs


def test_tables_of_bits_agree_with_evaluation() -> None:
    moves = (
        Move(operation="ROL", left=-1, right=2),
        Move(operation="ADD", left=0, right=-1),
        Move(operation="AND", left=1, right=-2),
        Move(operation="SUB", left=-1, right=2),
        Move(operation="SHR", left=3, right=1),
        Move(operation="XOR", left=4, right=0),
    )
    data = Expression(width=5, numbers=(0, 0b10110), moves=moves)
    values = [sum((table >> x & 1) << i for i, table in enumerate(tables_of_bits(data))) for x in range(32)]
    assert values == [evaluate_moves(data.with_x(x))[-1] for x in range(32)]
    assert all(numbers_that_give(data, value) == [x for x in range(32) if values[x] == value] for value in range(32))


def test_a_bit_depends_on_a_bit_that_some_number_needs() -> None:
    alone = Expression(width=4, numbers=(0,), moves=(Move(operation="ROL", left=-1, right=1),))
    assert share_of_dependences(alone) == 25
    # Bit i of a sum with x rotated depends on bits 0 to i of both, save that the carry of bit 0 needs bits 0 and 3.
    summed = Expression(width=4, numbers=(0,), moves=(Move(operation="ROL", left=-1, right=1), Move(operation="ADD", left=-1, right=0)))
    needed = [{i for x in range(16) for i in range(4) if (_value(summed, x) ^ _value(summed, x ^ 1 << i)) >> j & 1} for j in range(4)]
    assert share_of_dependences(summed) == 100 * sum(map(len, needed)) // 16


def _value(data: Expression, x: int) -> int:
    return evaluate_moves(data.with_x(x))[-1]


def test_circles_of_presents_are_counted_one_by_one() -> None:
    for task in _tasks("rook_placements", 0.6, 3):
        data = task.data
        people = range(data.places)
        ways = sum(all(b not in data.forbidden[a] for a, b in pairwise((0, *order, 0))) for order in permutations(people[1:]))
        assert data.circle
        assert ways == data.count == _declared("rook_placements").solve(task)


def test_two_routes_reach_the_same_strings_by_rules_in_both_directions() -> None:
    moves = (("ab", "c"), ("ba", "ac"), ("c", "ab"), ("ac", "ba"))
    reached = reach_strings("abab", moves, 5)
    assert reached is not None
    assert set(reached) == equal_strings("abab", moves, 5)
    assert {"cc", "abc", "cab"} <= set(reached)
    assert max(map(len, reached)) <= 5


def test_a_shortest_string_needs_a_longer_one_first() -> None:
    tasks = [task for task in _tasks("string_rewriting", 1.0, 6) if len(task.data.shortest) < 3]
    assert tasks
    for task in tasks:
        data = task.data
        near = reach_strings(data.text, data.moves, len(data.text)) or {data.text}
        assert min(map(len, near)) > len(data.shortest[0])


def test_the_false_sum_and_the_solution_are_the_only_ones() -> None:
    for task in _tasks("kakurasu", 0.6, 2, size=4):
        data, size = task.data, len(task.data.known)
        weights = [(across << 8 * r) + (down << 8 * (size + c)) for r, down in enumerate(data.down) for c, across in enumerate(data.across)]
        grids = [0]  # the sums of all lines, a byte for each
        for weight in weights:
            grids += [sums + weight for sums in grids]
        missed = [sum(sums >> 8 * i & 255 != total for i, total in enumerate(data.told)) for sums in grids]
        assert (missed.count(0), missed.count(1)) == (0, 1)
        right = fills.render_cells(missed.index(1), size, size)
        assert right == _declared("kakurasu").solve(task)


@pytest.mark.parametrize("name", ["aquarium", "kakurasu", "kenken", "killer_sudoku", "light_up", "nonogram", "skyscrapers", "tents"])
def test_a_grid_without_a_false_clue_is_refused(name: str) -> None:
    declared = _declared(name)
    for task in _tasks(name, 1.0, 2):
        right = declared.solve(task)
        assert task.data.false >= 0
        assert declared.verify(task, right).value == 1
        assert declared.verify(Task(task.prompt, task.data.model_copy(update={"false": -1})), right).value == 0


def test_a_register_with_a_product_is_no_linear_one() -> None:
    from rlgym.envs.ciphers.lfsr_predict import _rules, _rules_with

    for task in _tasks("lfsr_predict", 1.0, 3):
        assert [rule[2] for rule in _rules(task.data)] == [task.data.pair]
        assert not list(_rules_with(task.data, ()))


def test_every_number_that_is_counted_to_is_known() -> None:
    from rlgym.envs.algorithms.josephus import NUMBERS, _order_in_ring

    for task in _tasks("josephus", 1.0, 2):
        data = task.data
        assert data.numbers == tuple(n for n in NUMBERS if _order_in_ring(data, n)[-3:] == data.order[-3:])


def test_loops_of_squares_have_no_other_pair() -> None:
    from rlgym.envs.code.bytecode_trace import MISSING

    for task in _tasks("bytecode_trace", 1.0, 2):
        assert not task.data.linear
        assert set(task.data.pairs) <= set(product(MISSING, repeat=2))
