"""Losses of reward models, filters, regularizers and curricula against the code of others."""

from collections import deque
from math import sqrt

import pytest

torch = pytest.importorskip("torch", reason="the trainer needs torch")

from torch.nn.functional import cross_entropy, logsigmoid
from train.group_cases import episode
from train.source_cases import compared, draw, same_losses, token_mean

from rlgym import Rng
from rlgym.train.data.segment_sums import used_T
from rlgym.train.registry import CURRICULA, FILTERS
from rlgym.train.regularizers.advantage_filter import AdvantageFilterOptions, advantage_filter
from rlgym.train.regularizers.entropy import EntropyOptions, entropy_bonus
from rlgym.train.scorer.objectives import Example, lambda_returns, objective_loss
from rlgym.train.tasks.cells import CurriculumCell
from rlgym.train.tasks.filters import kept_by_rank

SEEDS = pytest.mark.parametrize("seed", [0, 1])


def value_and_gradient(loss, output_T):
    leaf_T = output_T.clone().requires_grad_()
    value = loss(leaf_T)
    (gradient_T,) = torch.autograd.grad(value, leaf_T)
    return value.detach(), gradient_T


def same(ours, theirs, output_T):
    for left, right in zip(value_and_gradient(ours, output_T), value_and_gradient(theirs, output_T), strict=True):
        torch.testing.assert_close(left, right, rtol=1e-5, atol=1e-6)


@SEEDS
@compared("step scorer, steps", source="TRL, PRMTrainer (token classification)")
def test_the_cross_entropy_of_step_labels(seed):
    """Theirs has two outputs at the last token of a step, whose difference is our logit; both are means over all labels of the batch."""
    output_T = torch.randn(20, generator=torch.Generator().manual_seed(seed))
    examples = [Example("a", tuple(range(12)), 3, (4, 7, 11), (1.0, 0.0, None)), Example("b", tuple(range(8)), 2, (5, 7), (0.0, 1.0))]

    def theirs(logit_T):
        places, labels = [4, 7, 17, 19], torch.tensor([1, 0, 0, 1])
        return cross_entropy(torch.stack([torch.zeros(4), logit_T[places]], 1), labels)

    same(lambda logit_T: objective_loss("steps", examples, logit_T), theirs, output_T)


@SEEDS
@compared("step scorer, outcome", source="OVM (FreedomIntelligence), verifier_models (v_loss, loss_level token)")
def test_the_squared_error_of_outcome_values(seed):
    """At every token of a response. Theirs divides the sum by the number of responses, ours by that of tokens: a constant of the batch."""
    output_T = torch.randn(20, generator=torch.Generator().manual_seed(seed))
    examples = [Example("a", tuple(range(12)), 3, (11,), right=True), Example("b", tuple(range(8)), 2, (7,), right=False)]
    label_T = torch.tensor([-100.0] * 3 + [1.0] * 9 + [-100.0] * 2 + [0.0] * 6)

    def theirs(value_T):
        return ((value_T - label_T).square() * (label_T != -100)).sum() / 2

    same(lambda value_T: 15 / 2 * objective_loss("outcome", examples, value_T), theirs, output_T)


@SEEDS
@compared("step scorer, pairs", source="OpenRLHF, PairWiseLoss")
def test_the_pairwise_loss(seed):
    output_T = torch.randn(16, generator=torch.Generator().manual_seed(seed))
    examples = [Example(str(pair), (1, 2, 3, 4), 1, (3,), right=chosen) for pair in (0, 1) for chosen in (True, False)]

    def theirs(reward_T):
        return -logsigmoid(reward_T[[3, 11]] - reward_T[[7, 15]]).mean()

    same(lambda reward_T: objective_loss("pairs", examples, reward_T), theirs, output_T)


