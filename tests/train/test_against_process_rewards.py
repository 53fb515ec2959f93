"""Advantages from process models, prefixes and bundles against their authors' code, on random batches."""

from dataclasses import replace
from itertools import pairwise
from math import sqrt

import pytest

torch = pytest.importorskip("torch", reason="the trainer needs torch")

from train.source_cases import compared, draw, our_advantage, same_values

from rlgym.train.advantages.set_based import MvarOptions, move_quantiles
from rlgym.train.data.segment_sums import used_T
from rlgym.train.registry import ADVANTAGES
from rlgym.train.rewards.token_rewards import KINDS

SEEDS = pytest.mark.parametrize("seed", [0, 1])


def leave_one_out(case, value_N):
    return case.per_group(value_N, lambda v: v - (v.sum() - v) / (len(v) - 1))


@SEEDS
@compared("advantage prime", source="verl-recipe, prime/prime_core_algos.compute_rloo_advantage_return")
def test_prime_is_theirs_up_to_the_whitening(seed):
    case = draw(seed, binary=True)
    mask_NL = case.mask_NL
    token_NL = case.table(case.batch.process_reward_T) * mask_NL
    mean_N = token_NL.sum(1) / mask_NL.sum(1)
    # A group's baseline is the sum of its rollouts' mean token rewards over n - 1; each token's reward is stretched by n / (n - 1).
    base_N = case.per_group(mean_N, lambda v: v.sum().expand(len(v)) / (len(v) - 1))
    process_NL = (token_NL * 4 / 3 - base_N[:, None]) * mask_NL
    outcome_NL = case.last_NL * leave_one_out(case, case.reward_N)[:, None]
    return_NL = (5 * outcome_NL + 0.5 * process_NL).flip(1).cumsum(1).flip(1) * mask_NL
    plain_NL = our_advantage("prime", case, process_weight=0.5, outcome_weight=5, whiten=False)
    same_values(plain_NL, return_NL, 1e-4)
    values = return_NL[mask_NL.bool()]
    whitened_NL = (return_NL - values.mean()) / (values.var(correction=1) + 1e-8).sqrt() * mask_NL
    count = mask_NL.sum()
    ours_NL = our_advantage("prime", case, process_weight=0.5, outcome_weight=5)
    same_values(ours_NL * ((count - 1) / count).sqrt(), whitened_NL, 1e-4)


@SEEDS
@compared("advantage oreal", source="OREAL (InternLM), train_oreal.py (threshold_rescale, pos_mult_adv, reward_shaping_type rloo)")
def test_oreal_in_the_gradients_of_its_loss(seed):
    """Their loss is a sum over right rollouts over all right tokens, and one over wrong ones; ours a mean over all tokens."""
    case = draw(seed, binary=True)
    mask_NL, right_N = case.mask_NL, case.reward_N > 0
    advantage_N = leave_one_out(case, case.reward_N)
    case = replace(case, batch=replace(case.batch, valid_N=torch.arange(12) < 8))  # the last group is all right, and filtered out by theirs
    mask_NL = mask_NL * case.batch.valid_N[:, None]
    place_NL = mask_NL.cumsum(1).clamp(min=1)
    probability_NL = ((case.table(case.batch.process_reward_T) * mask_NL).cumsum(1) / place_NL).sigmoid()
    loss_NL = torch.zeros_like(mask_NL)
    for chosen_N, weight_NL, factor in (
        (right_N, ((probability_NL - 0.5) / 0.5).clamp(0, 1), 1.0),
        (~right_N, ((1 - probability_NL - 0.5) / 0.5).clamp(0, 1), 0.5),
    ):
        kind_NL = mask_NL * chosen_N[:, None]
        loss_NL = loss_NL - kind_NL * weight_NL * advantage_N[:, None] * factor / kind_NL.sum()
    ours_NL = our_advantage("oreal", case, one_of_each=False)
    same_values(-ours_NL / mask_NL.sum(), loss_NL)


