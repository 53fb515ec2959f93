"""Supervised examples whose explanations are searches."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import small_model

from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics import behaviour_metrics
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.rollout.chat import Chat
from rlgym.train.rollout.setup import task_settings
from rlgym.train.sft.data import SftData


def config(tmp_path, **sft):
    return Config.from_dict(
        {
            "model": str(tmp_path / "model"),
            "output_dir": str(tmp_path / "run"),
            "tasks": [{"names": ["sudoku"], "levels": [0.0]}],
            "steps": 1,
            "sft": {"steps": 1, "batch_size": 2, "warmup_steps": 0} | sft,
            "rollout": {"groups_per_step": 1, "group_size": 2, "max_new_tokens": 4, "max_seq_len": 4000},
            "log": {"behaviours": True},
            "algorithm": {"filter_zero_std": False},
            "update": {"tokens_per_micro_batch": 8000},
            "scoring": {"num_workers": 0},
            "evaluation": {"tasks_per_level": 1},
            "compute": {"device": "cpu"},
        }
    )


def written(tmp_path, **sft):
    from rlgym.train.model.tokenizer import load_tokenizer

    chosen = config(tmp_path, **sft)
    chat = Chat(load_tokenizer(chosen.model.path))
    return [chat.decode(example.tokens) for example in SftData(chosen, chat, task_settings(chosen)).batch(0)]


def test_a_run_warms_up_on_traces_and_counts_behaviours(tmp_path):
    small_model(tmp_path / "model", num_layers=1, hidden_size=32, max_seq_len=4096)
    traces = {"behaviours": ["backtracking", "checking"], "dead_ends": 2}
    assert [text.count("Dead end: ") for text in written(tmp_path, traces=traces)] == [2, 2]
    assert all("Dead end: " not in text for text in written(tmp_path))
    train(config(tmp_path, traces=traces))
    (line,) = [line for line in read_lines(tmp_path / "run" / "metrics.jsonl") if "behaviour/backtracking" in line]
    assert {name for name in line if name.startswith("behaviour/")} == {
        f"behaviour/{name}" for name in ("backtracking", "checking", "subgoals", "backward_chaining")
    }


def test_an_unknown_behaviour_is_refused(tmp_path):
    with pytest.raises(TrainError, match="behaviours"):
        config(tmp_path, traces={"behaviours": ["guessing"]})


def test_the_metric_is_a_mean_over_the_episodes():
    from train.group_cases import episode

    metrics = behaviour_metrics([episode(1, text="Let me check.\nI check again.\nDead end."), episode(0, text="7")])
    assert metrics["behaviour/checking"] == 1
    assert metrics["behaviour/backtracking"] == 0.5
