"""Progress times penalties against a sum: what the page says is what was measured, and the rewards are what they are called."""

import importlib.util
import json
from pathlib import Path

import pytest

from rlgym.core.score import Outcome, Score
from rlgym.rewards.combined import Group, Response, combined_reward

np = pytest.importorskip("numpy")
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("simple_rewards", ROOT / "benchmarks" / "simple_rewards.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_shows_what_was_measured(script):
    text = script.PAGE.read_text(encoding="utf-8")
    kept = json.loads(script.KEPT.read_text(encoding="utf-8"))
    assert text == script.with_table(text, kept)
    assert {name: set(found) for name, found in kept.items()} == {name: {str(batch) for batch in script.BATCHES} for name in script.REWARDS}


def drive(script, **given):
    """One drive of three steps: a cell, a red light ignored, and a rush that collides."""
    steps = {
        "cell": [0, 1, 2],
        "red_light": [0, 1, 0],
        "action": [script.DRIVE, script.DRIVE, script.RUSH],
        "moved": [1, 1, 0],
        "ignored": [0, 1, 0],
        "rushed": [0, 0, 1],
        "collision": [0, 0, 1],
        "running": [1, 1, 1],
    }
    return script.Drive(*(np.array([(steps | given)[name]]) for name in script.Drive._fields))


def test_the_rewards_of_a_drive_by_hand(script):
    found = drive(script)
    assert script.product_reward(found)[0] == pytest.approx([1 / 12, 0.7 / 12, 0])
    assert script.summed_reward(found)[0] == pytest.approx([1 / 12, 1 / 12 - 0.3, -0.1 - 1.0])
    assert script.summed_reward(found, penalties=5.0)[0] == pytest.approx([1 / 12, 1 / 12 - 1.5, -0.5 - 5.0])
    assert script.score(found) == pytest.approx(2 / 12 * 0.7 * 0.9)
    waits = drive(script, action=[0, 0, 0], moved=[0, 0, 0], ignored=[0, 0, 0], rushed=[0, 0, 0], collision=[0, 0, 0])
    assert script.summed_reward(waits)[0] == pytest.approx([-0.01] * 3)
    assert script.product_reward(waits)[0] == pytest.approx([0] * 3)


def test_the_score_is_the_combiner_penalised(script):
    faults = [{"fault": {"part": {"name": "red"}}, "penalty": 0.3}, {"fault": {"part": {"name": "rush"}}, "penalty": 0.1}]
    reward = combined_reward({"penalised": {"reward": {"part": {"name": "road"}}, "faults": faults}}, wrong_may_outrank=True)
    episode = Score(0.5, Outcome.PARTIAL, "", {"road": 2 / 12, "red": 1.0, "rush": 1.0})
    assert reward(Group((Response(episode),)), 0) == pytest.approx(script.score(drive(script)))


def test_a_collision_ends_a_drive_and_a_careful_policy_has_none(script):
    policy = np.zeros((script.CELLS, 2, script.ACTIONS))
    policy[:, 0, script.DRIVE] = policy[:, 1, script.WAIT] = 1
    careful = script.simulate(policy, 200, np.random.default_rng(0))
    assert not careful.collision.any()
    assert script.score(careful) > 0.9
    policy[:, :] = [0, 0, 1]
    rushed = script.simulate(policy, 200, np.random.default_rng(0))
    assert rushed.collision.any()
    for row in range(200):
        [*ends] = np.flatnonzero(rushed.collision[row])
        assert len(ends) <= 1
        if ends:
            assert not rushed.running[row, ends[0] + 1 :].any()
            assert not rushed.moved[row, ends[0] :].any()


def test_training_raises_the_score_and_repeats(script, monkeypatch):
    monkeypatch.setattr(script, "UPDATES", 40)
    found = script.trained("progress times penalties", 32, 0)
    assert found == script.trained("progress times penalties", 32, 0)
    assert found["after"] > 1.5 * found["before"]
