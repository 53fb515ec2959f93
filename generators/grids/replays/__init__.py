"""Worked solutions of puzzles read back step by step, by the kernels of the engines that wrote them."""

from rlgym.generators.grids.replays.digits import Digits
from rlgym.generators.grids.replays.houses import Houses
from rlgym.generators.grids.replays.kernel import Kernel, complete, first_wrong
from rlgym.generators.grids.replays.marks import Marks
from rlgym.generators.grids.replays.minefield import Mines
from rlgym.generators.grids.replays.patterns import Patterns
from rlgym.generators.grids.replays.runs import Runs

__all__ = ["Digits", "Houses", "Kernel", "Marks", "Mines", "Patterns", "Runs", "complete", "first_wrong"]