@SEEDS
@compared("step scorer, td", source="verl, core_algos.compute_gae_advantage_return (returns)")
def test_lambda_returns_are_those_of_generalised_advantage_estimation(seed):
    """With the reward at the last step; the target of a step is its value plus its advantage."""
    rng = Rng("against", seed)
    values, decay = [rng.real() for _ in range(6)], 0.7
    following = advantage = 0.0
    returns = []
    for place in reversed(range(6)):
        delta = (1.0 if place == 5 else 0.0) + following - values[place]
        advantage = delta + decay * advantage
        following = values[place]
        returns.append(advantage + values[place])
    assert lambda_returns(values, 1.0, decay) == pytest.approx(returns[::-1])


@SEEDS
@compared("entropy bonus", source="verl, core_algos.compute_entropy_loss; TRL, GRPOTrainer (entropy_coef)")
def test_the_entropy_bonus(seed):
    """The mean over the tokens of the batch, subtracted from the loss."""
    case = draw(seed)

    def ours(entropy_NL):
        return entropy_bonus(case.pack(entropy_NL), case.batch, EntropyOptions(coef=0.02))[0]

    same_losses(ours, lambda entropy_NL: -0.02 * token_mean(entropy_NL, case.mask_NL), case)


@SEEDS
@compared("outlying advantages", source="R1-Reward, openrlhf/trainer/ppo_utils/replay_buffer.normalize")
def test_advantages_beyond_three_deviations(seed):
    """Advantages of mean 0, as theirs adds the mean before normalisation to its bounds. Theirs sets outliers to 0 and still counts their tokens."""
    case = draw(seed)
    random = torch.Generator().manual_seed(seed)
    advantage_T = torch.randn(len(case.batch.tokens_T), generator=random)
    used = used_T(case.batch)
    advantage_T[used.nonzero()[0]] += 30
    values = advantage_T[used] - advantage_T[used].mean()
    normalised = values * values.square().mean().clamp(min=1e-8).rsqrt()
    filtered = advantage_filter(case.batch, advantage_T, AdvantageFilterOptions(max_std=3.0))
    assert used_T(filtered)[used].tolist() == (normalised.abs() <= 3).tolist()
    assert used_T(filtered).sum() < used.sum()


@SEEDS
@compared(
    "filter reward_rank", source="PF-PPO, ppo_utils/replay_buffer.select_min_max; verl, core_algos.compute_pf_ppo_reweight_data (max_min)"
)
def test_the_best_and_the_worst_of_a_group(seed):
    """Theirs draws from those with replacement to fill the batch, which weighs the groups alike as ours does."""
    rng = Rng("against", seed)
    rewards = [rng.real() for _ in range(7)]
    ordered = sorted(range(7), key=lambda place: rewards[place])
    assert sorted(kept_by_rank(rewards, "best_worst", rng)) == sorted((ordered[0], ordered[-1]))
    assert kept_by_rank(rewards, "best", rng) == [ordered[-1]]


@compared("filter zero_std", source="verl-recipe, dapo/dapo_ray_trainer.py (filter_groups)")
def test_groups_of_equal_rewards_are_dropped():
    """Groups of two and more; theirs keeps a group of one."""
    groups = ((1, 0, 0), (1, 1, 1), (0, 0, 0), (1, 1, 0))
    given = [
        episode(score, group=number, key=10 * number + place) for number, group in enumerate(groups) for place, score in enumerate(group)
    ]
    chosen = FILTERS["zero_std"]
    kept = {made.group for made in chosen(given, chosen.options())}
    deviations = [sqrt(sum((x - sum(group) / 3) ** 2 for x in group) / 3) for group in groups]
    assert kept == {number for number, deviation in enumerate(deviations) if deviation > 0}


@compared("curriculum learnability", source="sampling-for-learnability, sfl/train/minigrid_sfl.py")
def test_learnability_is_the_variance_of_success():
    """Theirs takes the tasks of the highest p (1 - p); ours samples in proportion to it."""
    chosen = CURRICULA["learnability"]
    for rate in (0.0, 0.2, 0.5, 0.9):
        cell = CurriculumCell(0, "chain_sum", 1.0, (0.0,), {}, 0.0, deque(), solve_rate=rate)
        assert chosen(cell, chosen.options(min_share=0.0)) == pytest.approx(4 * rate * (1 - rate))
