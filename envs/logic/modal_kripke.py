"""Find the worlds of a small model at which a modal formula is true.

Each agent has arrows of its own between worlds; at the hard end formulas also speak of all worlds that arrows lead to in any number of steps.
"""

from collections.abc import Sequence
from functools import partial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.logic import pointwise_truth
from rlgym.solutions import Derivation, Solution

Answer = tuple[int, ...]
OPERATORS = {"one": ("[a]", "<a>"), "two": ("[a]", "<a>", "[b]", "<b>"), "reach": ("[a]", "<a>", "[b]", "<b>", "[a*]", "<b*>")}
MEANING = {
    "[a]": "[a] F is true at a world when F is true at every world that an a-arrow leads to from it (so also when there is no such arrow)",
    "<a>": "<a> F is true at a world when F is true at some world that an a-arrow leads to from it",
    "[b]": "[b] F and <b> F are the same with b-arrows",
    "[a*]": "[a*] F is true at a world when F is true at every world that can be reached from it by any number of a-arrows, including none",
    "<b*>": "<b*> F is true at a world when F is true at some world that can be reached from it by any number of b-arrows, none included",
}


class Knobs(Config):
    worlds: int = knob(7, easy=4, hard=18, doc="how many worlds there are")
    operators: int = knob(7, easy=2, hard=26, doc="how many operators the formula has")
    kinds: str = knob("two", easy="one", hard="reach", order=tuple(OPERATORS), doc="the agents, and whether arrows are followed on and on")


