"""NAME:inverse: the numbers that are right are those with which the task has the given answer, and the prompt does not reveal them."""

import re

import pytest
import sympy
from prompt_solvers.registry import all_prompt_solvers

import rlgym
from rlgym.core.task import Task
from rlgym.derived.base_task import unwrap
from rlgym.laws import check
from rlgym.registry import derived, derives

INVERTED = [name for name in rlgym.names() if derives(name, "inverse")]


def test_there_are_inverse_environments():
    assert len(INVERTED) >= 7
    assert "sudoku:inverse" not in derived("sudoku")


@pytest.mark.parametrize("name", INVERTED)
def test_the_hidden_number_is_right_and_not_shown(name):
    declared = rlgym.environment(name)
    for seed, level in ((1, 0.0), (2, 0.5)):
        task = rlgym.task(f"{name}:inverse", seed, level=level)
        state, base = task.data, unwrap(task)
        masked = task.prompt.partition("=== The task ===\n")[2].partition("\n\n=== Its answer ===\n")[0]
        assert masked.count(state.symbol) == 1
        assert masked.replace(state.symbol, str(state.number)) == base.prompt
        assert not re.search(rf"(?<![0-9]){state.number}(?![0-9])", masked)
        assert f"=== Its answer ===\n{declared.answer.render(declared.solve(base))}\n" in task.prompt
        assert state.low <= state.number <= state.high


def test_no_other_number_leads_to_the_answer():
    declared, base = rlgym.environment("order_statistics:inverse"), rlgym.environment("order_statistics")
    judged = 0
    for seed in range(12):
        task = rlgym.task("order_statistics:inverse", seed, level=0.4)
        inside, hidden = task.data.inner.model_dump(), task.data.number
        if inside["top"] != hidden:
            continue
        for number in range(task.data.low, task.data.low + 20):
            other = type(task.data.inner).model_validate({**inside, "top": number})
            try:
                same = base.solve(Task("", other)) == base.solve(unwrap(task))
            except Exception:
                same = False
            assert (declared.verify(task, number).value == 1.0) == same == (number == hidden)
            judged += 1
        assert declared.verify(task, hidden).value == 1.0
        assert not declared.verify(task, task.data.high + 1).value
    assert judged > 60


def same_polynomial(one, other):
    x = sympy.Symbol("x")
    first, second = (sympy.sympify(text.rpartition("=")[2].replace("^", "**"), {"x": x}) for text in (one, other))
    return sympy.expand(first - second) == 0


@pytest.mark.parametrize("name", sorted(set(INVERTED) & set(all_prompt_solvers())))
def test_a_second_solver_finds_the_given_answer_with_the_hidden_number(name):
    """The task with the drawn number is a task of the environment: a solver that reads the prompt alone agrees with the oracle."""
    solver, declared = all_prompt_solvers()[name], rlgym.environment(name)
    for seed, level in ((3, 0.0), (4, min(0.5, solver.highest_level))):
        task = rlgym.task(f"{name}:inverse", seed, level=level)
        base = unwrap(task)
        # Compared with the oracle's answer, since some verifiers keep the answer for the number that the task was made with.
        found, right = declared.answer.parse(solver.solve(f"{base.prompt}\n\n{declared.answer.closing_line('tag')}")), declared.solve(base)
        assert found == right or same_polynomial(declared.answer.render(found), declared.answer.render(right))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["order_statistics:inverse", "bond_pricing:inverse", "joint_table_query:inverse"])
def test_it_obeys_the_laws(name):
    assert not {law: finding.failures for law, finding in check(name, effort="least").findings.items() if not finding.passed}
