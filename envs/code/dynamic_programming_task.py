"""Program a question about all choices of a kind (positions, cuts, walks, packings): the best total, or how many there are; hidden inputs decide.

The further rules, what a total is and what is asked of the totals make 2,916 specifications that differ in more than numbers.
"""

from rlgym import Audit, Config, Environment, Limits, Rng, Task, knob
from rlgym.answers import Code
from rlgym.generators.programs import optima
from rlgym.generators.programs.specifications import Data, audited, cost, mistakes, pose, solutions, solve, verify
from rlgym.sandbox import Runner


class Knobs(Config):
    shapes: int = knob(4, easy=2, hard=4, doc="kinds of choices, plain ones first")
    extra: int = knob(2, easy=1, hard=4, doc="further rules, each of which matters")
    questions: int = knob(4, easy=2, hard=8, doc="kinds of questions about the totals, plain ones first")
    large: int = knob(1, easy=0, hard=1, doc="whether there are tests too large to try everything")
    examples: int = knob(2, easy=4, hard=1, doc="inputs shown with what is returned")


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return pose(rng, optima.sample(rng, knobs.shapes, knobs.extra, knobs.questions, bool(knobs.large)), knobs.examples)


def audit(task: Task[Data], runner: Runner) -> Audit:
    return audited(task, runner, optima.inputs)


environment = Environment(
    Knobs, Code("a Python program that defines solve, using only the standard library"), generate, solve, verify, mistakes, cost,
    planted=True, answers="many", solutions=solutions,
    concept="Go through the input once: what must be known of the choices made so far to go on, and how many have which total?",
    sandbox=Limits(seconds=1, memory_mb=128), audit=audit, version=6,
)  # fmt: skip
