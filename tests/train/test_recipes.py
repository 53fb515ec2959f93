"""Recipes: every file is valid at both sizes, and wrong files and names are refused."""

import json

import pytest
import yaml

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import small_model
from typer.testing import CliRunner

from rlgym.cli import app
from rlgym.core.errors import RlgymError, UnknownName
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.distributed.process_group import SINGLE_PROCESS
from rlgym.train.recipes.recipe import FOLDER, THEMES, Recipe, read_recipe, recipe, recipe_names
from rlgym.train.recipes.run import run_recipe
from rlgym.train.recipes.show import budget, text
from rlgym.train.recipes.toy import toy_config
from rlgym.train.validate.algorithms import check_algorithms
from rlgym.train.validate.config import check_config
from rlgym.train.validate.scale import check_scale

NAMES = recipe_names()
SANDBOXED = ("absolute_zero", "verpo")
"""Recipes whose check runs programs in the sandbox."""


def given(**changes):
    stages = [{"name": "sft", "config": {"steps": 0, "sft": {"steps": 40}}}, {"name": "rl", "config": {"steps": 10}}]
    values = {
        "title": "T",
        "paper": "P",
        "theme": THEMES[0],
        "idea": "I",
        "same": ["s"],
        "differs": ["d"],
        "common": {"tasks": [{"names": ["chain_sum"]}]},
        "stages": stages,
    }
    return values | changes


def made(**changes):
    return Recipe.model_validate({"name": "made", **given(**changes)})


def test_there_are_recipes_of_every_theme():
    assert len(NAMES) >= 40
    assert {recipe(name).theme for name in NAMES} == set(THEMES)
    assert len({recipe(name).title for name in NAMES}) == len({recipe(name).paper for name in NAMES}) == len(NAMES)


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SANDBOXED)) for name in NAMES])
def test_every_stage_is_a_valid_configuration_at_both_sizes(name):
    chosen = recipe(name)
    for stage in chosen.stages:
        config = chosen.stage_config(stage, "model", "run")
        for sized in (config, toy_config(chosen, config)):
            check_algorithms(sized)
            check_scale(sized, SINGLE_PROCESS)
    assert chosen.idea in text(chosen)


@pytest.mark.slow
def test_every_stage_can_start(tmp_path):
    small_model(tmp_path / "model", num_layers=1, hidden_size=32, max_seq_len=10_000)
    for name in NAMES:
        chosen = recipe(name)
        for stage in chosen.stages:
            config = chosen.stage_config(stage, tmp_path / "model", tmp_path / "run")
            check_config(config)
            check_config(toy_config(chosen, config))


