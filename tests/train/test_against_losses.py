"""Losses and their terms against the formulas of reference code, in values and in gradients over the new log-probabilities."""

from dataclasses import replace

import pytest

torch = pytest.importorskip("torch", reason="the trainer needs torch")

from train.source_cases import compared, draw, our_loss, rollout_mean, same_losses, token_mean

from rlgym.train.data.segment_sums import used_T
from rlgym.train.losses.value import ValueOptions, value_loss
from rlgym.train.regularizers.entropy import EntropyMaskOptions, entropy_mask
from rlgym.train.regularizers.kl import KlOptions, kl_penalty

SEEDS = pytest.mark.parametrize("seed", [0, 1])


def advantages(case, *, per_token=False):
    """Advantages of both signs, one for each rollout or for each token."""
    random = torch.Generator().manual_seed(9)
    given_NL = torch.randn(12, 10, generator=random)
    return (given_NL if per_token else given_NL[:, :1].expand(12, 10)).where(case.inside_NL, 0.0)


def constant_sum(loss_NL, mask_NL):
    """Dr. GRPO: sums over a constant, then the mean over rollouts."""
    return (loss_NL * mask_NL).sum() / (64 * len(mask_NL))


AGGREGATIONS = {"token": (token_mean, {}), "rollout": (rollout_mean, {}), "constant": (constant_sum, {"aggregation_constant": 64})}


def clipped(ratio_NL, advantage_NL, low, high, dual=None):
    loss_NL = torch.maximum(-ratio_NL * advantage_NL, -ratio_NL.clamp(1 - low, 1 + high) * advantage_NL)
    return loss_NL if dual is None else torch.where(advantage_NL < 0, torch.minimum(loss_NL, -dual * advantage_NL), loss_NL)


@SEEDS
@pytest.mark.parametrize("aggregation", AGGREGATIONS)
@compared(
    "loss pg_clip",
    "aggregation",
    source="verl, core_algos.compute_policy_loss_vanilla and agg_loss; TRL, GRPOTrainer (grpo, dapo, dr_grpo); OpenRLHF, PolicyLoss; "
    "slime, ppo_utils.compute_policy_loss; understand-r1-zero, train_zero_math.py",
)
def test_the_clipped_loss(seed, aggregation):
    case = draw(seed)
    advantage_NL = advantages(case, per_token=True)
    reduce, options = AGGREGATIONS[aggregation]

    def theirs(new_NL):
        return reduce(clipped((new_NL - case.old_NL).exp(), advantage_NL, 0.2, 0.28), case.mask_NL)

    same_losses(our_loss("pg_clip", case, advantage_NL, aggregation=aggregation, **options), theirs, case)


@SEEDS
@compared(
    "dual clip",
    source="verl, core_algos.compute_policy_loss_vanilla (clip_ratio_c); OpenRLHF, PolicyLoss; slime, ppo_utils.compute_policy_loss",
)
def test_the_dual_clip(seed):
    case = draw(seed, spread=1.5)
    advantage_NL = advantages(case)

    def theirs(new_NL):
        return token_mean(clipped((new_NL - case.old_NL).exp(), advantage_NL, 0.2, 0.2, 3.0), case.mask_NL)

    same_losses(our_loss("pg_clip", case, advantage_NL, clip_high=0.2, dual_clip=3.0), theirs, case)


@SEEDS
@compared(
    "loss gspo",
    source="verl, core_algos.compute_policy_loss_gspo; TRL, GRPOTrainer (importance_sampling_level 'sequence'); slime, ppo_utils.compute_gspo_kl",
)
def test_gspo_with_both_ways_to_the_gradient(seed):
    case = draw(seed, spread=0.3)
    advantage_NL = advantages(case)

    def by_token(new_NL):  # verl: the rollout's ratio without gradient times new / sg(new)
        mean_N = ((new_NL - case.old_NL) * case.mask_NL).sum(1) / case.mask_NL.sum(1)
        ratio_NL = (mean_N.detach()[:, None] + new_NL - new_NL.detach()).exp()
        return rollout_mean(clipped(ratio_NL, advantage_NL, 0.05, 0.08), case.mask_NL)

    def by_rollout(new_NL):  # TRL: the rollout's ratio itself
        mean_N = ((new_NL - case.old_NL) * case.mask_NL).sum(1) / case.mask_NL.sum(1)
        return rollout_mean(clipped(mean_N.exp()[:, None].expand(12, 10), advantage_NL, 0.05, 0.08), case.mask_NL)

    ours = our_loss("gspo", case, advantage_NL, clip_low=0.05, clip_high=0.08)
    same_losses(ours, by_token, case)
    same_losses(ours, by_rollout, case)


@SEEDS
@compared("loss cispo", source="verl, core_algos.compute_policy_loss_cispo; slime, ppo_utils.compute_cispo_loss; TRL, GRPOTrainer (cispo)")
def test_cispo(seed):
    case = draw(seed, spread=1.5)
    advantage_NL = advantages(case, per_token=True)

    def with_both_bounds(new_NL):
        weight_NL = (new_NL - case.old_NL).exp().clamp(0.8, 1.28).detach()
        return token_mean(-weight_NL * advantage_NL * new_NL, case.mask_NL)

    def with_the_upper_bound(new_NL):  # TRL: epsilon_high is the bound itself, 5 in the paper of ScaleRL, and there is no lower one
        weight_NL = (new_NL - case.old_NL).exp().clamp(max=5.0).detach()
        return token_mean(-weight_NL * advantage_NL * new_NL, case.mask_NL)

    same_losses(our_loss("cispo", case, advantage_NL, clip_low=0.2, clip_high=0.28), with_both_bounds, case)
    same_losses(our_loss("cispo", case, advantage_NL), with_the_upper_bound, case)


