"""Judge claims about a short program, with a counterexample for each claim that is wrong.

Bounds in the claims are drawn at the very edge of what the program can reach, or one beyond it. Any start that breaks a wrong claim is accepted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.programs import guarded
from rlgym.solutions import Derivation, Solution, Step

NAMES, REACH = "xy", 5
STATES = tuple(product(range(-REACH, REACH + 1), repeat=2))
COLUMNS = {"x": [x for x, _ in STATES], "y": [y for _, y in STATES]}
_LINE = re.compile(r"(\d{1,2}) ?[:.)] ?(?:(valid)|\(?x ?[=:]? ?([-−]?\d{1,3}) ?[,;]? ?y ?[=:]? ?([-−]?\d{1,3})\)?)\.?", re.IGNORECASE)
BAD = Step(
    "Claim {number:int}: the start x={x:int}, y={y:int} is allowed and ends with x={a:int}, y={b:int}, where the claimed end is false"
)
GOOD = Step("Claim {number}: {starts} starts are allowed, and at their ends {term} lies between {low} and {high}")


class Knobs(Config):
    statements: int = knob(3, easy=1, hard=6, doc="statements of the program")
    branches: int = knob(1, easy=0, hard=3, doc="statements that are choices")
    claims: int = knob(3, easy=2, hard=6, doc="claims to be judged")
    division: str = knob(
        "none", easy="none", hard="remainders", order=("none", "remainders"), doc="whether halves and remainders are taken"
    )


class Data(TaskData):
    program: str
    starts: tuple[str, ...]
    ends: tuple[str, ...]
    valid: tuple[bool, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, 0)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, 3)


def _sample_task(rng: Rng, knobs: Knobs, rounds: int) -> Task[Data]:
    while True:
        program = guarded.sample(rng, NAMES, knobs.statements, knobs.branches, rounds, knobs.division != "none")
        ends_of = _end_values(program)
        claims: dict[tuple[str, str], bool] = {}
        for _ in range(4 * knobs.claims):
            if len(claims) < knobs.claims:
                start, term = guarded.comparison(rng, NAMES), guarded.linear(rng, NAMES)
                allowed = guarded.column(start, COLUMNS)
                values = [value for value, is_allowed in zip(guarded.column(term, ends_of), allowed, strict=True) if is_allowed]
                if 15 <= len(values) <= 110 and len(set(values)) > 2:
                    slack = rng.integer(0, 1)
                    end = f"{term} <= {max(values) - slack}" if rng.chance(0.5) else f"{term} >= {min(values) + slack}"
                    claims[start, end] = not slack
        if len(claims) == knobs.claims and len(set(claims.values())) == 2:
            break
    starts, ends = tuple(start for start, _ in claims), tuple(end for _, end in claims)
    listing = "\n".join(f"{i}. if {start} at the start, then {end} at the end" for i, (start, end) in enumerate(claims, 1))
    rest = "; // rounds down, and % leaves a remainder that is never negative" if knobs.division != "none" else ""
    rest += "; the indented lines below `for round in range(n)` are run n times" if rounds else ""
    prompt = (
        f"x and y are whole numbers from {-REACH} to {REACH} when this program starts:\n\n{program}\n\nWhile it runs they may leave that range{rest}. "
        f"These are claims about it:\n{listing}\n\nA claim is valid if it is true for all starting values in the range. For each claim, say that it is "
        "valid, or give a start in the range for which it is false."
    )
    return Task(prompt, Data(program=program, starts=starts, ends=ends, valid=tuple(claims.values())))


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Runs the program of the prompt from the allowed starts one by one until a claim breaks; `generate` sets the bounds by all ends at once.
    _, program, tail, *_ = task.prompt.split("\n\n")
    out, ran = [], dict[tuple[int, int], dict[str, int]]()
    for line in tail.split("\n")[1:]:
        number, _, claim = line.partition(". if ")
        start, _, end = claim.removesuffix(" at the end").partition(" at the start, then ")
        verdict = "valid"
        for x, y in STATES:
            if guarded.value(start, {"x": x, "y": y}):
                if (x, y) not in ran:
                    ran[x, y] = guarded.run(program, {"x": x, "y": y})
                if not guarded.value(end, ran[x, y]):
                    verdict = f"x={x}, y={y}"
                    break
        out.append(f"{number}: {verdict}")
    return tuple(out)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    lines = [_LINE.fullmatch(line) for line in answer]
    if [line and int(line[1]) for line in lines] != list(range(1, len(data.starts) + 1)):
        return Score.wrong("there must be one line for each claim, in order: its number, a colon, and `valid` or a start")
    for line, start, end, valid in zip(lines, data.starts, data.ends, data.valid, strict=True):
        assert line is not None
        if line[2]:
            if not valid:
                return Score.wrong("a claim that is said to be valid is not")
            continue
        state = {"x": int(line[3].replace("−", "-")), "y": int(line[4].replace("−", "-"))}
        if max(map(abs, state.values())) > REACH or not guarded.value(start, state):
            return Score.wrong(f"the start for claim {line[1]} is not allowed there")
        if guarded.value(end, guarded.run(data.program, state)):
            return Score.wrong(f"claim {line[1]} is right for the start that is given")
    return Score.exact(True)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    numbers = range(1, len(right) + 1)
    return [
        tuple(f"{i}: valid" for i in numbers),
        tuple(f"{i}: x=0, y=0" for i in numbers),
        tuple(f"{i}: x={REACH}, y={REACH}" for i in numbers),
        tuple(f"{i}: invalid" for i in numbers),
        tuple(line if "valid" not in line else line.replace("valid", "x=0, y=0") for line in right),
        tuple(line if "valid" in line else f"{line.partition(':')[0]}: valid" for line in right),
        right[:-1],
    ]


def cost(task: Task[Data]) -> float:
    steps = sum(len(piece.split()) for piece in guarded.pieces(task.data.program))
    return float(steps * len(task.data.starts))


def derive(task: Task[Data]) -> Derivation:
    data, ends_of = task.data, _end_values(task.data.program)
    for number, line in enumerate(solve(task), 1):
        start = _LINE.fullmatch(line)
        assert start is not None
        if start[2]:
            yield GOOD(number=number, **_end_range(data, number - 1, ends_of))
        else:
            end = guarded.run(data.program, {"x": int(start[3]), "y": int(start[4])})
            step = BAD(number=number, x=start[3], y=start[4], a=end["x"], b=end["y"])
            yield step.accepting(partial(_is_counterexample, data, number))


def _is_counterexample(data: Data, claim: int, /, number: int, x: int, y: int, a: int, b: int) -> bool:
    """Whether the program goes from this allowed start to this end, where the claimed condition is false."""
    state = {"x": x, "y": y}
    end = guarded.run(data.program, state)
    allowed = max(abs(x), abs(y)) <= REACH and bool(guarded.value(data.starts[claim - 1], state))
    return number == claim and allowed and (a, b) == (end["x"], end["y"]) and not guarded.value(data.ends[claim - 1], end)


def _end_values(program: str) -> dict[str, list[int]]:
    ran = [guarded.run(program, {"x": x, "y": y}) for x, y in STATES]
    return {name: [end[name] for end in ran] for name in NAMES}


def _end_range(data: Data, number: int, ends_of: dict[str, list[int]]) -> dict[str, object]:
    """How many starts a claim allows, and between what values its term lies at their ends."""
    term = re.split(" [<>]= ", data.ends[number])[0]
    allowed = guarded.column(data.starts[number], COLUMNS)
    values = [value for value, is_allowed in zip(guarded.column(term, ends_of), allowed, strict=True) if is_allowed]
    return {"starts": len(values), "term": term, "low": min(values), "high": max(values)}


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """For each claim the last start that breaks it, and then the first, both found by columns and written in other ways."""
    data = task.data
    ends_of = _end_values(data.program)
    for end, layout in ((-1, "{0}: x = {1}, y = {2}"), (0, "{0}. (x={1}, y={2})")):
        lines = []
        for number, (start, claim) in enumerate(zip(data.starts, data.ends, strict=True), 1):
            fine, allowed = guarded.column(claim, ends_of), guarded.column(start, COLUMNS)
            broken = [state for state, is_allowed, right in zip(STATES, allowed, fine, strict=True) if is_allowed and not right]
            lines.append(layout.format(number, *broken[end]) if broken else f"{number}: Valid")
        yield tuple(lines)


environment = Environment(
    Knobs,
    Lines("one line for each claim, in order: its number, a colon, and then `valid` or a start in the form `x=1, y=2`", max_items=20),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "In short:\n{answer}"), answers="many", solutions=_solutions,
    shared_helpers="The helper runs a program of the small language, which is its definition.",
    concept="Follow how far each branch can push the values from the allowed starts; a claim breaks, if at all, at the extremes.",
    version=3,
)  # fmt: skip
