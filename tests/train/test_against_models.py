"""Losses with a second model, a self-reward or a reference answer against their authors' code, and certainty from logits."""

from dataclasses import replace

import pytest

torch = pytest.importorskip("torch", reason="the trainer needs torch")

from torch.nn.functional import binary_cross_entropy, kl_div
from train.source_cases import compared, draw, our_loss, same_losses, same_values

from rlgym.train.config.hidden_states import EffectiveRankConfig, FlowRewardConfig
from rlgym.train.config.rewards import ProcessModelConfig, SelfRewardConfig
from rlgym.train.losses.auxiliary import reference_likelihood, self_reward_advantage, self_reward_loss, self_rewards_N
from rlgym.train.losses.common import LossOptions
from rlgym.train.rollout.prefix_values import potential
from rlgym.train.update.flow_reward import chosen_deviations
from rlgym.train.update.hidden_states import RankMetrics, effective_rank, rank_bonus
from rlgym.train.update.process_model import outcome_loss, process_rewards_T
from rlgym.train.update.self_distillation import divergence_S, with_rest

SEEDS = pytest.mark.parametrize("seed", [0, 1])


@SEEDS
@compared("process model", source="verl-recipe, prime/prime_core_algos.compute_ce_dpo_loss_rm and prime_dp_rm.prime_norm (batch_norm)")
def test_the_process_model_of_prime(seed):
    case = draw(seed, binary=True)
    options = ProcessModelConfig(scale=0.05, normalize=True)

    def theirs(new_NL):
        chance_N = (0.05 * ((new_NL - case.ref_NL) * case.mask_NL).sum(1)).sigmoid()
        return binary_cross_entropy(chance_N, case.reward_N)

    same_losses(lambda new_NL: outcome_loss(case.pack(new_NL), case.batch, options)[0], theirs, case)
    score_NL = 0.05 * (case.new_NL - case.ref_NL) * case.mask_NL
    return_NL = score_NL.flip(1).cumsum(1).flip(1)
    ours_NL = case.table(process_rewards_T(case.pack(case.new_NL), case.batch, options))
    same_values(ours_NL, score_NL / (return_NL.abs().max() + 1e-6))


@SEEDS
@pytest.mark.parametrize("alpha", [0.0, 0.3, 0.5, 1.0])
@compared("self-distillation", source="SDPO (lasgroup), core_algos.compute_self_distillation_loss (distillation_topk, add_tail)")
def test_the_divergence_of_self_distillation(seed, alpha):
    random = torch.Generator().manual_seed(seed)
    student = torch.randn(6, 20, generator=random, requires_grad=True)
    teacher = torch.randn(6, 20, generator=random).log_softmax(1)[:, :5]

    def tail(logprob):
        rest = torch.log(-torch.expm1(logprob.logsumexp(1, keepdim=True).clamp(max=-1e-7)))
        return torch.cat([logprob, rest], 1)

    def theirs():
        p, q = tail(student.log_softmax(1)[:, :5]), tail(teacher)
        if alpha == 0:
            return kl_div(p, q, reduction="none", log_target=True).sum(1)
        if alpha == 1:
            return kl_div(q, p, reduction="none", log_target=True).sum(1)
        mixture = ((1 - alpha) * p.exp() + alpha * q.exp()).log()
        return sum(share * kl_div(mixture, part, reduction="none", log_target=True).sum(1) for share, part in ((1 - alpha, p), (alpha, q)))

    ours = divergence_S(with_rest(student.log_softmax(1)[:, :5]), with_rest(teacher), alpha)
    same_values(ours.detach(), theirs().detach(), 1e-4)
    gradients = [torch.autograd.grad(loss.mean(), student, retain_graph=True)[0] for loss in (ours, theirs())]
    same_values(gradients[0], gradients[1], 1e-4)
    assert gradients[0].abs().max() > 1e-3


