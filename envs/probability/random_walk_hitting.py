"""Find the probability that a random walk on a line reaches one end before the other.

Chances may differ from place to place, and the walk may stay where it is. In the shifted family one end is a wall that throws the walk
back, and the expected number of moves to the other end is asked for.
"""

from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators import calculations
from rlgym.generators.draws import draw_rare
from rlgym.generators.probability import probabilities
from rlgym.generators.stories import phrase

ANSWER = Rational("one exact number, as an integer or a fraction a/b")
GAP = "rise of the chance from {low} to {high}, as a multiple of the first rise"
CLIMB = "expected moves from {low} to {high}"
WALKERS = ("A beetle", "An ant", "A snail", "A token", "A robot", "A cursor", "A lift", "A crab", "A spider")
LINES = (
    "{walker} moves along the places 0, 1, ..., {top} of a line; each move is drawn at random, independently of the moves before.",
    "The places 0 to {top} lie in a row. {walker} moves between neighbouring ones, each time at random and independently of the past.",
    "{walker} wanders at random on a row of places numbered 0 to {top}; what it does next depends on nothing but where it is.",
    "On a strip with the places 0, 1, ..., {top}, {walker} makes random moves, each independent of those before.",
)
STARTS = (
    "It starts at place {start}.",
    "At the beginning it is at place {start}.",
    "Its first place is {start}.",
    "Place {start} is where it begins.",
)
ENDS = (
    "It stops as soon as it is at 0 or at {top}.",
    "At 0 and at {top} the walk ends.",
    "Places 0 and {top} end the walk.",
    "The walk is over once 0 or {top} is reached.",
)
WALLS = (
    "From 0 every move leads to 1.",
    "At 0 there is a wall: the next move always leads to 1.",
    "Whenever it is at 0, its next move goes to 1 for sure.",
    "Place 0 throws it back to 1 with the next move.",
)
TIMES = (
    "What is the expected number of moves until it is at place {top} for the first time?",
    "How many moves does it take, on average, until place {top} is first reached? Give the exact expected number.",
    "Find the exact expected number of moves until it first comes to place {top}.",
    "Find the exact expected number of moves until it is at place {top} for the first time, the last move included.",
)
KINDS = ("fair", "slanted", "varied", "lazy")


class Knobs(Config):
    places: int = knob(6, easy=5, hard=12, doc="the number of the last place")
    parts: int = knob(6, easy=5, hard=10, doc="largest denominator of a chance")
    kind: str = knob(
        "varied", easy="fair", hard="lazy", order=KINDS, doc="chances: one half, the same everywhere, different ones, or also of staying"
    )


class Data(TaskData):
    up: tuple[str, ...]  # of places 1 to top - 1
    down: tuple[str, ...]
    start: int
    wall: bool
    value: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return draw_rare(lambda: _sample_task(rng, knobs, False), solve, 6 if knobs.places < 6 else 1)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return draw_rare(lambda: _sample_task(rng, knobs, True), solve, 6 if knobs.places < 6 else 1)


def solve(task: Task[Data]) -> Fraction:
    # As a system of linear equations; `generate` goes from place to place.
    data, top = task.data, len(task.data.up) + 1
    rows = [[Fraction(int(i == j)) for j in range(top + 1)] for i in range(top + 1)]
    right = [Fraction(0)] * top + [Fraction(not data.wall)]
    for place in range(1, top):
        up, down = Fraction(data.up[place - 1]), Fraction(data.down[place - 1])
        rows[place][place - 1], rows[place][place], rows[place][place + 1] = -down, up + down, -up
        right[place] = Fraction(data.wall)
    if data.wall:
        rows[0][1], right[0] = Fraction(-1), Fraction(1)
    return probabilities.solve_linear_system(rows, right)[data.start]


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.value), "the value is different")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    top = len(task.data.up) + 1
    even = Fraction(top**2 - task.data.start**2) if task.data.wall else Fraction(task.data.start, top)
    return [even, right + 1, 1 - right, right / 2, 1 / (right + 1)]


def cost(task: Task[Data]) -> float:
    return len(task.data.up) * (2 + len({*task.data.up, *task.data.down}))


