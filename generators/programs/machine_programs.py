"""Random programs for invented machines."""

from __future__ import annotations

from dataclasses import replace

from rlgym.core.rng import Rng
from rlgym.generators.programs.machines import CELLS, Instruction, Machine, TooLarge, output


def programs(rng: Rng, machine: Machine, count: int, longest: int = 16) -> list[list[Instruction]]:
    """Programs of many lengths, most of which put something out and some of which go round in loops; none gets to large values."""
    drawn: list[list[Instruction]] = []
    while len(drawn) < count:
        program = random_program(rng, machine, rng.integer(min(4, longest), longest))
        try:
            # Nor on a machine without remainders, which somebody may take this one for.
            for variant in (machine, replace(machine, modulus=0)):
                output(variant, program)
        except TooLarge:
            continue
        drawn.append(program)
    return drawn


def random_program(rng: Rng, machine: Machine, length: int) -> list[Instruction]:
    weights = {"push": 8, "out": 5, "sub": 4, "add": 3, "jump_if": 4, "jump": 1}
    kinds = [rng.weighted(machine.kinds, [weights.get(kind, 2) for kind in machine.kinds]) for _ in range(length)]
    kinds[:2], kinds[-1] = ["push", "push"], "out"
    return [_instruction(rng, machine, kind, place, length) for place, kind in enumerate(kinds)]


def _instruction(rng: Rng, machine: Machine, kind: str, place: int, length: int) -> Instruction:
    match kind:
        case "push":
            return machine.name(kind), rng.integer(-9, 20)
        case "store" | "load":
            return machine.name(kind), rng.integer(0, CELLS - 1)
        case "jump" | "jump_if":
            return machine.name(kind), jump_offset(machine, place, rng.integer(0, length))
    return (machine.name(kind),)


def jump_offset(machine: Machine, place: int, target: int) -> int:
    """The number that a jump at this place needs to get to that one."""
    return target - {"number": 0, "here": place, "next": place + 1}[machine.target]