@SEEDS
@compared("loss reinforce", source="GPG (AMAP-ML), R1-V grpo_trainer.py (pg_name gpg); verl, core_algos.compute_policy_loss_gpg")
def test_the_plain_policy_gradient(seed):
    case = draw(seed)
    advantage_NL = advantages(case)
    for aggregation, reduce in (("rollout", rollout_mean), ("token", token_mean)):
        same_losses(
            our_loss("reinforce", case, advantage_NL, aggregation=aggregation),
            lambda new_NL, reduce=reduce: reduce(-advantage_NL * new_NL, case.mask_NL),
            case,
        )


WEIGHTS = {
    "token truncate": {"tis_cap": 1.5, "tis_floor": 0.5},
    "token mask": {"tis_cap": 1.5, "tis_floor": 0.5, "tis_mode": "mask"},
    "sequence truncate": {"tis_cap": 2.0, "tis_level": "sequence"},
    "sequence mask": {"tis_cap": 2.0, "tis_level": "sequence", "tis_mode": "mask"},
}


@SEEDS
@pytest.mark.parametrize("kind", WEIGHTS)
@compared("truncated importance sampling", source="TRL, GRPOTrainer (vllm_importance_sampling_mode); OpenRLHF, PolicyLoss (tis, icepop)")
def test_importance_weights_between_engine_and_trainer(seed, kind):
    case, options = draw(seed), WEIGHTS[kind]
    advantage_NL = advantages(case)
    log_NL = (case.old_NL - case.rollout_NL) * case.mask_NL
    weight_NL = (log_NL if kind.startswith("token") else log_NL.sum(1, keepdim=True).expand(12, 10)).exp()
    low, high = options.get("tis_floor", 0.0), options["tis_cap"]
    if kind.endswith("mask"):
        weight_NL = weight_NL * ((weight_NL >= low) & (weight_NL <= high))
    else:
        weight_NL = weight_NL.clamp(low, high)
    assert ((weight_NL == high) | (weight_NL == 0)).any()

    def theirs(new_NL):
        return token_mean(weight_NL * clipped((new_NL - case.old_NL).exp(), advantage_NL, 0.2, 0.28), case.mask_NL)

    same_losses(our_loss("pg_clip", case, advantage_NL, **options), theirs, case)


ESTIMATORS = {"k1": lambda d: d, "k2": lambda d: d.square() / 2, "k3": lambda d: (-d).exp() - 1 + d}


@SEEDS
@pytest.mark.parametrize("estimator", ESTIMATORS)
@compared(
    "KL penalty",
    source="verl, core_algos.kl_penalty_forward; TRL, GRPOTrainer (beta); OpenRLHF, compute_approx_kl; slime, ppo_utils.compute_approx_kl",
)
def test_the_kl_penalty(seed, estimator):
    case = draw(seed)

    def theirs(new_NL):
        return 0.3 * token_mean(ESTIMATORS[estimator](new_NL - case.ref_NL), case.mask_NL)

    def ours(new_NL):
        return kl_penalty(case.pack(new_NL), case.batch, KlOptions(estimator=estimator, coef=0.3))[0]

    same_losses(ours, theirs, case)


@SEEDS
@compared("value loss", source="verl, core_algos.compute_value_loss; OpenRLHF, ValueLoss")
def test_the_value_loss(seed):
    case = draw(seed)
    old_NL = case.table(case.batch.value_T)
    return_NL = old_NL + torch.randn(12, 10, generator=torch.Generator().manual_seed(3))

    def theirs(new_NL):
        limited_NL = new_NL.clamp(old_NL - 0.2, old_NL + 0.2)
        return 0.5 * token_mean(torch.maximum((new_NL - return_NL).square(), (limited_NL - return_NL).square()), case.mask_NL)

    def ours(new_NL):
        return value_loss(case.pack(new_NL), case.batch, case.pack(return_NL), ValueOptions(clip_range=0.2))[0]

    same_losses(ours, theirs, case)


@SEEDS
@compared("high-entropy tokens", source="TRL, GRPOTrainer.get_high_entropy_mask (top_entropy_quantile)")
def test_high_entropy_tokens_and_the_divisor(seed):
    """TRL divides by all tokens, as the paper's formula does; ours by the kept ones, so its gradients are larger by a constant."""
    case = draw(seed)
    advantage_NL = advantages(case)
    entropy_NL = torch.rand(12, 10, generator=torch.Generator().manual_seed(seed + 5))
    threshold = entropy_NL[case.mask_NL.bool()].quantile(0.8)
    high_NL = (entropy_NL >= threshold) * case.mask_NL
    kept = replace(case, batch=entropy_mask(case.pack(entropy_NL), case.batch, EntropyMaskOptions(top_fraction=0.2)))
    ours_NL = case.table(used_T(kept.batch)).float()
    assert (ours_NL != high_NL).sum() <= 1  # a quantile between two tokens may fall on either side
    fraction = ours_NL.sum() / case.mask_NL.sum()

    def theirs(new_NL):
        return token_mean(ours_NL * clipped((new_NL - case.old_NL).exp(), advantage_NL, 0.2, 0.28), case.mask_NL)

    loss = our_loss("pg_clip", kept, advantage_NL)
    same_losses(lambda new_NL: fraction * loss(new_NL), theirs, case)
