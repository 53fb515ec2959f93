"""Recorded responses that are chosen for fine-tuning by the scores of their thinking."""

import json

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import small_model
from train.test_sft_rollouts import SUITE, config

from rlgym.evaluate.episodes.episode import EpisodeConfig
from rlgym.evaluate.episodes.results import _table_bytes, load
from rlgym.evaluate.models.base import Sampling
from rlgym.evaluate.models.builtin import BuiltinModel
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.run import evaluate
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.loop import train
from rlgym.train.rollout.second_models import SecondModel
from rlgym.train.run import Run
from rlgym.train.sft.selection import best_rows, trace_scores
from rlgym.train.sft.train import default_source
from rlgym.train.validate.second_models import check_second_models


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """Right responses to sums, every second of which thinks well before it answers."""
    folder = tmp_path_factory.mktemp("runs")
    small_model(folder / "model", num_layers=1, hidden_size=32, max_seq_len=2048)
    evaluate(EvaluationPlan(SUITE, BuiltinModel("oracle", SUITE.rows), EpisodeConfig(Sampling())), folder / "oracle")
    rows = [row for row in load(folder / "oracle").rows if row["env"] == "chain_sum"]
    thought = []
    for number, row in enumerate(rows):
        messages = json.loads(row["messages"])
        messages[-1]["content"] = ("well 1\n" if number % 2 else "badly 2\n") + messages[-1]["content"]
        thought.append(row | {"messages": json.dumps(messages)})
    (folder / "oracle" / "results.parquet").write_bytes(_table_bytes(thought))
    return folder


def chosen(folder, out, fraction=0.5, **trace):
    given = config(folder, out, rollouts=str(folder / "oracle"), trace_fraction=fraction).model_dump(mode="json")
    given["second_models"] = {"judge": {"path": str(folder / "model"), "max_seq_len": 2000}}
    given["algorithm"]["trace_reward"] = {"model": "judge", **trace}
    return Config.from_dict(given)


def well(self, questions, answers):
    return [0.9 if "Next thought:\nwell" in question else 0.1 for question in questions]


def test_the_responses_with_the_best_thinking_are_imitated_in_a_run(recorded, tmp_path, monkeypatch):
    monkeypatch.setattr(SecondModel, "choose", well)
    kept = {}
    for fraction in (0.5, 1.0):
        run = Run.open(chosen(recorded, tmp_path / str(fraction), fraction))
        chat = run.worker.chat
        kept[fraction] = [chat.decode(list(example.tokens)) for example in default_source(run).examples]
        run.close()
    assert len(kept[0.5]) < len(kept[1.0])
    assert any("badly" in text for text in kept[1.0])
    every, best = (sum("well 1" in text for text in kept[fraction]) for fraction in (1.0, 0.5))
    assert best == min(every, len(kept[0.5])) > 1
    train(chosen(recorded, tmp_path / "whole"))


def test_a_solver_that_succeeds_along_the_outline_adds_to_the_score(recorded, tmp_path, monkeypatch):
    monkeypatch.setattr(SecondModel, "choose", well)
    rows = load(recorded / "oracle").rows[:4]
    asked = []

    def whole(solver, worker, episodes, options, seed):
        asked.append([episode.messages[-1][1] for episode in episodes])
        return [0.5, 0.0, 0.0, 0.25]

    monkeypatch.setattr("rlgym.train.sft.selection.trajectory_scores", whole)
    run = Run.open(chosen(recorded, tmp_path / "run", solver="judge"))
    assert trace_scores(run, rows) == pytest.approx([0.6, 0.9, 0.1, 1.15])
    assert [text.split()[0] for text in asked[0]] == ["badly", "well", "badly", "well"]
    run.close()


def test_the_best_rows_by_hand():
    rows = [{"id": number} for number in range(5)]
    assert best_rows(rows, [0.1, 0.9, 0.5, 0.9, 0.2], 0.5) == [{"id": 1}, {"id": 2}, {"id": 3}]
    assert best_rows(rows, [0.5] * 5, 0.2) == [{"id": 0}]


def test_a_selection_without_scores_is_refused(recorded, tmp_path):
    given = config(recorded, tmp_path / "run", rollouts=str(recorded / "oracle"), trace_fraction=0.5)
    with pytest.raises(TrainError, match=r"sft\.trace_fraction chooses among sft\.rollouts by algorithm\.trace_reward"):
        check_second_models(given)
