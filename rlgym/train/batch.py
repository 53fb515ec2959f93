"""What one update learns from: rollouts packed one after the other, without padding.

Axes, as suffixes of names: T tokens of the whole pack, N rollouts, G groups (rollouts of one task), V vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Batch:
    """Rollouts as the algorithms see them.

    The entry t of a tensor over T belongs to token t: its log-probability is that of token t given the tokens of the same
    rollout before it. Entries where `mask_T` is False (prompts, tool results, other players' moves) are never read.

    tokens_T      int64; the tokens, rollout after rollout
    rollout_T     int64; which rollout a token belongs to, 0 to N - 1, rising
    mask_T        bool; True exactly where the policy sampled the token
    sampled_T     float32; log-probability under the policy that sampled it, as the rollout engine said (behaviour policy)
    old_T         float32; log-probability under the policy before this update, by the trainer's own forward pass
    reward_N      float32; the score of a rollout
    group_N       int64; which task a rollout answered, 0 to G - 1
    valid_N       bool; False where there is no score through no fault of the model: such rollouts carry no loss
    cut_N         bool; True where the rollout was ended by the limit of tokens
    reference_T   float32 or None; log-probability under the reference policy
    value_T       float32 or None; the value head's estimate before the token
    return_T      float32 or None; what the value head should have estimated before the token
    bundle_N      int64 or None; rollouts with one number have their rewards added up before they are judged
    oracle_N      bool or None; True where another source than the policy wrote the rollout: there `sampled_T` is that
                  source's log-probability, 0 where it is not known, and `mask_T` marks what the policy is to learn from
    hinted_N      bool or None; True where the rollout was sampled with a hint in its prompt: there `sampled_T` is the
                  log-probability with the hint, while `tokens_T` holds the prompt without it
    """

    tokens_T: Tensor
    rollout_T: Tensor
    mask_T: Tensor
    sampled_T: Tensor
    old_T: Tensor
    reward_N: Tensor
    group_N: Tensor
    valid_N: Tensor
    cut_N: Tensor
    reference_T: Tensor | None = None
    value_T: Tensor | None = None
    return_T: Tensor | None = None
    bundle_N: Tensor | None = None
    oracle_N: Tensor | None = None
    hinted_N: Tensor | None = None
