"""Invented stack machines: their rules in words, what a program does on one, and programs for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from rlgym.core.rng import Rng

Instruction = tuple[Any, ...]  # a name, and for some a number

State = tuple[int, tuple[int, ...], tuple[int, ...]]  # which instruction is next, the stack (top last), what has been put out

MOST_STEPS = 60

LARGEST = 10**12

CELLS = 4

TAKEN = {"push": 0, "load": 0, "jump": 0, "out": 1, "dup": 1, "jump_if": 1, "store": 1, "add": 2, "sub": 2, "mul": 2, "swap": 2, "over": 2}

WORDS = "zap mox tir fen gul pra kos lum vey dax nib sor hap wek jun rill".split()

TESTS = {"zero": "is 0", "negative": "is below 0", "positive": "is above 0"}

TARGETS = {
    "number": "to instruction n",
    "here": "n places forwards from this instruction (backwards if n is negative)",
    "next": "n places forwards from the next instruction (n = 0 is the next instruction, -1 this one, -2 the one before it)",
}

MODULI = (0, 7, 10, 100)


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
        now = _next_state(machine, *read[now[0]], now, cells, len(program))
        states.append(now)
    return states


def output(machine: Machine, program: Sequence[Instruction]) -> list[int]:
    """What a program puts out."""
    states = trace(machine, program)
    return list(states[-1][2]) if states else []


def _next_state(machine: Machine, kind: str, number: int, state: State, cells: list[int], end: int) -> State:
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


def listing(program: Sequence[Instruction]) -> str:
    """A program as one would write it down, with the numbers of its instructions."""
    return "\n".join(f"{number}: {' '.join(map(str, instruction))}" for number, instruction in enumerate(program))


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
