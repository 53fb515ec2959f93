"""What cannot work is refused in words before anything is written."""

import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import sums
from train.small_models import small_model

from rlgym.core.errors import RlgymError
from rlgym.train.advantages import ADVANTAGES
from rlgym.train.config import renamed
from rlgym.train.config.schema import Config, field_names
from rlgym.train.config.sections import TrainError
from rlgym.train.loop import train
from rlgym.train.losses import LOSSES
from rlgym.train.losses.mixed_policy import MixedPolicyOptions
from rlgym.train.losses.value import ValueOptions
from rlgym.train.registry import REGISTRIES, OptionError, Options
from rlgym.train.regularizers.entropy import EntropyMaskOptions, EntropyOptions
from rlgym.train.regularizers.kl import KlOptions
from rlgym.train.regularizers.reference_reset import ResetOptions
from rlgym.train.rewards.overlong import OverlongOptions
from rlgym.train.tasks.hints import HintOptions
from rlgym.train.validate.algorithms import check_algorithms
from rlgym.train.validate.config import check_config


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("model")
    small_model(place, num_layers=1, hidden_size=32)
    return place


def asked(folder, out="run", **more):
    return {
        "model": str(folder),
        "output_dir": str(out),
        "tasks": [{"names": ["chain_sum"]}],
        "rollout": {"max_seq_len": 200, "max_new_tokens": 20},
    } | more


