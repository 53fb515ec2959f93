"""Choices with totals: positions of a list, cuts of a list, walks on a grid, and packing; by trying all, and by adding up what can be reached.

The data of tasks name these functions by this package and their names (`specialise.reference_to`).
"""

from rlgym.generators.programs.totals.choices import choose_hasty as choose_hasty
from rlgym.generators.programs.totals.choices import choose_plain as choose_plain
from rlgym.generators.programs.totals.choices import choose_swift as choose_swift
from rlgym.generators.programs.totals.cuts import cut_hasty as cut_hasty
from rlgym.generators.programs.totals.cuts import cut_plain as cut_plain
from rlgym.generators.programs.totals.cuts import cut_swift as cut_swift
from rlgym.generators.programs.totals.packings import pack_hasty as pack_hasty
from rlgym.generators.programs.totals.packings import pack_plain as pack_plain
from rlgym.generators.programs.totals.packings import pack_swift as pack_swift
from rlgym.generators.programs.totals.walks import walk_hasty as walk_hasty
from rlgym.generators.programs.totals.walks import walk_plain as walk_plain
from rlgym.generators.programs.totals.walks import walk_swift as walk_swift
