"""Differentiate a combination of functions that are known only by a table of values and slopes.

On the upper levels two values of the table are missing and follow from the derivatives of two other combinations only together.
In the shifted family inverse functions are part of the combination.
"""

from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, knob
from rlgym.answers import Rational
from rlgym.generators.calculations import LINE, filled
from rlgym.generators.calculus_tables import (
    INVERSE,
    Chain,
    Clue,
    Combination,
    derivative,
    fill_tables,
    fitting_pairs,
    parts_of,
    with_combination,
)
from rlgym.generators.draws import draw_rare
from rlgym.generators.probability import probabilities
from rlgym.generators.stories import phrase
from rlgym.solutions import Derivation, Solution, SolutionByTask, Step, in_order

VALUE = "the value of {part}"
SLOPE = "the slope of {part}"
SIGNS = ("+", "-", "*", "/")
ASKS = (
    "Let h(x) = {h}. What is h'({at})?",
    "Find the derivative of h(x) = {h} at x = {at}.",
    "The function h is defined by h(x) = {h}. Work out h'({at}) exactly.",
    "What is the slope of the graph of h(x) = {h} at x = {at}?",
)
ANSWER = Rational("one exact number, as an integer or a fraction a/b")
KNOWN = Step("{name}'({at:int}) = {value} leaves these pairs of values for {first} and {second}: {pairs}.")
TRIED = Step("With {first} = {one:int} and {second} = {other:int}, {name}'({at:int}) = {value:fraction}.")
CONCEPT = "From the inside out: each function is looked up where the inner one leads, and its slope multiplies the inner slope."


class Knobs(Config):
    chains: int = knob(2, easy=1, hard=4, doc="how many compositions are combined by signs")
    depth: int = knob(2, easy=1, hard=5, doc="how many functions are composed at most")
    points: int = knob(5, easy=3, hard=8, doc="number of x for which the table has values")
    table: str = knob("full", easy="full", hard="gaps", order=("full", "gaps"), doc="whether two values of the table are missing")
    signs: int = knob(3, easy=2, hard=4, doc="operators: sums and differences, also products, or also quotients")


class Data(Combination):
    value: str
    gaps: tuple[tuple[str, int], ...] = ()  # the functions and x of the missing values
    clues: tuple[Clue, ...] = ()  # combinations whose derivatives determine the missing values


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_with_gaps(rng, knobs) if knobs.table == "gaps" else _sample_rare(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_rare(rng, knobs, True)


def solve(task: Task[Data]) -> Fraction:
    # With the derivative carried along as a second number, from the inside out; `generate` multiplies slopes chain by chain.
    data = task.data
    if data.gaps:
        ((one, other),) = fitting_pairs(data, _places(data), data.clues)
        return derivative(data, fill_tables(data.tables, _places(data), (one, other)))
    return derivative(data, data.tables)


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.value), "that is another slope")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    parts = parts_of(task.data)
    slopes = [part.slope for part in parts.values()]
    if task.data.gaps:
        pairs = fitting_pairs(task.data, _places(task.data), task.data.clues[:1])
        slopes = [derivative(task.data, fill_tables(task.data.tables, _places(task.data), pair)) for pair in pairs]
        slopes = [slope for slope in slopes if slope != right]
    return [list(parts.values())[-1].value, *slopes, -right, right + 1]


def cost(task: Task[Data]) -> float:
    data = task.data
    if data.gaps:
        return 10 * len(data.tables[0]) ** 2 + 20 * len(fitting_pairs(data, _places(data), data.clues[:1])) + 6 * len(parts_of(data))
    inverse = sum(name.endswith(INVERSE) for chain in data.chains for name in chain.functions)
    return 4 * len(parts_of(data)) + 6 * len(data.chains) ** 2 + 2 * inverse


def _lines(task: Task[Data]) -> list[str]:
    working = probabilities.Working()
    parts = list(parts_of(task.data).items())
    for text, part in parts[:-1]:
        working.let(VALUE.format(part=text), part.value_formula)
        working.let(SLOPE.format(part=text), part.slope_formula)
    return working.last(SLOPE.format(part=parts[-1][0]), parts[-1][1].slope_formula)


def derive_gaps(task: Task[Data]) -> Derivation:
    data = task.data
    first, second = (f"{name}({x})" for name, x in data.gaps)
    known, tried = data.clues
    pairs = fitting_pairs(data, _places(data), data.clues[:1])
    listed = ", ".join(f"({one}; {other})" for one, other in pairs)
    yield KNOWN(name=known.name, at=known.at, value=known.value, first=first, second=second, pairs=listed)
    for one, other in pairs:
        value = derivative(with_combination(data, tried), fill_tables(data.tables, _places(data), (one, other)))
        yield TRIED(first=first, one=one, second=second, other=other, name=tried.name, at=tried.at, value=value)
    yield from in_order(filled(line, LINE) for line in _lines(task)[:-1])


def _quantities(task: Task[Data]) -> probabilities.QuantityTemplates:
    parts = parts_of(task.data)
    return {VALUE: lambda part: parts[part].value, SLOPE: lambda part: parts[part].slope}


def _places(data: Data) -> list[tuple[int, int]]:
    """The table and the row of each missing value."""
    return [(data.names.index(name), x - 1) for name, x in data.gaps]


def _sample_chains(rng: Rng, knobs: Knobs, names: tuple[str, ...], count: int, depth: int, at: int) -> tuple[Chain, ...]:
    chains = []
    for _ in range(count):
        functions = tuple(rng.choice(names) for _ in range(depth))
        factor = rng.choice((1, 1, 2, -1))
        chains.append(Chain(functions=functions, factor=factor, shift=rng.integer(1, knobs.points) - factor * at))
    return tuple(chains)


