"""Find the positions of an endless trace at which a formula of linear temporal logic is true.

The trace is finite to write down: after its last position it goes on at an earlier one, round and round.
"""

from collections.abc import Sequence
from functools import partial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.logic import pointwise_truth
from rlgym.generators.text.english import join_words
from rlgym.solutions import Derivation, Solution

Answer = tuple[int, ...]
ONE = {"ever": ("next", "eventually", "always"), "until": ("next", "eventually", "always"), "release": ("next", "eventually", "always")}
TWO = {"ever": ("and", "or"), "until": ("and", "or", "until"), "release": ("and", "->", "until", "release", "unless")}
UNARY = ("not", "next", "eventually", "always")
PLAIN = {"not": '"not"', "and": '"and"', "or": '"or"', "->": '"->" (if ... then)'}
MEANING = {
    "next": "next F is true at a position if F is true at the one after it",
    "eventually": "eventually F is true at a position if F is true there or at some later position",
    "always": "always F is true at a position if F is true there and at all later positions",
    "until": "F until G is true at a position if G is true there or at some later position, and F is true at all positions from there up to but not "
    "including the first at which G is true",
    "release": "F release G is true at a position if G is true there and at all later positions, or from there up to and including the first of them "
    "at which F is true",
    "unless": "F unless G is true at a position if F is true there and at all later positions, or from there up to but not including the first of them "
    "at which G is true",
}


class Knobs(Config):
    positions: int = knob(9, easy=4, hard=26, doc="how many positions are written down")
    operators: int = knob(7, easy=2, hard=24, doc="how many operators the formula has")
    kinds: str = knob("until", easy="ever", hard="release", order=tuple(ONE), doc="which temporal operators there are")


