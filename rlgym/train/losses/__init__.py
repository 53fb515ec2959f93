"""Losses: LOSSES[name](new_T, batch, advantage_T, options) is a scalar to minimise and a dict of 0-dimensional metrics.

`new_T` holds the log-probabilities under the policy that is trained, with gradient; everything else is held fixed. Tokens that
carry no loss get a gradient of exactly 0, whatever stands there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rlgym.train.choices import Algorithm, Choices
from rlgym.train.losses.common import LossOptions as LossOptions
from rlgym.train.losses.common import share as share
from rlgym.train.losses.labels import PacsOptions, RealOptions, pacs, real
from rlgym.train.losses.ratio import CispoOptions, ClipOptions, DispoOptions, GspoOptions, ToprOptions, cispo, dispo, gspo, pg_clip, topr
from rlgym.train.losses.value import ValueOptions as ValueOptions
from rlgym.train.losses.value import value_loss as value_loss

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.batch import Batch
    from rlgym.train.losses.common import Loss

LOSSES: Choices[[Tensor, Batch, Tensor, Any], Loss] = Choices(
    "loss",
    Algorithm("pg_clip", "DAPO: An Open-Source LLM Reinforcement Learning System at Scale", pg_clip, ClipOptions),
    Algorithm("gspo", "Group Sequence Policy Optimization", gspo, GspoOptions),
    Algorithm("cispo", "MiniMax-M1: Scaling Test-Time Compute Efficiently with Lightning Attention", cispo, CispoOptions),
    Algorithm(
        "dispo",
        "DISPO: Enhancing Training Efficiency and Stability in Reinforcement Learning for Large Language Model Mathematical Reasoning",
        dispo,
        DispoOptions,
    ),
    Algorithm("real", "Rewards as Labels: Revisiting RLVR from a Classification Perspective", real, RealOptions),
    Algorithm("pacs", "Implicit Actor Critic Coupling via a Supervised Learning Framework for RLVR", pacs, PacsOptions),
    Algorithm("topr", "Tapered Off-Policy REINFORCE: Stable and efficient reinforcement learning for LLMs", topr, ToprOptions),
)
