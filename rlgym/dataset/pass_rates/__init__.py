"""The pass-rate store: how often a model solved each task, in a local SQLite file; fits of accuracy against level come from it."""

from rlgym.dataset.pass_rates.store import Entry as Entry
from rlgym.dataset.pass_rates.store import PassRates as PassRates
from rlgym.dataset.pass_rates.store import TaskKey as TaskKey