def calculation(task: Task[Data]) -> list[str]:
    data, working, top = task.data, probabilities.Working(), len(task.data.up) + 1
    rates = [
        (calculations.operand(Fraction(up)), calculations.operand(Fraction(down))) for up, down in zip(data.up, data.down, strict=True)
    ]
    name = CLIMB if data.wall else GAP
    rises = [working.let(name.format(low=0, high=1), "1")]
    for place, (up, down) in enumerate(rates, 1):
        before = calculations.operand(rises[-1])
        formula = f"(1 + {down}*{before})/{up}" if data.wall else f"{before}*{down}/{up}"
        rises.append(working.let(name.format(low=place, high=place + 1), formula))
    if data.wall:
        return working.last("expected moves", calculations.sum_formula(rises[data.start : top]))
    return working.last("probability", f"({calculations.sum_formula(rises[: data.start])})/({calculations.sum_formula(rises)})")


def quantities(task: Task[Data]) -> probabilities.QuantityTemplates:
    data = task.data
    rises = _rises(data)

    def between(low: str, high: str) -> Fraction:
        if int(high) != int(low) + 1 or int(low) < 0:
            raise ValueError("not a place and the next one")
        return rises[int(low)]

    return (
        {CLIMB: between, "expected moves": lambda: Fraction(data.value)}
        if data.wall
        else {GAP: between, "probability": lambda: Fraction(data.value)}
    )


def _sample_task(rng: Rng, knobs: Knobs, wall: bool) -> Task[Data]:
    top = rng.integer(max(3, knobs.places - 2), knobs.places)
    chosen = [_sample_chances(rng, knobs) for _ in range(top - 1)]
    if knobs.kind in KINDS[:2]:
        chosen = chosen[:1] * (top - 1)
    start = rng.integer(0 if wall else 1, top - 1)
    data = Data(up=tuple(str(up) for up, _ in chosen), down=tuple(str(down) for _, down in chosen), start=start, wall=wall, value="")
    rises = _rises(data)
    value = sum(rises[start:]) if wall else sum(rises[:start]) / sum(rises)
    lines = [phrase(rng, LINES, walker=rng.choice(WALKERS), top=top).replace(", A", ", a")]
    if knobs.kind in KINDS[:2]:
        up, down = chosen[0]
        lines.append(
            f"From every place between the ends it goes one place up with probability {up} and one place down with probability {down}."
        )
    else:
        lines += [
            f"From {place} it goes to {place + 1} with probability {up} and to {place - 1} with probability {down}"
            + (f", and stays with probability {1 - up - down}." if up + down < 1 else ".")
            for place, (up, down) in enumerate(chosen, 1)
        ]
    lines += rng.shuffled([phrase(rng, STARTS, start=start), phrase(rng, WALLS if wall else ENDS, top=top)])
    lines.append(phrase(rng, TIMES, top=top) if wall else probabilities.render_question(rng, f"it comes to {top} before it comes to 0"))
    return Task(" ".join(lines), data.model_copy(update={"value": str(value)}))


def _sample_chances(rng: Rng, knobs: Knobs) -> tuple[Fraction, Fraction]:
    if knobs.kind == "fair":
        return Fraction(1, 2), Fraction(1, 2)
    below = rng.integer(3, knobs.parts)
    up = rng.integer(1, below - 1)
    if knobs.kind == "lazy" and below - up > 1 and rng.chance(0.7):
        return Fraction(up, below), Fraction(rng.integer(1, below - up - 1), below)
    return Fraction(up, below), Fraction(below - up, below)


def _rises(data: Data) -> list[Fraction]:
    """From each place to the next: the expected moves, or the rise of the chance."""
    rises = [Fraction(1)]
    for up, down in zip(map(Fraction, data.up), map(Fraction, data.down), strict=True):
        rises.append((1 + down * rises[-1]) / up if data.wall else rises[-1] * down / up)
    return rises


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=probabilities.solution(calculation, quantities), shift=shift,
    concept="From each place the chance is the average of the neighbours' chances: so the rises between neighbours are in the ratio down to up.",
    guessable="short walks with few chances have few answers; at level 0 one of them is right for about 0.17",
    version=3,
)  # fmt: skip
