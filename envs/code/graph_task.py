"""Program a question about graphs (what walks cost, which nodes belong together, what can be done when); hidden graphs decide.

The further rules, the measures and what is asked make 912 specifications that differ in more than numbers; self-loops and doubles are said.
"""

from rlgym import Audit, Config, Environment, Limits, Rng, Task, knob
from rlgym.answers import Code
from rlgym.generators.programs import networks
from rlgym.generators.programs.specifications import Data, audited, cost, mistakes, pose, solutions, solve, verify
from rlgym.sandbox import Runner


class Knobs(Config):
    shapes: int = knob(3, easy=1, hard=3, doc="kinds of questions, plain ones first")
    extra: int = knob(2, easy=1, hard=5, doc="further rules, each of which matters")
    tells: int = knob(4, easy=3, hard=8, doc="kinds of questions, plain ones first")
    examples: int = knob(3, easy=5, hard=1, doc="graphs shown with what is returned")


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return pose(rng, networks.sample(rng, knobs.shapes, knobs.extra, knobs.tells), knobs.examples)


def audit(task: Task[Data], runner: Runner) -> Audit:
    return audited(task, runner, networks.inputs)


environment = Environment(
    Knobs, Code("a Python program that defines solve(n, edges), using only the standard library"),
    generate, solve, verify, mistakes, cost,
    planted=True, answers="many", solutions=solutions,
    concept="What, beside the node, must be known of a walk so far to know how it may go on? Search over that.",
    sandbox=Limits(seconds=1, memory_mb=128), audit=audit, version=4,
)  # fmt: skip
