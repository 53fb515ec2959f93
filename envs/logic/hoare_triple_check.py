"""Judge claims about a short program, with a counterexample for each claim that is wrong.

Bounds in the claims are drawn at the very edge of what the program can reach, or one beyond it. Any start that breaks a wrong claim is accepted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.programs import guarded
from rlgym.generators.steps import Line, first_wrong

NAMES, REACH = "xy", 5
STATES = tuple(product(range(-REACH, REACH + 1), repeat=2))
COLUMNS = {"x": [x for x, _ in STATES], "y": [y for _, y in STATES]}
_LINE = re.compile(r"(\d{1,2}) ?[:.)] ?(?:(valid)|\(?x ?[=:]? ?([-−]?\d{1,3}) ?[,;]? ?y ?[=:]? ?([-−]?\d{1,3})\)?)\.?", re.IGNORECASE)
BAD = Line("Claim {number}: the start x={x}, y={y} is allowed and ends with x={a}, y={b}, where the claimed end is false")
GOOD = Line("Claim {number}: {starts} starts are allowed, and at their ends {term} lies between {low} and {high}")


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
    return _made(rng, knobs, 0)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, 3)


def _made(rng: Rng, knobs: Knobs, rounds: int) -> Task[Data]:
    while True:
        program = guarded.drawn(rng, NAMES, knobs.statements, knobs.branches, rounds, knobs.division != "none")
        ends_of = _ends(program)
        claims: dict[tuple[str, str], bool] = {}
        for _ in range(4 * knobs.claims):
            if len(claims) < knobs.claims:
                start, term = guarded.comparison(rng, NAMES), guarded.linear(rng, NAMES)
                allowed = guarded.column(start, COLUMNS)
                values = [value for value, held in zip(guarded.column(term, ends_of), allowed, strict=True) if held]
                if 15 <= len(values) <= 110 and len(set(values)) > 2:
                    slack = rng.integer(0, 1)
                    end = f"{term} <= {max(values) - slack}" if rng.chance(0.5) else f"{term} >= {min(values) + slack}"
                    claims[start, end] = not slack
        if len(claims) == knobs.claims and len(set(claims.values())) == 2:
            break
    starts, ends = tuple(start for start, _ in claims), tuple(end for _, end in claims)
    listing = "\n".join(f"{i}. if {start} at the start, then {end} at the end" for i, (start, end) in enumerate(claims, 1))
    rest = "; // rounds down, and % leaves a remainder that is never negative" if knobs.division != "none" else ""
    rest += "; the indented lines below `for round in range(n)` are run n times, one time after the other" if rounds else ""
    prompt = (
        f"x and y are whole numbers from {-REACH} to {REACH} when this program starts:\n\n{program}\n\nWhile it runs they may leave that range{rest}. "
        f"These are claims about it:\n{listing}\n\nA claim is valid if it is right for all starts in the range. For each claim, say that it is "
        "valid, or give a start in the range for which it is wrong."
    )
    return Task(prompt, Data(program=program, starts=starts, ends=ends, valid=tuple(claims.values())))


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Runs the program of the prompt from the allowed starts one by one until a claim breaks; `generate` sets the bounds by all ends at once.
    _, program, tail, *_ = task.prompt.split("\n\n")
    out, ran = [], dict[tuple[int, int], dict[str, int]]()
    for line in tail.split("\n")[1:]:
        number, _, claim = line.partition(". if ")
        start, _, end = claim.removesuffix(" at the end").partition(" at the start, then ")
        told = "valid"
        for x, y in STATES:
            if guarded.value(start, {"x": x, "y": y}):
                if (x, y) not in ran:
                    ran[x, y] = guarded.run(program, {"x": x, "y": y})
                if not guarded.value(end, ran[x, y]):
                    told = f"x={x}, y={y}"
                    break
        out.append(f"{number}: {told}")
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


def explain(task: Task[Data]) -> list[str]:
    data, steps, right = task.data, [], solve(task)
    ends_of = _ends(data.program)
    for number, line in enumerate(right, 1):
        found = _LINE.fullmatch(line)
        assert found is not None
        if found[2]:
            steps.append(GOOD.write(number=number, **_reached(data, number - 1, ends_of)))
        else:
            end = guarded.run(data.program, {"x": int(found[3]), "y": int(found[4])})
            steps.append(BAD.write(number=number, x=found[3], y=found[4], a=end["x"], b=end["y"]))
    return [*steps, "In short:\n" + "\n".join(right)]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, at = task.data, [0]
    ends_of = _ends(data.program)

    def follows(step: str) -> bool:
        said = BAD.read(step) or GOOD.read(step)
        if said is None or int(said.pop("number")) != at[0] + 1:
            return False
        number = at[0]
        at[0] += 1
        if "starts" in said:
            return data.valid[number] and said == {name: str(told) for name, told in _reached(data, number, ends_of).items()}
        state = {"x": int(said["x"]), "y": int(said["y"])}
        end = guarded.run(data.program, state)
        allowed = max(map(abs, state.values())) <= REACH and guarded.value(data.starts[number], state)
        return bool(allowed) and (int(said["a"]), int(said["b"])) == (end["x"], end["y"]) and not guarded.value(data.ends[number], end)

    return first_wrong(steps, follows, lambda step: step.startswith("In short:\n") and verify(task, tuple(step.split("\n")[1:])).value == 1)


def _ends(program: str) -> dict[str, list[int]]:
    ran = [guarded.run(program, {"x": x, "y": y}) for x, y in STATES]
    return {name: [end[name] for end in ran] for name in NAMES}


def _reached(data: Data, number: int, ends_of: dict[str, list[int]]) -> dict[str, object]:
    """How many starts a claim allows, and between what values its term lies at their ends."""
    term = re.split(" [<>]= ", data.ends[number])[0]
    allowed = guarded.column(data.starts[number], COLUMNS)
    values = [value for value, held in zip(guarded.column(term, ends_of), allowed, strict=True) if held]
    return {"starts": len(values), "term": term, "low": min(values), "high": max(values)}


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """For each claim the last start that breaks it, and then the first, both found by columns and written in other ways."""
    data = task.data
    ends_of = _ends(data.program)
    for end, way in ((-1, "{0}: x = {1}, y = {2}"), (0, "{0}. (x={1}, y={2})")):
        lines = []
        for number, (start, claim) in enumerate(zip(data.starts, data.ends, strict=True), 1):
            fine, allowed = guarded.column(claim, ends_of), guarded.column(start, COLUMNS)
            broken = [state for state, held, right in zip(STATES, allowed, fine, strict=True) if held and not right]
            lines.append(way.format(number, *broken[end]) if broken else f"{number}: Valid")
        yield tuple(lines)


environment = Environment(
    Knobs,
    Lines("one line for each claim, in order: its number, a colon, and then `valid` or a start in the form `x=1, y=2`", most=20),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    answers="many",
    solutions=_solutions,
    concept="Follow how far each branch can push the values from the allowed starts; a claim breaks, if at all, at the extremes.",
    version=2,
)
