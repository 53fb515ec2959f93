"""The gradient of the supervised loss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch

from rlgym.train.data.collate import collate
from rlgym.train.rollout.episodes import Episode
from rlgym.train.sft.data import SftExample

if TYPE_CHECKING:
    from rlgym.train.run import Run


def sft_backward(run: Run, examples: Sequence[SftExample]) -> float:
    """Accumulate the gradient of the mean negative log-probability of the examples' own tokens; its value."""
    episodes = [
        Episode(n, n, example.task, list(example.tokens), list(example.loss_mask), [0.0] * len(example.tokens), None)
        for n, example in enumerate(examples)
    ]
    batch = collate(episodes, run.device)
    grad_logprob_T = torch.where(batch.loss_mask_T, -1.0 / batch.loss_mask_T.sum(), 0.0)
    output = run.policy.backward(batch, grad_logprob_T)
    return float(-output.logprob_T[batch.loss_mask_T].mean())
