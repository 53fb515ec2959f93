"""Advantages that differ between the tokens of a rollout: from a value head, or from the prefix tree of a group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from rlgym.train.advantages.group_relative import whiten
from rlgym.train.data.segment_sums import (
    broadcast_to_tokens,
    centred,
    group_std,
    length_N,
    position_T,
    rewards_N,
    segment_sum,
    to_packed,
    to_padded,
    used_T,
)
from rlgym.train.registry import OptionError, Options, advantage

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.data.batch import Batch


class PpoOptions(Options):
    """Options of `ppo`."""

    gamma: float = Field(1.0, gt=0, le=1, description="discount factor per token")
    gae_lambda: float = Field(0.95, ge=0, le=1, description="0 uses the value head alone, 1 the rewards alone")
    whiten: bool = Field(True, description="standardise over all tokens of the batch")


class TempoOptions(Options):
    """Options of `tempo`."""

    epsilon: float = Field(1e-6, ge=0, le=1, description="added to the standard deviation")
    branch_weight: float = Field(1.0, ge=0, le=10, description="weight of the correction at branching tokens")


@advantage("ppo", paper="High-Dimensional Continuous Control Using Generalized Advantage Estimation")
def ppo(batch: Batch, options: PpoOptions) -> Tensor:
    """Generalised advantage estimation (GAE) with the value head; the reward is given at the last token."""
    advantage_T = gae(batch, options)
    return whiten(advantage_T, batch) if options.whiten else advantage_T


def returns(batch: Batch, options: PpoOptions) -> Tensor:
    """The target of the value head at each used token: its estimate plus the advantage."""
    return gae(batch, options) + _value(batch).where(used_T(batch), 0.0)


def _value(batch: Batch) -> Tensor:
    if batch.value_T is None:
        raise OptionError("'ppo' needs the estimates of a value head, but this batch has no value_T: add them, or choose 'grpo' or 'rloo'")
    return batch.value_T.float()


def gae(batch: Batch, options: PpoOptions) -> Tensor:
    """A_t = sum of (gamma lambda)^k delta_(t+k), delta_t = r_t + gamma V_(t+1) - V_t; 0 at tokens that are not used."""
    value_NL = to_padded(_value(batch), batch)
    last_T = used_T(batch) & (position_T(batch) == length_N(batch).long()[batch.rollout_T] - 1)
    reward_NL = to_padded(broadcast_to_tokens(rewards_N(batch), batch).where(last_T, 0.0), batch)
    gae_N = value_N = value_NL.new_zeros(len(batch.reward_N))
    columns = []
    for position in range(value_NL.shape[1] - 1, -1, -1):
        # Beyond the end of a rollout rewards and values are 0, so the sum is still 0 when its last token is reached.
        gae_N = reward_NL[:, position] + options.gamma * value_N - value_NL[:, position] + options.gamma * options.gae_lambda * gae_N
        value_N = value_NL[:, position]
        columns.append(gae_N)
    table_NL = value_NL.clone()
    for position, column_N in enumerate(reversed(columns)):
        table_NL[:, position] = column_N
    return to_packed(table_NL, batch)


@advantage("tempo", paper="Exploiting Tree Structure for Credit Assignment in RL Training of LLMs", group_relative=True)
def tempo(batch: Batch, options: TempoOptions) -> Tensor:
    """[r - mean + V(prefix with the token) - V(prefix before it)] / std, V the mean reward of the group's rollouts with a prefix.

    If all rollouts that share the prefix continue with the same token, or only one has it, this is `grpo`.
    """
    reward_N = rewards_N(batch)
    std_N = group_std(reward_N, batch)
    advantage_T = broadcast_to_tokens(centred(reward_N, batch), batch) + options.branch_weight * prefix_gain(batch)
    return (advantage_T / (std_N[batch.rollout_T] + options.epsilon)).where(used_T(batch) & (std_N[batch.rollout_T] > 0), 0.0)


def prefix_gain(batch: Batch) -> Tensor:
    """The change that each used token makes to the mean reward of the group's rollouts with the same prefix; 0 away from branches.

    A prefix consists of sampled tokens only: the same actions in the same task are assumed to get the same replies.
    """
    reward_N = centred(rewards_N(batch), batch)
    token_NL = to_padded(batch.tokens_T, batch)
    lengths_N = length_N(batch).long()
    gain_NL = reward_N.new_zeros(token_NL.shape)
    node_N = batch.group_N
    value_N = _node_mean(reward_N, node_N, batch.valid_N)
    for position in range(token_NL.shape[1]):
        alive_N = lengths_N > position
        node_N = _next_node(node_N, token_NL[:, position])
        next_N = _node_mean(reward_N, node_N, alive_N)
        gain_NL[:, position] = (next_N - value_N).where(alive_N, 0.0)
        value_N = next_N
        if not _shared(node_N, alive_N):
            break
    return to_packed(gain_NL, batch)


def _next_node(node_N: Tensor, token_N: Tensor) -> Tensor:
    """A number for each pair of a node and its next token."""
    if not len(node_N):
        return node_N
    _, next_N = (node_N * (token_N.max() + 1) + token_N).unique(return_inverse=True)
    return next_N


def _node_mean(reward_N: Tensor, node_N: Tensor, alive_N: Tensor) -> Tensor:
    return segment_sum(reward_N, node_N, alive_N) / segment_sum(alive_N.float(), node_N, alive_N).clamp(min=1)


def _shared(node_N: Tensor, alive_N: Tensor) -> bool:
    return bool((segment_sum(alive_N.float(), node_N, alive_N) > 1).any())
