"""Advantages against numbers computed by hand."""

from __future__ import annotations

from math import sqrt

import pytest
from train.advantage_cases import HARD, SHARED, advantage, flatten

from rlgym.train.advantages import ADVANTAGES
from rlgym.train.advantages.per_rollout import effective_positive_share
from rlgym.train.advantages.per_token import PpoOptions, returns
from rlgym.train.config.schema import Config
from rlgym.train.registry import OptionError

torch = pytest.importorskip("torch", reason="the trainer needs torch")
from rlgym.train.update.optimize import advantage_metrics

STEP_CREDIT = (
    "gated",
    "min_form",
    "shaped_steps",
    "first_error",
    "capo",
    "selective",
    "renorm",
    "rlvmr",
    "verpo",
    "progress",
    "spae",
    "budget_relative",
)
"""Those that read token rewards; test_step_credit.py and test_prefix_search.py compute them by hand."""


# By hand


def test_grpo_divides_by_the_standard_deviation_of_the_group(build, seen):
    batch = build([*HARD, 1, 0], [0, 0, 0, 0, 1, 1], [[-1, -2], [-1], [-1], [-3], [-1], [-1]])
    # 3/4 over sqrt(3)/4, -1/4 over sqrt(3)/4; 1/2 over 1/2
    rare, common = sqrt(3), -1 / sqrt(3)
    assert seen(advantage("grpo", batch), batch) == [
        pytest.approx(row, rel=1e-5) for row in ([rare] * 2, [common], [common], [common], [1], [-1])
    ]
    damped = flatten(seen(advantage("grpo", build(HARD), epsilon=0.5), build(HARD)))
    assert damped == pytest.approx([0.75 / (sqrt(3) / 4 + 0.5)] + [-0.25 / (sqrt(3) / 4 + 0.5)] * 3)


def test_dr_grpo_takes_the_mean_off_and_no_more(build, seen):
    batch = build([*HARD, 0.5, 0.25], [0, 0, 0, 0, 1, 1])
    assert flatten(seen(advantage("dr_grpo", batch), batch)) == pytest.approx([0.75, -0.25, -0.25, -0.25, 0.125, -0.125])


def test_rloo_takes_the_mean_of_the_others_off(build, seen):
    batch = build([1, 0.5, 0, 1, 0, 1], [0, 0, 0, 1, 1, 2])
    # 1 - 1/4, 1/2 - 1/2, 0 - 3/4; 1 - 0, 0 - 1; the last has no others
    assert flatten(seen(advantage("rloo", batch), batch)) == pytest.approx([0.75, 0, -0.75, 1, -1, 0])


def test_gpg_makes_up_for_groups_that_teach_nothing(build, seen):
    batch = build([*HARD, 1, 1, 0, 0], [0, 0, 0, 0, 1, 1, 2, 2])
    # One group of three teaches: 3 (1 - 1/4), 3 (0 - 1/4)
    assert flatten(seen(advantage("gpg", batch), batch)) == pytest.approx([2.25, -0.75, -0.75, -0.75, 0, 0, 0, 0])
    assert flatten(seen(advantage("gpg", build(HARD)), build(HARD))) == pytest.approx([0.75, -0.25, -0.25, -0.25])


def test_opo_weighs_its_baseline_by_length(build, seen):
    batch = build([1, 0, 1, 1], [0, 0, 1, 1], [[-1], [-1, -1, -1], [-1], [-1, -1]])
    # (1 * 1 + 3 * 0) / (1 + 3) = 1/4: the advantages of a group sum to 0 over its tokens
    assert seen(advantage("opo", batch), batch) == [pytest.approx([0.75]), pytest.approx([-0.25] * 3), [0], [0, 0]]


def test_lite_ppo_divides_by_the_standard_deviation_of_the_batch(build, seen):
    batch = build([1, 0, 1, 1], [0, 0, 1, 1])
    # The batch: mean 3/4, standard deviation sqrt(3) / 4
    assert flatten(seen(advantage("lite_ppo", batch), batch)) == pytest.approx([2 / sqrt(3), -2 / sqrt(3), 0, 0], rel=1e-5)
    damped = flatten(seen(advantage("lite_ppo", batch, epsilon=1.0), batch))
    assert damped == pytest.approx([0.5 / (sqrt(3) / 4 + 1), -0.5 / (sqrt(3) / 4 + 1), 0, 0])


def test_reinforce_pp_standardises_over_tokens_not_rollouts(build, seen):
    batch = build([1, 0], [0, 1], [[-1], [-1, -1, -1]])
    assert seen(advantage("reinforce_pp", batch), batch) == [pytest.approx([sqrt(3)]), pytest.approx([-1 / sqrt(3)] * 3)]


