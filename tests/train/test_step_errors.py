"""F1 on the first wrong step at every evaluation of a run."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import answer, knowing, sums
from train.small_models import small_model

import rlgym
from rlgym.core.score import Score
from rlgym.train.config.schema import Config
from rlgym.train.evaluate import step_errors
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.rollout.episodes import Episode
from rlgym.train.tasks.spec import TaskSpec

NAME = "chain_sum:first_error"


def episode(name, seed, right):
    return Episode(0, 0, TaskSpec(name, 0.1, 0, "test"), [1], [True], [0.0], None, score=Score.exact(right), reward=float(right), seed=seed)


def test_the_f1_of_first_wrong_steps_by_hand():
    wrong = [seed for seed in range(1, 40) if rlgym.task(NAME, seed, level=0.1).data.wrong][:4]
    sound = [seed for seed in range(1, 40) if not rlgym.task(NAME, seed, level=0.1).data.wrong][:2]
    given = [episode(NAME, seed, seed != wrong[0]) for seed in wrong] + [episode(NAME, seed, seed == sound[0]) for seed in sound]
    given.append(episode("chain_sum", 1, True))
    # Three of four wrong steps and one of two sound solutions: 2 x 0.75 x 0.5 / 1.25.
    assert step_errors(given) == {f"{NAME}@0.1": {"solutions": 6, "error_accuracy": 0.75, "sound_accuracy": 0.5, "f1": pytest.approx(0.6)}}
    assert step_errors([episode("chain_sum", 1, True)]) == {}


def test_every_evaluation_logs_how_well_the_policy_finds_wrong_steps(tmp_path, monkeypatch):
    small_model(tmp_path / "model", num_layers=1, hidden_size=32, max_seq_len=2048)
    # It solves sums, and calls every solution sound.
    knowing(monkeypatch, lambda request: "<answer>none</answer>" if "first wrong" in request.prompt else answer(True, request))
    evaluation = {"transfer": [NAME], "tasks_per_level": 24, "every_steps": 1}
    sizes = {"groups_per_step": 1, "group_size": 2, "max_seq_len": 2048}
    given = sums(tmp_path / "model", tmp_path / "run", evaluation=evaluation, rollout=sizes)
    train(Config.from_dict(given))
    lines = read_lines(tmp_path / "run" / "evaluations.jsonl")
    assert len(lines) == 3
    for line in lines:
        found = line["step_errors"][f"{NAME}@0"]
        assert (found["solutions"], found["error_accuracy"], found["sound_accuracy"], found["f1"]) == (24, 0, 1, 0)
        assert line["accuracy"]["chain_sum@0"]["avg"] == 1