@SEEDS
@compared(
    "advantage min_form",
    source="PURE, utils.turn_process_reward_logits_to_reward and experience_maker.process_experiences (reward_baseline token)",
)
def test_min_form(seed):
    case = draw(seed, binary=True)
    random = torch.Generator().manual_seed(seed)
    step_NL = (torch.rand(12, 10, generator=random) < 0.4).long().cumsum(1) * case.inside_NL
    # Steps are numbered by the sampled tokens alone.
    names = [sorted(set(step_NL[n][case.mask_NL[n].bool()].tolist())) for n in range(12)]
    step_NL = torch.tensor([[names[n].index(int(s)) if case.mask_NL[n, t] else -1 for t, s in enumerate(step_NL[n])] for n in range(12)])
    reward_NS = torch.rand(12, 10, generator=random) * 2 - 1
    token_NL = torch.zeros(12, 10)
    weighted, tokens = [], []
    for n in range(12):
        count = len(names[n])
        reward = reward_NS[n, :count]
        weighted.append(torch.softmax(-reward / 0.1, 0) * reward)
        tokens.append(torch.tensor([float((step_NL[n] == k).sum()) for k in range(count)]))
        for k in range(count):
            token_NL[n, int((step_NL[n] == k).nonzero().max())] = reward[k]
    total_N, length_N = torch.stack([w.sum() for w in weighted]), case.mask_NL.sum(1)
    base_N = case.per_group(total_N, lambda v: v.sum() - v) / case.per_group(length_N, lambda v: v.sum() - v)
    verifier_N = leave_one_out(case, case.reward_N - 1)
    theirs_NL = torch.zeros(12, 10)
    for n in range(12):
        credited = weighted[n] - base_N[n] * tokens[n]
        credited[-1] += verifier_N[n]
        return_S = credited.flip(0).cumsum(0).flip(0)
        theirs_NL[n] = torch.where(step_NL[n] >= 0, return_S[step_NL[n].clamp(min=0)], 0.0)
    packed = {"token_rewards_T": case.pack(token_NL), "segment_T": case.pack(step_NL), "kind_T": case.pack(step_NL) * 0}
    case = replace(case, batch=replace(case.batch, **packed))
    same_values(our_advantage("min_form", case), theirs_NL, 1e-4)


@SEEDS
@compared("advantage budget_relative", source="AnytimeReasoner, verl/trainer/ppo/brpo.compute_cot_advantage")
def test_budget_relative(seed):
    case, budgets = draw(seed), 4
    random = torch.Generator().manual_seed(seed)
    value_NM = torch.rand(12, budgets, generator=random)
    # Four cuts in each rollout of exactly four tokens: one token for a budget.
    value_NM = value_NM.double().float()
    batch = replace(
        case.batch,
        **{name: torch.zeros(48) for name in ("rollout_logprobs_T", "old_logprobs_T")},
        tokens_T=torch.arange(48),
        rollout_T=torch.arange(12).repeat_interleave(4),
        loss_mask_T=torch.ones(48, dtype=torch.bool),
        token_rewards_T=value_NM.diff(prepend=torch.zeros(12, 1), dim=1).flatten(),
        segment_T=torch.arange(4).repeat(12),
        kind_T=torch.zeros(48, dtype=torch.long),
        ref_logprobs_T=None,
        value_T=None,
        process_reward_T=None,
    )
    share, theirs_NM = 1 / budgets, torch.zeros(12, budgets)
    for members in case.groups:
        for s in range(budgets):
            return_n = (value_NM[members, s:] * share).sum(1)
            own_n = torch.zeros(len(members))
            if s:
                weight = 2.0 ** torch.arange(s)
                own_n = (value_NM[members, :s] * weight).sum(1) / weight.sum() * share * (budgets - s)
            theirs_NM[members, s] = return_n - (s * own_n + (budgets - s) * return_n.mean()) / budgets
    chosen = ADVANTAGES["budget_relative"]
    assert used_T(batch).all()
    same_values(chosen(batch, chosen.options()).reshape(12, 4), theirs_NM, 1e-4)


@SEEDS
@compared(
    "advantage mvar",
    source="RiskPO, core_algos.compute_grpo_bundle_rvar_outcome_advantage_quantile_tracking (track, use_mixing_risk_measure, no division by the deviation)",
)
def test_mixed_value_at_risk_with_tracked_quantiles(seed):
    case = draw(seed)
    score_N = case.reward_N.reshape(3, 4).sum(0).repeat(3)  # the i-th rollouts of the three tasks are one bundle
    low, high, levels = 1.1, 1.9, (0.2, 0.9)
    middle_N = ((score_N - low).clamp(min=0) - (score_N - high).clamp(min=0) + low - high) / (levels[1] - levels[0] + 1e-6)
    tail_N = -(low - score_N).clamp(min=0) / (levels[0] + 1e-6)
    theirs_N = (1.5 * tail_N + middle_N) / 2.5
    same_values(our_advantage("mvar", case, bundle_size=3, tracked_quantiles=(low, high)), theirs_N[:, None] * case.mask_NL, 1e-4)


