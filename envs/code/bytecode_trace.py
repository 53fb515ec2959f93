"""Say what a program of an invented stack machine prints, by the rules that the prompt gives: deduction.

The order of subtraction, the conditions and targets of jumps, missing values, what putting out leaves and remainders make 288 sets of rules,
and every task draws another program. Above the middle level two numbers of the program are missing and its output is given: one of them counts the
rounds of a loop, the other one is to be found for each count by congruences modulo 100. At the top every block of the loop multiplies, modulo a prime, so that
no congruence can be solved and no remainder tells a part of the answer.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Literal
from rlgym.generators.programs import machine_loops, machine_programs, machine_specifications, machines
from rlgym.solutions import Derivation, Solution, Step

EXECUTED = Step("{place:int}: {instruction} - stack {stack}, printed {printed}")
END = "The program ends. So the answer is {answer}"
MISSING = range(1, 21)  # the values that a missing number may have
MISSING_STEPS = 600
MOST_PAIRS = 3  # of missing numbers that give the output


class Knobs(Config):
    kinds: int = knob(8, easy=4, hard=12, doc="kinds of instructions")
    length: int = knob(12, easy=5, hard=32, doc="most instructions in the program")
    steps: int = knob(7, easy=3, hard=18, doc="least instructions that are done before it ends")
    asked: str = knob(
        "output", easy="output", hard="numbers", order=("output", "numbers"), doc="the output, or two missing numbers of the program"
    )
    loop: str = knob(
        "linear",
        easy="linear",
        hard="squares",
        order=("linear", "squares"),
        doc="what a loop with missing numbers does: sums, or squares and products modulo a prime",
    )
    back: int = knob(1, easy=0, hard=3, doc="least jumps back, where the program is long enough and there are jumps")


class Data(TaskData):
    states: tuple[str, ...]
    output: str
    wrong: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...] = ()  # every pair of missing numbers that gives the output, where numbers are missing
    instructions: int = 0  # of the program with missing numbers
    linear: bool = True  # whether the loop of that program neither multiplies nor squares


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    kinds = machine_specifications.KINDS[: knobs.kinds]
    if knobs.asked == "numbers":
        return _sample_missing(rng, knobs)
    # Without jumps no program does more instructions than it has.
    least = min(knobs.steps, knobs.length // 2)
    back = min(knobs.back, knobs.length // 8) if "jump_if" in kinds else 0
    while True:
        machine = machines.sample(rng, kinds)
        for program in machine_programs.programs(rng, machine, 20, knobs.length):
            states = machines.trace(machine, program)
            right = list(states[-1][2])
            # A program that runs to the limit mostly goes round and round without a change.
            if least <= len(states) < machines.MOST_STEPS and 1 <= len(right) <= 20 and _count_backward_jumps(states) >= back:
                wrong = [
                    other for other in (_output(near, program) for near in machines.neighbours(machine)) if other not in (None, repr(right))
                ]
                if len(set(wrong)) >= 2:
                    return _pose(machine, program, states, [other for other in dict.fromkeys(wrong) if other])


def _sample_missing(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        linear = knobs.loop == "linear"
        modulus = machine_loops.MODULUS if linear else machine_loops.PRIME
        machine = replace(machines.sample(rng, machine_specifications.KINDS), modulus=modulus, test="positive")
        loop = machine_loops.sample(rng, 1 if knobs.steps < 16 else 2 if linear else 3, linear)
        by_output: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        for first in MISSING:
            for rounds, output in enumerate(machine_loops.outputs(machine, loop, first, MISSING[-1]), MISSING[0]):
                by_output.setdefault(output, []).append((first, rounds))
        # Neither printed number alone tells one of the missing ones, and the loop is not over at once.
        rare = [
            pairs
            for output, pairs in by_output.items()
            if len(pairs) <= MOST_PAIRS and min(pairs[0]) > 4 and _is_undetermined(by_output, output)
        ]
        if len(rare) >= 20:
            return _pose_missing(machine, machine_loops.program(machine, loop, "AB"), rng.choice(rare))


def _is_undetermined(by_output: dict[tuple[int, ...], list[tuple[int, int]]], wanted: tuple[int, ...]) -> bool:
    for place, number in enumerate(wanted):
        fit = [pair for output, pairs in by_output.items() if output[place] == number for pair in pairs]
        if min(len({first for first, _ in fit}), len({second for _, second in fit})) < 4:
            return False
    return True


def _substitute(program: list[machines.Instruction], pair: Sequence[int]) -> list[machines.Instruction]:
    return [(name, *(pair["AB".index(number)] if number in ("A", "B") else number for number in given)) for name, *given in program]


def _pose_missing(machine: machines.Machine, program: list[machines.Instruction], pairs: list[tuple[int, int]]) -> Task[Data]:
    states = machines.trace(machine, _substitute(program, pairs[0]), steps=MISSING_STEPS)
    prompt = (
        f"A machine has a stack of integers, empty at first, and these instructions:\n{machine_specifications.words(machine)} "
        f"{machine_specifications.describe_ending(MISSING_STEPS)}\n\n"
        f"In this program, A and B stand for two integers from {MISSING[0]} to {MISSING[-1]} that are not given:\n"
        f"{machines.listing(program)}\n\n"
        f"The program prints {', '.join(map(str, states[-1][2]))}, in this order, and nothing else. What may A and B be? "
        "Give one possible pair as the list [A, B]; any that gives this output is right."
    )
    near = [[a + x, b + y] for a, b in pairs for x, y in ((0, 1), (1, 0), (0, -1)) if (a + x, b + y) not in pairs]
    wrong = tuple(map(repr, [*near, *([b, a] for a, b in pairs if (b, a) not in pairs)]))
    shown = _render_trace(_substitute(program, pairs[0]), states)
    linear = machine.modulus == machine_loops.MODULUS
    output = repr(list(states[-1][2]))
    return Task(prompt, Data(states=shown, output=output, wrong=wrong, pairs=tuple(pairs), instructions=len(program), linear=linear))


def _render_trace(program: list[machines.Instruction], states: list[machines.State]) -> tuple[str, ...]:
    done = [0, *(place for place, _, _ in states)]
    return tuple(
        f"{done[i]}: {' '.join(map(str, program[done[i]]))} - stack {list(stack)}, printed {list(put_out)}"
        for i, (_, stack, put_out) in enumerate(states)
    )


def _pose(machine: machines.Machine, program: list[machines.Instruction], states: list[machines.State], wrong: list[str]) -> Task[Data]:
    prompt = (
        f"A machine has a stack of integers, empty at first, and these instructions:\n{machine_specifications.words(machine)} "
        f"{machine_specifications.describe_ending()}\n\n"
        f"What does this program print?\n{machines.listing(program)}\n\nGive the printed numbers in order, as a list."
    )
    return Task(prompt, Data(states=_render_trace(program, states), output=repr(list(states[-1][2])), wrong=tuple(wrong)))


def _count_backward_jumps(states: list[machines.State]) -> int:
    return sum(after[0] <= before[0] for before, after in pairwise(states))


def _output(machine: machines.Machine, program: list[machines.Instruction]) -> str | None:
    try:
        return repr(machines.output(machine, program))
    except machines.TooLarge:
        return None


def solve(task: Task[Data]) -> str:
    return repr(list(task.data.pairs[0])) if task.data.pairs else task.data.output


def verify(task: Task[Data], answer: str) -> Score:
    if task.data.pairs:
        return Score.exact(answer in right_answers(task), "the program prints something else for that pair, or a number is out of range")
    return Score.exact(answer == task.data.output, "the program prints something else")


def right_answers(task: Task[Data]) -> list[str]:
    return [repr(list(pair)) for pair in task.data.pairs] or [task.data.output]


def mistakes(task: Task[Data], right: str) -> list[str]:
    return [*task.data.wrong, "[]", *([task.data.output] if task.data.pairs else [])]


def cost(task: Task[Data]) -> float:
    # Every number of rounds is a case, with a congruence to solve, so a long loop is about as much work as a short one; without congruences every pair is.
    data = task.data
    if not data.pairs:
        return len(data.states) + len(task.prompt) / 1000
    return len(MISSING) * data.instructions / 4 * (1 if data.linear else len(MISSING)) + len(task.prompt) / 1000


def derive(task: Task[Data]) -> Derivation:
    """One instruction after another, each with its number, the stack after it and what has been printed."""
    for state in task.data.states:
        yield EXECUTED(**(EXECUTED.read(state) or {}))


environment = Environment(
    Knobs, Literal("a list of integers, like [1, 2, 3]"), generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    planted=True, answers="many", solutions=right_answers,
    concept="Keep the number of the next instruction and the whole stack, and do one instruction after the other.",
    version=5,
)  # fmt: skip
