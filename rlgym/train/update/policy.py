"""The policy's forward and backward passes over a batch.

A loss is a function of log-probabilities. Its gradient with respect to them is computed first, over the whole batch
(`loss_gradients`), and then backpropagated through the network in micro-batches (`PolicyForward.backward`). So a loss may compare
rollouts or divide by counts over the batch, and the result does not depend on the micro-batches; rollouts with zero gradient are
skipped.

Axes: T tokens of all rollouts, N rollouts, P tokens of one micro-batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import torch

from rlgym.train.distributed.process_group import SINGLE_PROCESS, ProcessGroup
from rlgym.train.distributed.sharding import reshard
from rlgym.train.model.logprobs import score_pack, self_certainties, token_ranks
from rlgym.train.model.packing import pack
from rlgym.train.model.prefix_sharing import pack_prefix_groups, plan_micro_batches, prompt_lengths, shared_prefix_lengths, token_indices
from rlgym.train.update.critic import value_estimates

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.data.batch import Batch
    from rlgym.train.model.backend import PolicyModel

Objective = Callable[["Tensor", "Tensor"], tuple["Tensor", dict[str, float]]]
"""(log-probabilities T, entropies T) -> the scalar to minimise, and its metrics."""


@dataclass
class FlopCounter:
    """Floating-point operations so far, of all ranks. A forward pass counts as a third of forward and backward."""

    flops: float = 0.0


@dataclass(frozen=True)
class ForwardOutput:
    """The outputs of one forward pass at each sampled token, 0 elsewhere. `value_T` is 0 without a value head."""

    logprob_T: Tensor
    entropy_T: Tensor
    value_T: Tensor


@dataclass(frozen=True)
class MicroBatch:
    """The outputs of one micro-batch. `index_P` is the index of each of its tokens in the batch."""

    index_P: Tensor
    logprob_P: Tensor
    entropy_P: Tensor
    value_P: Tensor | None


@dataclass(frozen=True)
class PolicyForward:
    """Forward and backward passes over a batch, divided over the ranks. All ranks end with the same numbers.

    is_reference   compute the reference policy of a model with an adapter, instead of the policy
    """

    model: PolicyModel
    max_tokens: int
    temperature: float = 1.0
    dtype: torch.dtype = torch.float32
    process_group: ProcessGroup = SINGLE_PROCESS
    counter: FlopCounter = field(default_factory=FlopCounter)
    is_reference: bool = False

    def forward(self, batch: Batch) -> ForwardOutput:
        """Log-probabilities, entropies and values of the sampled tokens, without gradient."""
        output = ForwardOutput(*(torch.zeros_like(batch.rollout_logprobs_T) for _ in range(3)))
        lora = self.model.lora
        with torch.no_grad(), lora.as_reference() if self.is_reference and lora else nullcontext():
            for part in self._micro_batches(batch, torch.ones_like(batch.valid_N), 1 / 3):
                output.logprob_T[part.index_P], output.entropy_T[part.index_P] = part.logprob_P, part.entropy_P
                if part.value_P is not None:
                    output.value_T[part.index_P] = part.value_P
        reshard(self.model)
        return ForwardOutput(*(self.process_group.all_reduce(part_T) for part_T in (output.logprob_T, output.entropy_T, output.value_T)))

    def self_certainty(self, batch: Batch) -> Tensor:
        """KL(uniform || pi) of the distribution of each sampled token, 0 elsewhere, without gradient."""
        return self.measure(batch, self_certainties)

    def token_ranks(self, batch: Batch) -> Tensor:
        """The rank of each sampled token in its distribution, 1 for the most likely one, 0 elsewhere."""
        return self.measure(batch, token_ranks)

    def measure(self, batch: Batch, score: Callable[..., tuple[Tensor, Tensor]], width: int = 0) -> Tensor:
        """What `score`, called as `score_pack`, says of each sampled token, 0 elsewhere, without gradient: numbers, or vectors of a width."""
        zero_T = torch.zeros_like(batch.rollout_logprobs_T)
        found_T = zero_T.new_zeros(len(zero_T), width) if width else zero_T
        with torch.no_grad():
            for part in self._micro_batches(batch, torch.ones_like(batch.valid_N), 1 / 3, score):
                found_T[part.index_P] = part.logprob_P
        reshard(self.model)
        return self.process_group.all_reduce(found_T)

    def backward(
        self, batch: Batch, grad_logprob_T: Tensor, grad_entropy_T: Tensor | None = None, grad_value_T: Tensor | None = None
    ) -> ForwardOutput:
        """Accumulate weight gradients from the gradients of log-probabilities, entropies and values.

        Returns the outputs of the forward pass on the way; they are 0 for rollouts with zero gradient, which are skipped.
        """
        grad_logprob_T = self.process_group.broadcast(grad_logprob_T)
        grad_entropy_T, grad_value_T = (
            None if grad_T is None else self.process_group.broadcast(grad_T) for grad_T in (grad_entropy_T, grad_value_T)
        )
        needed_T = grad_logprob_T != 0
        for grad_T in (grad_entropy_T, grad_value_T):
            needed_T = needed_T if grad_T is None else needed_T | (grad_T != 0)
        needed_N = torch.zeros_like(batch.valid_N).index_put((batch.rollout_T[needed_T],), needed_T[needed_T])
        output = ForwardOutput(*(torch.zeros_like(grad_logprob_T) for _ in range(3)))
        # Frozen weights need no gradient, which is a third of the operations.
        for part in self._micro_batches(batch, needed_N, 1.0 if self.model.lora is None else 2 / 3):
            # The gradient of this sum is the given gradients times the Jacobian of the network.
            surrogate = (part.logprob_P * grad_logprob_T[part.index_P]).sum()
            if grad_entropy_T is not None:
                surrogate = surrogate + (part.entropy_P * grad_entropy_T[part.index_P]).sum()
            if grad_value_T is not None and part.value_P is not None:
                surrogate = surrogate + (part.value_P * grad_value_T[part.index_P]).sum()
            surrogate.backward()
            output.logprob_T[part.index_P], output.entropy_T[part.index_P] = part.logprob_P.detach(), part.entropy_P.detach()
        return replace(
            output, logprob_T=self.process_group.all_reduce(output.logprob_T), entropy_T=self.process_group.all_reduce(output.entropy_T)
        )

    def backward_of(self, batch: Batch, selected_N: Tensor, score: Callable[..., tuple[Tensor, Tensor]], scale: float) -> float:
        """Accumulate weight gradients of `scale` times the sum of what a differentiable `score` says of the selected rollouts; the sum itself."""
        total = 0.0
        for part in self._micro_batches(batch, selected_N, 1.0 if self.model.lora is None else 2 / 3, score):
            (scale * part.logprob_P.sum()).backward()
            total += float(part.logprob_P.detach().sum())
        return total

    def _micro_batches(
        self, batch: Batch, selected_N: Tensor, cost: float, score: Callable[..., tuple[Tensor, Tensor]] = score_pack
    ) -> Iterator[MicroBatch]:
        """The outputs of this rank's share of the selected rollouts. `cost` is relative to a forward and backward pass."""
        lengths = torch.bincount(batch.rollout_T, minlength=len(batch.reward_N)).tolist()
        starts = [0, *torch.tensor(lengths).cumsum(0).tolist()]
        selected = [n for n, target in enumerate(selected_N.tolist()) if target]
        tokens, masks = (
            [row[starts[n] : starts[n + 1]] for n in selected] for row in (batch.tokens_T.tolist(), batch.loss_mask_T.tolist())
        )
        prompts = prompt_lengths(masks) if self.model.shares_prefixes else [0] * len(selected)
        selected_lengths = [lengths[n] for n in selected]
        plans = plan_micro_batches(tokens, prompts, self.max_tokens, self.process_group.size)
        shared = shared_prefix_lengths([members for plan in plans for members in plan], prompts)
        self.counter.flops += cost * self.model.shape.training_flops(selected_lengths, shared)
        mine, device = plans[self.process_group.rank], batch.tokens_T.device
        for members in [*mine, *[[] for _ in range(max(map(len, plans)) - len(mine))]]:
            # All ranks gather a sharded network together: a rank without work left runs a dummy sequence of weight 0.
            packed = pack_prefix_groups(tokens, prompts, members, device) if members else pack([[0, 0]], device)
            index_P = token_indices([starts[n] for n in selected], selected_lengths, prompts, members).to(device)
            packed = replace(packed, source_T=index_P)
            mask_P = batch.loss_mask_T[index_P] if members else None
            with torch.autocast(packed.tokens_T.device.type, self.dtype, enabled=self.dtype != torch.float32):
                hidden_PE = value_P = None
                if self.model.value_1E is not None:
                    hidden_PE = self.model(packed.tokens_T, packed.positions_T, packed.attention)
                    value_P = value_estimates(self.model, hidden_PE, packed, packed.positions_T >= 0 if mask_P is None else mask_P)
                    value_P = value_P[: len(index_P)]
                logprob_P, entropy_P = score(self.model, packed, mask_P, self.temperature, hidden_PE)
            yield MicroBatch(index_P, logprob_P[: len(index_P)], entropy_P[: len(index_P)], value_P)


def loss_gradients(objective: Objective, logprob_T: Tensor, entropy_T: Tensor) -> tuple[Tensor, Tensor | None, dict[str, float]]:
    """The gradients of an objective with respect to log-probabilities and entropies (None if unused), and its metrics."""
    logprob_T = logprob_T.detach().requires_grad_()
    entropy_T = entropy_T.detach().requires_grad_()
    loss, metrics = objective(logprob_T, entropy_T)
    if not loss.requires_grad:
        return torch.zeros_like(logprob_T), None, metrics
    grad_logprob_T, grad_entropy_T = torch.autograd.grad(loss, (logprob_T, entropy_T), allow_unused=True)
    grad_logprob_T = torch.zeros_like(logprob_T) if grad_logprob_T is None else grad_logprob_T
    return grad_logprob_T, grad_entropy_T, metrics


def unchanged_output(batch: Batch) -> ForwardOutput:
    """The output of a policy that has not changed since `old_logprobs_T`, without a forward pass; entropies are 0."""
    zero_T = torch.zeros_like(batch.old_logprobs_T)
    return ForwardOutput(batch.old_logprobs_T, zero_T, zero_T if batch.value_T is None else batch.value_T)
