"""Advantages against the true gradient of small policies, and under changes that mean nothing."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from train.advantage_cases import SHARED, advantage, flatten, over_all_sets, policy_gradient_loss
from train.policies import LOGITS, PAID

from rlgym.train.advantages import ADVANTAGES

torch = pytest.importorskip("torch", reason="the trainer needs torch")

# The direction of the gradient, exactly, over all groups that a small policy may sample

DIRECTION = {
    "ppo": {"whiten": False},
    "prime": {"whiten": False},
    "oreal": {"one_of_each": False},
    "mvar": {"bundle_size": 1},
    "pass_at_k": {"k": 2},
}


@pytest.mark.parametrize("name", ADVANTAGES)
def test_a_step_raises_what_is_paid_and_lowers_the_rest(step, name):
    slope = step(policy_gradient_loss(name, **DIRECTION.get(name, {})), LOGITS, PAID, 3)
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
    slope = step(policy_gradient_loss(name, **given), LOGITS, PAID, 3)
    assert (-slope).tolist() == pytest.approx((times * true_slope(LOGITS, PAID)).tolist(), abs=1e-6)


@pytest.mark.parametrize("name", ["rloo", "dr_grpo", "reinforce"])
def test_rewards_need_not_be_right_or_wrong(step, true_slope, name):
    rewards = [0.2, 1.0, -0.7]
    times = {"rloo": 1, "dr_grpo": 2 / 3, "reinforce": 1}[name]
    assert (-step(policy_gradient_loss(name), LOGITS, rewards, 3)).tolist() == pytest.approx(
        (times * true_slope(LOGITS, rewards)).tolist(), abs=1e-6
    )


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


GIVEN = {"oreal": {"one_of_each": False}, "reinforce_pp": {"kl_coef": 0.1}, "pass_at_k": {"k": 2}}


def close(rows):
    return [pytest.approx(row, abs=1e-5) for row in rows]


@pytest.mark.parametrize("name", ADVANTAGES)
def test_tokens_that_were_not_sampled_change_nothing(build, seen, name):
    bare, padded = build(**some(), gaps=False), build(**some())
    expected = seen(advantage(name, bare, **GIVEN.get(name, {})), bare)
    assert seen(advantage(name, padded, **GIVEN.get(name, {})), padded) == close(expected)
    assert any(flatten(expected))


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
    found = flatten(seen(advantage(name, batch, **given), batch))
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
