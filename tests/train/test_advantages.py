"""Advantages against numbers computed by hand, against the true gradient of small policies, and under changes that mean nothing."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from math import sqrt

import pytest

from rlgym.train.advantages import ADVANTAGES
from rlgym.train.advantages.per_token import PpoOptions, returns
from rlgym.train.advantages.set_based import MvarOptions, bundle_scores, move_quantiles
from rlgym.train.registry import OptionError

torch = pytest.importorskip("torch", reason="the trainer needs torch")

SHARED = (
    "grpo",
    "dr_grpo",
    "rloo",
    "reinforce_pp",
    "pass_at_k",
    "weighted_grpo",
    "tempo",
    "rank_penalty",
    "mvar",
    "gpg",
    "opo",
    "lite_ppo",
)
"""Those that compare rollouts with each other."""

STEP_CREDIT = ("gated", "min_form", "shaped_steps", "first_error", "capo", "renorm", "rlvmr", "verpo")
"""Those that read token rewards; test_step_credit.py works them out by hand."""

HARD = [1.0, 0.0, 0.0, 0.0]
"""A quarter right: mean 1/4, standard deviation sqrt(1/4 * 3/4) = sqrt(3) / 4."""


def advantage(name, batch, **given):
    chosen = ADVANTAGES[name]
    return chosen(batch, chosen.options.from_dict(given))


def flat(rows):
    return [x for row in rows for x in row]


# By hand


def test_grpo_divides_by_the_standard_deviation_of_the_group(build, seen):
    batch = build([*HARD, 1, 0], [0, 0, 0, 0, 1, 1], [[-1, -2], [-1], [-1], [-3], [-1], [-1]])
    # 3/4 over sqrt(3)/4, -1/4 over sqrt(3)/4; 1/2 over 1/2
    rare, common = sqrt(3), -1 / sqrt(3)
    assert seen(advantage("grpo", batch), batch) == [
        pytest.approx(row, rel=1e-5) for row in ([rare] * 2, [common], [common], [common], [1], [-1])
    ]
    damped = flat(seen(advantage("grpo", build(HARD), epsilon=0.5), build(HARD)))
    assert damped == pytest.approx([0.75 / (sqrt(3) / 4 + 0.5)] + [-0.25 / (sqrt(3) / 4 + 0.5)] * 3)


def test_dr_grpo_takes_the_mean_off_and_no_more(build, seen):
    batch = build([*HARD, 0.5, 0.25], [0, 0, 0, 0, 1, 1])
    assert flat(seen(advantage("dr_grpo", batch), batch)) == pytest.approx([0.75, -0.25, -0.25, -0.25, 0.125, -0.125])


def test_rloo_takes_the_mean_of_the_others_off(build, seen):
    batch = build([1, 0.5, 0, 1, 0, 1], [0, 0, 0, 1, 1, 2])
    # 1 - 1/4, 1/2 - 1/2, 0 - 3/4; 1 - 0, 0 - 1; the last has no others
    assert flat(seen(advantage("rloo", batch), batch)) == pytest.approx([0.75, 0, -0.75, 1, -1, 0])


def test_gpg_makes_up_for_groups_that_teach_nothing(build, seen):
    batch = build([*HARD, 1, 1, 0, 0], [0, 0, 0, 0, 1, 1, 2, 2])
    # One group of three teaches: 3 (1 - 1/4), 3 (0 - 1/4)
    assert flat(seen(advantage("gpg", batch), batch)) == pytest.approx([2.25, -0.75, -0.75, -0.75, 0, 0, 0, 0])
    assert flat(seen(advantage("gpg", build(HARD)), build(HARD))) == pytest.approx([0.75, -0.25, -0.25, -0.25])


def test_opo_weighs_its_baseline_by_length(build, seen):
    batch = build([1, 0, 1, 1], [0, 0, 1, 1], [[-1], [-1, -1, -1], [-1], [-1, -1]])
    # (1 * 1 + 3 * 0) / (1 + 3) = 1/4: the advantages of a group sum to 0 over its tokens
    assert seen(advantage("opo", batch), batch) == [pytest.approx([0.75]), pytest.approx([-0.25] * 3), [0], [0, 0]]


def test_lite_ppo_divides_by_the_standard_deviation_of_the_batch(build, seen):
    batch = build([1, 0, 1, 1], [0, 0, 1, 1])
    # The batch: mean 3/4, standard deviation sqrt(3) / 4
    assert flat(seen(advantage("lite_ppo", batch), batch)) == pytest.approx([2 / sqrt(3), -2 / sqrt(3), 0, 0], rel=1e-5)
    damped = flat(seen(advantage("lite_ppo", batch, epsilon=1.0), batch))
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
    assert flat(seen(advantage("reinforce_pp", batch, kl_coef=0.1), batch)) == pytest.approx(
        [(gain - mean) / std for gain in gains], rel=1e-5
    )


def test_reinforce_pp_with_the_mean_of_the_group_as_baseline(build, seen):
    batch = build([1, 0, 1, 1], [0, 0, 1, 1])
    # 1/2, -1/2, 0, 0: mean 0, standard deviation sqrt(1/8)
    expected = [0.5 / sqrt(1 / 8), -0.5 / sqrt(1 / 8), 0, 0]
    assert flat(seen(advantage("reinforce_pp", batch, group_baseline=True), batch)) == pytest.approx(expected)


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
    white = flat(seen(advantage("ppo", batch, gae_lambda=1), batch))
    assert white == pytest.approx([(x - mean) / std for x in (0.5, 0.2, 0.9, -0.4)], rel=1e-5)
    assert seen(returns(batch, PpoOptions(gae_lambda=1)), batch) == [pytest.approx([1, 1, 1]), pytest.approx([0], abs=1e-6)]


def test_ppo_needs_a_value_head(build):
    with pytest.raises(OptionError, match="value head"):
        advantage("ppo", build([1, 0]))


def test_signs(build, seen):
    batch = build([1, 0.5, 0.25, 0], [0, 0, 1, 1], [[-1, -1], [-1], [-1], [-1]])

    def found(name, **given):
        return flat(seen(advantage(name, batch, **given), batch))

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
    assert flat(seen(advantage("rank_penalty", batch), batch)) == pytest.approx([-1, 1], rel=1e-4)
    assert not advantage("rank_penalty", batch, filter_zero_std=True).any()


def over_all_sets(right, k):
    """For each rollout the mean, over the sets of k that hold it, of (set is right - mean) / standard deviation over all sets."""
    k = min(k, len(right))
    sets = list(combinations(range(len(right)), k))
    paid = [float(any(right[i] for i in members)) for members in sets]
    mean = sum(paid) / len(paid)
    std = sqrt(sum((x - mean) ** 2 for x in paid) / len(paid))
    if std == 0:
        return [0.0] * len(right), 0.0
    judged = []
    for i in range(len(right)):
        mine = [(x - mean) / std for x, members in zip(paid, sets, strict=True) if i in members]
        judged.append(sum(mine) / len(mine))
    return judged, std


@pytest.mark.parametrize("k", [1, 2, 3, 4, 7])
def test_pass_at_k_is_the_mean_over_all_sets_of_k(build, seen, k):
    for count in range(1, 7):
        for rights in range(count + 1):
            right = [float(i < rights) for i in range(count)]
            batch = build(right)
            assert flat(seen(advantage("pass_at_k", batch, k=k), batch)) == pytest.approx(over_all_sets(right, k)[0], abs=1e-5), (
                count,
                rights,
            )


def test_pass_at_k_written_out(build, seen):
    # Of 6 pairs of 4 rollouts, one right, 3 hold the right one: mean 1/2, standard deviation 1/2. All pairs with the right one
    # pay 1; of the 3 pairs with a wrong one, 1 does: (1/3 - 1/2) / (1/2) = -1/3
    batch = build(HARD)
    assert flat(seen(advantage("pass_at_k", batch, k=2), batch)) == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3], rel=1e-5)
    assert advantage("pass_at_k", batch, k=1).tolist() == pytest.approx(advantage("grpo", batch).tolist(), rel=1e-4)


def test_mvar_weighs_the_lower_tail_and_not_the_best(build, seen):
    batch = build([1, 1, 0, 1, 0, 0], range(6), bundles=[0, 0, 1, 1, 2, 2])
    # Sums 2, 1, 0 with quantiles 0.5 and 1.5 at the levels 0.2 and 0.8; g = (S - 0.5)+ - (S - 1.5)+ + 0.5 - 1.5
    #   S = 2: g = 1.5 - 0.5 - 1 = 0, nothing below 0.5
    #   S = 1: g = 0.5 - 0 - 1 = -0.5
    #   S = 0: g = 0 - 0 - 1 = -1, and 0.5 below 0.5
    middle = (1.5 * 0 - 0.5 / 0.6) / 2.5
    worst = (1.5 * -(0.5 / 0.2) - 1 / 0.6) / 2.5
    given = {"low_quantile": 0.2, "high_quantile": 0.8, "tracked_quantiles": (0.5, 1.5)}
    assert flat(seen(advantage("mvar", batch, **given), batch)) == pytest.approx([0, 0, middle, middle, worst, worst])
    mean = (middle + worst) / 3
    std = sqrt((mean**2 + (middle - mean) ** 2 + (worst - mean) ** 2) / 3)
    shrunk = flat(seen(advantage("mvar", batch, divide_by_std=True, **given), batch))
    assert shrunk == pytest.approx([x / std for x in (0, 0, middle, middle, worst, worst)], rel=1e-4)


def test_mvar_takes_the_quantiles_of_the_batch_where_none_are_tracked(build, seen):
    batch = build([1, 1, 0, 1, 0, 0], range(6), bundles=[0, 0, 1, 1, 2, 2])
    # Sums 0, 1, 2: a fifth of the way is 0.4, four fifths 1.6
    tracked = advantage("mvar", batch, low_quantile=0.2, high_quantile=0.8, tracked_quantiles=(0.4, 1.6))
    assert advantage("mvar", batch, low_quantile=0.2, high_quantile=0.8).tolist() == pytest.approx(tracked.tolist())


def test_mvar_bundles_tasks_that_follow_each_other(build):
    batch = build([1, 0, 1, 1, 0, 1], [0, 0, 1, 1, 2, 2])
    # Tasks 0 and 1: first rollouts 1 + 1, second 0 + 1. Task 2 is left over: 0 and 1
    assert bundle_scores(batch, MvarOptions(bundle_size=2)).tolist() == [2, 1, 0, 1]


def test_a_bundle_with_a_rollout_without_score_carries_no_loss(build, seen):
    rewards, valid = [1, 1, 0, 1, 0, 0], [True, True, True, False, True, True]
    batch = build(rewards, range(6), bundles=[0, 0, 1, 1, 2, 2], valid=valid)
    found = seen(advantage("mvar", batch), batch)
    assert found[2] == [0]
    alone = build([1, 1, 0, 0], range(4), bundles=[0, 0, 1, 1])
    assert [found[i] for i in (0, 1, 4, 5)] == seen(advantage("mvar", alone), alone)


def test_quantiles_follow_the_scores():
    # A quarter of the scores is below 1 and three quarters below 2: 1 + 0.1 (0.2 - 0.25), 2 + 0.1 (0.9 - 0.75)
    moved = move_quantiles((1, 2), torch.tensor([0.0, 1, 1, 3]), MvarOptions(low_quantile=0.2, high_quantile=0.9))
    assert moved == pytest.approx((0.995, 2.015))
    assert move_quantiles((1, 2), torch.tensor([]), MvarOptions()) == (1, 2)


def test_weighted_grpo_weighs_the_rare_after_the_division(build, seen):
    batch = build([1, 0, 0, 0, 1, 1, 1, 0], [0] * 4 + [1] * 4)
    rare, common = sqrt(3), 1 / sqrt(3)
    found = flat(seen(advantage("weighted_grpo", batch, rare_success_weight=2, rare_failure_weight=3), batch))
    assert found == pytest.approx([2 * rare, -common, -common, -common, common, common, common, -3 * rare], rel=1e-5)
    half = build([1, 0])
    assert flat(seen(advantage("weighted_grpo", half, rare_success_weight=2, rare_failure_weight=3), half)) == pytest.approx(
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


def test_every_advantage_is_worked_out_by_hand():
    assert set(ADVANTAGES) == {*SHARED, *STEP_CREDIT, "ppo", "psr", "nsr", "w_reinforce", "signed", "reinforce"}


# The direction of the gradient, exactly, over all groups that a small policy may sample

LOGITS, PAID = [0.2, -0.1, 0.3], [0.0, 1.0, 0.0]
DIRECTION = {"ppo": {"whiten": False}, "mvar": {"bundle_size": 1}, "pass_at_k": {"k": 2}}


def plain(name, **given):
    """The policy gradient's loss: -A log(new), averaged over rollouts."""

    def loss(new_logprobs_T, batch):
        if name == "ppo":
            batch = replace(batch, value_T=torch.full_like(batch.old_logprobs_T, 0.3))
        return -(advantage(name, batch, **given) * new_logprobs_T).sum() / len(batch.reward_N)

    return loss


