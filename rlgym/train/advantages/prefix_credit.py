"""Advantages from the values of a response's prefixes (`algorithm.token_rewards: {source: prefix_values}`).

Axes: T tokens of the whole pack, N rollouts, S spans of all rollouts, M cuts of a rollout.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from pydantic import Field

from rlgym.train.data.segment_sums import centred, group_count, group_sum, rewards_N, used_T
from rlgym.train.data.segments import spans_of, suffix_sum_S
from rlgym.train.registry import Options, advantage

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.data.batch import Batch
    from rlgym.train.data.segments import Spans


class SpaeOptions(Options):
    """Options of `spae`."""

    saturation: float = Field(0.9, gt=-1, le=1, description="a step whose potential exceeds this counts as saturated")
    decay: float = Field(0.5, ge=0, le=1, description="share of the outcome that steps after many saturated ones no longer get")
    weight: float = Field(0.5, ge=0, le=100, description="weight of the jumps of the potential")
    epsilon: float = Field(1e-6, ge=0, le=1, description="added to the standard deviation")


class BudgetRelativeOptions(Options):
    """Options of `budget_relative`."""

    discount: float = Field(0.5, ge=0, le=1, description="weight of a rollout's value at a budget relative to that at the next one")


@advantage(
    "spae",
    paper="Step Potential Advantage Estimation: Harnessing Intermediate Confidence and Correctness for Efficient Mathematical Reasoning",
    token_rewards=True,
)
def spae(batch: Batch, options: SpaeOptions) -> Tensor:
    """(r - mean) (1 - decay (1 - e^-C)) + weight (e^x - its mean), whitened over the tokens, C the number of earlier saturated steps.

    x is the change of the potential by a step, from 0 for the least to 1 for the largest of the batch. The token rewards are such changes, with
    `algorithm.token_rewards.measure: potential`.
    """
    spans, outcome_T = spans_of(batch, "spae"), centred(rewards_N(batch), batch)[batch.rollout_T]
    potential_S = _reached_S(spans.reward_S, spans, len(batch.reward_N))
    saturated_S = (potential_S > options.saturation).float()
    earlier_S = _reached_S(saturated_S, spans, len(batch.reward_N)) - saturated_S
    kept_T = spans.at_tokens(1 - options.decay * (1 - (-earlier_S).exp()), outside=1.0)
    low, high = (spans.reward_S.min(), spans.reward_S.max()) if len(spans.reward_S) else (0.0, 0.0)
    jump_S = ((spans.reward_S - low) / (high - low)).exp() if high > low else torch.ones_like(spans.reward_S)
    jump_T = spans.at_tokens(jump_S - jump_S.mean() if len(jump_S) else jump_S)
    used = used_T(batch)
    total_T = outcome_T * kept_T + options.weight * jump_T
    values = total_T[used]
    if not len(values):
        return total_T.where(used, 0.0).float()
    return ((total_T - values.mean()) / (values.std(unbiased=False) + options.epsilon)).where(used, 0.0).float()


@advantage("budget_relative", paper="Optimizing Anytime Reasoning via Budget Relative Policy Optimization", token_rewards=True)
def budget_relative(batch: Batch, options: BudgetRelativeOptions) -> Tensor:
    """R_j - ((j - 1) / m V1 + (m - j + 1) / m V2) for the tokens up to the j-th of m budgets, R_j the sum of the values from there on over m.

    V1 is the discounted mean of the rollout's own values at earlier budgets, times the share of budgets from j on; V2 the group's mean of R_j. The
    token rewards are changes of the value from 0 on, with `algorithm.token_rewards: {budgets: [...], measure: value}`. A response that ends
    earlier keeps its last value, and m is the largest number of cuts in the batch.
    """
    spans, count = spans_of(batch, "budget_relative"), len(batch.reward_N)
    used = used_T(batch)
    if not len(spans.reward_S):
        return used.float() * 0
    place_S = (_reached_S(torch.ones_like(spans.reward_S), spans, count) - 1).long()
    budgets = int(place_S.max()) + 1
    value_NM = _values_NM(_reached_S(spans.reward_S, spans, count), place_S, spans, count, budgets)
    return_NM = value_NM.flip(1).cumsum(1).flip(1) / budgets
    advantage_NM = torch.zeros_like(return_NM)
    for j in range(budgets):
        group_N = group_sum(return_NM[:, j], batch) / group_count(batch).clamp(min=1)
        own_N = torch.zeros_like(group_N)
        if j:
            weights = options.discount ** torch.arange(j - 1, -1, -1.0)
            own_N = (value_NM[:, :j] * weights).sum(1) / weights.sum() * (budgets - j) / budgets
        advantage_NM[:, j] = return_NM[:, j] - (j / budgets * own_N + (budgets - j) / budgets * group_N)
    return spans.at_tokens(advantage_NM[spans.rollout_S, place_S]).where(used, 0.0).float()


def _reached_S(change_S: Tensor, spans: Spans, count: int) -> Tensor:
    """The sum of a span's change and those of the earlier spans of its rollout."""
    if not len(change_S):
        return change_S
    return spans.sum_N(change_S, count)[spans.rollout_S] - suffix_sum_S(change_S, spans) + change_S


def _values_NM(value_S: Tensor, place_S: Tensor, spans: Spans, count: int, budgets: int) -> Tensor:
    """The value of each rollout at each budget; the last one where a rollout has ended."""
    table = value_S.new_full((count, budgets), torch.nan)
    table[spans.rollout_S, place_S] = value_S
    for budget in range(1, budgets):
        table[:, budget] = table[:, budget].where(~table[:, budget].isnan(), table[:, budget - 1])
    return table.nan_to_num(0.0)
