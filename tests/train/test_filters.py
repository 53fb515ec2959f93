"""Which episodes an update learns from."""

import shutil

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.advantage_cases import with_process_rewards
from train.scripted import answer, knowing, sums
from train.small_models import small_model

from rlgym import Score
from rlgym.train.config.schema import Config
from rlgym.train.logging.metrics import episode_metrics
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.checkpoint import list_checkpoints
from rlgym.train.registry import ADVANTAGES, FILTERS, LOSSES, OptionError
from rlgym.train.rewards.token_rewards import RewardSpan
from rlgym.train.rollout.episodes import Episode
from rlgym.train.tasks.filters import rank_strategy_r2
from rlgym.train.tasks.grouping import filter_episodes
from rlgym.train.tasks.spec import TaskSpec
from rlgym.train.tasks.spread import SpreadEmaOptions, SpreadTracker


def episodes(*groups, truncated=()):
    """Episodes with these rewards, one list for each group."""
    out = []
    for group, rewards in enumerate(groups):
        for reward in rewards:
            key = len(out)
            episode = Episode(key, group, TaskSpec("chain_sum", 0.0, 1, "train"), [1, 2], [False, True], [0.0, -1.0], None)
            episode.truncated = key in truncated
            episode.finish(Score.exact(reward == 1), float(reward))
            out.append(episode)
    return out


def kept(name, given, **options):
    chosen = FILTERS[name]
    return [episode.key for episode in chosen(given, chosen.options.from_dict(options))]


def config(**algorithm):
    return Config.from_dict(sums("m", "o", algorithm=algorithm))


def with_steps(episode, *verdicts):
    """The episode with one span of a token for each verdict."""
    worth = {"right": 1.0, "wrong": 0.0, "unchecked": 0.5}
    episode.spans = [RewardSpan(place, place + 1, worth[verdict], verdict) for place, verdict in enumerate(verdicts)]
    return episode


def test_the_right_rollouts_with_the_best_steps_and_as_many_wrong_ones_with_the_worst_are_kept():
    right, wrong = ["right"], ["wrong"]
    given = episodes([1, 1, 1, 0, 0, 0], [1, 1], [0, 0])
    for episode, steps in zip(given, [wrong, right + wrong, right, right, wrong, right + wrong, right, right, wrong, wrong], strict=True):
        with_steps(episode, *steps)
    # The means are 0, 1/2, 1 of the right ones and 1, 0, 1/2 of the wrong ones: two of each stay at 2/3 of six.
    assert kept("process_consistency", given, keep_fraction=2 / 3) == [1, 2, 4, 5]
    # At half of six, one and a half of each are rounded down.
    assert kept("process_consistency", given) == [2, 4]
    given[2].spans = given[4].spans = []
    assert kept("process_consistency", given) == [1, 5]


def test_as_many_right_as_wrong_rollouts_are_kept():
    given = [with_steps(episode, "right") for episode in episodes([1, 1, 1, 1, 1, 0])]
    assert kept("process_consistency", given, keep_fraction=1.0) == [0, 5]


def test_groups_of_equal_rewards_are_dropped():
    given = episodes([0, 0], [1, 0], [0.7, 0.7], [1])
    assert kept("zero_std", given) == [2, 3]
    assert kept("zero_std", given, min_std=0.5) == []


def test_rewards_that_differ_by_rounding_are_equal_for_the_filter_the_metrics_and_the_advantage():
    third = 0.1 + 0.2 - 0.3
    given = episodes([1e6 / 3, 1e6 / 3 + third], [0, 1])
    assert third > 0
    assert kept("zero_std", given) == [2, 3]
    assert episode_metrics(given, 0)["groups_zero_std"] == 0.5


def test_truncated_rollouts_are_dropped():
    assert kept("truncated", episodes([0, 1], [1, 1], truncated=(1, 2))) == [0, 3]


def test_groups_outside_a_band_of_solve_rates_are_dropped():
    given = episodes([0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1])
    assert kept("solve_rate", given) == list(range(4, 12))
    assert kept("solve_rate", given, min_solve_rate=0.5, max_solve_rate=1) == list(range(8, 16))
    with pytest.raises(OptionError, match="min_solve_rate must not exceed"):
        FILTERS["solve_rate"].options.from_dict({"min_solve_rate": 0.9})


