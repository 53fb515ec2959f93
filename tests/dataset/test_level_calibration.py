"""Curves of solve rates recover simulated models, with knobs that are set apart from the level, and levels are found by solve rate."""

import json
import math

import pytest
from dataset.test_pass_rates import ENV, key, simulated
from typer.testing import CliRunner

import rlgym
from rlgym import Rng
from rlgym.cli import app
from rlgym.core.config import knob_position
from rlgym.core.errors import KnobError, RowError
from rlgym.dataset.pass_rates import Entry, PassRates, TaskKey
from rlgym.dataset.pass_rates.calibration import calibrate, fit_curve
from rlgym.episode.calibration import Calibration, read_calibration, shifts
from rlgym.registry import environment


@pytest.mark.parametrize(("intercept", "slope"), [(2.0, 4.0), (0.0, 2.0), (4.0, 6.0)])
def test_curves_recover_simulated_models(intercept, slope):
    errors = []
    for seed in range(10):
        curve = fit_curve(simulated(intercept, slope, seed=seed))
        errors += [abs(curve.rate(level) - 1 / (1 + math.exp(slope * level - intercept))) for level in (0.0, 0.5, 1.0)]
        assert abs(curve.rate(curve.level(0.4)) - 0.4) < 1e-6
    assert max(errors) < 0.06
    assert sum(errors) / len(errors) < 0.02


def test_extreme_models_have_finite_curves():
    always = fit_curve(Entry(key(seed, seed % 2 / 2), 4, 4) for seed in range(20))
    never = fit_curve(Entry(key(seed, seed % 2 / 2), 4, 0) for seed in range(20))
    assert always.rate(0.5) > 0.9 > 0.1 > never.rate(0.5)
    assert 0 <= never.level(0.5) <= 1
    assert 0 <= always.level(0.5) <= 1


def test_a_model_that_gets_better_with_level_has_a_flat_curve():
    curve = fit_curve(Entry(key(seed, seed % 2), 10, 8 if seed % 2 else 4) for seed in range(40))
    assert curve.slope == 0
    assert abs(curve.rate(0.5) - 0.6) < 0.01


def test_curves_need_two_levels_and_one_version():
    with pytest.raises(RowError, match="two levels"):
        fit_curve([Entry(key(1), 4, 2)])
    with pytest.raises(RowError, match="versions 1, 2"):
        fit_curve([Entry(key(1, 0.0, version=1), 4, 2), Entry(key(2, 1.0, version=2), 4, 2)])


def test_make_finds_the_level_of_a_target(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with PassRates("pass_rates.sqlite") as store:
        store.record("run", simulated(2.0, 4.0))
        store.record("few", simulated(2.0, 4.0, tasks=3, env="gcd_lcm"))
        table, skipped = calibrate(store, "m")
    assert set(table.curves) == {ENV}
    assert "fewer than 10" in skipped["gcd_lcm"]
    result = CliRunner().invoke(app, ["calibrate", "--model", "m"])
    assert result.exit_code == 0, result.output
    assert "left out: gcd_lcm" in result.output
    env = rlgym.make(ENV, target=0.5, calibration="m")
    env.reset(seed=1)
    level = env.unwrapped.task.origin.level
    assert abs(level - 0.5) < 0.05
    assert abs(level - table.level(ENV, 0.5)) < 1e-9
    easier = rlgym.make(ENV, target=0.8, calibration="calibrations/m.json")
    easier.reset(seed=1)
    assert easier.unwrapped.task.origin.level < level
    with pytest.raises(KnobError, match="no curve for 'gcd_lcm'"):
        rlgym.make("gcd_lcm", target=0.5, calibration="m")
    with pytest.raises(KnobError, match="needs `target`"):
        rlgym.make(ENV, calibration="m")
    with pytest.raises(KnobError, match="between 0 and 1"):
        rlgym.make(ENV, target=1.5, calibration="m")


def with_knobs(count, harder, seed=1):
    """Tasks whose knobs are set apart from their level, and a model for which each counts as `harder` says."""
    rng, config = Rng("with knobs", seed), environment(ENV).config
    for number in range(count):
        level = rng.choice((0.2, 0.5, 0.8))
        knobs = {"terms": rng.integer(2, 40)} if rng.chance(0.7) else {"digits": rng.integer(1, config.knobs()["digits"]["hard"])}
        logit = 2.0 - 4.0 * level - sum(harder[name] * by for name, by in shifts(ENV, level, knobs).items())
        text = json.dumps(dict(config.at(level, **knobs).model_dump()), sort_keys=True)
        place = TaskKey("m", ENV, environment(ENV).version, level, text, 1000 + number)
        yield Entry(place, 8, sum(rng.chance(1 / (1 + math.exp(-logit))) for _ in range(8)))


def test_knobs_that_are_set_apart_from_the_level_have_their_own_part(tmp_path):
    harder = {"terms": 2.0, "digits": 1.0}
    plain = [*simulated(2.0, 4.0)]
    curve = fit_curve([*plain, *with_knobs(600, harder)])
    assert curve.knobs == pytest.approx(harder, abs=0.6)
    # The part of the level is that of the tasks whose knobs are the level's.
    alone = fit_curve(plain)
    assert (curve.intercept, curve.slope) == pytest.approx((alone.intercept, alone.slope), abs=0.05)
    assert fit_curve([*plain, *with_knobs(9, harder)]).knobs == {}
    Calibration("m", {ENV: curve}).write(tmp_path / "m.json")
    assert read_calibration(tmp_path / "m.json").curves[ENV] == curve
    levels = {}
    for terms in (2, 12, 40):
        env = rlgym.make(ENV, target=0.5, calibration=tmp_path / "m.json", terms=terms)
        env.reset(seed=1)
        levels[terms] = env.unwrapped.task.origin.level
        assert env.unwrapped.task.origin.knobs["terms"] == terms
    assert levels[2] > levels[12] > levels[40]
    assert curve.rate(levels[12], shifts(ENV, levels[12], {"terms": 12})) == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize("name", ["chain_sum", "graph_colouring", "sudoku", "market_making"])
def test_positions_of_knobs_are_the_level(name):
    config = environment(name).config
    for knob, facts in config.knobs().items():
        if facts["type"] == "float":
            assert knob_position(config.at(0.3), knob) == pytest.approx(0.3)
        if facts["easy"] != facts["hard"]:
            assert (knob_position(config.at(0.0), knob), knob_position(config.at(1.0), knob)) == (0, 1)
    assert shifts(name, 0.3, {}) == shifts(name, 0.3, dict(config.at(0.3).model_dump())) == {}


def test_a_knob_called_target_is_still_a_knob():
    env = rlgym.make("countdown", target=100)
    env.reset(seed=0)
    assert env.unwrapped.task.origin.knobs["target"] == 100
