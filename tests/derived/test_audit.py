"""NAME:audit: every wrong solution must be named, and the replay of the steps agrees with what was changed."""

import pytest

import rlgym
from rlgym.laws import check
from rlgym.registry import derived

LETTERS = "ABCDEFGH"


def task_and_declaration(name, seed=1, level=0.5, **knobs):
    return rlgym.task(f"{name}:audit", seed, level=level, **knobs), rlgym.environment(f"{name}:audit")


@pytest.mark.parametrize("name", ["chain_sum", "lru_cache", "knights_and_knaves", "sudoku"])
def test_the_wrong_solutions_are_those_whose_steps_do_not_follow(name):
    base = rlgym.environment(name)
    for seed in range(3):
        task, declared = task_and_declaration(name, seed)
        right = declared.solve(task)
        for letter, part in zip(LETTERS, task.data.parts):
            if part.whole:
                at = base.replay(rlgym.core.task.Task(part.question, part.inner), part.steps)
                assert (at is not None) == (letter in right)
        assert declared.verify(task, right).value == 1.0
        assert all(declared.verify(task, wrong).value == 0.0 for wrong in declared.mistakes(task, right) if wrong != right)


def test_about_half_of_the_solutions_are_wrong_and_only_one_step_of_each():
    flags = []
    for seed in range(60):
        task, _ = task_and_declaration("chain_sum", seed)
        base = rlgym.environment("chain_sum")
        for part in task.data.parts:
            own = base.explain(rlgym.core.task.Task(part.question, part.inner))
            assert sum(one != other for one, other in zip(own, part.steps)) == (part.wrong > 0)
            flags.append(part.wrong > 0)
    assert 0.4 < sum(flags) / len(flags) < 0.6


def test_there_are_more_solutions_at_a_higher_level():
    assert [len(task_and_declaration("lru_cache", level=level)[0].data.parts) for level in (0, 0.5, 1)] == [4, 6, 8]
    assert len(task_and_declaration("lru_cache", solution_count=5)[0].data.parts) == 5


def test_none_is_an_answer_and_unknown_letters_earn_nothing():
    seeds = (
        seed
        for seed in range(400)
        if task_and_declaration("chain_sum", seed, 0)[1].solve(task_and_declaration("chain_sum", seed, 0)[0]) == ()
    )
    env = rlgym.make("chain_sum:audit", level=0)
    seed = next(seeds)
    for answer, value in (("none", 1.0), ("A", 0.0), ("H", 0.0), ("", 0.0)):
        env.reset(seed=seed)
        assert env.step(f"<answer>{answer}</answer>")[1] == value


def test_environments_without_a_check_of_steps_have_none():
    for name in rlgym.names("arithmetic"):
        declared = rlgym.environment(name)
        checked = declared.kind == "environment" and declared.explain is not None and declared.replay is not None
        assert (f"{name}:audit" in derived(name)) == checked


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lru_cache:audit", "slitherlink:audit", "sql_query:audit"])
def test_it_obeys_the_laws(name):
    assert not {law: finding.failures for law, finding in check(name, effort="least").findings.items() if not finding.passed}
