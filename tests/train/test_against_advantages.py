"""Advantages against the formulas of reference code, on random batches. Where a constant or an edge differs on purpose, the test states by how much."""

import pytest

torch = pytest.importorskip("torch", reason="the trainer needs torch")

from math import comb, sqrt

from train.source_cases import compared, draw, our_advantage, same_values

SEEDS = pytest.mark.parametrize("seed", [0, 1])


def whitened(value_NL, mask_NL, correction):
    """Mean 0 and variance 1 over the masked positions."""
    values = value_NL[mask_NL.bool()]
    return (value_NL - values.mean()) / values.std(correction=correction) * mask_NL


@SEEDS
@compared(
    "advantage grpo",
    source="verl, core_algos.compute_grpo_outcome_advantage; TRL, GRPOTrainer (scale_rewards='group'); OpenRLHF, RemoteExperienceMaker (group_norm)",
)
def test_grpo_is_theirs_times_a_constant(seed):
    # All three divide by a standard deviation with n - 1 and add 1e-6, 1e-4 and 1e-9; ours divides by n, as in the text of the docs.
    case = draw(seed)
    for epsilon in (1e-6, 1e-4, 1e-9):
        theirs_N = case.per_group(case.reward_N, lambda r, epsilon=epsilon: (r - r.mean()) / (r.std(correction=1) + epsilon))
        ours_NL = our_advantage("grpo", case, epsilon=epsilon * sqrt(3 / 4))
        same_values(ours_NL * sqrt(3 / 4), theirs_N[:, None] * case.mask_NL)


@SEEDS
@compared(
    "advantage dr_grpo", source="understand-r1-zero, train_zero_math.py (critic_type drgrpo); OpenRLHF, RemoteExperienceMaker (dr_grpo)"
)
def test_dr_grpo(seed):
    case = draw(seed)
    same_values(our_advantage("dr_grpo", case), case.per_group(case.reward_N, lambda r: r - r.mean())[:, None] * case.mask_NL)


@SEEDS
@compared(
    "advantage rloo", source="verl, core_algos.compute_rloo_outcome_advantage; TRL, RLOOTrainer; OpenRLHF, RemoteExperienceMaker (rloo)"
)
def test_rloo(seed):
    case = draw(seed)

    def centred(r):
        return r - (r.sum() - r) / (len(r) - 1)

    same_values(our_advantage("rloo", case), case.per_group(case.reward_N, centred)[:, None] * case.mask_NL)


@SEEDS
@compared(
    "advantage opo",
    source="LMOps, opo/verl/trainer/ppo/core_algos.compute_opo_outcome_advantage (optimal); verl, core_algos.compute_opo_outcome_advantage",
)
def test_opo(seed):
    case = draw(seed)
    length_N = case.mask_NL.sum(1)
    theirs_N = torch.zeros(12)
    for members in case.groups:
        reward, length = case.reward_N[members], length_N[members]
        theirs_N[members] = reward - (length * reward).sum() / length.sum()
    same_values(our_advantage("opo", case), theirs_N[:, None] * case.mask_NL)


@SEEDS
@compared("advantage gpg", source="GPG (AMAP-ML), R1-V grpo_trainer.py with adjust_gd")
def test_gpg(seed):
    # The loss is divided by the share of samples in groups whose rewards differ. verl's variant counts samples with a reward other than 0 instead.
    case = draw(seed, binary=True)
    useful = sum(float(case.reward_N[members].std() > 0) * len(members) for members in case.groups) / 12
    theirs_N = case.per_group(case.reward_N, lambda r: r - r.mean()) / useful
    assert useful < 1
    same_values(our_advantage("gpg", case), theirs_N[:, None] * case.mask_NL)


@SEEDS
@compared("advantage lite_ppo", source="ROLL, functionals.reward_norm (norm_mean_type 'group', norm_std_type 'batch')")
def test_lite_ppo_is_theirs_times_a_constant(seed):
    case = draw(seed)
    std = case.reward_N.std(correction=1)
    theirs_N = case.per_group(case.reward_N, lambda r: r - r.mean()) / (std + 1e-6)
    ours_NL = our_advantage("lite_ppo", case, epsilon=1e-6 * sqrt(11 / 12))
    same_values(ours_NL * sqrt(11 / 12), theirs_N[:, None] * case.mask_NL)


def reward_to_go(case, reward_N, kl_coef):
    """The reward at the last sampled token minus kl_coef (old - ref) at every token, summed from the end."""
    token_NL = (case.last_NL * reward_N[:, None] - kl_coef * (case.old_NL - case.ref_NL)) * case.mask_NL
    return token_NL.flip(1).cumsum(1).flip(1)


@SEEDS
@pytest.mark.parametrize("kl_coef", [0.0, 0.05])
@compared(
    "advantage reinforce_pp",
    source="OpenRLHF, RemoteExperienceMaker (reinforce); verl, core_algos.compute_reinforce_plus_plus_outcome_advantage; "
    "slime, ppo_utils.get_reinforce_plus_plus_returns",
)
def test_reinforce_plus_plus(seed, kl_coef):
    case = draw(seed)
    ours_NL = our_advantage("reinforce_pp", case, kl_coef=kl_coef)
    returns_NL = reward_to_go(case, case.reward_N, kl_coef)
    same_values(ours_NL, whitened(returns_NL, case.mask_NL, 0), 1e-4)  # OpenRLHF divides by the number of tokens
    count = case.mask_NL.sum()
    same_values(ours_NL * ((count - 1) / count).sqrt(), whitened(returns_NL, case.mask_NL, 1), 1e-4)  # verl by one less


