"""Advantages: how much better than expected each token was. ADVANTAGES[name](batch, options) is a float32 tensor over T.

All are 0 at tokens that carry no loss, and none reads what stands there or the reward of a rollout that has no valid score.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rlgym.train.advantages.group import GrpoOptions, NoOptions, ReinforceOptions, dr_grpo, grpo, reinforce_pp, rloo
from rlgym.train.advantages.sets import PassOptions, RankOptions, RareOptions, RiskOptions, mvar, pass_at_k, rank_penalty, weighted_grpo
from rlgym.train.advantages.sign import (
    RewardOptions,
    SignedOptions,
    SignOptions,
    WeightedSignOptions,
    nsr,
    psr,
    reinforce,
    signed,
    w_reinforce,
)
from rlgym.train.advantages.token import PpoOptions, TempoOptions, ppo, tempo
from rlgym.train.choices import Algorithm, Choices

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.batch import Batch

_NEGATIVE = "The Surprising Effectiveness of Negative Reinforcement in LLM Reasoning"

ADVANTAGES: Choices[[Batch, Any], Tensor] = Choices(
    "advantage",
    Algorithm("grpo", "DeepSeekMath: Pushing the Limits of Mathematical Reasoning in Open Language Models", grpo, GrpoOptions),
    Algorithm("dr_grpo", "Understanding R1-Zero-Like Training: A Critical Perspective", dr_grpo, NoOptions),
    Algorithm("rloo", "Back to Basics: Revisiting REINFORCE Style Optimization for Learning from Human Feedback in LLMs", rloo, NoOptions),
    Algorithm(
        "reinforce_pp", "REINFORCE++: A Simple and Efficient Approach for Aligning Large Language Models", reinforce_pp, ReinforceOptions
    ),
    Algorithm("ppo", "High-Dimensional Continuous Control Using Generalized Advantage Estimation", ppo, PpoOptions),
    Algorithm("psr", _NEGATIVE, psr, SignOptions),
    Algorithm("nsr", _NEGATIVE, nsr, SignOptions),
    Algorithm("w_reinforce", _NEGATIVE, w_reinforce, WeightedSignOptions),
    Algorithm("signed", "Tapered Off-Policy REINFORCE: Stable and efficient reinforcement learning for LLMs", signed, SignedOptions),
    Algorithm(
        "reinforce",
        "Simple Statistical Gradient-Following Algorithms for Connectionist Reinforcement Learning",
        reinforce,
        RewardOptions,
    ),
    Algorithm(
        "rank_penalty",
        "Rewarding the Unlikely: Lifting GRPO Beyond Distribution Sharpening for Formal Theorem Proving",
        rank_penalty,
        RankOptions,
    ),
    Algorithm(
        "pass_at_k",
        "Pass@k Training for Adaptively Balancing Exploration and Exploitation of Large Reasoning Models",
        pass_at_k,
        PassOptions,
    ),
    Algorithm("mvar", "RiskPO: Risk-based Policy Optimization via Verifiable Reward for LLM Post-Training", mvar, RiskOptions),
    Algorithm(
        "weighted_grpo",
        "Beyond Variance: Prompt-Efficient RLVR via Rare-Event Amplification and Bidirectional Pairing",
        weighted_grpo,
        RareOptions,
    ),
    Algorithm("tempo", "Exploiting Tree Structure for Credit Assignment in RL Training of LLMs", tempo, TempoOptions),
)
