"""Conditions on integers, sequences that one integer leads to, and questions about them; computed by brute force and by a faster route.

The data of tasks name these functions by this package and their names (`specialise.reference_to`).
"""

from rlgym.generators.programs.figures.conditions import members_plain as members_plain
from rlgym.generators.programs.figures.conditions import members_swift as members_swift
from rlgym.generators.programs.figures.digits import digits_plain as digits_plain
from rlgym.generators.programs.figures.digits import digits_swift as digits_swift
from rlgym.generators.programs.figures.sequences import steps_plain as steps_plain
from rlgym.generators.programs.figures.sequences import steps_swift as steps_swift
