"""Say what a program of an invented stack machine prints, by the rules that the prompt gives: deduction.

The order of subtraction, the conditions and targets of jumps, missing values, what putting out leaves and remainders make 288 sets of rules,
and every task draws another program.
"""

from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Literal
from rlgym.generators.programs import machine_programs, machine_specifications, machines
from rlgym.solutions import Derivation, Solution, Step

EXECUTED = Step("{place:int}: {instruction} - stack {stack}, printed {printed}")
END = "The program ends, and the whole output is {answer}"


class Knobs(Config):
    kinds: int = knob(8, easy=4, hard=12, doc="kinds of instructions")
    length: int = knob(12, easy=5, hard=32, doc="most instructions in the program")
    steps: int = knob(7, easy=3, hard=18, doc="least instructions that are done before it ends")
    back: int = knob(1, easy=0, hard=3, doc="least jumps back, where the program is long enough and there are jumps")


class Data(TaskData):
    states: tuple[str, ...]
    output: str
    wrong: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    kinds = machine_specifications.KINDS[: knobs.kinds]
    # Without jumps no program does more instructions than it has.
    least = min(knobs.steps, knobs.length // 2)
    back = min(knobs.back, knobs.length // 8) if "jump_if" in kinds else 0
    while True:
        machine = machines.sample(rng, kinds)
        for program in machine_programs.programs(rng, machine, 20, knobs.length):
            states = machines.trace(machine, program)
            right = list(states[-1][2])
            # A program that runs to the limit mostly goes round and round without a change.
            if least <= len(states) < machines.MOST_STEPS and 1 <= len(right) <= 20 and _back(states) >= back:
                wrong = [
                    other for other in (_output(near, program) for near in machines.neighbours(machine)) if other not in (None, repr(right))
                ]
                if len(set(wrong)) >= 2:
                    return _pose(machine, program, states, [other for other in dict.fromkeys(wrong) if other])


def _pose(machine: machines.Machine, program: list[machines.Instruction], states: list[machines.State], wrong: list[str]) -> Task[Data]:
    prompt = (
        f"A machine has a stack of integers, empty at first, and these instructions:\n{machine_specifications.words(machine)} "
        f"{machine_specifications.ending()}\n\n"
        f"What does this program print?\n{machines.listing(program)}\n\nGive the printed numbers in order, as a list."
    )
    done = [0, *(place for place, _, _ in states)]
    shown_states = tuple(
        f"{done[i]}: {' '.join(map(str, program[done[i]]))} - stack {list(stack)}, printed {list(put_out)}"
        for i, (_, stack, put_out) in enumerate(states)
    )
    return Task(prompt, Data(states=shown_states, output=repr(list(states[-1][2])), wrong=tuple(wrong)))


def _back(states: list[machines.State]) -> int:
    return sum(after[0] <= before[0] for before, after in pairwise(states))


def _output(machine: machines.Machine, program: list[machines.Instruction]) -> str | None:
    try:
        return repr(machines.output(machine, program))
    except machines.TooLarge:
        return None


def solve(task: Task[Data]) -> str:
    return task.data.output


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.output, "the program prints something else")


def mistakes(task: Task[Data], right: str) -> list[str]:
    return [*task.data.wrong, "[]"]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.states)) + len(task.prompt) / 1000


def derive(task: Task[Data]) -> Derivation:
    """One instruction after another, each with its number, the stack after it and what has been printed."""
    for state in task.data.states:
        yield EXECUTED(**(EXECUTED.read(state) or {}))


environment = Environment(
    Knobs, Literal("a list of integers, like [1, 2, 3]"), generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    planted=True,
    concept="Keep the number of the next instruction and the whole stack, and do one instruction after the other.",
    version=3,
)  # fmt: skip
