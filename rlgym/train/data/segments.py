"""Token rewards by segment: sums over the spans of a rollout, and their values at each token.

Axes: T tokens of the whole pack, N rollouts, S spans of all rollouts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rlgym.train.data.segment_sums import sum_N, used_T
from rlgym.train.registry import OptionError
from rlgym.train.rewards.token_rewards import KINDS

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.data.batch import Batch


@dataclass(frozen=True)
class Spans:
    """The spans of a batch.

    index_T    int64; the span of a used token, -1 outside of spans
    reward_S   float32; the reward of a span
    rollout_S  int64; its rollout; the spans of a rollout follow each other, in order
    kind_S     int64; its kind, a position in `KINDS`
    """

    index_T: Tensor
    reward_S: Tensor
    rollout_S: Tensor
    kind_S: Tensor

    def is_kind(self, kind: str) -> Tensor:
        """bool over S: the spans of a kind."""
        return self.kind_S == KINDS.index(kind)

    def at_tokens(self, value_S: Tensor, outside: float = 0.0) -> Tensor:
        """The value of its span at each token, float32, and `outside` elsewhere."""
        inside_T = self.index_T >= 0
        value_T = value_S.new_full((len(self.index_T),), outside)
        value_T[inside_T] = value_S[self.index_T[inside_T]]
        return value_T.float()

    def sum_N(self, value_S: Tensor, count: int) -> Tensor:
        """The sum over the spans of each of `count` rollouts."""
        return value_S.new_zeros(count).index_add(0, self.rollout_S, value_S)


def spans_of(batch: Batch, algorithm: str) -> Spans:
    """The spans of a batch. Raises OptionError, which names the algorithm, where the batch has no token rewards."""
    if batch.token_rewards_T is None or batch.segment_T is None or batch.kind_T is None:
        raise OptionError(f"{algorithm!r} needs token rewards, but this batch has no token_rewards_T: set algorithm.token_rewards.source")
    inside_T = used_T(batch) & (batch.segment_T >= 0)
    most = int(batch.segment_T[inside_T].max()) + 1 if bool(inside_T.any()) else 1
    name_T = batch.rollout_T * most + batch.segment_T
    names, inverse = name_T[inside_T].unique(return_inverse=True)
    index_T = batch.segment_T.new_full((len(batch.segment_T),), -1)
    index_T[inside_T] = inverse
    rewards = batch.token_rewards_T.float()[inside_T]
    reward_S = rewards.new_zeros(len(names)).index_add(0, inverse, rewards)
    kind_S = batch.kind_T.new_zeros(len(names))
    kind_S[inverse] = batch.kind_T[inside_T]
    return Spans(index_T, reward_S, names // most, kind_S)


def suffix_sum_S(value_S: Tensor, spans: Spans) -> Tensor:
    """The sum of a span's value and those of the later spans of its rollout."""
    total_S = value_S.flip(0).cumsum(0).flip(0)
    if not len(value_S):
        return total_S
    # What belongs to later rollouts is subtracted: the suffix sum at the first span of the next rollout.
    last_S = spans.rollout_S != spans.rollout_S.roll(-1)
    last_S[-1] = True
    following_S = total_S.roll(-1)
    following_S[-1] = 0
    rollouts = int(spans.rollout_S.max()) + 1
    later_N = total_S.new_zeros(rollouts).index_put((spans.rollout_S[last_S],), following_S[last_S])
    return total_S - later_N[spans.rollout_S]


def before_first_wrong_T(batch: Batch, spans: Spans) -> Tensor:
    """bool: the used tokens of a rollout before its first wrong span; all of them where none is wrong."""
    wrong_T = spans.at_tokens(spans.is_kind("wrong").float()) > 0
    seen_T = wrong_T.long().cumsum(0)
    before_N = sum_N(wrong_T.float(), batch).long().cumsum(0).roll(1)
    if len(before_N):
        before_N[0] = 0
    return used_T(batch) & (seen_T - before_N[batch.rollout_T] == 0)


def has_kind_N(batch: Batch, spans: Spans, kind: str) -> Tensor:
    """bool over N: the rollouts with a span of a kind."""
    return spans.sum_N(spans.is_kind(kind).float(), len(batch.reward_N)) > 0
