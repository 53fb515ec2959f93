"""Abilities and difficulties from a pass-rate store: the command prints and writes them, and says what cannot be compared."""

import json
import math

import pytest
from typer.testing import CliRunner

from rlgym import RlgymError, Rng
from rlgym.cli import app
from rlgym.dataset.pass_rates import Entry, PassRates, TaskKey
from rlgym.dataset.rows import knobs_at
from rlgym.evaluate.item_table import item_table
from rlgym.registry import environment

ABILITIES = {"weak": -1.5, "middle": 0.0, "strong": 2.0}


def key(model, seed, env="chain_sum"):
    return TaskKey(model, env, environment(env).version, 0.0, json.dumps(knobs_at(env, 0.0), sort_keys=True), seed)


@pytest.fixture
def store(tmp_path):
    """Three simulated models on the same forty tasks, whose difficulties rise from -2 to 2 with the seed."""
    rng = Rng("items")
    file = tmp_path / "rates.sqlite"
    with PassRates(file) as rates:
        for model, ability in ABILITIES.items():
            chances = [1 / (1 + math.exp(4 * seed / 39 - 2 - ability)) for seed in range(40)]
            entries = [Entry(key(model, seed), 50, sum(rng.chance(p) for _ in range(50))) for seed, p in enumerate(chances)]
            rates.record(model, entries)
    return file


def test_abilities_and_difficulties_of_simulated_models_are_recovered(store, tmp_path):
    out = tmp_path / "items.jsonl"
    result = CliRunner().invoke(app, ["pass-rates", "items", "--store", str(store), "--out", str(out), "--json"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.output)
    assert told["tasks"] == 40
    assert told["unconnected"] == []
    for model, ability in ABILITIES.items():
        assert told["abilities"][model]["mean"] == pytest.approx(ability, abs=0.25)
        assert told["abilities"][model]["low"] < told["abilities"][model]["mean"] < told["abilities"][model]["high"]
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["difficulty"] for row in rows] == sorted(row["difficulty"] for row in rows)
    errors = [abs(row["difficulty"] - (4 * row["seed"] / 39 - 2)) for row in rows]
    assert sum(errors) / len(errors) < 0.25
    covered = sum(row["low"] <= 4 * row["seed"] / 39 - 2 <= row["high"] for row in rows)
    assert covered >= 34
    shown = CliRunner().invoke(app, ["pass-rates", "items", "--store", str(store)]).output
    assert shown.index("strong") < shown.index("middle") < shown.index("weak")


def test_models_without_common_tasks_are_named_and_too_few_are_refused(store):
    with PassRates(store) as rates:
        rates.record("apart", [Entry(key("apart", seed, "gcd_lcm"), 4, 2) for seed in range(5)])
        assert item_table(rates, ["strong", "weak", "apart"]).unconnected == ["apart"]
        with pytest.raises(RlgymError, match="two models"):
            item_table(rates, ["strong"])
        with pytest.raises(RlgymError, match="no model 'stong'"):
            item_table(rates, ["stong", "weak"])
    assert "apart shares no task" in CliRunner().invoke(app, ["pass-rates", "items", "--store", str(store)]).output
