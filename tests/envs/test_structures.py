"""What is special about mappings between stories and about models with force: other right mappings, too short ones, seeing for setting."""

from fractions import Fraction

import pytest

import rlgym
from rlgym import Rng


def _task(name: str, level: float = 0.5) -> tuple[rlgym.Environment, rlgym.Task]:
    env = rlgym.environment(name)
    return env, (env.shift or env.generate)(Rng("structures", name), env.config.at(level))


def test_every_turn_of_a_circle_is_a_right_mapping() -> None:
    env, task = _task("analogical_mapping", 0.0)
    found = list(env.solutions(task))
    assert len(set(found)) > 1
    assert all(env.verify(task, mapping).value == 1 for mapping in found)


def test_a_mapping_holds_each_word_of_the_first_story_and_no_other() -> None:
    env, task = _task("analogical_mapping")
    right = env.solve(task)
    assert env.verify(task, right[1:]).value == 0
    assert env.verify(task, (*right, ("nobody", right[0][1]))).value == 0
    assert env.verify(task, ((right[0][0], right[1][1]), *right[1:])).value == 0


@pytest.mark.parametrize("level", [0.0, 0.5, 1.0])
def test_seeing_is_not_setting(level: float) -> None:
    env, task = _task("causal_effect_query", level)
    seen = task.data.model_copy(update={"forced": (), "seen": task.data.forced + task.data.seen})
    assert env.solve(rlgym.Task(task.prompt, seen)) != Fraction(task.data.value)
