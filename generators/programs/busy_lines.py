"""Lines put into a program that take steps and change nothing: loops over a variable that is read nowhere else."""

from __future__ import annotations

from rlgym.core.rng import Rng
from rlgym.generators.programs.hazards import CONTINUED, STARTED

IDLE = "spare"
"""The variable of an idle loop."""


def started_names(source: str) -> list[str]:
    """The variables that the first two lines of `solve` set to integers."""
    lines = source.split("\n")
    start = next(i for i, line in enumerate(lines) if line.startswith("def solve"))
    return [match[1] for line in lines[start + 1 : start + 3] if (match := STARTED.match(line))]


def with_idle_loop(rng: Rng, source: str) -> str | None:
    """The program with a loop in `solve` that does nothing, for a fixed number of times or one that depends on a variable.

    None where `solve` does not begin with variables, or uses the loop's own variable.
    """
    names, lines = started_names(source), source.split("\n")
    start = next(i for i, line in enumerate(lines) if line.startswith("def solve"))
    if not names or IDLE in source:
        return None
    places = [i for i in range(start + 3, len(lines)) if lines[i].strip() and not lines[i].lstrip().startswith(CONTINUED)]
    place = rng.choice(places)
    indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
    most, name = rng.integer(1, 6), rng.choice(names)
    times = str(most) if rng.chance(0.4) else f"{name} % {most + 1} + {rng.integer(1, 3)}"
    loop = (
        [f"for {IDLE} in range({times}):", "    pass"]
        if rng.chance(0.5)
        else [f"{IDLE} = {times}", f"while {IDLE} > 0:", f"    {IDLE} -= 1"]
    )
    lines[place:place] = [indent + line for line in loop]
    return "\n".join(lines)
