"""Advantages that differ between the tokens of a rollout: from a value head, or from the tree that a group's rollouts form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from rlgym.train.advantages.group import whitened
from rlgym.train.axes import centred, group_std, laid_out, length_N, packed, place_T, rewards_N, sum_by, to_tokens, used_T
from rlgym.train.choices import OptionError, Options

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.batch import Batch


class PpoOptions(Options):
    """Options of `ppo`."""

    discount: float = Field(1.0, gt=0, le=1, description="gamma: what a reward one token later is worth")
    trace: float = Field(0.95, ge=0, le=1, description="lambda: 0 trusts the value head, 1 the rewards")
    whiten: bool = Field(True, description="standardise over all tokens of the batch")


class TempoOptions(Options):
    """Options of `tempo`."""

    epsilon: float = Field(1e-6, ge=0, le=1, description="added to the standard deviation")
    branch_weight: float = Field(1.0, ge=0, le=10, description="weight of the correction at branching tokens")


def ppo(batch: Batch, options: PpoOptions) -> Tensor:
    """Generalised advantage estimation over the value head; the reward comes at the last token, with nothing after it."""
    advantage_T = estimated(batch, options)
    return whitened(advantage_T, batch) if options.whiten else advantage_T


def returns(batch: Batch, options: PpoOptions) -> Tensor:
    """What the value head should have said at each used token: its estimate plus the advantage."""
    return estimated(batch, options) + _value(batch).where(used_T(batch), 0.0)


def _value(batch: Batch) -> Tensor:
    if batch.value_T is None:
        raise OptionError("'ppo' needs the estimates of a value head and this batch has none: add one, or choose 'grpo' or 'rloo'")
    return batch.value_T.float()


def estimated(batch: Batch, options: PpoOptions) -> Tensor:
    """A_t = sum of (gamma lambda)^k delta_(t+k), delta_t = r_t + gamma V_(t+1) - V_t; 0 at tokens that are not used."""
    value_NL = laid_out(_value(batch), batch)
    last_T = used_T(batch) & (place_T(batch) == length_N(batch).long()[batch.rollout_T] - 1)
    gain_NL = laid_out(to_tokens(rewards_N(batch), batch).where(last_T, 0.0), batch)
    after_N = value_N = value_NL.new_zeros(len(batch.reward_N))
    found = []
    for place in range(value_NL.shape[1] - 1, -1, -1):
        # Beyond its end a rollout has no gain and no value, so that nothing has gathered when its last token is reached.
        after_N = gain_NL[:, place] + options.discount * value_N - value_NL[:, place] + options.discount * options.trace * after_N
        value_N = value_NL[:, place]
        found.append(after_N)
    table_NL = value_NL.clone()
    for place, column_N in enumerate(reversed(found)):
        table_NL[:, place] = column_N
    return packed(table_NL, batch)


def tempo(batch: Batch, options: TempoOptions) -> Tensor:
    """[r - mean + V(prefix with the token) - V(prefix before it)] / std, V the mean reward of the group's rollouts with a prefix.

    Where all rollouts that share the prefix go on with the same token, or only one has it, this is `grpo`.
    """
    reward_N = rewards_N(batch)
    std_N = group_std(reward_N, batch)
    gain_T = to_tokens(centred(reward_N, batch), batch) + options.branch_weight * prefix_gain(batch)
    return (gain_T / (std_N[batch.rollout_T] + options.epsilon)).where(used_T(batch) & (std_N[batch.rollout_T] > 0), 0.0)


def prefix_gain(batch: Batch) -> Tensor:
    """How much each used token changes the mean reward of the group's rollouts that share the prefix; 0 off branches.

    A prefix is made of sampled tokens only: the same acts in the same task are taken to meet the same replies.
    """
    reward_N = centred(rewards_N(batch), batch)
    token_NL = laid_out(batch.tokens_T, batch)
    left_N = length_N(batch).long()
    gain_NL = reward_N.new_zeros(token_NL.shape)
    node_N = batch.group_N
    value_N = _node_mean(reward_N, node_N, batch.valid_N)
    for place in range(token_NL.shape[1]):
        here = left_N > place
        node_N = _next_node(node_N, token_NL[:, place])
        next_N = _node_mean(reward_N, node_N, here)
        gain_NL[:, place] = (next_N - value_N).where(here, 0.0)
        value_N = next_N
        if not _shared(node_N, here):
            break
    return packed(gain_NL, batch)


def _next_node(node_N: Tensor, token_N: Tensor) -> Tensor:
    """One number for each pair of a node and the token that follows it."""
    if not len(node_N):
        return node_N
    _, next_N = (node_N * (token_N.max() + 1) + token_N).unique(return_inverse=True)
    return next_N


def _node_mean(reward_N: Tensor, node_N: Tensor, here_N: Tensor) -> Tensor:
    return sum_by(reward_N, node_N, here_N) / sum_by(here_N.float(), node_N, here_N).clamp(min=1)


def _shared(node_N: Tensor, here_N: Tensor) -> bool:
    return bool((sum_by(here_N.float(), node_N, here_N) > 1).any())