def _sample_with_gaps(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Neither clue alone determines the missing values, and the slope that is asked for depends on both."""
    knobs = knobs.model_copy(update={"points": max(6, knobs.points)})
    names, numbers, depth = ("f", "g", "k"), range(1, knobs.points + 1), max(2, min(knobs.depth, 4) - 1)
    while True:
        tables = tuple(tuple((rng.choice(numbers), rng.integer(1, 6) * rng.choice((1, -1))) for _ in numbers) for _ in names)
        gaps = tuple((name, rng.choice(numbers)) for name in rng.sample(names, 2))
        clues = []
        for name in ("p", "q"):
            at = rng.choice(numbers)
            chains = _sample_chains(rng, knobs, names, 2, depth, at)
            clues.append(Clue(name=name, chains=chains, signs=(rng.choice("+-*"),), at=at, value="0"))
        at = rng.choice(numbers)
        chains = _sample_chains(rng, knobs, names, 2, depth, at)
        data = Data(names=names, tables=tables, chains=chains, signs=(rng.choice("*/"),), at=at, value="", gaps=gaps)
        clues = [clue.model_copy(update={"value": str(derivative(with_combination(data, clue), tables))}) for clue in clues]
        places = _places(data)
        pairs = fitting_pairs(data, places, clues[:1])
        if not 3 <= len(pairs) < 2 * knobs.points or len({derivative(data, fill_tables(tables, places, pair)) for pair in pairs}) < len(
            pairs
        ):
            continue
        if len(fitting_pairs(data, places, clues)) == 1 and 3 <= len(fitting_pairs(data, places, clues[1:])) < 2 * knobs.points:
            break
    data = data.model_copy(update={"value": str(derivative(data, tables)), "clues": tuple(clues)})
    return Task(_gaps_prompt(rng, data), data)


def _gaps_prompt(rng: Rng, data: Data) -> str:
    rows = [
        f"| {x} | "
        + " | ".join(f"{'?' if (name, x) in data.gaps else value} | {slope}" for name, (value, slope) in zip(data.names, row))
        + " |"
        for x, row in enumerate(zip(*data.tables, strict=True), 1)
    ]
    table = "\n".join([_head(data.names), "|" + " --- |" * 7, *rows])
    first, second = (f"{name}({x})" for name, x in data.gaps)
    known = "\n".join(
        f"{clue.name}(x) = {list(parts_of(with_combination(data, clue)))[-1]} has {clue.name}'({clue.at}) = {clue.value}."
        for clue in data.clues
    )
    question = phrase(rng, ASKS, h=list(parts_of(data))[-1], at=data.at)
    return (
        f"For the differentiable functions {', '.join(data.names)} some values and derivatives are known:\n\n{table}\n\n"
        f"{first} and {second} are missing; each is an integer from 1 to {len(data.tables[0])}, and these facts determine both:\n{known}\n\n{question}"
    )


def _head(names: tuple[str, ...]) -> str:
    return "| x | " + " | ".join(f"{name}(x) | {name}'(x)" for name in names) + " |"


def _sample_rare(rng: Rng, knobs: Knobs, inverse: bool) -> Task[Data]:
    """Of several tasks with few functions one whose slope is rare."""
    return draw_rare(lambda: _sample_task(rng, knobs, inverse), lambda task: task.data.value, 24 if knobs.chains < 3 else 1)


def _sample_task(rng: Rng, knobs: Knobs, inverse: bool) -> Task[Data]:
    names = ("f", "g", "k")
    tables = tuple(
        tuple((value, rng.integer(1, 6) * rng.choice((1, -1))) for value in rng.shuffled(range(1, knobs.points + 1))) for _ in names
    )
    at = rng.integer(1, knobs.points)
    chains = []
    for _ in range(knobs.chains):
        functions = [rng.choice(names) for _ in range(rng.integer(max(1, knobs.depth - 1), knobs.depth))]
        if inverse:
            k = rng.integer(0, len(functions) - 1)
            functions[k] += INVERSE
        factor = rng.choice((1, 1, 2, 3, -1, -2))
        chains.append(Chain(functions=tuple(functions), factor=factor, shift=rng.integer(1, knobs.points) - factor * at))
    signs = tuple(rng.choice(SIGNS[: knobs.signs]) for _ in chains[1:])
    data = Data(names=names, tables=tables, chains=tuple(chains), signs=signs, at=at, value="")
    parts = parts_of(data)
    rows = [
        f"| {x} | " + " | ".join(f"{value} | {slope}" for value, slope in row) + " |" for x, row in enumerate(zip(*tables, strict=True), 1)
    ]
    notes = (
        f" Here {', '.join(f'{name}{INVERSE}' for name in names)} stand for the inverse functions of {', '.join(names)}, which are one-to-one."
        if inverse
        else ""
    )
    table = "\n".join([_head(names), "|" + " --- |" * 7, *rows])
    prompt = f"For the differentiable functions {', '.join(names)} some values and derivatives are known:\n\n{table}\n\n"
    prompt += phrase(rng, ASKS, h=list(parts)[-1], at=at) + notes
    return Task(prompt, data.model_copy(update={"value": str(list(parts.values())[-1].slope)}))


FULL = probabilities.solution(_lines, _quantities)
GAPS = Solution(derive_gaps, "Hence the derivative asked for is {answer}")
environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=SolutionByTask(lambda task: GAPS if task.data.gaps else FULL),
    shift=shift,
    concept=CONCEPT,
    version=4,
)