@pytest.mark.parametrize("name", ADVANTAGES)
def test_a_step_raises_what_is_paid_and_lowers_the_rest(step, name):
    slope = step(plain(name, **DIRECTION.get(name, {})), LOGITS, PAID, 3)
    before = torch.tensor(LOGITS).log_softmax(0)
    after = (torch.tensor(LOGITS) - 0.01 * slope).log_softmax(0)
    assert [float(x) > 0 for x in after - before] == [False, True, False]
    assert (after - before).abs().min() > 1e-5


@pytest.mark.parametrize(
    ("name", "given", "times"),
    [
        ("rloo", {}, 1),
        ("dr_grpo", {}, 2 / 3),  # (n - 1) / n, since a rollout is part of its own baseline
        ("psr", {}, 1),
        ("nsr", {}, 1),
        ("w_reinforce", {"positive_weight": 0.5}, 1.5),  # 0.5 R - (1 - R) = 1.5 R - 1
        ("reinforce", {"baseline": 0.3}, 1),
        ("signed", {"baseline": 0.3}, 2),  # 2 R - 1 - 0.3
        ("ppo", {"whiten": False}, 1),  # any baseline that does not look at the action
    ],
)
def test_the_expected_step_is_the_true_gradient(step, true_slope, name, given, times):
    slope = step(plain(name, **given), LOGITS, PAID, 3)
    assert (-slope).tolist() == pytest.approx((times * true_slope(LOGITS, PAID)).tolist(), abs=1e-6)


