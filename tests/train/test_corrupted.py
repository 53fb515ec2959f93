"""Corrupted copies of right responses: what differs is that the answer is wrong."""

from types import SimpleNamespace

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import rlgym
from rlgym import Score
from rlgym.train.rollout.corrupted import corrupted_pairs
from rlgym.train.rollout.episodes import Episode
from rlgym.train.rollout.scoring import start_of
from rlgym.train.tasks.spec import TaskSettings, TaskSpec


def test_both_answers_of_a_pair_are_spelled_as_the_environment_spells_them():
    task = TaskSpec("chain_sum", 0.0, 0, "", seed=1)
    worker = SimpleNamespace(settings=TaskSettings(seed=0, held_out_fraction=0.1))
    given = rlgym.task("chain_sum", 1, level=0.0)
    total = rlgym.environment("chain_sum").solve(given)
    messages = [("user", given.prompt), ("assistant", f"So:\n<answer> {total}.0 </answer>")]
    assert rlgym.score(given, messages[1][1]).value == 1
    episode = Episode(0, 0, task, [1], [True], [0.0], None, seed=1, messages=messages)
    episode.finish(Score.exact(True), 1.0)
    [pair] = corrupted_pairs(worker, [episode], 0)
    assert pair.right.transcript == f"So:\n<answer>{total}</answer>"
    assert pair.corrupted.transcript.startswith("So:\n<answer>")
    assert ".0" not in pair.corrupted.transcript


def test_a_declared_mistake_that_is_right_after_all_corrupts_nothing():
    """This task of `bytecode_write` has one: programs with the same effect."""
    task = TaskSpec("bytecode_write", 0.0, 0, "", seed=1)
    worker = SimpleNamespace(settings=TaskSettings(seed=0, held_out_fraction=0.1))
    env = start_of(task, worker.settings)
    mistakes = [env.declared.answer.render(wrong) for wrong in env.declared.mistakes(env.task, env.declared.solve(env.task))]
    start = env.snapshot()

    def value(text):
        env.restore(start)
        return env.step(text)[4]["score"].value

    assert 1 in [value(f"<answer>{text}</answer>") for text in mistakes]
    env.restore(start)
    prompt, right = env.task.prompt, env.oracle()
    episode = Episode(0, 0, task, [1], [True], [0.0], None, seed=1, messages=[("user", prompt), ("assistant", f"So:\n{right}")])
    episode.finish(Score.exact(True), 1.0)
    for seed in range(12):
        [pair] = corrupted_pairs(worker, [episode], seed)
        assert pair.corrupted.transcript.startswith("So:\n<answer>")
        assert value(pair.corrupted.transcript) == 0
