"""Runs that train a model of the transformers library."""

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
from train.transformers_cases import configuration

from rlgym.train.config.schema import Config
from rlgym.train.config.sections import ModelConfig, TrainError
from rlgym.train.distributed.process_group import SINGLE_PROCESS
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.logging.progress import ProgressCallback
from rlgym.train.loop import train
from rlgym.train.model.backend import read_policy_shape
from rlgym.train.validate.report import check
from rlgym.train.validate.scale import check_ranks_of_model


class Noted(ProgressCallback):
    def __init__(self):
        self.lines = []

    def on_model_loaded(self, description):
        self.lines.append(description)


@pytest.mark.parametrize("kind", ["gemma3", "gpt2"])
def test_a_run_trains_resumes_to_the_bit_and_exports(model_folders, kind, tmp_path):
    import shutil

    given = configuration(model_folders[kind], tmp_path / "run", sft={"steps": 1, "batch_size": 2}, steps=2)
    callback = Noted()
    train(Config.from_dict(given), callback)
    assert callback.lines[0].startswith("model backend: transformers")
    metrics = read_lines(tmp_path / "run" / "metrics.jsonl")[1:]
    assert all(line["logprob_diff"] < 1e-5 for line in metrics)
    assert all(line["grad_norm"] > 0 for line in metrics)
    last = tmp_path / "run" / "checkpoints" / "1-rl-0000002"
    kept = (tmp_path / "run" / "metrics.jsonl").read_bytes()
    weights = transformers.AutoModelForCausalLM.from_pretrained(last / "model").state_dict()
    start = transformers.AutoModelForCausalLM.from_pretrained(model_folders[kind]).state_dict()
    assert any(not torch.equal(weights[name], start[name]) for name in weights)
    shutil.rmtree(last)
    train(Config.from_dict(given))
    assert (tmp_path / "run" / "metrics.jsonl").read_bytes() == kept
    repeated = transformers.AutoModelForCausalLM.from_pretrained(last / "model").state_dict()
    assert all(torch.equal(weights[name], repeated[name]) for name in weights)


def test_a_value_head_and_asynchronous_rollouts_work(model_folders, tmp_path):
    given = configuration(model_folders["phi"], tmp_path / "run", steps=1)
    given["algorithm"] = {"advantage": "ppo"}
    train(Config.from_dict(given))
    assert (tmp_path / "run" / "checkpoints" / "1-rl-0000001" / "value_head.safetensors").exists()
    given = configuration(model_folders["qwen3_moe"], tmp_path / "async", steps=2)
    given["rollout"] |= {"async_steps": 1}
    given["update"] |= {"old_logprobs": "rollout"}
    train(Config.from_dict(given))
    assert [line["staleness"] for line in read_lines(tmp_path / "async" / "metrics.jsonl")][1] > 0


def test_both_backends_train_alike(qwen3_folder, tmp_path):
    lines = []
    for backend in ("native", "transformers"):
        given = configuration(qwen3_folder, tmp_path / backend, steps=2)
        given["model"]["backend"] = backend
        train(Config.from_dict(given))
        lines.append(read_lines(tmp_path / backend / "metrics.jsonl"))
    for first, two in zip(*lines):
        assert first["grad_norm"] > 0
        for name in ("loss", "grad_norm", "entropy", "reward", "kl"):
            assert two[name] == pytest.approx(first[name], rel=1e-3, abs=1e-5), name


def test_a_check_counts_a_model_of_transformers(model_folders, tmp_path):
    report = check(Config.from_dict(configuration(model_folders["qwen3_moe"], tmp_path / "run")), SINGLE_PROCESS)
    parameters = read_policy_shape(ModelConfig(path=str(model_folders["qwen3_moe"]))).parameters
    assert report.memory.parameters == parameters
    assert report.memory.optimizer == 8 * parameters
    assert report.lines()[0] == "model backend: transformers (qwen3_moe)"


def test_what_the_backend_cannot_do_is_refused(model_folders, tmp_path):
    given = configuration(model_folders["gpt2"], tmp_path / "run")
    with pytest.raises(TrainError, match="does not support 2 ranks"):
        check_ranks_of_model(Config.from_dict(given), 2)
    given["compute"] |= {"compile": True}
    with pytest.raises(TrainError, match=r"compute\.compile=true needs the native backend"):
        check(Config.from_dict(given), SINGLE_PROCESS)
