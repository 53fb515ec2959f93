"""Lines put into a program that take steps and change nothing: loops over a variable that is read nowhere else."""

from __future__ import annotations

from collections.abc import Sequence

from rlgym.core.rng import Rng
from rlgym.generators.programs.hazards import CONTINUED, STARTED
from rlgym.generators.text.english import join_words

IDLE = "spare"
"""The variable of an idle loop."""


def started_names(source: str) -> list[str]:
    """The variables that the first two lines of `solve` set to integers."""
    lines = source.split("\n")
    start = next(i for i, line in enumerate(lines) if line.startswith("def solve"))
    return [match[1] for line in lines[start + 1 : start + 3] if (match := STARTED.match(line))]


def idle_places(source: str) -> dict[str, list[int]]:
    """The lines of `solve` before which a loop can stand, by their indentation; none where it does not begin with variables, or uses the loop's own."""
    lines = source.split("\n")
    if not started_names(source) or IDLE in source:
        return {}
    start = next(i for i, line in enumerate(lines) if line.startswith("def solve"))
    found: dict[str, list[int]] = {}
    for i in range(start + 3, len(lines)):
        if lines[i].strip() and not lines[i].lstrip().startswith(CONTINUED):
            found.setdefault(lines[i][: len(lines[i]) - len(lines[i].lstrip())], []).append(i)
    return found


def with_idle_loop(rng: Rng, source: str, indent: str) -> str:
    """The program with an idle loop of this indentation in `solve`, for a number of times that is fixed or depends on a variable."""
    names, lines = started_names(source), source.split("\n")
    place = rng.choice(idle_places(source)[indent])
    most, least, name = rng.integer(1, 12), rng.integer(1, 3), rng.choice(names)
    times = str(most) if rng.chance(0.4) else f"{name} % {most + 1} + {least}"
    loop = (
        [f"for {IDLE} in range({times}):", "    pass"]
        if rng.chance(0.5)
        else [f"{IDLE} = {times}", f"while {IDLE} > 0:", f"    {IDLE} -= 1"]
    )
    lines[place:place] = [indent + line for line in loop]
    return "\n".join(lines)


def counting_rule(programs: Sequence[str]) -> str:
    """Which executed lines of these programs count, as a sentence with a space before it; only the kinds of lines that they have."""
    lines = [line.strip() for program in programs for line in program.splitlines()]
    if not lines:
        return ""
    heads = [f"`{word}`" for word in ("if", "elif", "for", "while") if any(line.startswith(f"{word} ") for line in lines)]
    included = " (`pass` included)" if "pass" in lines else ""
    uncounted = "`else:` and `def` do" if "else:" in lines else "`def` does"
    return (
        f" Where executed lines are counted, count the line of each statement{included} each time it is executed, and the line of each "
        f"{join_words(heads, 'or')} each time it is reached; the line of a loop is reached once more when the loop runs out. {uncounted} not count."
    )
