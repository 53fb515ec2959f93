"""Algorithms of one's own: registered by a file, a module or an entry point, and used by a run like any other."""

import re
import sys
from importlib.metadata import EntryPoint

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import sums
from train.small_models import small_model

from rlgym.core.errors import RlgymError, UnknownName
from rlgym.train import registry
from rlgym.train.config.schema import Config
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.reference import example_advantage, example_loss
from rlgym.train.registry import ADVANTAGES, LOSSES, REWARDS, OptionError, Options, advantage, import_plugins, loss, restored_registries
from rlgym.train.rollout.scoring import _env

PLUGIN = """
from pydantic import Field
from rlgym.train.data.segment_sums import broadcast_to_tokens, rewards_N
from rlgym.train.losses.common import LossOptions, aggregate
from rlgym.train.registry import Options, advantage, curriculum, filter, group_reward, loss, reward


class Scale(Options):
    factor: float = Field(1.0, ge=0, le=10, description="a factor")


@advantage("own_advantage", paper="A Paper of Our Own")
def own_advantage(batch, options: Scale):
    \"\"\"factor r.\"\"\"
    return broadcast_to_tokens(options.factor * rewards_N(batch), batch)


@loss("own_loss")
def own_loss(new_logprobs_T, batch, advantage_T, options: LossOptions):
    \"\"\"-A log(new).\"\"\"
    return aggregate(-advantage_T * new_logprobs_T, batch, options), {"own_metric": advantage_T.sum()}


@reward("own_reward")
def own_reward(scored, options: Scale):
    \"\"\"factor for every response.\"\"\"
    return options.factor


@group_reward("own_group_reward")
def own_group_reward(episodes, context, options: Scale):
    \"\"\"factor for every rollout.\"\"\"
    return [options.factor] * len(episodes)


@filter("own_filter")
def own_filter(episodes, options: Scale):
    \"\"\"Drops odd keys.\"\"\"
    return [episode for episode in episodes if episode.key % 2 == 0]


@curriculum("own_curriculum")
def own_curriculum(cell, options: Scale):
    \"\"\"Only chain_sum.\"\"\"
    return float(cell.name == "chain_sum")
"""


@pytest.fixture(autouse=True)
def restored():
    modules = set(sys.modules)
    with restored_registries():
        yield
    for name in set(sys.modules) - modules:
        if name.startswith("rlgym_plugin_"):
            del sys.modules[name]


@pytest.fixture
def plugin(tmp_path):
    file = tmp_path / "own.py"
    file.write_text(PLUGIN)
    return file


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    small_model(folder, num_layers=1, hidden_size=32, max_seq_len=1024)
    return folder


def chosen(model, out, plugin, **more):
    algorithm = {
        "advantage": "own_advantage",
        "advantage_options": {"factor": 2.0},
        "loss": "own_loss",
        "reward_shaping": {"own_reward": {"factor": 0.5}},
        "group_rewards": {"own_group_reward": {"factor": 0.25}},
        "filters": {"own_filter": {}},
    }
    given = sums(
        model, out, tasks=[{"names": ["chain_sum", "dyck_completion"]}], algorithm=algorithm, steps=1, rollout={"max_seq_len": 900}, **more
    )
    given["compute"] |= {"peak_tflops": 1.0}
    return Config.from_dict(given | {"plugins": [str(plugin)], "task_sampling": "own_curriculum"})


def test_a_run_uses_all_six_kinds_also_in_scoring_processes(model, tmp_path, plugin):
    train(chosen(model, tmp_path / "run", plugin, scoring={"num_workers": 1}))
    (line,) = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert line["own_metric"] > 0
    assert line["kept_fraction"] == 0.5
    assert line["reward"] >= 0.5
    assert line["group_reward/own_group_reward"] == 0.25
    assert not any("dyck" in name for name in line)


def test_their_options_are_checked_before_the_run(model, tmp_path, plugin):
    config = chosen(model, tmp_path / "run", plugin)
    wrong = config.model_copy(update={"algorithm": config.algorithm.model_copy(update={"advantage_options": {"factr": 1}})})
    with pytest.raises(OptionError, match=r"unknown option 'factr'\. Did you mean 'factor'"):
        train(wrong)
    assert not (tmp_path / "run").exists()


