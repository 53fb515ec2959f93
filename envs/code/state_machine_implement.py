"""Write a function that follows a controller with states, counters, timers and priorities; hidden lists of events decide.

Tables of rows are drawn anew for every task; how ties, timers, counters, ignored events and the end are treated makes 384 further choices.
"""

from rlgym import Audit, Config, Environment, Limits, Rng, Task, knob
from rlgym.answers import Code
from rlgym.generators.programs import controller_specifications
from rlgym.generators.programs.specifications import Data, audited, cost, mistakes, pose, solutions, solve, verify
from rlgym.sandbox import Runner


class Knobs(Config):
    states: int = knob(3, easy=2, hard=5, doc="states")
    rows: int = knob(6, easy=3, hard=14, doc="rows of the table")
    timers: int = knob(1, easy=0, hard=3, doc="states that are left after a while")
    conditions: int = knob(3, easy=0, hard=7, doc="of ten rows, how many have a condition on a counter")
    policies: int = knob(1, easy=0, hard=2, doc="how strange: which row counts, limits and resets of counters, rows for any state, the end")
    examples: int = knob(2, easy=3, hard=1, doc="lists of events shown")


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    specification = controller_specifications.specification(rng, knobs.states, knobs.rows, knobs.timers, knobs.conditions, knobs.policies)
    return pose(rng, specification, knobs.examples)


def audit(task: Task[Data], runner: Runner) -> Audit:
    return audited(task, runner, controller_specifications.inputs)


environment = Environment(
    Knobs, Code("a Python program that defines solve(events), using only the standard library"),
    generate, solve, verify, mistakes, cost,
    planted=True, answers="many", solutions=solutions,
    concept="Before each event, let the timers run out that come before it; then find the one row that counts.",
    sandbox=Limits(seconds=1, memory_mb=128), audit=audit, version=6,
)  # fmt: skip