def test_lengths_steps_and_rates_keep_their_proportions_at_the_toy_size():
    def stage(name, tokens, lr):
        algorithm = {
            "overlong_penalty": {"max_tokens": tokens, "buffer_tokens": tokens // 4},
            "group_rewards": {"length_budget": {"start_tokens": 500, "interval_steps": 50}},
        }
        rollout = {"max_new_tokens": tokens, "max_seq_len": 2048}
        return {"name": name, "config": {"steps": 150, "rollout": rollout, "algorithm": algorithm, "update": {"lr": lr}}}

    chosen = made(stages=[stage("short", 500, 1e-6), stage("long", 1000, 2e-6)])
    short, long = (toy_config(chosen, chosen.stage_config(stage, "m", "o")) for stage in chosen.stages)
    assert (short.rollout.max_new_tokens, long.rollout.max_new_tokens) == (24, 48)
    assert long.algorithm.overlong_penalty == {"max_tokens": 48, "buffer_tokens": 12}
    assert short.algorithm.group_rewards["length_budget"] == {"start_tokens": 24, "interval_steps": 1}
    assert long.update.lr == pytest.approx(2 * short.update.lr)
    assert short.steps == long.steps == 3


def test_a_stage_starts_from_the_last_trained_one_or_from_the_one_it_names():
    store = {"pass_rates": {"file": "f"}}
    stages = [{"name": "a"}, {"name": "b", "kind": "measure", "config": store}, {"name": "c"}, {"name": "d", "start_from": "a"}]
    chosen = made(stages=[*stages, {"name": "e", "start_from": "model"}])
    assert [chosen.previous(stage) for stage in chosen.stages] == ["model", "a", "a", "a", "model"]
    assert chosen.stage("d").name == "d"
    with pytest.raises(UnknownName, match=r"no stage 'dd'\. Did you mean 'd'"):
        chosen.stage("dd")


@pytest.mark.parametrize("name", ["acereason", "deepscaler", "skywork_or1"])
def test_a_schedule_of_lengths_grows_from_stage_to_stage(name):
    chosen = recipe(name)
    lengths = [chosen.stage_config(stage, "model", "run").rollout.max_new_tokens for stage in chosen.stages]
    assert len(lengths) == 3
    assert lengths == sorted(set(lengths))
    toys = [toy_config(chosen, chosen.stage_config(stage, "model", "run")).rollout.max_new_tokens for stage in chosen.stages]
    assert toys == sorted(set(toys))
    assert [chosen.previous(stage) for stage in chosen.stages] == ["model", *(stage.name for stage in chosen.stages[:-1])]


def test_a_schedule_of_domains_changes_the_tasks():
    chosen = recipe("acereason")
    names = [set(chosen.stage_config(stage, "model", "run").tasks[0].names) for stage in chosen.stages]
    assert names[0] == names[1]
    assert not names[1] & names[2]


def test_the_budget_of_a_stage():
    chosen = made()
    assert budget(chosen, chosen.stages[0]) == "1,280 examples of SFT"
    assert budget(chosen, chosen.stages[1]) == "10 steps, 1,280 rollouts of at most 128 tokens"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"theme": "Lengths"}, "Did you mean 'Length'"),
        ({"stages": []}, "stages"),
        ({"stages": [{"name": "rl"}, {"name": "rl"}]}, "'rl' of a stage is taken"),
        ({"stages": [{"name": "rl", "start_from": "sft"}]}, "starts from 'sft', which is no earlier stage: there are model"),
        ({"stages": [{"name": "rl", "config": {"output_dir": "x"}}]}, "output_dir"),
        ({"stages": [{"name": "rl", "config": {"model": {"path": "x"}}}]}, "model.path"),
        ({"stages": [{"name": "rl", "kind": "measure"}]}, "needs pass_rates.file"),
        ({"stages": [{"name": "R L"}]}, "stages.0.name"),
        ({"papers": "P"}, "papers"),
    ],
)
def test_a_wrong_recipe_is_refused_in_a_line(tmp_path, changes, message):
    file = tmp_path / "wrong.yaml"
    file.write_text(yaml.safe_dump(given(**changes)))
    with pytest.raises(TrainError) as raised:
        read_recipe(file)
    assert message in str(raised.value)
    assert "wrong.yaml" in str(raised.value)


@pytest.mark.parametrize("content", ["- a", "a: [", "\xff\xfe".encode("latin-1")])
def test_a_file_that_is_no_recipe_is_refused(tmp_path, content):
    file = tmp_path / "wrong.yaml"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(TrainError, match=r"wrong\.yaml"):
        read_recipe(file)


def test_a_stage_with_an_unknown_field_names_the_nearest():
    chosen = made(stages=[{"name": "rl", "config": {"step": 3}}])
    with pytest.raises(TrainError, match="Did you mean 'steps'"):
        chosen.stage_config(chosen.stages[0], "model", "run")


def command(*arguments):
    return CliRunner().invoke(app, ["train", "recipe", *map(str, arguments)])


def test_recipes_are_listed_and_shown():
    assert [row["name"] for row in json.loads(command("list", "--json").stdout)] == [
        name for theme in THEMES for name in NAMES if recipe(name).theme == theme
    ]
    shown = command("show", "dapo").stdout
    assert "dynamic_sampling_rounds: 3" in shown
    assert "DAPO: An Open-Source LLM Reinforcement Learning System at Scale" in shown
    assert json.loads(command("show", "dapo", "--json").stdout)["name"] == "dapo"


