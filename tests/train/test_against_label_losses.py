"""Losses from labels, pairs and rollouts of an oracle against their authors' code, in values and gradients."""

from dataclasses import replace

import pytest

torch = pytest.importorskip("torch", reason="the trainer needs torch")

from torch.nn.functional import binary_cross_entropy_with_logits, logsigmoid
from train.source_cases import compared, draw, our_loss, rollout_mean, same_losses, token_mean

from rlgym.train.config.schema import Config
from rlgym.train.losses.mixed_policy import MixedPolicyOptions, estimate_source, mixed_policy_loss
from rlgym.train.registry import LOSSES

SEEDS = pytest.mark.parametrize("seed", [0, 1])


def pairs(case):
    """The right and the wrong rollouts of each group that has both, as index tensors."""
    for members in case.groups:
        right, wrong = members[case.reward_N[members] > 0.5], members[case.reward_N[members] < 0.5]
        if len(right) and len(wrong):
            yield right.repeat_interleave(len(wrong)), wrong.repeat(len(right))


DPO = {
    "sigmoid": ({}, lambda margin: -logsigmoid(margin)),
    "length-normalised": ({"length_normalized": True}, lambda margin: -logsigmoid(margin)),
    "smoothed": ({"label_smoothing": 0.1}, lambda margin: -0.9 * logsigmoid(margin) - 0.1 * logsigmoid(-margin)),
}


@SEEDS
@pytest.mark.parametrize("kind", DPO)
@compared("loss dpo", source="TRL, DPOTrainer (sigmoid, sigmoid_norm); OpenRLHF, DPOLoss (label_smoothing)")
def test_dpo_on_the_pairs_of_a_group(seed, kind):
    """Theirs is a mean over given pairs; ours over all pairs of a group, then over groups, those without a pair included."""
    case = draw(seed, binary=True)
    options, loss = DPO[kind]

    def theirs(new_NL):
        score_N = ((new_NL - case.ref_NL) * case.mask_NL).sum(1)
        if kind == "length-normalised":
            score_N = score_N / case.mask_NL.sum(1)
        return sum(loss(0.3 * (score_N[right] - score_N[wrong])).mean() for right, wrong in pairs(case)) / 3

    same_losses(our_loss("dpo", case, case.new_NL, beta=0.3, **options), theirs, case)


def balanced_weights(reward_n):
    """n / (2 n of its label) in a group with both labels, 1 in others: scikit-learn's class weights."""
    right = reward_n > 0.5
    if right.all() or not right.any():
        return torch.ones(len(reward_n))
    return len(reward_n) / (2 * torch.where(right, right.sum(), (~right).sum()))


@SEEDS
@pytest.mark.parametrize("balanced", [False, True])
@compared("loss pacs", source="PACS, pacs_core_algos.compute_pacs_loss (reward_method 1, rloo)")
def test_pacs(seed, balanced):
    case = draw(seed, binary=True)

    def theirs(new_NL):
        score_N = 1.5 * ((new_NL - case.old_NL) * case.mask_NL).sum(1)
        logits = torch.cat([score_N[m] - (score_N[m].sum() - score_N[m]) / (len(m) - 1) for m in case.groups])
        weights = torch.cat([balanced_weights(case.reward_N[m]) for m in case.groups])
        return binary_cross_entropy_with_logits(logits, case.reward_N, weight=weights if balanced else None)

    same_losses(our_loss("pacs", case, case.new_NL, beta=1.5, balanced=balanced), theirs, case)


@SEEDS
@pytest.mark.parametrize("variant", ["joint", "bce"])
@compared("loss real", source="REAL (Red-RL), core_algos.compute_policy_loss_real and compute_policy_loss_bce")
def test_real_on_groups_that_have_both_labels(seed, variant):
    """Theirs leaves out the groups of one label, as `filter_zero_std` does here; its joint loss still divides by all groups, which is a constant."""
    case = draw(seed, binary=True)
    mixed = replace(case, batch=replace(case.batch, valid_N=torch.arange(12) < 8))

    def theirs(new_NL):
        score_N = ((new_NL - case.old_NL) * case.mask_NL).sum(1) / case.mask_NL.sum(1) / 0.5
        if variant == "bce":
            return binary_cross_entropy_with_logits(score_N[:8], case.reward_N[:8])
        total = 0.0
        for members in case.groups[:2]:
            score, right = score_N[members], case.reward_N[members] == 1
            anchor = torch.zeros(1)
            total = total + torch.cat([anchor, score[~right]]).logsumexp(0) + torch.cat([anchor, -score[right]]).logsumexp(0)
        return total / 3

    loss, scale = our_loss("real", mixed, case.new_NL, variant=variant), 1.0 if variant == "bce" else 2 / 3
    same_losses(lambda new_NL: scale * loss(new_NL), theirs, case)


