"""Program what is done with a text, step by step: clean, cut, rewrite, keep, merge, order, take and tell; hidden texts decide.

The ways to do each step combine to 4,300,800 specifications; those are drawn of which every step is seen in what is returned.
"""

from rlgym import Audit, Config, Environment, Limits, Rng, Task, knob
from rlgym.answers import Code
from rlgym.generators.programs import strings
from rlgym.generators.programs.specifications import Data, audited, cost, mistakes, pose, solutions, solve, verify
from rlgym.sandbox import Runner


class Knobs(Config):
    steps: int = knob(3, easy=1, hard=6, doc="steps besides cutting and telling")
    kinds: int = knob(4, easy=2, hard=7, doc="ways to do each step, plain ones first")
    examples: int = knob(2, easy=3, hard=1, doc="texts shown with what is returned")


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return pose(rng, strings.sample(rng, knobs.steps, knobs.kinds), knobs.examples)


def audit(task: Task[Data], runner: Runner) -> Audit:
    return audited(task, runner, strings.inputs)


environment = Environment(
    Knobs, Code("a Python program that defines solve(text), using only the standard library"),
    generate, solve, verify, mistakes, cost,
    planted=True, answers="many", solutions=solutions,
    concept="Give each step a line of its own, and ask of each what it does with nothing, with one piece and with equal ones.",
    sandbox=Limits(seconds=1, memory_mb=128), audit=audit, version=4,
)  # fmt: skip