class Data(TaskData):
    formula: str
    true: tuple[tuple[str, int], ...]  # for each letter the bits of the positions at which it is true
    positions: int
    back: int  # the position after the last one
    answer: Answer


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, clocks=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Letters that switch on and off for stretches of time or keep a beat; the formula is one long chain."""
    return _sample_task(rng, knobs, clocks=True)


def solve(task: Task[Data]) -> Answer:
    # From the outside in: each position walks on through the trace until all positions that can come have come.
    data = task.data
    true = dict(data.true)
    known: dict[tuple[pointwise_truth.Formula, int], bool] = {}

    def walk(position: int) -> list[int]:
        out = [position]
        while (position := position + 1 if position + 1 < data.positions else data.back) not in out:
            out.append(position)
        return out

    def holds(formula: pointwise_truth.Formula, at: int) -> bool:
        if isinstance(formula, str):
            return bool(true[formula] >> at & 1)
        if (formula, at) not in known:
            known[formula, at] = evaluate(formula, at)
        return known[formula, at]

    def evaluate(formula: pointwise_truth.Formula, at: int) -> bool:
        assert isinstance(formula, tuple)
        sign, *parts = formula
        match sign:
            case "not":
                return not holds(parts[0], at)
            case "and":
                return holds(parts[0], at) and holds(parts[1], at)
            case "or":
                return holds(parts[0], at) or holds(parts[1], at)
            case "->":
                return not holds(parts[0], at) or holds(parts[1], at)
            case "next":
                return holds(parts[0], at + 1 if at + 1 < data.positions else data.back)
            case "eventually":
                return any(holds(parts[0], k) for k in walk(at))
            case "always":
                return all(holds(parts[0], k) for k in walk(at))
        for k in walk(at):
            left_value, two = holds(parts[0], k), holds(parts[1], k)
            if sign == "release":
                if not two or left_value:
                    return two
            elif two or not left_value:
                return two
        return sign != "until"

    formula = pointwise_truth.read(data.formula)
    return tuple(at for at in range(data.positions) if holds(formula, at))


def verify(task: Task[Data], answer: Answer) -> Score:
    return Score.exact(answer == task.data.answer, "these are not the positions at which the formula is true, in increasing order")


def mistakes(task: Task[Data], right: Answer) -> list[Answer]:
    data = task.data
    formula = pointwise_truth.read(data.formula)
    stopped = data.model_copy(update={"back": data.positions - 1})
    return [
        tuple(at for at in range(data.positions) if at not in right),
        tuple(range(data.positions)),
        pointwise_truth.members(pointwise_truth.marks(formula, dict(data.true), partial(_apply, stopped))[formula]),
        right[1:],
        tuple(at + 1 for at in right),
    ]


def cost(task: Task[Data]) -> float:
    formula = pointwise_truth.read(task.data.formula)
    heavy = sum(2 if part[0] in ("until", "release", "unless") else 1 for part in pointwise_truth.parts(formula))
    return float(heavy * task.data.positions)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    return pointwise_truth.evaluation([pointwise_truth.read(data.formula)], dict(data.true), partial(_apply, data))


def _sample_task(rng: Rng, knobs: Knobs, clocks: bool) -> Task[Data]:
    count = knobs.positions
    letters = "pqrs"[: 2 + (count > 8) + (count > 16)]
    while True:
        back = rng.integer(1, count - 2)
        true = tuple((letter, _clock(rng, count) if clocks else sum(rng.integer(0, 1) << i for i in range(count))) for letter in letters)
        formula = pointwise_truth.sample(rng, knobs.operators, letters, ("not", *ONE[knobs.kinds]), TWO[knobs.kinds], chain=clocks)
        data = Data(formula=pointwise_truth.write(formula), true=true, positions=count, back=back, answer=())
        table = pointwise_truth.marks(formula, dict(true), partial(_apply, data))
        every = (1 << count) - 1
        dull = sum(table[part] in (0, every) for part in pointwise_truth.parts(formula))
        least = max(1, count // 5)
        # A formula that is true in one stretch only could be guessed.
        stretches = (table[formula] & ~(table[formula] << 1)).bit_count()
        temporal = {part[0] for part in pointwise_truth.parts(formula)} & set(MEANING)
        if least <= table[formula].bit_count() <= count - least and 3 * dull <= knobs.operators and temporal and stretches > (count > 6):
            break
    data = data.model_copy(update={"answer": pointwise_truth.members(table[formula])})
    lines = "\n".join(f"{i}: " + (" ".join(letter for letter, places in true if places >> i & 1) or "none") for i in range(count))
    return Task(
        f"A trace has the positions 0, 1, 2 and so on without end. These letters are true at its first positions (all others are false there):\n{lines}\n"
        f"After position {count - 1} the trace repeats positions {back} to {count - 1} without end: position {count} is like position {back}, "
        f"position {count + 1} like position {back + 1}, and so on.\n\n{_describe_operators(formula)}\n\n"
        f"At which of the positions 0 to {count - 1} is this formula true?\n{data.formula}",
        data,
    )


def _describe_operators(formula: pointwise_truth.Formula) -> str:
    """What the operators of the formula mean, and how they bind."""
    used = {str(part[0]) for part in pointwise_truth.parts(formula)}
    meaning = "; ".join(text for sign, text in MEANING.items() if sign in used)
    plain = [name for sign, name in PLAIN.items() if sign in used]
    unary = [f'"{sign}"' for sign in UNARY if sign in used]
    text = f"{meaning}."
    if plain:
        text += f" {join_words(plain)} {'is' if len(plain) == 1 else 'are'} evaluated at each position separately."
    if unary:
        text += f" {join_words(unary)} {'applies to the shortest formula after it' if len(unary) == 1 else 'each apply to the shortest formula after them'}."
    return text


def _clock(rng: Rng, count: int) -> int:
    """A letter that is true at every k-th position, or in stretches."""
    if rng.chance(0.4):
        beat = rng.integer(2, 4)
        return sum(1 << i for i in range(rng.integer(0, beat - 1), count, beat))
    value, out = rng.integer(0, 1), 0
    for i in range(count):
        value ^= rng.chance(0.3)
        out |= value << i
    return out


def _apply(data: Data, sign: str, parts: Sequence[int]) -> int:
    every, last = (1 << data.positions) - 1, data.positions - 1

    def before(places: int) -> int:
        """The positions whose next one is among these."""
        return places >> 1 | (places >> data.back & 1) << last

    match sign:
        case "not":
            return every & ~parts[0]
        case "and":
            return parts[0] & parts[1]
        case "or":
            return parts[0] | parts[1]
        case "->":
            return (every & ~parts[0]) | parts[1]
        case "next":
            return before(parts[0])
        case "always":
            return every & ~_apply(data, "until", (every, every & ~parts[0]))
        case "release":
            return every & ~_apply(data, "until", (every & ~parts[0], every & ~parts[1]))
        case "unless":
            return _apply(data, "until", parts) | _apply(data, "always", parts)
    path, places = (every, parts[0]) if sign == "eventually" else (parts[0], parts[1])
    while (more := places | path & before(places)) != places:
        places = more
    return places


environment = Environment(
    Knobs, Numbers("the positions in increasing order, separated by commas", max_items=200), generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "The last of these is the whole formula, so it is true at the positions {answer}", whole=True),
    concept="Work out where each part of the formula is true, inner parts first, going backwards and round the loop until nothing changes.",
    version=4, guessable="at level 0 of the shifted family, four positions make few sets, and that of the first alone is common",
)  # fmt: skip