def test_reinforce_pp_takes_the_divergence_to_come_off_the_reward(build, seen):
    batch = build([1, 0], [0, 1], [[-1, -2], [-1]], reference=[[-1.5, -2.5], [-0.5]])
    # log(old / reference) is 0.5, 0.5 and -0.5: with kl = 0.1, 1 - 0.1 * (0.5 + 0.5), 1 - 0.1 * 0.5, 0 + 0.1 * 0.5
    gains = [0.9, 0.95, 0.05]
    mean = sum(gains) / 3
    std = sqrt(sum((gain - mean) ** 2 for gain in gains) / 3)
    assert flatten(seen(advantage("reinforce_pp", batch, kl_coef=0.1), batch)) == pytest.approx(
        [(gain - mean) / std for gain in gains], rel=1e-5
    )


def test_reinforce_pp_with_the_mean_of_the_group_as_baseline(build, seen):
    batch = build([1, 0, 1, 1], [0, 0, 1, 1])
    # 1/2, -1/2, 0, 0: mean 0, standard deviation sqrt(1/8)
    expected = [0.5 / sqrt(1 / 8), -0.5 / sqrt(1 / 8), 0, 0]
    assert flatten(seen(advantage("reinforce_pp", batch, group_baseline=True), batch)) == pytest.approx(expected)


def test_reinforce_pp_with_a_divergence_needs_a_reference(build):
    with pytest.raises(OptionError, match="reference"):
        advantage("reinforce_pp", build([1, 0]), kl_coef=0.1)


def test_ppo_estimates_from_the_values(build, seen):
    batch = build([1, 0], [0, 0], [[-1, -1], [-1]], value=[[0.5, 0.8], [0.4]])
    # delta_2 = 1 - 0.8, delta_1 = 0.9 * 0.8 - 0.5; A_1 = delta_1 + 0.9 * 0.5 * delta_2
    found = seen(advantage("ppo", batch, gamma=0.9, gae_lambda=0.5, whiten=False), batch)
    assert found == [pytest.approx([0.22 + 0.45 * 0.2, 0.2], rel=1e-5), pytest.approx([-0.4])]


def test_ppo_with_a_whole_trace_is_reward_less_value(build, seen):
    batch = build([1, 0], [0, 0], [[-1] * 3, [-1]], value=[[0.5, 0.8, 0.1], [0.4]])
    plain = seen(advantage("ppo", batch, gae_lambda=1, whiten=False), batch)
    assert plain == [pytest.approx([0.5, 0.2, 0.9]), pytest.approx([-0.4])]
    mean = (0.5 + 0.2 + 0.9 - 0.4) / 4
    std = sqrt(((0.5 - mean) ** 2 + (0.2 - mean) ** 2 + (0.9 - mean) ** 2 + (0.4 + mean) ** 2) / 4)
    white = flatten(seen(advantage("ppo", batch, gae_lambda=1), batch))
    assert white == pytest.approx([(x - mean) / std for x in (0.5, 0.2, 0.9, -0.4)], rel=1e-5)
    assert seen(returns(batch, PpoOptions(gae_lambda=1)), batch) == [pytest.approx([1, 1, 1]), pytest.approx([0], abs=1e-6)]


def test_ppo_needs_a_value_head(build):
    with pytest.raises(OptionError, match="value head"):
        advantage("ppo", build([1, 0]))


def test_signs(build, seen):
    batch = build([1, 0.5, 0.25, 0], [0, 0, 1, 1], [[-1, -1], [-1], [-1], [-1]])

    def found(name, **given):
        return flatten(seen(advantage(name, batch, **given), batch))

    assert found("psr") == [1, 1, 1, 0, 0]
    assert found("nsr") == [0, 0, 0, -1, -1]
    assert found("w_reinforce") == pytest.approx([0.1, 0.1, 0.1, -1, -1])
    assert found("w_reinforce", positive_weight=2, success_threshold=0.2) == [2, 2, 2, 2, -1]
    assert found("signed") == [1, 1, 1, -1, -1]
    assert found("signed", baseline=-0.5, success_threshold=0.75) == [1.5, 1.5, -0.5, -0.5, -0.5]
    assert found("reinforce") == [1, 1, 0.5, 0.25, 0]
    assert found("reinforce", baseline=0.25) == [0.75, 0.75, 0.25, 0, -0.25]


def test_rank_penalty_lets_the_unlikely_keep_more(build, seen):
    batch = build([1, 1, 0, 1], logprobs=[[-1, -3], [-1], [-4], [-0.5]])
    # Mean log-probabilities -2, -1, -4, -0.5: ranks 1, 2, 0, 3. Rewards 1 - 0.4 * 1/4, 1 - 0.4 * 2/4, 0, 1 - 0.4 * 3/4
    # are 0.9, 0.8, 0, 0.7: mean 0.6, variance (0.09 + 0.04 + 0.36 + 0.01) / 4 = 1/8
    expected = [pytest.approx(row, rel=1e-5) for row in ([0.3 * sqrt(8)] * 2, [0.2 * sqrt(8)], [-0.6 * sqrt(8)], [0.1 * sqrt(8)])]
    assert seen(advantage("rank_penalty", batch, penalty=0.4), batch) == expected
    assert advantage("rank_penalty", batch, penalty=0).tolist() == pytest.approx(advantage("grpo", batch).tolist())


