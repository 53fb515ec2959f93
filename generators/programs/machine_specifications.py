"""The task of writing an interpreter of an invented machine, with programs that tell wrong ones."""

from __future__ import annotations

import json
from dataclasses import asdict

from rlgym.core.rng import Rng
from rlgym.generators.programs.machine_programs import jump_offset, programs
from rlgym.generators.programs.machines import (
    CELLS,
    MOST_STEPS,
    TARGETS,
    TESTS,
    Instruction,
    Machine,
    cases,
    neighbours,
    output,
    rules_of,
    sample,
    tables,
)
from rlgym.generators.programs.specifications import Specification
from rlgym.generators.programs.suites import Inputs
from rlgym.generators.text.english import join_words

KINDS = ("push", "out", "add", "sub", "dup", "swap", "mul", "jump_if", "store", "load", "jump", "over")

NUMBERED = ("push", "jump", "jump_if", "store", "load")

# Pairs on which every remainder matters.
WORKED = {"add": ((6, 5), (97, 46)), "sub": ((6, 5), (5, 6)), "mul": ((6, 5), (97, 46))}


def words(machine: Machine) -> str:
    """The instructions, one a line, and what holds for all of them but when a program ends."""
    order = "the top value minus the one below it" if machine.swapped else "the one below the top value minus the top value"
    stays = "prints the top value, which stays on the stack" if machine.keeps else "removes the top value and prints it"
    phrases = {
        "push": "NAME n: pushes n onto the stack",
        "out": f"NAME: {stays}",
        "add": "NAME: removes the top two values and pushes their sum",
        "sub": f"NAME: removes the top two values and pushes {order}",
        "mul": "NAME: removes the top two values and pushes their product",
        "dup": "NAME: pushes a copy of the top value",
        "swap": "NAME: swaps the top two values",
        "over": "NAME: pushes a copy of the value below the top one",
        "store": f"NAME n: removes the top value and stores it in cell n, overwriting what was there (cells 0 to {CELLS - 1}, which hold 0 at first)",
        "load": "NAME n: pushes the value of cell n, which stays in the cell",
        "jump": f"NAME n: jumps {TARGETS[machine.target]}",
        "jump_if": f"NAME n: removes the top value, and if it {TESTS[machine.test]}, jumps {TARGETS[machine.target]}",
    }
    lines = [f"- {phrases[kind].replace('NAME', name)}" for kind, name in machine.names]
    missing = (
        "An instruction that needs more values than the stack holds ends the program at once, with no other effect."
        if machine.halts
        else "If an instruction needs more values than the stack holds, the missing ones are taken to be zeros at the bottom of the stack."
    )
    jumps = ", except for jumps" if {"jump", "jump_if"} & set(machine.kinds) else ""
    worked = join_words([name for kind, name in machine.names if kind in ("push", "add", "sub", "mul")], "or")
    wrapped = (
        f" Every value that {worked} pushes is first reduced modulo {machine.modulus}, to a value from 0 to {machine.modulus - 1}, "
        "even if it is negative."
        if machine.modulus
        else ""
    )
    return "\n".join(lines) + f"\nInstructions are numbered from 0 and executed in order{jumps}. {missing}{wrapped}"


def describe_ending(steps: int = MOST_STEPS) -> str:
    return f"A program ends when the number of the next instruction is negative or too large, or after {steps} executed instructions."


def specification(rng: Rng, kinds: int, longest: int) -> Specification:
    """An interpreter for a machine with the first `kinds` kinds of instructions."""
    machine = sample(rng, KINDS[:kinds])
    cells = "store" in KINDS[:kinds]
    numbers = "numbers of cells are valid, other numbers may be any integers" if cells else "the numbers may be any integers"
    text = (
        f"A machine has a stack of integers, initially empty, and these instructions:\n{words(machine)} {describe_ending()}\n\nWrite a Python function "
        "solve(program) that returns the list of the numbers that a program prints, in order. The program is a list of instructions, each a tuple "
        f"of a name and, where it has one, a number; it may be empty, and has at most {longest} instructions. Every instruction is one of those above, with "
        f"a number only where it takes one; {numbers}."
    )
    others = [(program,) for program in programs(rng.child("programs"), machine, 160, longest)]
    shown = [arguments for arguments in others if 1 <= len(output(machine, arguments[0])) <= 8 and len(arguments[0]) > 4]
    near = [rules_of(other) for other in neighbours(machine)]
    near += [rules_of(machine) | {"limit": limit} for limit in (MOST_STEPS - 1, MOST_STEPS + 1)]
    weight = kinds + (machine.modulus > 0) + (machine.target != "number") * 2.0
    kind = json.dumps((asdict(machine), longest))
    return Specification(
        text,
        tables,
        cases,
        rules_of(machine),
        near,
        _distinguishing_programs(machine, longest) + others,
        weight,
        shown=shown[:60],
        kind=kind,
    )


def inputs(rng: Rng, count: int, kind: str) -> Inputs:
    """More programs for the machine of a specification."""
    facts, longest = json.loads(kind)
    names = tuple((kind, name) for kind, name in facts.pop("names"))
    return [(program,) for program in programs(rng, Machine(names, **facts), count, longest)]


def _distinguishing_programs(machine: Machine, longest: int) -> list[tuple[list[Instruction]]]:
    """Programs that each try one rule: every kind on many values first, then on few, and loops that never end."""
    push, out = machine.name("push"), (machine.name("out"),)
    # Where putting out leaves the value, adding gets at those below.
    shown = [out, (machine.name("add"),)] * 2 + [out] if machine.keeps else [out] * 4
    many: list[list[Instruction]] = [[]]
    few: list[list[Instruction]] = [[(push, 1), out, (push, 0), out, (push, -1), out], [out, out]]
    for i, kind in enumerate(machine.kinds):
        values = (13 + i, -6 - i % 3, 8 + i)
        instruction = _instruction(machine, kind, {"push": -105, "store": CELLS - 1, "load": CELLS - 1})
        many.append([*((push, value) for value in values), instruction, *shown])
        few += [[*((push, value) for value in values[:count]), instruction, *shown] for count in (0, 1)]
        if pairs := WORKED.get(kind):
            many[-1] = [step for pair in pairs for step in (*((push, value) for value in pair), instruction, out)]
    if {"store", "load"} <= set(machine.kinds):
        store, load = machine.name("store"), machine.name("load")
        many[1 + machine.kinds.index("load")] = [
            (push, 5),
            (store, CELLS - 1),
            (push, 9),
            (store, 0),
            (load, CELLS - 1),
            out,
            (load, 0),
            out,
        ]
    for kind in ("jump", "jump_if"):
        if kind in machine.kinds:
            for value in (-1, 0, 1):
                for start, end in ((3, 1), (2, 5), (2, 2), (4, 9), (1, 0), (2, -1)):
                    body: list[Instruction] = [(push, 7), (push, value), out, out, out, out]
                    few.append([*body[:start], (machine.name(kind), jump_offset(machine, start, end)), *body[start:]])
    return [(program,) for program in many + few if len(program) <= longest]


def _instruction(machine: Machine, kind: str, numbers: dict[str, int]) -> Instruction:
    return (machine.name(kind), numbers.get(kind, 0)) if kind in NUMBERED else (machine.name(kind),)
