"""Program a small world by its rules (a desk, a vending machine, a robot, a lift); hidden runs of it decide.

The worlds, the rules that hold in them and what is asked for make 732 specifications that differ in more than numbers, and with the numbers more
than four million.
"""

from rlgym import Audit, Config, Environment, Limits, Rng, Task, knob
from rlgym.answers import Code
from rlgym.generators.programs import simulations
from rlgym.generators.programs.specifications import Data, audited, cost, mistakes, pose, solutions, solve, verify
from rlgym.sandbox import Runner


class Knobs(Config):
    worlds: int = knob(4, easy=2, hard=4, doc="kinds of worlds, plain ones first")
    extra: int = knob(2, easy=0, hard=4, doc="further rules that hold")
    kinds: int = knob(3, easy=2, hard=5, doc="ways to choose who is next and what an edge does, plain ones first")
    examples: int = knob(2, easy=3, hard=1, doc="runs shown")


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    world = simulations.WORLDS[rng.choice(tuple(simulations.WORLDS)[: knobs.worlds])]
    return pose(rng, world(rng, knobs.extra, knobs.kinds), knobs.examples)


def audit(task: Task[Data], runner: Runner) -> Audit:
    return audited(task, runner, simulations.inputs)


environment = Environment(
    Knobs, Code("a Python program that defines solve, using only the standard library"), generate, solve, verify, mistakes, cost,
    planted=True, answers="many", solutions=solutions,
    concept="Write the state down first, then what one step does to it, in the order in which the rules are given.",
    sandbox=Limits(seconds=1, memory_mb=128), audit=audit, version=5,
)  # fmt: skip
