"""Presets are whole configurations that run."""

import pytest
import yaml

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import small_model
from typer.testing import CliRunner

from rlgym.cli import app
from rlgym.core.errors import UnknownName
from rlgym.train.config.schema import Config
from rlgym.train.distributed.process_group import SINGLE_PROCESS
from rlgym.train.loop import train
from rlgym.train.presets import PRESETS, preset, preset_yaml
from rlgym.train.validate.report import check


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    small_model(folder, num_layers=1, hidden_size=32, max_seq_len=1536)
    return folder


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_valid_and_every_field_of_it_has_a_comment(model, name):
    text = preset_yaml(name, model, "out", ["chain_sum", "nim"])
    given = yaml.safe_load(text)
    assert given == preset(name, model, "out", ["chain_sum", "nim"])
    assert all(" # " in f" {line}" for line in text.splitlines() if line.strip())
    config = Config.from_dict(given)
    assert (config.rollout.max_seq_len, config.rollout.max_new_tokens) == (1536, 768)
    assert check(config, SINGLE_PROCESS).memory.total > 0


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_runs(model, tmp_path, name):
    given = preset(name, model, str(tmp_path / "run"))
    given["steps"] = min(1, given["steps"])
    given["rollout"] |= {"groups_per_step": 4, "group_size": min(2, given["rollout"]["group_size"]), "max_new_tokens": 8}
    given["scoring"] = {"num_workers": 0}
    given["evaluation"] = {"tasks_per_level": 1}
    if "sft" in given:
        given["sft"] |= {"steps": 2, "batch_size": 2}
    if given.get("algorithm", {}).get("dynamic_sampling_rounds"):
        given["algorithm"]["dynamic_sampling_rounds"] = 1
    assert "end" in train(Config.from_dict(given))


def test_presets_are_merged_and_not_changed(model):
    preset("dapo", model)["algorithm"]["advantage"] = "other"
    assert preset("dapo", model)["algorithm"]["advantage"] == "grpo"
    assert preset("ppo", model)["update"]["lr"] == preset("grpo", model)["update"]["lr"]
    with pytest.raises(UnknownName, match="Did you mean 'dapo'"):
        preset("dappo", model)


def test_init_writes_a_file_and_overwrites_none(model, tmp_path):
    file = tmp_path / "train.yaml"
    arguments = ["train", "init", "--model", str(model), "--preset", "rloo", "--env", "nim", "--out", str(file)]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    assert Config.read(file).tasks[0].names == ["nim"]
    assert Config.read(file).algorithm.advantage == "rloo"
    assert CliRunner().invoke(app, arguments).exit_code != 0
    assert CliRunner().invoke(app, ["train", "init"]).exit_code != 0
