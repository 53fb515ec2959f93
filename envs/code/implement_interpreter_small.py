"""Write an interpreter for an invented stack machine whose rules the prompt gives; hidden programs of it decide.

The order of subtraction, the conditions and targets of jumps, missing values, what putting out leaves and remainders make 288 sets of rules,
for four to twelve kinds of instructions with names of their own.
"""

from rlgym import Audit, Config, Environment, Limits, Rng, Task, knob
from rlgym.answers import Code
from rlgym.generators.programs import machine_specifications
from rlgym.generators.programs.specifications import Data, audited, cost, mistakes, pose, solutions, solve, verify
from rlgym.sandbox import Runner


class Knobs(Config):
    kinds: int = knob(8, easy=4, hard=12, doc="kinds of instructions")
    length: int = knob(12, easy=9, hard=18, doc="most instructions in a tested program")
    examples: int = knob(2, easy=3, hard=1, doc="programs shown")


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return pose(rng, machine_specifications.specification(rng, knobs.kinds, knobs.length), knobs.examples)


def audit(task: Task[Data], runner: Runner) -> Audit:
    return audited(task, runner, machine_specifications.inputs)


environment = Environment(
    Knobs, Code("a Python program that defines solve(program), using only the standard library"),
    generate, solve, verify, mistakes, cost,
    planted=True, answers="many", solutions=solutions,
    concept="A loop with the number of the next instruction, a stack, and one case for each name.",
    sandbox=Limits(seconds=1, memory_mb=128), audit=audit, version=5,
)  # fmt: skip