@pytest.mark.parametrize("name", ["rloo", "dr_grpo", "reinforce"])
def test_rewards_need_not_be_right_or_wrong(step, true_slope, name):
    rewards = [0.2, 1.0, -0.7]
    times = {"rloo": 1, "dr_grpo": 2 / 3, "reinforce": 1}[name]
    assert (-step(plain(name), LOGITS, rewards, 3)).tolist() == pytest.approx((times * true_slope(LOGITS, rewards)).tolist(), abs=1e-6)


@pytest.mark.parametrize("k", [1, 2])
def test_pass_at_k_climbs_the_chance_that_one_of_k_is_right(step, k):
    """Times the standard deviation, it is an unbiased estimate of the gradient of 1 - (1 - p)^k, scaled by (n - k) / k."""

    def loss(new_logprobs_T, batch):
        std = over_all_sets(batch.reward_N.tolist(), k)[1]
        return -(advantage("pass_at_k", batch, k=k) * std * new_logprobs_T).sum()

    leaf = torch.tensor(LOGITS, requires_grad=True)
    (1 - (1 - leaf.softmax(0)[1]) ** k).backward()
    assert (-step(loss, LOGITS, PAID, 3)).tolist() == pytest.approx(((3 - k) / k * leaf.grad).tolist(), abs=1e-5)


