"""Invented stack machines: their rules in words, what a program does on one, and programs for them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.programs.specifications import Specification
from rlgym.generators.programs.suites import Inputs
from rlgym.generators.text.english import join_words

Instruction = tuple[Any, ...]  # a name, and for some a number
State = tuple[int, tuple[int, ...], tuple[int, ...]]  # which instruction is next, the stack (top last), what has been put out
MOST_STEPS = 60
LARGEST = 10**12
CELLS = 4
KINDS = ("push", "out", "add", "sub", "dup", "swap", "mul", "jump_if", "store", "load", "jump", "over")
NUMBERED = ("push", "jump", "jump_if", "store", "load")
TAKEN = {"push": 0, "load": 0, "jump": 0, "out": 1, "dup": 1, "jump_if": 1, "store": 1, "add": 2, "sub": 2, "mul": 2, "swap": 2, "over": 2}
WORDS = "zap mox tir fen gul pra kos lum vey dax nib sor hap wek jun rill".split()
TESTS = {"zero": "is 0", "negative": "is below 0", "positive": "is above 0"}
TARGETS = {
    "number": "to instruction n",
    "here": "n places forwards from this instruction (backwards if n is negative)",
    "next": "n places forwards from the next instruction (n = 0 is the next instruction, -1 this one, -2 the one before it)",
}
MODULI = (0, 7, 10, 100)
# Pairs on which every remainder matters.
WORKED = {"add": ((6, 5), (97, 46)), "sub": ((6, 5), (5, 6)), "mul": ((6, 5), (97, 46))}


@dataclass(frozen=True)
class Machine:
    """What the instructions are called and how they go about it."""

    names: tuple[tuple[str, str], ...]  # kind and name
    swapped: bool  # sub takes the one below from the top one, or the other way round
    test: str
    target: str
    halts: bool  # where values are missing; otherwise they count as 0
    keeps: bool  # out leaves the value on the stack
    modulus: int  # 0 for none

    def name(self, kind: str) -> str:
        return dict(self.names)[kind]

    def kind(self, name: str) -> str | None:
        return next((kind for kind, known in self.names if known == name), None)

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(kind for kind, _ in self.names)


class TooLarge(ArithmeticError):
    """A value beyond what machines are asked to hold."""


def sample(rng: Rng, kinds: Sequence[str]) -> Machine:
    """A machine with these kinds of instructions."""
    names = tuple(zip(kinds, rng.sample(WORDS, len(kinds)), strict=True))
    return Machine(
        names,
        swapped=rng.chance(0.5),
        test=rng.choice(tuple(TESTS)),
        target=rng.choice(tuple(TARGETS)),
        halts=rng.chance(0.5),
        keeps=rng.chance(0.5),
        modulus=rng.choice(MODULI),
    )


def neighbours(machine: Machine) -> list[Machine]:
    """Machines that differ in one rule that some instruction of theirs obeys."""
    variants = [
        replace(machine, swapped=not machine.swapped),
        replace(machine, halts=not machine.halts),
        replace(machine, keeps=not machine.keeps),
    ]
    variants += [replace(machine, modulus=modulus) for modulus in MODULI if modulus != machine.modulus]
    if "jump_if" in machine.kinds:
        variants += [replace(machine, target=target) for target in TARGETS if target != machine.target]
        variants += [replace(machine, test=test) for test in TESTS if test != machine.test]
    return variants


def trace(machine: Machine, program: Sequence[Instruction], stack: Sequence[int] = (), steps: int = MOST_STEPS) -> list[State]:
    """The state after each instruction that is done."""
    states: list[State] = []
    now: State = (0, tuple(stack), ())
    cells, kinds = [0] * CELLS, {name: kind for kind, name in machine.names}
    read = [(kinds[name], numbers[0] if numbers else 0) for name, *numbers in program]
    while 0 <= now[0] < len(program) and len(states) < steps:
        now = _after(machine, *read[now[0]], now, cells, len(program))
        states.append(now)
    return states


def output(machine: Machine, program: Sequence[Instruction]) -> list[int]:
    """What a program puts out."""
    states = trace(machine, program)
    return list(states[-1][2]) if states else []


def _after(machine: Machine, kind: str, number: int, state: State, cells: list[int], end: int) -> State:
    place, stack, put_out = state
    count = TAKEN[kind]
    if machine.halts and len(stack) < count:
        return end, stack, put_out
    if len(stack) < count:
        stack = (0,) * (count - len(stack)) + stack
    rest, operands = stack[: len(stack) - count], stack[len(stack) - count :]
    following = place + 1
    match kind:
        case "push":
            rest += (_wrap_value(machine, number),)
        case "out":
            put_out += operands
            rest += operands if machine.keeps else ()
        case "add":
            rest += (_wrap_value(machine, sum(operands)),)
        case "sub":
            rest += (_wrap_value(machine, operands[1] - operands[0] if machine.swapped else operands[0] - operands[1]),)
        case "mul":
            rest += (_wrap_value(machine, operands[0] * operands[1]),)
        case "dup":
            rest += operands * 2
        case "swap":
            rest += operands[::-1]
        case "over":
            rest += (*operands, operands[0])
        case "store":
            cells[number] = operands[0]
        case "load":
            rest += (cells[number],)
        case _:
            passed = kind == "jump" or {"zero": operands == (0,), "negative": operands < (0,), "positive": operands > (0,)}[machine.test]
            if passed:
                following = number + {"number": 0, "here": place, "next": place + 1}[machine.target]
    return following, rest, put_out


def _wrap_value(machine: Machine, value: int) -> int:
    if abs(value) > LARGEST:
        raise TooLarge
    return value % machine.modulus if machine.modulus else value


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


def ending(steps: int = MOST_STEPS) -> str:
    return f"A program ends when the number of the next instruction is negative or too large, or after {steps} executed instructions."


def listing(program: Sequence[Instruction]) -> str:
    """A program as one would write it down, with the numbers of its instructions."""
    return "\n".join(f"{number}: {' '.join(map(str, instruction))}" for number, instruction in enumerate(program))


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
            return machine.name(kind), going(machine, place, rng.integer(0, length))
    return (machine.name(kind),)


def going(machine: Machine, place: int, target: int) -> int:
    """The number that a jump at this place needs to get to that one."""
    return target - {"number": 0, "here": place, "next": place + 1}[machine.target]


def specification(rng: Rng, kinds: int, longest: int) -> Specification:
    """An interpreter for a machine with the first `kinds` kinds of instructions."""
    machine = sample(rng, KINDS[:kinds])
    text = (
        f"A machine has a stack of integers, initially empty, and these instructions:\n{words(machine)} {ending()}\n\nWrite a Python function "
        "solve(program) that returns the list of the numbers that a program prints, in order. The program is a list of instructions, each a tuple "
        f"of a name and, where it has one, a number; it may be empty, and has at most {longest} instructions. Every instruction is one of those above, with "
        "a number only where it takes one; numbers of cells are right, others may be any integers."
    )
    others = [(program,) for program in programs(rng.child("programs"), machine, 160, longest)]
    shown = [arguments for arguments in others if 1 <= len(output(machine, arguments[0])) <= 8 and len(arguments[0]) > 4]
    near = [rules_of(other) for other in neighbours(machine)]
    near += [rules_of(machine) | {"limit": limit} for limit in (MOST_STEPS - 1, MOST_STEPS + 1)]
    weight = kinds + (machine.modulus > 0) + (machine.target != "number") * 2.0
    kind = json.dumps((asdict(machine), longest))
    return Specification(
        text, tables, cases, rules_of(machine), near, _telling(machine, longest) + others, weight, shown=shown[:60], kind=kind
    )


def inputs(rng: Rng, count: int, kind: str) -> Inputs:
    """More programs for the machine of a specification."""
    facts, longest = json.loads(kind)
    names = tuple((kind, name) for kind, name in facts.pop("names"))
    return [(program,) for program in programs(rng, Machine(names, **facts), count, longest)]


def rules_of(machine: Machine) -> dict[str, Any]:
    rules = asdict(machine)
    del rules["names"]
    return {**rules, "known": {name: kind for kind, name in machine.names}, "kinds": machine.kinds, "limit": MOST_STEPS, "room": CELLS}


def cases(
    program: Sequence[Instruction],
    *,
    known: dict[str, str],
    kinds: tuple[str, ...],
    swapped: bool,
    test: str,
    target: str,
    halts: bool,
    keeps: bool,
    modulus: int,
    limit: int,
    room: int,
) -> list[int]:
    """An interpreter with a case for each kind of instruction, which takes values off the stack one by one."""
    place, steps = 0, 0
    stack: list[int] = []
    put_out: list[int] = []
    cells: list[int] = [0] * room

    def take() -> int:
        return stack.pop() if stack else 0

    while 0 <= place < len(program) and steps < limit:
        kind = known[program[place][0]]
        number = program[place][1] if len(program[place]) > 1 else 0
        following = place + 1
        steps += 1
        if halts and not stack and kind not in ("push", "load", "jump"):
            break
        if halts and len(stack) < 2 and kind in ("add", "sub", "mul", "swap", "over"):
            break
        if kind == "push":
            stack.append(number % modulus if modulus else number)
        elif kind == "out":
            value = take()
            put_out.append(value)
            if keeps:
                stack.append(value)
        elif kind == "add":
            value = take() + take()
            stack.append(value % modulus if modulus else value)
        elif kind == "sub":
            top, below = take(), take()
            value = top - below if swapped else below - top
            stack.append(value % modulus if modulus else value)
        elif "dup" in kinds and kind == "dup":
            value = take()
            stack.extend([value, value])
        elif "swap" in kinds and kind == "swap":
            top, below = take(), take()
            stack.extend([top, below])
        elif "mul" in kinds and kind == "mul":
            value = take() * take()
            stack.append(value % modulus if modulus else value)
        elif "over" in kinds and kind == "over":
            top, below = take(), take()
            stack.extend([below, top, below])
        elif "store" in kinds and kind == "store":
            cells[number] = take()
        elif "load" in kinds and kind == "load":
            stack.append(cells[number])
        elif "jump_if" in kinds:
            goal = number if target == "number" else place + number if target == "here" else place + 1 + number
            value = take() if kind == "jump_if" else 0
            if kind == "jump" or (value == 0 if test == "zero" else value < 0 if test == "negative" else value > 0):
                following = goal
        place = following
    return put_out


def tables(
    program: Sequence[Instruction],
    *,
    known: dict[str, str],
    kinds: tuple[str, ...],
    swapped: bool,
    test: str,
    target: str,
    halts: bool,
    keeps: bool,
    modulus: int,
    limit: int,
    room: int,
) -> list[int]:
    """An interpreter by tables: how many values an instruction takes, and what it leaves in their place."""
    taken = {kind: 1 if kind in ("out", "dup", "jump_if", "store") else 2 for kind in kinds} | {"push": 0, "load": 0, "jump": 0}
    stack: list[int] = []
    put_out: list[int] = []
    cells = dict.fromkeys(range(room), 0)
    place = 0
    for _ in range(limit):
        if place < 0 or place >= len(program):
            break
        name, number = (*program[place], 0)[:2]
        kind = known[name]
        missing = max(0, taken[kind] - len(stack))
        if missing and halts:
            break
        stack = [0] * missing + stack
        cut = len(stack) - taken[kind]
        values, stack = stack[cut:], stack[:cut]
        first, last = (*values, 0, 0)[0], (0, *values)[-1]
        difference = last - first if swapped else first - last
        made = {
            "push": [number],
            "out": [last] * keeps,
            "add": [sum(values)],
            "sub": [difference],
            "dup": [last, last],
            "swap": values[::-1],
            "mul": [first * last],
            "over": [first, last, first],
            "load": [cells.get(number, 0)],
        }.get(kind, [])
        if kind in ("push", "add", "sub", "mul") and modulus:
            made = [made[0] % modulus]
        stack += made
        if kind == "out":
            put_out.append(last)
        if kind == "store":
            cells[number] = last
        passes = {"zero": last == 0, "negative": last < 0, "positive": last > 0}[test]
        if kind == "jump" or (kind == "jump_if" and passes):
            place = {"number": 0, "here": place, "next": place + 1}[target] + number
        else:
            place += 1
    return put_out


def _telling(machine: Machine, longest: int) -> list[tuple[list[Instruction]]]:
    """Programs that each try one rule: every kind on many values first, then on few, and loops that never end."""
    push, out = machine.name("push"), (machine.name("out"),)
    # Where putting out leaves the value, adding gets at those below.
    shown = [out, (machine.name("add"),)] * 2 + [out] if machine.keeps else [out] * 4
    many: list[list[Instruction]] = [[]]
    few: list[list[Instruction]] = [[(push, 1), out, (push, 0), out, (push, -1), out], [out, out]]
    for i, kind in enumerate(machine.kinds):
        values = (13 + i, -6 - i % 3, 8 + i)
        instruction = _numbered(machine, kind, {"push": -105, "store": CELLS - 1, "load": CELLS - 1})
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
                    few.append([*body[:start], (machine.name(kind), going(machine, start, end)), *body[start:]])
    return [(program,) for program in many + few if len(program) <= longest]


def _numbered(machine: Machine, kind: str, numbers: dict[str, int]) -> Instruction:
    return (machine.name(kind), numbers.get(kind, 0)) if kind in NUMBERED else (machine.name(kind),)
