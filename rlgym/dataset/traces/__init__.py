"""Worked solutions as a model would think them: searches with dead ends, checks and subgoals, written from the oracle's solution."""

from rlgym.dataset.traces.behaviours import BEHAVIOURS as BEHAVIOURS
from rlgym.dataset.traces.behaviours import count_behaviours as count_behaviours
from rlgym.dataset.traces.options import TraceOptions as TraceOptions
from rlgym.dataset.traces.searches import SEARCHES as SEARCHES
from rlgym.dataset.traces.writer import search_trace as search_trace
