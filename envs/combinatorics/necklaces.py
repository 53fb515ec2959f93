"""Count colourings where those that a turn or a reflection makes alike are one and the same."""

from collections import Counter
from itertools import product
from math import comb, gcd

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators import calculations
from rlgym.generators.calculations import LAST
from rlgym.generators.draws import MOST_DIGITS, draw_rare
from rlgym.generators.numbers.recurrences import count_facts

Cycles = tuple[int, ...]
COLOURS = ("red", "blue", "green", "white", "black", "yellow", "brown", "pink", "grey", "orange")


class Knobs(Config):
    beads: int = knob(8, easy=4, hard=24, doc="beads of a necklace")
    colours: int = knob(8, easy=8, hard=9, doc="colours there are, at most")
    flips: str = knob("no", easy="no", hard="yes", order=("no", "yes"), doc="whether reflections make colourings the same too")
    exact: str = knob("no", easy="no", hard="yes", order=("no", "yes"), doc="whether one colour must be used a given number of times")


class Data(TaskData):
    rows: int
    columns: int
    flips: bool
    colours: int
    exact: int | None
    count: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Small rings have few different numbers, so a task with a rare one is taken."""
    draws = 24 if knobs.beads < 8 else 1
    return draw_rare(lambda: _sample_task(rng, knobs, 1, max(4, knobs.beads + rng.integer(-3, 3))), lambda task: task.data.count, draws)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The squares of a rectangular ring-shaped board: its rows and its columns may be moved around in a circle."""

    def sample() -> Task[Data]:
        rows = rng.integer(2, 2 + knobs.beads // 8)
        return _sample_task(rng, knobs, rows, max(2, (knobs.beads + rng.integer(0, 7)) // rows))

    return draw_rare(sample, lambda task: task.data.count, 40 if knobs.beads < 8 else 1)


def _sample_task(rng: Rng, knobs: Knobs, rows: int, columns: int) -> Task[Data]:
    size = rows * columns
    colours = rng.integer(2, max(2, min(knobs.colours, int(10 ** (MOST_DIGITS / size)))))
    exact = rng.integer(2, size - 2) if knobs.exact == "yes" and size > 4 else None
    data = Data(rows=rows, columns=columns, flips=knobs.flips == "yes", colours=colours, exact=exact, count=0)
    names = rng.sample(COLOURS, colours)
    material = rng.choice(("glass", "wooden", "clay", "stone", "paper", "metal"))
    used = f"Exactly {exact} of them must be {names[0]}. " if exact is not None else "Not every colour has to be used. "
    many = f"Each is {' or '.join([', '.join(names[:-1]), names[-1]])}. {used}"
    if rows == 1:
        turns = "rotated, turned over, or both" if data.flips else "rotated (but not turned over)"
        prompt = f"{columns} {material} beads are strung on a closed ring. {many}Two rings are the same if one becomes the other by being {turns}."
    else:
        flips = ", and so may mirroring left and right" if data.flips else ""
        prompt = (
            f"The squares of a {material} board of {rows} rows and {columns} columns are coloured. {many}"
            "Two boards are the same if one becomes the other by moving "
            "all rows down by some number of rows, where those that leave at the bottom come in again at the top, and moving all columns to the right in "
            f"the same way; both may be combined{flips}."
        )
    facts, _ = _burnside(data)
    return Task(f"{prompt} How many different ones are there?", data.model_copy(update={"count": facts["different ones"]}))


def solve(task: Task[Data]) -> int:
    """Move by move, each applied to every square; what is fixed is counted by a generating function of the one colour."""
    data = task.data
    rows, columns = data.rows, data.columns
    total = moves = 0
    for down, right, flip in product(range(rows), range(columns), (1, -1) if data.flips else (1,)):
        image = [(r + down) % rows * columns + (flip * c + right) % columns for r in range(rows) for c in range(columns)]
        seen, cycles = set[int](), []
        for start in range(rows * columns):
            length, at = 0, start
            while at not in seen:
                seen.add(at)
                at, length = image[at], length + 1
            cycles += [length] * (length > 0)
        series = [1] + [0] * (rows * columns)
        for length in cycles:
            series = [(data.colours - 1) * series[k] + (series[k - length] if k >= length else 0) for k in range(len(series))]
        total += sum(series) if data.exact is None else series[data.exact]
        moves += 1
    return total // moves


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.count, "their number is different")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    size = data.rows * data.columns
    all_colourings = data.colours**size if data.exact is None else comb(size, data.exact) * (data.colours - 1) ** (size - data.exact)
    other = _burnside(data.model_copy(update={"flips": not data.flips}))[0]["different ones"]
    return [all_colourings, -(-all_colourings // size), other, right + 1]


def cost(task: Task[Data]) -> float:
    data = task.data
    return data.rows * data.columns * (2 if data.flips else 1) * (3 if data.exact is not None else 1) * len(str(data.count))


def lines(task: Task[Data]) -> list[str]:
    return _burnside(task.data)[1]


def _formula_constants(task: Task[Data]) -> list[int]:
    """Numbers that formulas may use besides those of the prompt."""
    numbers = list(range(2 * task.data.rows * task.data.columns + 1))
    return numbers + [comb(n, k) for n in numbers for k in range(n // 2 + 1)] if task.data.exact is not None else numbers


def _burnside(data: Data) -> tuple[dict[str, int], list[str]]:
    """The moves by the lengths of their circles of squares, the colourings that each kind leaves as they are, and their mean, as facts and as lines."""
    kinds = Counter(_cycles(data, down, right) for down in range(data.rows) for right in range(data.columns))
    for down, right in product(range(data.rows), range(data.columns)) if data.flips else ():
        kinds[_mirror(data, down, right)] += 1
    facts, steps, terms = {}, [], []
    for cycles, moves in sorted(kinds.items(), reverse=True):
        circles = " and ".join(f"{many} of {length}" for length, many in sorted(Counter(cycles).items(), reverse=True))
        formula, fixed = _fixed_colourings(data, cycles)
        facts[f"moves with circles {circles}"], facts[f"left alike by circles {circles}"] = moves, fixed
        steps += [f"moves with circles {circles} = {moves} = {moves}", f"left alike by circles {circles} = {formula} = {fixed}"]
        terms.append((moves, fixed))
    total, moves = sum(count * fixed for count, fixed in terms), sum(kinds.values())
    facts |= {"sum over all moves": total, "different ones": total // moves}
    steps.append(f"sum over all moves = {' + '.join(f'{count}*{fixed}' for count, fixed in terms)} = {total}")
    return facts, [*steps, f"{LAST}different ones = {total}/{moves} = {total // moves}"]


def _cycles(data: Data, down: int, right: int) -> Cycles:
    """A shift by this much moves every square in a circle of the same length."""
    rows, columns = data.rows // gcd(down, data.rows), data.columns // gcd(right, data.columns)
    length = rows * columns // gcd(rows, columns)
    return (length,) * (data.rows * data.columns // length)


def _mirror(data: Data, down: int, right: int) -> Cycles:
    """A shift after mirroring left and right: columns stay or change places in twos, rows move in circles."""
    rows = data.rows // gcd(down, data.rows)
    still = sum((right - c) % data.columns == c for c in range(data.columns))
    swapped = rows if rows % 2 == 0 else 2 * rows
    return (swapped,) * ((data.columns - still) * data.rows // swapped) + (rows,) * (still * data.rows // rows)


def _fixed_colourings(data: Data, cycles: Cycles) -> tuple[str, int]:
    """How many colourings have one colour along each circle, as a formula and a number."""
    if data.exact is None:
        return f"{data.colours}^{len(cycles)}", data.colours ** len(cycles)
    lengths = Counter(cycles)
    (long, many), (short, few) = (*sorted(lengths.items(), reverse=True), (1, 0))[:2]
    terms, total = [], 0
    for taken in range(min(many, data.exact // long) + 1):
        rest, odd = divmod(data.exact - taken * long, short)
        if odd or rest > few:
            continue
        ways, others = comb(many, taken) * comb(few, rest), len(cycles) - taken - rest
        terms.append(f"{comb(many, taken)}*{comb(few, rest)}*{data.colours - 1}^{others}")
        total += ways * (data.colours - 1) ** others
    return " + ".join(terms) or "0", total


environment = Environment(
    Knobs, Integer(), generate, solve, verify, mistakes, cost,
    solution=calculations.solution(lines, lambda task: count_facts(_burnside(task.data)[0]), "0 1 2", _formula_constants),
    shift=shift,
    concept="The number of different colourings is the mean, over all moves, of how many colourings a move leaves as they are.",
    chains=True, version=5,
)  # fmt: skip