def test_a_module_registers_through_an_entry_point(tmp_path, monkeypatch):
    (tmp_path / "acme_losses.py").write_text(PLUGIN)
    monkeypatch.syspath_prepend(tmp_path)
    registry._import_entry_points.cache_clear()
    monkeypatch.setattr(registry, "entry_points", lambda group: [EntryPoint("acme", "acme_losses", group)])
    assert "own_loss" in LOSSES
    assert ADVANTAGES["own_advantage"].paper == "A Paper of Our Own"
    registry._import_entry_points.cache_clear()
    monkeypatch.setattr(registry, "entry_points", lambda group: [EntryPoint("acme", "acme_nowhere", group)])
    with pytest.raises(OptionError, match=r"entry point 'acme' of the group 'rlgym.train' cannot be imported: ModuleNotFoundError"):
        LOSSES["pg_clip"]
    monkeypatch.undo()
    registry._import_entry_points.cache_clear()


def test_a_plugin_that_fails_is_named(tmp_path):
    (tmp_path / "broken.py").write_text("1 / 0")
    with pytest.raises(OptionError, match=r"plug-in '.*broken.py' cannot be imported: ZeroDivisionError"):
        import_plugins([str(tmp_path / "broken.py")])
    with pytest.raises(OptionError, match="cannot be imported: FileNotFoundError"):
        import_plugins([str(tmp_path / "missing.py")])


def test_a_name_is_given_once_and_options_have_a_class():
    def other(batch, options: Options):
        return None

    with pytest.raises(OptionError, match="advantage 'grpo' is registered twice"):
        advantage("grpo")(other)
    advantage("other")(other)
    advantage("other")(other)

    def untyped(new_logprobs_T, batch, advantage_T, options):
        return None

    with pytest.raises(OptionError, match="annotated with a subclass of Options"):
        loss("untyped")(untyped)
    with pytest.raises(UnknownName):
        LOSSES["untyped"]


def test_a_reward_that_is_no_number_ends_the_run_and_names_the_field(model, tmp_path, plugin):
    plugin.write_text(PLUGIN.replace("return options.factor\n", "return float('nan')\n"))
    with pytest.raises(RlgymError, match=r"algorithm\.reward_shaping\.own_reward returned nan for a response of chain_sum@0"):
        train(chosen(model, tmp_path / "run", plugin))
    assert "own_reward" in REWARDS


def test_the_examples_of_the_reference_are_those_worked_out_by_hand():
    root = 3**0.5
    assert example_advantage("grpo") == pytest.approx([root, -1 / root, -1 / root, -1 / root, 0, 0], rel=1e-4)
    assert example_advantage("rloo") == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3, 0, 0])
    assert example_advantage("gpg") == pytest.approx([1.5, -0.5, -0.5, -0.5, 0, 0])
    assert example_advantage("ppo")[4] == pytest.approx(example_advantage("ppo")[0])
    value, gradient = example_loss("pg_clip")
    # -min(1.5, 1.28), -min(0.5, 0.8), -min(-1.5, -1.28), -min(-0.5, -0.8)
    assert value == pytest.approx((-1.28 - 0.5 + 1.5 + 0.8) / 4)
    assert gradient == pytest.approx([0, -0.125, 0.375, 0])


