"""Masks of tokens by advantage and by probability, against batches laid out by hand."""

import pytest

from rlgym.train.data.segment_sums import used_T
from rlgym.train.regularizers.advantage_filter import AdvantageFilterOptions, advantage_filter
from rlgym.train.regularizers.entropy import MasteredOptions, mastered_mask

torch = pytest.importorskip("torch", reason="the trainer needs torch")


def test_advantages_beyond_the_limit_carry_no_loss(build, lay):
    batch = build([1, 0], logprobs=[[-1] * 9, [-1]])
    # Nine advantages of 0 and one of 10: mean 1, standard deviation 3, so they lie 1/3 and 3 standard deviations away.
    advantage_T = lay([[0] * 9, [10]], batch).detach()
    assert advantage_filter(batch, advantage_T, AdvantageFilterOptions(max_std=3.01)).loss_mask_T.equal(batch.loss_mask_T)
    kept = advantage_filter(batch, advantage_T, AdvantageFilterOptions(max_std=2.9))
    assert advantage_T[used_T(kept)].tolist() == [0] * 9
    # Neither an offset nor a scale of all advantages changes what is kept.
    assert advantage_filter(batch, 5 - 0.1 * advantage_T, AdvantageFilterOptions(max_std=2.9)).loss_mask_T.equal(kept.loss_mask_T)
    equal_T = lay([[2] * 9, [2]], batch).detach()
    assert advantage_filter(batch, equal_T, AdvantageFilterOptions()) is batch


def test_mastered_tokens_of_right_rollouts_carry_no_loss_while_entropy_is_low(build, lay):
    sure, unsure = -0.005, -0.5  # probabilities 0.995 and 0.61
    batch = build([1, 0], logprobs=[[sure, unsure, sure], [sure, unsure]])
    low, high = (lay([[level] * 3, [level] * 2], batch) for level in (0.1, 0.4))
    kept = mastered_mask(low, batch, MasteredOptions(min_probability=0.99, max_entropy=0.2))
    # Of the right rollout the unsure token is left, and the wrong rollout is as it was.
    assert batch.old_logprobs_T[used_T(kept)].tolist() == pytest.approx([unsure, sure, unsure])
    assert mastered_mask(high, batch, MasteredOptions(min_probability=0.99, max_entropy=0.2)) is batch
    everything = mastered_mask(low, batch, MasteredOptions(min_probability=0.1, max_entropy=0.2))
    assert int(used_T(everything).sum()) == 2
