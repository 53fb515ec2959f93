"""Write a function that reads settings in an invented format; hidden texts decide, malformed ones among them.

Nesting, quotes, comments, lists, kinds of values and what is done with repeated, empty, bare and malformed lines make more than 100,000 formats,
the choice of signs not counted.
"""

from rlgym import Audit, Config, Environment, Limits, Rng, Task, knob
from rlgym.answers import Code
from rlgym.generators.programs import record_inputs, record_specifications
from rlgym.generators.programs.specifications import Data, audited, cost, mistakes, pose, solutions, solve, verify
from rlgym.sandbox import Runner


class Knobs(Config):
    nesting: int = knob(1, easy=0, hard=2, doc="0 for flat settings, 1 for sections or blocks, 2 for ones that may have common settings")
    quoting: int = knob(1, easy=0, hard=2, doc="0 for no quotes, 2 for quotes with escapes")
    values: int = knob(1, easy=0, hard=2, doc="0 for texts only, 1 for numbers and truth values, 2 for lists too")
    policies: int = knob(1, easy=0, hard=3, doc="how strange repeated, empty and bare names may be treated")
    examples: int = knob(2, easy=3, hard=1, doc="texts shown")


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return pose(rng, record_specifications.specification(rng, knobs.nesting, knobs.quoting, knobs.values, knobs.policies), knobs.examples)


def audit(task: Task[Data], runner: Runner) -> Audit:
    return audited(task, runner, record_inputs.inputs)


environment = Environment(
    Knobs, Code("a Python program that defines solve(text), using only the standard library"),
    generate, solve, verify, mistakes, cost,
    planted=True, answers="many", solutions=solutions,
    concept="Bring each line into one of a few forms first, then do what that form asks for.", sandbox=Limits(seconds=1, memory_mb=128),
    audit=audit, version=8,
)  # fmt: skip
