"""A suite by models: the least solved environments of each domain, with fresh tasks that are held out."""

import json

import pytest
from typer.testing import CliRunner

from rlgym.cli import app
from rlgym.dataset.pass_rates import Entry, PassRates, TaskKey
from rlgym.dataset.rows import content_hash, knobs_at, split_of
from rlgym.evaluate.hard_suite import hardest, pin_hard_suite, solve_rates
from rlgym.evaluate.pinning import HELD_OUT
from rlgym.evaluate.suites import SuiteError, load
from rlgym.registry import environment

RATES = {
    "chain_sum": {"a": 6, "b": 2},
    "fraction_sum": {"a": 2, "b": 2},
    "base_conversion": {"a": 4, "b": 7},
    "linear_system": {"a": 8, "b": 8},
    "partial_fractions": {"a": 0, "b": 0},
}
"""Right ones of eight samples of every task, by environment and model."""


def entry(env, seed, level, model, right):
    knobs = json.dumps(knobs_at(env, level), sort_keys=True)
    return Entry(TaskKey(model, env, environment(env).version, level, knobs, seed), 8, right)


@pytest.fixture
def file(tmp_path):
    with PassRates(tmp_path / "s.sqlite") as store:
        for env, by_model in RATES.items():
            for model, right in by_model.items():
                store.record(f"{env} {model}", [entry(env, seed, 1.0, model, right) for seed in range(4)])
        # Easy levels do not count, nor does an environment that one of the models has hardly met.
        store.record("easy", [entry("partial_fractions", seed, 0.0, "a", 8) for seed in range(20)])
        store.record("rare", [entry("determinant", 1, 1.0, "a", 0)])
    return tmp_path / "s.sqlite"


def test_environments_are_ranked_by_the_mean_over_models(file):
    with PassRates(file) as store:
        found, left_out = solve_rates(store, ["a", "b"], [0.75, 1.0], 4)
        alone, _ = solve_rates(store, ["a"], [0.75, 1.0], 4)
    assert [(each.name, each.rate) for each in found[:3]] == [("partial_fractions", 0.0), ("fraction_sum", 0.25), ("chain_sum", 0.5)]
    assert left_out == {"determinant": "0 tasks of a model at these levels, fewer than 4"}
    assert [each.name for each in hardest(found, 1)] == ["partial_fractions", "fraction_sum"]
    assert [each.name for each in alone][:3] == ["partial_fractions", "fraction_sum", "base_conversion"]


def test_the_suite_has_fresh_held_out_tasks_and_loads(file, tmp_path):
    out = tmp_path / "hard-ab.json"
    with PassRates(file) as store:
        pinned, chosen, _ = pin_hard_suite(store, ["a", "b"], out, per_domain=2, levels=[1.0], seeds=3)
        with pytest.raises(SuiteError, match="a suite never changes"):
            pin_hard_suite(store, ["a", "b"], out)
    suite = load(out)
    assert (
        [each.name for each in chosen] == list(pinned.environments) == ["partial_fractions", "linear_system", "fraction_sum", "chain_sum"]
    )
    assert len(suite.rows) == pinned.tasks == 12
    assert {split_of(content_hash({"env": row["env"], "prompt": row["prompt"]}), HELD_OUT) for row in suite.rows} == {"test"}
    assert not {row["seed"] for row in suite.rows} & set(range(20))
    assert "that a, b solve least" in suite.description


@pytest.mark.parametrize(
    ("models", "options", "message"),
    [
        (["a", "c"], {}, "has no model 'c'"),
        (["a"], {"min_tasks": 5}, "no environment has 5 tasks of every model at the levels 0.75, 1.0. base_conversion: 4 tasks"),
        (["a"], {"levels": [0.5]}, "no environment has 4 tasks"),
    ],
)
def test_too_little_is_refused(file, tmp_path, models, options, message):
    with PassRates(file) as store, pytest.raises(SuiteError) as error:
        pin_hard_suite(store, models, tmp_path / "x.json", **options)
    assert message in str(error.value)
    assert not (tmp_path / "x.json").exists()


def test_the_command_pins_a_suite(file, tmp_path):
    out = tmp_path / "mine.json"
    options = ["--store", str(file), "--model", "a", "--model", "b", "--per-domain", "1", "--levels", "1", "-n", "1", "-o", str(out)]
    done = CliRunner().invoke(app, ["pass-rates", "suite", *options])
    assert done.exit_code == 0, done.output
    assert "2 tasks of 2 environments" in done.output
    assert "left out: determinant" in done.output
    assert {row["env"] for row in load(out).rows} == {"partial_fractions", "fraction_sum"}
