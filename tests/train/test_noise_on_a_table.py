"""Corrections of noise on a table: what the page says is what was measured, and the methods do what they are called."""

import importlib.util
import json
from pathlib import Path

import pytest

np = pytest.importorskip("numpy")
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("noise_on_a_table", ROOT / "benchmarks" / "noise_on_a_table.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_shows_what_was_measured(script):
    text = script.PAGE.read_text(encoding="utf-8")
    assert text == script.with_table(text, json.loads(script.KEPT.read_text(encoding="utf-8")))


def test_noise_has_the_rates_that_are_stated(script):
    for noise in script.NOISES:
        table = np.mean([script.noise_table(noise, np.random.default_rng(seed)) for seed in range(20)], axis=0)
        assert table.mean() == pytest.approx(0.3, abs=0.02)
    by_prompt = script.noise_table("by prompt", np.random.default_rng(1))
    assert set(by_prompt.round(3).flat) == {0.0, 0.6}
    assert set(script.noise_table("by answer", np.random.default_rng(1)).flat) == {0.0, 1.0}


def test_appeals_keep_to_their_budget_and_order(script):
    rng = np.random.default_rng(0)
    paid, probability = np.array([[1.0, 0.0, 1.0, 0.0]]), np.array([[0.1, 0.2, 0.9, 0.8]])
    for order in ("chance", "refused", "surprising"):
        assert script.appealed(paid, probability, order, rng).sum() == script.APPEALS
    assert script.appealed(paid, probability, "refused", rng).tolist() == [[False, True, False, True]]
    # A hesitant rewarded and a confident refused response.
    assert script.appealed(paid, probability, "surprising", rng).tolist() == [[True, False, False, True]]


def test_only_the_rates_of_each_prompt_undo_errors_by_prompt(script, monkeypatch):
    monkeypatch.setattr(script, "STEPS", 150)
    after = {name: script.trained(name, "by prompt", 3)["after"] for name in ("backward", "backward, rates of each prompt")}
    assert after["backward, rates of each prompt"] > after["backward"] + 0.1


def test_with_equal_rates_the_backward_correction_is_a_larger_step(script, monkeypatch):
    monkeypatch.setattr(script, "STEPS", 30)
    one, other = (script.trained(name, "by chance", 2)["after"] for name in ("backward", "uncorrected, larger steps"))
    assert one == pytest.approx(other, abs=1e-9)
