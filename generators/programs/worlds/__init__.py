"""Simulations of small worlds, each written twice: plainly, minute by minute or step by step, and in another way.

The data of tasks name these functions by this package and their names (`specialise.reference_to`).
"""

from rlgym.generators.programs.worlds.desk import desk_plain as desk_plain
from rlgym.generators.programs.worlds.desk import desk_swift as desk_swift
from rlgym.generators.programs.worlds.lift import lift_plain as lift_plain
from rlgym.generators.programs.worlds.lift import lift_swift as lift_swift
from rlgym.generators.programs.worlds.robot import robot_plain as robot_plain
from rlgym.generators.programs.worlds.robot import robot_swift as robot_swift
from rlgym.generators.programs.worlds.vending_machine import machine_plain as machine_plain
from rlgym.generators.programs.worlds.vending_machine import machine_swift as machine_swift