def test_rank_penalty_tells_right_from_right_unless_decided_groups_are_dropped(build, seen):
    batch = build([1, 1], logprobs=[[-1], [-2]])
    # 1 - 0.25 * 1/2 and 1 - 0: one standard deviation below and above the mean
    assert flatten(seen(advantage("rank_penalty", batch), batch)) == pytest.approx([-1, 1], rel=1e-4)
    assert not advantage("rank_penalty", batch, filter_zero_std=True).any()


def test_the_effective_share_of_right_rollouts():
    # A quarter is right. Weights 1/4 (1 + 1/2) and 3/4 (1 - 1/2) with the baseline -1/2 are equal.
    assert effective_positive_share(0.25, 0.0) == 0.25
    assert effective_positive_share(0.25, -0.5) == pytest.approx(0.5)
    assert effective_positive_share(0.5, 0.5) == pytest.approx(0.25)


def test_branches_and_effective_shares_are_logged(build):
    def logged(batch, **algorithm):
        config = Config.from_dict({"model": "m", "output_dir": "o", "tasks": [{"names": ["chain_sum"]}], "algorithm": algorithm})
        return advantage_metrics(config, batch)

    # All six tokens but the last one stand where values part: the third rollout has left the others by then.
    tree = build([1, 0, 0], tokens=[[1, 2], [1, 3], [4, 4]])
    assert logged(tree, advantage="tempo") == {"branch_tokens": pytest.approx(5 / 6)}
    assert logged(build([1, 1], tokens=[[1, 2], [3, 4]]), advantage="tempo") == {"branch_tokens": 0}
    masked = build([1, 0, 0, 0, 1], valid=[True] * 4 + [False])
    assert logged(masked, advantage="signed", advantage_options={"baseline": -0.5}) == {"effective_positive_share": pytest.approx(0.5)}
    assert logged(masked, advantage="grpo") == {}


def test_weighted_grpo_weighs_the_rare_after_the_division(build, seen):
    batch = build([1, 0, 0, 0, 1, 1, 1, 0], [0] * 4 + [1] * 4)
    rare, common = sqrt(3), 1 / sqrt(3)
    found = flatten(seen(advantage("weighted_grpo", batch, rare_success_weight=2, rare_failure_weight=3), batch))
    assert found == pytest.approx([2 * rare, -common, -common, -common, common, common, common, -3 * rare], rel=1e-5)
    half = build([1, 0])
    assert flatten(seen(advantage("weighted_grpo", half, rare_success_weight=2, rare_failure_weight=3), half)) == pytest.approx(
        [2, -1], rel=1e-5
    )


def test_tempo_credits_the_tokens_where_rollouts_part(build, seen):
    batch = build([1, 0, 0], tokens=[[1, 2], [1, 3], [4, 4]])
    # V() = 1/3, V(1) = 1/2, V(1 2) = 1, V(1 3) = 0, V(4) = V(4 4) = 0; the standard deviation is sqrt(2)/3
    std = sqrt(2) / 3
    expected = [[2 / 3 + 1 / 6, 2 / 3 + 1 / 2], [-1 / 3 + 1 / 6, -1 / 3 - 1 / 2], [-1 / 3 - 1 / 3, -1 / 3]]
    assert seen(advantage("tempo", batch), batch) == [pytest.approx([x / std for x in row], rel=1e-5) for row in expected]
    assert advantage("tempo", batch, branch_weight=0).tolist() == pytest.approx(advantage("grpo", batch).tolist(), rel=1e-4)


def prefix_value(prefix, paths):
    """The mean reward of the rollouts, pairs of tokens and reward, that begin with the prefix."""
    sharing = [reward for tokens, reward in paths if tokens[: len(prefix)] == prefix]
    return sum(sharing) / len(sharing)


def test_tempo_over_random_trees(build, seen):
    draw = torch.Generator().manual_seed(5)
    for _ in range(20):
        count = int(torch.randint(2, 7, (1,), generator=draw))
        tokens = [torch.randint(0, 2, (int(torch.randint(0, 5, (1,), generator=draw)),), generator=draw).tolist() for _ in range(count)]
        rewards = torch.randint(0, 3, (count,), generator=draw).tolist()
        groups = torch.randint(0, 2, (count,), generator=draw).tolist()
        batch = build(rewards, groups, tokens=tokens)
        for i, row in enumerate(seen(advantage("tempo", batch, epsilon=0), batch)):
            paths = [(tokens[j], rewards[j]) for j in range(count) if groups[j] == groups[i]]
            mean = prefix_value([], paths)
            std = sqrt(sum((reward - mean) ** 2 for _, reward in paths) / len(paths))
            steps = [prefix_value(tokens[i][: t + 1], paths) - prefix_value(tokens[i][:t], paths) for t in range(len(row))]
            assert row == pytest.approx([(rewards[i] - mean + step) / std if std else 0 for step in steps], abs=1e-4)


def test_every_advantage_is_computed_by_hand():
    assert set(ADVANTAGES) == {*SHARED, *STEP_CREDIT, "prime", "oreal", "ppo", "psr", "nsr", "w_reinforce", "signed", "reinforce"}
