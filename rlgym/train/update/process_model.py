"""A process reward model that learns from the verdicts of the rollouts during a run: no labels of steps are needed.

It starts as a copy of the initial policy. The reward of a token is scale log(pi_process / pi_reference), and the sum over a response, or the mean, is the
logit of its being right, trained by cross-entropy on the verdict. From "Free Process Rewards without Process Labels" and "Process Reinforcement through
Implicit Rewards".

Axes: T tokens of all rollouts, N rollouts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import torch
from torch.nn.functional import binary_cross_entropy_with_logits

from rlgym.train.advantages.implicit_process import returns_to_go_T
from rlgym.train.data.segment_sums import mean_N, rewards_N, sum_N, used_T
from rlgym.train.model.state import copy_to_reference, load_reference_state, reference_state
from rlgym.train.update.policy import PolicyForward, loss_gradients

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.config.rewards import ProcessModelConfig
    from rlgym.train.data.batch import Batch
    from rlgym.train.model.backend import PolicyModel


@dataclass
class ProcessModel:
    """The passes of the process model, its optimizer and its options."""

    passes: PolicyForward
    optimizer: torch.optim.Optimizer
    options: ProcessModelConfig

    @classmethod
    def create(cls, passes: PolicyForward, options: ProcessModelConfig) -> ProcessModel:
        """The process model whose network is a copy of the initial policy."""
        return cls(passes, torch.optim.AdamW(passes.model.parameters(), lr=options.lr, betas=(0.9, 0.95), weight_decay=0.0), options)

    def restart(self, policy: PolicyModel) -> None:
        """Make it a copy of the present policy."""
        copy_to_reference(policy, self.passes.model)
        self.optimizer.state.clear()

    def score_and_train(self, batch: Batch) -> tuple[Batch, dict[str, float]]:
        """The batch with the process rewards of its tokens, by the model before it learns from the batch's verdicts, and metrics."""
        logprob_T = self.passes.forward(batch).logprob_T
        reward_T = process_rewards_T(logprob_T, batch, self.options)
        scored = replace(batch, process_reward_T=reward_T)
        if not bool(used_T(batch).any()):
            return scored, {}

        def objective(new_logprobs_T: Tensor, entropy_T: Tensor) -> tuple[Tensor, dict[str, float]]:
            return outcome_loss(new_logprobs_T, batch, self.options)

        gradient_T, _, metrics = loss_gradients(objective, logprob_T, torch.zeros_like(logprob_T))
        self.passes.backward(batch, gradient_T)
        torch.nn.utils.clip_grad_norm_(self.passes.model.parameters(), self.options.max_grad_norm)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return scored, metrics

    def scores(self, batch: Batch) -> list[float]:
        """The logit of each response's being right, from its tokens' rewards before any normalisation."""
        return [float(score) for score in logits_N(self.passes.forward(batch).logprob_T, batch, self.options)]

    def state_dict(self) -> dict[str, Any]:
        """Weights and optimizer, for a checkpoint."""
        return {"weights": reference_state(self.passes.model), "optimizer": self.optimizer.state_dict()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Restore a `state_dict`."""
        load_reference_state(self.passes.model, state["weights"])
        self.optimizer.load_state_dict(state["optimizer"])


def log_ratios_T(logprob_T: Tensor, batch: Batch, options: ProcessModelConfig) -> Tensor:
    """scale log(process model / reference) at each used token, 0 elsewhere."""
    assert batch.ref_logprobs_T is not None
    used = used_T(batch)
    return options.scale * (logprob_T.where(used, 0.0) - batch.ref_logprobs_T.where(used, 0.0))


def logits_N(logprob_T: Tensor, batch: Batch, options: ProcessModelConfig) -> Tensor:
    """The logit of each response's being right: the sum or the mean of its tokens' log-ratios."""
    return (mean_N if options.reduce == "mean" else sum_N)(log_ratios_T(logprob_T, batch, options), batch)


def process_rewards_T(logprob_T: Tensor, batch: Batch, options: ProcessModelConfig) -> Tensor:
    """The log-ratios as rewards, with `normalize` divided by the largest magnitude of a return of the batch."""
    reward_T = log_ratios_T(logprob_T, batch, options)
    return reward_T / (returns_to_go_T(reward_T, batch).abs().max() + 1e-6) if options.normalize else reward_T


def outcome_loss(new_logprobs_T: Tensor, batch: Batch, options: ProcessModelConfig) -> tuple[Tensor, dict[str, float]]:
    """The mean cross-entropy of sigmoid(logit) with the verdicts over the valid rollouts, and metrics."""
    logit_N = logits_N(new_logprobs_T, batch, options)[batch.valid_N]
    right_N = (rewards_N(batch) >= options.success_threshold)[batch.valid_N]
    loss = binary_cross_entropy_with_logits(logit_N, right_N.float())
    agrees = ((logit_N.detach() > 0) == right_N).float().mean()
    return loss, {"process_loss": float(loss.detach()), "process_accuracy": float(agrees)}
