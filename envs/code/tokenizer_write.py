"""Write a function that takes texts apart into tokens by invented rules; hidden texts decide.

Words, numbers, strings, comments, operators, line breaks and what is done with anything else make more than 100,000 sets of rules, the
choice of operators and keys not counted.
"""

from rlgym import Audit, Config, Environment, Limits, Rng, Task, knob
from rlgym.answers import Code
from rlgym.generators.programs import lexer_specifications, lexers
from rlgym.generators.programs.specifications import Data, audited, cost, mistakes, pose, solutions, solve, verify
from rlgym.sandbox import Runner


class Knobs(Config):
    operators: int = knob(5, easy=3, hard=9, doc="operators, of one to three signs")
    strings: int = knob(1, easy=0, hard=2, doc="0 for no strings, 2 for those with escapes")
    comments: int = knob(1, easy=0, hard=2, doc="0 for no comments, 1 for those to the end of the line, 2 for those that may nest")
    extras: int = knob(1, easy=0, hard=3, doc="stranger words, numbers and breaks")
    examples: int = knob(2, easy=3, hard=1, doc="texts shown")


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return pose(rng, lexer_specifications.specification(rng, knobs.operators, knobs.strings, knobs.comments, knobs.extras), knobs.examples)


def audit(task: Task[Data], runner: Runner) -> Audit:
    return audited(task, runner, lexers.inputs)


environment = Environment(
    Knobs, Code("a Python program that defines solve(text), using only the standard library"),
    generate, solve, verify, mistakes, cost,
    planted=True, answers="many", solutions=solutions,
    concept="Look at the next character to see what begins there, then at how far it goes.", sandbox=Limits(seconds=1, memory_mb=128),
    audit=audit, version=6,
)  # fmt: skip
