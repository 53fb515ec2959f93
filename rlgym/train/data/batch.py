"""The batch that one update learns from: rollouts concatenated without padding.

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

    Entry t of a tensor over T belongs to token t: its log-probability is that of token t given the earlier tokens of the same
    rollout. Entries where `loss_mask_T` is False (prompts, tool results, other players' moves) are never read.

    tokens_T            int64; the tokens, rollout after rollout
    rollout_T           int64; index of the rollout that a token belongs to, 0 to N - 1, ascending
    loss_mask_T         bool; True exactly where the policy sampled the token
    rollout_logprobs_T  float32; log-probability under the behaviour policy, as the rollout engine reported it
    old_logprobs_T      float32; log-probability under the policy before this update, by a forward pass of the trainer
    reward_N            float32; the reward of a rollout
    group_N             int64; index of the task that a rollout answered, 0 to G - 1
    valid_N             bool; False if there is no score for reasons other than the model: such rollouts carry no loss
    truncated_N         bool; True if a token limit ended the rollout
    ref_logprobs_T      float32 or None; log-probability under the reference policy
    value_T             float32 or None; the value head's estimate before the token
    return_T            float32 or None; the target of the value head before the token
    bundle_N            int64 or None; the rewards of rollouts with the same number are summed (`mvar`)
    oracle_N            bool or None; True if the oracle wrote the rollout: `rollout_logprobs_T` is then the log-probability under
                        that source, 0 if unknown, and `loss_mask_T` marks the tokens to learn from
    hinted_N            bool or None; True if the rollout was sampled with a hint in its prompt: `rollout_logprobs_T` is then the
                        log-probability with the hint, while `tokens_T` holds the prompt without it
    token_rewards_T     float32 or None; the reward of a span (a step, a turn) at its last token, 0 elsewhere; in addition to `reward_N`
    segment_T           int64 or None; the number of the span in its rollout that a token belongs to, -1 outside of spans
    kind_T              int64 or None; the kind of that span, a position in `rewards.token_rewards.KINDS`, -1 outside of spans
    process_reward_T    float32 or None; the reward of each token by the process model (`algorithm.process_model`)
    compared_TK         int64 or None; the tokens at whose probabilities policy and teacher are compared (`algorithm.self_distillation`)
    teacher_TK          float32 or None; the teacher's log-probabilities of them, NaN where a token has no teacher
    answer_weight_T     float32 or None; of an auxiliary rollout that ends in the reference answer: the derivative of the likelihood reward
                        with respect to the token's log-probability, 0 elsewhere
    verdict_N           float32 or None; of an auxiliary rollout that ends in the token of self-rewards: the verifier's verdict, NaN elsewhere
    auxiliary_N         bool or None; True for those two kinds of rollouts, which are not responses: they are not valid, so that advantages
                        and losses of the policy do not see them
    """

    tokens_T: Tensor
    rollout_T: Tensor
    loss_mask_T: Tensor
    rollout_logprobs_T: Tensor
    old_logprobs_T: Tensor
    reward_N: Tensor
    group_N: Tensor
    valid_N: Tensor
    truncated_N: Tensor
    ref_logprobs_T: Tensor | None = None
    value_T: Tensor | None = None
    return_T: Tensor | None = None
    bundle_N: Tensor | None = None
    oracle_N: Tensor | None = None
    hinted_N: Tensor | None = None
    token_rewards_T: Tensor | None = None
    segment_T: Tensor | None = None
    kind_T: Tensor | None = None
    process_reward_T: Tensor | None = None
    compared_TK: Tensor | None = None
    teacher_TK: Tensor | None = None
    answer_weight_T: Tensor | None = None
    verdict_N: Tensor | None = None
    auxiliary_N: Tensor | None = None