def two_steps(first, second):
    """Chances of the four paths of a policy that chooses twice between two tokens, the second time by what it chose first."""
    item = first.log_softmax(0)
    two = second.log_softmax(1)
    return {(a, b): (item[a], two[a, b]) for a, b in product((0, 1), repeat=2)}


PATHS = {(0, 0): 1.0, (0, 1): 0.0, (1, 0): 0.0, (1, 1): 0.25}


@pytest.mark.parametrize(("discount", "trace", "values"), [(1, 1, "any"), (1, 0, "true"), (1, 0.5, "true")])
def test_ppo_is_unbiased_for_two_steps(build, discount, trace, values):
    """With lambda 1 any baseline will do; with a smaller one the values must be right."""
    leaves = torch.tensor([0.3, -0.2], requires_grad=True), torch.tensor([[0.1, 0.4], [-0.5, 0.2]], requires_grad=True)
    paths = two_steps(*leaves)
    expected = torch.autograd.grad(sum((a + b).exp() * PATHS[path] for path, (a, b) in paths.items()), leaves, retain_graph=True)
    ahead = {first: sum(float(paths[first, b][1].detach().exp()) * PATHS[first, b] for b in (0, 1)) for first in (0, 1)}
    start = sum(float(paths[a, 0][0].detach().exp()) * ahead[a] for a in (0, 1))
    found = [torch.zeros_like(leaf) for leaf in leaves]
    for path, (a, b) in paths.items():
        value = [start, ahead[path[0]]] if values == "true" else [0.7, -0.4 + path[0]]
        batch = build([PATHS[path]], logprobs=[[a.item(), b.item()]], value=[value], gaps=False)
        weight_T = advantage("ppo", batch, gamma=discount, gae_lambda=trace, whiten=False)
        slopes = torch.autograd.grad((weight_T * torch.stack([a, b])).sum(), leaves, retain_graph=True)
        for total, slope in zip(found, slopes, strict=True):
            total += (a + b).exp().detach() * slope
    for total, slope in zip(found, expected, strict=True):
        assert total.flatten().tolist() == pytest.approx(slope.flatten().tolist(), abs=1e-6)