def test_the_best_rollout_of_a_group_is_kept_with_the_worst_or_another_one():
    given = episodes([0, 1, 0, 1], [0, 0, 0], [1])
    # The first of equal rewards counts, best and worst.
    assert kept("reward_rank", given, strategy="best") == [1, 4, 7]
    assert kept("reward_rank", given) == [0, 1, 4, 5, 7]
    found = [kept("reward_rank", given, strategy="best_random", seed=seed) for seed in range(40)]
    assert all({1, 4, 7} < set(keys) and len(keys) == 5 for keys in found)
    assert {key for keys in found for key in keys} == set(range(8))
    assert found[3] == kept("reward_rank", given, strategy="best_random", seed=3)


def test_the_strategy_is_measured_by_the_correlation_of_what_it_keeps():
    # Noise in the middle: the ends of each group are right about the scores.
    rewards = [[0.0, 0.6, 0.4, 1.0], [0.1, 0.5, 0.7, 0.9]]
    scores = [[0.0, 0.0, 1.0, 1.0], [0.0, 1.0, 0.0, 1.0]]
    found = rank_strategy_r2(rewards, scores)
    xs, ys = [1.0, 0.0, 0.9, 0.1], [1.0, 0.0, 1.0, 0.0]
    covariance = sum((x - 0.5) * (y - 0.5) for x, y in zip(xs, ys, strict=True))
    expected = covariance**2 / (sum((x - 0.5) ** 2 for x in xs) * sum((y - 0.5) ** 2 for y in ys))
    assert found["best_worst"] == pytest.approx(expected)
    assert found["best"] == 0.0  # its scores are all equal
    assert found["best_worst"] >= found["best_random"]


def test_filters_of_a_run_apply_in_order_after_masked_episodes_are_gone():
    given = episodes([0, 1], [0, 1], [1, 1, 0, 1], truncated=(1,))
    given[2].score = None
    # Truncation leaves group 0 and masking leaves group 1 with one reward each, so both are equal within themselves.
    chosen = config(mask_truncated=True, filters={"solve_rate": {"min_solve_rate": 0.7}})
    assert list(chosen.algorithm.all_filters()) == ["truncated", "zero_std", "solve_rate"]
    assert [episode.key for episode in filter_episodes(given, chosen)] == [4, 5, 6, 7]


@pytest.mark.parametrize("name", ADVANTAGES)
def test_groups_of_equal_rewards_are_dropped_by_default_only_where_they_teach_nothing(name, build):
    chosen = ADVANTAGES[name]
    right, wrong = ("planning", "planning") if name == "rlvmr" else ("right", "wrong")
    # Without token rewards, steps are those of the outcome; with them, they differ within groups of equal outcomes.
    steps = [[(1, right, 1.0)], [(1, wrong, 0.0)]] * 3 if chosen.token_rewards else None
    batch = build([0, 0, 1, 1, 0, 1], [0, 0, 1, 1, 2, 2], tokens=[[1], [2], [3], [4], [5], [6]], value=[[0.3]] * 6, steps=steps)
    given = {"k": 2} if name == "pass_at_k" else {"bundle_size": 1} if name == "mvar" else {}
    advantage_T = chosen(with_process_rewards(name, batch, slope=1.0), chosen.options.from_dict(given))
    equal = batch.group_N[batch.rollout_T] < 2
    assert config(advantage=name).algorithm.drops_equal_rewards == chosen.group_relative
    if chosen.group_relative and name != "rank_penalty":
        assert not advantage_T[equal].any()
    if not chosen.group_relative:
        assert advantage_T[equal].any()
    assert not config(advantage=name, filter_zero_std=False).algorithm.drops_equal_rewards
    assert config(advantage=name, filter_zero_std=True).algorithm.drops_equal_rewards


@pytest.mark.parametrize("name", LOSSES)
def test_losses_without_advantages_learn_from_groups_of_equal_rewards(name):
    assert config(loss=name).algorithm.drops_equal_rewards == (name not in ("real", "pacs"))