def with_self_rewards(case):
    """The case with the last sampled token of the odd rollouts as a token of self-rewards of the rollout before."""
    odd_N = torch.arange(12) % 2 == 1
    verdict_N = torch.where(odd_N, case.reward_N.roll(1), torch.nan)
    mask_NL = torch.where(odd_N[:, None], case.last_NL, case.mask_NL)
    batch = replace(case.batch, verdict_N=verdict_N, valid_N=~odd_N, loss_mask_T=case.pack(mask_NL) > 0)
    return replace(case, batch=batch), odd_N


@SEEDS
@pytest.mark.parametrize("balance", [False, True])
@compared(
    "self-reward",
    source="LaSeR (RUCBM), workers/actor/dp_actor.py and trainer/ppo/ray_trainer.py (self_reward_loss_balanced, self_rewarding_advantages)",
)
def test_last_token_self_rewards(seed, balance):
    """Their standard deviation has n - 1, so the part of the self-rewards is larger here by a constant."""
    case, odd_N = with_self_rewards(draw(seed, binary=True))
    options = SelfRewardConfig(token=3, coef=0.1, scale=0.4, balance=balance, advantage_weight=0.25, min_std=0.05)
    last_NL, verdict = case.last_NL, case.batch.verdict_N[odd_N]

    def predicted(table_NL):
        return (0.4 * (table_NL + 1.5) * last_NL).sum(1)[odd_N]

    def theirs(new_NL):
        weight = torch.ones(6)
        if balance:
            weight = torch.where(verdict == 1, 6 / (2 * verdict.sum()), 6 / (2 * (1 - verdict).sum()))
        return 0.1 * ((predicted(new_NL) - verdict).square() * weight).mean()

    same_losses(lambda new_NL: self_reward_loss(case.pack(new_NL), case.batch, options, -1.5)[0], theirs, case)

    score = predicted(case.old_NL).clamp(0, 1).reshape(3, 2)
    advantage_NL = torch.randn(12, 10, generator=torch.Generator().manual_seed(7)).where(case.inside_NL, 0.0)
    score_N = self_rewards_N(case.batch.old_logprobs_T, case.batch, options, -1.5)
    owners = torch.arange(0, 12, 2).tolist()
    ours_NL = case.table(self_reward_advantage(case.pack(advantage_NL), case.batch, options, score_N, owners))
    spread = score.std(1, correction=0, keepdim=True)
    standard = ((score - score.mean(1, keepdim=True)) / spread).reshape(6, 1)
    mixed = torch.where((spread > 0.05).expand(3, 2).reshape(6, 1), 0.75 * advantage_NL[~odd_N] + 0.25 * standard, advantage_NL[~odd_N])
    same_values(ours_NL[~odd_N] * case.mask_NL[~odd_N], mixed * case.mask_NL[~odd_N], 1e-4)
    assert (spread > 0.05).any()


@SEEDS
@compared("reference answers", source="VeriFree, verifree.py (pg_loss by the advantage of rloo, sft_loss by the reward)")
def test_the_two_parts_of_verifree(seed):
    """The last rollout of a group stands for a reference answer, whose tokens weigh its probability; both parts are means over responses."""
    case = draw(seed)
    answer_N = torch.arange(12) % 4 == 3
    weight_NL = torch.where(answer_N[:, None], case.reward_N[:, None] * case.mask_NL, torch.zeros(()))
    case = replace(case, batch=replace(case.batch, valid_N=~answer_N, answer_weight_T=case.pack(weight_NL)))
    advantage_NL = torch.randn(12, 1, generator=torch.Generator().manual_seed(5)).expand(12, 10)
    options = {"aggregation": "constant", "aggregation_constant": 1}
    policy_part = our_loss("reinforce", case, advantage_NL, **options)

    def ours(new_NL):
        return policy_part(new_NL) + reference_likelihood(case.pack(new_NL), case.batch, LossOptions.from_dict(options))[0]

    def theirs(new_NL):
        thought = (-advantage_NL * new_NL * case.mask_NL).sum(1)[~answer_N].mean()
        answered = (-case.reward_N[:, None] * new_NL * case.mask_NL).sum(1)[answer_N].sum() / 9
        return thought + answered

    same_losses(ours, theirs, case)


