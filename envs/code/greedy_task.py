"""Program the best choice of spans, jobs, piles or pairs, where the right order makes taking the nearest right; hidden inputs decide.

The further rules and what is asked make about 250 specifications that differ in more than numbers; programs that take things in a plausible but
wrong order are found out. At the hard end jobs of equal length become ready one after another, so that the worker may have to wait for an urgent
one, or jobs stand in chains, so that a poor job is worth doing for the sake of those behind it: no order of single jobs is right there.
"""

from rlgym import Audit, Config, Environment, Limits, Rng, Task, knob
from rlgym.answers import Code
from rlgym.generators.programs import schedules
from rlgym.generators.programs.specifications import Data, audited, cost, mistakes, pose, solutions, solve, verify
from rlgym.sandbox import Runner


class Knobs(Config):
    shapes: int = knob(4, easy=2, hard=6, doc="kinds of choices, plain ones first")
    extra: int = knob(2, easy=1, hard=4, doc="further rules, each of which matters")
    large: int = knob(1, easy=0, hard=1, doc="whether there are tests too large to try everything")
    examples: int = knob(3, easy=5, hard=1, doc="inputs shown with what is returned")


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return pose(rng, schedules.sample(rng, knobs.shapes, knobs.extra, bool(knobs.large)), knobs.examples)


def audit(task: Task[Data], runner: Runner) -> Audit:
    return audited(task, runner, schedules.inputs)


environment = Environment(
    Knobs, Code("a Python program that defines solve, using only the standard library"), generate, solve, verify, mistakes, cost,
    planted=True, answers="many", solutions=solutions,
    concept="In which order can things be taken so that exchanging two neighbours never helps, and which are taken as one?",
    sandbox=Limits(seconds=1, memory_mb=128),
    audit=audit, version=6,
)  # fmt: skip
