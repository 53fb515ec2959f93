"""Group rewards for the length and the form of responses, against numbers computed by hand."""

import shutil
from math import exp, sqrt

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.group_cases import SILENT, amounts, by_hand, episode, group
from train.scripted import knowing, sums
from train.small_models import small_model

from rlgym import Score
from rlgym.train.config.schema import Config
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.checkpoint import list_checkpoints
from rlgym.train.registry import GROUP_REWARDS
from rlgym.train.rewards.group.context import GroupContext
from rlgym.train.rewards.group.length import LengthMonitor, LengthTargetOptions


def test_the_length_budget_falls_and_pays_most_at_the_budget():
    episodes = group((1, 2), (0, 4), (SILENT, 6), (1, 8), (0, 9))
    given = {"start_tokens": 4, "decay": 0.5, "interval_steps": 10, "length_weight": 0.2}
    # Budget 4: 2/4, 4/4, 2 - 6/4, 0, 0
    assert amounts("length_budget", episodes, **given) == by_hand(0.1, 0.2, 0.1, 0, 0)
    assert amounts("length_budget", episodes, step=9, **given) == by_hand(0.1, 0.2, 0.1, 0, 0)
    # Budget 2 from step 10, and 1 from step 20 on: it never falls below one token
    assert amounts("length_budget", episodes, step=10, **given) == by_hand(0.2, 0, 0, 0, 0)
    assert amounts("length_budget", group((1, 1), (1, 2)), step=1000, **given) == by_hand(0.2, 0)
    assert amounts("length_budget", episodes, **given | {"length_weight": 0, "format_weight": 0.3}) == by_hand(0.3, 0.3, 0, 0.3, 0.3)


def test_relative_length_costs_right_answers_of_groups_that_are_often_right():
    # Lengths 2, 4, 6 of the right ones: mean 4, standard deviation sqrt(8 / 3)
    episodes = group((1, 2), (1, 4), (1, 6), (0, 9))
    far = 2 / sqrt(8 / 3)
    expected = [-0.2 / (1 + exp(far)), -0.1, -0.2 / (1 + exp(-far)), 0]
    assert amounts("relative_length", episodes) == by_hand(*expected)
    # Three of five are right: below the gate.
    assert amounts("relative_length", [*episodes, episode(0, 3)]) == by_hand(0, 0, 0, 0, 0)
    assert amounts("relative_length", [*episodes, episode(0, 3)], min_solve_rate=0) == by_hand(*expected, 0)
    assert amounts("relative_length", group((0, 1), (0, 2)), min_solve_rate=0) == by_hand(0, 0)


def test_the_length_target_depends_on_the_solve_rate():
    assert amounts("length_target", group((1, 2), (1, 3), (0, 1))) == by_hand(0.5, 0, 0)
    assert amounts("length_target", group((1, 4), (0, 3), (0, 1))) == by_hand(0.5, 0, 0)
    assert amounts("length_target", group((1, 8), (0, 3), (0, 1), (0, 1))) == by_hand(0.5, 0, 0, 0)
    assert amounts("length_target", group((1, 9), (0, 3), (0, 1), (0, 1)), amount=1.0) == by_hand(0, 0, 0, 0)


def test_the_targets_follow_the_lengths_that_were_measured():
    options = LengthTargetOptions(easy_tokens=9, medium_tokens=9, hard_tokens=9, measure_steps=2)
    monitor = LengthMonitor()
    # Groups of 6: two thirds right are 4, one third are 2. Lengths 1 to 6 in each of two easy groups, one medium one and no hard one.
    easy = group((1, 1), (1, 2), (1, 3), (1, 4), (0, 5), (0, 6))
    medium = group((1, 12), (1, 14), (0, 11), (0, 13), (0, 15), (0, 16))
    monitor.update([easy, medium], 0, 6, options)
    assert monitor.targets is None
    monitor.update([easy], 1, 6, options)
    # 1 in 4 of the 12 easy lengths 1 1 2 2 3 3 ... is at most 2, 1 in 2 of the medium ones at most 13; the hard target stays.
    assert monitor.targets == (2, 13, 9)
    assert LengthMonitor.from_state_dict(monitor.state_dict()) == monitor
    # The bonus is paid by them.
    context = GroupContext(0, length_targets=monitor.targets)
    assert GROUP_REWARDS["length_target"](easy, context, options) == by_hand(0.5, 0.5, 0, 0, 0, 0)
    assert GROUP_REWARDS["length_target"](medium, context, options) == by_hand(0.5, 0, 0, 0, 0, 0)
    # Only what came since counts: hard groups need all of their responses within the target.
    monitor.update([group((0, 30), (0, 40), (0, 20))], 3, 6, options)
    assert monitor.targets == (2, 13, 40)


def test_a_run_measures_its_targets_again_and_resumes_with_them(tmp_path, monkeypatch):
    small_model(tmp_path / "start", max_seq_len=300)
    knowing(monkeypatch, lambda request: f"{'x' * request.key} <answer>{request.total}</answer>")
    options = {"easy_tokens": 1, "medium_tokens": 2, "hard_tokens": 3, "measure_steps": 1}
    config = Config.from_dict(sums(tmp_path / "start", tmp_path / "run", algorithm={"group_rewards": {"length_target": options}}, steps=3))
    train(config)
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert (lines[0]["length_target_easy"], lines[0]["length_target_hard"]) == (1, 3)
    assert lines[1]["length_target_easy"] > 1
    assert lines[0]["group_reward/length_target"] == 0 < lines[1]["group_reward/length_target"]
    for saved in list_checkpoints(tmp_path / "run" / "checkpoints")[1:]:
        shutil.rmtree(saved)
    train(config)
    assert read_lines(tmp_path / "run" / "metrics.jsonl") == lines


def test_concise_pays_the_shortest_right_answer_most():
    # Longest 6, shortest 2 of the right ones: (6 - 2) / 5, (6 - 4) / 5, 0
    assert amounts("concise", group((1, 2), (1, 4), (1, 6), (0, 1)), amount=0.5) == by_hand(0.4, 0.2, 0, 0)
    assert amounts("concise", group((1, 3), (1, 3))) == amounts("concise", group((0, 1), (0, 2))) == by_hand(0, 0)


def test_the_exploration_bonus_grows_with_length_and_stays_bounded():
    assert amounts("exploration_bonus", group((1, 1), (0, 2), (0, 0)), amount=0.5, base=0.5) == by_hand(0.25, 0.375, 0)
    assert amounts("exploration_bonus", group((0, 100_000)), amount=0.5)[0] <= 0.5


def test_controls_pay_the_form_alone():
    episodes = group((1, 2), (0, 4), (SILENT, 6), (Score.partial(0.5), 8), (0, 20))
    # The score is taken off: what is left is 1 where an answer was read.
    assert [e.reward + amount for e, amount in zip(episodes, amounts("format_only", episodes), strict=True)] == by_hand(1, 1, 0, 1, 1)
    # The length term is 1/2, 1, 0, -1, -1 with the peak at 4 of 8.
    paid = [e.reward + amount for e, amount in zip(episodes, amounts("format_length", episodes), strict=True)]
    assert paid == by_hand(1.5, 2, 0, 0, 0)
