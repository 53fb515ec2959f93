"""Losses: LOSSES[name](new_logprobs_T, batch, advantage_T, options) is a scalar to minimise and a dict of 0-dimensional metrics.

`new_logprobs_T` are the log-probabilities under the policy being trained, with gradient; everything else is constant. Tokens that
carry no loss get a gradient of exactly 0, whatever their value.
"""

from rlgym.train.losses import classification as classification
from rlgym.train.losses import policy_gradient as policy_gradient
from rlgym.train.losses.common import LossOptions as LossOptions
from rlgym.train.losses.common import loss_weight as loss_weight
from rlgym.train.losses.value import ValueOptions as ValueOptions
from rlgym.train.losses.value import value_loss as value_loss
from rlgym.train.registry import LOSSES as LOSSES
