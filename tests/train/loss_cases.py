"""Computes losses by name, with their gradients over the log-probabilities."""

from __future__ import annotations

from dataclasses import replace

import pytest
from train.policies import approximate_rows

from rlgym.train.losses import LOSSES

torch = pytest.importorskip("torch", reason="the trainer needs torch")

RATIO = ("pg_clip", "gspo", "cispo", "dispo", "topr", "reinforce")
LABELS = ("real", "pacs", "dpo")


def options(name, **given):
    return LOSSES[name].options.from_dict(given)


def with_reference(name, batch):
    """The batch with the old policy as the reference, where the loss needs one and the batch has none."""
    needed = LOSSES[name].needs_reference and batch.ref_logprobs_T is None
    return replace(batch, ref_logprobs_T=batch.old_logprobs_T) if needed else batch


def evaluate_loss(name, lay, slope, created, **given):
    """Value, gradient over the log-probabilities, and metrics of a loss."""
    batch, new, advantage_T = created

    def loss(new_logprobs_T):
        return LOSSES[name](new_logprobs_T, with_reference(name, batch), advantage_T, options(name, **given))

    value, metrics = loss(lay(new, batch))
    return float(value.detach()), slope(loss, new, batch), {key: float(metric) for key, metric in metrics.items()}


CAPPED = {name: {"tis_cap": 1.2} for name in RATIO if name != "topr"}


def same(first, second, task=None):
    """Equal values, gradients (of the picked rollouts) and metrics."""
    assert first[0] == pytest.approx(second[0], rel=1e-4, abs=1e-6)
    assert (first[1] if task is None else [first[1][i] for i in task]) == approximate_rows(second[1])
    assert first[2] == pytest.approx(second[2], rel=1e-3, abs=1e-5)