@pytest.mark.parametrize("name", ["nsr", "psr", "w_reinforce", "signed", "reinforce", "reinforce_pp"])
def test_a_run_learns_from_groups_that_are_all_wrong_or_all_right(tmp_path_factory, tmp_path, monkeypatch, name):
    folder = tmp_path_factory.mktemp("model")
    small_model(folder, num_layers=1, hidden_size=32)
    knowing(monkeypatch, lambda request: answer(request.key < 4, request))
    train(Config.from_dict(sums(folder, tmp_path / "run", algorithm={"advantage": name}, steps=1)))
    (line,) = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert line["groups_zero_std"] == line["kept_fraction"] == 1
    assert line["grad_norm"] > 0


def test_right_rollouts_that_differ_are_kept_up_to_a_number():
    given = episodes([1, 1, 0, 1, 1], [0, 1])
    texts = ["3 + 4 = 7", "3  + 4 =\n7", "no", "4 + 3 = 7", "seven", "no", "8"]
    for episode, response in zip(given, texts, strict=True):
        episode.messages = [("user", "?"), ("assistant", response)]
    # The second is the first with other spaces, and the fifth is one too many.
    assert kept("distinct_right", given, max_per_task=2) == [0, 3, 6]
    assert kept("distinct_right", given) == [0, 3, 4, 6]
    with pytest.raises(OptionError):
        kept("distinct_right", given, max_per_task=0)


def test_groups_in_which_no_token_of_the_reference_depends_on_the_reasoning_are_dropped():
    given = episodes([0, 1], [0, 1], [0, 1], [0, 1], [0, 1])
    for episode in given:
        episode.answer_spread = (0.3, 0.1, 0.5, 0.2, 0.4)[episode.group]
    kept_groups = {given[key].group for key in kept("answer_spread", given, drop_fraction=0.4)}
    assert kept_groups == {0, 2, 4}
    assert {given[key].group for key in kept("answer_spread", given, drop_fraction=0.39)} == {0, 2, 3, 4}


def test_the_threshold_of_the_spread_follows_its_moving_average():
    options = SpreadEmaOptions(beta=0.5, decay=0.9, skipped_steps=1, initial_steps=2)
    tracker, thresholds = SpreadTracker(), []
    for step, spreads in enumerate([[9.0], [0.2, 0.4], [0.5], [0.8], [0.0]]):
        thresholds.append(tracker.with_threshold(options).threshold)
        tracker.update(spreads, step, options)
        tracker = SpreadTracker.from_state_dict(tracker.state_dict())
    # The first step does not count; the average starts as (0.3 + 0.5) / 2, and becomes 0.9 0.4 + 0.1 0.8.
    assert thresholds == pytest.approx([0, 0, 0, 0.2, 0.22])
    # Rewards 0 and 1 have the spread 0.5, and 0.5 and 0.8 have 0.15.
    given = episodes([0, 1], [0.5, 0.8])
    assert kept("spread_ema", given, threshold=0.22) == [0, 1]
    assert kept("spread_ema", given, threshold=0.15) == [0, 1, 2, 3]


def test_a_run_drops_groups_below_the_moving_average_and_resumes_with_it(tmp_path, monkeypatch):
    small_model(tmp_path / "start", max_seq_len=300)
    # One of the four responses to each task is right, so that all groups have the same spread, and all are dropped from the second step on.
    knowing(monkeypatch, lambda request: answer(request.key % 4 == 0, request))
    options = {"beta": 1.5, "decay": 0.0, "skipped_steps": 0, "initial_steps": 1}
    given = Config.from_dict(sums(tmp_path / "start", tmp_path / "run", algorithm={"filters": {"spread_ema": options}}, steps=3))
    train(given)
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    spread = (0.25 * 0.75) ** 0.5
    assert [line["spread_threshold"] for line in lines] == pytest.approx([0, 1.5 * spread, 1.5 * spread])
    assert [line["group_fate/learned"] for line in lines] == [1, 0, 0]
    assert [line["group_fate/filtered"] for line in lines] == [0, 1, 1]
    for saved in list_checkpoints(tmp_path / "run" / "checkpoints")[1:]:
        shutil.rmtree(saved)
    train(given)
    assert read_lines(tmp_path / "run" / "metrics.jsonl") == lines
