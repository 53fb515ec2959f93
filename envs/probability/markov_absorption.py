"""Follow a random process until it ends: the probability that it ends in a given way, or the expected number of moves.

The shifted family is a board game with a spinner, slides and traps, whose probabilities follow from the rules.
"""

from fractions import Fraction
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators import calculations, stories
from rlgym.generators.probability import probabilities
from rlgym.generators.stories import phrase
from rlgym.generators.text.english import join_words

ANSWER = Rational("one exact number, as an integer or a fraction a/b")
FIRST = "chance from {here} to {there}"
SKIPPED = "chance from {here} to {there} with {skipped} skipped"
SPENT = "moves counted at {here} with {skipped} skipped"
OPENINGS = (
    "A process moves from state to state at random; where it goes depends only on where it is.",
    "{who} walks between rooms at random, each time choosing the next room with the chances of the present one.",
    "A machine changes its mode once a minute, at random, with chances that depend on its present mode only.",
    "A message is handed on at random between offices, with chances that depend only on the office it is in.",
    "{who} watches a system that jumps between states, without memory of how it came there.",
)
ROWS = (
    "From {here}, the next move is {listed}.",
    "From {here} it goes {listed}.",
    "The next move from {here} is {listed}.",
    "{here} leads {listed}.",
)
ENDS = (
    "It stops for good in {ends}.",
    "Reaching {ends} ends it.",
    "Once in {ends}, it stays there forever.",
    "It ends on reaching {ends}.",
)


class Knobs(Config):
    states: int = knob(4, easy=2, hard=7, doc="number of transient states")
    successors: int = knob(3, easy=2, hard=4, doc="maximum number of successors of a state")
    parts: int = knob(7, easy=5, hard=12, doc="largest denominator of a chance")


class Data(TaskData):
    names: tuple[str, ...]  # first those that it can leave again
    rows: tuple[tuple[str, ...], ...]
    start: int
    target: int  # where it shall end; -1: the moves are asked for
    board: bool
    value: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    names = [*"ABCDEFGHIJ"[: knobs.states], *rng.sample("XYZWVU", 2)]
    for _ in range(60):
        rows = [_sample_row(rng, knobs, state) for state in range(knobs.states)]
        data = Data(names=tuple(names), rows=tuple(tuple(map(str, row)) for row in rows), start=0, target=-1, board=False, value="")
        data = data.model_copy(update={"start": rng.integer(0, knobs.states - 1), "target": knobs.states + rng.integer(0, 1)})
        data = data.model_copy(update={"target": -1}) if rng.chance(0.4) else data
        if _is_hard_to_guess(data):
            break
    lines = [
        phrase(
            rng,
            ROWS,
            here=names[state],
            listed=join_words([f"to {names[there]} with probability {row[there]}" for there in range(len(row)) if row[there]]),
        )
        for state, row in enumerate(rows)
    ]
    lines = [
        phrase(rng, OPENINGS, who=rng.choice(stories.PEOPLE)),
        *rng.shuffled(lines),
        phrase(rng, ENDS, ends=" or ".join(names[knobs.states :])),
    ]
    lines.append(f"It begins in {names[data.start]}.")
    return _finish_task(rng, data, lines, f"it ends in {names[data.target]}", "moves it makes until it ends")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    slides = rng.integer(1, 2)
    last = knobs.states + slides + 1
    for _ in range(200):
        fields = sorted(rng.integer(1, knobs.successors + 1) for _ in range(rng.integer(3, max(4, knobs.parts - 2))))
        special = rng.sample(range(1, last), slides + 1)
        jumps = {square: rng.choice([s for s in range(last) if s not in special]) for square in special[1:]}
        trap = special[0]
        places = [square for square in range(last) if square not in special]
        rows = [[Fraction(0)] * (len(places) + 2) for _ in places]
        for state, square in enumerate(places):
            for rolled in fields:
                landed = min(square + rolled, last)
                landed = jumps.get(landed, landed)
                column = len(places) if landed == last else len(places) + 1 if landed == trap else places.index(landed)
                rows[state][column] += Fraction(1, len(fields))
        data = Data(
            names=(*(f"square {square}" for square in places), f"square {last}", f"square {trap}"),
            rows=tuple(tuple(map(str, row)) for row in rows),
            start=rng.integer(0, len(places) - 1),
            target=len(places),
            board=True,
            value="",
        )
        data = data.model_copy(update={"target": -1}) if rng.chance(0.4) else data
        if _always_ends(rows) and _is_hard_to_guess(data, smallest=5):
            break
    lines = [
        f"A game is played on the squares 0 to {last}. {rng.choice(stories.PEOPLE)}'s piece stands on {data.names[data.start]}.",
        f"Each move, a spinner shows one of its {len(fields)} fields, all equally likely; on them stand {join_words(list(map(str, fields)))}.",
        f"The piece goes forward by the number shown, but never beyond square {last}.",
        *(f"If it lands on square {square}, it goes to square {to} within the same move." for square, to in jumps.items()),
        f"Square {trap} is a trap that ends the game; reaching square {last} ends it too.",
    ]
    return _finish_task(rng, data, lines, f"the piece reaches square {last}", "moves until the game ends")