def test_stages_are_written_as_configuration_files(tmp_path):
    done = command("show", "phi4_reasoning", "--model", tmp_path / "model", "--out", tmp_path / "stages")
    assert "no file for measure" in done.stdout
    sft, rl = (Config.read(file) for file in sorted((tmp_path / "stages").glob("*.yaml")))
    assert sft.model.path == str(tmp_path / "model")
    assert rl.model.path == str(tmp_path / "stages" / "sft" / "checkpoints" / "1-rl-0000000" / "model")
    assert rl.pass_rates.file == str(tmp_path / "stages" / "pass_rates.sqlite")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "dapp", "--toy"), "no recipe is called 'dapp'. Did you mean 'dapo'"),
        (("run", "dapo"), "needs a model"),
        (("run", "dapo", "--toy", "--until", "rll"), "no stage 'rll'. Did you mean 'rl'"),
        (("run",), "needs the name of a recipe"),
        (("lists",), "Did you mean 'list'"),
        (("dapp", "--toy"), "or the name of a recipe, got 'dapp'. Did you mean 'dapo'"),
        (("dapo",), "needs a model"),
        (("dapo", "run"), "recipe takes list, show, run or the name of a recipe, got 'dapo'"),
        (("list", "dapo"), "list takes no name"),
        (("show", "dapo", "--toy"), "--toy, --until, --teacher and --seed apply to"),
        (("show", "dapo", "--seed", "3"), "--toy, --until, --teacher and --seed apply to"),
        (("list",), "--out and --model apply to"),
    ],
)
def test_bad_input_is_refused_in_a_line_before_anything_is_written(tmp_path, arguments, message):
    done = command(*arguments, "--out", tmp_path / "out")
    assert message in str(done.exception)
    assert not list(tmp_path.iterdir())


def test_options_of_a_recipe_are_refused_elsewhere():
    done = CliRunner().invoke(app, ["train", "quickstart", "--toy"])
    assert str(done.exception) == "--toy does not apply to `rlgym train quickstart`, but to `rlgym train study` and `rlgym train recipe`"


def test_a_folder_with_something_else_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(RlgymError, match="is not empty and holds no recipe"):
        run_recipe(recipe("dapo"), tmp_path, toy=True)
    assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]


def test_the_files_are_package_data():
    project = (FOLDER.parents[2] / "pyproject.toml").read_text()
    assert '"rlgym.train.recipes" = ["*.yaml"]' in project


@pytest.mark.parametrize("name", ["listener", "soft_verifier", "gtr", "sdpo"])
def test_the_start_of_the_toy_size_has_nothing_of_the_recipes_rewards(name, tmp_path):
    """Its supervised phase has no rewards, so that no model beside the policy may be left over."""
    from rlgym.train.recipes.toy import start_config

    config = start_config(recipe(name), tmp_path / "start", tmp_path / "run", 0)
    assert config.second_models == {}
    check_algorithms(config)


def test_the_toy_model_of_a_recipe_without_groups_can_start(tmp_path):
    from rlgym.train.recipes.toy import start_config

    small_model(tmp_path / "start", num_layers=1, hidden_size=32, max_seq_len=512)
    check_config(start_config(recipe("reinforce_pp"), tmp_path / "start", tmp_path / "run", 0))


def test_ur2_gives_the_search_to_what_fails_without_it_and_pays_it_first():
    chosen = recipe("ur2")
    measured, tools, answers = (chosen.stage_config(stage, "model", "run") for stage in chosen.stages)
    assert (chosen.stages[0].kind, measured.tasks[0].knobs) == ("measure", {"access": "given"})
    hard, easy = answers.tasks
    assert tools.tasks[0].recorded == hard.recorded
    assert (hard.recorded.high, easy.recorded.low) == (0.2, 0.2)
    assert (hard.recorded.play_with, easy.recorded.play_with) == ({"access": "search"}, {})
    assert "retrieved" in str(tools.algorithm.group_rewards)
    assert not answers.algorithm.group_rewards
    assert [chosen.previous(stage) for stage in chosen.stages] == ["model", "model", "tools"]


def test_saturn_raises_the_scalar_difficulty_of_its_formulas():
    from rlgym.dataset.rows import knobs_at
    from rlgym.train.tasks.cells import moved_level

    chosen = recipe("saturn")
    part = chosen.stage_config(chosen.stages[0], "model", "run").tasks[0]
    assert (part.names, part.levels.rule) == (["ksat_assignment"], "step_up")
    raised = moved_level(part.levels, part.levels.start_level, part.levels.threshold)
    before, after = (knobs_at("ksat_assignment", level)["difficulty"] for level in (part.levels.start_level, raised))
    assert after - before == 7  # tenths of D
