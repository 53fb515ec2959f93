"""A cost for tokens whose hidden states deviate from those of right responses, measured by a flow that is trained on right responses.

A small network learns the velocity of the straight path from noise to a hidden state, given the hidden state before it: at x = t h + (1 - t) noise it
should be h - noise. Its squared error at a token is the token's deviation. From "RLFR: Extending Reinforcement Learning for LLMs with Flow Environment",
by the formulas of its code: deviations are scaled to 0 to 1 over a response, those above a threshold count, of which the `top_tokens` largest, and each costs
`coef` times its size; what a token costs lowers the advantage of all tokens up to it.

Axes: S tokens of some responses, T tokens of all rollouts, E width of hidden states, W width of the network.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from rlgym.train.advantages.implicit_process import returns_to_go_T
from rlgym.train.data.segment_sums import used_T
from rlgym.train.update.optimizers import clip_and_step

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.config.hidden_states import FlowRewardConfig
    from rlgym.train.config.schema import Config
    from rlgym.train.data.batch import Batch


class FlowBlock(nn.Module):
    """A residual block whose shift, scale and gate depend on the condition; the gate starts at 0."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.RMSNorm(width, eps=1e-6)
        self.mlp = nn.Sequential(nn.Linear(width, width), nn.SiLU(), nn.Linear(width, width))
        self.modulation = nn.Sequential(nn.SiLU(), nn.Linear(width, 3 * width))
        for weight in self.modulation[1].parameters():
            nn.init.zeros_(weight)

    def forward(self, x_SW: Tensor, condition_SW: Tensor) -> Tensor:
        """The same sizes as `x_SW`."""
        shift_SW, scale_SW, gate_SW = self.modulation(condition_SW).chunk(3, dim=-1)
        out: Tensor = x_SW + gate_SW * self.mlp(self.norm(x_SW) * (1 + scale_SW) + shift_SW)
        return out


class FlowNetwork(nn.Module):
    """(noisy hidden states, hidden states before them) -> velocities, 0 at the start. One network for one time."""

    def __init__(self, hidden_size: int, width: int, num_blocks: int) -> None:
        super().__init__()
        self.inputs, self.condition = nn.Linear(hidden_size, width), nn.Linear(hidden_size, width)
        self.blocks = nn.ModuleList(FlowBlock(width) for _ in range(num_blocks))
        self.norm, self.outputs = nn.RMSNorm(width, eps=1e-6), nn.Linear(width, hidden_size)
        for weight in self.outputs.parameters():
            nn.init.zeros_(weight)

    def forward(self, x_SE: Tensor, before_SE: Tensor) -> Tensor:
        """The velocity at each noisy hidden state."""
        x_SW, condition_SW = self.inputs(x_SE), self.condition(before_SE)
        for block in self.blocks:
            x_SW = block(x_SW, condition_SW)
        velocity_SE: Tensor = self.outputs(self.norm(x_SW))
        return velocity_SE


def deviations(network: FlowNetwork, hidden_SE: Tensor, before_SE: Tensor, noise_SE: Tensor, time: float) -> Tensor:
    """The mean over the width of (velocity - (hidden - noise))^2 at time hidden + (1 - time) noise, [S]."""
    velocity_SE = network(time * hidden_SE + (1 - time) * noise_SE, before_SE)
    return (velocity_SE - (hidden_SE - noise_SE)).square().mean(1)


def chosen_deviations(deviation_S: Tensor, options: FlowRewardConfig) -> Tensor:
    """The deviations of one response scaled to 0 to 1: those above the threshold, at most `top_tokens` of them, and 0 elsewhere."""
    if len(deviation_S) < 2 or float(deviation_S.max() - deviation_S.min()) <= 0:
        return torch.zeros_like(deviation_S)
    scaled_S = (deviation_S - deviation_S.min()) / (deviation_S.max() - deviation_S.min())
    kept_S = scaled_S.where(scaled_S > options.threshold, 0.0)
    top = kept_S.topk(min(options.top_tokens, len(kept_S)))
    return torch.zeros_like(kept_S).index_copy(0, top.indices, top.values)


@dataclass
class FlowReward:
    """The network, its optimizer and its options."""

    network: FlowNetwork
    optimizer: torch.optim.Optimizer
    options: FlowRewardConfig

    @classmethod
    def create(cls, hidden_size: int, options: FlowRewardConfig, seed: int, device: torch.device) -> FlowReward:
        """A network that predicts no velocity yet; the seed determines its weights."""
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            network = FlowNetwork(hidden_size, options.width, options.num_blocks)
        network.to(device)
        return cls(network, torch.optim.AdamW(network.parameters(), lr=options.lr, weight_decay=0.0), options)

    @classmethod
    def from_config(cls, config: Config, hidden_size: int, device: torch.device) -> FlowReward | None:
        """The configured flow; None if there is none."""
        options = config.algorithm.flow_reward
        return None if options is None else cls.create(hidden_size, options, config.seed, device)

    def change(self, advantage_T: Tensor, batch: Batch, hidden: Sequence[Tensor], step: int, seed: int) -> tuple[Tensor, dict[str, float]]:
        """The advantages with the costs of deviating tokens, after `warmup_steps`, and metrics; then the network learns from the right responses.

        hidden   the hidden states from which the used tokens of each rollout are drawn
        """
        generator = torch.Generator().manual_seed(seed)
        noise = [torch.randn(states.shape, generator=generator).to(states.device) for states in hidden]
        used = used_T(batch)
        cost_T = torch.zeros_like(advantage_T)
        with torch.no_grad():
            for number, states_SE in enumerate(hidden):
                if len(states_SE) > 1:
                    found_S = deviations(self.network, states_SE[1:], states_SE[:-1], noise[number][1:], self.options.time)
                    place_S = (used & (batch.rollout_T == number)).nonzero().squeeze(1)[1:]
                    cost_T[place_S] = chosen_deviations(found_S, self.options)
        metrics = {"flow_loss": self._learn(batch, hidden, noise), "flow_tokens": float((cost_T > 0).sum() / used.sum().clamp(min=1))}
        if step < self.options.warmup_steps:
            return advantage_T, metrics
        return advantage_T - self.options.coef * returns_to_go_T(cost_T, batch).where(used, 0.0), metrics

    def _learn(self, batch: Batch, hidden: Sequence[Tensor], noise: Sequence[Tensor]) -> float:
        """One optimizer step on the mean deviation of the right responses' tokens; the mean, 0 without right responses.

        Gradients that are not finite change nothing.
        """
        right = (batch.valid_N & (batch.reward_N >= self.options.success_threshold)).tolist()
        chosen = [number for number, states in enumerate(hidden) if right[number] and len(states) > 1]
        if not chosen:
            return 0.0
        parts = [
            deviations(self.network, hidden[number][1:], hidden[number][:-1], noise[number][1:], self.options.time).mean()
            for number in chosen
        ]
        loss = torch.stack(parts).mean()
        loss.backward()
        clip_and_step(self.network, self.optimizer, math.inf)
        return float(loss.detach())

    def state_dict(self) -> dict[str, Any]:
        """Weights and optimizer, for a checkpoint."""
        return {"network": self.network.state_dict(), "optimizer": self.optimizer.state_dict()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Restore a `state_dict`."""
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