@compared("intrinsic reward self_certainty", source="Intuitor, verl/utils/torch_functional.self_certainty_from_logits")
def test_self_certainty_is_theirs_less_a_constant(tmp_path):
    """logsumexp - mean of the logits; KL(uniform || pi) is log V less, which no advantage over a group sees."""
    from train.small_models import small_model

    from rlgym.train.model.logprobs import self_certainties
    from rlgym.train.model.packing import pack
    from rlgym.train.model.pretrained import load_model

    small_model(tmp_path, num_layers=1, hidden_size=32)
    model = load_model(tmp_path)
    packed = pack([[3, 7, 1, 9]])
    ours_T, _ = self_certainties(model, packed)
    logits_TV = model.logits(model(packed.tokens_T, packed.positions_T, packed.attention)).detach()
    theirs_T = logits_TV.logsumexp(1) - logits_TV.mean(1)
    same_values(ours_T[1:], theirs_T[:-1] - torch.tensor(float(logits_TV.shape[1])).log(), 1e-4)


@SEEDS
@compared("flow reward", source="RLFR, openrlhf/models/utils.normalize_flow_score (minmax), postprocess_flow_score and compute_reward")
def test_which_deviations_cost(seed):
    """Scaled over the response, above a threshold, the largest ones. They find the least score as the second least of a row with padding."""
    random = torch.Generator().manual_seed(seed)
    score_S = torch.rand(30, generator=random)
    for top in (4, 15):
        options = FlowRewardConfig(threshold=0.6, top_tokens=top)
        scaled_S = (score_S - score_S.min()) / (score_S.max() - score_S.min())
        kept_S = torch.where(scaled_S > 0.6, scaled_S, 0.0)
        if torch.count_nonzero(kept_S) >= top:
            values, places = kept_S.topk(top)
            kept_S = torch.zeros(30).scatter(0, places, values)
        same_values(chosen_deviations(score_S, options), kept_S)


@SEEDS
@compared(
    "effective rank",
    source="VERL (hf618), trainer/metrics_utils.compute_single_effective_rank (full) and reward_manager_versions.py (PlanB, weights of train.sh)",
)
def test_the_effective_rank_and_its_bonus(seed):
    """Relative deviations are clipped to 5 in size there, where tanh is 0.9999; how often the rank is measured along a response is not compared."""
    random = torch.Generator().manual_seed(seed)
    hidden_LE = torch.randn(12, 8, generator=random)
    share = torch.linalg.svdvals(hidden_LE - hidden_LE.mean(0, keepdim=True))
    share = share / (share.sum() + 1e-8)
    assert effective_rank(hidden_LE) == pytest.approx(float(torch.exp(-(share * torch.log(share + 1e-8)).sum())), rel=1e-4)
    values, averages = torch.rand(3, generator=random) * 4, torch.rand(3, generator=random) * 4 + 1
    options = EffectiveRankConfig(gain=2.0)
    rank, velocity, acceleration = (values - averages) / (averages.abs() + 1e-8)
    tendency = torch.sigmoid(2.0 * acceleration)
    theirs = tendency * torch.tanh(rank) + (1 - tendency) * torch.tanh(velocity)
    assert rank_bonus(RankMetrics(*values.tolist()), tuple(averages.tolist()), options) == pytest.approx(float(theirs), rel=1e-4)


@compared("step potential", source="SPAE-RL, inference/probe_mechanism_example.py")
def test_the_step_potential():
    for success, confidence in ((0.0, 0.0), (0.3, 0.7), (1.0, 1.0), (0.0, 1.0)):
        assert potential(success, confidence) == pytest.approx(1.5 * success * confidence + 0.5 * success - confidence)