@SEEDS
@compared("advantage rlvmr", source="RLVMR (digitalhuman), rlvmr/core_rlvmr.compute_rlvmr_outcome_advantage (mean_std_norm)")
def test_meta_reasoning_rewards_by_group_and_tag(seed):
    """Their deviations have n - 1; a turn that is alone with its tag keeps its raw reward there, and gets none here."""
    case = draw(seed, binary=True)
    random = torch.Generator().manual_seed(seed)
    planning = KINDS.index("planning")
    # Every sampled token is a turn of one of two tags.
    place_NL = (case.mask_NL.cumsum(1) - 1).long() * case.mask_NL.long() - (1 - case.mask_NL).long()
    kind_NL = planning + torch.randint(0, 2, (12, 10), generator=random)
    reward_NL = torch.rand(12, 10, generator=random) * case.mask_NL
    packed = {"token_rewards_T": case.pack(reward_NL), "segment_T": case.pack(place_NL), "kind_T": case.pack(kind_NL)}
    case = replace(case, batch=replace(case.batch, **packed))
    outcome_N = case.per_group(case.reward_N, lambda r: (r - r.mean()) / (r.std(correction=1) + 1e-6) * sqrt(4 / 3))
    theirs_NL = 0.25 * outcome_N[:, None] * case.mask_NL
    for members in case.groups:
        for tag in (planning, planning + 1):
            chosen = torch.zeros(12, 10, dtype=torch.bool)
            chosen[members] = (kind_NL[members] == tag) & (case.mask_NL[members] > 0)
            values = reward_NL[chosen]
            if len(values) > 1:
                constant = sqrt(len(values) / (len(values) - 1))
                theirs_NL[chosen] += 0.75 * constant * (values - values.mean()) / (values.std(correction=1) + 1e-6)
    same_values(our_advantage("rlvmr", case, trajectory_weight=0.25), theirs_NL, 1e-4)


@compared("advantage progress", source="VSRM-Efficient-LRMs, workers/rollout_postprocess.compute_step_reward")
def test_steps_without_a_change_take_part_of_the_next_one():
    """Theirs looks at most four steps ahead, ours to the end of the response; how step rewards enter the advantage is not compared."""
    rates = [0.2, 0.2, 0.2, 0.6, 0.6, 0.1, 0.1, 0.1]
    changes = [after - before for before, after in pairwise(rates)]
    theirs = []
    for place, change in enumerate(changes):
        later = next((k for k in range(place, len(changes)) if abs(changes[k]) >= 1e-5), None)
        theirs.append(change if later == place else 0.0 if later is None else changes[later] * 0.7 ** (later - place))
    case = draw(0)
    count = len(changes)
    batch = replace(
        case.batch,
        tokens_T=torch.arange(count),
        rollout_T=torch.zeros(count, dtype=torch.long),
        loss_mask_T=torch.ones(count, dtype=torch.bool),
        rollout_logprobs_T=torch.zeros(count),
        old_logprobs_T=torch.zeros(count),
        reward_N=torch.ones(1),
        group_N=torch.zeros(1, dtype=torch.long),
        valid_N=torch.ones(1, dtype=torch.bool),
        truncated_N=torch.zeros(1, dtype=torch.bool),
        token_rewards_T=torch.tensor(changes),
        segment_T=torch.arange(count),
        kind_T=torch.zeros(count, dtype=torch.long),
        ref_logprobs_T=None,
        value_T=None,
        process_reward_T=None,
    )
    chosen = ADVANTAGES["progress"]
    same_values(chosen(batch, chosen.options(weight=1.0, decay=0.7, threshold=1e-5)), torch.tensor(theirs))


@SEEDS
@compared("quantile tracking", source="RiskPO, trainer/ppo/ray_trainer.py (lr_q: a step of gradient descent on the pinball loss)")
def test_tracked_quantiles_move_as_by_gradient_descent(seed):
    scores = torch.rand(20, generator=torch.Generator().manual_seed(seed)) * 5
    options, levels = MvarOptions(low_quantile=0.2, high_quantile=0.9), torch.tensor([0.2, 0.9])
    quantiles = torch.nn.Parameter(torch.tensor([1.5, 3.0]))
    optimizer = torch.optim.SGD([quantiles], lr=0.1)
    found = (1.5, 3.0)
    for _ in range(5):
        below = torch.stack([(scores < quantile).float().mean() for quantile in quantiles.detach()])
        quantiles.grad = below - levels
        optimizer.step()
        found = move_quantiles(found, scores, options, 0.1)
        assert found == pytest.approx(quantiles.tolist(), rel=1e-5)
