"""Named shifts, each measured at every evaluation of a run."""

import re

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import answer, knowing, sums
from train.small_models import small_model

from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.validate.config import check_config


def few(request):
    """Solves sums of two and three numbers, and no longer ones."""
    return answer(len(re.findall(r"\d+", request.prompt.partition(".")[0])) <= 3, request)


def test_every_evaluation_measures_each_shift_apart(tmp_path, monkeypatch):
    small_model(tmp_path / "model", num_layers=1, hidden_size=32, max_seq_len=512)
    knowing(monkeypatch, few)
    shifts = {
        "longer": {"names": ["chain_sum"], "knobs": {"terms": 6}},
        "more digits": {"names": ["chain_sum"], "levels": [0.0, 0.1], "knobs": {"terms": 2, "digits": 4}},
    }
    evaluation = {"shifts": shifts, "tasks_per_level": 6, "every_steps": 1}
    given = sums(tmp_path / "model", tmp_path / "run", evaluation=evaluation, rollout={"groups_per_step": 1, "group_size": 2})
    train(Config.from_dict(given))
    lines = list(read_lines(tmp_path / "run" / "evaluations.jsonl"))
    assert len(lines) == 3
    for line in lines:
        found = {name: {cell: accuracy["avg"] for cell, accuracy in table.items()} for name, table in line["shifts"].items()}
        assert found == {
            "longer": {"chain_sum@0,terms=6": 0, "mean": 0},
            "more digits": {"chain_sum@0,digits=4,terms=2": 1, "chain_sum@0.1,digits=4,terms=2": 1, "mean": 1},
        }
        # The mean of the tasks that are trained on stays what it was.
        assert {cell: accuracy["avg"] for cell, accuracy in line["accuracy"].items()} == {"chain_sum@0": 1, "mean": 1}


@pytest.mark.parametrize(
    ("shift", "message"),
    [
        ({"names": ["chain_sun"]}, "evaluation.shifts.far: no environment"),
        ({"names": ["chain_sum"], "knobs": {"words": 3}}, "evaluation.shifts.far: .*words"),
        ({"names": ["chain_sum"], "levels": [2.0]}, "evaluation.shifts.far: level must be from 0"),
    ],
)
def test_a_shift_that_cannot_be_made_is_refused_by_its_name(tmp_path, shift, message):
    small_model(tmp_path / "model", num_layers=1, hidden_size=32, max_seq_len=512)
    given = sums(tmp_path / "model", tmp_path / "run", evaluation={"shifts": {"far": shift}})
    with pytest.raises(TrainError, match=message):
        check_config(Config.from_dict(given))


def test_a_shift_names_environments():
    with pytest.raises(TrainError, match="names"):
        Config.from_dict({"model": "m", "output_dir": "run", "tasks": [{"names": ["chain_sum"]}], "evaluation": {"shifts": {"far": {}}}})