def solve(task: Task[Data]) -> Fraction:
    # By skipping state after state; `generate` solves a system of equations.
    data = task.data
    rows, spent = _eliminate_states(data)[-1]
    stay = 1 - rows[data.start][data.start]
    return (spent[data.start] if data.target < 0 else rows[data.start][data.target]) / stay


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.value), "the value is different")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    direct = Fraction(data.rows[data.start][data.target]) if data.target >= 0 else Fraction(len(data.rows))
    return [direct, 1 - right, right + 1, right / 2, Fraction(1, 2)]


def cost(task: Task[Data]) -> float:
    return len(task.data.rows) * sum(len(chance) for row in task.data.rows for chance in row if chance != "0")


def calculation(task: Task[Data]) -> list[str]:
    data, working = task.data, probabilities.Working()
    names = data.names
    stages = _eliminate_states(data)
    if data.board:
        for state, row in enumerate(data.rows):
            for there, chance in enumerate(map(Fraction, row)):
                if chance:
                    working.let(FIRST.format(here=names[state], there=names[there]), f"{chance.numerator}/{chance.denominator}")
    for skipped, ((rows, spent), (after, _)) in zip(_order(data), pairwise(stages), strict=True):
        away = f"(1 - {calculations.operand(rows[skipped][skipped])})"
        for state in after:
            if not rows[state][skipped]:
                continue
            passing = f"{calculations.operand(rows[state][skipped])}"
            for there in [there for there in range(len(names)) if there != skipped and rows[skipped][there]]:
                formula = f"{calculations.operand(rows[state][there])} + {passing}*{calculations.operand(rows[skipped][there])}/{away}"
                working.let(SKIPPED.format(here=names[state], there=names[there], skipped=names[skipped]), formula)
            if data.target < 0:
                formula = f"{calculations.operand(spent[state])} + {passing}*{calculations.operand(spent[skipped])}/{away}"
                working.let(SPENT.format(here=names[state], skipped=names[skipped]), formula)
    rows, spent = stages[-1]
    above = spent[data.start] if data.target < 0 else rows[data.start][data.target]
    return working.last(_goal(data), f"{calculations.operand(above)}/(1 - {calculations.operand(rows[data.start][data.start])})")


def quantities(task: Task[Data]) -> probabilities.QuantityTemplates:
    data = task.data
    stages, order = _eliminate_states(data), _order(data)

    def at(here: str, skipped: str) -> tuple[int, int]:
        return data.names.index(here), order.index(data.names.index(skipped)) + 1

    def chance(here: str, there: str, skipped: str) -> Fraction:
        place, stage = at(here, skipped)
        if data.names.index(there) in order[:stage]:
            raise ValueError("it was skipped")
        return stages[stage][0][place][data.names.index(there)]

    def spent(here: str, skipped: str) -> Fraction:
        place, stage = at(here, skipped)
        return stages[stage][1][place]

    return {
        SKIPPED: chance,
        SPENT: spent,
        FIRST: lambda here, there: Fraction(data.rows[data.names.index(here)][data.names.index(there)]),
        _goal(data): lambda: Fraction(data.value),
    }


