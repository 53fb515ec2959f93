"""Write the weakest condition on the start of a short program that makes a given condition hold at its end.

Any condition that is true for exactly the right start values of a stated range is accepted, however it is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Condition
from rlgym.generators.programs import guarded
from rlgym.generators.programs.plane import Plane
from rlgym.solutions import Derivation, Solution, Step

NAMES, REACH = "xy", 8
MOST = 950  # characters of the condition that is found by putting in
PLANE = Plane(NAMES, REACH)
BACK = Step("So that it holds after step {number:int}, which is `{piece}`, before that step there must hold: {condition}")
START = Step("After the program there must hold: {condition}")


class Knobs(Config):
    statements: int = knob(4, easy=1, hard=7, doc="statements of the program")
    branches: int = knob(1, easy=0, hard=2, doc="statements that are choices")
    joined: int = knob(2, easy=1, hard=3, doc="comparisons in the condition at the end")
    division: str = knob(
        "none", easy="none", hard="remainders", order=("none", "remainders"), doc="whether halves and remainders are taken"
    )


class Data(TaskData):
    program: str
    after: str
    right: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, 0)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, 2 + (knobs.statements < 4))


def _sample_task(rng: Rng, knobs: Knobs, rounds: int) -> Task[Data]:
    most = min(MOST, max(400, 140 * knobs.statements))
    # Rounds are written out, so that the programs with them are a little shorter.
    lines = knobs.statements - (knobs.statements > 4 and rounds > 0)
    least = 13 * knobs.statements * min(knobs.branches, knobs.statements) * knobs.joined
    while True:
        program = guarded.sample(rng, NAMES, lines, knobs.branches, rounds, knobs.division != "none")
        parts = [guarded.comparison(rng, NAMES) for _ in range(knobs.joined)]
        after = rng.choice((" and ", " or ")).join(parts)
        terms = {frozenset(part.rsplit(" ", 2)[0].split()) for part in parts}
        if len(terms) < len(parts) or not least <= len(guarded.weakest_precondition(program, after, most)) <= most:
            continue
        right = _bits([guarded.value(after, guarded.run(program, state)) for state in _states()])
        share = right.count("1")
        if 20 <= share <= len(right) - 20 and PLANE.where(after) != PLANE.marked(right):
            break
    rest = "; // rounds down, and % leaves a remainder that is never negative" if knobs.division != "none" else ""
    rest += "; the indented lines below `for round in range(n)` are run n times" if rounds else ""
    prompt = (
        f"x and y are whole numbers from {-REACH} to {REACH} when this program starts:\n\n{program}\n\nWhile it runs they may leave that range{rest}. "
        f"At its end this must hold:\n{after}\n\nFor which values at the start does it? Write a condition on x and y at the start that is true for "
        "exactly those."
    )
    return Task(prompt, Data(program=program, after=after, right=right))


def solve(task: Task[Data]) -> str:
    # The condition of the prompt is put in backwards, statement by statement; `generate` runs the program from every start.
    _, program, tail, *_ = task.prompt.split("\n\n")
    return guarded.weakest_precondition(program, tail.split("\n")[1])


def verify(task: Task[Data], answer: str) -> Score:
    if PLANE.where(answer) == PLANE.marked(task.data.right):
        return Score.exact(True)
    return Score.wrong("for some start within the range, the condition and what the program then does do not agree")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    pieces = guarded.pieces(data.program)
    forwards = data.after
    for piece in pieces:
        forwards = guarded.weakest_precondition(piece, forwards)
    turned = f"not ({right})"
    wrong = [data.after, "True", "False", turned, forwards, guarded.weakest_precondition(pieces[-1], data.after)]
    return [answer for answer in wrong if len(answer) < MOST + 100]


def cost(task: Task[Data]) -> float:
    # Every step writes out a whole condition.
    return float(sum(len(step.replace("(", " ").split()) for step in solution.explain(task, environment.answer, solve)))


def derive(task: Task[Data]) -> Derivation:
    data, pieces = task.data, guarded.pieces(task.data.program)
    yield START(condition=data.after)
    condition_now, condition = data.after, data.after
    for number in range(len(pieces), 0, -1):
        piece = pieces[number - 1]
        condition = guarded.weakest_precondition(piece, condition)
        step = BACK(number=number, piece=_flat(piece), condition=condition)
        taken = yield step.accepting(partial(_is_precondition, piece, number, condition_now))
        condition_now = environment.answer.parse(taken["condition"])


def _is_precondition(statement: str, due: int, after: str, /, number: int, piece: str, condition: str) -> bool:
    """Runs the statement from every start in range: whether the condition holds at just those that end where `after` is true."""
    ends = [guarded.run(statement, state) for state in _states()]
    true = guarded.column(after, {name: [state[name] for state in ends] for name in NAMES})
    return (number, piece) == (due, _flat(statement)) and PLANE.where(environment.answer.parse(condition)) == PLANE.marked(_bits(true))


def _states() -> Iterator[dict[str, int]]:
    return ({"x": x, "y": y} for x, y in PLANE.states)


def _bits(values: Sequence[int]) -> str:
    return "".join("1" if value else "0" for value in values)


def _flat(piece: str) -> str:
    return " ".join(piece.split())


def _solutions(task: Task[Data]) -> Iterator[str]:
    """The condition turned round twice, and with a case that there is not."""
    right = guarded.weakest_precondition(task.data.program, task.data.after)
    yield environment.answer.parse(f"not (not ({right}))")
    yield environment.answer.parse(f"x < {-REACH} or ({right})")


solution = Solution(derive, "So this must hold at the start: {answer}", whole=True)

environment = Environment(
    Knobs,
    Condition(
        "one condition on x and y in Python's notation: comparisons joined by and, or and not, of terms with integers, +, -, * with a number on one side, "
        "and // and % by a positive number",
        names=("x", "y"),
        max_characters=6000,
    ),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=solution, answers="many", solutions=_solutions,
    concept="Go backwards: put the right-hand side of each assignment in for its variable, and at a choice ask for the one or the other by its test.",
    version=4,
)  # fmt: skip
