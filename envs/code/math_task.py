"""Program a question about integers: those of a range that meet conditions, those whose digits keep to rules, or sequences; hidden inputs decide.

Conditions, how they are joined, and what is asked make more than eight million specifications of the first kind alone, numbers included.
"""

from rlgym import Audit, Config, Environment, Limits, Rng, Task, knob
from rlgym.answers import Code
from rlgym.generators.programs import integers
from rlgym.generators.programs.specifications import Data, audited, cost, mistakes, pose, solutions, solve, verify
from rlgym.sandbox import Runner


class Knobs(Config):
    shapes: int = knob(3, easy=1, hard=3, doc="kinds of questions, plain ones first")
    extra: int = knob(2, easy=1, hard=3, doc="conditions or rules")
    kinds: int = knob(8, easy=5, hard=13, doc="conditions and questions that there are, plain ones first")
    large: int = knob(1, easy=0, hard=1, doc="whether numbers are too large to go through all, where that can be")
    examples: int = knob(3, easy=5, hard=1, doc="inputs shown with what is returned")


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return pose(rng, integers.sample(rng, knobs.shapes, knobs.extra, knobs.kinds, bool(knobs.large)), knobs.examples)


def audit(task: Task[Data], runner: Runner) -> Audit:
    return audited(task, runner, integers.inputs)


environment = Environment(
    Knobs, Code("a Python program that defines solve, using only the standard library"), generate, solve, verify, mistakes, cost,
    planted=True, answers="many", solutions=solutions,
    concept="Write each condition as a function of its own, and ask whether all the integers must be gone through at all.",
    sandbox=Limits(seconds=1, memory_mb=128), audit=audit, version=6,
)  # fmt: skip
