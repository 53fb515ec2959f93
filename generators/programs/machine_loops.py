"""Programs for invented stack machines with a loop: its body is repeated as often as one unknown number says, and works with another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rlgym.core.rng import Rng
from rlgym.generators.programs.machines import Instruction, Machine

MODULUS, PRIME = 100, 97
# Cell 0 and cell 1 hold the unknown numbers, of which the second counts the rounds; cells 2 and 3 begin with constants.
KINDS = {
    "add": ("load i", "load j", "add"),
    "sub": ("load i", "load j", "sub"),
    "double and add": ("load i", "dup", "add", "load j", "add"),
    "swap and sub": ("load j", "load i", "dup", "add", "swap", "sub"),
    "mul": ("load i", "load j", "mul"),
    "square and add": ("load i", "dup", "mul", "load j", "add"),
}


@dataclass(frozen=True)
class Block:
    """What is computed from cells i and j, and the cell k that it is stored in."""

    kind: str
    i: int
    j: int
    k: int


@dataclass(frozen=True)
class Loop:
    """Blocks that are repeated, blocks after the last round, and the cells that are printed."""

    constants: tuple[int, int]
    body: tuple[Block, ...]
    after: tuple[Block, ...]
    printed: tuple[int, ...]


def sample(rng: Rng, blocks: int, linear: bool = True) -> Loop:
    """A loop with so many blocks in its body, the last of which brings in the other unknown number; if not linear, each block multiplies."""
    kinds = ("add", "sub", "double and add", "swap and sub") if linear else ("mul", "square and add", "square and add")
    body = []
    for at in range(blocks):
        k = 2 + at % 2
        other = 0 if at == blocks - 1 else 5 - k
        i, j = rng.shuffled((k, other))
        body.append(Block(rng.choice(kinds), i, j, k))
    i, j = rng.shuffled((2, 3) if blocks > 1 else (2, 0))
    after = (Block(rng.choice(("mul", "square and add")), i, j, 3),)
    return Loop((rng.integer(2, 30), rng.integer(2, 30)), tuple(body), after, rng.choice(((2, 3), (3, 2))))


def outputs(machine: Machine, loop: Loop, first: int, most: int) -> list[tuple[int, ...]]:
    """What is printed for one value of the first unknown number after one round, two rounds, and so on."""
    cells, found = [first, 0, *loop.constants], []
    for _ in range(most):
        _work(machine, loop.body, cells)
        final = list(cells)
        _work(machine, loop.after, final)
        found.append(tuple(final[cell] for cell in loop.printed))
    return found


def _work(machine: Machine, blocks: Sequence[Block], cells: list[int]) -> None:
    for block in blocks:
        a, b = cells[block.i], cells[block.j]
        match block.kind:
            case "add":
                value = a + b
            case "sub":
                value = b - a if machine.swapped else a - b
            case "double and add":
                value = 2 * a + b
            case "swap and sub":
                value = b - 2 * a if machine.swapped else 2 * a - b
            case "mul":
                value = a * b
            case _:
                value = a * a + b
        cells[block.k] = value % machine.modulus


def program(machine: Machine, loop: Loop, unknown: Sequence[object]) -> list[Instruction]:
    """The instructions that fill the cells, do the rounds and what comes after them, and print."""
    code: list[Instruction] = []

    def add(kind: str, *numbers: object) -> None:
        code.append((machine.name(kind), *numbers))

    def add_blocks(blocks: Sequence[Block]) -> None:
        for block in blocks:
            for kind, *cell in map(str.split, KINDS[block.kind]):
                add(kind, *({"i": block.i, "j": block.j}[name] for name in cell))
            add("store", block.k)

    for cell, value in enumerate((*unknown, *loop.constants)):
        add("push", value)
        add("store", cell)
    top = len(code)
    add_blocks(loop.body)
    for kind, number in (("push", 1), ("load", 1)) if machine.swapped else (("load", 1), ("push", 1)):
        add(kind, number)
    add("sub")
    add("dup")
    add("store", 1)
    place = len(code)
    add("jump_if", top - {"number": 0, "here": place, "next": place + 1}[machine.target])
    add_blocks(loop.after)
    for cell in loop.printed:
        add("load", cell)
        add("out")
    return code