def test_tempo_raises_the_first_step_to_the_better_branch(build):
    """Every token of a path that is right now and then gains from the branch it is in."""
    leaves = torch.tensor([0.0, 0.0], requires_grad=True), torch.zeros(2, 2, requires_grad=True)
    paths = two_steps(*leaves)
    gains = {"tempo": torch.zeros(2), "grpo": torch.zeros(2)}
    for chosen in product(paths, repeat=3):
        logprobs = [[x.item() for x in paths[path]] for path in chosen]
        batch = build([PATHS[path] for path in chosen], logprobs=logprobs, tokens=[list(path) for path in chosen], gaps=False)
        new_logprobs_T = torch.cat([torch.stack(paths[path]) for path in chosen])
        for name, gain in gains.items():
            (slope,) = torch.autograd.grad((advantage(name, batch) * new_logprobs_T).sum(), leaves[:1], retain_graph=True)
            gain += new_logprobs_T.sum().exp().detach() * slope
    assert gains["tempo"][0] > gains["grpo"][0] > 0


# What must change nothing


def some(seed=0):
    """Rollouts of three groups, with all that an advantage may read."""
    draw = torch.Generator().manual_seed(seed)

    def numbers(rows, low=-2.0, high=0.0):
        return [(torch.rand(len(row), generator=draw) * (high - low) + low).tolist() for row in rows]

    groups = [0, 1, 0, 2, 0, 1, 2, 1, 0, 2]
    tokens = [torch.randint(0, 3, (int(torch.randint(1, 5, (1,), generator=draw)),), generator=draw).tolist() for _ in groups]
    return {
        "rewards": [1, 0, 0, 1, 1, 1, 0, 0, 0, 0],
        "groups": groups,
        "tokens": tokens,
        "logprobs": numbers(tokens),
        "reference": numbers(tokens),
        "value": numbers(tokens, 0, 1),
        "bundles": [0, 0, 1, 1, 2, 2, 3, 3, 4, 4],
    }


GIVEN = {"reinforce_pp": {"kl_coef": 0.1}, "pass_at_k": {"k": 2}}


def close(rows):
    return [pytest.approx(row, abs=1e-5) for row in rows]


@pytest.mark.parametrize("name", ADVANTAGES)
def test_tokens_that_were_not_sampled_change_nothing(build, seen, name):
    bare, padded = build(**some(), gaps=False), build(**some())
    expected = seen(advantage(name, bare, **GIVEN.get(name, {})), bare)
    assert seen(advantage(name, padded, **GIVEN.get(name, {})), padded) == close(expected)
    assert any(flat(expected))


