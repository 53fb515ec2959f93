"""Test-time strategies: votes, best of n, revision and others, by name, with their cost in calls and tokens."""

from rlgym.evaluate.strategies.problem import Candidate as Candidate
from rlgym.evaluate.strategies.problem import Problem as Problem
from rlgym.evaluate.strategies.registry import STRATEGIES as STRATEGIES
from rlgym.evaluate.strategies.registry import StrategyOptions as StrategyOptions
from rlgym.evaluate.strategies.registry import strategy as strategy