WRONG = {
    "a field that is not there": ({"stepz": 3}, "unknown field 'stepz'.*Did you mean 'steps'"),
    "a field of a section": ({"rollout": {"max_new_tokns": 3}}, "rollout.max_new_tokns.*Did you mean 'max_new_tokens'"),
    "a value out of range": ({"seed": -1}, "seed: .*greater than or equal to 0, got -1"),
    "an environment that is not there": ({"tasks": [{"names": ["chain_sums"]}]}, "chain_sums"),
    "a knob that is not there": ({"tasks": [{"names": ["chain_sum"], "knobs": {"colour": 3}}]}, "colour"),
    "a level out of range": ({"tasks": [{"names": ["chain_sum"], "levels": [1.5]}]}, "level"),
    "an advantage that is not there": ({"algorithm": {"advantage": "gropo"}}, "'gropo'.*Did you mean 'grpo'"),
    "a loss option": ({"algorithm": {"loss_options": {"clip": 3}}}, "unknown option 'clip'"),
    "a shaping that is not there": ({"algorithm": {"reward_shaping": {"format_bonuz": {}}}}, "Did you mean 'format_bonus'"),
    "groups of one": ({"rollout": {"group_size": 1, "max_seq_len": 200, "max_new_tokens": 20}}, "nothing to compare"),
    "more minibatches than groups": ({"update": {"num_minibatches": 99}}, "a group is never split"),
    "no room for a prompt": ({"rollout": {"max_new_tokens": 200, "max_seq_len": 200}}, "no room for a prompt"),
    "a forward pass that is too small": ({"update": {"tokens_per_micro_batch": 100}}, "does not fit"),
    "a context that the model has not": ({"rollout": {"max_seq_len": 4000, "max_new_tokens": 20}}, "exceeds the model's 256 positions"),
    "forks without entropies": ({"algorithm": {"entropy_top_fraction": 0.2}, "update": {"old_logprobs": "rollout"}}, "needs entropies"),
    "a GPU that is not there": ({"compute": {"device": "cuda"}}, "finds no GPU"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_work_is_refused_and_nothing_is_written(folder, tmp_path, case):
    if case == "a GPU that is not there" and torch.cuda.is_available():
        pytest.skip("there is a GPU")
    more, message = WRONG[case]
    with pytest.raises(RlgymError, match=message):
        train(Config.from_dict(asked(folder, tmp_path / "run", **more)))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("missing", "message"), [("config.json", "no config.json"), ("tokenizer.json", "no tokenizer"), ("model.safetensors", "no weights")]
)
def test_a_model_folder_that_lacks_something_is_refused(folder, tmp_path, missing, message):
    place = tmp_path / "model"
    place.mkdir()
    for file in folder.iterdir():
        if file.name != missing:
            (place / file.name).write_bytes(file.read_bytes())
    with pytest.raises(TrainError, match=message):
        check_config(Config.from_dict(asked(place)))


def test_an_environment_that_needs_a_backend_that_is_not_there_is_refused(folder, monkeypatch):
    monkeypatch.setenv("RLGYM_SANDBOX", "nonesuch")
    with pytest.raises(RlgymError, match="nonesuch"):
        check_config(Config.from_dict(asked(folder, tasks=[{"names": ["function_from_tests"]}])))


def test_a_folder_with_something_else_and_a_changed_configuration_are_refused(folder, tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "thesis.txt").write_text("mine")
    with pytest.raises(TrainError, match="contains no training run"):
        train(Config.from_dict(asked(folder, tmp_path / "run", steps=0)))
    assert (tmp_path / "run" / "thesis.txt").read_text() == "mine"
    small = {"steps": 0, "evaluation": {"tasks_per_level": 1}, "scoring": {"num_workers": 0}}
    train(Config.from_dict(asked(folder, tmp_path / "other", **small)))
    before = {file: file.stat().st_mtime_ns for file in (tmp_path / "other").rglob("*")}
    with pytest.raises(TrainError, match="differs in seed"):
        train(Config.from_dict(asked(folder, tmp_path / "other", **small, seed=5)))
    assert {file: file.stat().st_mtime_ns for file in (tmp_path / "other").rglob("*")} == before


def test_files_are_read_and_faults_in_them_said(folder, tmp_path):
    file = tmp_path / "run.yaml"
    file.write_text("model: here\noutput_dir: there\ntasks:\n- names: [chain_sum]\n  levels: {start_level: 0.1, step_size: 0.1}\n")
    config = Config.read(file)
    assert config.tasks[0].levels.step_size == 0.1
    assert Config.from_dict(json.loads(config.model_dump_json())) == config
    for text, message in (("a: [", "is not YAML"), ("- 1", "must hold a mapping"), ("output_dir: x", "needs 'model'")):
        file.write_text(text)
        with pytest.raises(TrainError, match=message):
            Config.read(file)
    with pytest.raises(TrainError, match="cannot read"):
        Config.read(tmp_path / "none.yaml")


GLOSSARY = Path(__file__).parents[2] / "docs" / "glossary.md"


def test_every_configuration_field_is_in_the_glossary():
    text = GLOSSARY.read_text()
    fields = field_names()
    assert len(fields) > 90
    assert [name for name in fields if f"| `{name}` |" not in text] == []


def test_every_option_of_an_algorithm_is_in_the_glossary():
    text = GLOSSARY.read_text()
    options = [registry[name].options for registry in REGISTRIES.values() for name in registry]
    assert sorted({name for kind in options for name in kind.model_fields if f"| `{name}` (" not in text}) == []


def nested(field, value):
    """The configuration in which a dotted field has a value, and the required fields any other."""
    first, *rest = field.split(".")
    for part in reversed(rest):
        value = {part: value}
    if first == "tasks":
        value = [{"names": ["chain_sum"]} | value]
    return {"model": "m", "output_dir": "o", "tasks": [{"names": ["chain_sum"]}]} | {first: value}


@pytest.mark.parametrize("old", renamed.FIELDS)
def test_a_renamed_field_is_refused_with_its_new_name(old):
    with pytest.raises(TrainError) as error:
        Config.from_dict(nested(old, 1))
    assert f"{old} is now {renamed.FIELDS[old]}" in str(error.value)
    assert renamed.FIELDS[old] in field_names()
    assert old not in field_names()


def test_a_field_of_a_renamed_section_is_found():
    with pytest.raises(TrainError, match=r"rollout\.tokens is now rollout\.max_new_tokens"):
        Config.from_dict(nested("rollout.tokens", 5))
    assert renamed.new_field("algorithm.correction.rates") == "algorithm.noise_correction.per_environment"
    assert renamed.new_field("rollout.group_size") is None


def test_an_old_field_is_named_before_missing_ones():
    with pytest.raises(TrainError, match=r"\Aalgorithm\.skip_dead is now algorithm\.filter_zero_std"):
        Config.from_dict({"algorithm": {"skip_dead": True}})


OPTIONS = {
    kind.__name__: kind
    for kind in (
        *(registry[name].options for registry in (ADVANTAGES, LOSSES) for name in registry),
        *(EntropyMaskOptions, EntropyOptions, HintOptions, KlOptions, MixedPolicyOptions, OverlongOptions, ResetOptions, ValueOptions),
    )
}
OPTIONS |= {parent.__name__: parent for kind in tuple(OPTIONS.values()) for parent in kind.__mro__ if issubclass(parent, Options)}


@pytest.mark.parametrize(("kind", "old"), [(kind, old) for kind, names in renamed.OPTIONS.items() for old in names])
def test_a_renamed_option_is_refused_with_its_new_name(kind, old):
    new = renamed.OPTIONS[kind][old]
    assert new in OPTIONS[kind].model_fields
    with pytest.raises(OptionError, match=f"the option {old} is now {new}"):
        OPTIONS[kind].from_dict({old: 1})


def test_options_of_engines_are_checked(folder):
    for options, message in (
        ({"rows": 3}, r"rollout\.engine_options\.rows is now rollout\.engine_options\.max_num_seqs"),
        ({"max_num_seq": 3}, "Did you mean 'max_num_seqs'"),
        ({"ray": {"gpus": 1}}, r"ray\.gpus is now rollout\.engine_options\.ray\.gpus_per_server"),
    ):
        given = asked(folder)
        with pytest.raises(TrainError, match=message):
            check_config(Config.from_dict(given | {"rollout": given["rollout"] | {"engine_options": options}}))


def test_options_of_other_algorithms_are_all_named_with_their_fields():
    algorithm = {
        "advantage": "rloo",
        "advantage_options": {"temperature": 0.1},
        "loss_options": {"beta": 1.0},
        "filters": {"solve_rate": {"keep_fraction": 0.5}},
    }
    with pytest.raises(OptionError) as error:
        check_algorithms(Config.from_dict(sums("m", "o", algorithm=algorithm, task_sampling_options={"power": 2})))
    for expected in (
        "task_sampling_options of curriculum 'uniform': unknown option 'power'",
        "algorithm.advantage_options of advantage 'rloo': unknown option 'temperature'",
        "algorithm.loss_options of loss 'pg_clip': unknown option 'beta'",
        "algorithm.filters.solve_rate of filter 'solve_rate': unknown option 'keep_fraction'",
    ):
        assert expected in str(error.value)