@pytest.mark.parametrize("name", ADVANTAGES)
def test_rollouts_without_score_change_nothing(build, seen, name):
    facts = some()
    more = {key: [*value[:4], value[1], *value[4:], value[2], value[3]] for key, value in facts.items()}
    more["groups"][-1] = 5  # a group of its own, without any score
    more["bundles"] = [*facts["bundles"][:4], 7, *facts["bundles"][4:], 8, 9]
    valid = [True] * 4 + [False] + [True] * 6 + [False] * 2
    bare, mixed = build(**facts), build(**more, valid=valid)
    expected = seen(advantage(name, bare, **GIVEN.get(name, {})), bare)
    found = seen(advantage(name, mixed, **GIVEN.get(name, {})), mixed)
    assert found[:4] + found[5:11] == close(expected)


@pytest.mark.parametrize("name", ADVANTAGES)
def test_the_order_of_rollouts_does_not_matter(build, seen, name):
    facts = some(1)
    order = [3, 8, 0, 5, 9, 1, 7, 2, 6, 4]
    turned = {key: [value[i] for i in order] for key, value in facts.items()}
    first, second = build(**facts), build(**turned)
    expected = seen(advantage(name, first, **GIVEN.get(name, {})), first)
    assert seen(advantage(name, second, **GIVEN.get(name, {})), second) == close([expected[i] for i in order])


@pytest.mark.parametrize("name", SHARED)
@pytest.mark.parametrize("reward", [0.0, 1.0, 0.1, 1 / 3, -77.7, 1234.56])
def test_equal_rewards_teach_nothing(build, name, reward):
    given = {"mvar": {"bundle_size": 1}, "rank_penalty": {"filter_zero_std": True}}.get(name, {})
    for count in (1, 2, 3, 7, 16):
        batch = build([reward] * count, logprobs=[[-0.3 * (i + 1)] * 3 for i in range(count)])
        assert not advantage(name, batch, **given).any(), count


@pytest.mark.parametrize("name", ["grpo", "dr_grpo", "rloo", "tempo", "reinforce_pp", "weighted_grpo"])
def test_what_all_rewards_have_in_common_changes_nothing(build, seen, name):
    facts = some()
    given = {"success_threshold": 64.5} if name == "weighted_grpo" else {}
    low, high = build(**facts), build(**{**facts, "rewards": [r + 64 for r in facts["rewards"]]})
    assert seen(advantage(name, high, **given), high) == close(seen(advantage(name, low), low))


@pytest.mark.parametrize("name", [name for name in SHARED if name not in ("reinforce_pp", "mvar")])
def test_a_group_of_equal_rewards_gets_nothing_beside_others(build, seen, name):
    batch = build([1, 0, 0, 0.7, 0.7, 0.7, 0.7], [0, 0, 0, 1, 1, 1, 2], tokens=[[1], [2], [1], [1], [1], [2], [1]])
    given = {"rank_penalty": {"filter_zero_std": True}, "pass_at_k": {"k": 2}}.get(name, {})
    found = flat(seen(advantage(name, batch, **given), batch))
    assert found[3:] == [0, 0, 0, 0]
    assert any(found[:3])


@pytest.mark.parametrize("name", ADVANTAGES)
def test_a_batch_without_anything_to_learn_from(build, name):
    nothing = build([1, 0], logprobs=[[-1], [-2]], value=[[1], [1]], reference=[[-1], [-1]], valid=[False, False])
    assert not advantage(name, nothing, **GIVEN.get(name, {})).any()
    silent = build([1, 0], logprobs=[[], []], value=[[], []], reference=[[], []])
    assert not advantage(name, silent, **GIVEN.get(name, {})).any()


@pytest.mark.parametrize("name", ADVANTAGES)
def test_rewards_of_any_size_stay_finite(build, name):
    batch = build([1e6, -1e6, 0, 1e6], logprobs=[[-1]] * 4, value=[[0]] * 4)
    assert advantage(name, batch).isfinite().all()


@pytest.mark.parametrize("name", ADVANTAGES)
def test_integer_and_double_rewards_are_read_as_float32(build, name):
    batch = build(**{**some(), "rewards": [1, 0, 0, 1, 1, 1, 0, 0, 0, 0]})
    expected = advantage(name, batch, **GIVEN.get(name, {}))
    assert expected.dtype == torch.float32
    for kind in (torch.int64, torch.float64):
        assert torch.equal(advantage(name, replace(batch, reward_N=batch.reward_N.to(kind)), **GIVEN.get(name, {})), expected)