FAULTS = [
    ("reward", "float('inf')", r"reward_shaping\.own_reward returned inf for a response of"),
    ("reward", "None", r"reward_shaping\.own_reward returned None"),
    ("reward", "'high'", r"reward_shaping\.own_reward returned 'high'"),
    ("reward", "[1.0]", r"reward_shaping\.own_reward returned \[1\.0\]"),
    ("reward", "1e300", r"reward_shaping\.own_reward returned 1e\+300"),
    ("reward", "10 ** 400", r"reward_shaping\.own_reward returned 1000"),
    ("reward", "1 / 0", r"algorithm\.reward_shaping='own_reward' raised ZeroDivisionError: division by zero \(line \d+ of own\.py\)"),
    ("group_reward", "None", r"group_rewards\.own_group_reward returned None: it must return a list of 4 numbers"),
    ("group_reward", "[1.0]", r"group_rewards\.own_group_reward returned \[1\.0\]: it must return a list of 4 numbers"),
    ("group_reward", "['high'] * len(episodes)", r"group_rewards\.own_group_reward returned 'high': it must return finite numbers"),
    ("group_reward", "[float('nan')] * len(episodes)", r"group_rewards\.own_group_reward returned nan"),
    ("group_reward", "{}['x']", r"algorithm\.group_rewards='own_group_reward' raised KeyError: 'x'"),
    ("filter", "None", r"filters\.own_filter returned NoneType: it must return a list of the episodes"),
    ("filter", "[True] * len(episodes)", r"filters\.own_filter returned something that is none of the episodes it got"),
    ("filter", "episodes * 2", r"filters\.own_filter returned an episode twice"),
    ("filter", "episodes[10 ** 6]", r"algorithm\.filters='own_filter' raised IndexError"),
    ("curriculum", "float('nan')", r"task_sampling='own_curriculum' returned nan as the weight of chain_sum"),
    ("curriculum", "-1.0", r"task_sampling='own_curriculum' returned -1\.0 as the weight"),
    ("curriculum", "None", r"task_sampling='own_curriculum' returned None as the weight"),
    ("curriculum", "1 / 0", r"task_sampling='own_curriculum' raised ZeroDivisionError"),
    ("advantage", "batch.nothing", r"algorithm\.advantage='own_advantage' raised AttributeError"),
    ("loss", "1 / 0", r"algorithm\.loss='own_loss' raised ZeroDivisionError"),
    ("loss", "new_logprobs_T.sum(), None", r"algorithm\.loss='own_loss' must return a scalar tensor and a dictionary of metrics"),
    (
        "loss",
        "new_logprobs_T.sum(), {'own': 'high'}",
        r"algorithm\.loss='own_loss' returned str as the metric 'own': it must be one number",
    ),
    ("loss", "new_logprobs_T.sum(), {'own': advantage_T}", r"returned a tensor of \(\d+,\) as the metric 'own': it must be one number"),
    (
        "loss",
        "new_logprobs_T.sum(), {'reward': 1.0}",
        r"algorithm\.loss='own_loss' returned the metric 'reward', which the run logs itself",
    ),
    (
        "loss",
        "(new_logprobs_T - new_logprobs_T.detach()).abs().sqrt().nansum(), {}",
        r"the gradient of algorithm\.loss='own_loss' is nan at \d+ of \d+ tokens",
    ),
]


@pytest.mark.parametrize(("kind", "returned", "message"), FAULTS, ids=[f"{kind}: {returned}" for kind, returned, _ in FAULTS])
def test_what_a_function_of_ones_own_may_not_return_ends_the_run_and_names_the_field(model, tmp_path, plugin, kind, returned, message):
    plugin.write_text(re.sub(rf"(@{kind}\(.*?\n    )return [^\n]*\n", rf"\1return {returned}\n", PLUGIN, flags=re.DOTALL))
    assert f"return {returned}\n" in plugin.read_text()
    _env.cache_clear()
    with pytest.raises(OptionError, match=message):
        train(chosen(model, tmp_path / "run", plugin))
    assert not read_lines(tmp_path / "run" / "metrics.jsonl")


def test_numbers_of_numpy_are_numbers(model, tmp_path, plugin):
    plugin.write_text(PLUGIN.replace("return options.factor\n", "return __import__('numpy').float32(options.factor)\n"))
    _env.cache_clear()
    train(chosen(model, tmp_path / "run", plugin))
    (line,) = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert line["reward"] >= 0.5


def test_a_reward_that_raises_in_a_scoring_process_ends_the_run(model, tmp_path, plugin):
    plugin.write_text(PLUGIN.replace("return options.factor\n", "return options.factor / 0\n"))
    with pytest.raises(
        OptionError, match=r"reward_shaping='own_reward' raised ZeroDivisionError: float division by zero \(line \d+ of own\.py\)"
    ):
        train(chosen(model, tmp_path / "run", plugin, scoring={"num_workers": 1}))
