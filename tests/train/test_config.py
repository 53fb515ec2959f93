"""What cannot work is refused in words before anything is written."""

import json

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import small_model

from rlgym.core.errors import RlgymError
from rlgym.train.config import Config, TrainError, check, check_memory
from rlgym.train.loop import train


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("model")
    small_model(place, layers=1, width=32)
    return place


def asked(folder, out="run", **more):
    return {"model": str(folder), "out": str(out), "tasks": [{"names": ["chain_sum"]}], "rollout": {"context": 200, "tokens": 20}} | more


WRONG = {
    "a field that is not there": ({"stepz": 3}, "there is no field 'stepz'.*Did you mean 'steps'"),
    "a field of a section": ({"rollout": {"tokns": 3}}, "rollout.tokns.*Did you mean 'tokens'"),
    "a value out of range": ({"seed": -1}, "seed: .*greater than or equal to 0, got -1"),
    "an environment that is not there": ({"tasks": [{"names": ["chain_sums"]}]}, "chain_sums"),
    "a knob that is not there": ({"tasks": [{"names": ["chain_sum"], "knobs": {"colour": 3}}]}, "colour"),
    "a level out of range": ({"tasks": [{"names": ["chain_sum"], "levels": [1.5]}]}, "level"),
    "an advantage that is not there": ({"algorithm": {"advantage": "gropo"}}, "'gropo'.*Did you mean 'grpo'"),
    "a loss option": ({"algorithm": {"loss_options": {"clip": 3}}}, "there is no option 'clip'"),
    "a shaping that is not there": ({"algorithm": {"shaping": {"readable_bonuz": {}}}}, "Did you mean 'readable_bonus'"),
    "groups of one": ({"rollout": {"group": 1, "context": 200, "tokens": 20}}, "nothing to compare"),
    "more minibatches than groups": ({"update": {"minibatches": 99}}, "a group is never divided"),
    "no room for a prompt": ({"rollout": {"tokens": 200, "context": 200}}, "no room for a prompt"),
    "a forward pass that is too small": ({"update": {"tokens": 100}}, "does not fit"),
    "a context that the model has not": ({"rollout": {"context": 4000, "tokens": 20}}, "more than the model is made for"),
    "forks without entropies": ({"algorithm": {"forks": 0.2}, "update": {"old": "sampler"}}, "needs entropies"),
    "a GPU that is not there": ({"compute": {"device": "cuda"}}, "finds no GPU"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_work_is_refused_and_nothing_is_written(folder, tmp_path, case):
    if case == "a GPU that is not there" and torch.cuda.is_available():
        pytest.skip("there is a GPU")
    more, said = WRONG[case]
    with pytest.raises(RlgymError, match=said):
        train(Config.of(asked(folder, tmp_path / "run", **more)))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("missing", "said"), [("config.json", "no config.json"), ("tokenizer.json", "no tokenizer"), ("model.safetensors", "no weights")]
)
def test_a_model_folder_that_lacks_something_is_refused(folder, tmp_path, missing, said):
    place = tmp_path / "model"
    place.mkdir()
    for file in folder.iterdir():
        if file.name != missing:
            (place / file.name).write_bytes(file.read_bytes())
    with pytest.raises(TrainError, match=said):
        check(Config.of(asked(place)))


def test_an_environment_that_needs_a_backend_that_is_not_there_is_refused(folder, monkeypatch):
    monkeypatch.setenv("RLGYM_SANDBOX", "nonesuch")
    with pytest.raises(RlgymError, match="nonesuch"):
        check(Config.of(asked(folder, tasks=[{"names": ["function_from_tests"]}])))


def test_a_gpu_that_is_too_small_is_refused(folder):
    config = Config.of(asked(folder))
    check_memory(1_000_000, config, 1 << 30)
    with pytest.raises(TrainError, match=r"needs 14\.9 GiB"):
        check_memory(1_000_000_000, config, 8 << 30)


def test_a_folder_with_something_else_and_a_changed_configuration_are_refused(folder, tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "thesis.txt").write_text("mine")
    with pytest.raises(TrainError, match="holds no run of ours"):
        train(Config.of(asked(folder, tmp_path / "run", steps=0)))
    assert (tmp_path / "run" / "thesis.txt").read_text() == "mine"
    small = {"steps": 0, "evaluation": {"tasks": 1}, "scoring": {"workers": 0}}
    train(Config.of(asked(folder, tmp_path / "other", **small)))
    before = {file: file.stat().st_mtime_ns for file in (tmp_path / "other").rglob("*")}
    with pytest.raises(TrainError, match="differs in seed"):
        train(Config.of(asked(folder, tmp_path / "other", **small, seed=5)))
    assert {file: file.stat().st_mtime_ns for file in (tmp_path / "other").rglob("*")} == before


def test_files_are_read_and_faults_in_them_said(folder, tmp_path):
    file = tmp_path / "run.yaml"
    file.write_text("model: here\nout: there\ntasks:\n- names: [chain_sum]\n  levels: {start: 0.1, stride: 0.1}\n")
    config = Config.read(file)
    assert config.tasks[0].levels.stride == 0.1
    assert Config.of(json.loads(config.model_dump_json())) == config
    for text, said in (("a: [", "is not YAML"), ("- 1", "must hold a mapping"), ("out: x", "needs 'model'")):
        file.write_text(text)
        with pytest.raises(TrainError, match=said):
            Config.read(file)
    with pytest.raises(TrainError, match="cannot be read"):
        Config.read(tmp_path / "none.yaml")
