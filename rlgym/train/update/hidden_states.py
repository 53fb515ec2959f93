"""Advantages from hidden states: the influence of a token on right responses, and the rank of what a response explores.

Axes: T tokens of all rollouts, N rollouts, S scored tokens of a chunk, E width, V vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from math import exp, tanh
from typing import TYPE_CHECKING, Any

import torch

from rlgym.train.advantages.per_rollout import SignOptions, right_N
from rlgym.train.data.collate import select_rollouts
from rlgym.train.data.segment_sums import used_T
from rlgym.train.model.decoder import matmul_float32
from rlgym.train.model.logprobs import scored_chunks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from rlgym.train.config.hidden_states import EffectiveRankConfig, TokenInfluenceConfig
    from rlgym.train.data.batch import Batch
    from rlgym.train.model.backend import PolicyModel
    from rlgym.train.model.packing import Pack
    from rlgym.train.update.policy import PolicyForward

Scores = tuple["Tensor", "Tensor"]


# --- the influence of a token on right responses


def token_influence(policy: PolicyForward, batch: Batch, success_threshold: float = 0.5) -> Tensor:
    """By how much a step up the log-probability of each used token raises those of the right responses of its group, seen in the output head alone.

        sum over the tokens k' of right responses of <e(y_k) - pi_k, e(y_k') - pi_k'> <h_k, h_k'>

    with h the hidden state from which a token is drawn. The sum is the product with the gradient of the right responses' log-likelihood with respect
    to the head: two passes over each group that has a right response. 0 for groups without one.
    """
    influence_T = torch.zeros_like(batch.rollout_logprobs_T)
    right = right_N(batch, SignOptions(success_threshold=success_threshold)) & batch.valid_N
    for group in batch.group_N[right].unique().tolist():
        member_N = batch.group_N == group
        part = select_rollouts(batch, member_N)
        gradient_VE = torch.zeros_like(policy.model.head_VE, dtype=torch.float32)
        of_right = replace(part, loss_mask_T=part.loss_mask_T & right[member_N][part.rollout_T])
        policy.measure(of_right, partial(_add_head_gradient, gradient_VE))
        gradient_VE = policy.process_group.all_reduce(gradient_VE)
        influence_T[member_N[batch.rollout_T]] = policy.measure(part, partial(_products, gradient_VE))
    return influence_T.where(used_T(batch), 0.0)


def _add_head_gradient(
    gradient_VE: Tensor, model: PolicyModel, pack: Pack, score_mask_T: Tensor | None, temperature: float, hidden_TE: Tensor | None
) -> Scores:
    """Add the sum over the scored tokens of (e(y) - pi) h^T to the gradient."""
    for _, hidden_SE, logits_SV, target_S in scored_chunks(model, pack, score_mask_T, temperature, hidden_TE):
        residual_SV = -torch.softmax(logits_SV, 1)
        residual_SV[torch.arange(len(target_S)), target_S] += 1
        gradient_VE += residual_SV.t() @ hidden_SE.float()
    zero_T = torch.zeros(len(pack.tokens_T), device=pack.tokens_T.device)
    return zero_T, zero_T


def _products(
    gradient_VE: Tensor, model: PolicyModel, pack: Pack, score_mask_T: Tensor | None, temperature: float, hidden_TE: Tensor | None
) -> Scores:
    """(e(y) - pi)^T gradient h at each scored token."""
    found_T = torch.zeros(len(pack.tokens_T), device=pack.tokens_T.device)
    for index_S, hidden_SE, logits_SV, target_S in scored_chunks(model, pack, score_mask_T, temperature, hidden_TE):
        moved_SV = matmul_float32(hidden_SE.float(), gradient_VE)
        expected_S = (torch.softmax(logits_SV, 1) * moved_SV).sum(1)
        found_T[index_S] = moved_SV.gather(1, target_S[:, None]).squeeze(1) - expected_S
    return found_T, torch.zeros_like(found_T)


def influence_advantage(advantage_T: Tensor, influence_T: Tensor, options: TokenInfluenceConfig) -> tuple[Tensor, dict[str, float]]:
    """A (1 + strength sign(hidden reward)) at tokens whose hidden reward sign(A) influence exceeds the threshold in size; the others as `others` says.

    A positive strength favours tokens that make right responses of the group likelier, which sharpens; a negative one keeps other answers alive. From
    "Token Hidden Reward: Steering Exploration-Exploitation in Group Relative Deep Reinforcement Learning".
    """
    reward_T = advantage_T.sign() * influence_T
    chosen_T = reward_T.abs() > options.threshold
    changed_T = advantage_T * (1 + options.strength * reward_T.sign())
    out_T = changed_T.where(chosen_T, advantage_T if options.others == "kept" else 0.0)
    acts_T = advantage_T != 0
    count = acts_T.sum().clamp(min=1)
    share = float((chosen_T & acts_T).sum() / count)
    return out_T, {"influence_tokens": share, "influence_positive": float(((reward_T > 0) & chosen_T & acts_T).sum() / count)}


# --- the effective rank of a response


@dataclass(frozen=True)
class RankMetrics:
    """Of one response: the effective rank of its hidden states, and the mean of its first and second differences along the response."""

    rank: float
    velocity: float
    acceleration: float


def effective_rank(hidden_LE: Tensor) -> float:
    """exp of the entropy of the singular values of the centred rows, divided by their sum; 0 for fewer than two rows."""
    if len(hidden_LE) < 2:
        return 0.0
    values = torch.linalg.svdvals((hidden_LE - hidden_LE.mean(0)).float())
    share = values / (values.sum() + 1e-8)
    return exp(float(-(share * (share + 1e-8).log()).sum()))


def rank_metrics(hidden_LE: Tensor, stride: int) -> RankMetrics:
    """The rank of a response, and how it grows: the rank after each stride, and at the end, less the mean of those before; and the change of that."""
    rank = effective_rank(hidden_LE)
    ends = range(stride, len(hidden_LE) + 1, stride)
    ranks = [effective_rank(hidden_LE[:end]) for end in ends]
    if not ranks or ends[-1] < len(hidden_LE) - 1:
        ranks.append(rank)
    differences = [ranks[place] - sum(ranks[:place]) / place for place in range(1, len(ranks))]
    changes = [later - earlier for earlier, later in pairwise(differences)]
    return RankMetrics(rank, _mean(differences), _mean(changes))


def hidden_states(policy: PolicyForward, batch: Batch) -> list[Tensor]:
    """The hidden states from which the used tokens of each rollout are drawn, [L, E]."""
    hidden_TE, used = policy.measure(batch, _states, width=policy.model.head_VE.shape[1]), used_T(batch)
    return [hidden_TE[used & (batch.rollout_T == number)] for number in range(len(batch.reward_N))]


def _states(model: PolicyModel, pack: Pack, score_mask_T: Tensor | None, temperature: float, hidden_TE: Tensor | None) -> Scores:
    zero_T = torch.zeros(len(pack.tokens_T), device=pack.tokens_T.device)
    found_TE = zero_T.new_zeros(len(pack.tokens_T), model.head_VE.shape[1])
    for index_S, hidden_SE, _, _ in scored_chunks(model, pack, score_mask_T, temperature, hidden_TE):
        found_TE[index_S] = hidden_SE.float()
    return found_TE, zero_T


@dataclass
class RankTracker:
    """Moving averages of the three metrics over responses; None before the first step. Part of a checkpoint."""

    averages: tuple[float, float, float] | None = None

    def update(self, metrics: Sequence[RankMetrics], decay: float) -> None:
        """Count the responses of a step."""
        if not metrics:
            return
        means = tuple(_mean([values[place] for values in map(_triple, metrics)]) for place in range(3))
        before = self.averages or means
        rank, velocity, acceleration = (decay * old + (1 - decay) * new for old, new in zip(before, means, strict=True))
        self.averages = (rank, velocity, acceleration)

    def state_dict(self) -> list[float] | None:
        """For a checkpoint."""
        return None if self.averages is None else list(self.averages)

    @classmethod
    def from_state_dict(cls, state: Any) -> RankTracker:
        """Restore a `state_dict`."""
        return cls(None if state is None else (state[0], state[1], state[2]))


def rank_bonus(metrics: RankMetrics, averages: tuple[float, float, float], options: EffectiveRankConfig) -> float:
    """w tanh(d of the rank) + (1 - w) tanh(d of the velocity), w = sigmoid(gain d of the acceleration), d the relative deviation from the average.

    Where ranks grow ever faster, exploring is paid by the rank itself; where the growth slows down, by its velocity.
    """
    rank, velocity, acceleration = (
        (value - average) / (abs(average) + 1e-8) for value, average in zip(_triple(metrics), averages, strict=True)
    )
    weight = 1 / (1 + exp(-max(-50.0, min(50.0, options.gain * acceleration))))
    return weight * tanh(rank) + (1 - weight) * tanh(velocity)


def rank_advantage(
    advantage_T: Tensor, batch: Batch, metrics: Sequence[RankMetrics], averages: tuple[float, float, float], options: EffectiveRankConfig
) -> Tensor:
    """A + min(max(bonus, 0), |A| / cap) at the used tokens: the bonus never turns the sign of an advantage.

    From "Beyond the Exploration-Exploitation Trade-off: A Hidden State Approach for LLM Reasoning in RLVR".
    """
    bonus_N = torch.tensor([max(0.0, rank_bonus(values, averages, options)) for values in metrics], device=advantage_T.device)
    added_T = torch.minimum(bonus_N[batch.rollout_T], advantage_T.abs() / options.cap)
    return advantage_T + added_T.where(used_T(batch), 0.0)


def mean_ranks(metrics: Sequence[RankMetrics]) -> dict[str, float]:
    """The means over responses, as metrics of a step."""
    names = ("effective_rank", "effective_rank_velocity", "effective_rank_acceleration")
    return {name: _mean([_triple(values)[place] for values in metrics]) for place, name in enumerate(names)}


def _triple(metrics: RankMetrics) -> tuple[float, float, float]:
    return metrics.rank, metrics.velocity, metrics.acceleration


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