@SEEDS
@compared("loss topr", source="ROLL, agentic_actor_pg_worker._compute_topr_loss (the formula it quotes from the paper)")
def test_topr_by_the_ratio_of_the_whole_rollout(seed):
    """ROLL's code clips the ratio of each token; the paper's formula, which it quotes, that of the trajectory."""
    case = draw(seed, spread=0.3)
    advantage_NL = torch.randn(12, 1, generator=torch.Generator().manual_seed(4)).expand(12, 10)

    def theirs(new_NL):
        ratio_N1 = ((new_NL - case.rollout_NL) * case.mask_NL).sum(1, keepdim=True).exp().clamp(0, 1).detach()
        weight_NL = torch.where(advantage_NL < 0, ratio_N1, torch.ones(()))
        return (-weight_NL * advantage_NL * new_NL * case.mask_NL).sum(1).mean()

    same_losses(our_loss("topr", case, advantage_NL), theirs, case)


def with_oracle(case):
    """The last rollout of each group is the oracle's, whose probabilities are not known: 1."""
    oracle_N = torch.arange(12) % 4 == 3
    known_T = case.batch.rollout_logprobs_T.where(~oracle_N[case.batch.rollout_T], 0.0)
    return replace(case, batch=replace(case.batch, oracle_N=oracle_N, rollout_logprobs_T=known_T))


def on_policy(new_NL, case, advantage_NL):
    ratio_NL = (new_NL - case.old_NL).exp()
    return torch.maximum(-ratio_NL * advantage_NL, -ratio_NL.clamp(0.8, 1.2) * advantage_NL)


def mixed(case, advantage_NL, aggregation, **options):
    chosen = LOSSES["pg_clip"]
    given = chosen.options.from_dict({"clip_high": 0.2, "aggregation": aggregation})
    mixture = MixedPolicyOptions.from_dict({"aggregation": aggregation, **options})

    def loss(new_NL):
        advantage_T = case.pack(advantage_NL)
        return mixed_policy_loss(case.pack(new_NL), case.batch, advantage_T, lambda *call: chosen(*call, given), mixture)[0]

    return loss


@SEEDS
@pytest.mark.parametrize(("aggregation", "reduce"), [("token", token_mean), ("rollout", rollout_mean)])
@compared("oracle rollouts, shaped", source="LUFFY, mix_core_alg.compute_token_on_off_policy_loss (off_policy_reshape p_div_p_0.1)")
def test_the_shaped_loss_of_luffy(seed, aggregation, reduce):
    case = with_oracle(draw(seed))
    advantage_NL = torch.randn(12, 1, generator=torch.Generator().manual_seed(2)).expand(12, 10)
    oracle_N1 = case.batch.oracle_N[:, None]

    def theirs(new_NL):
        probability_NL = new_NL.exp()
        off_NL = -probability_NL / (probability_NL + 0.1) * advantage_NL
        return reduce(torch.where(oracle_N1, off_NL, on_policy(new_NL, case, advantage_NL)), case.mask_NL)

    same_losses(mixed(case, advantage_NL, aggregation), theirs, case)


@SEEDS
@compared("oracle rollouts, multiple", source="RL-PLUS, rlplus_core_alg.compute_token_on_off_policy_loss (off_policy_strategy RL-PLUS)")
def test_the_multiple_importance_weights_of_rl_plus(seed):
    """Their code takes 1 for the uniform distribution, where the paper and ours have 1 / vocabulary, and the power 0.5."""
    config = Config.from_dict(
        {
            "model": {"path": "m"},
            "tasks": [{"names": ["chain_sum"]}],
            "output_dir": "o",
            "algorithm": {"oracle_fraction": 0.25, "oracle_loss_options": {"weighting": "multiple"}},
        }
    )
    case = with_oracle(draw(seed))
    for vocabulary in (1, 1000):
        known = replace(case, batch=estimate_source(case.batch, vocabulary, config))
        advantage_NL = torch.randn(12, 1, generator=torch.Generator().manual_seed(2)).expand(12, 10)
        oracle_N1 = case.batch.oracle_N[:, None]

        def theirs(new_NL, vocabulary=vocabulary, advantage_NL=advantage_NL, oracle_N1=oracle_N1):
            old_NL = case.old_NL.exp()
            source_NL = 0.5 * (old_NL + 1 / vocabulary)
            ratio_NL = 2 * new_NL.exp() / (old_NL + source_NL)
            focus_NL = (1 - new_NL.detach().exp()).clamp(min=0) ** 0.5
            return token_mean(
                torch.where(oracle_N1, -ratio_NL * focus_NL * advantage_NL, on_policy(new_NL, case, advantage_NL)), case.mask_NL
            )

        same_losses(mixed(known, advantage_NL, "token", weighting="multiple", focal_power=0.5), theirs, case, 1e-4)
