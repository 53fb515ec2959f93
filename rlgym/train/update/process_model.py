"""A process reward model that learns from the verdicts of the rollouts during a run: no labels of steps are needed.

It starts as a copy of the initial policy. The reward of a token is scale log(pi_process / pi_reference), and the sum over a response, or the mean, is the
logit of its being right, trained by cross-entropy on the verdict. From "Free Process Rewards without Process Labels" and "Process Reinforcement through
Implicit Rewards". With the kind `head` it is the output of a linear head on the hidden state at the token, trained in the same way: the token-level reward
model of "Exploring the Limit of Outcome Reward for Learning Mathematical Reasoning" (OREAL).

Axes: T tokens of all rollouts, N rollouts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import torch
from torch.nn.functional import binary_cross_entropy_with_logits

from rlgym.train.advantages.implicit_process import returns_to_go_T
from rlgym.train.data.segment_sums import mean_N, rewards_N, sum_N, used_T
from rlgym.train.distributed.sharding import full_parameters, load_parameters
from rlgym.train.model.backend import load_policy_model
from rlgym.train.model.state import copy_to_reference, load_reference_state, reference_state
from rlgym.train.update.optimizers import clip_and_step
from rlgym.train.update.policy import PolicyForward, loss_gradients

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.config.rewards import ProcessModelConfig
    from rlgym.train.config.schema import Config
    from rlgym.train.data.batch import Batch
    from rlgym.train.model.backend import PolicyModel
    from rlgym.train.model.packing import Pack


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

    @classmethod
    def from_config(cls, config: Config, device: torch.device, dtype: torch.dtype) -> ProcessModel | None:
        """The configured process model; None if there is none."""
        options = config.algorithm.process_model
        if options is None:
            return None
        network = load_policy_model(config.model, value_head=options.kind == "head").to(device)
        return cls.create(PolicyForward(network, config.update.tokens_per_micro_batch, 1.0, dtype), options)

    def restart(self, policy: PolicyModel) -> None:
        """Make it a copy of the present policy."""
        mine = self.passes.model
        if mine.value_1E is None:
            copy_to_reference(policy, mine)
        else:
            load_parameters(mine, {"value_1E": torch.zeros_like(mine.value_1E), **full_parameters(policy)})
        self.optimizer.state.clear()

    def score_and_train(self, batch: Batch) -> tuple[Batch, dict[str, float]]:
        """The batch with the process rewards of its tokens, by the model before it learns from the batch's verdicts, and metrics.

        Gradients that are not finite change nothing.
        """
        output_T = self._outputs(batch)
        reward_T = process_rewards_T(output_T, batch, self.options)
        scored = replace(batch, process_reward_T=reward_T)
        if not bool(used_T(batch).any()):
            return scored, {}

        def objective(new_logprobs_T: Tensor, entropy_T: Tensor) -> tuple[Tensor, dict[str, float]]:
            return outcome_loss(new_logprobs_T, batch, self.options)

        gradient_T, _, metrics = loss_gradients(objective, output_T, torch.zeros_like(output_T))
        if self.options.kind == "ratio":
            self.passes.backward(batch, gradient_T)
        else:
            self.passes.backward_of(batch, batch.valid_N, partial(head_outputs, gradient_T), 1.0)
        clip_and_step(self.passes.model, self.optimizer, self.options.max_grad_norm)
        return scored, metrics

    def scores(self, batch: Batch) -> list[float]:
        """The logit of each response's being right, from its tokens' rewards before any normalisation."""
        return [float(score) for score in logits_N(self._outputs(batch), batch, self.options)]

    def _outputs(self, batch: Batch) -> Tensor:
        """What the rewards are computed from: the log-probability of each token, or the output of the head at it."""
        if self.options.kind == "ratio":
            return self.passes.forward(batch).logprob_T
        return self.passes.measure(batch, partial(head_outputs, None))

    def state_dict(self) -> dict[str, Any]:
        """Weights and optimizer, for a checkpoint."""
        return {"weights": reference_state(self.passes.model), "optimizer": self.optimizer.state_dict()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Restore a `state_dict`."""
        load_reference_state(self.passes.model, state["weights"])
        self.optimizer.load_state_dict(state["optimizer"])


def head_outputs(
    weight_T: Tensor | None, model: PolicyModel, pack: Pack, mask_P: Tensor | None, temperature: float, hidden_PE: Tensor | None
) -> tuple[Tensor, Tensor]:
    """The output of the head at each sampled token of a pack, times the weight of the token if there are any, 0 elsewhere; and zeros."""
    assert pack.source_T is not None
    hidden_PE = model(pack.tokens_T, pack.positions_T, pack.attention) if hidden_PE is None else hidden_PE
    sampled_P = pack.positions_T > 0 if mask_P is None else mask_P
    output_P = model.values(hidden_PE).where(sampled_P, 0.0)
    return output_P if weight_T is None else output_P * weight_T[pack.source_T], torch.zeros_like(output_P)


def token_scores_T(logprob_T: Tensor, batch: Batch, options: ProcessModelConfig) -> Tensor:
    """scale log(process model / reference) at each used token, or the output of the head, 0 elsewhere."""
    used = used_T(batch)
    if options.kind == "head":
        return logprob_T.where(used, 0.0)
    assert batch.ref_logprobs_T is not None
    return options.scale * (logprob_T.where(used, 0.0) - batch.ref_logprobs_T.where(used, 0.0))


def logits_N(logprob_T: Tensor, batch: Batch, options: ProcessModelConfig) -> Tensor:
    """The logit of each response's being right: the sum or the mean of its tokens' scores."""
    return (mean_N if options.reduce == "mean" else sum_N)(token_scores_T(logprob_T, batch, options), batch)


def process_rewards_T(logprob_T: Tensor, batch: Batch, options: ProcessModelConfig) -> Tensor:
    """The scores as rewards, with `normalize` divided by the largest magnitude of a return of the batch."""
    reward_T = token_scores_T(logprob_T, batch, options)
    return reward_T / (returns_to_go_T(reward_T, batch).abs().max() + 1e-6) if options.normalize else reward_T


def outcome_loss(new_logprobs_T: Tensor, batch: Batch, options: ProcessModelConfig) -> tuple[Tensor, dict[str, float]]:
    """The mean cross-entropy of sigmoid(logit) with the verdicts over the valid rollouts, and metrics."""
    logit_N = logits_N(new_logprobs_T, batch, options)[batch.valid_N]
    right_N = (rewards_N(batch) >= options.success_threshold)[batch.valid_N]
    loss = binary_cross_entropy_with_logits(logit_N, right_N.float())
    agrees = ((logit_N.detach() > 0) == right_N).float().mean()
    return loss, {"process_loss": float(loss.detach()), "process_accuracy": float(agrees)}