@SEEDS
@compared(
    "advantage reinforce_pp",
    source="OpenRLHF, RemoteExperienceMaker (reinforce_baseline); verl, core_algos.compute_reinforce_plus_plus_baseline_outcome_advantage",
)
def test_reinforce_plus_plus_with_a_baseline(seed):
    case = draw(seed)
    centred_N = case.per_group(case.reward_N, lambda r: r - r.mean())
    ours_NL = our_advantage("reinforce_pp", case, group_baseline=True)
    same_values(ours_NL, whitened(centred_N[:, None] * case.mask_NL, case.mask_NL, 0), 1e-4)


@SEEDS
@pytest.mark.parametrize(("gamma", "lam"), [(1.0, 0.95), (0.97, 0.7), (1.0, 1.0)])
@compared("advantage ppo", source="verl, core_algos.compute_gae_advantage_return")
def test_gae_skips_tokens_that_the_policy_did_not_sample(seed, gamma, lam):
    from rlgym.train.advantages.per_token import PpoOptions, returns

    case = draw(seed)
    value_NL, reward_NL = case.table(case.batch.value_T), case.last_NL * case.reward_N[:, None]
    following_N = last_N = torch.zeros(12)
    columns = []
    for place in reversed(range(10)):
        kept_N = case.mask_NL[:, place]
        delta_N = reward_NL[:, place] + gamma * following_N - value_NL[:, place]
        last_N = kept_N * (delta_N + gamma * lam * last_N) + (1 - kept_N) * last_N
        following_N = kept_N * value_NL[:, place] + (1 - kept_N) * following_N
        columns.append(last_N)
    theirs_NL = torch.stack(columns[::-1], 1)
    same_values(our_advantage("ppo", case, gamma=gamma, gae_lambda=lam, whiten=False), theirs_NL * case.mask_NL)
    count = case.mask_NL.sum()
    ours_NL = our_advantage("ppo", case, gamma=gamma, gae_lambda=lam)
    same_values(ours_NL * ((count - 1) / count).sqrt(), whitened(theirs_NL, case.mask_NL, 1), 1e-4)
    target_NL = case.table(returns(case.batch, PpoOptions(gamma=gamma, gae_lambda=lam)))
    same_values(target_NL, (theirs_NL + value_NL) * case.mask_NL)


@SEEDS
@pytest.mark.parametrize("k", [1, 2, 3])
@compared("advantage pass_at_k", source="Passk_Training (RUCAIBox), code/passk_adv.py calc_adv")
def test_pass_at_k(seed, k):
    case = draw(seed, binary=True)

    def analytic(reward):
        right, n = int(reward.sum()), len(reward)
        rate = 1 - comb(n - right, k) / comb(n, k)
        sigma = sqrt(rate * (1 - rate)) + 1e-6
        wrong = (1 - rate - comb(max(0, n - right - 1), k - 1) / comb(n - 1, k - 1)) / sigma
        return torch.where(reward == 1, (1 - rate) / sigma, wrong)

    same_values(our_advantage("pass_at_k", case, k=k), case.per_group(case.reward_N, analytic)[:, None] * case.mask_NL, 1e-4)


@SEEDS
@compared("advantage rank_penalty", source="rewarding-unlikely-release, ray_lean_trainer.py (rank_penalty)")
def test_rank_penalty_is_theirs_times_a_constant(seed):
    case = draw(seed)
    likely_N = (case.old_NL * case.mask_NL).sum(1) / case.mask_NL.sum(1)
    theirs_N = torch.zeros(12)
    for members in case.groups:
        rank = likely_N[members].argsort().argsort() / len(members)
        paid = case.reward_N[members] * (1 - 0.25 * rank)
        theirs_N[members] = (paid - paid.mean()) / (paid.std(correction=1) + 1e-6)
    same_values(our_advantage("rank_penalty", case) * sqrt(3 / 4), theirs_N[:, None] * case.mask_NL, 1e-4)


@SEEDS
@compared("advantage psr", "advantage nsr", "advantage w_reinforce", source="RLVR-Decomposed, core_algos.compute_psr_nsr_outcome_advantage")
def test_positive_negative_and_weighted_reinforcement(seed):
    case = draw(seed, binary=True)
    return_NL = (case.last_NL * case.reward_N[:, None]).flip(1).cumsum(1).flip(1) * case.mask_NL
    wrong_NL = (1 - case.reward_N)[:, None] * case.mask_NL
    same_values(our_advantage("psr", case), return_NL)
    same_values(our_advantage("nsr", case), return_NL - case.mask_NL)
    same_values(our_advantage("w_reinforce", case, positive_weight=0.1), 0.1 * return_NL - wrong_NL)
