"""Write an evaluator of formulas in an invented notation; hidden texts decide, malformed ones among them.

Operators and signs with their meanings, strengths and sides, which signs come first, brackets and what errors give make more than ten million
notations, the choice of symbols not counted.
"""

from rlgym import Audit, Config, Environment, Limits, Rng, Task, knob
from rlgym.answers import Code
from rlgym.generators.programs import notation_specifications, notations
from rlgym.generators.programs.specifications import Data, audited, cost, mistakes, pose, solutions, solve, verify
from rlgym.sandbox import Runner


class Knobs(Config):
    levels: int = knob(2, easy=1, hard=4, doc="strengths of operators")
    signs: int = knob(2, easy=0, hard=4, doc="unary operators")
    shared: int = knob(0, easy=0, hard=1, doc="whether a unary and a binary operator share a symbol, where there are unary ones")
    policies: int = knob(1, easy=0, hard=3, doc="how strange: operations, operators that do not follow each other, brackets with a meaning")
    examples: int = knob(3, easy=4, hard=1, doc="formulas shown")


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    specification = notation_specifications.specification(rng, knobs.levels, knobs.signs, bool(knobs.shared), knobs.policies)
    return pose(rng, specification, knobs.examples)


def audit(task: Task[Data], runner: Runner) -> Audit:
    return audited(task, runner, notations.inputs)


environment = Environment(
    Knobs, Code("a Python program that defines solve(text), using only the standard library"),
    generate, solve, verify, mistakes, cost,
    planted=True, answers="many", solutions=solutions,
    concept="One function for each strength, which reads operands of the next strength and the operators between them.",
    sandbox=Limits(seconds=1, memory_mb=128), audit=audit, version=5,
)  # fmt: skip
