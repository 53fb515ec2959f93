"""What goes around advantage and loss: divergence and entropy terms, filters, hints, other sources, noisy verifiers, confidence."""

from rlgym.train.extras.confidence import brier as brier
from rlgym.train.extras.confidence import calibration_error as calibration_error
from rlgym.train.extras.corrections import backward as backward
from rlgym.train.extras.corrections import false_negative_rate as false_negative_rate
from rlgym.train.extras.corrections import forward as forward
from rlgym.train.extras.entropy import EntropyOptions as EntropyOptions
from rlgym.train.extras.entropy import ForkOptions as ForkOptions
from rlgym.train.extras.entropy import entropy_bonus as entropy_bonus
from rlgym.train.extras.entropy import entropy_mask as entropy_mask
from rlgym.train.extras.filters import Counts as Counts
from rlgym.train.extras.filters import OverlongOptions as OverlongOptions
from rlgym.train.extras.filters import dynamic_sampling as dynamic_sampling
from rlgym.train.extras.filters import overlong_filter as overlong_filter
from rlgym.train.extras.filters import signal_counts as signal_counts
from rlgym.train.extras.filters import soft_overlong as soft_overlong
from rlgym.train.extras.hints import HintOptions as HintOptions
from rlgym.train.extras.hints import failed_groups as failed_groups
from rlgym.train.extras.hints import hint as hint
from rlgym.train.extras.hints import hint_free_ratio as hint_free_ratio
from rlgym.train.extras.kl import KlOptions as KlOptions
from rlgym.train.extras.kl import kl_penalty as kl_penalty
from rlgym.train.extras.kl import kl_T as kl_T
from rlgym.train.extras.mixing import MixOptions as MixOptions
from rlgym.train.extras.mixing import mixed as mixed
from rlgym.train.extras.reference import ResetOptions as ResetOptions
from rlgym.train.extras.reference import reset_due as reset_due
