"""Task families that rlgym and reasoning-gym both have, with settings that make tasks of about the same size.

Families that share a name but are different tasks (their shortest_path is a grid maze, their propositional_logic an inference) are left out.
"""

from __future__ import annotations

from rlgym.cli.reasoning_gym_pairs.numbers import ALGEBRA, ARITHMETIC
from rlgym.cli.reasoning_gym_pairs.pair import Pair
from rlgym.cli.reasoning_gym_pairs.puzzles import GRAPHS, PUZZLES
from rlgym.cli.reasoning_gym_pairs.reasoning import CODE_AND_TEXT, LOGIC

__all__ = ["PAIRS", "Pair"]

PAIRS: tuple[Pair, ...] = ARITHMETIC + ALGEBRA + LOGIC + CODE_AND_TEXT + PUZZLES + GRAPHS