def _goal(data: Data) -> str:
    return "expected moves" if data.target < 0 else "probability"


def _sample_row(rng: Rng, knobs: Knobs, state: int) -> list[Fraction]:
    """Chances out of a state, one of them to a later state or an end, so that the process ends."""
    states = knobs.states + 2
    others = [there for there in range(states) if there != state]
    there = [rng.integer(state + 1, states - 1)]
    there += rng.sample([other for other in others if other not in there], min(rng.integer(2, knobs.successors), len(others)) - 1)
    below = rng.integer(max(len(there), 3), max(len(there), knobs.parts))
    cuts = [0, *sorted(rng.sample(range(1, below), len(there) - 1)), below]
    row = [Fraction(0)] * states
    for place, low, high in zip(there, cuts, cuts[1:], strict=False):
        row[place] = Fraction(high - low, below)
    return row


def _finish_task(rng: Rng, data: Data, lines: list[str], event: str, moves: str) -> Task[Data]:
    if data.target < 0:
        question = phrase(
            rng,
            (
                "What is the expected number of {moves}?",
                "Find the exact expected number of {moves}.",
                "How large, exactly, is the expected number of {moves}?",
                "Find the exact expected number of {moves}.",
            ),
            moves=moves,
        )
    else:
        question = probabilities.render_question(rng, event)
    return Task(" ".join([*lines, question]), data.model_copy(update={"value": str(_exact(data))}))


def _exact(data: Data) -> Fraction:
    count = len(data.rows)
    rows = [
        [Fraction(state == there) - Fraction(chance) for there, chance in enumerate(row[:count])] for state, row in enumerate(data.rows)
    ]
    return probabilities.solve_linear_system(rows, [Fraction(1) if data.target < 0 else Fraction(row[data.target]) for row in data.rows])[
        data.start
    ]


def _is_hard_to_guess(data: Data, smallest: int = 1) -> bool:
    """Whether the value cannot be guessed: neither 0 nor 1, nor of a denominator below `smallest` or, in a large task, of a small one."""
    value = _exact(data)
    return value not in (0, 1) and value.denominator >= max(smallest, len(data.rows) + 1)


def _always_ends(rows: list[list[Fraction]]) -> bool:
    """Whether every place leads to an end at last."""
    good = set(range(len(rows), len(rows[0])))
    for _ in rows:
        good |= {state for state, row in enumerate(rows) if any(row[there] for there in good)}
    return len(good) == len(rows[0])


def _order(data: Data) -> list[int]:
    return [state for state in range(len(data.rows)) if state != data.start]


def _eliminate_states(data: Data) -> list[tuple[dict[int, list[Fraction]], dict[int, Fraction]]]:
    """The chances between the states that are left, and the moves counted there, after each state that is skipped."""
    rows = {state: list(map(Fraction, row)) for state, row in enumerate(data.rows)}
    spent = dict.fromkeys(rows, Fraction(1))
    stages = [(rows, spent)]
    for skipped in _order(data):
        away = 1 - rows[skipped][skipped]
        others = [state for state in rows if state != skipped]
        spent = {state: spent[state] + rows[state][skipped] * spent[skipped] / away for state in others}
        rows = {
            state: [Fraction(0) if j == skipped else p + rows[state][skipped] * rows[skipped][j] / away for j, p in enumerate(rows[state])]
            for state in others
        }
        stages.append((rows, spent))
    return stages


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=probabilities.solution(calculation, quantities), shift=shift,
    concept="Skip one state after the other: a visit to it leads, after however many stays, on to the others in fixed proportions.",
    version=3,
)  # fmt: skip
