"""Write a program for an invented stack machine that computes a given function; hidden inputs decide, and any right program is accepted.

`parts` of a right program has its `speed`: the share of the steps allowed that it does not need, by which programs can be ranked.

The rules and instructions that machines have make 4,536 kinds of them, and every task draws another function.
"""

import re
from dataclasses import replace

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.programs import goals, machine_specifications, machines
from rlgym.solutions import Derivation, Solution, Step

STEPS = 1000
LETTERS = "ab"
LEAST = 20
Tests = tuple[tuple[tuple[int, ...], int], ...]  # a and b, and what is to be put out
LINE = re.compile(r"(?:([0-9]{1,3}): ?)?([a-z]+)(?: (-?[0-9]{1,9}))?")
MOST_SHOWN = 60  # instructions of the trace in a worked solution
VALUE = Step("For a = {a:int} and b = {b:int} the number to print is {value:int}")
DONE = Step("{place:int}: {instruction} - stack {stack}, printed {printed}")
END = "The program prints what it should, so it is:\n{answer}"


class Knobs(Config):
    depth: int = knob(2, easy=1, hard=4, doc="how deeply the function is nested")
    loops: int = knob(1, easy=0, hard=2, doc="0 for none, 1 for a sum or product, 2 for one with something besides it")
    missing: int = knob(2, easy=0, hard=5, doc="instructions that one would like to have and that the machine lacks")
    room: int = knob(12, easy=30, hard=2, doc="instructions allowed besides those that a plain translation takes")


class Data(TaskData):
    machine: machines.Machine
    most: int
    programs: tuple[tuple[str, ...], ...]
    wrong: tuple[tuple[str, ...], ...]
    tests: Tests


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    lacked = rng.sample(("add", "mul", "jump", "dup", "swap", "over"), knobs.missing)
    jumps = ("jump_if", "jump") if knobs.loops or knobs.depth > 1 else ()
    kinds = [kind for kind in machine_specifications.KINDS if kind not in lacked and (kind not in ("jump_if", "jump") or kind in jumps)]
    machine = replace(machines.sample(rng, kinds), modulus=0)
    while True:
        goal = goals.sample(rng, machine, LETTERS, knobs.depth, knobs.loops)
        tests = _tests(goal, goals.inputs(rng, LETTERS, LETTERS[-1] if knobs.loops else "", 150))
        if _worthwhile(goal, tests):
            break
    compiled = [goals.compile_goal(machine, goal, LETTERS, mirrored=mirrored) for mirrored in (False, True)]
    near = [goals.compile_goal(machine, other, LETTERS) for other in goals.shortcuts(goal)]
    near += [goals.compile_goal(other, goal, LETTERS) for other in machines.neighbours(machine) if other.modulus == 0]
    programs = tuple(map(_lines, compiled))
    most = max(map(len, programs)) + knobs.room
    least = "0 <= b <= 12" if knobs.loops else "-20 <= b <= 20"
    prompt = (
        f"A machine has a stack of integers and these instructions:\n{machine_specifications.words(machine)} "
        f"{machine_specifications.describe_ending(STEPS)}\n\n"
        f"At the start there are two integers on the stack: a, and on top of it b, where -20 <= a <= 20 and {least}. Every n is an integer of at most "
        f"9 digits, and may be negative. Write a program of at most {most} "
        f"instructions that prints exactly one number:\n\n{goals.words(goal)}\n\nIt must end before {STEPS} instructions have been executed, and the "
        f"absolute value of every number must "
        "stay at most 10**12. What is left on the stack in the end does not matter."
    )
    return Task(prompt, Data(machine=machine, most=most, programs=programs, wrong=tuple(map(_lines, near)), tests=tests))


def _tests(goal: goals.Goal, inputs: list[dict[str, int]]) -> Tests:
    """The first inputs, and of the others those on which some condition matters, with what is to be put out."""
    mutants_left = [[other, 3] for other in goals.shortcuts(goal)]
    tests: list[tuple[tuple[int, ...], int]] = []
    for given in inputs:
        value = goals.value(goal, given)
        distinguishing = [entry for entry in mutants_left if entry[1] > 0 and goals.value(entry[0], given) != value]
        for entry in distinguishing:
            entry[1] -= 1
        if distinguishing or len(tests) < LEAST:
            tests.append((tuple(given.values()), value))
    return tuple(tests) if all(count < 2 for _, count in mutants_left) else ()


def _worthwhile(goal: goals.Goal, tests: Tests) -> bool:
    """Whether both letters matter, in their order, every condition too, and values stay small."""
    if not tests:
        return False
    turned = all(goals.value(goal, {"a": b, "b": a}) == value for (a, b), value in tests if min(a, b) >= 0)
    used = all(
        any(goals.value(goal, dict(zip(LETTERS, given, strict=True)) | {letter: 1}) != value for given, value in tests)
        for letter in LETTERS
    )
    return used and not turned and max(abs(value) for _, value in tests) < 10**9 and len({value for _, value in tests}) > 8


def _lines(program: list[machines.Instruction]) -> tuple[str, ...]:
    return tuple(" ".join(map(str, instruction)) for instruction in program)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # The tests are computed from the function; the programs are translations of it.
    return task.data.programs[0]


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    if len(answer) > task.data.most:
        return Score.wrong(f"the program has {len(answer)} instructions")
    program: list[machines.Instruction] = []
    for place, line in enumerate(answer):
        instruction = _read(task.data.machine, line, place)
        if instruction is None:
            return Score.wrong(f"line {place + 1} is no instruction of the machine")
        program.append(instruction)
    executed = 0
    for given, value in task.data.tests:
        try:
            states = machines.trace(task.data.machine, program, given, STEPS)
        except machines.TooLarge:
            return Score.wrong("a value gets too large")
        if len(states) == STEPS:
            return Score.wrong("the program does not end in time")
        if not states or states[-1][2] != (value,):
            return Score.wrong("the program does not print what it should for some a and b")
        executed += len(states)
    return Score.exact(True, speed=1 - executed / (STEPS * len(task.data.tests)))


def _read(machine: machines.Machine, line: str, place: int) -> machines.Instruction | None:
    """The instruction on a line; its own number may stand before it, as it does where programs are listed."""
    match = LINE.fullmatch(line)
    kind = machine.kind(match[2]) if match else None
    if not match or kind is None or (match[1] and int(match[1]) != place) or (kind in machine_specifications.NUMBERED) != bool(match[3]):
        return None
    if kind in ("store", "load") and int(match[3]) not in range(machines.CELLS):
        return None
    return (match[2], int(match[3])) if match[3] else (match[2],)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [*task.data.wrong, right[:-1]]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.programs[0]))


def derive(task: Task[Data]) -> Derivation:
    """The program done by hand for one input, instruction by instruction."""
    data, program = task.data, solve(task)
    (a, b), value = min(data.tests, key=lambda test: (abs(test[0][1] - 2), abs(test[0][0])))
    yield VALUE(a=a, b=b, value=value)
    read = [instruction for place, line in enumerate(program) if (instruction := _read(data.machine, line, place))]
    place = 0
    for following, stack, printed in machines.trace(data.machine, read, (a, b), STEPS)[:MOST_SHOWN]:
        yield DONE(place=place, instruction=program[place], stack=repr(list(stack)), printed=repr(list(printed)))
        place = following


environment = Environment(
    Knobs, Lines("the instructions of the program, one per line", max_items=400), generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    planted=True, answers="many", solutions=lambda task: list(task.data.programs),
    concept="Keep a and b in cells, write one part of the formula after the other, and work out each jump's number last.",
    version=6,
)  # fmt: skip