class Data(TaskData):
    formula: str
    true: tuple[tuple[str, int], ...]  # for each letter the bits of the worlds at which it is true
    arrows: tuple[tuple[str, tuple[int, ...]], ...]  # for each agent, and each world, the bits of the worlds that its arrows lead to
    answer: Answer


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, layered=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Worlds in groups that an agent cannot tell apart for a, and a branching tree for b; the formula is one long chain."""
    return _sample_task(rng, knobs, layered=True)


def solve(task: Task[Data]) -> Answer:
    # From the outside in, world by world: the formula at a world asks for its parts at other worlds.
    data = task.data
    true, arrows = dict(data.true), dict(data.arrows)
    known: dict[tuple[pointwise_truth.Formula, int], bool] = {}

    def reached(sign: str, world: int) -> list[int]:
        rows, seen = arrows[sign[1]], [world]
        if "*" not in sign:
            return [other for other in range(len(rows)) if rows[world] >> other & 1]
        for here in seen:
            seen += [other for other in range(len(rows)) if rows[here] >> other & 1 and other not in seen]
        return seen

    def holds(formula: pointwise_truth.Formula, world: int) -> bool:
        if isinstance(formula, str):
            return bool(true[formula] >> world & 1)
        if (formula, world) not in known:
            sign, *parts = formula
            if sign == "not":
                value = not holds(parts[0], world)
            elif sign == "and":
                value = holds(parts[0], world) and holds(parts[1], world)
            elif sign == "or":
                value = holds(parts[0], world) or holds(parts[1], world)
            elif sign == "->":
                value = not holds(parts[0], world) or holds(parts[1], world)
            else:
                values = [holds(parts[0], other) for other in reached(str(sign), world)]
                value = all(values) if str(sign)[0] == "[" else any(values)
            known[formula, world] = value
        return known[formula, world]

    formula = pointwise_truth.read(data.formula)
    return tuple(world + 1 for world in range(len(data.arrows[0][1])) if holds(formula, world))


def verify(task: Task[Data], answer: Answer) -> Score:
    return Score.exact(answer == task.data.answer, "these are not the worlds at which the formula is true, in increasing order")


def mistakes(task: Task[Data], right: Answer) -> list[Answer]:
    data = task.data
    worlds = len(data.arrows[0][1])
    formula = pointwise_truth.read(data.formula)
    flipped = data.model_copy(update={"arrows": tuple((agent, _converse(rows)) for agent, rows in data.arrows)})
    return [
        tuple(world for world in range(1, worlds + 1) if world not in right),
        tuple(range(1, worlds + 1)),
        pointwise_truth.members(pointwise_truth.marks(formula, dict(data.true), partial(_apply, flipped))[formula], 1),
        right[1:],
        tuple(world - 1 for world in right),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    arrows = sum(row.bit_count() for _, rows in data.arrows for row in rows)
    return float(len(pointwise_truth.parts(pointwise_truth.read(data.formula))) * (len(data.arrows[0][1]) + arrows))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    return pointwise_truth.evaluation([pointwise_truth.read(data.formula)], dict(data.true), partial(_apply, data), 1)


def _sample_task(rng: Rng, knobs: Knobs, layered: bool) -> Task[Data]:
    # Four worlds in groups have too few sets that no row shows.
    count = max(5, knobs.worlds) if layered else knobs.worlds
    agents = "a" if knobs.kinds == "one" else "ab"
    letters = "pqrs"[: 2 + (count > 6) + (count > 12)]
    while True:
        arrows = tuple((agent, _group(rng, count, agent) if layered else _sample_worlds(rng, count)) for agent in agents)
        true = tuple((letter, sum(rng.integer(0, 1) << i for i in range(count))) for letter in letters)
        signs = OPERATORS[knobs.kinds]
        formula = pointwise_truth.sample(rng, knobs.operators, letters, ("not", *signs, *signs), ("and", "or", "->"), chain=layered)
        data = Data(formula=pointwise_truth.write(formula), true=true, arrows=arrows, answer=())
        table = pointwise_truth.marks(formula, dict(true), partial(_apply, data))
        every = (1 << count) - 1
        dull = sum(table[part] in (0, every) for part in pointwise_truth.parts(formula))
        modal = {str(part[0])[0] for part in pointwise_truth.parts(formula)} & {"[", "<"}
        least = max(1, count // 5)
        # The row of a letter or of an arrow would be right without reading the formula.
        shown = {*dict(true).values(), *(row for _, rows in arrows for row in rows)}
        is_shown = table[formula] in shown or every - table[formula] in shown
        if least <= table[formula].bit_count() <= count - least and 3 * dull <= knobs.operators and modal and not is_shown:
            break
    data = data.model_copy(update={"answer": pointwise_truth.members(table[formula], 1)})
    return Task(_render_prompt(data, knobs), data)


def _sample_worlds(rng: Rng, count: int) -> tuple[int, ...]:
    return tuple(sum(1 << to for to in rng.sample(range(count), rng.weighted((0, 1, 2, 3), (1, 4, 4, 2)))) for _ in range(count))


def _group(rng: Rng, count: int, agent: str) -> tuple[int, ...]:
    """Groups of worlds that are joined both ways for a; for b a tree that leads from one world to all others."""
    order = rng.shuffled(range(count))
    rows = [0] * count
    if agent == "a":
        cuts = sorted(rng.sample(range(1, count), max(1, count // 4)))
        for start, end in zip((0, *cuts), (*cuts, count), strict=True):
            for world in order[start:end]:
                rows[world] = sum(1 << other for other in order[start:end])
        return tuple(rows)
    for k in range(1, count):
        rows[order[rng.integer(max(0, k - 4), k - 1)]] |= 1 << order[k]
    return tuple(rows)


def _render_prompt(data: Data, knobs: Knobs) -> str:
    worlds = range(len(data.arrows[0][1]))
    lines = "\n".join(
        f"World {i + 1}: "
        + (", ".join(letter for letter, places in data.true if places >> i & 1) or "no letter")
        + " true; "
        + "; ".join(
            f"{agent}-arrows to {pointwise_truth.list_places(rows[i], 1).replace('no place', 'nowhere')}" for agent, rows in data.arrows
        )
        for i in worlds
    )
    meaning = "; ".join(text for sign, text in MEANING.items() if sign in OPERATORS[knobs.kinds])
    return (
        f"There are {len(worlds)} worlds. This is which letters are true at each (all others are false there), and where arrows lead from it:\n{lines}\n\n"
        f"{meaning}; not, and, or and -> (if ... then) are evaluated at each world separately. not and the operators in brackets [ ] and < > bind to "
        f"the shortest formula after them.\n\nAt which worlds is this formula true?\n{data.formula}"
    )


def _apply(data: Data, sign: str, parts: Sequence[int]) -> int:
    rows = dict(data.arrows)[sign[1]] if sign[0] in "[<" else dict(data.arrows)["a"]
    every = (1 << len(rows)) - 1
    match sign:
        case "not":
            return every & ~parts[0]
        case "and":
            return parts[0] & parts[1]
        case "or":
            return parts[0] | parts[1]
        case "->":
            return (every & ~parts[0]) | parts[1]
    if sign[0] == "[":
        return every & ~_worlds_with_successor(rows, every & ~parts[0], "*" in sign)
    return _worlds_with_successor(rows, parts[0], "*" in sign)


def _worlds_with_successor(rows: Sequence[int], places: int, further: bool) -> int:
    """The worlds with an arrow to one of the places, or a way to one."""
    if not further:
        return sum(1 << i for i, row in enumerate(rows) if row & places)
    while True:
        more = places | sum(1 << i for i, row in enumerate(rows) if row & places)
        if more == places:
            return places
        places = more


def _converse(rows: Sequence[int]) -> tuple[int, ...]:
    return tuple(sum((row >> i & 1) << j for j, row in enumerate(rows)) for i in range(len(rows)))


environment = Environment(
    Knobs, Numbers("the numbers of the worlds in increasing order, separated by commas", max_items=200),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "The last of these is the whole formula, so it is true at the worlds {answer}", whole=True),
    concept="Work out where each part of the formula is true, inner parts first; a box asks of all worlds that arrows lead to, a diamond of some.",
    version=3,
)  # fmt: skip
