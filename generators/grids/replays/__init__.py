"""Checkers of worked solutions: for each engine that writes them, a kernel that reads them back step by step."""

from rlgym.generators.grids.replays.digits import Digits, latin_solution, table_solution
from rlgym.generators.grids.replays.houses import Houses, house_solution
from rlgym.generators.grids.replays.kernel import Kernel, kernel_solution
from rlgym.generators.grids.replays.marks import MarkPuzzle, Marks, mark_solution
from rlgym.generators.grids.replays.minefield import Mines
from rlgym.generators.grids.replays.patterns import LinePuzzle, Patterns, pattern_solution
from rlgym.generators.grids.replays.runs import Runs, run_solution

__all__ = [
    "Digits",
    "Houses",
    "Kernel",
    "LinePuzzle",
    "MarkPuzzle",
    "Marks",
    "Mines",
    "Patterns",
    "Runs",
    "house_solution",
    "kernel_solution",
    "latin_solution",
    "mark_solution",
    "pattern_solution",
    "run_solution",
    "table_solution",
]
