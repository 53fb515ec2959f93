"""Objectives whose weights are measured again during a run, against numbers computed by hand."""

import shutil

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.group_cases import by_hand, episode, group
from train.scripted import knowing, sums
from train.small_models import small_model

from rlgym import Score
from rlgym.train.config.schema import Config
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.checkpoint import list_checkpoints
from rlgym.train.registry import GROUP_REWARDS, OptionError
from rlgym.train.rewards.group import GroupContext
from rlgym.train.rewards.group.objectives import ObjectiveMonitor, ObjectiveOptions, ObjectiveWeights

SHORT = {"short": {"free_tokens": 1, "max_tokens": 11}}
GIVEN = {"terms": ["right", SHORT], "refresh_steps": 2, "wrong_may_outrank": True}
OPTIONS = ObjectiveOptions.from_dict(GIVEN)


def test_the_reward_is_a_weighted_mean_in_standard_deviations():
    measured = ObjectiveWeights((0.25, 0.5), (0.5, 0.1), (0.75, 0.25))
    # Right of 6 tokens: 0.75 (1 - 0.25) / 0.5 + 0.25 (0.5 - 0.5) / 0.1; wrong of 1: 0.75 (-0.5) + 0.25 clip(5) to 3
    paid = GROUP_REWARDS["objectives"](group((1, 6), (0, 1)), GroupContext(0, objectives=measured), OPTIONS)
    assert paid == by_hand(1.125 - 1, -0.375 + 0.75)
    # Unmeasured: the mean.
    assert GROUP_REWARDS["objectives"](group((1, 6), (0, 1)), GroupContext(0), OPTIONS) == by_hand(0.75 - 1, 0.5)


def test_weights_follow_weakness_risk_and_redundancy():
    monitor = ObjectiveMonitor()
    monitor.start(group((1, 11), (0, 1), (0, 1), (0, 11)), OPTIONS)
    found = monitor.measured
    # right: mean 1/4, std sqrt(3)/4; short: 0 1 1 0. Their correlation is -1/sqrt(3), so both are weakened alike: weights 3/4 : 1/2.
    assert found.means == (0.25, 0.5)
    assert found.stds == pytest.approx((3**0.5 / 4, 0.5))
    assert found.weights == pytest.approx((0.6, 0.4))
    monitor.start(group((1, 1)), OPTIONS)
    assert monitor.measured == found, "the statistics of the initial policy are measured once"
    monitor.update(group((1, 11), (1, 11), (1, 11), (0, 1)), 0, OPTIONS)
    assert monitor.measured == found
    monitor.update(group((1, 11), (1, 11), (1, 11), (0, 11)), 1, OPTIONS)
    # right 6 of 8 and short 1 of 8: weakness 1/4 and 7/8
    assert (monitor.measured.means, monitor.measured.stds) == (found.means, found.stds)
    assert monitor.measured.weights == pytest.approx((0.25 / 1.125, 0.875 / 1.125))
    assert ObjectiveMonitor.from_state_dict(monitor.state_dict()) == monitor
    risky = ObjectiveOptions.from_dict(GIVEN | {"risks": [1, 0]})
    monitor.update(group((1, 11), (0, 1), (0, 11)), 3, risky)
    assert monitor.measured.weights == (1, 0)


def test_a_copy_of_an_objective_loses_weight():
    part = {"part": {"name": "polite"}}
    options = ObjectiveOptions.from_dict({"terms": ["right", "right", part], "wrong_may_outrank": True})
    polite = [(1, 0.0), (1, 1.0), (0, 0.0), (0, 1.0)]
    monitor = ObjectiveMonitor()
    monitor.start([episode(Score.exact(right == 1, polite=value)) for right, value in polite], options)
    # Correlations 1 between the copies and 0 with the part: redundancy 1/2, 1/2 and 0.
    assert monitor.measured.weights == pytest.approx((0.25, 0.25, 0.5))
    assert options.names() == ["right1", "right2", "polite"]


def test_a_run_measures_its_weights_again_and_resumes_with_them(tmp_path, monkeypatch):
    small_model(tmp_path / "start", max_seq_len=300)
    knowing(monkeypatch, lambda request: f"{'x' * request.key} <answer>{request.total + request.key % 2}</answer>")
    terms = ["right", {"short": {"free_tokens": 10, "max_tokens": 60}}]
    options = {"terms": terms, "refresh_steps": 1, "wrong_may_outrank": True}
    config = Config.from_dict(sums(tmp_path / "start", tmp_path / "run", algorithm={"group_rewards": {"objectives": options}}, steps=3))
    train(config)
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    for line in lines:
        assert line["objective_weight/right"] + line["objective_weight/short"] == pytest.approx(1)
    assert 0 < lines[0]["objective_weight/right"] < 1
    assert len({line["objective_weight/right"] for line in lines}) > 1
    for saved in list_checkpoints(tmp_path / "run" / "checkpoints")[1:]:
        shutil.rmtree(saved)
    train(config)
    assert read_lines(tmp_path / "run" / "metrics.jsonl") == lines


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"terms": ["right"]}, "at least 2"),
        ({"terms": ["right", "rigth"]}, "rigth"),
        ({"risks": [1]}, "must hold 2 numbers"),
        ({"risks": [1, 2]}, "from 0 to 1"),
        ({"wrong_may_outrank": False}, "may outrank"),
    ],
)
def test_what_makes_no_objectives_is_refused(change, message):
    with pytest.raises(OptionError, match=message):
        ObjectiveOptions.from_dict(GIVEN | change)
